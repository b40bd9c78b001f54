"""LoRA adapters for the tiny models, and models with an adapter worked in."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import gguf
import numpy as np

ALPHA = 8.0
RANK = 4

Pair = tuple[np.ndarray, np.ndarray]  # A: rank x inputs, B: outputs x rank


def random_pairs(
    names: Mapping[str, tuple[int, int]], seed: int, *, rank: int = RANK
) -> dict[str, Pair]:
    """Low-rank changes of weights as large as the weights. `names`: outputs, inputs."""
    random = np.random.default_rng(seed)
    pairs = {}
    for name, (n_out, n_in) in names.items():
        a = random.standard_normal((rank, n_in)) / np.sqrt(n_in)
        b = random.standard_normal((n_out, rank)) / np.sqrt(rank)
        pairs[name] = (a.astype(np.float32), b.astype(np.float32))
    return pairs


def write_adapter(
    path: Path,
    pairs: Mapping[str, Pair],
    *,
    architecture: str = "llama",
    general_type: str = "adapter",
    adapter_type: str = "lora",
) -> Path:
    writer = gguf.GGUFWriter(path, architecture)
    writer.add_type(general_type)
    writer.add_string("adapter.type", adapter_type)
    writer.add_float32("adapter.lora.alpha", ALPHA)
    for name, (a, b) in pairs.items():
        writer.add_tensor(f"{name}.lora_a", a)
        writer.add_tensor(f"{name}.lora_b", b)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def write_merged(
    path: Path, model: Path, pairs: Mapping[str, Pair], scale: float
) -> Path:
    """A copy of `model` with scale * alpha / rank * B A added to its F32 weights."""
    data = bytearray(model.read_bytes())
    tensors = {tensor.name: tensor for tensor in gguf.GGUFReader(model).tensors}
    for name, (a, b) in pairs.items():
        tensor = tensors[name]
        change = scale * ALPHA / a.shape[0] * (b @ a)
        begin = int(tensor.data_offset)
        merged = np.asarray(tensor.data, np.float32) + change
        data[begin : begin + int(tensor.n_bytes)] = merged.astype(np.float32).tobytes()
    path.write_bytes(data)
    return path
