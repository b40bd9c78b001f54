"""xllamacpp as a peer: the engine of llama-server, in this process."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from talefold.bench.peer import FittingDialog, Job, PeerTurn, StreamClock, take_turns
from talefold.bench.script import REPLY_TOKENS

__all__ = ["run_xllamacpp"]

_CACHE_REUSE = 16  # tokens of the shortest piece that is shifted instead of computed


def run_xllamacpp(job: Job) -> list[PeerTurn]:
    """Chat completions; what moved in the prompt is shifted in the KV cache."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(job.script.path)
    params.n_ctx = job.context_size
    params.n_parallel = 1
    params.n_cache_reuse = _CACHE_REUSE
    params.cpuparams.n_threads = job.threads
    params.cpuparams_batch.n_threads = job.threads
    params.verbosity = 1  # errors alone
    server = xllamacpp.Server(params)
    dialog = FittingDialog(job)

    def turn(number: int) -> PeerTurn:
        request = {
            "messages": dialog.messages(number),
            "max_tokens": REPLY_TOKENS,
            "temperature": 0.0,
            "stream": True,
        }
        chunks: list[Mapping[str, Any]] = []
        clock = StreamClock()

        def take(chunk: Mapping[str, Any]) -> None:
            chunks.append(chunk)
            for choice in chunk.get("choices", ()):
                clock.add(choice["delta"].get("content") or "")

        server.handle_chat_completions(request, take)
        if "timings" not in chunks[-1]:
            raise RuntimeError(f"xllamacpp did not finish its reply: {chunks[-1]}")
        done = clock.stop(chunks[-1]["timings"]["prompt_n"])
        dialog.add(number, done.reply)
        return done

    return take_turns(job, turn)
