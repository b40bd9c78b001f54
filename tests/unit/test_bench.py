from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("gguf", reason="the gguf package writes the models")

# Before any engine loads a model: llama_cpp's module takes llama.cpp's log over.
from talefold.bench.bare import BareLoop
from talefold.bench.batch import Rates, batch_report
from talefold.bench.decode import decode_report
from talefold.bench.import_log import ImportRun, import_report
from talefold.bench.overhead import early_and_late, overhead_report
from talefold.bench.report import Bar, Figure
from talefold.bench.switch import speakers
from talefold.bench.switch_report import SwitchTurn, parked_cost, switch_report
from talefold.bench.talk import Reply, joint_rate
from talefold.errors import TalefoldError
from talefold.stats import EngineStats
from tiny_models import write_tiny_model

from .bench_helpers import bars, bars_met, bench, hide, measured, samples

SMALL = ("--threads", "1", "--repetitions", "1")


# Replies of this kind do not end early.
@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_model(tmp_path_factory.mktemp("bench") / "tiny.gguf", "spm")


# The commands, with small sizes.


def test_decode_compares_the_same_work(tiny: Path) -> None:
    report = measured(
        "decode", "--model", tiny, "--tokens", 16, "--context", 256, *SMALL
    )

    assert "both wrote the same text" in report["notes"]
    assert report["bars"][0]["value"] > 0
    assert report["settings"]["model"] == "tiny.gguf"


def test_batch_reports_each_number_of_agents(tiny: Path) -> None:
    report = measured(
        "batch", "--model", tiny, "--tokens", 200, "--context", 512, *SMALL,
        "--agents", 2, "--agents", 4,
    )  # fmt: skip

    assert list(bars(report)) == [
        "2 agents / bare loop",
        "4 agents / bare loop",
        "4 agents / one by one",
    ]
    assert report["settings"]["slots"] == 5  # one for background work
    assert report["notes"] == ["0 requests failed or states repaired"]


def test_switch_accounts_for_every_prompt_token(tiny: Path) -> None:
    report = measured(
        "switch", "--model", tiny, "--agents", 8, "--hot", 6, "--turns", 30,
        "--world", 64, "--context", 1024, *SMALL,
    )  # fmt: skip

    (prompts,) = samples(report, "prompt tokens")
    parts = ("reused tokens", "shared tokens", "prefilled tokens")
    assert prompts == sum(samples(report, part)[0] for part in parts)
    kinds = [len(samples(report, f"first token, {k}")) for k in ("live", "parked")]
    assert min(kinds) > 0
    assert bars(report)["turns that computed the world prompt or a part of it"]["met"]
    assert bars(report)["world tokens that a cold switch computed, at most"]["met"]
    assert bars(report)["most KV bytes, of the cap"]["met"]


def test_overhead_runs_without_its_peer() -> None:
    report = measured("overhead", "--turns", 40, "--repetitions", 2, "--no-peer")

    assert len(samples(report, "turn, folds")) == 2
    assert bars(report)["times faster than LangGraph + LangMem"]["met"] is None


def test_overhead_says_that_a_peer_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    hide(monkeypatch, "langmem")

    report = measured("overhead", "--turns", 40, "--repetitions", 1)

    assert bars(report)["times faster than LangGraph + LangMem"]["value"] is None
    assert any("missing" in note and "langmem" in note for note in report["notes"])


def test_overhead_measures_its_peer() -> None:
    pytest.importorskip("langgraph")
    pytest.importorskip("langmem")

    report = measured("overhead", "--turns", 10, "--repetitions", 1)

    assert bars(report)["times faster than LangGraph + LangMem"]["value"] > 1


def test_import_measures_a_process_of_its_own() -> None:
    report = measured("import", "--turns", 200, "--repetitions", 1)

    (text_mb,) = samples(report, "text of the log")
    assert 0.05 < text_mb < 0.15  # 400 texts of 40 words
    assert list(bars(report)) == [
        "append, last / first thousand",
        "append and first turn, whole log / half",
        "memory / text of the log",
    ]


def test_retrieval_finds_the_neighbours_that_numpy_finds() -> None:
    report = measured(
        "retrieval", "--records", 30, "--records", 500, "--dimensions", 20,
        "--top-k", 5, "--repetitions", 2,
    )  # fmt: skip

    assert report["notes"] == [
        "30 records: 20 of 20 queries found the same neighbours",
        "500 records: 20 of 20 queries found the same neighbours",
    ]
    assert len(samples(report, "talefold, 500 records")) == 2
    assert list(bars(report)) == [
        "times as fast as numpy, 30 records",
        "times as fast as numpy, 500 records",
    ]


def test_retrieval_says_that_numpy_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    hide(monkeypatch, "numpy")

    result = bench("retrieval", "--records", 10)

    assert result.exit_code != 0
    assert "pip install numpy" in result.output


def test_a_table_shows_figures_and_bars() -> None:
    result = bench("overhead", "--turns", 40, "--repetitions", 1, "--no-peer")

    assert result.exit_code == 0
    assert "turn, folds" in result.stdout
    assert "not measured" in result.stdout


# Their failures.


def test_an_unknown_name_is_refused() -> None:
    result = bench("speed")

    assert result.exit_code == 2
    assert "speed" in result.stderr


@pytest.mark.parametrize("name", ["decode", "batch", "switch"])
def test_a_missing_model_file_is_named(name: str, tmp_path: Path) -> None:
    path = tmp_path / "none.gguf"

    result = bench(name, "--model", path)

    assert result.exit_code == 1
    assert str(path) in result.stderr


def test_a_plot_needs_matplotlib(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    hide(monkeypatch, "matplotlib")

    result = bench("overhead", "--plot", tmp_path / "plot.png")

    assert result.exit_code == 1
    assert 'pip install "matplotlib>=3.7"' in result.stderr


def test_a_plot_is_written(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "plot.png"

    result = bench(
        "overhead", "--turns", 40, "--repetitions", 1, "--no-peer", "--plot", path
    )

    assert result.exit_code == 0, result.output
    assert path.read_bytes().startswith(b"\x89PNG")


# What figures mean.


@pytest.mark.parametrize(
    ("value", "relation", "limit", "met"),
    [
        (0.97, ">=", 0.97, True),
        (0.969, ">=", 0.97, False),
        (2.0, "<=", 2.0, True),
        (2.1, "<=", 2.0, False),
        (None, "<=", 2.0, None),
    ],
)
def test_a_bar_is_met_or_not(value: Any, relation: Any, limit: float, met: Any) -> None:
    assert Bar(name="a", value=value, relation=relation, limit=limit).met is met


def test_a_figure_without_samples_has_no_median() -> None:
    figure = Figure(name="a", unit="ms", samples=[]).to_json()

    assert (figure["median"], figure["min"], figure["max"]) == (None, None, None)


def reply(*times: float, tokens: int | None = None) -> Reply:
    return Reply(times=times, end=times[-1], tokens=tokens or len(times), text="")


def test_a_rate_counts_from_the_first_token() -> None:
    assert Reply(times=[10, 11, 12], end=14, tokens=9, text="").rate == 2


def test_a_joint_rate_counts_while_all_talk() -> None:
    early = reply(0, 1, 2, 3, 4)  # one a second
    late = reply(2, 2.5, 3, 3.5, 4, 4.5, 5)  # two a second

    assert joint_rate([early, late]) == pytest.approx(3)


def test_a_piece_stands_for_its_share_of_tokens() -> None:
    assert joint_rate([reply(0, 1, 2, tokens=6)]) == pytest.approx(2)


def test_replies_that_did_not_overlap_have_no_joint_rate() -> None:
    with pytest.raises(TalefoldError, match="same time"):
        joint_rate([reply(0, 1, 2), reply(3, 4, 5)])


def test_decode_takes_the_ratio_of_each_pair() -> None:
    report = decode_report(
        settings={},
        ours=[100, 50, 97],
        bare=[100, 40, 100],
        generated=256,
        weight_bytes=1_000_000_000,
        copy_gb=20,
        same_text=False,
    )

    assert report.bars[0].value == 1.0
    assert report.figures[3].samples == [100, 50, 97]
    assert "texts differ" in report.notes[1]


def test_batch_bars_depend_on_the_number_of_agents() -> None:
    rates = [
        Rates(4, together=[96], bare=[100], one_by_one=[70]),
        Rates(8, together=[94], bare=[100], one_by_one=[70]),
    ]

    assert bars_met(batch_report(settings={}, rates=rates, failures=0)) == [
        True, True, False, False,
    ]  # fmt: skip


def test_a_parked_hit_costs_what_it_takes_beyond_a_live_one() -> None:
    assert parked_cost([60.0], [50.0], [1050.0]) == pytest.approx(1.0)
    assert parked_cost([], [50.0], [1050.0]) is None


def switch_turn(kind: Any, reused: int, first_token_ms: float = 10) -> SwitchTurn:
    return SwitchTurn(
        kind=kind,
        prompt_tokens=700,
        reused_tokens=reused,
        first_token_ms=first_token_ms,
    )


def switch_bars(*turns: SwitchTurn, peak: int = 100) -> list[bool | None]:
    counts = dict.fromkeys(EngineStats.__dataclass_fields__, 0)
    stats = EngineStats(**counts | {"kv_cache_bytes": 100, "kv_peak_bytes": peak})
    report = switch_report(
        settings={},
        turns=turns,
        prefills=[switch_turn("cold", 0, 1010)],
        world_tokens=600,
        stats=stats,
    )
    return bars_met(report)


def test_switch_bars_are_met_when_only_own_tokens_are_computed() -> None:
    turns = (
        switch_turn("first", 0),
        switch_turn("cold", 610),
        switch_turn("live", 680),
        switch_turn("parked", 680, 25),
    )

    assert switch_bars(*turns) == [True, True, True, True]


def test_switch_bars_miss_a_world_computed_twice() -> None:
    assert switch_bars(switch_turn("first", 0), switch_turn("cold", 0)) == [
        False, None, False, True,
    ]  # fmt: skip


def test_switch_bars_miss_a_slow_restore_and_a_cap_exceeded() -> None:
    turns = (
        switch_turn("first", 0),
        switch_turn("live", 680),
        switch_turn("parked", 680, 31),
    )

    assert switch_bars(*turns, peak=101) == [True, False, None, False]


def test_hot_agents_take_nine_turns_in_ten() -> None:
    taken = speakers(2000, 32, 8, random.Random(1))

    assert 0.87 < sum(speaker < 8 for speaker in taken) / 2000 < 0.93
    assert set(taken) == set(range(32))
    assert taken == speakers(2000, 32, 8, random.Random(1))


def test_early_turns_are_100_to_1100_of_10000() -> None:
    taken = [9.0] * 100 + [1.0] * 1000 + [5.0] * 7900 + [2.0] * 1000

    assert early_and_late(taken) == (1.0, 2.0)


def test_overhead_bars_are_for_median_growth_and_peer() -> None:
    report = overhead_report(
        settings={},
        series={"folds": [[0.1] * 900 + [0.12] * 100]},
        peer_ms=[1.0] * 380 + [6.0] * 20,
        missing=[],
    )

    assert [bar.value for bar in report.bars] == pytest.approx([0.1, 1.2, 60])
    assert bars_met(report) == [True, False, True]


def import_run(scale: int) -> ImportRun:
    return ImportRun(
        append_us=[1.0] * 1000 * scale,
        first_turn_ms=99.0 * scale,
        second_turn_ms=1.0,
        text_bytes=1000,
        grown_bytes=3500,
    )


def test_import_bars_are_for_growth_linearity_and_memory() -> None:
    report = import_report(settings={}, whole=[import_run(2)], half=[import_run(1)])

    assert [bar.value for bar in report.bars] == pytest.approx([1.0, 2.0, 3.5])
    assert bars_met(report) == [True, True, False]


def test_the_bare_loop_generates_as_many_tokens_as_asked(tiny: Path) -> None:
    with BareLoop(tiny, slot_size=256, n_slots=2, threads=1) as loop:
        alone = loop.run([[5, 6, 7]], 6)
        pair = loop.run([[5, 6, 7], [8, 9, 10]], 6)

    assert alone.steps == 5
    assert len(pair.texts) == 2
    assert pair.texts[0] == alone.texts[0]
