"""`flat`: whether turn 300 answers as soon as turn 20."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median

from talefold.bench.conversation import (
    IDLE,
    NO_THINK_TIME,
    ConversationRun,
    ConversationTurn,
    conversation_charts,
)
from talefold.bench.report import Bar, Figure, Report

__all__ = ["flat_report", "slowdowns", "windows"]

GROWTH_BAR = 1.15  # late / early turns
FOLD_BAR = 1.3  # worst turn after a fold / usual turn
WORST_BAR = 2.0  # worst turn / median, no think time


def flat_report(
    *, settings: Mapping[str, object], runs: Mapping[str, ConversationRun]
) -> Report:
    """From a run of each mode. The first turn, which warms up, counts for no figure."""
    idle, no_think_time = runs[IDLE].turns, runs[NO_THINK_TIME].turns
    early, late = windows(len(idle))
    after_folds = slowdowns(idle[1:])
    at_once = _first_token(no_think_time[1:])
    return Report(
        benchmark="flat",
        settings=settings,
        figures=[
            *(figure for mode, run in runs.items() for figure in _figures(mode, run)),
            Figure(
                name=f"first token, after a fold / usual turn, {IDLE}",
                unit="x",
                samples=after_folds,
            ),
        ],
        bars=[
            _at_most(
                f"first token, late / early turns, {IDLE}",
                median(_first_token(_within(idle, late)))
                / median(_first_token(_within(idle, early))),
                GROWTH_BAR,
            ),
            _at_most(
                f"first token, worst turn after a fold / usual turn, {IDLE}",
                max(after_folds, default=None),
                FOLD_BAR,
            ),
            _at_most(
                f"first token, worst turn / median, {NO_THINK_TIME}",
                max(at_once) / median(at_once),
                WORST_BAR,
            ),
        ],
        charts=conversation_charts(runs),
    )


def windows(turns: int) -> tuple[range, range]:
    """Turns 20 to 60 and 240 to 300 of 300, counted from 1.

    Of a longer or shorter run, as large shares.
    """
    early = range(max(2, turns // 15), turns // 5 + 1)
    late = range(turns * 4 // 5, turns + 1)
    return early, late


def slowdowns(turns: Sequence[ConversationTurn]) -> list[float]:
    """Of each turn after a fold: how many times as long its first token took as usual.

    Usual is the median of the turns whose lines are as long, to a token: a long line
    takes longer to read, fold or not.
    """
    factors = []
    for turn in turns:
        if turn.after_fold:
            alike = [
                other for other in turns if abs(other.new_tokens - turn.new_tokens) <= 1
            ]
            factors.append(turn.first_token_s / median(_first_token(alike)))
    return factors


def _figures(mode: str, run: ConversationRun) -> list[Figure]:
    counted = run.turns[1:]
    seconds = {
        "first token": _first_token(counted),
        **{
            f"first token, turns {window.start} to {window.stop - 1}": _first_token(
                _within(run.turns, window)
            )
            for window in windows(len(run.turns))
        },
        "first token after a fold": _first_token([t for t in counted if t.after_fold]),
        "whole turn": [turn.turn_s for turn in counted],
        "pause": [turn.pause_s for turn in counted],
    }
    return [
        Figure(name=f"{name}, {mode}", unit="s", samples=samples)
        for name, samples in seconds.items()
    ]


def _within(
    turns: Sequence[ConversationTurn], window: range
) -> Sequence[ConversationTurn]:
    return turns[window.start - 1 : window.stop - 1]


def _first_token(turns: Sequence[ConversationTurn]) -> list[float]:
    return [turn.first_token_s for turn in turns]


def _at_most(name: str, value: float | None, limit: float) -> Bar:
    return Bar(name=name, value=value, relation="<=", limit=limit)
