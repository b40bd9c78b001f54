"""Random replies that llama.cpp's grammar sampler lets a vocabulary write."""

from __future__ import annotations

import ctypes
import random
from collections.abc import Sequence
from pathlib import Path

import llama_cpp

from . import reference as reference  # starts llama.cpp

_OFFERED = 300  # tokens at a time: the whole vocabulary would take long


class GrammarWalker:
    """A vocabulary under grammars. Close it at the end."""

    def __init__(self, path: Path) -> None:
        params = llama_cpp.llama_model_default_params()
        params.vocab_only = True
        self._model = llama_cpp.llama_model_load_from_file(str(path).encode(), params)
        assert self._model
        self._vocab = llama_cpp.llama_model_get_vocab(self._model)
        self._buffer = ctypes.create_string_buffer(256)
        count = llama_cpp.llama_vocab_n_tokens(self._vocab)
        self._pieces = [self._piece(token) for token in range(count)]
        # With these, any text can be written.
        self._bytes = [t for t, piece in enumerate(self._pieces) if len(piece) == 1]
        self._ends = [
            t for t in range(count) if llama_cpp.llama_vocab_is_eog(self._vocab, t)
        ]

    def close(self) -> None:
        llama_cpp.llama_model_free(self._model)

    def walk(self, grammar: str, rng: random.Random) -> str:
        """One reply, each token drawn from those the grammar allows of some.

        Raises:
            ValueError: llama.cpp does not take the grammar.
        """
        sampler = llama_cpp.llama_sampler_init_grammar(
            self._vocab, grammar.encode(), b"root"
        )
        if not sampler:
            raise ValueError("llama.cpp does not take the grammar")
        try:
            reply = b""
            while (token := self._draw(sampler, rng)) is not None:
                llama_cpp.llama_sampler_accept(sampler, token)
                reply += self._pieces[token]
            # A reply may end inside a character; the engine leaves the rest out, too.
            return reply.decode(errors="ignore")
        finally:
            llama_cpp.llama_sampler_free(sampler)

    def _draw(self, sampler: object, rng: random.Random) -> int | None:
        """An allowed token; None at the end of the reply."""
        longer = rng.sample(range(len(self._pieces)), _OFFERED)
        allowed = self._allowed(sampler, [*self._bytes, *self._ends, *longer])
        assert allowed, "the grammar allows no token, nor the end"
        if rng.random() < 0.2 and not set(allowed).isdisjoint(self._ends):
            return None
        token = rng.choice(allowed)
        return None if token in self._ends else token

    def _allowed(self, sampler: object, offered: Sequence[int]) -> list[int]:
        data = (llama_cpp.llama_token_data * len(offered))(
            *((token, 0.0, 0.0) for token in offered)
        )
        array = llama_cpp.llama_token_data_array(data, len(offered), -1, False)
        llama_cpp.llama_sampler_apply(sampler, ctypes.byref(array))
        return [entry.id for entry in data if entry.logit == 0.0]

    def _piece(self, token: int) -> bytes:
        """As the engine takes it: nothing for a control token."""
        size = llama_cpp.llama_token_to_piece(
            self._vocab, token, self._buffer, len(self._buffer), 0, False
        )
        return self._buffer.raw[: max(size, 0)]
