"""llama-cpp-python's chat API as a peer."""

from __future__ import annotations

from typing import Any

import llama_cpp

from talefold.bench.peer import FittingDialog, Job, PeerTurn, StreamClock, take_turns
from talefold.bench.script import REPLY_TOKENS

__all__ = ["run_llama_cpp"]


def run_llama_cpp(job: Job) -> list[PeerTurn]:
    """`create_chat_completion`, which keeps the KV cells of a common beginning."""
    llama: Any = llama_cpp.Llama(
        str(job.script.path),
        n_ctx=job.context_size,
        n_threads=job.threads,
        n_threads_batch=job.threads,
        no_perf=False,  # counts what is computed
        verbose=False,
    )
    dialog = FittingDialog(job)

    def turn(number: int) -> PeerTurn:
        messages = dialog.messages(number)
        llama_cpp.llama_perf_context_reset(llama.ctx)
        clock = StreamClock()
        for chunk in llama.create_chat_completion(
            messages,
            stream=True,
            max_tokens=REPLY_TOKENS,
            temperature=0.0,
            repeat_penalty=1.0,
        ):
            clock.add(chunk["choices"][0]["delta"].get("content") or "")
        done = clock.stop(llama_cpp.llama_perf_context(llama.ctx).n_p_eval)
        dialog.add(number, done.reply)
        return done

    return take_turns(job, turn)
