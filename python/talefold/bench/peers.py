"""`peers`: one conversation, held by talefold and by others over llama.cpp."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context

from talefold.bench.conversation import fold_params
from talefold.bench.langgraph_peer import missing_packages, run_peer
from talefold.bench.peer import Job, PeerTurn
from talefold.bench.peer_llama_cpp import run_llama_cpp
from talefold.bench.peer_nobodywho import run_nobodywho
from talefold.bench.peer_talefold import run_talefold, run_talefold_idle
from talefold.bench.peer_xllamacpp import run_xllamacpp
from talefold.bench.peers_report import (
    LLAMA_CPP,
    NOBODYWHO,
    TALEFOLD,
    TALEFOLD_IDLE,
    XLLAMACPP,
    PeerRun,
    peers_report,
)
from talefold.bench.report import Report
from talefold.bench.script import REPLY_TOKENS, Script, write_script
from talefold.bench.talk import locate
from talefold.engine import Engine

__all__ = ["run_peers"]

_LANGGRAPH = "LangGraph + LangMem"


@dataclass(frozen=True, kw_only=True)
class _Contender:
    """`run` is imported by another process; `package`: what it needs there."""

    run: Callable[[Job], list[PeerTurn]]
    package: str
    install: str = ""


_CONTENDERS = {
    TALEFOLD: _Contender(run=run_talefold, package="talefold"),
    TALEFOLD_IDLE: _Contender(run=run_talefold_idle, package="talefold"),
    LLAMA_CPP: _Contender(run=run_llama_cpp, package="llama_cpp"),
    XLLAMACPP: _Contender(
        run=run_xllamacpp, package="xllamacpp", install="xllamacpp>=2026.10"
    ),
    NOBODYWHO: _Contender(
        run=run_nobodywho, package="nobodywho", install="nobodywho==1.5.0"
    ),
}


def run_peers(
    *, model: str, threads: int, turns: int, context_size: int, think_s: float
) -> Report:
    """Runs the conversation once with each, in a process of its own.

    LangGraph + LangMem has the lines too, but no model: what it takes is bookkeeping.
    """
    job = Job(
        script=write_script(locate(model), turns),
        context_size=context_size,
        threads=threads,
        think_s=think_s,
    )
    runs: dict[str, PeerRun] = {}
    missing: dict[str, str] = {}
    for name, contender in _CONTENDERS.items():
        if importlib.util.find_spec(contender.package) is None:
            missing[name] = contender.install
        else:
            taken = _in_new_process(contender.run, job)
            runs[name] = PeerRun(turns=taken, overflow=_overflow(job, taken))
    bookkeeping_ms: list[float] = []
    if missing_packages():
        missing[_LANGGRAPH] = '"langgraph>=1" "langmem>=0.0.30"'
    else:
        bookkeeping_ms = _bookkeeping(job)
    return peers_report(
        settings={
            "model": job.script.path.name,
            "threads": threads,
            "turns": turns,
            "context_size": context_size,
            "think_s": think_s,
        },
        runs=runs,
        missing=missing,
        bookkeeping_ms=bookkeeping_ms,
    )


def _in_new_process(run: Callable[[Job], list[PeerTurn]], job: Job) -> list[PeerTurn]:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        return process.submit(run, job).result()


def _overflow(job: Job, turns: Sequence[PeerTurn]) -> int | None:
    """The first turn, from 1, whose prompt cannot show the whole dialog."""
    with Engine() as engine:
        engine.load_model("model", job.script.path)
        replies = [engine.count_tokens("model", turn.reply) for turn in turns]
    room = job.context_size - REPLY_TOKENS
    prompts = job.script.prompt_tokens(replies)
    return next((i for i, tokens in enumerate(prompts, 1) if tokens > room), None)


def _bookkeeping(job: Job) -> list[float]:
    fold = fold_params(job.script, job.context_size, job.threads)
    return run_peer(
        job.script.lines,
        reply=_usual_reply(job.script),
        context_size=job.context_size,
        trigger_tokens=fold.trigger_tokens,
        max_summary_tokens=fold.max_summary_tokens,
    )


def _usual_reply(script: Script) -> str:
    """As long as the others' are."""
    words = script.lines[0].split() * REPLY_TOKENS
    return " ".join(words[:REPLY_TOKENS])
