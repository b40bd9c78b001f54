"""LangGraph with LangMem's SummarizationNode: the peer of `overhead`."""

from __future__ import annotations

import importlib.util
import time
from typing import Any

from talefold.bench.scripted import CONTEXT_SIZE, MESSAGE_WORDS
from talefold.bench.texts import numbered_words

__all__ = ["missing_packages", "run_peer"]

_PACKAGES = ("langgraph", "langmem")
# As of our SummarizeParams, which fold 1,024 tokens into 256.
_FOLD_TOKENS = 1024
_SUMMARY_TOKENS = 256


def missing_packages() -> list[str]:
    """Those of the peer that are not installed."""
    return [name for name in _PACKAGES if importlib.util.find_spec(name) is None]


def run_peer(turns: int) -> list[float]:
    """The same dialog as ours, with fake models, kept by its in-memory checkpointer.

    Returns:
        Milliseconds of each turn.
    """
    graph = _graph()
    config = {"configurable": {"thread_id": "1"}}
    taken = []
    for turn in range(turns):
        message = {"role": "user", "content": numbered_words(MESSAGE_WORDS, turn)}
        start = time.perf_counter()
        graph.invoke({"messages": [message]}, config)
        taken.append((time.perf_counter() - start) * 1000)
    return taken


def _graph() -> Any:
    from langchain_core.language_models import FakeListChatModel
    from langgraph.checkpoint.memory import InMemorySaver
    from langgraph.graph import START, MessagesState, StateGraph
    from langmem.short_term import SummarizationNode

    talker = FakeListChatModel(responses=[numbered_words(MESSAGE_WORDS, 11)])
    folder = FakeListChatModel(responses=[numbered_words(120, 3)])

    class State(MessagesState):  # type: ignore[misc]
        context: dict[str, Any]
        summarized_messages: list[Any]

    def talk(state: Any) -> dict[str, Any]:
        return {"messages": [talker.invoke(state["summarized_messages"])]}

    graph = StateGraph(State)
    graph.add_node(
        "summarize",
        SummarizationNode(
            model=folder,
            max_tokens=CONTEXT_SIZE,
            max_tokens_before_summary=_FOLD_TOKENS,
            max_summary_tokens=_SUMMARY_TOKENS,
        ),
    )
    graph.add_node("talk", talk)
    graph.add_edge(START, "summarize")
    graph.add_edge("summarize", "talk")
    return graph.compile(checkpointer=InMemorySaver())
