"""nobodywho as a peer: a chat that drops old turns by itself."""

from __future__ import annotations

from talefold.bench.peer import Job, PeerTurn, StreamClock, take_turns
from talefold.bench.script import REPLY_TOKENS, SYSTEM_PROMPT

__all__ = ["run_nobodywho"]


def run_nobodywho(job: Job) -> list[PeerTurn]:
    """Replies are stopped at their last token: there is no such setting.

    There is none for the number of threads either, and no count of prefilled tokens.
    """
    import nobodywho

    chat = nobodywho.Chat(
        str(job.script.path),
        n_ctx=job.context_size,
        system_prompt=SYSTEM_PROMPT,
        sampler=nobodywho.SamplerPresets.greedy(),
    )

    def turn(number: int) -> PeerTurn:
        clock = StreamClock()
        for count, piece in enumerate(chat.ask(job.script.lines[number]), 1):
            clock.add(piece)
            if count == REPLY_TOKENS:
                chat.stop_generation()
                break
        return clock.stop()

    return take_turns(job, turn)
