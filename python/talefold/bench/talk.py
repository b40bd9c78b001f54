"""Turns with a clock: what the benchmarks with weights share."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from talefold.agent import Agent
from talefold.catalogue import Catalogue
from talefold.engine import Engine
from talefold.errors import ErrorCode, TalefoldError
from talefold.events import AnswerText, Event, TurnComplete
from talefold.graph import (
    ContextOverrides,
    GenerateParams,
    GraphDescription,
    SamplingOverrides,
)

__all__ = [
    "STORYTELLER",
    "Answer",
    "Reply",
    "ask",
    "joint_rate",
    "listen",
    "locate",
    "prompts_of",
    "reply_graph",
    "speak",
]

STORYTELLER = "You are a storyteller. Your stories are long and full of detail."


@dataclass(frozen=True, kw_only=True)
class Reply:
    """A streamed reply; times are readings of `time.perf_counter`, in seconds.

    Attributes:
        times: When each piece of text arrived.
        end: When the turn was complete.
        tokens: Generated.
        text: The whole reply.
    """

    times: Sequence[float]
    end: float
    tokens: int
    text: str

    @property
    def rate(self) -> float:
        """Tokens a second, from the first one to the end of the turn."""
        return (self.tokens - 1) / (self.end - self.times[0])


def locate(model: str) -> Path:
    """The GGUF file of a path or of a name in the built-in catalogue.

    Raises:
        TalefoldError: ModelNotFound.
    """
    path = Path(model)
    if not path.is_file() and path.suffix != ".gguf":
        path = Catalogue().find(model).locate()
    if not path.is_file():
        raise TalefoldError(
            ErrorCode.ModelNotFound, f"no model file '{model}'", "check the path"
        )
    return path


def prompts_of(
    path: Path, graph: GraphDescription, questions: Sequence[str]
) -> list[list[int]]:
    """The tokens that a new agent's model is asked for each question."""
    with Engine(slots_per_pool=1) as engine:
        engine.load_model("model", path, record_requests=True)
        for question in questions:
            with engine.create_agent(graph) as agent:
                turn = agent.start(question)
                turn.wait_event()  # the first token is there
                turn.cancel()
                turn.result()
        asked = engine.recorded_requests("model")
        return [request.prompt_tokens for request in asked]


def reply_graph(
    *,
    system_prompt: str,
    context_size: int,
    max_tokens: int,
    threads: int,
    default_exit: str = "",
) -> GraphDescription:
    """A node "reply" that streams the likeliest tokens; the caller adds its exit."""
    params = GenerateParams(
        system_prompt=system_prompt,
        context_size=context_size,
        stream=True,
        sampling=SamplingOverrides(temperature=0.0, max_tokens=max_tokens),
        context=ContextOverrides(n_threads=threads),
        default_exit=default_exit,
    )
    return GraphDescription().add_node("reply", params).set_start_node("reply")


@dataclass(frozen=True, kw_only=True)
class Answer:
    """A reply with diagnostics; times are as in `Reply`.

    Attributes:
        start: When the turn was asked for.
        first_token: When the first piece of the reply was there.
        end: When the turn was complete.
        node: The diagnostics of the turn's first node.
    """

    start: float
    first_token: float
    end: float
    node: Mapping[str, Any]

    @property
    def first_token_s(self) -> float:
        """Seconds from asking for the turn to the first piece of the reply."""
        return self.first_token - self.start


def ask(agent: Agent, text: str) -> Answer:
    """Runs a turn of an agent; raises what `listen` raises."""
    return listen(lambda: agent.stream(text))


def listen(start_turn: Callable[[], Iterable[Event]]) -> Answer:
    """Runs a turn whose reply may be short.

    Args:
        start_turn: Starts it, for an agent or in a scene with diagnostics.

    Raises:
        TalefoldError: The turn's own.
    """
    start = time.perf_counter()
    first_token = None
    for event in start_turn():
        if first_token is None and isinstance(event, AnswerText):
            first_token = time.perf_counter()
        if isinstance(event, TurnComplete):
            end = time.perf_counter()
            if event.error is not None:
                raise event.error
            assert event.debug_info is not None
            node = event.debug_info["nodes"][0]
    # A reply without text has no first piece, and takes as long.
    return Answer(start=start, first_token=first_token or end, end=end, node=node)


def speak(agent: Agent, text: str) -> Reply:
    """Runs a turn.

    Raises:
        TalefoldError: The turn's own; InvalidArgument for a reply of fewer than two
            tokens, which has no rate.
    """
    times: list[float] = []
    reply = ""
    for event in agent.stream(text):
        if isinstance(event, AnswerText):
            if event.is_delta:
                times.append(time.perf_counter())
            else:
                reply = event.text
        elif isinstance(event, TurnComplete):
            end = time.perf_counter()
            if event.error is not None:
                raise event.error
            tokens = event.tokens_generated
    if tokens < 2 or not times:
        raise TalefoldError(
            ErrorCode.InvalidArgument,
            f"the model ended its reply after {tokens} tokens: nothing to measure",
            "raise --tokens, or choose another model",
        )
    return Reply(times=times, end=end, tokens=tokens, text=reply)


def joint_rate(replies: Sequence[Reply]) -> float:
    """Tokens a second of replies that ran together, while all of them did.

    The window is from the latest beginning to the earliest last piece. Each reply
    counts with the pieces between its own first and last one in there, so that nothing
    is lost at the edges; a piece stands for as many tokens as in the whole reply.

    Raises:
        TalefoldError: InvalidArgument when they hardly ran together.
    """
    begin = max(reply.times[0] for reply in replies)
    end = min(reply.times[-1] for reply in replies)
    rate = 0.0
    for reply in replies:
        inside = [moment for moment in reply.times if begin <= moment <= end]
        if len(inside) < 2:
            raise TalefoldError(
                ErrorCode.InvalidArgument,
                "the replies hardly ran at the same time: nothing to measure",
                "raise --tokens",
            )
        tokens = (len(inside) - 1) * reply.tokens / len(reply.times)
        rate += tokens / (inside[-1] - inside[0])
    return rate
