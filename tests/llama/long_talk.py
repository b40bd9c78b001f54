"""A long conversation that changes its own past, and the KV cells behind it.

Every request of a node is followed: which prompt tokens were reused, and in which calls
of llama_decode the cells that hold them were filled. The same calls in a context of
their own must then give the same logits, bit for bit: that is what exact reuse means,
since llama.cpp rounds differently for batches of another shape.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from talefold import (
    Agent,
    ContextOverrides,
    Engine,
    GenerateParams,
    GraphDescription,
    RecordedRequest,
    SamplingOverrides,
    SummarizeParams,
    TurnResult,
)

from .reference import ReferenceModel

CHUNK = 64  # prompt tokens of one llama_decode

LINES = (
    "Good evening. I have walked all day, and the road was full of mud.",
    "Do you have a room for the night, and something warm to eat?",
    "My name is Wren. I carry letters from the coast to the hill towns.",
    "Two coppers seems a fair price. What is in the stew?",
    "I heard wolves near the old bridge. Has anyone else heard them?",
    "Who is the man in the corner with the grey hood?",
    "I will tell you a secret: one of the letters is for your mayor.",
    "Is the well in the square still dry, as it was last spring?",
    "Tell me about the fire at the mill. Were you there that night?",
    "Here are four coppers. Keep the rest for your trouble, Edric.",
)

Calls = list[tuple[list[int], int]]  # tokens of a call, how many of its cells are left


@dataclass
class Asked:
    """A request, and the calls that filled the cells it ended with."""

    request: RecordedRequest
    reused: int
    calls: Calls
    generated: int
    resumed: bool  # a cancelled prefill came before it


@dataclass
class NodeTrace:
    """Of one node: its requests so far, and its cells as far as they are known."""

    asked: list[Asked] = field(default_factory=list)
    _calls: Calls = field(default_factory=list)
    _prefill_cancelled: bool = False

    def add(self, request: RecordedRequest, report: dict[str, Any]) -> None:
        reused = report["input"]["reused_tokens"]
        prompt = request.prompt_tokens
        rest = prompt[self._keep(reused) : reused]
        # What was reused beyond the cells known is the beginning of a reply, decoded
        # token by token, or what a cancelled prefill had done.
        self._calls += _chunks(rest, CHUNK if self._prefill_cancelled else 1)
        self._calls += _chunks(prompt[reused:], CHUNK)
        generated = report["output"]["tokens_generated"]
        resumed, self._prefill_cancelled = self._prefill_cancelled, False
        self.asked.append(Asked(request, reused, list(self._calls), generated, resumed))

    def add_cancelled_prefill(self, report: dict[str, Any]) -> None:
        reused = report["input"]["reused_tokens"]
        assert self._keep(reused) == reused
        self._prefill_cancelled = True

    def _keep(self, cells: int) -> int:
        """Drops all but the first cells; returns how many are left."""
        kept: Calls = []
        room = cells
        for tokens, left in self._calls:
            if room > 0:
                kept.append((tokens, min(left, room)))
                room -= kept[-1][1]
        self._calls = kept
        return cells - room


def _chunks(tokens: Sequence[int], size: int) -> Calls:
    chunks = [list(tokens[i : i + size]) for i in range(0, len(tokens), size)]
    return [(chunk, len(chunk)) for chunk in chunks]


def same_calls(
    model: ReferenceModel, asked: Asked, context_size: int, **context: int
) -> np.ndarray:
    """The logits after the same calls in a context of their own."""
    with model.context(context_size, **context) as fresh:
        cells = 0
        for tokens, left in asked.calls:
            logits = fresh.decode(tokens)
            cells += left
            if left < len(tokens):
                fresh.cut(cells)
    return logits


class LongTalk:
    """An agent, its nodes' traces, and what was done to it."""

    def __init__(
        self,
        engine: Engine,
        model: str,
        *,
        context: ContextOverrides,
        context_size: int = 512,
        reply_tokens: int = 24,
        summarizer: str = "",
        **fold: Any,
    ) -> None:
        self._engine = engine
        self._model = model
        talk = GenerateParams(
            context_size=context_size,
            context=context,
            system_prompt="You are Edric, an innkeeper. You answer in one sentence.",
            sampling=SamplingOverrides(
                temperature=0.8, seed=7, max_tokens=reply_tokens
            ),
            stream=True,
            default_exit="fold",
        )
        fold = {"keep_recent_turns": 2, "max_summary_tokens": 48} | fold
        summarize = SummarizeParams(
            model_name=summarizer,
            context_size=0 if summarizer else context_size,
            context=ContextOverrides() if summarizer else replace(context),
            sampling=SamplingOverrides(temperature=0.8, seed=7),
            **fold,
        )
        graph = (
            GraphDescription()
            .add_node("talk", talk)
            .add_node("fold", summarize)
            .set_start_node("talk")
        )
        self.agent: Agent = engine.create_agent(
            graph, default_model_name=model, enable_diagnostics=True
        )
        self.traces = {"talk": NodeTrace(), "fold": NodeTrace()}  # by node
        self.folds = 0
        self.trims = 0
        self._seen = 0

    def say(self, line: str) -> TurnResult:
        return self._follow(self.agent.send(line))

    def regenerate(self) -> TurnResult:
        return self._follow(self.agent.regenerate())

    def cancel_reply(self, line: str) -> None:
        """Stops the turn at the first piece of its reply."""
        turn = self.agent.start(line)
        turn.wait_event()
        turn.cancel()
        self._follow(turn.result(timeout=60))

    def cancel_prefill(self, line: str, seconds: float) -> None:
        """Stops the turn before it has a reply, if it is slow enough."""
        turn = self.agent.start(line)
        time.sleep(seconds)
        turn.cancel()
        self._follow(turn.result(timeout=60))

    def say_until_trimmed(self) -> None:
        """How much of a cancelled reply there is depends on the machine's load."""
        for _ in range(40):
            if self.trims > 0:
                return
            self.say("The road was long, and the rain did not stop. " * 6)

    def edit(self, turns_back: int, **texts: str) -> None:
        self.agent.edit_interaction(self.agent.dialog_size - turns_back, **texts)

    def _follow(self, result: TurnResult) -> TurnResult:
        assert result.debug_info is not None
        requests = self._engine.recorded_requests(self._model)
        new, self._seen = requests[self._seen :], len(requests)
        for node in result.debug_info["nodes"]:
            mine = [request for request in new if request.node == node["name"]]
            self.folds += node["name"] == "fold" and "last_fold" in node
            self.trims += "trimmed_from" in node.get("history", {})
            trace = self.traces[node["name"]]
            if mine:
                [request] = mine
                assert request.cached_tokens == request.prompt_tokens
                trace.add(request, node)
            elif node.get("output", {}).get("stop_reason") == "cancelled":
                trace.add_cancelled_prefill(node)
        return result

    @property
    def asked(self) -> list[Asked]:
        return [asked for trace in self.traces.values() for asked in trace.asked]


Step = Callable[[LongTalk, str], object]


def _say(talk: LongTalk, line: str) -> None:
    talk.say(line)


def _undo(talk: LongTalk, line: str) -> None:
    talk.agent.undo_last_turn()
    talk.say(line)


def _undo_twice(talk: LongTalk, line: str) -> None:
    talk.agent.undo_last_turn()
    talk.agent.undo_last_turn()
    talk.say(line)


def _edit_last(talk: LongTalk, line: str) -> None:
    talk.edit(1, assistant="Aye, as you wish, traveller.")
    talk.say(line)


def _edit_older(talk: LongTalk, line: str) -> None:
    talk.edit(3, user="I have changed my mind about that, Edric.")
    talk.say(line)


def _regenerate(talk: LongTalk, line: str) -> None:
    talk.say(line)
    talk.regenerate()
    talk.regenerate()


def _cancel_reply(talk: LongTalk, line: str) -> None:
    talk.cancel_reply(line)
    talk.say("As I said. " + line)


def _cancel_prefill(talk: LongTalk, line: str) -> None:
    line += " I mean it, and I will say it again."
    talk.edit(4, assistant="Hm.")
    # Cancelled before its reply, a turn leaves the dialog as it was.
    talk.cancel_prefill(line, 0.25)
    talk.say(line)


# By turn; all others are plain.
STEPS: dict[int, Step] = {
    4: _undo,
    7: _edit_last,
    9: _regenerate,
    11: _cancel_reply,
    13: _edit_older,
    16: _cancel_prefill,
    18: _undo_twice,
    21: _regenerate,
    23: _edit_older,
    25: _cancel_reply,
    27: _undo,
}
TURNS = 30


def run(talk: LongTalk) -> LongTalk:
    for turn in range(TURNS):
        STEPS.get(turn, _say)(talk, LINES[turn % len(LINES)])
    return talk
