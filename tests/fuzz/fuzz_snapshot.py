"""Snapshots: taken as a whole, written as they were read, and good for a turn."""

from __future__ import annotations

from functools import cache

from talefold import (
    Agent,
    CannedResponseParams,
    Engine,
    GenerateParams,
    GraphDescription,
    SummarizeParams,
)

from .harness import answered, attempt, fuzz

GRAPH = (
    GraphDescription()
    .add_node(
        "canned",
        CannedResponseParams(
            inline_strings=["A", "B"], output_slot="s", default_exit="talk"
        ),
    )
    .add_node("talk", GenerateParams(context_size=2048, default_exit="fold"))
    .add_node("fold", SummarizeParams(context_size=2048, trigger_turns=2))
    .set_start_node("canned")
)


@cache
def agent() -> Agent:
    engine = Engine(worker_threads=1)
    engine.load_scripted_model("model", replies=["Aye."])
    return engine.create_agent(GRAPH)


def import_text(text: str) -> bool:
    agent().import_snapshot(text)
    return True


def check(data: bytes) -> None:
    before = agent().export_snapshot()

    if attempt(import_text, data.decode(errors="replace")) is None:
        assert agent().export_snapshot() == before
        return

    written = agent().export_snapshot()
    agent().import_snapshot(written)
    assert agent().export_snapshot() == written
    answered("dialog", *sorted(set(agent().history_states("talk"))))
    attempt(agent().send, "Hi")


if __name__ == "__main__":
    fuzz("snapshot", check)
