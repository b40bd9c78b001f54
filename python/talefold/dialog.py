"""What an agent remembers, as values to read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

__all__ = [
    "HistoryState",
    "Instruction",
    "Interaction",
    "InteractionStatus",
    "Knowledge",
    "KnowledgeChunk",
    "Summary",
    "ToolCall",
]

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
class ToolCall:
    """A call of a tool that the character made.

    Attributes:
        id: For `Agent.submit_tool_result`; unique within the agent.
        node: The ToolCall node that detected it.
        tool_name: Name of the tool.
        arguments: A JSON object, as text.
        result: JSON text; None = the host has given none yet.
    """

    id: str
    node: str
    tool_name: str
    arguments: str
    result: str | None


@dataclass(frozen=True, kw_only=True)
class KnowledgeChunk:
    """A record that a Retrieve node found.

    Attributes:
        id: Of the record.
        text: Its text.
        distance: From the player's text: 0 = the same, 1 = unrelated.
    """

    id: str
    text: str
    distance: float


@dataclass(frozen=True, kw_only=True)
class Knowledge:
    """What a Retrieve node attached, nearest first; no chunks = nothing was found."""

    source: str
    chunks: list[KnowledgeChunk]


@dataclass(frozen=True, kw_only=True)
class Instruction:
    """A text that a node attached for templates."""

    name: str
    text: str


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
        tool_calls: Calls that the character made, in order.
        knowledge: What was retrieved for its turn.
        instructions: What was attached for the templates of its turn.
        intent: What the player wanted, where a node classified it.
    """

    index: int
    id: int
    user: str
    assistant: str
    status: InteractionStatus
    summary: Summary | None
    tool_calls: list[ToolCall]
    knowledge: list[Knowledge]
    instructions: list[Instruction]
    intent: str | None
