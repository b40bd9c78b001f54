"""`import`: a long log appended to an agent, then a turn."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from talefold.bench.report import Bar, Chart, Curve, Figure, Report, median

__all__ = ["ImportRun", "import_report", "run_import"]

GROWTH_BAR = 1.5  # last thousand turns / first thousand
LINEAR_BAR = 2.4  # whole log / half of it; 2 is linear
MEMORY_BAR = 3.0  # bytes held at most / bytes of text
_CURVE_POINTS = 60


@dataclass(frozen=True, kw_only=True)
class ImportRun:
    """What one process measured.

    Attributes:
        append_us: Microseconds of each append.
        first_turn_ms: Of the turn after the log.
        second_turn_ms: Of the one after that.
        text_bytes: Of the log, in UTF-8.
        grown_bytes: The process's peak after the first turn, less what it had before
            the log.
    """

    append_us: Sequence[float]
    first_turn_ms: float
    second_turn_ms: float
    text_bytes: int
    grown_bytes: int

    @property
    def total_ms(self) -> float:
        """All appends and the first turn."""
        return sum(self.append_us) / 1000 + self.first_turn_ms


def run_import(*, repetitions: int, turns: int) -> Report:
    """Appends a seeded log of 40-word messages and replies, each time in a new process.

    Texts are made one at a time while they are appended; making them is not timed.
    Half the log in a process of its own tells whether time is linear.
    """
    whole: list[ImportRun] = []
    half: list[ImportRun] = []
    for _ in range(repetitions):
        half.append(_in_new_process(max(1, turns // 2)))
        whole.append(_in_new_process(turns))
    return import_report(
        settings={"repetitions": repetitions, "turns": turns}, whole=whole, half=half
    )


def _in_new_process(turns: int) -> ImportRun:
    command = [sys.executable, "-m", "talefold.bench.import_process", str(turns)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)} failed:\n{done.stderr}")
    return ImportRun(**json.loads(done.stdout))


def import_report(
    *,
    settings: dict[str, object],
    whole: Sequence[ImportRun],
    half: Sequence[ImportRun],
) -> Report:
    """From runs with the whole log and with half of it, one of each a repetition."""
    first, last = zip(*(_ends(run.append_us) for run in whole), strict=True)
    growth = [b / a for a, b in zip(first, last, strict=True)]
    linear = [a.total_ms / b.total_ms for a, b in zip(whole, half, strict=True)]
    memory = [run.grown_bytes / run.text_bytes for run in whole]
    return Report(
        benchmark="import",
        settings=settings,
        figures=[
            Figure(name="append, first thousand", unit="us", samples=first),
            Figure(name="append, last thousand", unit="us", samples=last),
            Figure(
                name="first turn after it",
                unit="ms",
                samples=[run.first_turn_ms for run in whole],
            ),
            Figure(
                name="second turn after it",
                unit="ms",
                samples=[run.second_turn_ms for run in whole],
            ),
            Figure(
                name="text of the log",
                unit="MB",
                samples=[run.text_bytes / 1e6 for run in whole],
            ),
            Figure(
                name="memory grown, at most",
                unit="MB",
                samples=[run.grown_bytes / 1e6 for run in whole],
            ),
        ],
        bars=[
            _at_most("append, last / first thousand", growth, GROWTH_BAR),
            _at_most("append and first turn, whole log / half", linear, LINEAR_BAR),
            _at_most("memory / text of the log", memory, MEMORY_BAR),
        ],
        charts=[_chart(whole)],
    )


def _ends(append_us: Sequence[float]) -> tuple[float, float]:
    """Medians of the first and of the last thousand, or halves of a shorter log."""
    count = max(1, min(1000, len(append_us) // 2))
    first, last = median(append_us[:count]), median(append_us[-count:])
    assert first is not None
    assert last is not None
    return first, last


def _at_most(name: str, samples: Sequence[float], limit: float) -> Bar:
    return Bar(name=name, value=median(samples), relation="<=", limit=limit)


def _chart(runs: Sequence[ImportRun]) -> Chart:
    curves = []
    for number, run in enumerate(runs, 1):
        step = max(1, len(run.append_us) // _CURVE_POINTS)
        ends = list(range(step, len(run.append_us) + 1, step))
        means = [sum(run.append_us[end - step : end]) / step for end in ends]
        curves.append(Curve(name=f"repetition {number}", x=ends, y=means))
    return Chart(x_label="turn of the log", y_label="us an append", curves=curves)
