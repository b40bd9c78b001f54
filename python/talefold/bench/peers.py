"""`peers`: one conversation, held by talefold and by others over llama.cpp."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
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
    peers_report,
)
from talefold.bench.report import Report
from talefold.bench.script import REPLY_TOKENS, Script, write_script
from talefold.bench.talk import locate

__all__ = ["PEERS", "Peer", "run_peers"]

_LANGGRAPH = "LangGraph + LangMem"


@dataclass(frozen=True, kw_only=True)
class Peer:
    """`run` is called in another process, where it imports `package`."""

    run: Callable[[Job], list[PeerTurn]]
    package: str
    install: str


PEERS = {
    LLAMA_CPP: Peer(run=run_llama_cpp, package="llama_cpp", install="llama-cpp-python"),
    XLLAMACPP: Peer(
        run=run_xllamacpp, package="xllamacpp", install='"xllamacpp>=2026.10"'
    ),
    NOBODYWHO: Peer(run=run_nobodywho, package="nobodywho", install="nobodywho==1.5.0"),
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
    runs = {
        TALEFOLD: _in_new_process(run_talefold, job),
        TALEFOLD_IDLE: _in_new_process(run_talefold_idle, job),
    }
    absent: dict[str, str] = {}
    for name, peer in PEERS.items():
        if importlib.util.find_spec(peer.package) is None:
            absent[name] = f"missing; pip install {peer.install}"
            continue
        try:
            runs[name] = _in_new_process(peer.run, job)
        except Exception as error:  # its own, of any kind; the others go on
            absent[name] = f"failed; {error}"
    bookkeeping_ms: list[float] = []
    if missing_packages():
        absent[_LANGGRAPH] = 'missing; pip install "langgraph>=1" "langmem>=0.0.30"'
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
        overflow=job.script.overflow(context_size),
        absent=absent,
        bookkeeping_ms=bookkeeping_ms,
    )


def _in_new_process(run: Callable[[Job], list[PeerTurn]], job: Job) -> list[PeerTurn]:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        return process.submit(run, job).result()


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
