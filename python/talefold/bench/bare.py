"""llama.cpp alone: the loop an engine is measured against.

The same library, through llama-cpp-python's ctypes functions. What Python adds to a
step, about 0.02 ms and 0.01 ms a sequence, counts as time of the loop.
"""

from __future__ import annotations

import ctypes
import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

import llama_cpp

__all__ = ["BareLoop", "BareRun"]

_BATCH = 512  # tokens; the engine's default
_CHUNK = 64  # tokens of one prefill call, as in the engine: the cells are then the same

# The module prints what llama.cpp logs to stderr, but for lines below this level.
logging.getLogger("llama-cpp-python").setLevel(logging.CRITICAL)


@dataclass(frozen=True, kw_only=True)
class BareRun:
    """A generation of several sequences together.

    Attributes:
        seconds: From the first tokens of all sequences to the last ones.
        steps: Calls of llama_decode in that time, one token of each sequence in each.
        texts: What each sequence says, `steps` + 1 tokens.
    """

    seconds: float
    steps: int
    texts: list[str]

    @property
    def rate(self) -> float:
        """Tokens a second, of all sequences together."""
        return self.steps * len(self.texts) / self.seconds


class BareLoop:
    """A model and a context with `n_slots` sequences, each with cells of its own.

    A context manager. One thread.
    """

    def __init__(
        self, path: Path, *, slot_size: int, n_slots: int, threads: int
    ) -> None:
        """Loads the model; weights that are loaded already are shared by the system.

        Args:
            path: The GGUF file.
            slot_size: Tokens of one sequence.
            n_slots: Sequences.
            threads: That compute.
        """
        params = llama_cpp.llama_model_default_params()
        params.n_gpu_layers = 0
        self._model = llama_cpp.llama_model_load_from_file(str(path).encode(), params)
        self._context = llama_cpp.llama_init_from_model(
            self._model, _context_params(slot_size, n_slots, threads)
        )
        if not self._context:
            raise RuntimeError("llama.cpp made no context")
        self._memory = llama_cpp.llama_get_memory(self._context)
        self._vocab = llama_cpp.llama_model_get_vocab(self._model)
        self._batch = llama_cpp.llama_batch_init(_BATCH, 0, 1)
        self._sampler = llama_cpp.llama_sampler_init_greedy()

    def __enter__(self) -> BareLoop:
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        llama_cpp.llama_sampler_free(self._sampler)
        llama_cpp.llama_batch_free(self._batch)
        llama_cpp.llama_free(self._context)
        llama_cpp.llama_model_free(self._model)

    @property
    def weight_bytes(self) -> int:
        """Of all tensors: what generating a token reads at least."""
        return int(llama_cpp.llama_model_size(self._model))

    def run(self, prompts: Sequence[Sequence[int]], count: int) -> BareRun:
        """Generates `count` tokens after each prompt, also after an end of reply."""
        llama_cpp.llama_memory_clear(self._memory, True)
        generated = [[self._prefill(i, prompt)] for i, prompt in enumerate(prompts)]
        start = time.perf_counter()
        for step in range(count - 1):
            self._decode(
                [
                    (tokens[-1], len(prompt) + step, sequence, True)
                    for sequence, (prompt, tokens) in enumerate(
                        zip(prompts, generated, strict=True)
                    )
                ]
            )
            for i, tokens in enumerate(generated):
                tokens.append(self._sample(i))
        seconds = time.perf_counter() - start
        texts = [self._text(tokens) for tokens in generated]
        return BareRun(seconds=seconds, steps=count - 1, texts=texts)

    def _prefill(self, sequence: int, prompt: Sequence[int]) -> int:
        """Returns the token after the prompt."""
        for begin in range(0, len(prompt), _CHUNK):
            chunk = prompt[begin : begin + _CHUNK]
            end = begin + len(chunk)
            self._decode(
                [
                    (token, position, sequence, position + 1 == len(prompt))
                    for token, position in zip(chunk, range(begin, end), strict=True)
                ]
            )
        return self._sample(-1)

    def _decode(self, rows: list[tuple[int, int, int, bool]]) -> None:
        """Rows: token, position, sequence, whether its logits are wanted."""
        batch = self._batch
        batch.n_tokens = len(rows)
        for i, (token, position, sequence, wants_logits) in enumerate(rows):
            batch.token[i] = token
            batch.pos[i] = position
            batch.n_seq_id[i] = 1
            batch.seq_id[i][0] = sequence
            batch.logits[i] = wants_logits
        status = llama_cpp.llama_decode(self._context, batch)
        if status != 0:
            raise RuntimeError(f"llama_decode returned {status}")

    def _sample(self, row: int) -> int:
        return int(llama_cpp.llama_sampler_sample(self._sampler, self._context, row))

    def _text(self, tokens: Sequence[int]) -> str:
        pieces = b"".join(self._piece(token) for token in tokens)
        return pieces.decode(errors="replace")

    def _piece(self, token: int) -> bytes:
        buffer = (ctypes.c_char * 512)()
        size = llama_cpp.llama_token_to_piece(
            self._vocab, token, buffer, len(buffer), 0, False
        )
        return buffer.raw[:size]


def _context_params(slot_size: int, n_slots: int, threads: int) -> Any:
    params = llama_cpp.llama_context_default_params()
    params.n_ctx = slot_size * n_slots
    params.n_batch = params.n_ubatch = _BATCH
    params.n_seq_max = n_slots
    params.kv_unified = False
    params.n_threads = params.n_threads_batch = threads
    params.swa_full = False
    params.no_perf = True
    return params
