"""`overhead`: what a turn costs beside inference, and whether that grows."""

from __future__ import annotations

import time
from collections.abc import Sequence

from talefold.bench.langgraph_peer import missing_packages, run_peer
from talefold.bench.report import Bar, Chart, Curve, Figure, Report, median
from talefold.bench.scripted import (
    CONTEXT_SIZE,
    MESSAGE_WORDS,
    load_scripts,
    scripted_agent,
)
from talefold.bench.texts import numbered_words
from talefold.engine import Engine
from talefold.graph import SummarizeParams

__all__ = ["early_and_late", "overhead_report", "run_overhead"]

TURN_BAR_MS = 0.2
GROWTH_BAR = 1.1
PEER_BAR = 50.0  # times faster
_PEER_TURN = 400
_PEER_WINDOW = 20  # turns up to that one


def run_overhead(*, repetitions: int, turns: int, peer: bool) -> Report:
    """Times every turn of long conversations with a scripted model, through Python.

    Messages and replies have 40 words. A reply node that streams, followed by a fold
    node, in one series; the reply node alone, so that prompts are trimmed without
    folds, in the other. The same through C++ is talefold_bench_overhead, which is built
    from source.
    """
    series = {
        name: [_run_turns(turns, with_folds) for _ in range(repetitions)]
        for name, with_folds in (("folds", True), ("trims only", False))
    }
    missing = missing_packages() if peer else []
    peer_ms = _run_peer(min(turns, _PEER_TURN)) if peer and not missing else None
    return overhead_report(
        settings={"repetitions": repetitions, "turns": turns, "peer": peer},
        series=series,
        peer_ms=peer_ms,
        missing=missing,
    )


def _run_turns(turns: int, with_folds: bool) -> list[float]:
    """Milliseconds of each turn."""
    taken = []
    with Engine() as engine:
        load_scripts(engine)
        agent = scripted_agent(engine, with_folds=with_folds)
        for turn in range(turns):
            message = numbered_words(MESSAGE_WORDS, turn)
            start = time.perf_counter()
            agent.send(message)
            taken.append((time.perf_counter() - start) * 1000)
    return taken


def _run_peer(turns: int) -> list[float]:
    """Milliseconds of each turn of the same dialog, with our fold sizes."""
    fold = SummarizeParams()
    return run_peer(
        (numbered_words(MESSAGE_WORDS, turn) for turn in range(turns)),
        reply=numbered_words(MESSAGE_WORDS, 11),
        context_size=CONTEXT_SIZE,
        trigger_tokens=fold.trigger_tokens,
        max_summary_tokens=fold.max_summary_tokens,
    )


def early_and_late(taken: Sequence[float]) -> tuple[float, float]:
    """Medians of turns 100 to 1,100 and of the last 1,000.

    Of a shorter run, of as large shares of its turns.
    """
    tenth = max(1, min(1000, len(taken) // 10))
    begin = tenth // 10
    early = median(taken[begin : begin + tenth])
    late = median(taken[-tenth:])
    assert early is not None
    assert late is not None
    return early, late


def overhead_report(
    *,
    settings: dict[str, object],
    series: dict[str, list[list[float]]],
    peer_ms: Sequence[float] | None,
    missing: Sequence[str],
) -> Report:
    """From milliseconds of each turn: of each repetition of each series."""
    figures: list[Figure] = []
    bars: list[Bar] = []
    for name, runs in series.items():
        middles = [median(run) or 0.0 for run in runs]
        growth = [late / early for early, late in map(early_and_late, runs)]
        figures.append(Figure(name=f"turn, {name}", unit="ms", samples=middles))
        figures.append(
            Figure(name=f"late / early turns, {name}", unit="x", samples=growth)
        )
        bars.append(_at_most(f"turn, {name}", middles, TURN_BAR_MS, "ms"))
        bars.append(_at_most(f"late / early turns, {name}", growth, GROWTH_BAR, "x"))
    curves = [_curve(name, runs[0]) for name, runs in series.items()]
    faster = None
    if peer_ms is not None:
        window = slice(max(0, len(peer_ms) - _PEER_WINDOW), len(peer_ms))
        peer = list(peer_ms[window])
        ours = [median(run[window]) or 0.0 for run in series["folds"]]
        label = f"turns up to {len(peer_ms)}"
        figures.append(Figure(name=f"LangGraph, {label}", unit="ms", samples=peer))
        figures.append(Figure(name=f"talefold, {label}", unit="ms", samples=ours))
        faster = (median(peer) or 0.0) / (median(ours) or 1.0)
        curves.append(_curve("LangGraph + LangMem", peer_ms))
    bars.append(
        Bar(
            name="times faster than LangGraph + LangMem",
            value=faster,
            relation=">=",
            limit=PEER_BAR,
        )
    )
    notes = [
        "through Python; talefold_bench_overhead, built from source, has no Python"
    ]
    if missing:
        notes.append(
            f"LangGraph + LangMem: missing {', '.join(missing)}; "
            'pip install "langgraph>=1" "langmem>=0.0.30"'
        )
    return Report(
        benchmark="overhead",
        settings=settings,
        figures=figures,
        bars=bars,
        charts=[Chart(x_label="turn", y_label="ms a turn", curves=curves)],
        notes=notes,
    )


def _at_most(name: str, samples: Sequence[float], limit: float, unit: str) -> Bar:
    return Bar(name=name, value=median(samples), relation="<=", limit=limit, unit=unit)


def _curve(name: str, taken: Sequence[float]) -> Curve:
    """At most a hundred points, each the median of the turns before it."""
    step = max(1, len(taken) // 100)
    ends = range(step, len(taken) + 1, step)
    return Curve(
        name=name,
        x=list(ends),
        y=[median(taken[end - step : end]) or 0.0 for end in ends],
    )
