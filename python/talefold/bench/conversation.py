"""The long conversation of `reuse`, `flat` and `peers`, measured turn by turn."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path

from talefold.agent import Agent
from talefold.bench.kept_runs import (
    ConversationRun,
    ConversationTurn,
    keep_runs,
    read_runs,
)
from talefold.bench.report import Chart, Report, turn_chart
from talefold.bench.script import REPLY_TOKENS, SYSTEM_PROMPT, Script, write_script
from talefold.bench.talk import ask, locate, reply_graph
from talefold.engine import Engine
from talefold.errors import ErrorCode, TalefoldError
from talefold.graph import (
    ContextOverrides,
    GraphDescription,
    SamplingOverrides,
    SummarizeParams,
)

__all__ = [
    "IDLE",
    "NO_THINK_TIME",
    "ConversationRun",
    "ConversationTurn",
    "Pause",
    "conversation_charts",
    "conversation_graph",
    "conversation_report",
    "converse",
    "fold_params",
]

IDLE = "idle"
NO_THINK_TIME = "no think time"

_KEPT_TURNS = 3
_GUARD_TOKENS = 40  # the sentence before a summary, with the template around it

Pause = Callable[[Agent], object]


def conversation_report(
    make_report: Callable[..., Report],
    *,
    model: str,
    threads: int,
    turns: int,
    context_size: int,
    kept: Path | None = None,
) -> Report:
    """Of the same lines with time between the turns and without.

    IDLE waits after each turn until no background work is left; NO_THINK_TIME sends the
    next line at once.

    Args:
        make_report: Takes the `settings`, and the `runs`, one of each mode.
        model: A GGUF file or a catalogue entry.
        threads: That compute.
        turns: Of each conversation.
        context_size: Of the reply node and of the Summarize node, in tokens.
        kept: The runs are read from this file, or written to it if there is none.
    """
    script = write_script(locate(model), turns)
    fold = fold_params(script, context_size, threads)
    settings = {
        "model": script.path.name,
        "threads": threads,
        "turns": turns,
        "context_size": context_size,
        "trigger_tokens": fold.trigger_tokens,
        "keep_recent_turns": fold.keep_recent_turns,
        "max_summary_tokens": fold.max_summary_tokens,
    }
    if kept is not None and kept.exists():
        return make_report(settings=settings, runs=read_runs(kept, settings))
    pauses: dict[str, Pause] = {IDLE: Agent.wait_background, NO_THINK_TIME: _no_pause}
    runs = {
        mode: converse(script, context_size=context_size, threads=threads, pause=pause)
        for mode, pause in pauses.items()
    }
    if kept is not None:
        keep_runs(kept, settings, runs)
    return make_report(settings=settings, runs=runs)


def converse(
    script: Script, *, context_size: int, threads: int, pause: Pause
) -> ConversationRun:
    """Says every line to one agent, which replies, folds and prepares.

    Raises:
        TalefoldError: InvalidArgument when `context_size` has no room for folds; a
            turn's own.
    """
    graph = conversation_graph(script, context_size, threads)
    turns: list[ConversationTurn] = []
    covered = -1
    with Engine() as engine:
        engine.load_model("model", script.path)
        agent = engine.create_agent(graph, enable_diagnostics=True)
        for line, new_tokens in zip(script.lines, script.new_tokens, strict=True):
            before = engine.stats()
            reply = ask(agent, line)
            pause(agent)
            pause_s = time.perf_counter() - reply.end
            after = engine.stats()
            history = reply.node["history"]
            covered, previous = history.get("covered_through", -1), covered
            turns.append(
                ConversationTurn(
                    first_token_s=reply.first_token_s,
                    turn_s=reply.end - reply.start,
                    pause_s=pause_s,
                    prompt_tokens=reply.node["input"]["prompt_tokens"],
                    new_tokens=new_tokens,
                    decoded_tokens=reply.node["input"]["decoded_tokens"],
                    background_tokens=after.background_prefill_tokens
                    - before.background_prefill_tokens,
                    prefilled_tokens=after.prefill_tokens - before.prefill_tokens,
                    after_fold=covered > previous,
                    trimmed="trimmed_from" in history,
                    reply=reply.node["output"]["text"],
                )
            )
        return ConversationRun(turns=turns, stats=engine.stats())


def conversation_charts(runs: Mapping[str, ConversationRun]) -> list[Chart]:
    """Time to the first token, and tokens computed for it; the first turn left out."""
    return [
        turn_chart(
            label,
            {
                mode: [None, *(getattr(turn, attribute) for turn in run.turns[1:])]
                for mode, run in runs.items()
            },
        )
        for label, attribute in (
            ("s to the first token", "first_token_s"),
            ("tokens prefilled for it", "decoded_tokens"),
        )
    ]


def conversation_graph(
    script: Script, context_size: int, threads: int
) -> GraphDescription:
    """A node "reply", then a node that folds in the background."""
    return reply_graph(
        system_prompt=SYSTEM_PROMPT,
        context_size=context_size,
        max_tokens=REPLY_TOKENS,
        threads=threads,
        default_exit="summarize",
    ).add_node("summarize", fold_params(script, context_size, threads))


def fold_params(script: Script, context_size: int, threads: int) -> SummarizeParams:
    """Sizes by the arithmetic of docs/long-conversations.md: folds come before trims.

    Of the trigger that is possible, half.
    """
    summary_tokens = max(16, context_size // 8)
    allowance = min(128, context_size // 16)
    possible = (
        context_size
        - (REPLY_TOKENS + allowance)
        - (script.frames.system + _GUARD_TOKENS + summary_tokens)
        - (_KEPT_TURNS + 1) * script.turn_tokens
    )
    if possible < 2:
        raise TalefoldError(
            ErrorCode.InvalidArgument,
            f"a context of {context_size} tokens has no room for a summary of "
            f"{summary_tokens} and {_KEPT_TURNS + 1} turns of {script.turn_tokens}",
            "raise --context",
        )
    return SummarizeParams(
        context_size=context_size,
        trigger_tokens=possible // 2,
        keep_recent_turns=_KEPT_TURNS,
        max_summary_tokens=summary_tokens,
        sampling=SamplingOverrides(temperature=0.0),
        run_inline=False,
        context=ContextOverrides(n_threads=threads),
    )


def _no_pause(agent: Agent) -> None:
    pass
