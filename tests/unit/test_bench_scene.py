"""The benchmark of characters who share a story."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

pytest.importorskip("gguf", reason="the gguf package writes the models")

# Before any engine loads a model: llama_cpp's module takes llama.cpp's log over.
from talefold.bench.play import most_heard, read_play
from talefold.bench.scene_report import (
    PrefixShare,
    SceneTurn,
    prefix_shares,
    scene_report,
)
from talefold.errors import TalefoldError
from tiny_models import write_tiny_model

from .bench_helpers import bars, bench, measured, samples


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_model(tmp_path_factory.mktemp("bench") / "tiny.gguf", "spm")


def transcript(folder: Path, *lines: dict[str, object]) -> Path:
    file = folder / "play.jsonl"
    file.write_text("\n".join(json.dumps(line) for line in lines), "utf-8")
    return file


def enter(*names: str) -> dict[str, object]:
    return {"kind": "presence", "activate": names}


def said(speaker: str, text: str) -> dict[str, object]:
    return {"kind": "character", "speaker": speaker, "text": text}


def turn(speaker: str, prompt: str, reused: int = 0) -> SceneTurn:
    return SceneTurn(
        speaker=speaker,
        prompt=[ord(letter) for letter in prompt],
        reused_tokens=reused,
        first_token_ms=1.0,
        story_went_on=False,
    )


# The command.


def test_every_line_of_the_characters_is_a_turn_in_each_mode(tiny: Path) -> None:
    report = measured(
        "scene", "--model", tiny, "--threads", 1, "--tokens", 8, "--lines", 19,
        "--context", 2048,
    )  # fmt: skip

    for mode in ("off", "on"):
        assert len(samples(report, f"prompt, caching {mode}")) == 18
        assert max(samples(report, f"first token, caching {mode}")) > 0
    assert report["settings"]["characters"] == ["Ben", "Anna", "Clara"]
    # One story for all, behind system prompts that differ from the name on.
    off, on = (
        samples(report, f"begins as another's prompt, caching {mode}")
        for mode in ("off", "on")
    )
    assert max(off) < 100 < on[-1]
    assert min(samples(report, "found beyond its own prompt, caching on")[1:]) > 0
    assert bars(report)["tokens prefilled, caching on / off"]["value"] < 1


def test_a_play_has_its_own_entrances(tiny: Path, tmp_path: Path) -> None:
    play = transcript(
        tmp_path,
        enter("Jack"),
        said("Jack", "Nobody heard this."),
        said("Cecily", "I am not here yet."),
        enter("Cecily"),
        said("Cecily", "Now I am."),
        said("Jack", "Then you heard that."),
    )
    arguments = (
        "scene", "--model", tiny, "--threads", 1, "--tokens", 8, "--context", 2048,
        "--play", play, "--characters", 2,
    )  # fmt: skip

    as_written = measured(*arguments)
    stayed = measured(*arguments, "--stay")

    assert as_written["settings"]["play"] == "play.jsonl"
    assert len(samples(as_written, "prompt, caching on")) == 3
    assert len(samples(stayed, "prompt, caching on")) == 4


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"kind": "narrator", "text": "Rain."}\n{"kind": "song"}', "line 2"),
        ('{"kind": "narrator", "text": "Rain."}\nnot JSON', "line 2"),
        ('{"kind": "character", "text": "Who am I?"}', "line 1"),
        ('{"kind": "narrator", "text": "Rain."}', "0 speak"),
    ],
)
def test_a_play_that_cannot_be_acted_out_is_refused(
    text: str, found: str, tiny: Path, tmp_path: Path
) -> None:
    play = tmp_path / "play.jsonl"
    play.write_text(text, "utf-8")

    result = bench("scene", "--model", tiny, "--play", play)

    assert result.exit_code == 1
    assert found in result.output
    assert "hint" in result.output


def test_a_play_that_is_not_there_is_named(tiny: Path, tmp_path: Path) -> None:
    result = bench("scene", "--model", tiny, "--play", tmp_path / "none.jsonl")

    assert result.exit_code == 2
    assert "none.jsonl" in result.output


# What it reads.


def test_the_seeded_story_is_always_the_same() -> None:
    play = read_play(None, 30)

    assert play == read_play(None, 30)
    assert play == read_play(None, 60)[:30]
    assert len(most_heard(play, 3)) == 3
    spoken = [line.speaker for line in play if line.speaker]
    assert all(a != b for a, b in pairwise(spoken))


def test_those_who_say_most_take_turns(tmp_path: Path) -> None:
    play = transcript(
        tmp_path,
        said("Lane", "Yes, sir."),
        said("Jack", "One."),
        said("Algernon", "One."),
        said("Jack", "Two."),
        said("Algernon", "Two."),
    )

    assert most_heard(read_play(play, 9), 2) == ["Jack", "Algernon"]
    assert most_heard(read_play(play, 2), 2) == ["Lane", "Jack"]
    with pytest.raises(TalefoldError, match="4 characters are to be measured, but 3"):
        most_heard(read_play(play, 9), 4)


# What it says.


def test_a_prompt_is_compared_with_the_latest_of_each_character() -> None:
    turns = [
        turn("Jack", "abcd"),
        turn("Cecily", "abxx", reused=2),
        turn("Jack", "abcf", reused=3),
        turn("Lane", "abcfgh", reused=4),
        turn("Jack", "zzz"),
    ]

    assert prefix_shares(turns) == [
        PrefixShare(own=0, others=0, from_others=0),
        PrefixShare(own=0, others=2, from_others=2),
        PrefixShare(own=3, others=2, from_others=0),
        PrefixShare(own=0, others=4, from_others=4),
        PrefixShare(own=0, others=0, from_others=0),
    ]


@pytest.mark.parametrize(("reused", "met"), [(8, True), (5, True), (4, False)])
def test_caching_has_to_save_half_of_the_prefill(reused: int, met: bool) -> None:
    report = scene_report(
        settings={},
        turns={
            "off": [turn("Jack", "0123456789")],
            "on": [turn("Jack", "0123456789", reused)],
        },
    )

    (bar,) = report.bars
    assert bar.value == (10 - reused) / 10
    assert bar.met is met


def test_nothing_prefilled_is_no_ratio() -> None:
    (bar,) = scene_report(settings={}, turns={"off": [], "on": []}).bars

    assert bar.met is None
