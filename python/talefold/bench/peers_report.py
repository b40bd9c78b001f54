"""What the turns of `peers` say."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from talefold.bench.peer import PeerTurn
from talefold.bench.report import Bar, Chart, Figure, Report, median, turn_chart

__all__ = [
    "LLAMA_CPP",
    "NOBODYWHO",
    "TALEFOLD",
    "TALEFOLD_IDLE",
    "XLLAMACPP",
    "peers_report",
]

TALEFOLD = "talefold"
TALEFOLD_IDLE = "talefold, idle"
LLAMA_CPP = "llama-cpp-python"
XLLAMACPP = "xllamacpp"
NOBODYWHO = "nobodywho"

# Times as long to the first token as ours, from the peer's first overflow on.
FIRST_TOKEN_BARS = {LLAMA_CPP: 10.0, XLLAMACPP: 1.0, NOBODYWHO: 1.0}
PREFILL_BAR = 1.0  # times as many tokens prefilled while the player waits


def peers_report(
    *,
    settings: Mapping[str, object],
    runs: Mapping[str, Sequence[PeerTurn]],
    overflow: int | None,
    absent: Mapping[str, str],
    bookkeeping_ms: Sequence[float],
) -> Report:
    """From the turns of each peer; the first one, which warms up, is left out.

    Args:
        settings: What they were run with.
        runs: By name, TALEFOLD among them.
        overflow: The first turn, from 1, whose prompt has no room for the whole dialog;
            None when there is always room.
        absent: Peers that did not run, and why.
        bookkeeping_ms: Of each turn of LangGraph + LangMem.
    """
    return Report(
        benchmark="peers",
        settings=settings,
        figures=[
            *(
                figure
                for name, turns in runs.items()
                for figure in _figures(name, turns, overflow)
            ),
            Figure(
                name="LangGraph + LangMem, bookkeeping alone",
                unit="ms",
                samples=bookkeeping_ms[1:],
            ),
        ],
        bars=[
            bar
            for name, limit in FIRST_TOKEN_BARS.items()
            for bar in _bars(
                name,
                limit,
                theirs=_after(runs.get(name, ()), overflow),
                ours=_after(runs[TALEFOLD], overflow),
            )
        ],
        charts=[
            _chart("s to the first token", runs, lambda turn: turn.first_token_s),
            _chart("tokens prefilled for it", runs, lambda turn: turn.prefilled_tokens),
        ],
        notes=[
            "the whole dialog fits the context: nothing to compare"
            if overflow is None
            else f"after = from turn {overflow} on, when the dialog has outgrown the "
            "context",
            *(f"{name}: {reason}" for name, reason in absent.items()),
        ],
    )


def _before(turns: Sequence[PeerTurn], overflow: int | None) -> Sequence[PeerTurn]:
    return turns[1:] if overflow is None else turns[1 : overflow - 1]


def _after(turns: Sequence[PeerTurn], overflow: int | None) -> Sequence[PeerTurn]:
    return () if overflow is None else turns[overflow - 1 :]


def _figures(
    name: str, turns: Sequence[PeerTurn], overflow: int | None
) -> list[Figure]:
    figures = []
    for when, part in (
        ("before", _before(turns, overflow)),
        ("after", _after(turns, overflow)),
    ):
        samples: dict[tuple[str, str], Sequence[float]] = {
            ("first token", "s"): [turn.first_token_s for turn in part],
            ("whole turn", "s"): [turn.turn_s for turn in part],
            ("prefilled", "tokens"): _prefilled(part),
            ("prefilled in the background", "tokens"): _in_background(part),
        }
        figures += [
            Figure(name=f"{name}: {what}, {when}", unit=unit, samples=values)
            for (what, unit), values in samples.items()
            if values
        ]
    return figures


def _bars(
    name: str, limit: float, *, theirs: Sequence[PeerTurn], ours: Sequence[PeerTurn]
) -> list[Bar]:
    return [
        Bar(
            name=f"first token, {name} / talefold",
            value=_ratio(
                [turn.first_token_s for turn in theirs],
                [turn.first_token_s for turn in ours],
            ),
            relation=">=",
            limit=limit,
        ),
        Bar(
            name=f"prefilled for it, {name} / talefold",
            value=_ratio(_prefilled(theirs), _prefilled(ours)),
            relation=">=",
            limit=PREFILL_BAR,
        ),
    ]


def _prefilled(turns: Sequence[PeerTurn]) -> list[int]:
    counts = [turn.prefilled_tokens for turn in turns]
    return [count for count in counts if count is not None]


def _in_background(turns: Sequence[PeerTurn]) -> list[int]:
    """Empty for those that do nothing there."""
    counts = [turn.background_tokens for turn in turns]
    return counts if any(counts) else []


def _ratio(theirs: Sequence[float], ours: Sequence[float]) -> float | None:
    """Of the medians; None without samples."""
    middle = median(theirs), median(ours)
    return middle[0] / middle[1] if middle[0] is not None and middle[1] else None


def _chart(
    label: str,
    runs: Mapping[str, Sequence[PeerTurn]],
    value: Callable[[PeerTurn], float | None],
) -> Chart:
    return turn_chart(
        label,
        {
            name: [None, *(value(turn) for turn in turns[1:])]
            for name, turns in runs.items()
        },
        log_y=True,
    )
