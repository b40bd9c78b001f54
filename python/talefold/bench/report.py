"""What a benchmark found: figures, bars, charts."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

__all__ = [
    "Bar",
    "Chart",
    "Curve",
    "Figure",
    "Report",
    "median",
    "ratios",
    "turn_chart",
]


@dataclass(frozen=True, kw_only=True)
class Figure:
    """Something measured, once or several times.

    Attributes:
        name: What it is.
        unit: Of each sample.
        samples: In the order they were taken; empty = could not be measured.
    """

    name: str
    unit: str
    samples: Sequence[float]

    def to_json(self) -> dict[str, Any]:
        """With median, min and max, which are None without samples."""
        return {
            "name": self.name,
            "unit": self.unit,
            "median": median(self.samples),
            "min": min(self.samples, default=None),
            "max": max(self.samples, default=None),
            "samples": list(self.samples),
        }


@dataclass(frozen=True, kw_only=True)
class Bar:
    """What a figure has to reach.

    Attributes:
        name: What is compared.
        value: What was measured; None = could not be.
        relation: Which side of the limit is good.
        limit: Still good.
        unit: Of value and limit; "x" = a ratio.
    """

    name: str
    value: float | None
    relation: Literal["<=", ">="]
    limit: float
    unit: str = "x"

    @property
    def met(self) -> bool | None:
        """None when there is no value."""
        if self.value is None:
            return None
        if self.relation == "<=":
            return self.value <= self.limit
        return self.value >= self.limit

    def to_json(self) -> dict[str, Any]:
        """All attributes, and whether it is met."""
        return asdict(self) | {"met": self.met}


@dataclass(frozen=True, kw_only=True)
class Curve:
    """One line of a chart."""

    name: str
    x: Sequence[float]
    y: Sequence[float]


@dataclass(frozen=True, kw_only=True)
class Chart:
    """A panel of what --plot draws.

    Attributes:
        x_label: With the unit.
        y_label: With the unit.
        curves: Those without points are left out.
        log_y: For values that are many times apart.
    """

    x_label: str
    y_label: str
    curves: Sequence[Curve]
    log_y: bool = False


@dataclass(frozen=True, kw_only=True)
class Report:
    """What a benchmark found.

    Attributes:
        benchmark: Its name on the command line.
        settings: What it was run with.
        figures: What was measured.
        bars: What was to be reached.
        charts: The run as curves, from top to bottom.
        notes: What a reader of the figures has to know.
    """

    benchmark: str
    settings: Mapping[str, Any]
    figures: Sequence[Figure]
    bars: Sequence[Bar]
    charts: Sequence[Chart]
    notes: Sequence[str] = field(default=())

    def to_json(self) -> dict[str, Any]:
        """The report as what `json.dumps` takes."""
        return {
            "benchmark": self.benchmark,
            "settings": dict(self.settings),
            "figures": [figure.to_json() for figure in self.figures],
            "bars": [bar.to_json() for bar in self.bars],
            "notes": list(self.notes),
            "charts": [asdict(chart) for chart in self.charts],
        }


def median(samples: Sequence[float]) -> float | None:
    """None without samples."""
    return statistics.median(samples) if samples else None


def ratios(values: Sequence[float], to: Sequence[float]) -> list[float]:
    """Of each pair: both were measured one right after the other."""
    return [value / other for value, other in zip(values, to, strict=True)]


def turn_chart(
    y_label: str,
    series: Mapping[str, Sequence[float | None]],
    *,
    x_label: str = "turn",
    log_y: bool = False,
) -> Chart:
    """A curve for each series of values: those of turns 1, 2, ...; None = no point."""
    curves = []
    for name, values in series.items():
        points = [(i, value) for i, value in enumerate(values, 1) if value is not None]
        curves.append(
            Curve(name=name, x=[i for i, _ in points], y=[value for _, value in points])
        )
    return Chart(x_label=x_label, y_label=y_label, curves=curves, log_y=log_y)
