"""`batch`: several agents at the same time, against a loop, and one by one."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from threading import Barrier

from talefold.agent import Agent
from talefold.bench.bare_process import BareProcess
from talefold.bench.report import Bar, Chart, Curve, Figure, Report, median, ratios
from talefold.bench.talk import (
    STORYTELLER,
    Reply,
    joint_rate,
    locate,
    prompts_of,
    reply_graph,
    speak,
)
from talefold.engine import Engine
from talefold.graph import GraphDescription

__all__ = ["BARE_BAR", "SERIAL_BARS", "Rates", "batch_report", "run_batch"]

BARE_BAR = 0.95  # of the bare loop's tokens a second
SERIAL_BARS = {4: 1.2, 8: 1.5}  # by agents: of the tokens/s of one after the other
_THINGS = ("knight", "dragon", "village", "river", "tower", "ship", "forest", "king")


@dataclass(frozen=True)
class Rates:
    """Tokens a second of some agents, added up; a sample a repetition."""

    agents: int
    together: list[float] = field(default_factory=list)
    bare: list[float] = field(default_factory=list)
    one_by_one: list[float] = field(default_factory=list)


def run_batch(
    *,
    model: str,
    threads: int,
    repetitions: int,
    tokens: int,
    agents: Sequence[int],
    context_size: int,
) -> Report:
    """Measures generation alone, for each number of agents.

    Every agent has a thread that reads its stream. Prompts are of about the same
    length and share their beginning. Prefill is left out: agents together count while
    all of them generate (`joint_rate`); one by one, each from its first token to its
    end. The bare loop has the same prompts, as many slots as the engine's pool, and
    neighbouring sequences, which are the fastest. The first round warms up.
    """
    path = locate(model)
    graph = reply_graph(
        system_prompt=STORYTELLER,
        context_size=context_size,
        max_tokens=tokens,
        threads=threads,
    )
    most = max(agents)
    questions = [_question(i) for i in range(most)]
    prompts = prompts_of(path, graph, questions)
    rates = [Rates(count) for count in agents]
    with ExitStack() as stack:
        engine = stack.enter_context(Engine(slots_per_pool=most, worker_threads=most))
        engine.load_model("model", path)
        _together(engine, graph, questions)
        (pool,) = engine.stats().pools
        loop = stack.enter_context(
            BareProcess(
                path, slot_size=pool.context_size, n_slots=pool.slots, threads=threads
            )
        )
        loop.run(prompts, tokens)
        for _ in range(repetitions):
            for each in rates:
                asked = questions[: each.agents]
                each.together.append(joint_rate(_together(engine, graph, asked)))
                each.bare.append(loop.run(prompts[: each.agents], tokens).rate)
                each.one_by_one.append(_serial_rate(_one_by_one(engine, graph, asked)))
        failures = engine.stats().failed_requests + engine.stats().repaired_states
    settings = {
        "model": path.name,
        "threads": threads,
        "repetitions": repetitions,
        "tokens": tokens,
        "agents": list(agents),
        "context_size": context_size,
        "slots": pool.slots,
    }
    return batch_report(settings=settings, rates=rates, failures=failures)


def batch_report(
    *, settings: dict[str, object], rates: Sequence[Rates], failures: int
) -> Report:
    """From tokens a second of each number of agents."""
    figures: list[Figure] = []
    bars: list[Bar] = []
    curves: list[Curve] = []
    for each in rates:
        label = f"{each.agents} agents"
        to_bare = ratios(each.together, each.bare)
        gain = ratios(each.together, each.one_by_one)
        for name, unit, samples in (
            ("together", "tokens/s", each.together),
            ("bare loop", "tokens/s", each.bare),
            ("one by one", "tokens/s", each.one_by_one),
            ("together / bare loop", "x", to_bare),
            ("together / one by one", "x", gain),
        ):
            figures.append(Figure(name=f"{label} {name}", unit=unit, samples=samples))
            if unit != "x":
                rounds = list(range(1, len(samples) + 1))
                curves.append(Curve(name=f"{label} {name}", x=rounds, y=samples))
        bars.append(_bar(f"{label} / bare loop", to_bare, BARE_BAR))
        if each.agents in SERIAL_BARS:
            limit = SERIAL_BARS[each.agents]
            bars.append(_bar(f"{label} / one by one", gain, limit))
    return Report(
        benchmark="batch",
        settings=settings,
        figures=figures,
        bars=bars,
        charts=[Chart(x_label="repetition", y_label="tokens/s", curves=curves)],
        notes=[f"{failures} requests failed or states repaired"],
    )


def _bar(name: str, samples: Sequence[float], limit: float) -> Bar:
    return Bar(name=name, value=median(samples), relation=">=", limit=limit)


def _question(i: int) -> str:
    thing = _THINGS[i % len(_THINGS)]
    return f"Tell me a very long story about a {thing}. It is story number {i + 1}."


def _together(
    engine: Engine, graph: GraphDescription, questions: Sequence[str]
) -> list[Reply]:
    with ExitStack() as stack:
        agents = [stack.enter_context(engine.create_agent(graph)) for _ in questions]
        threads = stack.enter_context(ThreadPoolExecutor(len(questions)))
        ready = Barrier(len(questions))

        def speak_with_all(agent: Agent, question: str) -> Reply:
            ready.wait()
            return speak(agent, question)

        return list(threads.map(speak_with_all, agents, questions))


def _one_by_one(
    engine: Engine, graph: GraphDescription, questions: Sequence[str]
) -> list[Reply]:
    replies = []
    for question in questions:
        with engine.create_agent(graph) as agent:
            replies.append(speak(agent, question))
    return replies


def _serial_rate(replies: Sequence[Reply]) -> float:
    """Tokens a second while there was a reply."""
    seconds = sum(reply.end - reply.times[0] for reply in replies)
    return sum(reply.tokens - 1 for reply in replies) / seconds
