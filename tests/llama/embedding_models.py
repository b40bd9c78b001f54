"""A tiny GGUF model of the bert architecture, complete: llama.cpp loads it."""

from __future__ import annotations

from pathlib import Path

import gguf
import numpy as np

_N_EMBD = 32
_N_CTX = 512
_SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
_CONTROL, _NORMAL = int(gguf.TokenType.CONTROL), int(gguf.TokenType.NORMAL)


def write_embedding_model(path: Path, *, hints: bool = True) -> Path:
    """Writes the model; weights are noise.

    Args:
        path: Of the file; its folder exists.
        hints: Whether the metadata says how texts are pooled and attended to.

    Returns:
        The path.
    """
    writer = gguf.GGUFWriter(path, "bert")
    try:
        writer.add_name("tiny bert")
        writer.add_context_length(_N_CTX)
        writer.add_block_count(1)
        writer.add_embedding_length(_N_EMBD)
        writer.add_feed_forward_length(_N_EMBD)
        writer.add_head_count(1)
        writer.add_layer_norm_eps(1e-12)
        if hints:
            writer.add_causal_attention(False)
            writer.add_pooling_type(gguf.PoolingType.MEAN)
        _add_vocabulary(writer)
        _add_network(writer)
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
    finally:
        writer.close()
    return path


def _words() -> list[str]:
    return [*_SPECIAL, *(f"▁{chr(letter)}" for letter in range(ord("a"), ord("z") + 1))]


def _add_vocabulary(writer: gguf.GGUFWriter) -> None:
    words = _words()
    writer.add_tokenizer_model("bert")
    writer.add_token_list(words)
    writer.add_token_types(
        [_CONTROL if word in _SPECIAL else _NORMAL for word in words]
    )
    writer.add_token_type_count(2)
    writer.add_pad_token_id(0)
    writer.add_unk_token_id(1)
    writer.add_bos_token_id(2)
    writer.add_sep_token_id(3)
    writer.add_mask_token_id(4)


def _add_network(writer: gguf.GGUFWriter) -> None:
    random = np.random.default_rng(20240229)

    def add(name: str, *shape: int) -> None:
        values = random.standard_normal(shape) / np.sqrt(_N_EMBD)
        writer.add_tensor(name, values.astype(np.float32))

    add("token_embd.weight", len(_words()), _N_EMBD)
    add("token_types.weight", 2, _N_EMBD)
    add("position_embd.weight", _N_CTX, _N_EMBD)
    matrices = ("attn_q", "attn_k", "attn_v", "attn_output", "ffn_up", "ffn_down")
    for name in (f"blk.0.{matrix}" for matrix in matrices):
        add(f"{name}.weight", _N_EMBD, _N_EMBD)
        add(f"{name}.bias", _N_EMBD)
    for name in (
        "token_embd_norm",
        "blk.0.attn_output_norm",
        "blk.0.layer_output_norm",
    ):
        add(f"{name}.weight", _N_EMBD)
        add(f"{name}.bias", _N_EMBD)
