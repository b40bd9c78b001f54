"""Agents whose model costs nothing: what the benchmarks without weights share."""

from __future__ import annotations

from talefold.agent import Agent
from talefold.bench.texts import numbered_words
from talefold.engine import Engine
from talefold.graph import GenerateParams, GraphDescription, SummarizeParams

__all__ = ["CONTEXT_SIZE", "MESSAGE_WORDS", "load_scripts", "scripted_agent"]

CONTEXT_SIZE = 4096  # tokens, which are words here
MESSAGE_WORDS = 40  # of messages and replies


def load_scripts(engine: Engine) -> None:
    """Loads what agents of `scripted_agent` use."""
    engine.load_scripted_model("talker", replies=[numbered_words(MESSAGE_WORDS, 11)])
    engine.load_scripted_model("folder", replies=[numbered_words(120, 3)])


def scripted_agent(engine: Engine, *, with_folds: bool) -> Agent:
    """A reply node that streams and, `with_folds`, a node that folds after it."""
    talker = GenerateParams(
        system_prompt=numbered_words(60, 5), context_size=CONTEXT_SIZE, stream=True
    )
    graph = GraphDescription()
    if with_folds:
        talker.default_exit = "summarize"
        graph.add_node("summarize", SummarizeParams(model_name="folder"))
    graph.add_node("generate", talker).set_start_node("generate")
    return engine.create_agent(graph, default_model_name="talker")
