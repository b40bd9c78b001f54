"""Draws a report's charts."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

from talefold.bench.report import Chart, Report
from talefold.errors import ErrorCode, TalefoldError

__all__ = ["check_plot", "write_plot"]


def check_plot() -> None:
    """Before a long run: whether there will be a plot at its end.

    Raises:
        TalefoldError: InvalidArgument when matplotlib is not installed.
    """
    if importlib.util.find_spec("matplotlib") is None:
        raise TalefoldError(
            ErrorCode.InvalidArgument,
            "--plot needs matplotlib, which is not installed",
            'pip install "matplotlib>=3.7"',
        )


def write_plot(report: Report, path: Path) -> None:
    """Writes a PNG of `report`'s charts, one below the other.

    Raises:
        TalefoldError: As `check_plot`.
        OSError: The file cannot be written.
    """
    check_plot()
    from matplotlib.figure import Figure

    count = len(report.charts)
    figure = Figure(figsize=(8, 1 + 3.5 * count), layout="constrained")
    figure.suptitle(f"talefold bench {report.benchmark}")
    panels = figure.subplots(count, squeeze=False)
    for chart, axes in zip(report.charts, panels[:, 0], strict=True):
        _draw(chart, axes)
    figure.savefig(path, format="png", dpi=120)


def _draw(chart: Chart, axes: Any) -> None:
    for curve in chart.curves:
        if curve.x:
            axes.plot(curve.x, curve.y, ".-", label=curve.name, linewidth=1)
    axes.set_xlabel(chart.x_label)
    axes.set_ylabel(chart.y_label)
    if chart.log_y:
        axes.set_yscale("log")
    else:
        axes.set_ylim(bottom=0)
    axes.legend()
