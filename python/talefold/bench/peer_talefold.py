"""Talefold as the others of `peers` are run: in a process of its own."""

from __future__ import annotations

import time

from talefold.agent import Agent
from talefold.bench.conversation import Pause, converse
from talefold.bench.peer import Job, PeerTurn

__all__ = ["run_talefold", "run_talefold_idle"]


def run_talefold(job: Job) -> list[PeerTurn]:
    """With the think time of the others."""
    return _run(job, lambda agent: time.sleep(job.think_s))


def run_talefold_idle(job: Job) -> list[PeerTurn]:
    """With as much time as the background work takes."""
    return _run(job, Agent.wait_background)


def _run(job: Job, pause: Pause) -> list[PeerTurn]:
    run = converse(
        job.script, context_size=job.context_size, threads=job.threads, pause=pause
    )
    return [
        PeerTurn(
            first_token_s=turn.first_token_s,
            turn_s=turn.turn_s,
            prefilled_tokens=turn.decoded_tokens,
            background_tokens=turn.background_tokens,
            reply=turn.reply,
        )
        for turn in run.turns
    ]
