"""LangGraph with LangMem's SummarizationNode: bookkeeping without a model."""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Iterable
from typing import Any

from talefold.bench.texts import numbered_words

__all__ = ["missing_packages", "run_peer"]

_PACKAGES = ("langgraph", "langmem")


def missing_packages() -> list[str]:
    """Those of the peer that are not installed."""
    return [name for name in _PACKAGES if importlib.util.find_spec(name) is None]


def run_peer(
    lines: Iterable[str],
    *,
    reply: str,
    context_size: int,
    trigger_tokens: int,
    max_summary_tokens: int,
) -> list[float]:
    """A dialog with fake models, kept by its in-memory checkpointer.

    Args:
        lines: What the player says; making one is not timed.
        reply: What the character says to all of them.
        context_size: Most tokens of a prompt.
        trigger_tokens: Of turns that are folded together.
        max_summary_tokens: Of what they are folded into.

    Returns:
        Milliseconds of each turn.
    """
    graph = _graph(
        reply,
        max_tokens=context_size,
        max_tokens_before_summary=trigger_tokens,
        max_summary_tokens=max_summary_tokens,
    )
    config = {"configurable": {"thread_id": "1"}}
    taken = []
    for line in lines:
        message = {"role": "user", "content": line}
        start = time.perf_counter()
        graph.invoke({"messages": [message]}, config)
        taken.append((time.perf_counter() - start) * 1000)
    return taken


def _graph(reply: str, **sizes: int) -> Any:
    from langchain_core.language_models import FakeListChatModel
    from langgraph.checkpoint.memory import InMemorySaver
    from langgraph.graph import START, MessagesState, StateGraph
    from langmem.short_term import SummarizationNode

    talker = FakeListChatModel(responses=[reply])
    folder = FakeListChatModel(responses=[numbered_words(120, 3)])

    class State(MessagesState):  # type: ignore[misc]
        context: dict[str, Any]
        summarized_messages: list[Any]

    def talk(state: Any) -> dict[str, Any]:
        return {"messages": [talker.invoke(state["summarized_messages"])]}

    graph = StateGraph(State)
    graph.add_node("summarize", SummarizationNode(model=folder, **sizes))
    graph.add_node("talk", talk)
    graph.add_edge(START, "summarize")
    graph.add_edge("summarize", "talk")
    return graph.compile(checkpointer=InMemorySaver())
