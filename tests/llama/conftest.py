from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

pytest.importorskip("gguf", reason="the gguf package writes the models")

import gguf

from talefold import Catalogue, Engine, TalefoldError
from tiny_models import (
    CONTROL,
    KINDS,
    ROLE_MARKERS,
    UNKNOWN,
    USER_DEFINED,
    write_tiny_model,
)

from .reference import ReferenceModel
from .vocabulary_models import write_vocabulary_model

ModelFile = Callable[[str], Path]
Reference = Callable[[str], ReferenceModel]
Load = Callable[..., str]

# What vocabularies of real models hold: white space and markup typed USER_DEFINED
# (Gemma), single characters (DeepSeek), roles (Command-R), tools (Qwen).
MARKUP: dict[str, gguf.TokenType] = {
    "\n": USER_DEFINED,
    "\n\n": USER_DEFINED,
    "   ": USER_DEFINED,
    "ø": USER_DEFINED,
    "!": USER_DEFINED,
    "<table>": USER_DEFINED,
    "<tool_call>": USER_DEFINED,
    "[INST]": USER_DEFINED,
    "<|user|>": USER_DEFINED,
    "<start_of_turn>": CONTROL,
    "<end_of_turn>": CONTROL,
}

# The markers of tool calls in all formats, of both types.
TOOL_MARKERS: dict[str, gguf.TokenType] = {
    "<tool_call>": USER_DEFINED,
    "</tool_call>": USER_DEFINED,
    "<tools>": CONTROL,
    "</tools>": CONTROL,
    "<tool_response>": CONTROL,
    "</tool_response>": USER_DEFINED,
    "<|python_tag|>": CONTROL,
    "<|eom_id|>": CONTROL,
    "[TOOL_CALLS]": CONTROL,
    "[AVAILABLE_TOOLS]": CONTROL,
    "[/AVAILABLE_TOOLS]": USER_DEFINED,
    "[TOOL_RESULTS]": USER_DEFINED,
    "[/TOOL_RESULTS]": CONTROL,
}

# llama.cpp does not load a model that is named like Phi-3 without one of these.
PHI3: dict[str, gguf.TokenType] = {
    "<unk>": UNKNOWN,
    **dict.fromkeys(("<s>", "</s>", "<|endoftext|>"), CONTROL),
}
PHI3_ROLES: dict[str, gguf.TokenType] = dict.fromkeys(ROLE_MARKERS, CONTROL)


def _smollm2() -> Path:
    try:
        return Catalogue().find("smollm2-135m").locate()
    except TalefoldError as error:
        pytest.skip(error.message)


@pytest.fixture(scope="session")
def model_file(tmp_path_factory: pytest.TempPathFactory) -> ModelFile:
    """The GGUF file of a kind, written when first asked for.

    Kinds are those of the tiny models, and "smollm2" with real weights; these with
    "_vocabulary" behind, which have a large context; "bpe_markup", "spm_markup",
    "bpe_tools", "phi3_names" and "phi3_names_spm", and "gemma_like", which is
    "spm_markup" without a space in front of texts.
    """
    folder = tmp_path_factory.mktemp("models")

    @cache
    def find(kind: str) -> Path:
        path = folder / f"{kind}.gguf"
        if kind in KINDS:
            return write_tiny_model(path, kind)
        if kind == "smollm2":
            return _smollm2()
        if kind.endswith("_vocabulary"):
            source = find(kind.removesuffix("_vocabulary"))
            return write_vocabulary_model(path, source)
        if kind == "phi3_names":
            return write_vocabulary_model(
                path, find("user_defined"), name="phi-3", extra=PHI3
            )
        if kind == "phi3_names_spm":
            return write_vocabulary_model(
                path, find("spm"), name="Phi-3", extra={**PHI3, **PHI3_ROLES}
            )
        if kind == "bpe_tools":
            return write_vocabulary_model(path, find("bpe"), extra=TOOL_MARKERS)
        if kind == "gemma_like":
            return write_vocabulary_model(
                path, find("spm"), extra=MARKUP, add_space_prefix=False
            )
        source, _, _ = kind.partition("_markup")
        return write_vocabulary_model(path, find(source), extra=MARKUP)

    return find


@pytest.fixture(scope="session")
def reference(model_file: ModelFile) -> Iterator[Reference]:
    """A kind's file, loaded once by llama.cpp alone."""
    models: dict[str, ReferenceModel] = {}

    def load_once(kind: str) -> ReferenceModel:
        if kind not in models:
            models[kind] = ReferenceModel(model_file(kind))
        return models[kind]

    yield load_once
    for model in models.values():
        model.close()


@pytest.fixture
def load(engine: Engine, model_file: ModelFile) -> Load:
    """Loads a kind into the engine, recording its requests, and returns its name."""

    def load_kind(kind: str, name: str = "", **options: object) -> str:
        name = name or f"{kind}-{len(engine.models())}"
        engine.load_model(name, model_file(kind), record_requests=True, **options)
        return name

    return load_kind
