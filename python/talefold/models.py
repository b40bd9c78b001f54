"""Models of an engine, and the scripted model's script and records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from talefold._params import SamplingOverrides

__all__ = ["ModelInfo", "ReplyOutcome", "ScriptedReply", "ScriptedRequest"]

ReplyOutcome: TypeAlias = Literal["finish", "fail", "stall", "out_of_context"]


@dataclass(frozen=True, kw_only=True)
class ModelInfo:
    """A loaded model."""

    name: str
    kind: str
    trained_context_size: int


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
class ScriptedRequest:
    """A request as a scripted model saw it; messages are (role, text)."""

    node: str
    messages: list[tuple[str, str]]
    prompt_tokens: list[int]
    max_tokens: int
    seed: int
    sampling: SamplingOverrides
