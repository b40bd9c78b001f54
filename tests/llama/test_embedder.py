"""GGUF embedding models: what their vectors are, and which files are none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from support import raises_code
from talefold import Engine, ErrorCode

from .conftest import ModelFile
from .embedding_models import write_embedding_model


def embed(engine: Engine, texts: Sequence[str]) -> np.ndarray:
    return np.array(engine.embed("tiny", texts)).reshape(len(texts), -1)


@pytest.fixture(scope="module", params=[True, False], ids=["pooling", "no_pooling"])
def tiny(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Engine]:
    """An engine that has the embedding model "tiny"."""
    path = tmp_path_factory.mktemp("embedding") / "tiny.gguf"
    write_embedding_model(path, hints=request.param)
    with Engine() as engine:
        engine.load_embedding_model("tiny", path)
        yield engine


def test_vectors_have_unit_length(tiny: Engine) -> None:
    rows = embed(tiny, ["a b c", "z", "a b c d e f g"])

    assert rows.shape == (3, 32)
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1, abs=1e-5)


def test_a_text_has_the_same_vector_alone_and_among_others(
    tiny: Engine,
) -> None:
    texts = [" ".join("abcdefgh"[: 1 + i % 8]) for i in range(100)]

    together = embed(tiny, texts)

    for text, row in zip(texts, together, strict=True):
        assert embed(tiny, [text])[0] == pytest.approx(row, abs=1e-4)


def test_a_long_text_is_cut_at_512_tokens(tiny: Engine) -> None:
    words = ["a b"] * 255

    whole, longer, other = embed(
        tiny, [" ".join(words), " ".join([*words, "z"] * 9), "z"]
    )

    assert longer == pytest.approx(whole, abs=1e-4)
    assert other != pytest.approx(whole, abs=1e-2)


def test_a_text_without_tokens_is_zeros(tiny: Engine) -> None:
    empty, text, spaces = embed(tiny, ["", "a", " \n "])

    assert not empty.any()
    assert not spaces.any()
    assert text.any()


def test_no_texts_have_no_vectors(tiny: Engine) -> None:
    assert len(tiny.embed("tiny", [])) == 0


def test_the_text_of_a_special_token_is_text(tiny: Engine) -> None:
    rows = embed(tiny, ["a [SEP] b", "a", "a b"])

    assert np.isfinite(rows).all()
    assert rows[0] != pytest.approx(rows[1], abs=1e-3)


def test_threads_share_a_model(tiny: Engine) -> None:
    texts = [f"{a} {b}" for a in "abcdef" for b in "uvwxyz"]
    expected = embed(tiny, texts)

    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda _: embed(tiny, texts), range(8)))

    for result in results:
        assert result == pytest.approx(expected, abs=1e-5)


def test_a_text_model_makes_no_embeddings(
    engine: Engine, model_file: ModelFile
) -> None:
    with raises_code(ErrorCode.ModelLoadFailed) as caught:
        engine.load_embedding_model("bpe", model_file("bpe"))

    assert "is a text model (architecture llama)" in caught.value.message
    assert caught.value.hint == "load an embedding model"


def test_a_missing_file_is_not_found(engine: Engine, tmp_path: Path) -> None:
    with raises_code(ErrorCode.ModelNotFound):
        engine.load_embedding_model("none", tmp_path / "none.gguf")


def test_a_file_that_is_no_model_cannot_be_loaded(
    engine: Engine, tmp_path: Path
) -> None:
    path = tmp_path / "text.gguf"
    path.write_text("You are Edric, an innkeeper.")

    with raises_code(ErrorCode.ModelLoadFailed):
        engine.load_embedding_model("text", path)

    assert engine.embedding_models() == []


def test_names_of_embedding_models_are_their_own(
    engine: Engine, tmp_path: Path
) -> None:
    path = write_embedding_model(tmp_path / "tiny.gguf")
    engine.load_scripted_model("tiny")
    engine.load_embedding_model("tiny", path)

    assert [(each.name, each.dimensions) for each in engine.embedding_models()] == [
        ("tiny", 32)
    ]
    assert [each.name for each in engine.models()] == ["tiny"]
    for name in ("tiny", ""):
        with raises_code(ErrorCode.InvalidArgument):
            engine.load_embedding_model(name, path)
    engine.unload_embedding_model("tiny")
    for use in (engine.unload_embedding_model, lambda name: engine.embed(name, ["a"])):
        with raises_code(ErrorCode.ModelNotFound) as caught:
            use("tiny")
        assert "no embedding model named 'tiny'; loaded: none" in caught.value.message


def test_loading_reports_progress_and_can_be_cancelled(
    engine: Engine, tmp_path: Path
) -> None:
    path = write_embedding_model(tmp_path / "tiny.gguf")
    seen: list[float] = []

    engine.load_embedding_model("tiny", path, on_progress=seen.append)

    assert seen[-1] == 1
    with raises_code(ErrorCode.ModelLoadFailed):
        engine.load_embedding_model("other", path, on_progress=lambda _: False)
    with pytest.raises(ZeroDivisionError):
        engine.load_embedding_model("other", path, on_progress=lambda _: 1 / 0)


def test_a_knowledge_base_is_searched_with_the_model_it_names(tiny: Engine) -> None:
    tiny.load_knowledge(
        "letters",
        config={"version": 1, "embedding_model": "tiny"},
        records=[{"id": text, "text": text} for text in ("a b", "c d", "x y")],
    )
    try:
        (best,) = tiny.search_knowledge("letters", "c d", top_k=1)
        info = tiny.describe_knowledge("letters")
    finally:
        tiny.unload_knowledge("letters")

    assert best.id == "c d"
    assert best.distance == pytest.approx(0, abs=1e-5)
    assert (info.search_method, info.embedding_model) == ("cosine", "tiny")
