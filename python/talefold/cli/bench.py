"""`talefold bench`: the benchmarks, one command each.

They are imported when they run: they need more than the other commands.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from talefold.catalogue import BUILT_IN_MODEL
from talefold.cli.stage import fails_readably

if TYPE_CHECKING:
    from talefold.bench.report import Report

bench = typer.Typer(
    help="Measure, and compare with the bars. A missed bar is exit code 0, too.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

_CPUS = os.cpu_count() or 1

ModelOption = Annotated[
    str,
    typer.Option(
        "--model", metavar="FILE.gguf|NAME", help="A GGUF file or a catalogue entry."
    ),
]
ThreadsOption = Annotated[
    int, typer.Option("--threads", metavar="N", min=1, help="Threads that compute.")
]
RepetitionsOption = Annotated[
    int, typer.Option("--repetitions", metavar="N", min=1, help="Rounds that count.")
]
TokensOption = Annotated[
    int, typer.Option("--tokens", metavar="N", min=8, help="Tokens of each reply.")
]
TurnsOption = Annotated[
    int, typer.Option("--turns", metavar="N", min=10, help="Turns of each run.")
]
ContextOption = Annotated[
    int, typer.Option("--context", metavar="TOKENS", min=256, help="Context size.")
]
RunsOption = Annotated[
    Path | None,
    typer.Option(
        "--runs",
        metavar="FILE.json",
        help="Conversations that were kept here, or where to keep them.",
    ),
]
JsonOption = Annotated[
    bool, typer.Option("--json", help="Print everything as JSON, machine included.")
]
PlotOption = Annotated[
    Path | None,
    typer.Option("--plot", metavar="FILE.png", help="Draw the run; needs matplotlib."),
]


@bench.command()
def decode(
    model: ModelOption = BUILT_IN_MODEL,
    threads: ThreadsOption = _CPUS,
    repetitions: RepetitionsOption = 5,
    tokens: TokensOption = 256,
    context: ContextOption = 2048,
    as_json: JsonOption = False,
    plot: PlotOption = None,
) -> None:
    """One reply at a time, against a bare llama_decode loop."""

    def run() -> Report:
        from talefold.bench.decode import run_decode

        return run_decode(
            model=model,
            threads=threads,
            repetitions=repetitions,
            tokens=tokens,
            context_size=context,
        )

    _measure(run, as_json, plot)


@bench.command()
def batch(
    model: ModelOption = BUILT_IN_MODEL,
    threads: ThreadsOption = _CPUS,
    repetitions: RepetitionsOption = 5,
    tokens: TokensOption = 96,
    agents: Annotated[
        list[int] | None,
        typer.Option(
            "--agents",
            metavar="N",
            min=2,
            max=64,
            show_default="4 and 8",
            help="Agents that talk at the same time; may be repeated.",
        ),
    ] = None,
    context: ContextOption = 1024,
    as_json: JsonOption = False,
    plot: PlotOption = None,
) -> None:
    """Several agents at a time, against a bare batched loop, and one by one."""

    def run() -> Report:
        from talefold.bench.batch import run_batch

        return run_batch(
            model=model,
            threads=threads,
            repetitions=repetitions,
            tokens=tokens,
            agents=agents or [4, 8],
            context_size=context,
        )

    _measure(run, as_json, plot)


@bench.command()
def switch(
    model: ModelOption = BUILT_IN_MODEL,
    threads: ThreadsOption = _CPUS,
    repetitions: Annotated[
        int,
        typer.Option(
            "--repetitions", metavar="N", min=1, help="Prefills to compare with."
        ),
    ] = 5,
    turns: TurnsOption = 96,
    agents: Annotated[
        int, typer.Option("--agents", metavar="N", min=2, help="All agents.")
    ] = 32,
    hot: Annotated[
        int,
        typer.Option("--hot", metavar="N", min=1, help="They take 90 % of the turns."),
    ] = 8,
    world_tokens: Annotated[
        int,
        typer.Option(
            "--world", metavar="TOKENS", min=64, help="Of the shared system prompt."
        ),
    ] = 600,
    context: ContextOption = 1024,
    as_json: JsonOption = False,
    plot: PlotOption = None,
) -> None:
    """Many agents with one world prompt under a cap of KV memory."""

    def run() -> Report:
        from talefold.bench.switch import run_switch

        return run_switch(
            model=model,
            threads=threads,
            repetitions=repetitions,
            turns=turns,
            agents=agents,
            hot=min(hot, agents),
            world_tokens=world_tokens,
            context_size=context,
        )

    _measure(run, as_json, plot)


@bench.command()
def reuse(
    model: ModelOption = BUILT_IN_MODEL,
    threads: ThreadsOption = _CPUS,
    turns: TurnsOption = 300,
    context: ContextOption = 1024,
    runs: RunsOption = None,
    as_json: JsonOption = False,
    plot: PlotOption = None,
) -> None:
    """What a long conversation computes, against what is new in it."""

    def run() -> Report:
        from talefold.bench.conversation import conversation_report
        from talefold.bench.reuse import reuse_report

        return conversation_report(
            reuse_report,
            model=model,
            threads=threads,
            turns=turns,
            context_size=context,
            kept=runs,
        )

    _measure(run, as_json, plot)


@bench.command()
def flat(
    model: ModelOption = BUILT_IN_MODEL,
    threads: ThreadsOption = _CPUS,
    turns: TurnsOption = 300,
    context: ContextOption = 1024,
    runs: RunsOption = None,
    as_json: JsonOption = False,
    plot: PlotOption = None,
) -> None:
    """Whether the last turns of a long conversation answer as soon as the first."""

    def run() -> Report:
        from talefold.bench.conversation import conversation_report
        from talefold.bench.flat import flat_report

        return conversation_report(
            flat_report,
            model=model,
            threads=threads,
            turns=turns,
            context_size=context,
            kept=runs,
        )

    _measure(run, as_json, plot)


@bench.command()
def scene(
    model: ModelOption = BUILT_IN_MODEL,
    threads: ThreadsOption = _CPUS,
    tokens: TokensOption = 16,
    characters: Annotated[
        int,
        typer.Option(
            "--characters", metavar="N", min=2, help="Those who say most take turns."
        ),
    ] = 3,
    context: ContextOption = 1024,
    play: Annotated[
        Path | None,
        typer.Option(
            "--play",
            metavar="FILE.jsonl",
            help="A transcript to act out; default: a seeded story.",
        ),
    ] = None,
    lines: Annotated[
        int,
        typer.Option(
            "--lines", metavar="N", min=2, help="Lines of the story, at most."
        ),
    ] = 120,
    stay: Annotated[
        bool,
        typer.Option("--stay", help="Keep those who take turns there all the time."),
    ] = False,
    as_json: JsonOption = False,
    plot: PlotOption = None,
) -> None:
    """Characters who share a story, with prompt caching off and on."""

    def run() -> Report:
        from talefold.bench.scene import run_scene

        return run_scene(
            model=model,
            threads=threads,
            context_size=context,
            tokens=tokens,
            characters=characters,
            play=play,
            lines=lines,
            stay=stay,
        )

    _measure(run, as_json, plot)


@bench.command()
def snapshot(
    model: ModelOption = BUILT_IN_MODEL,
    threads: ThreadsOption = _CPUS,
    repetitions: RepetitionsOption = 5,
    tokens: Annotated[
        int,
        typer.Option("--tokens", metavar="N", min=64, help="Of the conversation."),
    ] = 2000,
    context: ContextOption = 4096,
    as_json: JsonOption = False,
    plot: PlotOption = None,
) -> None:
    """A saved conversation that goes on, with its KV cache and without."""

    def run() -> Report:
        from talefold.bench.snapshot import run_snapshot

        return run_snapshot(
            model=model,
            threads=threads,
            repetitions=repetitions,
            tokens=tokens,
            context_size=context,
        )

    _measure(run, as_json, plot)


@bench.command()
def peers(
    model: ModelOption = BUILT_IN_MODEL,
    threads: ThreadsOption = _CPUS,
    turns: TurnsOption = 60,
    context: ContextOption = 1024,
    think: Annotated[
        float,
        typer.Option(
            "--think", metavar="SECONDS", min=0, help="Between two turns, for all."
        ),
    ] = 0.0,
    as_json: JsonOption = False,
    plot: PlotOption = None,
) -> None:
    """One conversation, held by talefold and by others over llama.cpp."""

    def run() -> Report:
        from talefold.bench.peers import run_peers

        return run_peers(
            model=model,
            threads=threads,
            turns=turns,
            context_size=context,
            think_s=think,
        )

    _measure(run, as_json, plot)


@bench.command()
def overhead(
    repetitions: RepetitionsOption = 5,
    turns: TurnsOption = 10_000,
    peer: Annotated[
        bool, typer.Option("--peer/--no-peer", help="LangGraph + LangMem, too.")
    ] = True,
    as_json: JsonOption = False,
    plot: PlotOption = None,
) -> None:
    """What a turn costs beside inference."""

    def run() -> Report:
        from talefold.bench.overhead import run_overhead

        return run_overhead(repetitions=repetitions, turns=turns, peer=peer)

    _measure(run, as_json, plot)


@bench.command("import")
def import_(
    repetitions: RepetitionsOption = 5,
    turns: TurnsOption = 6000,
    as_json: JsonOption = False,
    plot: PlotOption = None,
) -> None:
    """A long log appended to an agent, then a turn."""

    def run() -> Report:
        from talefold.bench.import_log import run_import

        return run_import(repetitions=repetitions, turns=turns)

    _measure(run, as_json, plot)


@bench.command()
def retrieval(
    repetitions: RepetitionsOption = 5,
    records: Annotated[
        list[int] | None,
        typer.Option(
            "--records",
            metavar="N",
            min=1,
            max=1_000_000,
            show_default="1,000, 10,000 and 100,000",
            help="Records to search; may be repeated.",
        ),
    ] = None,
    dimensions: Annotated[
        int,
        typer.Option("--dimensions", metavar="N", min=1, max=8192, help="Of a vector."),
    ] = 384,
    top_k: Annotated[
        int, typer.Option("--top-k", metavar="N", min=1, max=1000, help="To find.")
    ] = 10,
    as_json: JsonOption = False,
    plot: PlotOption = None,
) -> None:
    """Exact search among vectors, against numpy over the same numbers."""

    def run() -> Report:
        from talefold.bench.retrieval import run_retrieval

        return run_retrieval(
            records=records or [1_000, 10_000, 100_000],
            dimensions=dimensions,
            top_k=top_k,
            repetitions=repetitions,
        )

    _measure(run, as_json, plot)


def _measure(run: Callable[[], Report], as_json: bool, plot: Path | None) -> None:
    """Runs a benchmark and shows its report."""
    from talefold.bench.machine import describe_machine
    from talefold.bench.plot import check_plot, write_plot
    from talefold.bench.table import show
    from talefold.cli.view import make_console

    with fails_readably():
        if plot is not None:
            check_plot()
        machine = describe_machine()
        report = run()
        if as_json:
            typer.echo(json.dumps(report.to_json() | {"machine": machine}, indent=2))
        else:
            show(report, machine, make_console())
        if plot is not None:
            write_plot(report, plot)
            typer.echo(f"wrote {plot}", err=True)
