"""What an agent remembers, as values to read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

__all__ = ["HistoryState", "Interaction", "InteractionStatus", "Summary"]

HistoryState: TypeAlias = Literal["folded", "trimmed", "replayed"]
InteractionStatus: TypeAlias = Literal["complete", "interrupted", "cancelled", "failed"]


@dataclass(frozen=True, kw_only=True)
class Summary:
    """A summary of older interactions.

    Attributes:
        text: The summary itself.
        node: The Summarize node that wrote it.
        covered_through: Index of the last interaction it stands for.
        carrier: Index of the interaction it is attached to.
        stale: An interaction it covers was edited since.
        edited: `Agent.set_summary` wrote the text.
        abridged: One covered turn was cut to its beginning and end.
    """

    text: str
    node: str
    covered_through: int
    carrier: int
    stale: bool
    edited: bool
    abridged: bool


@dataclass(frozen=True, kw_only=True)
class Interaction:
    """One exchange of the dialog; either text may be empty.

    Attributes:
        index: Position in the dialog, from 0.
        id: Stable over edits.
        user: What the player said.
        assistant: What the character said.
        status: How its turn ended.
        summary: The summary attached to it, if any.
    """

    index: int
    id: int
    user: str
    assistant: str
    status: InteractionStatus
    summary: Summary | None
