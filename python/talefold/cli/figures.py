"""What a turn's diagnostics say, as numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["FoldFigures", "PromptFigures", "fold_of", "prompt_of", "skip_reason_of"]


@dataclass(frozen=True, kw_only=True)
class PromptFigures:
    """A request that a node made in a turn.

    Attributes:
        messages: (role, text) of each message.
        prompt_tokens: Of the whole prompt.
        context_size: Tokens the node may use, reply included.
        reused_tokens: Prompt tokens found in the KV cache.
        decoded_tokens: Prompt tokens computed.
        generated_tokens: Of the reply.
        first_token_ms: Until the reply's first token; None when there was none.
        cut: The reply ended at max_tokens or at the end of the context.
    """

    messages: list[tuple[str, str]]
    prompt_tokens: int
    context_size: int
    reused_tokens: int
    decoded_tokens: int
    generated_tokens: int
    first_token_ms: float | None
    cut: bool


@dataclass(frozen=True, kw_only=True)
class FoldFigures:
    """A fold that succeeded in a turn.

    Attributes:
        covered_through: Index of the last interaction in the summary.
        folded_turns: Interactions this fold took in.
        folded_tokens: Of those interactions, as the summarizer saw them.
        summary: The new summary.
        abridged: A turn was cut to its beginning and end to fit in.
        request: What the summarizer was asked.
    """

    covered_through: int
    folded_turns: int
    folded_tokens: int
    summary: str
    abridged: bool
    request: PromptFigures


def prompt_of(debug_info: Mapping[str, Any] | None) -> PromptFigures | None:
    """The last request for a reply or a tool call; None when there was none."""
    nodes = _nodes(debug_info, "Generate", "GenerateAndSpeak", "ToolCall")
    asked = [node for node in nodes if "input" in node]
    return _request(asked[-1]) if asked else None


def fold_of(debug_info: Mapping[str, Any] | None) -> FoldFigures | None:
    """The last fold of the turn, if there was one."""
    folds = [node for node in _nodes(debug_info, "Summarize") if "last_fold" in node]
    if not folds:
        return None
    fold = folds[-1]["last_fold"]
    return FoldFigures(
        covered_through=fold["covered_through"],
        folded_turns=fold["folded_turns"],
        folded_tokens=fold["folded_input_tokens"],
        summary=folds[-1]["output"]["text"],
        abridged=fold.get("abridged", False),
        request=_request(folds[-1]),
    )


def skip_reason_of(debug_info: Mapping[str, Any] | None) -> str | None:
    """Why the last Summarize node of the turn did not fold."""
    nodes = _nodes(debug_info, "Summarize")
    return nodes[-1].get("skipped", {}).get("reason") if nodes else None


def _nodes(debug_info: Mapping[str, Any] | None, *types: str) -> list[Any]:
    every = (debug_info or {}).get("nodes", [])
    return [node for node in every if node["type"] in types]


def _request(node: Mapping[str, Any]) -> PromptFigures:
    asked, output = node["input"], node.get("output", {})
    return PromptFigures(
        messages=[(each["role"], each["text"]) for each in asked["prompt"]],
        prompt_tokens=asked["prompt_tokens"],
        context_size=node["parameters"]["context_size"],
        reused_tokens=asked.get("reused_tokens", 0),
        decoded_tokens=asked.get("decoded_tokens", 0),
        generated_tokens=output.get("tokens_generated", 0),
        first_token_ms=output.get("first_token_ms"),
        cut=output.get("stop_reason") in ("max_tokens", "context_full"),
    )
