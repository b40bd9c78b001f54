"""A load that fails says why, and the engine goes on."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import pytest

from support import raises_code
from talefold import Engine, ErrorCode, TalefoldError

from .conftest import Load, ModelFile
from .embedding_models import write_embedding_model
from .talk import open_talk
from .vocabulary_models import write_vocabulary_model


@pytest.fixture
def engine(model_file: ModelFile) -> Iterator[Engine]:
    """With one model that still answers at the end of the test."""
    with Engine() as engine:
        engine.load_model("well", model_file("bpe"))
        yield engine
        assert [model.name for model in engine.models()] == ["well"]
        with open_talk(engine, "well", max_tokens=2) as agent:
            assert agent.send("Hi").tokens_generated == 2


def test_a_missing_file_is_not_found(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "none.gguf"

    with raises_code(ErrorCode.ModelNotFound) as caught:
        engine.load_model("new", path)

    assert str(path) in caught.value.message


def test_a_folder_is_not_found(engine: Engine, tmp_path: Path) -> None:
    with raises_code(ErrorCode.ModelNotFound):
        engine.load_model("new", tmp_path)


@pytest.mark.parametrize("kept", [0.0, 0.00001, 0.001, 0.02, 0.1, 0.5, 0.9, 0.9999])
def test_a_truncated_file_cannot_be_loaded(
    engine: Engine, model_file: ModelFile, tmp_path: Path, kept: float
) -> None:
    whole = model_file("bpe").read_bytes()
    path = tmp_path / "cut.gguf"
    path.write_bytes(whole[: int(len(whole) * kept)])

    with raises_code(ErrorCode.ModelLoadFailed) as caught:
        engine.load_model("new", path)

    assert str(path) in caught.value.message
    assert "cancelled" not in caught.value.message


def save(writer: gguf.GGUFWriter) -> None:
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def unknown_architecture(path: Path) -> None:
    writer = gguf.GGUFWriter(path, "gondolin")
    writer.add_name("no such thing")
    writer.add_tensor("token_embd.weight", np.ones((8, 8), np.float32))
    save(writer)


FOREIGN = {
    "random": lambda path: path.write_bytes(np.random.default_rng(1).bytes(9999)),
    "text": lambda path: path.write_text("You are Edric, an innkeeper.\n" * 50),
    "magic only": lambda path: path.write_bytes(b"GGUF"),
    "magic and noise": lambda path: path.write_bytes(
        b"GGUF" + b"\x03\0\0\0" + b"\xff" * 99
    ),
    "unknown architecture": unknown_architecture,
}


@pytest.mark.parametrize("write", FOREIGN.values(), ids=FOREIGN)
def test_a_foreign_file_cannot_be_loaded(
    engine: Engine, tmp_path: Path, write: object
) -> None:
    path = tmp_path / "foreign.gguf"
    write(path)

    with raises_code(ErrorCode.ModelLoadFailed) as caught:
        engine.load_model("new", path)

    assert "cancelled" not in caught.value.message


def test_an_architecture_is_named(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "foreign.gguf"
    unknown_architecture(path)

    with pytest.raises(TalefoldError, match="gondolin"):
        engine.load_model("new", path)


@pytest.mark.parametrize("hints", [True, False])
def test_an_embedding_model_cannot_chat(
    engine: Engine, tmp_path: Path, hints: bool
) -> None:
    path = write_embedding_model(tmp_path / "embedding.gguf", hints=hints)

    with raises_code(ErrorCode.ModelLoadFailed) as caught:
        engine.load_model("new", path, chat_template="chatml")

    assert str(path) in caught.value.message
    assert "an embedding model (architecture bert)" in caught.value.message
    assert "text model" in caught.value.hint


# Architecture, more metadata, what the message says.
OTHER_KINDS: dict[str, tuple[str, Callable[[gguf.GGUFWriter], None] | None, str]] = {
    "pooling decoder": (
        "qwen3",
        lambda writer: writer.add_pooling_type(gguf.PoolingType.LAST),
        "an embedding model (architecture qwen3)",
    ),
    "jina": ("jina-bert-v2", None, "an embedding model"),
    "encoder": ("t5encoder", None, "an embedding model"),
    "encoder-decoder": ("t5", None, "an encoder-decoder model"),
    "diffusion": (
        "dream",
        lambda writer: writer.add_causal_attention(False),
        "left to right",
    ),
    "projector": ("clip", None, "a projector"),
    "typed projector": ("llama", lambda writer: writer.add_type("mmproj"), "projector"),
    "adapter": ("llama", lambda writer: writer.add_type("adapter"), "a LoRA adapter"),
    "importance matrix": ("imatrix", None, "an importance matrix"),
}


@pytest.mark.parametrize("kind", OTHER_KINDS)
def test_a_file_that_is_no_text_model_is_named(
    engine: Engine, tmp_path: Path, kind: str
) -> None:
    architecture, describe, said = OTHER_KINDS[kind]
    path = tmp_path / "other.gguf"
    writer = gguf.GGUFWriter(path, architecture)
    if describe is not None:
        describe(writer)
    writer.add_tensor("weight", np.ones((8, 8), np.float32))
    save(writer)

    with raises_code(ErrorCode.ModelLoadFailed) as caught:
        engine.load_model("new", path, chat_template="chatml")

    assert said in caught.value.message


def test_a_file_without_weights_is_refused(engine: Engine, tmp_path: Path) -> None:
    path = tmp_path / "vocabulary.gguf"
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_tokenizer_model("llama")
    writer.add_token_list(["a", "b"])
    save(writer)

    with raises_code(ErrorCode.ModelLoadFailed) as caught:
        engine.load_model("new", path, chat_template="chatml")

    assert "no weights" in caught.value.message


LOAD_BOTH = """
import sys
import talefold

engine = talefold.Engine(worker_threads=1)
try:
    engine.load_model("bad", sys.argv[1], chat_template="chatml")
except talefold.TalefoldError as error:
    print(error.code.name, error.message)
engine.load_model("good", sys.argv[2])
print([model.name for model in engine.models()])
"""


def run(script: str, *arguments: object) -> list[str]:
    """The lines that a script prints in a process of its own, which may abort."""
    process = subprocess.run(
        [sys.executable, "-c", script, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    return process.stdout.splitlines()


def rename(*tokens: str) -> Callable[[dict[str, Any]], None]:
    """Gives these texts to the last tokens of a vocabulary."""

    def change(keys: dict[str, Any]) -> None:
        keys["tokenizer.ggml.tokens"][-len(tokens) :] = tokens

    return change


# Kind of model, what is changed in its vocabulary, what the message says.
DAMAGES: dict[str, tuple[str, Callable[[dict[str, Any]], None], str]] = {
    "repeated token": ("bpe", rename("twice", "twice"), "have the same text"),
    "repeated up to NUL": ("bpe", rename("a\0b", "a\0c"), "have the same text"),
    "named like an empty token": (
        "bpe",
        lambda keys: rename(f"[EMPTY_{len(keys['tokenizer.ggml.tokens']) - 1}]", "")(
            keys
        ),
        "have the same text",
    ),
    "bytes in a bert vocabulary": (
        "spm",
        lambda keys: keys.update({"tokenizer.ggml.model": "bert"}),
        "single bytes",
    ),
    "no vocabulary": (
        "bpe",
        lambda keys: keys.update({"tokenizer.ggml.model": "no_vocab"}),
        "no vocabulary",
    ),
    "no letters": (
        "bpe",
        lambda keys: keys.update({"tokenizer.ggml.model": "llama"}),
        "no token for a character",
    ),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_vocabulary_is_refused(
    model_file: ModelFile, tmp_path: Path, damage: str
) -> None:
    """llama.cpp ends the process, or lets a C++ exception through."""
    kind, change, said = DAMAGES[damage]
    path = tmp_path / "damaged.gguf"
    write_vocabulary_model(path, model_file(kind), change=change)

    refusal, models = run(LOAD_BOTH, path, model_file("bpe"))

    assert refusal.startswith(f"ModelLoadFailed '{path}'")
    assert said in refusal
    assert models == "['good']"


def test_weights_that_are_not_aligned_are_refused(
    model_file: ModelFile, tmp_path: Path
) -> None:
    path = tmp_path / "damaged.gguf"
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_custom_alignment(1)
    writer.add_string("padding", "x" * 31)
    writer.add_tensor("token_embd.weight", np.ones((8, 8), np.float32))
    save(writer)
    assert gguf.GGUFReader(path).data_offset % 32 != 0

    refusal, models = run(LOAD_BOTH, path, model_file("bpe"))

    assert refusal.startswith(f"ModelLoadFailed '{path}'")
    assert "no multiple of 32" in refusal
    assert models == "['good']"


def test_empty_tokens_do_no_harm(
    engine: Engine, model_file: ModelFile, tmp_path: Path
) -> None:
    path = tmp_path / "empty.gguf"
    write_vocabulary_model(path, model_file("bpe"), change=rename("", ""))

    engine.load_model("new", path, chat_template="chatml")
    engine.unload_model("new")


def test_a_character_without_token_fails_the_turn_alone(
    engine: Engine, model_file: ModelFile, tmp_path: Path
) -> None:
    def drop_bytes(keys: dict[str, Any]) -> None:
        tokens = keys["tokenizer.ggml.tokens"]
        tokens[:] = [text.replace("<0x", "<1x") for text in tokens]

    path = tmp_path / "no_bytes.gguf"
    write_vocabulary_model(path, model_file("spm"), change=drop_bytes)
    engine.load_model("new", path, chat_template="llama2")

    with open_talk(engine, "new", max_tokens=2) as agent:
        with raises_code(ErrorCode.InferenceFailed) as caught:
            agent.send("é")
        assert agent.send("Hi").tokens_generated == 2
    engine.unload_model("new")

    assert "no token for a character" in caught.value.message


def test_a_model_without_template_needs_one(
    engine: Engine, model_file: ModelFile
) -> None:
    with raises_code(ErrorCode.UnsupportedChatTemplate) as caught:
        engine.load_model("new", model_file("no_template"))
    assert "chatml" in caught.value.hint

    engine.load_model("new", model_file("no_template"), chat_template="chatml")
    engine.unload_model("new")


@pytest.mark.parametrize("template", ["no-such-name", "{{ messages }}", " "])
def test_an_unknown_template_is_refused(
    engine: Engine, model_file: ModelFile, template: str
) -> None:
    with raises_code(ErrorCode.UnsupportedChatTemplate) as caught:
        engine.load_model("new", model_file("bpe"), chat_template=template)

    assert "chatml" in caught.value.message + caught.value.hint


def test_a_name_in_use_is_refused(engine: Engine, model_file: ModelFile) -> None:
    with raises_code(ErrorCode.InvalidArgument) as caught:
        engine.load_model("well", model_file("spm"))

    assert "well" in caught.value.message


def test_progress_rises_to_one(engine: Engine, model_file: ModelFile) -> None:
    seen: list[float] = []

    engine.load_model("new", model_file("smollm2"), on_progress=seen.append)
    engine.unload_model("new")

    assert seen == sorted(seen)
    assert seen[0] >= 0
    assert seen[-1] == 1
    assert len(seen) > 3


@pytest.mark.parametrize("call", [1, 2, 20])
def test_loading_can_be_cancelled(
    engine: Engine, model_file: ModelFile, call: int
) -> None:
    seen: list[float] = []

    def go_on(fraction: float) -> bool:
        seen.append(fraction)
        return len(seen) < call

    with raises_code(ErrorCode.ModelLoadFailed) as caught:
        engine.load_model("new", model_file("smollm2"), on_progress=go_on)

    assert "cancelled" in caught.value.message
    assert caught.value.hint == ""
    assert len(seen) == call


@pytest.mark.parametrize("error", [ZeroDivisionError, KeyboardInterrupt])
def test_an_exception_of_the_callback_comes_back(
    engine: Engine, model_file: ModelFile, error: type[BaseException]
) -> None:
    def fail(fraction: float) -> None:
        raise error

    with pytest.raises(error):
        engine.load_model("new", model_file("bpe"), on_progress=fail)


def test_a_context_beyond_the_trained_one_is_refused(engine: Engine) -> None:
    with raises_code(ErrorCode.InvalidParamValue) as caught:
        open_talk(engine, "well", context_size=4096)

    assert "context_size" in caught.value.message
    assert "2048" in caught.value.message


def test_an_unloaded_model_serves_its_agents_on(
    engine: Engine, load: Load, model_file: ModelFile
) -> None:
    model = load("spm")
    with open_talk(engine, model, max_tokens=3) as agent:
        first = agent.send("Hi").text
        engine.unload_model(model)

        assert agent.regenerate().text == first
        assert agent.send("And?").tokens_generated == 3


def test_two_engines_share_a_file(engine: Engine, model_file: ModelFile) -> None:
    texts = []
    with Engine() as other:
        other.load_model("well", model_file("bpe"))
        for each in (engine, other):
            with open_talk(each, "well", max_tokens=8) as agent:
                texts.append(agent.send("Hi").text)

    assert texts[0] == texts[1]


OUT_OF_MEMORY = """
import resource, sys
import talefold

engine = talefold.Engine(worker_threads=1)
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + int(sys.argv[2]), -1))
try:
    engine.load_model("new", sys.argv[1])
except talefold.TalefoldError as error:
    print(error.code.name, error.message)
else:
    print("loaded")
resource.setrlimit(resource.RLIMIT_AS, (-1, -1))
engine.load_model("again", sys.argv[1])
graph = talefold.GraphDescription().add_node(
    "talk",
    talefold.GenerateParams(
        context_size=256,
        sampling=talefold.SamplingOverrides(max_tokens=2, temperature=0),
    ),
).set_start_node("talk")
with engine.create_agent(graph, default_model_name="again") as agent:
    print(agent.send("Hi").tokens_generated)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits the address space")
@pytest.mark.parametrize("megabytes", [1, 10, 60])
def test_a_model_too_large_for_the_memory_is_refused(
    model_file: ModelFile, megabytes: int
) -> None:
    """The weights of SmolLM2 take 98 MB."""
    first, second = run(OUT_OF_MEMORY, model_file("smollm2"), megabytes << 20)

    assert first.startswith("ModelLoadFailed")
    assert second == "2"


def test_weights_with_which_nothing_computes_are_refused(
    model_file: ModelFile, tmp_path: Path
) -> None:
    path = tmp_path / "damaged.gguf"
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_tensor("token_embd.weight", np.ones((8, 8), np.float64))
    save(writer)

    refusal, models = run(LOAD_BOTH, path, model_file("bpe"))

    assert refusal.startswith(f"ModelLoadFailed '{path}'")
    assert "f64" in refusal
    assert models == "['good']"
