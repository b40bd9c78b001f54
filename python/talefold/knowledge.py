"""Knowledge bases of an engine: what they are, and what is found in them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

__all__ = ["FoundRecord", "KnowledgeInfo"]


@dataclass(frozen=True, kw_only=True)
class KnowledgeInfo:
    """A knowledge base.

    Attributes:
        search_method: "cosine" = by an embedding model; "bm25" = by common words, as
            the config names no model, or one that was not loaded.
        embedding_model: The model that the config names; empty = none.
        records: How many there are.
        fields: Names of the metadata fields.
    """

    search_method: Literal["cosine", "bm25"]
    embedding_model: str
    records: int
    fields: list[str]


@dataclass(frozen=True, kw_only=True)
class FoundRecord:
    """A record that a search found.

    Attributes:
        id: Its id.
        text: What it says.
        distance: From the text that was looked for, 0 = the same: 1 - cosine, from 0 to
            2, or the like of BM25, from 0 to 1.
        metadata: A value for each field, defaults included; optional fields that the
            record lacks are left out.
    """

    id: str
    text: str
    distance: float
    metadata: dict[str, Any]
