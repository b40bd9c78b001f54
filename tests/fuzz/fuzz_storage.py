"""Files of string storages and knowledge bases: every input is read as each of them."""

from __future__ import annotations

import json
from functools import cache

from talefold import Engine, _core

from .harness import answered, attempt, fuzz
from .knowledge_example import CONFIG

Entries = list[tuple[str, str]]

A_RECORD = json.dumps([{"id": "dragon", "text": "the dragon"}])


@cache
def engine() -> _core.Engine:
    return Engine(worker_threads=1)._core


def written(kind: str, entries: Entries) -> bytes:
    """The content of a file with these entries."""
    if kind == "list":
        # What comes first could pass for a byte order mark.
        return "\n".join(["", *(text for _, text in entries)]).encode()
    return json.dumps([{"id": id, "text": text} for id, text in entries]).encode()


def check_storages(content: bytes) -> None:
    read = {
        kind: attempt(_core.parse_storage, kind, content)
        for kind in ("list", "map", "multimap")
    }
    for kind, entries in read.items():
        if entries is None:
            continue
        answered(kind, len(entries).bit_length(), len(dict(entries)).bit_length())
        assert _core.parse_storage(kind, written(kind, entries)) == entries
    if read["map"] is not None:
        assert len(dict(read["map"])) == len(read["map"])
        assert read["multimap"] == read["map"]


def load_knowledge(config: str, records: str) -> bool:
    engine().load_knowledge("lore", "", config, records)
    return True


def check_knowledge(config: str, records: str) -> None:
    if attempt(load_knowledge, config, records) is None:
        return
    info = engine().describe_knowledge("lore")
    found = engine().search_knowledge("lore", "the dragon", 1000, 0.0, "")
    engine().unload_knowledge("lore")
    answered("knowledge", len(info.fields), len(found).bit_length())
    assert len(found) <= info.records
    assert len({record.id for record in found}) == len(found)
    assert [record.distance for record in found] == sorted(
        record.distance for record in found
    )
    for record in found:
        assert 0 <= record.distance <= 2
        assert set(record.metadata) <= set(info.fields)


def check(data: bytes) -> None:
    check_storages(data)
    text = data.decode(errors="replace")
    check_knowledge(json.dumps(CONFIG), text)
    check_knowledge(text, A_RECORD)


if __name__ == "__main__":
    fuzz("storage", check)
