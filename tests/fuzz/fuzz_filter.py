"""Filters of knowledge bases: each record passes, or passes the opposite."""

from __future__ import annotations

from functools import cache

from talefold import Engine, _core

from .harness import answered, attempt, fuzz
from .knowledge_example import CONFIG, RECORDS


@cache
def engine() -> _core.Engine:
    engine = Engine(worker_threads=1)
    engine.load_knowledge("lore", config=CONFIG, records=RECORDS)
    return engine._core


def found(filter: str) -> set[str]:
    records = engine().search_knowledge("lore", "the", 1000, 0.0, filter)
    return {record.id for record in records}


def check(data: bytes) -> None:
    text = data.decode(errors="replace")
    if not text:
        return  # no filter

    accepted = attempt(found, text)

    if accepted is None:
        return
    answered("accepted", *sorted(accepted), text.count("op"))
    opposite = attempt(found, '{"op": "not", "args": [' + text + "]}")
    if opposite is not None:  # one operator more may be one too many
        assert opposite == {record["id"] for record in RECORDS} - accepted


if __name__ == "__main__":
    fuzz("filter", check)
