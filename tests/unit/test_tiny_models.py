"""The tiny models are what the tests that use them take them for."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from ctypes import c_char
from pathlib import Path

import pytest

pytest.importorskip("llama_cpp", reason="llama-cpp-python runs the models")
pytest.importorskip("gguf", reason="the gguf package writes the models")

import jinja2
import llama_cpp
import numpy as np

import tiny_models
from tiny_models import KINDS, write_tiny_model

TEXT = "The innkeeper was in the cellar, and you heard that he was not alone. "
CHAT = [
    ("system", "You are an innkeeper."),
    ("user", "hello there"),
    ("assistant", "Well met."),
    ("user", "A room, please."),
]
USER_DEFINED = llama_cpp.LLAMA_TOKEN_ATTR_USER_DEFINED
CONTROL = llama_cpp.LLAMA_TOKEN_ATTR_CONTROL


class Context:
    """A llama_context with one sequence."""

    def __init__(self, handle: object, n_vocab: int) -> None:
        self.handle = handle
        self.memory = llama_cpp.llama_get_memory(handle)
        self.n_vocab = n_vocab

    def decode(self, tokens: Sequence[int]) -> np.ndarray:
        """Returns the logits of the token that would follow."""
        array = (llama_cpp.llama_token * len(tokens))(*tokens)
        batch = llama_cpp.llama_batch_get_one(array, len(tokens))
        assert llama_cpp.llama_decode(self.handle, batch) == 0
        logits = llama_cpp.llama_get_logits_ith(self.handle, -1)
        return np.array(logits[: self.n_vocab])

    def say(self, prompt: Sequence[int], count: int) -> list[int]:
        """Returns the likeliest tokens."""
        reply = [int(self.decode(prompt).argmax())]
        while len(reply) < count:
            reply.append(int(self.decode(reply[-1:]).argmax()))
        return reply

    def first_position(self) -> int:
        return llama_cpp.llama_memory_seq_pos_min(self.memory, 0)

    def cut(self, position: int) -> bool:
        return llama_cpp.llama_memory_seq_rm(self.memory, 0, position, -1)


class Model:
    """A llama_model."""

    def __init__(self, path: Path) -> None:
        params = llama_cpp.llama_model_default_params()
        params.n_gpu_layers = 0
        self.handle = llama_cpp.llama_model_load_from_file(str(path).encode(), params)
        assert self.handle
        self.vocab = llama_cpp.llama_model_get_vocab(self.handle)
        self.n_vocab = llama_cpp.llama_vocab_n_tokens(self.vocab)

    @contextmanager
    def context(self) -> Iterator[Context]:
        params = llama_cpp.llama_context_default_params()
        params.n_ctx = 0
        params.n_ubatch = 64
        params.n_threads = params.n_threads_batch = 1
        params.swa_full = False
        handle = llama_cpp.llama_init_from_model(self.handle, params)
        assert handle
        try:
            yield Context(handle, self.n_vocab)
        finally:
            llama_cpp.llama_free(handle)

    def tokenize(
        self, text: str, *, add_special: bool = False, parse_special: bool = False
    ) -> list[int]:
        data = text.encode()
        array = (llama_cpp.llama_token * (len(data) + 2))()
        count = llama_cpp.llama_tokenize(
            self.vocab, data, len(data), array, len(array), add_special, parse_special
        )
        return array[:count]

    def pieces(self, tokens: Sequence[int], *, special: bool = False) -> list[bytes]:
        pieces = []
        for token in tokens:
            buffer = (c_char * 64)()
            size = llama_cpp.llama_token_to_piece(
                self.vocab, token, buffer, len(buffer), 0, special
            )
            pieces.append(buffer[:size])
        return pieces

    def token(self, text: str) -> int:
        """The one token that the text is."""
        [token] = self.tokenize(text, parse_special=True)
        return token

    def attributes(self, text: str) -> int:
        return llama_cpp.llama_vocab_get_attr(self.vocab, self.token(text))

    def template(self) -> str | None:
        text = llama_cpp.llama_model_chat_template(self.handle, None)
        return None if text is None else text.decode()

    def ends_generation(self, text: str) -> bool:
        return llama_cpp.llama_vocab_is_eog(self.vocab, self.token(text))


Load = Callable[[str], Model]


@pytest.fixture(scope="module")
def load(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Load]:
    """Loads a kind, once."""
    folder = tmp_path_factory.mktemp("models")
    models: dict[str, Model] = {}

    def load_once(kind: str) -> Model:
        if kind not in models:
            models[kind] = Model(write_tiny_model(folder / f"{kind}.gguf", kind))
        return models[kind]

    yield load_once
    for model in models.values():
        llama_cpp.llama_model_free(model.handle)


@pytest.fixture(params=KINDS)
def model(request: pytest.FixtureRequest, load: Load) -> Model:
    """Of each kind."""
    return load(request.param)


def render(template: str) -> str:
    """CHAT, by llama.cpp."""
    messages = (llama_cpp.llama_chat_message * len(CHAT))(
        *((role.encode(), content.encode()) for role, content in CHAT)
    )
    buffer = (c_char * 4096)()
    size = llama_cpp.llama_chat_apply_template(
        template.encode(), messages, len(CHAT), True, buffer, len(buffer)
    )
    assert size > 0
    return buffer[:size].decode()


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_is_small_and_always_the_same(kind: str, tmp_path: Path) -> None:
    first = write_tiny_model(tmp_path / "first.gguf", kind)
    started = time.process_time()
    second = write_tiny_model(tmp_path / "second.gguf", kind)

    assert time.process_time() - started < 1
    assert second.stat().st_size < 1_000_000
    assert first.read_bytes() == second.read_bytes()


def test_other_kinds_do_not_exist(tmp_path: Path) -> None:
    with pytest.raises(KeyError, match="huge"):
        write_tiny_model(tmp_path / "model.gguf", "huge")


@pytest.mark.parametrize("text", [TEXT, "Grüße, Jürgen!\n\n  ☕ [INST] {x} 12:30"])
def test_text_survives_tokenization(model: Model, text: str) -> None:
    tokens = model.tokenize(text)

    assert len(tokens) < len(text.encode())
    assert b"".join(model.pieces(tokens)).decode().removeprefix(" ") == text


def test_logits_depend_on_token_and_position(model: Model) -> None:
    tokens = (model.tokenize(TEXT) * 10)[:99]
    with model.context() as context:
        first = context.decode(tokens[:1])
        other = context.decode(tokens[1:])
        again = context.decode(tokens[:1])

    for logits in (first, other, again):
        assert np.isfinite(logits).all()
        assert 1 < logits.std() < 10
    assert np.abs(first - other).max() > 1
    assert np.abs(first - again).max() > 0.1


def test_tokens_long_ago_still_matter(model: Model) -> None:
    """The cache of another conversation is noticed."""
    tokens = (model.tokenize(TEXT) * 10)[:150]
    logits = []
    for opening in ("Well met.", "Begone!"):
        with model.context() as context:
            context.decode(model.tokenize(opening))
            logits.append(context.decode(tokens))

    assert np.abs(logits[0] - logits[1]).max() > 1e-3


def test_the_likeliest_tokens_are_the_same_again(model: Model) -> None:
    replies = []
    for _ in range(2):
        with model.context() as context:
            replies.append(context.say(model.tokenize(TEXT), 20))

    assert replies[0] == replies[1]
    assert len(set(replies[0])) > 5


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "no_template"])
def test_llama_cpp_knows_the_template(load: Load, kind: str) -> None:
    template = load(kind).template()
    assert template is not None
    messages = [{"role": role, "content": content} for role, content in CHAT]
    by_jinja = jinja2.Template(template, keep_trailing_newline=True).render(
        messages=messages, add_generation_prompt=True
    )

    assert render(template) == by_jinja


def test_no_template(load: Load) -> None:
    assert load("no_template").template() is None


def test_bpe(load: Load) -> None:
    model = load("bpe")

    assert model.tokenize("hello", add_special=True) == model.tokenize("hello")
    assert model.pieces(model.tokenize("In the hall")) == [
        b"I", b"n", b" the", b" h", b"al", b"l",
    ]  # fmt: skip
    for marker in ("<|im_start|>", "<|im_end|>", "<|endoftext|>"):
        assert model.attributes(marker) == CONTROL
        assert len(model.tokenize(marker)) > 1
        assert model.pieces([model.token(marker)]) == [b""]
        assert model.pieces([model.token(marker)], special=True) == [marker.encode()]
    assert not model.ends_generation("<|im_start|>")
    assert model.ends_generation("<|im_end|>")
    assert model.ends_generation("<|endoftext|>")


def test_spm(load: Load) -> None:
    model = load("spm")

    bos = llama_cpp.llama_vocab_bos(model.vocab)
    assert llama_cpp.llama_vocab_get_add_bos(model.vocab)
    assert model.tokenize("hello", add_special=True) == [bos, *model.tokenize("hello")]
    assert model.pieces(model.tokenize("hello")) == [b" hello"]
    assert model.pieces(model.tokenize("é")) == [b" ", b"\xc3", b"\xa9"]
    assert model.token("</s>") == llama_cpp.llama_vocab_eos(model.vocab)
    assert model.ends_generation("</s>")


def test_glue_and_contents_of_spm_join(load: Load) -> None:
    model = load("spm")

    joined = model.tokenize("[INST] hello")
    apart = model.tokenize("[INST] ") + model.tokenize("hello")
    assert model.pieces(joined) == [b" [", b"INST]", b" hello"]
    assert len(apart) == len(joined) + 1


def test_user_defined(load: Load) -> None:
    model = load("user_defined")

    harmless = (*tiny_models.TOOL_MARKERS, tiny_models.SPACES)
    for marker in (*tiny_models.ROLE_MARKERS, *harmless):
        assert model.attributes(marker) == USER_DEFINED
        assert model.tokenize(f"a{marker}b") == [
            *model.tokenize("a"), model.token(marker), *model.tokenize("b"),
        ]  # fmt: skip
        assert model.pieces([model.token(marker)]) == [marker.encode()]
        assert not model.ends_generation(marker)
    prompt = render(tiny_models.PHI3_TEMPLATE)
    assert all(marker in prompt for marker in tiny_models.ROLE_MARKERS)
    assert not any(marker in prompt for marker in harmless)


def test_the_end_marker_becomes_control(load: Load) -> None:
    model = load("user_defined")

    assert model.attributes("<|end|>") == USER_DEFINED | CONTROL
    assert len(model.tokenize("<|end|>")) > 1
    assert model.ends_generation("<|end|>")


def test_sliding(load: Load) -> None:
    model = load("sliding")

    assert llama_cpp.llama_model_n_swa(model.handle) == tiny_models.WINDOW
    tokens = (model.tokenize(TEXT) * 50)[:800]
    with model.context() as context:
        context.decode(tokens[:100])
        assert context.first_position() == 0  # llama.cpp keeps at least 256 cells
        assert np.isfinite(context.decode(tokens[100:])).all()
        assert context.first_position() > 0


def test_recurrent(load: Load) -> None:
    model = load("recurrent")

    assert llama_cpp.llama_model_is_recurrent(model.handle)
    assert not llama_cpp.llama_model_is_hybrid(model.handle)


def test_hybrid(load: Load) -> None:
    model = load("hybrid")

    assert llama_cpp.llama_model_is_hybrid(model.handle)
    assert not llama_cpp.llama_model_is_recurrent(model.handle)


@pytest.mark.parametrize(
    ("kind", "can_be_cut"), [("bpe", True), ("recurrent", False), ("hybrid", False)]
)
def test_a_state_cannot_be_cut(load: Load, kind: str, can_be_cut: bool) -> None:
    model = load(kind)

    with model.context() as context:
        context.decode(model.tokenize(TEXT))
        assert context.cut(10) is can_be_cut
