"""`switch`: many agents with one world prompt under a cap of KV memory."""

from __future__ import annotations

import random
import time
from dataclasses import replace
from pathlib import Path

from talefold.agent import Agent
from talefold.bench.report import Report
from talefold.bench.switch_report import Kind, SwitchTurn, switch_report
from talefold.bench.talk import locate, reply_graph
from talefold.bench.texts import words
from talefold.engine import Engine
from talefold.graph import GraphDescription

__all__ = ["run_switch", "speakers"]

AGENTS_OF_CAP = 10
_HOT_SHARE = 0.9
_MESSAGE_WORDS = 8
_REPLY_TOKENS = 6
_SEED = 20240229


def run_switch(
    *,
    model: str,
    threads: int,
    repetitions: int,
    turns: int,
    agents: int,
    hot: int,
    world_tokens: int,
    context_size: int,
) -> Report:
    """Runs turns one after the other; the `hot` first agents take nine in ten.

    The cap is what 10 slots take. What a parked hit costs is the time to its first
    token beyond that of a live hit: both compute equally many tokens of their own, the
    parked one also has its state copied back and, mostly, another one parked. It is
    compared with computing the same prompt in an engine whose KV memory is empty, which
    is measured for `repetitions` of the conversations after the run.
    """
    path = locate(model)
    world, exact_tokens = _world_prompt(path, world_tokens)
    graph, strange = (
        reply_graph(
            system_prompt=system_prompt,
            context_size=context_size,
            max_tokens=_REPLY_TOKENS,
            threads=threads,
        )
        for system_prompt in (world, "You are a stranger.")
    )
    cap = AGENTS_OF_CAP * _slot_bytes(path, strange)
    source = random.Random(_SEED)
    taken: list[SwitchTurn] = []
    with Engine(kv_cache_bytes=cap, worker_threads=1) as engine:
        engine.load_model("model", path)
        cast = [
            engine.create_agent(graph, enable_diagnostics=True) for _ in range(agents)
        ]
        for speaker in speakers(turns, agents, hot, source):
            text = words(_MESSAGE_WORDS, source)
            taken.append(_take_turn(engine, cast[speaker], text, not taken))
        stats = engine.stats()
        saved = [agent.export_snapshot() for agent in cast[: min(hot, repetitions)]]
    text = words(_MESSAGE_WORDS, source)
    prefills = [_prefill(path, graph, strange, each, text) for each in saved]
    return switch_report(
        settings={
            "model": path.name,
            "threads": threads,
            "repetitions": repetitions,
            "turns": turns,
            "agents": agents,
            "hot": hot,
            "world_tokens": exact_tokens,
            "context_size": context_size,
            "kv_cache_bytes": cap,
        },
        turns=taken,
        prefills=prefills,
        world_tokens=exact_tokens,
        stats=stats,
    )


def speakers(
    turns: int, agents: int, hot: int, random_source: random.Random
) -> list[int]:
    """Whose turn it is; every agent outside the hot ones is as likely."""
    return [
        random_source.randrange(hot)
        if random_source.random() < _HOT_SHARE or agents == hot
        else random_source.randrange(hot, agents)
        for _ in range(turns)
    ]


def _world_prompt(path: Path, tokens: int) -> tuple[str, int]:
    """A text of about so many tokens, and how many exactly."""
    source = random.Random(_SEED)
    text = "You live in a small world. What there is in it:"
    with Engine() as engine:
        engine.load_model("model", path)
        while (count := engine.count_tokens("model", text)) < tokens:
            text += f" {words(6, source)}."
    return text, count


def _slot_bytes(path: Path, graph: GraphDescription) -> int:
    """KV memory of one agent's whole context."""
    with Engine(slots_per_pool=1) as engine:
        engine.load_model("model", path)
        with engine.create_agent(graph) as agent:
            agent.send("Hello.")
        (pool,) = engine.stats().pools
        return pool.bytes // pool.slots


def _take_turn(engine: Engine, agent: Agent, text: str, first: bool) -> SwitchTurn:
    before = engine.stats()
    turn = _timed(agent, text)
    after = engine.stats()
    kind: Kind = "cold"
    if first:
        kind = "first"
    elif after.restores > before.restores:
        kind = "parked"
    elif after.reused_tokens > before.reused_tokens:
        kind = "live"
    return replace(turn, kind=kind)


def _timed(agent: Agent, text: str) -> SwitchTurn:
    start = time.perf_counter()
    result = agent.send(text)
    whole_turn_ms = (time.perf_counter() - start) * 1000
    assert result.debug_info is not None
    (node,) = result.debug_info["nodes"]
    return SwitchTurn(
        kind="cold",
        prompt_tokens=node["input"]["prompt_tokens"],
        reused_tokens=node["input"]["reused_tokens"],
        # An empty reply has no first token, and took as long.
        first_token_ms=node["output"].get("first_token_ms", whole_turn_ms),
    )


def _prefill(
    path: Path,
    graph: GraphDescription,
    strange: GraphDescription,
    snapshot: str,
    text: str,
) -> SwitchTurn:
    """One more turn of the conversation, in an engine that does not know it."""
    with Engine() as engine:
        engine.load_model("model", path)
        with engine.create_agent(strange) as stranger:
            stranger.send("Hello.")  # makes the pool
        with engine.create_agent(
            graph, enable_diagnostics=True, snapshot=snapshot
        ) as agent:
            return _timed(agent, text)
