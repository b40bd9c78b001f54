"""Shows a report in the terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from talefold.bench.report import Bar, Figure, Report, median

__all__ = ["show"]

_BUSY = "other processes were running: these figures, and ratios too, are worth little"


def show(report: Report, machine: Mapping[str, Any], console: Console) -> None:
    """Prints figures, then bars, then what to know about them."""
    settings = ", ".join(f"{key} {value}" for key, value in report.settings.items())
    in_use = machine["cpus_in_use"]
    others = "" if in_use is None else f", {in_use:.1f} of them in use by others"
    console.print(
        Group(
            Text(f"talefold bench {report.benchmark}", "bold"),
            Text(settings, "dim"),
            Text(f"{machine['cpu']}, {machine['cpu_count']} CPUs{others}", "dim"),
            _figures(report.figures),
            _bars(report.bars),
            *(Text(note) for note in report.notes),
            *([Text(_BUSY, "red")] if machine["busy"] else []),
        )
    )


def _figures(figures: Sequence[Figure]) -> Table:
    table = _table("", "median", "min", "max", "unit", "samples")
    for figure in figures:
        samples = figure.samples
        table.add_row(
            figure.name,
            number(median(samples)),
            number(min(samples, default=None)),
            number(max(samples, default=None)),
            figure.unit,
            str(len(samples)),
        )
    return table


def _bars(bars: Sequence[Bar]) -> Table:
    table = _table("bar", "is", "has to be", "unit", "")
    for bar in bars:
        mark = {True: "met", False: "missed", None: "not measured"}[bar.met]
        limit = f"{bar.relation} {number(bar.limit)}"
        table.add_row(bar.name, number(bar.value), limit, bar.unit, mark)
    return table


def _table(first: str, *others: str) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column(first)
    for header in others:
        table.add_column(header, justify="left" if not header else "right")
    return table


def number(value: float | None) -> str:
    """Three digits at least; "-" for nothing."""
    if value is None:
        return "-"
    if abs(value) >= 100 or float(value).is_integer():
        return f"{value:,.0f}"
    return f"{value:.3g}"
