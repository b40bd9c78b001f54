"""`reuse`: what a long conversation computes, against what is new in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from talefold.bench.conversation import (
    IDLE,
    NO_THINK_TIME,
    ConversationRun,
    ConversationTurn,
    conversation_charts,
)
from talefold.bench.report import Bar, Figure, Report

__all__ = ["PREFILL_BAR", "reuse_report"]

PREFILL_BAR = 1.05  # tokens prefilled while the player waits / new tokens


def reuse_report(
    *, settings: Mapping[str, object], runs: Mapping[str, ConversationRun]
) -> Report:
    """From a run of each mode. The first turn, which warms up, counts for no figure."""
    counted = {mode: run.turns[1:] for mode, run in runs.items()}
    idle, no_think_time = counted[IDLE], counted[NO_THINK_TIME]
    return Report(
        benchmark="reuse",
        settings=settings,
        figures=[
            _of_turns("new", idle, lambda turn: turn.new_tokens),
            *(figure for mode in runs for figure in _figures(mode, runs[mode])),
            *_idle_time(idle),
        ],
        bars=[
            Bar(
                name=f"prefilled while the player waits / new tokens, {IDLE}",
                value=_sum(idle, "decoded_tokens") / _sum(idle, "new_tokens"),
                relation="<=",
                limit=PREFILL_BAR,
            ),
            Bar(
                name=f"turns that were trimmed without a fold, {NO_THINK_TIME}",
                value=sum(turn.trimmed for turn in no_think_time),
                relation="<=",
                limit=0,
                unit="turns",
            ),
        ],
        charts=conversation_charts(runs),
    )


def _figures(mode: str, run: ConversationRun) -> list[Figure]:
    turns, stats = run.turns[1:], run.stats
    counts = {
        "folds": stats.committed_folds,
        "folds overdue": stats.overdue_folds,
        "folds failed": stats.failed_folds,
        "turns trimmed without a fold": sum(turn.trimmed for turn in turns),
    }
    return [
        _of_turns(f"prompt, {mode}", turns, lambda turn: turn.prompt_tokens),
        _of_turns(
            f"prefilled while the player waits, {mode}",
            turns,
            lambda turn: turn.decoded_tokens,
        ),
        _of_turns(
            f"prefilled in the background, {mode}",
            turns,
            lambda turn: turn.background_tokens,
        ),
        Figure(
            name=f"all prefilled / new tokens, {mode}",
            unit="x",
            samples=[_sum(turns, "prefilled_tokens") / _sum(turns, "new_tokens")],
        ),
        *(
            Figure(name=f"{name}, {mode}", unit="", samples=[count])
            for name, count in counts.items()
        ),
    ]


def _idle_time(turns: Sequence[ConversationTurn]) -> list[Figure]:
    """Of the pauses: a fold is in the one before the turn whose prompt shows it."""
    pauses: dict[bool, list[float]] = {False: [], True: []}
    for turn, following in pairwise(turns):
        pauses[following.after_fold].append(turn.pause_s)
    return [
        Figure(name="idle time needed, no fold", unit="s", samples=pauses[False]),
        Figure(name="idle time needed, with a fold", unit="s", samples=pauses[True]),
    ]


def _of_turns(
    name: str,
    turns: Sequence[ConversationTurn],
    value: Callable[[ConversationTurn], float],
) -> Figure:
    return Figure(name=name, unit="tokens", samples=[value(turn) for turn in turns])


def _sum(turns: Sequence[ConversationTurn], attribute: str) -> int:
    return sum(getattr(turn, attribute) for turn in turns)
