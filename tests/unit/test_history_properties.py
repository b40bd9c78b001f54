"""Random histories against a model of folding and trimming written from the rules.

`Expected` is the model: a few dozen lines of plain Python that know nothing of the
engine. The state machine drives an agent, a twin without a Summarize node, and the
model through the same operations, and compares what each of them shows and sends.

By default the same histories are tried each time, which takes a few seconds. To look
further, with new ones:

    TALEFOLD_EXAMPLES=2000 pytest tests/unit/test_history_properties.py
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import note, settings
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from talefold import (
    Engine,
    ErrorCode,
    RecordedRequest,
    SamplingOverrides,
    ScriptedReply,
    Turn,
    TurnComplete,
    TurnResult,
)

from .helpers import (
    GUARD,
    Chat,
    fails,
    finish,
    make_graph,
    overflows,
    report,
    stalls,
    tokens,
    wait_until,
)

Messages = list[tuple[str, str]]

EXAMPLES = int(os.environ.get("TALEFOLD_EXAMPLES", "150"))
TEMPLATE = "{{previous_summary}}|{{#turns}}[{{index}}]{{user}}/{{assistant}};{{/turns}}"


@pytest.fixture(autouse=True, scope="module")
def _quiet() -> Iterator[None]:
    """Many folds fail here, each with a warning."""
    logger = logging.getLogger("talefold")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    yield
    logger.setLevel(level)


# What happens ---------------------------------------------------------------------


@dataclass
class Rules:
    """The params that matter here."""

    context_size: int
    reserve: int
    system_prompt: str = "You are Edric."
    stream: bool = False
    frame: str = ""  # of the running turn, before the message, as a system message
    summarize_first: bool = False
    trigger_tokens: int = 0
    trigger_turns: int = 0
    keep_recent_turns: int = 0
    max_summary_tokens: int = 16
    summarizer_context: int = 180
    oversized_turn: str = "keep"

    def generate_params(self) -> dict[str, Any]:
        return {
            "context_size": self.context_size,
            "system_prompt": self.system_prompt,
            "stream": self.stream,
            "template": self.frame,
            "sampling": SamplingOverrides(max_tokens=self.reserve),
        }

    def summarize_params(self) -> dict[str, Any]:
        return {
            "context_size": self.summarizer_context,
            "system_prompt": "S",
            "template": TEMPLATE,
            "trigger_tokens": self.trigger_tokens,
            "trigger_turns": self.trigger_turns,
            "keep_recent_turns": self.keep_recent_turns,
            "max_summary_tokens": self.max_summary_tokens,
            "oversized_turn": self.oversized_turn,
        }


@dataclass
class Past:
    """One interaction, the summary it carries, and the trim window after it."""

    user: str
    assistant: str
    window: int = 0
    summary: str | None = None
    covered: int = -1
    stale: bool = False
    edited: bool = False

    @property
    def marker(self) -> str:
        """What the player's text begins with; empty when the player was silent."""
        return self.user[:5]

    def messages(self) -> Messages:
        both = (("user", self.user), ("assistant", self.assistant))
        return [(role, text) for role, text in both if text]


@dataclass
class Step:
    """What a turn is expected to do."""

    status: str = "success"
    error: ErrorCode | None = None
    text: str = ""
    tokens: int = 0
    requests: list[tuple[str, Messages, int]] = field(default_factory=list)
    skipped: dict[str, Any] | None = None
    folded: tuple[int, int] | None = None  # covered_through, turns
    commits: bool = True
    stalls_in: str = ""


class Stop(Exception):
    """The walk ends here."""


class Expected:
    """The rules, without an engine."""

    def __init__(
        self, rules: Rules, replies: list[ScriptedReply], summaries: list[ScriptedReply]
    ) -> None:
        self.rules = rules
        self.script = {"generate": replies, "summarize": summaries}
        self.cursor = {"generate": 0, "summarize": 0}
        self.past: list[Past] = []

    # Reading

    def carriers(self) -> list[Past]:
        return [each for each in self.past if each.summary is not None]

    @staticmethod
    def carrier(past: list[Past]) -> Past | None:
        """The interaction with the newest summary."""
        return next((each for each in reversed(past) if each.summary is not None), None)

    def first_uncovered(self, past: list[Past]) -> int:
        carrier = self.carrier(past)
        return carrier.covered + 1 if carrier else 0

    def window(self, past: list[Past]) -> int:
        return past[-1].window if past else 0

    def states(self, past: list[Past]) -> list[str]:
        folded, window = self.first_uncovered(past), self.window(past)
        return [
            "folded" if i < folded else "trimmed" if i < window else "replayed"
            for i in range(len(past))
        ]

    def system(self, past: list[Past]) -> Messages:
        parts = [self.rules.system_prompt] if self.rules.system_prompt else []
        carrier = self.carrier(past)
        if carrier:
            parts.append(f"{GUARD}\n{carrier.summary}")
        return [("system", "\n\n".join(parts))] if parts else []

    # The budget

    @property
    def high(self) -> int:
        return self.rules.context_size - self.rules.reserve

    def drop(self, total: int, costs: list[int]) -> int:
        """How many of the oldest go."""
        if total <= self.high:
            return 0
        count = 0
        while count < len(costs) and total > self.high * 3 // 4:
            total -= costs[count]
            count += 1
        return count

    @staticmethod
    def costs(past: list[Past]) -> list[int]:
        return [sum(len(text) + 1 for _, text in each.messages()) for each in past]

    # A turn

    def turn(self, user: str, *, regenerate: bool = False) -> Step:
        base = self.past[:-1] if regenerate else self.past
        running = Past(user, "", window=self.window(base))
        step = Step()
        order = ["generate", "summarize"]
        try:
            for node in reversed(order) if self.rules.summarize_first else order:
                work = self.generate if node == "generate" else self.summarize
                work(base, running, step)
        except Stop:
            pass
        step.commits = step.status == "success" or step.text != ""
        if step.commits:
            self.plan_trim(base, running)
            self.past = [*base, running]
        return step

    def take(self, node: str) -> ScriptedReply:
        script = self.script[node]
        reply = script[self.cursor[node] % len(script)]
        self.cursor[node] += 1
        return reply

    def generate(self, base: list[Past], running: Past, step: Step) -> None:
        past = [*base, running]
        current = len(base)
        while True:
            begin = min(current, max(self.first_uncovered(past), running.window))
            costs = self.costs(base[begin:])
            turn: Messages = []
            if self.rules.frame:
                turn.append(("system", self.rules.frame))
            turn += running.messages()
            ends = [*self.system(past), *turn]
            gone = self.drop(tokens(ends) + sum(costs), costs)
            if gone:
                running.window = begin = begin + gone
            shown = [each for entry in base[begin:] for each in entry.messages()]
            messages = [*self.system(past), *shown, *turn]
            room = self.rules.context_size - tokens(messages)
            if room < min(16, self.rules.reserve):
                self.fail(step, ErrorCode.ContextOverflow)
            limit = min(self.rules.reserve, room)
            step.requests.append(("generate", messages, limit))
            reply = self.take("generate")
            text = reply.text[:limit]
            step.tokens += len(text)
            if len(reply.text) > limit or reply.outcome == "finish":
                break
            if reply.outcome == "out_of_context":
                if reply.text:
                    break
                if begin == current:
                    self.fail(step, ErrorCode.ContextOverflow)
                running.window = begin + (current - begin + 1) // 2
                continue
            if self.rules.stream and text:
                step.text = running.assistant = text
            if reply.outcome == "stall":
                step.stalls_in = "generate"
                step.status = "cancelled"
                raise Stop
            self.fail(step, ErrorCode.InferenceFailed)
        step.text = running.assistant = text

    @staticmethod
    def fail(step: Step, code: ErrorCode) -> None:
        step.status, step.error = "error", code
        raise Stop

    def plan_trim(self, base: list[Past], running: Past) -> None:
        past = [*base, running]
        begin = max(self.first_uncovered(past), running.window)
        allowance = min(128, self.rules.context_size // 16)
        costs = self.costs(past[begin:])
        total = tokens(self.system(past)) + sum(costs) + allowance
        gone = self.drop(total, costs[:-1])
        if gone:
            running.window = begin + gone

    # A fold

    def body(self, index: int, entry: Past) -> str:
        return f"[{index}]{entry.user}/{entry.assistant};"

    def fold_request(
        self, past: list[Past], previous: str, begin: int, end: int
    ) -> Messages:
        turns = "".join(self.body(i, past[i]) for i in range(begin, end))
        return [("system", "S"), ("user", f"{previous}|{turns}")]

    def fits(self, messages: Messages) -> bool:
        needed = tokens(messages) + self.rules.max_summary_tokens
        return needed <= self.rules.summarizer_context

    def summarize(self, base: list[Past], running: Past, step: Step) -> None:
        past = [*base, running]
        begin = self.first_uncovered(past)
        hot = self.rules.keep_recent_turns
        if self.rules.summarize_first:
            hot = max(hot, 1)
        end = max(begin, len(past) - hot)
        pending = end - begin
        cost = sum(len(self.body(i, past[i])) for i in range(begin, end))
        by_turns = 0 < self.rules.trigger_turns <= pending
        counted = cost if self.rules.trigger_tokens and not by_turns else 0

        def skip(reason: str, **more: int) -> None:
            step.skipped = {
                "reason": reason,
                "pending_turns": pending,
                "pending_tokens": counted,
            } | more

        if len(past) <= hot:
            pending = counted = 0
            return skip("hot_window_covers_dialog")
        if pending == 0:
            return skip("nothing_new_outside_hot_window")
        if not by_turns and not 0 < self.rules.trigger_tokens <= cost:
            return skip("below_threshold")

        carrier = self.carrier(past)
        previous = carrier.summary if carrier else ""
        count = self.largest_prefix(past, previous, begin, end)
        if count == 0:
            alone = self.fold_request(past, previous, begin, begin + 1)
            return skip(
                "input_too_large",
                required_context_size=tokens(alone) + self.rules.max_summary_tokens,
            )
        text = self.fold(past, previous, begin, begin + count, step)
        if text is None:
            reason = {"success": "model_error", "cancelled": "cancelled"}[step.status]
            skip(reason)
            if step.status == "cancelled":
                raise Stop
            return None
        if not text:
            return skip("empty_output")
        running.summary, running.covered = text, begin + count - 1
        running.window = 0
        step.folded = (running.covered, count)
        return None

    def largest_prefix(
        self, past: list[Past], previous: str, begin: int, end: int
    ) -> int:
        count = 0
        while begin + count < end and self.fits(
            self.fold_request(past, previous, begin, begin + count + 1)
        ):
            count += 1
        return count

    def fold(
        self, past: list[Past], previous: str, begin: int, end: int, step: Step
    ) -> str | None:
        """The model's summary, None when it has none."""
        limit = self.rules.max_summary_tokens
        messages = self.fold_request(past, previous, begin, end)
        step.requests.append(("summarize", messages, limit))
        reply = self.take("summarize")
        text = reply.text[:limit]
        step.tokens += len(text)
        if reply.outcome == "stall":
            step.stalls_in = "summarize"
            step.status = "cancelled"
        return text.strip() if reply.outcome == "finish" else None

    def refold(self) -> Step:
        *before, newest = self.carriers()
        text = before[-1].summary if before else ""
        begin = before[-1].covered + 1 if before else 0
        step = Step()
        try:
            while begin <= newest.covered:
                count = self.largest_prefix(self.past, text, begin, newest.covered + 1)
                if count == 0:
                    self.fail(step, ErrorCode.ContextOverflow)
                text = self.fold(self.past, text, begin, begin + count, step)
                if step.status == "cancelled":
                    return step
                if not text:
                    self.fail(step, ErrorCode.InferenceFailed)
                begin += count
        except Stop:
            return step
        newest.summary, newest.stale, newest.edited = text, False, False
        step.text = text
        return step

    # Other operations

    def append(self, entry: Past) -> None:
        self.past.append(replace(entry, window=self.window(self.past)))

    def edit(self, index: int, user: str) -> None:
        self.past[index].user = user
        for each in self.past:
            if each.summary is not None and each.covered >= index:
                each.stale = True

    def set_summary(self, text: str) -> None:
        carrier = self.carrier(self.past)
        carrier.summary, carrier.edited, carrier.stale = text, True, False

    def restart(self) -> None:
        """A new agent's script begins anew."""
        self.cursor = dict.fromkeys(self.cursor, 0)


# Against the engine ---------------------------------------------------------------

SHORT = "Aye."
RULES = {
    "turns": Rules(320, 40, trigger_turns=2, keep_recent_turns=1),
    "tokens": Rules(320, 40, trigger_tokens=60, keep_recent_turns=2),
    "both_streaming": Rules(
        400, 60, trigger_turns=4, trigger_tokens=90, keep_recent_turns=1, stream=True
    ),
    "trims_before_folds": Rules(
        300, 40, trigger_turns=9, keep_recent_turns=2, summarizer_context=200
    ),
    "no_hot_window": Rules(320, 30, trigger_turns=3, summarizer_context=90),
    "no_hot_window_before_the_reply": Rules(
        320, 30, trigger_turns=2, summarize_first=True
    ),
    "before_the_reply": Rules(
        300, 20, trigger_tokens=70, keep_recent_turns=2, summarize_first=True
    ),
    "framed_without_persona": Rules(
        330, 50, "", frame="Be kind today.", trigger_turns=5, keep_recent_turns=3
    ),
    "never_folds": Rules(260, 40),
    "hot_for_ever": Rules(280, 40, trigger_turns=1, keep_recent_turns=512),
}
REPLIES = st.lists(
    st.sampled_from(
        [
            *[ScriptedReply(SHORT)] * 6,
            ScriptedReply("I say what I have to say."),
            ScriptedReply("x" * 45),
            ScriptedReply(""),
            fails(),
            fails("Well"),
            overflows(),
            overflows("Cut"),
            stalls(),
            stalls("Hm"),
        ]
    ),
    min_size=1,
    max_size=12,
).map(lambda script: [ScriptedReply(SHORT), *script])
SUMMARIES = st.lists(
    st.sampled_from(
        [
            *[ScriptedReply("They met.")] * 4,
            ScriptedReply(" Ann came. "),
            ScriptedReply(""),
            ScriptedReply(" \n"),
            fails(),
            fails("Debris"),
            overflows(),
            stalls(),
        ]
    ),
    max_size=5,
).map(lambda script: [ScriptedReply("First fold."), *script])
LENGTHS = st.integers(0, 40) | st.integers(0, 40) | st.sampled_from([60, 90, 130, 200])


def content(snapshot: str) -> dict[str, Any]:
    return json.loads(snapshot)


class History(RuleBasedStateMachine):
    """One agent, its twin and the model of both."""

    @initialize(
        rules=st.sampled_from(sorted(RULES)), replies=REPLIES, summaries=SUMMARIES
    )
    def open(
        self,
        rules: str,
        replies: list[ScriptedReply],
        summaries: list[ScriptedReply],
    ) -> None:
        note(f"rules: {rules}")
        self.engine = Engine(worker_threads=2)
        self.expected = Expected(replace(RULES[rules]), replies, summaries)
        self.script = {"replies": replies, "summaries": summaries}
        self.talk = Chat(self.engine, self.graph(), **self.script)
        self.twin: Chat | None = Chat(self.engine, self.graph(False), **self.script)
        self.serial = 0

    def teardown(self) -> None:
        if hasattr(self, "engine"):  # else `open` failed
            self.engine.close()

    def graph(self, with_summarizer: bool = True):
        rules = self.expected.rules
        return make_graph(
            rules.generate_params(),
            rules.summarize_params() if with_summarizer else None,
            summarize_first=rules.summarize_first,
        )

    def marked(self, length: int) -> str:
        """A text that begins with a marker found nowhere else."""
        self.serial += 1
        return f"#{self.serial:03}#" + "u" * length

    # Turns

    @rule(length=LENGTHS)
    def say(self, length: int) -> None:
        self.run(self.marked(length))

    @rule(lengths=st.lists(st.integers(0, 25), min_size=2, max_size=5))
    def say_several(self, lengths: list[int]) -> None:
        for length in lengths:
            self.run(self.marked(length))

    @rule()
    def speak_first(self) -> None:
        self.run("")

    @precondition(lambda self: self.expected.past)
    @rule()
    def regenerate(self) -> None:
        self.run(self.expected.past[-1].user, again=True)

    @rule(length=LENGTHS)
    def say_and_undo(self, length: int) -> None:
        before = content(self.talk.agent.export_snapshot())
        past = [replace(each) for each in self.expected.past]

        self.run(self.marked(length))
        if len(self.expected.past) > len(past):
            for talk in self.both():
                talk.agent.undo_last_turn()
        self.expected.past = past

        assert content(self.talk.agent.export_snapshot()) == before

    def run(self, user: str, *, again: bool = False) -> None:
        """A turn, or the last one once more."""
        before = content(self.talk.agent.export_snapshot())
        past = self.expected.past[: len(self.expected.past) - again]
        states = self.expected.states(past) if again else self.talk.states()
        seen = len(self.engine.recorded_requests(self.talk.model))
        step = self.expected.turn(user, regenerate=again)

        result = self.take_turn(self.talk, user, step, again=again)

        sent = self.engine.recorded_requests(self.talk.model)[seen:]
        self.check_result(result, step)
        self.check_requests(sent, step)
        if step.folded:
            hot = self.expected.rules.keep_recent_turns
            assert step.folded[0] <= len(past) - hot  # the running turn is one of them
        replies = [each for each in sent if each.node == "generate"]
        folded_before = step.folded and self.expected.rules.summarize_first
        if not folded_before:
            for i, request in enumerate(replies):
                self.check_markers(request.messages, past, states, retry=i > 0)
        if not step.commits:
            assert content(self.talk.agent.export_snapshot()) == before
        self.run_twin(user, step, replies, again=again)

    def take_turn(
        self, talk: Chat, user: str, step: Step, *, again: bool
    ) -> TurnResult:
        asked = len(talk.requests(step.stalls_in))
        if again:
            turn = talk.agent.start_regenerate()
        else:
            turn = talk.agent.start(user or None)
        self.stop_where_it_stalls(talk, turn, step, asked)
        return finish(turn)

    def stop_where_it_stalls(
        self, talk: Chat, turn: Turn, step: Step, asked: int
    ) -> None:
        if not step.stalls_in:
            return
        asked += sum(node == step.stalls_in for node, _, _ in step.requests)
        wait_until(lambda: len(talk.requests(step.stalls_in)) == asked)
        if step.stalls_in == "generate":
            for _ in step.text:  # streamed, one event for each character
                assert turn.wait_event(30) is not None
        turn.cancel()

    def check_result(self, result: TurnResult, step: Step) -> None:
        assert result.status == step.status
        assert (result.error.code if result.error else None) == step.error
        assert result.text == step.text
        assert [isinstance(each, TurnComplete) for each in result.events] == [
            *[False] * (len(result.events) - 1),
            True,
        ]
        if step.stalls_in:  # stopped at any of its tokens
            assert result.tokens_generated <= step.tokens
        else:
            assert result.tokens_generated == step.tokens
        if step.skipped:
            assert report(result)["skipped"] == step.skipped
        if step.folded:
            fold = report(result)["last_fold"]
            assert (fold["covered_through"], fold["folded_turns"]) == step.folded

    def check_requests(self, sent: list[RecordedRequest], step: Step) -> None:
        assert [(each.node, each.messages, each.max_tokens) for each in sent] == (
            step.requests
        )
        rules = self.expected.rules
        sizes = {"generate": rules.context_size, "summarize": rules.summarizer_context}
        for request in sent:
            assert len(request.prompt_tokens) == tokens(request.messages)
            assert (
                len(request.prompt_tokens) + request.max_tokens <= (sizes[request.node])
            )

    def check_markers(
        self, messages: Messages, past: list[Past], states: list[str], *, retry: bool
    ) -> None:
        """Reads from a prompt alone which interactions it shows, word for word."""
        prompt = "\n".join(text for _, text in messages)
        marked = [i for i, each in enumerate(past) if each.marker]
        shown = [i for i in marked if past[i].marker in prompt]
        replayed = [i for i in marked if states[i] == "replayed"]
        for i in shown:
            assert prompt.count(past[i].user) == prompt.count(past[i].marker) == 1
        assert shown == replayed[len(replayed) - len(shown) :]
        if shown == replayed or retry:
            return
        # Something more was left out: all of it would not have fitted.
        missing = [past[i] for i in replayed if i not in shown]
        cost = sum(self.expected.costs(missing))
        assert tokens(messages) + cost > self.expected.high * 3 // 4
        unmarked = [
            each
            for each, state in zip(past, states, strict=False)
            if state == "replayed" and not each.marker
        ]
        cost += sum(self.expected.costs(unmarked))
        assert tokens(messages) + cost > self.expected.high

    def run_twin(
        self, user: str, step: Step, replies: list[RecordedRequest], *, again: bool
    ) -> None:
        """As long as there is no summary the twin sends the same bytes."""
        if self.twin is None:
            return
        if step.folded and self.expected.rules.summarize_first:
            self.twin = None  # this turn's prompt shows a summary already
            return
        if step.stalls_in == "summarize":
            if self.expected.rules.summarize_first:
                return  # the reply was never asked for
            step = replace(step, stalls_in="")
        seen = len(self.twin.requests())

        result = self.take_turn(self.twin, user, step, again=again)

        assert result.text == step.text
        assert [
            (each.messages, each.prompt_tokens, each.max_tokens)
            for each in self.twin.requests()[seen:]
        ] == [(each.messages, each.prompt_tokens, each.max_tokens) for each in replies]
        if self.expected.carriers():
            self.twin = None

    # Other operations

    @rule(user=LENGTHS, assistant=LENGTHS)
    def append(self, user: int, assistant: int) -> None:
        turn = (self.marked(user), "a" * assistant)
        for talk in self.both():
            talk.append(turn)
        self.expected.append(Past(*turn))

    @precondition(lambda self: self.expected.past)
    @rule()
    def undo(self) -> None:
        for talk in self.both():
            talk.agent.undo_last_turn()
        self.expected.past.pop()

    @precondition(lambda self: self.expected.past)
    @rule(where=st.floats(0, 0.999), length=LENGTHS)
    def edit(self, where: float, length: int) -> None:
        index = int(where * len(self.expected.past))
        text = self.marked(length)
        for talk in self.both():
            talk.agent.edit_interaction(index, user=text)
        self.expected.edit(index, text)
        if index < self.expected.first_uncovered(self.expected.past):
            assert self.talk.agent.get_summary().stale

    @precondition(lambda self: self.expected.carrier(self.expected.past))
    @rule(text=st.sampled_from(["By hand.", "x", "sixteen letters!"]))
    def set_summary(self, text: str) -> None:
        self.talk.agent.set_summary(text)
        self.expected.set_summary(text)

    # On top of a stale summary it would have to begin earlier.
    @precondition(
        lambda self: (
            self.expected.carriers()
            and not any(each.stale for each in self.expected.carriers()[:-1])
        )
    )
    @rule()
    def refold(self) -> None:
        before = content(self.talk.agent.export_snapshot())
        seen = len(self.engine.recorded_requests(self.talk.model))
        asked = len(self.talk.requests("summarize"))
        step = self.expected.refold()

        turn = self.talk.agent.start_refold()
        self.stop_where_it_stalls(self.talk, turn, step, asked)

        self.check_result(finish(turn), step)
        self.check_requests(self.engine.recorded_requests(self.talk.model)[seen:], step)
        if step.status != "success":
            assert content(self.talk.agent.export_snapshot()) == before

    @rule(
        trigger_turns=st.integers(0, 4),
        trigger_tokens=st.sampled_from([0, 1, 50, 100]),
        keep_recent_turns=st.integers(0, 3),
    )
    def change_triggers(self, **change: int) -> None:
        self.talk.agent.change_params("summarize", change)
        vars(self.expected.rules).update(change)

    @rule(reserve=st.sampled_from([10, 30, 60]))
    def change_reserve(self, reserve: int) -> None:
        for talk in self.both():
            talk.agent.change_params("generate", {"sampling": {"max_tokens": reserve}})
        self.expected.rules.reserve = reserve

    @rule()
    def save_and_load_into_the_same(self) -> None:
        snapshot = self.talk.agent.export_snapshot()
        self.talk.agent.import_snapshot(snapshot)
        assert self.talk.agent.export_snapshot() == snapshot

    @rule()
    def save_and_load_into_another(self) -> None:
        snapshot = self.talk.agent.export_snapshot()
        self.talk = Chat(self.engine, self.graph(), snapshot=snapshot, **self.script)
        assert self.talk.agent.export_snapshot() == snapshot
        if self.twin:
            twin = self.twin.agent.export_snapshot()
            self.twin = Chat(
                self.engine, self.graph(False), snapshot=twin, **self.script
            )
        self.expected.restart()

    @precondition(lambda self: self.expected.carrier(self.expected.past))
    @rule()
    def load_an_old_snapshot_back(self) -> None:
        # What happens meanwhile leaves no trace.
        snapshot = self.talk.agent.export_snapshot()
        self.talk.agent.append_interaction(user="gone")
        self.talk.agent.undo_last_turn()
        self.talk.agent.undo_last_turn()

        self.talk.agent.import_snapshot(snapshot)

        assert self.talk.agent.export_snapshot() == snapshot

    def both(self) -> list[Chat]:
        return [self.talk, *([self.twin] if self.twin else [])]

    # What always holds

    @invariant()
    def every_interaction_is_in_the_expected_state(self) -> None:
        states = self.talk.states()
        assert states == self.expected.states(self.expected.past)
        folded, trimmed = states.count("folded"), states.count("trimmed")
        replayed = states.count("replayed")
        assert states == (
            ["folded"] * folded + ["trimmed"] * trimmed + ["replayed"] * replayed
        )

    @invariant()
    def the_dialog_is_the_expected_one(self) -> None:
        dialog = self.talk.agent.dialog()
        assert [(each.user, each.assistant) for each in dialog] == [
            (each.user, each.assistant) for each in self.expected.past
        ]
        assert [each.summary and each.summary.text for each in dialog] == [
            each.summary for each in self.expected.past
        ]

    @invariant()
    def the_summary_is_the_expected_one(self) -> None:
        summary = self.talk.agent.get_summary()
        carrier = self.expected.carrier(self.expected.past)
        assert (summary is None) == (carrier is None)
        if summary is None:
            return
        assert (summary.text, summary.covered_through, summary.edited) == (
            carrier.summary,
            carrier.covered,
            carrier.edited,
        )
        assert summary.covered_through <= summary.carrier
        assert len(summary.text) <= self.expected.rules.max_summary_tokens


TestHistory = History.TestCase
TestHistory.settings = settings(
    max_examples=EXAMPLES,
    stateful_step_count=30,
    deadline=None,
    derandomize="TALEFOLD_EXAMPLES" not in os.environ,
)
