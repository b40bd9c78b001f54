"""llama.cpp used directly, beside the engine, to say what is right."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import llama_cpp
import numpy as np

llama_cpp.llama_backend_init()
# Its module prints what llama.cpp logs until the engine takes the log over.
llama_cpp._logger.set_verbose(False)

CONTROL = llama_cpp.LLAMA_TOKEN_ATTR_CONTROL
USER_DEFINED = llama_cpp.LLAMA_TOKEN_ATTR_USER_DEFINED

Messages = Sequence[tuple[str, str]]  # role, text


@cache
def builtin_templates() -> tuple[str, ...]:
    names = (ctypes.c_char_p * 128)()
    count = llama_cpp.llama_chat_builtin_templates(names, len(names))
    return tuple(name.decode() for name in names[:count])


def apply_template(template: str, messages: Messages) -> str:
    chat = (llama_cpp.llama_chat_message * len(messages))(
        *((role.encode(), text.encode()) for role, text in messages)
    )
    size = 1024 + sum(4 * len(text) + 128 for _, text in messages)
    buffer = ctypes.create_string_buffer(size)
    count = llama_cpp.llama_chat_apply_template(
        template.encode(), chat, len(chat), True, buffer, size
    )
    assert 0 <= count <= size
    return buffer.raw[:count].decode()


class Context:
    """A llama_context with one sequence, made as the engine makes its own."""

    def __init__(self, handle: object, n_vocab: int) -> None:
        self._handle = handle
        self._memory = llama_cpp.llama_get_memory(handle)
        self._n_vocab = n_vocab

    def decode(self, tokens: Sequence[int]) -> np.ndarray:
        """Appends the tokens in one call and returns the next token's logits."""
        array = (llama_cpp.llama_token * len(tokens))(*tokens)
        batch = llama_cpp.llama_batch_get_one(array, len(tokens))
        assert llama_cpp.llama_decode(self._handle, batch) == 0
        logits = llama_cpp.llama_get_logits_ith(self._handle, -1)
        return np.ctypeslib.as_array(logits, (self._n_vocab,)).copy()

    def cut(self, position: int) -> None:
        """Removes what is at `position` and behind it."""
        assert llama_cpp.llama_memory_seq_rm(self._memory, 0, position, -1)


class ReferenceModel:
    """A GGUF file: tokenizer and weights."""

    def __init__(self, path: Path) -> None:
        params = llama_cpp.llama_model_default_params()
        params.n_gpu_layers = 0
        self._handle = llama_cpp.llama_model_load_from_file(str(path).encode(), params)
        assert self._handle
        self._vocab = llama_cpp.llama_model_get_vocab(self._handle)
        self.n_vocab: int = llama_cpp.llama_vocab_n_tokens(self._vocab)
        text = llama_cpp.llama_model_chat_template(self._handle, None)
        self.template: str = "" if text is None else text.decode()

    def close(self) -> None:
        llama_cpp.llama_model_free(self._handle)

    @contextmanager
    def context(self, context_size: int, **options: int) -> Iterator[Context]:
        """`options`: fields of llama_context_params."""
        params = llama_cpp.llama_context_default_params()
        params.n_ctx = context_size
        params.n_batch = params.n_ubatch = 512
        params.n_seq_max = 1
        params.n_threads = os.cpu_count()
        for name, value in options.items():
            setattr(params, name, value)
        params.n_threads_batch = params.n_threads
        params.swa_full = False
        handle = llama_cpp.llama_init_from_model(self._handle, params)
        assert handle
        try:
            yield Context(handle, self.n_vocab)
        finally:
            llama_cpp.llama_free(handle)

    def logits(self, tokens: Sequence[int], chunk: int) -> np.ndarray:
        """The next token's, from an empty cache, decoded `chunk` tokens at a time."""
        with self.context(len(tokens) + 1) as context:
            for begin in range(0, len(tokens), chunk):
                logits = context.decode(tokens[begin : begin + chunk])
            return logits

    def tokenize(self, text: str, *, special: bool = False) -> list[int]:
        """Without BOS. `special`: texts of control tokens become these tokens."""
        data = text.encode()
        array = (llama_cpp.llama_token * (len(data) + 8))()
        count = llama_cpp.llama_tokenize(
            self._vocab, data, len(data), array, len(array), False, special
        )
        assert count >= 0
        return array[:count]

    def joint(self, template: str, messages: Messages) -> list[int]:
        """The rendered template as one text, with BOS where the vocabulary wants it."""
        tokens = self.tokenize(apply_template(template, messages), special=True)
        bos = llama_cpp.llama_vocab_bos(self._vocab)
        if llama_cpp.llama_vocab_get_add_bos(self._vocab) and tokens[:1] != [bos]:
            tokens.insert(0, bos)
        return tokens

    def text(self, tokens: Sequence[int]) -> str:
        """What the tokens say, control tokens included."""
        return b"".join(self._piece(token) for token in tokens).decode(errors="replace")

    def _piece(self, token: int) -> bytes:
        buffer = (ctypes.c_char * 512)()
        size = llama_cpp.llama_token_to_piece(
            self._vocab, token, buffer, len(buffer), 0, True
        )
        return buffer.raw[:size]

    def token_text(self, token: int) -> str:
        """Its entry in the vocabulary."""
        return llama_cpp.llama_vocab_get_text(self._vocab, token).decode()

    def attributes(self, token: int) -> int:
        return llama_cpp.llama_vocab_get_attr(self._vocab, token)
