"""Conversations with a model of one Generate node, and what it was asked."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from talefold import (
    Agent,
    ContextOverrides,
    Engine,
    GenerateParams,
    GraphDescription,
    RecordedRequest,
    SamplingOverrides,
)

# Of tiny models two threads are slower than one.
ONE_THREAD = ContextOverrides(n_threads=1)

Turns = Sequence[tuple[str, str]]  # user, assistant


def reply_graph(**params: Any) -> GraphDescription:
    """One node "talk" that takes the likeliest tokens unless told otherwise.

    Fields of `SamplingOverrides` go there, the others are the node's own.
    """
    names = SamplingOverrides.__dataclass_fields__
    sampling = {"temperature": 0.0} | {k: v for k, v in params.items() if k in names}
    node = {"context_size": 2048, "context": ONE_THREAD} | {
        k: v for k, v in params.items() if k not in names
    }
    return (
        GraphDescription()
        .add_node(
            "talk", GenerateParams(**node, sampling=SamplingOverrides(**sampling))
        )
        .set_start_node("talk")
    )


def open_talk(engine: Engine, model: str, **params: Any) -> Agent:
    return engine.create_agent(
        reply_graph(**params), default_model_name=model, enable_diagnostics=True
    )


def ask(
    engine: Engine, model: str, message: str | None, *, past: Turns = (), **params: Any
) -> None:
    """Has the model asked once, for one token."""
    with open_talk(engine, model, max_tokens=1, **params) as agent:
        for user, assistant in past:
            agent.append_interaction(user=user, assistant=assistant)
        agent.send(message)


def asked(engine: Engine, model: str) -> list[RecordedRequest]:
    """What the model was asked; each prompt was in the KV cells as it should be."""
    requests = engine.recorded_requests(model)
    for request in requests:
        assert request.cached_tokens == request.prompt_tokens
    return requests


class Stopwatch:
    """Seconds since it was made."""

    def __init__(self) -> None:
        self._start = time.monotonic()

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._start
