"""What every peer of `peers` is asked to do, and what it tells of a turn."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from talefold.bench.script import REPLY_TOKENS, SYSTEM_PROMPT, Script

__all__ = ["FittingDialog", "Job", "PeerTurn", "StreamClock", "take_turns"]


@dataclass(frozen=True, kw_only=True)
class Job:
    """A conversation for a peer.

    Attributes:
        script: The model, and what the player says.
        context_size: Tokens.
        threads: That compute, where the peer lets them be set.
        think_s: Seconds between two turns.
    """

    script: Script
    context_size: int
    threads: int
    think_s: float


@dataclass(frozen=True, kw_only=True)
class PeerTurn:
    """A turn of a peer.

    Attributes:
        first_token_s: From the player's line to the first piece of the reply.
        turn_s: From the player's line to the end of the reply.
        prefilled_tokens: Of the prompt, computed while the player waited; None where
            the peer does not tell.
        background_tokens: Of any prompt, computed beside this and until the next turn.
        reply: What the model said.
    """

    first_token_s: float
    turn_s: float
    prefilled_tokens: int | None = None
    background_tokens: int = 0
    reply: str


class StreamClock:
    """Times a reply that comes in pieces."""

    def __init__(self) -> None:
        """Starts the clock."""
        self._start = time.perf_counter()
        self._first: float | None = None
        self._pieces: list[str] = []

    def add(self, piece: str) -> None:
        """Takes the next piece; an empty one is none."""
        if self._first is None and piece:
            self._first = time.perf_counter()
        self._pieces.append(piece)

    def stop(self, prefilled_tokens: int | None = None) -> PeerTurn:
        """The reply is complete."""
        end = time.perf_counter()
        return PeerTurn(
            first_token_s=(self._first or end) - self._start,
            turn_s=end - self._start,
            prefilled_tokens=prefilled_tokens,
            reply="".join(self._pieces),
        )


class FittingDialog:
    """The messages of a chat, without the oldest turns if there is no room for them.

    What a program does that calls a chat API, which refuses what is too long.
    """

    def __init__(self, job: Job) -> None:
        """No turn yet."""
        self._job = job
        self._turns: list[tuple[str, str, int]] = []  # line, reply, tokens of both

    def messages(self, number: int) -> list[dict[str, str]]:
        """For the line of that number, from 0. What was left out stays away."""
        script = self._job.script
        room = self._job.context_size - REPLY_TOKENS
        room -= script.frames.system + script.new_tokens[number]
        while self._turns and sum(tokens for _, _, tokens in self._turns) > room:
            del self._turns[0]
        messages = [_message("system", SYSTEM_PROMPT)]
        for line, reply, _ in self._turns:
            messages += [_message("user", line), _message("assistant", reply)]
        return [*messages, _message("user", script.lines[number])]

    def add(self, number: int, reply: str) -> None:
        """Appends a turn, counted as if its reply were the longest there is."""
        script = self._job.script
        tokens = script.interaction_tokens(number)
        self._turns.append((script.lines[number], reply, tokens))


def take_turns(job: Job, turn: Callable[[int], PeerTurn]) -> list[PeerTurn]:
    """Runs `turn` for the number of each line, with think time between two."""
    turns = []
    for number in range(len(job.script.lines)):
        if number > 0:
            time.sleep(job.think_s)
        turns.append(turn(number))
    return turns


def _message(role: str, content: str) -> dict[str, str]:
    return {"role": role, "content": content}
