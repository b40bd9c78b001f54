"""`snapshot`: a saved conversation that goes on, with its KV cache and without."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from talefold.agent import Agent
from talefold.bench.report import Bar, Figure, Report, median, ratios, turn_chart
from talefold.bench.script import REPLY_TOKENS, SYSTEM_PROMPT, measure_frames
from talefold.bench.talk import ask, locate, reply_graph
from talefold.bench.texts import player_lines
from talefold.engine import Engine
from talefold.graph import GraphDescription

__all__ = ["SavedConversation", "run_snapshot", "snapshot_report"]

FASTER_BAR = 20.0  # times, to the first token
_NEXT_LINE = "Where did we stop?"


@dataclass(frozen=True, kw_only=True)
class SavedConversation:
    """A conversation outside of any engine.

    Attributes:
        snapshot: Text of `Agent.export_snapshot`.
        kv: Bytes of `Agent.export_kv`.
        save_s: Seconds that both took, each time they were called.
    """

    snapshot: str
    kv: bytes
    save_s: Sequence[float]


@dataclass(frozen=True, kw_only=True)
class _FirstTurn:
    """The first turn after loading.

    Attributes:
        first_token_s: From before the agent is created to the first piece of its reply.
        prompt_tokens: Of the reply's prompt.
        decoded_tokens: Of these, computed.
    """

    first_token_s: float
    prompt_tokens: int
    decoded_tokens: int


def run_snapshot(
    *, model: str, threads: int, repetitions: int, tokens: int, context_size: int
) -> Report:
    """Saves a conversation of about `tokens` tokens, then goes on in new engines.

    Each has the model loaded and its KV pool allocated.
    """
    path = locate(model)
    graph, strange = (
        reply_graph(
            system_prompt=system_prompt,
            context_size=context_size,
            max_tokens=REPLY_TOKENS,
            threads=threads,
        )
        for system_prompt in (SYSTEM_PROMPT, "You are a stranger.")
    )
    saved = _save(path, graph, tokens, repetitions)
    anew: list[_FirstTurn] = []
    with_kv: list[_FirstTurn] = []
    for _ in range(repetitions):
        anew.append(_go_on(path, graph, strange, saved.snapshot, None))
        with_kv.append(_go_on(path, graph, strange, saved.snapshot, saved.kv))
    return snapshot_report(
        settings={
            "model": path.name,
            "threads": threads,
            "repetitions": repetitions,
            "tokens": tokens,
            "context_size": context_size,
        },
        saved=saved,
        anew=[turn.first_token_s for turn in anew],
        with_kv=[turn.first_token_s for turn in with_kv],
        prompt_tokens=with_kv[0].prompt_tokens,
        decoded_tokens=[turn.decoded_tokens for turn in with_kv],
    )


def snapshot_report(
    *,
    settings: dict[str, object],
    saved: SavedConversation,
    anew: Sequence[float],
    with_kv: Sequence[float],
    prompt_tokens: int,
    decoded_tokens: Sequence[int],
) -> Report:
    """From seconds to the first token, without and with KV bytes."""
    faster = ratios(anew, with_kv)
    return Report(
        benchmark="snapshot",
        settings=settings,
        figures=[
            Figure(name="first token, without KV", unit="s", samples=anew),
            Figure(name="first token, with KV", unit="s", samples=with_kv),
            Figure(name="without KV / with KV", unit="x", samples=faster),
            Figure(name="prompt", unit="tokens", samples=[prompt_tokens]),
            Figure(
                name="prefilled, with KV", unit="tokens", samples=list(decoded_tokens)
            ),
            Figure(name="saving, KV included", unit="s", samples=saved.save_s),
            Figure(name="KV bytes", unit="MB", samples=[len(saved.kv) / 1e6]),
            Figure(
                name="snapshot text",
                unit="MB",
                samples=[len(saved.snapshot.encode()) / 1e6],
            ),
        ],
        bars=[
            Bar(
                name="first token, without KV / with KV",
                value=median(faster),
                relation=">=",
                limit=FASTER_BAR,
            )
        ],
        charts=[
            turn_chart(
                "s to the first token",
                {"without KV": anew, "with KV": with_kv},
                x_label="repetition",
                log_y=True,
            )
        ],
    )


def _save(
    path: Path, graph: GraphDescription, tokens: int, repetitions: int
) -> SavedConversation:
    """The turns come from a script, but for the last one, which fills the KV cache."""
    with Engine() as engine:
        engine.load_model("model", path)
        agent = engine.create_agent(graph)
        _append_turns(engine, agent, tokens)
        agent.send("And then?")
        agent.wait_background()
        save_s = []
        for _ in range(repetitions):
            start = time.perf_counter()
            snapshot, kv = agent.export_snapshot(), agent.export_kv()
            save_s.append(time.perf_counter() - start)
    return SavedConversation(snapshot=snapshot, kv=kv, save_s=save_s)


def _append_turns(engine: Engine, agent: Agent, tokens: int) -> None:
    """So many that a prompt of them has about `tokens` tokens."""
    frames = measure_frames(engine)
    lines = iter(player_lines(tokens))
    count = frames.system
    while count < tokens:
        user, assistant = next(lines), next(lines)
        count += engine.count_tokens("model", f"{user} {assistant}")
        count += frames.interaction
        agent.append_interaction(user=user, assistant=assistant)


def _go_on(
    path: Path,
    graph: GraphDescription,
    strange: GraphDescription,
    snapshot: str,
    kv: bytes | None,
) -> _FirstTurn:
    """One more turn of the conversation.

    Raises:
        TalefoldError: The KV bytes were rejected.
    """
    with Engine() as engine:
        engine.load_model("model", path)
        with engine.create_agent(strange) as stranger:
            stranger.send("Hello.")  # makes the pool
        start = time.perf_counter()
        with engine.create_agent(
            graph, enable_diagnostics=True, snapshot=snapshot, kv=kv
        ) as agent:
            if agent.kv_rejection is not None:
                raise agent.kv_rejection
            answer = ask(agent, _NEXT_LINE)
        return _FirstTurn(
            first_token_s=answer.first_token - start,
            prompt_tokens=answer.node["input"]["prompt_tokens"],
            decoded_tokens=answer.node["input"]["decoded_tokens"],
        )
