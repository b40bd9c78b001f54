"""`decode`: one reply, against a bare llama_decode loop over the same library."""

from __future__ import annotations

from collections.abc import Sequence

from talefold.bench.bare import BareRun
from talefold.bench.bare_process import BareProcess
from talefold.bench.memory import copy_bandwidth
from talefold.bench.report import Bar, Chart, Curve, Figure, Report, median, ratios
from talefold.bench.talk import (
    STORYTELLER,
    Reply,
    locate,
    prompts_of,
    reply_graph,
    speak,
)
from talefold.engine import Engine

__all__ = ["BAR", "decode_report", "run_decode"]

BAR = 0.97  # of the bare loop's tokens a second
_QUESTION = "Tell me a very long story about a knight, a dragon and a village."


def run_decode(
    *, model: str, threads: int, repetitions: int, tokens: int, context_size: int
) -> Report:
    """Measures one stream, in turns with the bare loop.

    Both have the same prompt, context size, threads, prefill calls and greedy sampler
    of llama.cpp, and count from the first token to the end of the reply: for the engine
    until its TurnComplete is there. The first round of both warms up. A reply that
    ends early is compared with as many tokens of the loop, which goes on past an end.
    """
    path = locate(model)
    graph = reply_graph(
        system_prompt=STORYTELLER,
        context_size=context_size,
        max_tokens=tokens,
        threads=threads,
    )
    prompts = prompts_of(path, graph, [_QUESTION])
    ours: list[Reply] = []
    bare: list[BareRun] = []
    with (
        Engine(slots_per_pool=1) as engine,
        BareProcess(path, slot_size=context_size, n_slots=1, threads=threads) as loop,
    ):
        engine.load_model("model", path)
        for _ in range(repetitions + 1):
            with engine.create_agent(graph) as agent:
                ours.append(speak(agent, _QUESTION))
            bare.append(loop.run(prompts, ours[-1].tokens))
        same = all(
            reply.text.strip() == run.texts[0].strip()
            for reply, run in zip(ours, bare, strict=True)
        )
        weight_bytes = loop.weight_bytes()
    return decode_report(
        settings={
            "model": path.name,
            "threads": threads,
            "repetitions": repetitions,
            "tokens": tokens,
            "context_size": context_size,
        },
        ours=[reply.rate for reply in ours[1:]],
        bare=[run.rate for run in bare[1:]],
        generated=ours[-1].tokens,
        weight_bytes=weight_bytes,
        copy_gb=copy_bandwidth(threads),
        same_text=same,
    )


def decode_report(
    *,
    settings: dict[str, object],
    ours: Sequence[float],
    bare: Sequence[float],
    generated: int,
    weight_bytes: int,
    copy_gb: float,
    same_text: bool,
) -> Report:
    """From tokens a second of each repetition."""
    ratio = ratios(ours, bare)
    rounds = list(range(1, len(ours) + 1))
    return Report(
        benchmark="decode",
        settings=settings,
        figures=[
            Figure(name="talefold", unit="tokens/s", samples=ours),
            Figure(name="bare loop", unit="tokens/s", samples=bare),
            Figure(name="talefold / bare loop", unit="x", samples=ratio),
            Figure(
                name="weights read by talefold",
                unit="GB/s",
                samples=[weight_bytes * rate / 1e9 for rate in ours],
            ),
            Figure(name="plain copy, read and written", unit="GB/s", samples=[copy_gb]),
        ],
        bars=[
            Bar(
                name="one stream / bare loop",
                value=median(ratio),
                relation=">=",
                limit=BAR,
            )
        ],
        charts=[
            Chart(
                x_label="repetition",
                y_label="tokens/s",
                curves=[
                    Curve(name="talefold", x=rounds, y=ours),
                    Curve(name="bare loop", x=rounds, y=bare),
                ],
            )
        ],
        notes=[
            f"{generated} tokens a reply",
            "both wrote the same text"
            if same_text
            else "the texts differ: the two did not do the same work",
        ],
    )
