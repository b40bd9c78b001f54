"""Tiny GGUF models with random weights, to run llama.cpp for real in tests.

Needs `gguf` and numpy. A file is smaller than 1 MB, takes milliseconds to write and has
the same bytes every time. The text such a model says is noise; everything else about it
is what llama.cpp sees in a real model. The kinds:

- "bpe": the llama architecture, byte-level BPE, the chatml template.
- "spm": the same with a SentencePiece vocabulary, which puts BOS and a space in front,
  and the llama2 template, whose "[INST] " is plain text and joins the words beside it.
- "user_defined": the phi3 template, whose markers are typed USER_DEFINED, so that
  llama_tokenize makes tokens of them even in text that it is told to treat as data.
  All but "<|end|>": llama.cpp adds CONTROL to whatever it knows as an end of reply.
- "sliding": gemma3, where every other layer sees `WINDOW` tokens only.
- "recurrent": mamba, with a state in place of KV cells.
- "hybrid": jamba, where a mamba layer and an attention layer alternate.
- "no_template": "bpe" without a chat template.

No kind that was tried turned out impossible; rwkv was not needed beside mamba. The
names of models matter: with "phi3" in it, llama.cpp would strip the space after each
special token.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import gguf
import numpy as np

WINDOW = 32  # tokens that a sliding layer of "sliding" sees

SEED = 20240229
N_EMBD = 64
N_HEAD = 2  # heads of 32, so that KV cells can be quantized (blocks of 32), too
N_FF = 128
RMS_EPS = 1e-5

# Random logits of this spread: likely and unlikely tokens are told apart clearly.
LOGIT_SPREAD = 3.0

CHATML_TEMPLATE = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n"
    "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
LLAMA2_TEMPLATE = (
    "{% for m in messages %}{% if m.role == 'assistant' %}{{ m.content }}</s>{% else %}"
    "{% if loop.first or loop.previtem.role == 'assistant' %}[INST] {% endif %}"
    "{{ m.content }}{% if m.role == 'user' %} [/INST]{% else %}\n{% endif %}"
    "{% endif %}{% endfor %}"
)
PHI3_TEMPLATE = (
    "{% for m in messages %}<|{{ m.role }}|>\n{{ m.content }}<|end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>\n{% endif %}"
)

# Of "user_defined": markers of roles, and what is not part of the template.
ROLE_MARKERS = ("<|system|>", "<|user|>", "<|assistant|>")
TOOL_MARKERS = ("<tool_call>", "</tool_call>")
SPACES = "    "  # harmless

# What both kinds of vocabulary join, the first first; "_" is a space.
_MERGES = """
_+t h+e i+n _t+he e+r o+n a+n r+e _+a _+w o+r e+n _+s a+t e+s i+s i+t o+u _+b _+h in+g
e+d a+l _+i _+o _+f an+d _+and _+m t+o _t+o l+l _o+f o+f _+in _+y _y+ou s+t _+he _he+ll
_hell+o o+w _+c _+d _+l _+p _+n _+is _+it _w+as a+s f+or _f+or t+h _t+h _th+at v+e _w+e
_+[ I+N S+T IN+ST INST+]
""".split()

NORMAL, UNKNOWN, CONTROL, USER_DEFINED, BYTE = (
    gguf.TokenType.NORMAL,
    gguf.TokenType.UNKNOWN,
    gguf.TokenType.CONTROL,
    gguf.TokenType.USER_DEFINED,
    gguf.TokenType.BYTE,
)


def write_tiny_model(path: Path, kind: str) -> Path:
    """Writes a model file.

    Args:
        path: Of the file; its folder exists.
        kind: One of `KINDS`.

    Returns:
        The path.

    Raises:
        KeyError: There is no such kind.
    """
    recipe = _RECIPES[kind]
    writer = gguf.GGUFWriter(path, recipe.architecture)
    try:
        writer.add_name(f"tiny {kind}")
        vocabulary = recipe.make_vocabulary()
        vocabulary.describe(writer)
        if recipe.template is not None:
            writer.add_chat_template(recipe.template)
        recipe.add_network(writer, _Weights(writer), len(vocabulary.tokens))
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
    finally:
        writer.close()
    return path


@dataclass(frozen=True)
class _Vocabulary:
    """What the tokenizer keys of a file say.

    Attributes:
        model: llama.cpp's name of the tokenizer.
        tokens: Text -> type, in the order of their ids.
        bos: The text of the token.
        eos: The text of the token.
        add_bos: Whether a prompt starts with BOS.
        merges: Pairs that BPE joins, the first first.
        scores: Of SentencePiece: text -> how early a token is joined; 0 if not given.
    """

    model: str
    tokens: Mapping[str, gguf.TokenType]
    bos: str
    eos: str
    add_bos: bool
    merges: tuple[str, ...] = ()
    scores: Mapping[str, float] | None = None

    def describe(self, writer: gguf.GGUFWriter) -> None:
        """Adds the keys."""
        ids = {text: token for token, text in enumerate(self.tokens)}
        writer.add_tokenizer_model(self.model)
        writer.add_token_list(list(self.tokens))
        writer.add_token_types(list(self.tokens.values()))
        if self.merges:
            writer.add_tokenizer_pre("gpt-2")
            writer.add_token_merges(self.merges)
        if self.scores is not None:
            writer.add_token_scores([self.scores.get(t, 0.0) for t in self.tokens])
        writer.add_bos_token_id(ids[self.bos])
        writer.add_eos_token_id(ids[self.eos])
        writer.add_add_bos_token(self.add_bos)


def _byte_symbols() -> list[str]:
    """What stands for each byte in a GPT-2 vocabulary.

    Returns:
        By byte: the byte's own Latin-1 character if it is visible, else the next of the
        characters from U+0100.
    """
    visible = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    others = iter(range(0x100, 0x200))
    return [chr(byte if byte in visible else next(others)) for byte in range(0x100)]


def _byte_pair_vocabulary(
    special: Mapping[str, gguf.TokenType], eos: str
) -> _Vocabulary:
    symbols = _byte_symbols()
    merges = [merge.replace("_", symbols[ord(" ")]) for merge in _MERGES]
    texts = [*symbols, *(merge.replace("+", "") for merge in merges)]
    return _Vocabulary(
        model="gpt2",
        tokens={**dict.fromkeys(texts, NORMAL), "<|endoftext|>": CONTROL, **special},
        bos="<|endoftext|>",
        eos=eos,
        add_bos=False,
        merges=tuple(merge.replace("+", " ") for merge in merges),
    )


def _chatml_vocabulary() -> _Vocabulary:
    special = {"<|im_start|>": CONTROL, "<|im_end|>": CONTROL}
    return _byte_pair_vocabulary(special, eos="<|im_end|>")


def _user_defined_vocabulary() -> _Vocabulary:
    special = dict.fromkeys(
        [*ROLE_MARKERS, "<|end|>", *TOOL_MARKERS, SPACES], USER_DEFINED
    )
    return _byte_pair_vocabulary(special, eos="<|endoftext|>")


def _sentence_piece_vocabulary() -> _Vocabulary:
    special = {"<unk>": UNKNOWN, "<s>": CONTROL, "</s>": CONTROL}
    raw_bytes = dict.fromkeys((f"<0x{byte:02X}>" for byte in range(0x100)), BYTE)
    pieces = [merge.replace("+", "").replace("_", "▁") for merge in _MERGES]
    pieces += ["▁", *map(chr, range(0x21, 0x7F))]
    return _Vocabulary(
        model="llama",
        tokens={**special, **raw_bytes, **dict.fromkeys(pieces, NORMAL)},
        bos="<s>",
        eos="</s>",
        add_bos=True,
        scores={piece: -float(rank) for rank, piece in enumerate(pieces)},
    )


class _Weights:
    """Adds tensors to a file: F32, so that nothing depends on a quantization."""

    def __init__(self, writer: gguf.GGUFWriter) -> None:
        self._writer = writer
        self._random = np.random.default_rng(SEED)

    def add(self, name: str, values: np.ndarray) -> None:
        """Adds given values."""
        self._writer.add_tensor(name, values.astype(np.float32))

    def add_matrix(
        self, name: str, n_out: int, n_in: int, *, spread: float = 1.0
    ) -> None:
        """Adds random weights that turn inputs of size 1 into outputs of size `spread`.

        Args:
            name: Of the tensor, without ".weight".
            n_out: Outputs.
            n_in: Inputs.
            spread: The standard deviation of an output.
        """
        values = self._random.standard_normal((n_out, n_in)) * spread / np.sqrt(n_in)
        self.add(f"{name}.weight", values)

    def add_norm(self, name: str, size: int) -> None:
        """Adds a norm that scales nothing."""
        self.add(f"{name}.weight", np.ones(size))


def _add_frame(
    writer: gguf.GGUFWriter,
    weights: _Weights,
    n_vocab: int,
    *,
    n_layer: int,
    n_ctx: int,
    n_ff: int = N_FF,
) -> None:
    """Adds what all architectures have: sizes and the tensors around the layers."""
    writer.add_context_length(n_ctx)
    writer.add_block_count(n_layer)
    writer.add_embedding_length(N_EMBD)
    writer.add_feed_forward_length(n_ff)
    writer.add_layer_norm_rms_eps(RMS_EPS)
    weights.add_matrix("token_embd", n_vocab, N_EMBD)
    weights.add_norm("output_norm", N_EMBD)
    weights.add_matrix("output", n_vocab, N_EMBD, spread=LOGIT_SPREAD)


def _add_attention(weights: _Weights, layer: str) -> None:
    weights.add_norm(f"{layer}.attn_norm", N_EMBD)
    for part in ("attn_q", "attn_k", "attn_v", "attn_output"):
        weights.add_matrix(f"{layer}.{part}", N_EMBD, N_EMBD)


def _add_feed_forward(weights: _Weights, layer: str) -> None:
    weights.add_norm(f"{layer}.ffn_norm", N_EMBD)
    weights.add_matrix(f"{layer}.ffn_gate", N_FF, N_EMBD)
    weights.add_matrix(f"{layer}.ffn_up", N_FF, N_EMBD)
    weights.add_matrix(f"{layer}.ffn_down", N_EMBD, N_FF)


# State-space layers. llama.cpp takes no other expansion than 2.
SSM_INNER = 2 * N_EMBD
SSM_STATE = 8
SSM_CONV = 4
SSM_RANK = 4


def _describe_state_space(writer: gguf.GGUFWriter) -> None:
    writer.add_ssm_conv_kernel(SSM_CONV)
    writer.add_ssm_inner_size(SSM_INNER)
    writer.add_ssm_state_size(SSM_STATE)
    writer.add_ssm_time_step_rank(SSM_RANK)


def _add_state_space(weights: _Weights, layer: str) -> None:
    weights.add_norm(f"{layer}.attn_norm", N_EMBD)
    weights.add_matrix(f"{layer}.ssm_in", 2 * SSM_INNER, N_EMBD)
    weights.add_matrix(f"{layer}.ssm_conv1d", SSM_INNER, SSM_CONV)
    weights.add(f"{layer}.ssm_conv1d.bias", np.zeros(SSM_INNER))
    weights.add_matrix(f"{layer}.ssm_x", SSM_RANK + 2 * SSM_STATE, SSM_INNER)
    weights.add_matrix(f"{layer}.ssm_dt", SSM_INNER, SSM_RANK)
    # Steps of 0.001 to 0.1, before the softplus: cells remember 10 to 1000 tokens.
    steps = np.geomspace(0.001, 0.1, SSM_INNER)
    weights.add(f"{layer}.ssm_dt.bias", np.log(np.expm1(steps)))
    weights.add(
        f"{layer}.ssm_a", np.tile(-np.arange(1.0, SSM_STATE + 1), (SSM_INNER, 1))
    )
    weights.add(f"{layer}.ssm_d", np.ones(SSM_INNER))
    weights.add_matrix(f"{layer}.ssm_out", N_EMBD, SSM_INNER)


def _add_llama(writer: gguf.GGUFWriter, weights: _Weights, n_vocab: int) -> None:
    _add_frame(writer, weights, n_vocab, n_layer=2, n_ctx=2048)
    writer.add_head_count(N_HEAD)
    for layer in ("blk.0", "blk.1"):
        _add_attention(weights, layer)
        _add_feed_forward(weights, layer)


def _add_gemma3(writer: gguf.GGUFWriter, weights: _Weights, n_vocab: int) -> None:
    n_layer = 4
    _add_frame(writer, weights, n_vocab, n_layer=n_layer, n_ctx=1024)
    writer.add_head_count(N_HEAD)
    writer.add_sliding_window(WINDOW)
    writer.add_sliding_window_pattern(2)  # every second layer sees everything
    for layer in (f"blk.{i}" for i in range(n_layer)):
        _add_attention(weights, layer)
        weights.add_norm(f"{layer}.attn_q_norm", N_EMBD // N_HEAD)
        weights.add_norm(f"{layer}.attn_k_norm", N_EMBD // N_HEAD)
        weights.add_norm(f"{layer}.post_attention_norm", N_EMBD)
        _add_feed_forward(weights, layer)
        weights.add_norm(f"{layer}.post_ffw_norm", N_EMBD)


def _add_mamba(writer: gguf.GGUFWriter, weights: _Weights, n_vocab: int) -> None:
    _add_frame(writer, weights, n_vocab, n_layer=2, n_ctx=2048, n_ff=0)
    writer.add_head_count(0)
    _describe_state_space(writer)
    for layer in ("blk.0", "blk.1"):
        _add_state_space(weights, layer)


def _add_jamba(writer: gguf.GGUFWriter, weights: _Weights, n_vocab: int) -> None:
    _add_frame(writer, weights, n_vocab, n_layer=2, n_ctx=2048)
    writer.add_head_count(N_HEAD)
    writer.add_head_count_kv([0, N_HEAD])  # 0 says: a state-space layer
    _describe_state_space(writer)
    _add_state_space(weights, "blk.0")
    weights.add_norm("blk.0.ssm_dt_norm", SSM_RANK)
    weights.add_norm("blk.0.ssm_b_norm", SSM_STATE)
    weights.add_norm("blk.0.ssm_c_norm", SSM_STATE)
    _add_feed_forward(weights, "blk.0")
    _add_attention(weights, "blk.1")
    _add_feed_forward(weights, "blk.1")


@dataclass(frozen=True)
class _Recipe:
    """What a kind is made of."""

    architecture: str
    add_network: Callable[[gguf.GGUFWriter, _Weights, int], None]
    make_vocabulary: Callable[[], _Vocabulary]
    template: str | None


_RECIPES = {
    "bpe": _Recipe("llama", _add_llama, _chatml_vocabulary, CHATML_TEMPLATE),
    "spm": _Recipe("llama", _add_llama, _sentence_piece_vocabulary, LLAMA2_TEMPLATE),
    "user_defined": _Recipe(
        "llama", _add_llama, _user_defined_vocabulary, PHI3_TEMPLATE
    ),
    "sliding": _Recipe("gemma3", _add_gemma3, _chatml_vocabulary, CHATML_TEMPLATE),
    "recurrent": _Recipe("mamba", _add_mamba, _chatml_vocabulary, CHATML_TEMPLATE),
    "hybrid": _Recipe("jamba", _add_jamba, _chatml_vocabulary, CHATML_TEMPLATE),
    "no_template": _Recipe("llama", _add_llama, _chatml_vocabulary, None),
}

KINDS = tuple(_RECIPES)
