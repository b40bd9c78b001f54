"""GGUF models with a given vocabulary over a network of one tiny layer.

What such a model says is noise, and a token costs next to nothing: for tests of what
becomes of texts, under vocabularies that the tiny models lack.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import gguf
import numpy as np

CONTEXT_SIZE = 1 << 17
_N_EMBD = 32


def write_vocabulary_model(
    path: Path,
    source: Path,
    *,
    name: str = "vocabulary",
    pre: str | None = None,
    extra: Mapping[str, gguf.TokenType] | None = None,
    add_space_prefix: bool = True,
    change: Callable[[dict[str, Any]], object] | None = None,
) -> Path:
    """Writes a model with the vocabulary of another, without a chat template.

    Args:
        path: Of the file; its folder exists.
        source: A GGUF file with a vocabulary.
        name: Of the model; llama.cpp treats "phi-3" in its own way.
        pre: How BPE splits words, in place of the source's way.
        extra: Tokens to add, or to give another type: text -> type.
        add_space_prefix: Whether SentencePiece puts a space in front of a text.
        change: Called with the tokenizer's keys before they are written.

    Returns:
        The path.
    """
    keys = {
        key: field.contents()
        for key, field in gguf.GGUFReader(source).fields.items()
        if key.startswith("tokenizer.") and key != "tokenizer.chat_template"
    }
    texts = keys["tokenizer.ggml.tokens"]
    for text, token_type in (extra or {}).items():
        if text not in texts:
            texts.append(text)
            keys["tokenizer.ggml.token_type"].append(0)
            if "tokenizer.ggml.scores" in keys:
                keys["tokenizer.ggml.scores"].append(-1000.0)
        keys["tokenizer.ggml.token_type"][texts.index(text)] = int(token_type)
    keys["tokenizer.ggml.add_space_prefix"] = add_space_prefix
    if pre is not None:
        keys["tokenizer.ggml.pre"] = pre
    if change is not None:
        change(keys)
    writer = gguf.GGUFWriter(path, "llama")
    try:
        writer.add_name(name)
        for key, value in keys.items():
            _add_key(writer, key, value)
        _add_network(writer, len(texts))
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
    finally:
        writer.close()
    return path


def _add_key(writer: gguf.GGUFWriter, key: str, value: object) -> None:
    match value:
        case list():
            writer.add_array(key, value)
        case str():
            writer.add_string(key, value)
        case bool():
            writer.add_bool(key, value)
        case int():
            writer.add_uint32(key, value)


def _add_network(writer: gguf.GGUFWriter, n_vocab: int) -> None:
    writer.add_context_length(CONTEXT_SIZE)
    writer.add_block_count(1)
    writer.add_embedding_length(_N_EMBD)
    writer.add_feed_forward_length(_N_EMBD)
    writer.add_head_count(1)
    writer.add_layer_norm_rms_eps(1e-5)
    random = np.random.default_rng(20240229)
    rows = dict.fromkeys(
        [f"blk.0.attn_{part}" for part in ("q", "k", "v", "output")]
        + [f"blk.0.ffn_{part}" for part in ("gate", "up", "down")],
        _N_EMBD,
    )
    for name, n_out in {"token_embd": n_vocab, **rows}.items():
        values = random.standard_normal((n_out, _N_EMBD)) / np.sqrt(_N_EMBD)
        writer.add_tensor(f"{name}.weight", values.astype(np.float32))
    for name in ("output_norm", "blk.0.attn_norm", "blk.0.ffn_norm"):
        writer.add_tensor(f"{name}.weight", np.ones(_N_EMBD, np.float32))
