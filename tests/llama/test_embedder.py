"""GGUF embedding models: what their vectors are, and which files are none."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from support import raises_code
from talefold import ErrorCode, _core

from .conftest import ModelFile
from .embedding_models import write_embedding_model


def embed(model: _core.EmbeddingModel, texts: Sequence[str]) -> np.ndarray:
    return np.array(model.embed(list(texts))).reshape(len(texts), model.dimensions())


@pytest.fixture(scope="module", params=[True, False], ids=["pooling", "no_pooling"])
def tiny(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> _core.EmbeddingModel:
    path = tmp_path_factory.mktemp("embedding") / "tiny.gguf"
    return _core.EmbeddingModel(str(write_embedding_model(path, hints=request.param)))


def test_vectors_have_unit_length(tiny: _core.EmbeddingModel) -> None:
    rows = embed(tiny, ["a b c", "z", "a b c d e f g"])

    assert rows.shape == (3, 32)
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1, abs=1e-5)


def test_a_text_has_the_same_vector_alone_and_among_others(
    tiny: _core.EmbeddingModel,
) -> None:
    texts = [" ".join("abcdefgh"[: 1 + i % 8]) for i in range(100)]

    together = embed(tiny, texts)

    for text, row in zip(texts, together, strict=True):
        assert embed(tiny, [text])[0] == pytest.approx(row, abs=1e-4)


def test_a_long_text_is_cut_at_512_tokens(tiny: _core.EmbeddingModel) -> None:
    words = ["a b"] * 255

    whole, longer, other = embed(
        tiny, [" ".join(words), " ".join([*words, "z"] * 9), "z"]
    )

    assert longer == pytest.approx(whole, abs=1e-4)
    assert other != pytest.approx(whole, abs=1e-2)


def test_a_text_without_tokens_is_zeros(tiny: _core.EmbeddingModel) -> None:
    empty, text, spaces = embed(tiny, ["", "a", " \n "])

    assert not empty.any()
    assert not spaces.any()
    assert text.any()


def test_no_texts_have_no_vectors(tiny: _core.EmbeddingModel) -> None:
    assert len(tiny.embed([])) == 0


def test_the_text_of_a_special_token_is_text(tiny: _core.EmbeddingModel) -> None:
    rows = embed(tiny, ["a [SEP] b", "a", "a b"])

    assert np.isfinite(rows).all()
    assert rows[0] != pytest.approx(rows[1], abs=1e-3)


def test_threads_share_a_model(tiny: _core.EmbeddingModel) -> None:
    texts = [f"{a} {b}" for a in "abcdef" for b in "uvwxyz"]
    expected = embed(tiny, texts)

    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda _: embed(tiny, texts), range(8)))

    for result in results:
        assert result == pytest.approx(expected, abs=1e-5)


def test_a_text_model_makes_no_embeddings(model_file: ModelFile) -> None:
    with raises_code(ErrorCode.ModelLoadFailed) as caught:
        _core.EmbeddingModel(str(model_file("bpe")))

    assert "is a text model (architecture llama)" in caught.value.message
    assert caught.value.hint == "load an embedding model"


def test_a_missing_file_is_not_found(tmp_path: Path) -> None:
    with raises_code(ErrorCode.ModelNotFound):
        _core.EmbeddingModel(str(tmp_path / "none.gguf"))


def test_a_file_that_is_no_model_cannot_be_loaded(tmp_path: Path) -> None:
    path = tmp_path / "text.gguf"
    path.write_text("You are Edric, an innkeeper.")

    with raises_code(ErrorCode.ModelLoadFailed):
        _core.EmbeddingModel(str(path))
