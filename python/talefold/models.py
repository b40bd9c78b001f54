"""Models of an engine: what they are, say and record."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from typing import Literal, TypeAlias

from talefold._params import SamplingOverrides

__all__ = [
    "EmbeddingModelInfo",
    "ModelInfo",
    "RecordedRequest",
    "ReplyOutcome",
    "ScriptedReply",
]

ReplyOutcome: TypeAlias = Literal["finish", "fail", "stall", "out_of_context"]


@dataclass(frozen=True, kw_only=True)
class ModelInfo:
    """A loaded model."""

    name: str
    kind: str
    trained_context_size: int


@dataclass(frozen=True, kw_only=True)
class EmbeddingModelInfo:
    """A loaded embedding model; its vectors have `dimensions` numbers."""

    name: str
    dimensions: int


@dataclass(frozen=True)
class ScriptedReply:
    """One reply of a scripted model: text, emitted token by token, then an outcome.

    Attributes:
        text: What the model says.
        outcome: "finish"; "fail" = InferenceFailed; "stall" = nothing more until the
            turn is cancelled or times out; "out_of_context" = ContextOverflow if no
            token was emitted, else the reply is cut.
        echo: Say the text of the request's last message instead of `text`.
    """

    text: str = ""
    outcome: ReplyOutcome = "finish"
    echo: bool = False


@dataclass(frozen=True, kw_only=True)
class RecordedRequest:
    """A request as a model saw it, recorded as its reply began.

    One that only compared candidates has `max_tokens` 0.

    Attributes:
        node: The node that asked.
        messages: (role, text) of each message.
        prompt_tokens: Token ids of the prompt.
        cached_tokens: What the KV cells held: equal to `prompt_tokens`, or the cache is
            wrong.
        next_logits: Of the reply's first token, one float a vocabulary entry; empty for
            a scripted model.
        max_tokens: Most tokens of the reply.
        seed: Of this one generation.
        sampling: The node's settings over the model's.
        grammar: GBNF that the reply had to follow; empty = none.
    """

    node: str
    messages: list[tuple[str, str]]
    prompt_tokens: list[int]
    cached_tokens: list[int]
    next_logits: array[float]
    max_tokens: int
    seed: int
    sampling: SamplingOverrides
    grammar: str
