"""Draws a report's chart."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from talefold.bench.report import Report
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
    """Writes a PNG of `report`'s chart.

    Raises:
        TalefoldError: As `check_plot`.
        OSError: The file cannot be written.
    """
    check_plot()
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.add_subplot()
    for curve in report.chart.curves:
        axes.plot(curve.x, curve.y, ".-", label=curve.name, linewidth=1)
    axes.set_title(f"talefold bench {report.benchmark}")
    axes.set_xlabel(report.chart.x_label)
    axes.set_ylabel(report.chart.y_label)
    axes.set_ylim(bottom=0)
    axes.legend()
    figure.savefig(path, format="png", dpi=120)
