"""Scenes: snapshots and transcripts, taken as a whole and good for a turn."""

from __future__ import annotations

from functools import cache

from talefold import (
    ArchiveParams,
    Engine,
    GenerateParams,
    GraphDescription,
    LayeredHistoryParams,
    Scene,
)

from .harness import answered, attempt, fuzz

MEMORY = (
    GraphDescription()
    .add_node("archive", ArchiveParams(token_threshold=32, default_exit="layers"))
    .add_node("layers", LayeredHistoryParams(token_threshold=16, max_layers=2))
    .set_start_node("archive")
)
CHARACTER = (
    GraphDescription()
    .add_node("talk", GenerateParams(context_size=2048))
    .set_start_node("talk")
)


@cache
def engine() -> Engine:
    engine = Engine(worker_threads=1)
    engine.load_scripted_model("model", replies=["SUMMARY: Aye, so it went."])
    return engine


def open_scene(snapshot: str | None = None) -> Scene:
    return engine().create_scene(
        memory_graph=MEMORY, run_inline=True, snapshot=snapshot
    )


def check(data: bytes) -> None:
    text = data.decode(errors="replace")
    with open_scene() as empty:
        before = empty.export_snapshot()
        if attempt(empty.import_transcript, text) is None:
            assert empty.export_snapshot() == before
    scene = attempt(open_scene, text)
    if scene is None:
        return
    with scene:
        written = scene.export_snapshot()
        with open_scene(written) as other:
            assert other.export_snapshot() == written
        answered("scene", *sorted({each.kind for each in scene.messages}))
        answered("entries", *sorted({each.layer for each in scene.entries}))
        scene.statistics()
        scene.add_character("Ann", CHARACTER)
        attempt(scene.take_turn, "Ann")
        for entry in scene.entries:
            attempt(scene.inspect, entry.id)
        for message in scene.messages[:2]:
            scene.erase(message.id)
        scene.update_memory()
        attempt(open_scene, scene.export_snapshot())


if __name__ == "__main__":
    fuzz("scene", check)
