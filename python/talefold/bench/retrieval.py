"""`retrieval`: exact search among vectors, against numpy over the same numbers."""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from talefold import _core
from talefold.bench.report import Bar, Chart, Curve, Figure, Report, median, ratios
from talefold.errors import ErrorCode, TalefoldError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix = NDArray[np.float32]

__all__ = ["Searches", "retrieval_report", "run_retrieval"]

SPEED_BAR = 1.0  # times as fast as numpy
_SEED = 384
_QUERIES = 20  # a round


@dataclass
class Searches:
    """Milliseconds of a search among so many records, a sample for each round.

    `same` counts queries whose neighbours were those of numpy, in the same order.
    """

    records: int
    ours_ms: list[float] = field(default_factory=list)
    numpy_ms: list[float] = field(default_factory=list)
    same: int = 0
    queries: int = 0


def run_retrieval(
    *, records: Sequence[int], dimensions: int, top_k: int, repetitions: int
) -> Report:
    """Searches random vectors of unit length for the nearest of random queries.

    Raises:
        TalefoldError: InvalidArgument without numpy.
    """
    if importlib.util.find_spec("numpy") is None:
        raise TalefoldError(
            ErrorCode.InvalidArgument,
            "this benchmark compares with numpy, which is not installed",
            "pip install numpy",
        )
    import numpy as np

    random = np.random.default_rng(_SEED)
    measured = []
    for count in records:
        matrix = _unit(random.standard_normal((count, dimensions), np.float32))
        queries = _unit(random.standard_normal((_QUERIES, dimensions), np.float32))
        measured.append(_measure(matrix, queries, min(top_k, count), repetitions))
    return retrieval_report(
        settings={
            "records": list(records),
            "dimensions": dimensions,
            "top_k": top_k,
            "repetitions": repetitions,
            "queries": _QUERIES,
        },
        measured=measured,
    )


def _unit(rows: Matrix) -> Matrix:
    import numpy as np

    lengths: Matrix = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.divide(rows, lengths, dtype=np.float32)


def _measure(matrix: Matrix, queries: Matrix, top_k: int, repetitions: int) -> Searches:
    import numpy as np

    index = _core.VectorIndex(matrix, matrix.shape[1])

    def ours(query: Matrix) -> list[int]:
        return [record for record, _ in index.search(query, top_k)]

    def numpys(query: Matrix) -> list[int]:
        distances = 1 - matrix @ query
        nearest = np.argpartition(distances, top_k - 1)[:top_k]
        return [int(i) for i in nearest[np.argsort(distances[nearest])]]

    searches = Searches(len(matrix), queries=len(queries))
    searches.same = sum(ours(query) == numpys(query) for query in queries)  # warms up
    for _ in range(repetitions):
        searches.ours_ms.append(_milliseconds(ours, queries))
        searches.numpy_ms.append(_milliseconds(numpys, queries))
    return searches


def _milliseconds(search: Callable[[Matrix], object], queries: Matrix) -> float:
    """Of one search."""
    start = time.perf_counter()
    for query in queries:
        search(query)
    return (time.perf_counter() - start) * 1000 / len(queries)


def retrieval_report(
    *, settings: dict[str, object], measured: Sequence[Searches]
) -> Report:
    """From the searches of each size."""
    figures = []
    bars = []
    notes = []
    for each in measured:
        label = f"{each.records:,} records"
        faster = ratios(each.numpy_ms, to=each.ours_ms)
        figures += [
            Figure(name=f"talefold, {label}", unit="ms", samples=each.ours_ms),
            Figure(name=f"numpy, {label}", unit="ms", samples=each.numpy_ms),
        ]
        bars.append(
            Bar(
                name=f"times as fast as numpy, {label}",
                value=median(faster),
                relation=">=",
                limit=SPEED_BAR,
            )
        )
        notes.append(
            f"{label}: {each.same} of {each.queries} queries found the same neighbours"
        )
    sizes = [each.records for each in measured]
    curves = [
        Curve(name=name, x=sizes, y=[median(ms) or 0.0 for ms in times])
        for name, times in (
            ("talefold", [each.ours_ms for each in measured]),
            ("numpy", [each.numpy_ms for each in measured]),
        )
    ]
    return Report(
        benchmark="retrieval",
        settings=settings,
        figures=figures,
        bars=bars,
        charts=[
            Chart(x_label="records", y_label="ms a search", curves=curves, log_y=True)
        ],
        notes=notes,
    )
