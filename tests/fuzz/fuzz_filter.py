"""Filters of knowledge bases: each record passes, or passes the opposite."""

from __future__ import annotations

from functools import cache

from talefold import Engine, TalefoldError, _core

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
    try:
        opposite = found('{"op": "not", "args": [' + text + "]}")
    except TalefoldError as error:  # one operator more may be one too many
        assert "more than" in error.message
    else:
        assert opposite == {record["id"] for record in RECORDS} - accepted


if __name__ == "__main__":
    fuzz("filter", check)
