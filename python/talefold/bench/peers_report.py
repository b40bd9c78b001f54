"""What the turns of `peers` say."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from talefold.bench.peer import PeerTurn
from talefold.bench.report import Bar, Chart, Figure, Report, median, turn_chart

__all__ = [
    "LLAMA_CPP",
    "NOBODYWHO",
    "TALEFOLD",
    "TALEFOLD_IDLE",
    "XLLAMACPP",
    "PeerRun",
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


@dataclass(frozen=True, kw_only=True)
class PeerRun:
    """A conversation with a peer.

    Attributes:
        turns: All of them; the first one warms up.
        overflow: The first turn, from 1, whose prompt cannot show the whole dialog;
            None if all can.
    """

    turns: Sequence[PeerTurn]
    overflow: int | None

    @property
    def before(self) -> Sequence[PeerTurn]:
        """Turns whose prompts can show the whole dialog, without the first one."""
        end = len(self.turns) if self.overflow is None else self.overflow - 1
        return self.turns[1:end]

    @property
    def after(self) -> Sequence[PeerTurn]:
        """The others."""
        return [] if self.overflow is None else self.turns[self.overflow - 1 :]


def peers_report(
    *,
    settings: Mapping[str, object],
    runs: Mapping[str, PeerRun],
    missing: Mapping[str, str],
    bookkeeping_ms: Sequence[float],
) -> Report:
    """From a run of each peer that is there.

    Args:
        settings: What they were run with.
        runs: By name, TALEFOLD among them.
        missing: Those that are not installed, and what pip is to install.
        bookkeeping_ms: Of each turn of LangGraph + LangMem.
    """
    return Report(
        benchmark="peers",
        settings=settings,
        figures=[
            *(figure for name, run in runs.items() for figure in _figures(name, run)),
            Figure(
                name="LangGraph + LangMem, bookkeeping alone",
                unit="ms",
                samples=bookkeeping_ms[1:],
            ),
        ],
        bars=[
            bar
            for name, limit in FIRST_TOKEN_BARS.items()
            for bar in _bars(name, limit, runs.get(name), runs[TALEFOLD])
        ],
        charts=[
            _chart("s to the first token", runs, lambda turn: turn.first_token_s),
            _chart("tokens prefilled for it", runs, lambda turn: turn.prefilled_tokens),
        ],
        notes=[
            *(_overflow_note(name, run) for name, run in runs.items()),
            *(
                f"{name}: missing; pip install {install}"
                for name, install in missing.items()
            ),
        ],
    )


def _figures(name: str, run: PeerRun) -> list[Figure]:
    figures = []
    for when, turns in (("before", run.before), ("after", run.after)):
        samples: dict[tuple[str, str], Sequence[float]] = {
            ("first token", "s"): [turn.first_token_s for turn in turns],
            ("whole turn", "s"): [turn.turn_s for turn in turns],
            ("prefilled", "tokens"): _prefilled(turns),
            ("prefilled in the background", "tokens"): _in_background(turns),
        }
        figures += [
            Figure(name=f"{name}: {what}, {when}", unit=unit, samples=values)
            for (what, unit), values in samples.items()
            if values or what == "first token"
        ]
    return figures


def _bars(name: str, limit: float, peer: PeerRun | None, ours: PeerRun) -> list[Bar]:
    """The peer's turns from its overflow on, against the same turns of ours."""
    theirs = peer.after if peer is not None else []
    same = ours.turns[len(ours.turns) - len(theirs) :]
    return [
        Bar(
            name=f"first token, {name} / talefold",
            value=_ratio(
                [turn.first_token_s for turn in theirs],
                [turn.first_token_s for turn in same],
            ),
            relation=">=",
            limit=limit,
        ),
        Bar(
            name=f"prefilled for it, {name} / talefold",
            value=_ratio(_prefilled(theirs), _prefilled(same)),
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
    runs: Mapping[str, PeerRun],
    value: Callable[[PeerTurn], float | None],
) -> Chart:
    return turn_chart(
        label,
        {
            name: [None, *(value(turn) for turn in run.turns[1:])]
            for name, run in runs.items()
        },
        log_y=True,
    )


def _overflow_note(name: str, run: PeerRun) -> str:
    if run.overflow is None:
        return f"{name}: the whole dialog fits the context"
    return f"{name}: from turn {run.overflow} on the dialog does not fit the context"
