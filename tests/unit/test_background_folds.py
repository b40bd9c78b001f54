"""Folds beside turns (run_inline off): when they show, what ends them, faults."""

from __future__ import annotations

import itertools
import json
import logging
import random
import time
from collections.abc import Callable, Iterator

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from support import raises_code
from talefold import Agent, Engine, ErrorCode, NodeEvent, ScriptedReply, TurnComplete

from .helpers import (
    TURNS_ONLY,
    WITH_PREVIOUS,
    Chat,
    fails,
    finish,
    make_graph,
    report,
    stalls,
    wait_until,
)

BACKGROUND = {"run_inline": False, "trigger_turns": 2}
NOTIFY = BACKGROUND | {"notify_client": True}


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """Folds fail here on purpose, each with a warning."""
    logger = logging.getLogger("talefold")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    yield
    logger.setLevel(level)


def asked(talk: Chat) -> Callable[[], bool]:
    return lambda: bool(talk.requests("summarize"))


# The turn that triggers it --------------------------------------------------------


def test_the_turn_reports_what_it_scheduled_and_skips_nothing(chat) -> None:
    talk = chat(summarize=BACKGROUND)
    talk.say("a")

    said = report(talk.say("b"))

    assert said["fold"] == {"scheduled": True, "covered_through": 1, "folded_turns": 2}
    assert "skipped" not in said
    assert "last_fold" not in said


def test_no_turn_waits_for_it(chat) -> None:
    talk = chat(summarize=BACKGROUND, summaries=[stalls()])
    talk.say("a")

    talk.say("b")
    wait_until(asked(talk))

    assert not talk.agent.busy
    assert talk.say("c").status == "success"


def test_its_tokens_count_in_no_turn(chat) -> None:
    talk = chat(summarize=NOTIFY, replies=["Aye."], summaries=["They met."])
    talk.say("a")

    turn = talk.say("b")
    talk.agent.wait_background()

    (event,) = talk.agent.poll_background()
    assert turn.tokens_generated == len("Aye.")
    assert event.pairs["summary_tokens"] == str(len("They met."))


def test_one_fold_of_a_node_at_a_time(chat) -> None:
    talk = chat(summarize=BACKGROUND, summaries=[stalls()])

    said = [report(talk.say("a")) for _ in range(5)]

    assert [each.get("skipped", {}).get("reason") for each in said] == [
        "below_threshold",
        None,
        "fold_pending",
        "fold_pending",
        "fold_pending",
    ]
    assert talk.engine.stats().scheduled_folds == 1


def test_a_turn_that_does_not_commit_schedules_nothing(chat) -> None:
    talk = chat({}, BACKGROUND, summarize_first=True, replies=["Aye.", "No.", fails()])
    talk.say("a")
    talk.say("b")

    turn = talk.say("c")

    assert turn.status == "error"
    assert "fold" in turn.debug_info["nodes"][0]
    assert talk.engine.stats().scheduled_folds == 0


# Nothing shows before it is taken over --------------------------------------------


def written(talk: Chat) -> None:
    """Waits until the model has written the summary, without taking it over."""
    wait_until(asked(talk))
    time.sleep(0.05)  # it is a few tokens; a slower machine only tests less


def test_a_written_fold_changes_nothing_by_itself(chat) -> None:
    talk = chat(summarize=BACKGROUND)
    talk.say("a")
    talk.say("b")
    before = talk.agent.export_snapshot()

    written(talk)
    talk.say("c")

    assert talk.agent.get_summary() is None
    assert len(json.loads(before)["dialog"]) == 2
    assert "sum" not in talk.last_text()


def test_polling_takes_it_over(chat) -> None:
    talk = chat(summarize=NOTIFY)
    talk.say("a")
    talk.say("b")
    events: list[NodeEvent] = []

    wait_until(lambda: bool(events.extend(talk.agent.poll_background()) or events))

    assert talk.agent.get_summary().text == "sum"
    assert [(each.turn_id, each.node, each.event_type) for each in events] == [
        (0, "summarize", "summarized")
    ]
    assert events[0].pairs == {
        "covered_through": "1",
        "folded_turns": "2",
        "summary_chars": "3",
        "summary_text": "sum",
        "summary_tokens": "3",
    }
    assert talk.agent.poll_background() == []


def test_waiting_takes_it_over_and_keeps_the_event_for_polling(chat) -> None:
    talk = chat(summarize=NOTIFY)
    talk.say("a")
    talk.say("b")

    assert talk.agent.wait_background()

    summary = talk.agent.get_summary()
    assert (summary.text, summary.covered_through, summary.carrier) == ("sum", 1, 1)
    assert len(talk.agent.poll_background()) == 1


def test_no_event_without_the_wish(chat) -> None:
    talk = chat(summarize=BACKGROUND)
    talk.say("a")
    talk.say("b")

    talk.agent.wait_background()

    assert talk.agent.poll_background() == []
    assert talk.agent.get_summary() is not None


def test_waiting_has_a_limit(chat) -> None:
    talk = chat(summarize=BACKGROUND, summaries=[stalls()])
    talk.say("a")
    talk.say("b")

    assert not talk.agent.wait_background(timeout_ms=30)
    assert talk.agent.get_summary() is None


def test_waiting_is_over_at_once_when_there_is_nothing(chat) -> None:
    talk = chat(summarize=BACKGROUND)

    assert talk.agent.wait_background(timeout_ms=1)


def test_the_carrier_is_the_turn_that_triggered_it(chat) -> None:
    talk = chat(summarize=BACKGROUND | {"keep_recent_turns": 1})
    for text in "abcde":
        talk.say(text)
    talk.agent.wait_background()

    summary = talk.agent.get_summary()

    assert (summary.covered_through, summary.carrier) == (1, 2)


# What ends it ---------------------------------------------------------------------


def scheduled(chat, **model: object) -> Chat:
    """Six turns; the fold of turns 0 to 3 was scheduled by turn 5 and stalls."""
    talk = chat(
        summarize=BACKGROUND | {"trigger_turns": 4, "keep_recent_turns": 2},
        summaries=[stalls("half"), "whole"],
        **model,
    )
    for text in "abcdef":
        talk.say(text)
    wait_until(asked(talk))
    return talk


ENDING: dict[str, Callable[[Chat], object]] = {
    "undo_of_the_carrier": lambda talk: talk.agent.undo_last_turn(),
    "regenerate_of_the_carrier": lambda talk: talk.regenerate(),
    "edit_of_the_first_covered": lambda talk: talk.agent.edit_interaction(0, user="x"),
    "edit_of_the_last_covered": lambda talk: talk.agent.edit_interaction(3, user="x"),
    "change_of_the_node": lambda talk: talk.agent.change_params(
        "summarize", {"max_summary_tokens": 20}
    ),
    "import": lambda talk: talk.agent.import_snapshot(talk.agent.export_snapshot()),
}


@pytest.mark.parametrize("what", ENDING)
def test_it_ends_when_what_it_reads_or_hangs_on_changes(chat, what: str) -> None:
    talk = scheduled(chat)

    ENDING[what](talk)

    assert talk.engine.stats().cancelled_folds == 1
    if what != "regenerate_of_the_carrier":  # which schedules the next one
        assert talk.agent.wait_background(timeout_ms=5000)
        assert talk.agent.get_summary() is None


NOT_ENDING: dict[str, Callable[[Chat], object]] = {
    "edit_above_what_it_covers": lambda talk: talk.agent.edit_interaction(4, user="x"),
    "edit_without_a_change": lambda talk: talk.agent.edit_interaction(0, user="a"),
    "a_turn": lambda talk: talk.say("g"),
    "append": lambda talk: talk.append(("g", "h")),
    "change_of_another_node": lambda talk: talk.agent.change_params(
        "generate", {"system_prompt": "Be brief."}
    ),
    "a_refused_change": lambda talk: refused(talk),
    "undo_of_a_later_turn": lambda talk: (talk.say("g"), talk.agent.undo_last_turn()),
}


def refused(talk: Chat) -> None:
    with raises_code(ErrorCode.InvalidParamValue):
        talk.agent.change_params("summarize", {"max_summary_tokens": 1})


@pytest.mark.parametrize("what", NOT_ENDING)
def test_it_goes_on_while_what_it_reads_stays(chat, what: str) -> None:
    talk = scheduled(chat)

    NOT_ENDING[what](talk)

    assert talk.engine.stats().cancelled_folds == 0
    assert not talk.agent.wait_background(timeout_ms=1)


@pytest.mark.parametrize("what", ["set_summary", "refold"])
def test_a_new_previous_summary_ends_it(chat, what: str) -> None:
    talk = chat(summarize=BACKGROUND, summaries=["first", stalls(), "again"])
    for text in "ab":
        talk.say(text)
    talk.agent.wait_background()
    for text in "cd":
        talk.say(text)
    wait_until(lambda: len(talk.requests("summarize")) == 2)

    if what == "refold":
        talk.agent.refold()
    else:
        talk.agent.set_summary("Mine.")

    assert talk.engine.stats().cancelled_folds == 1
    assert talk.agent.wait_background(timeout_ms=5000)
    assert talk.agent.get_summary().covered_through == 1


def test_a_fold_that_ended_is_scheduled_again_by_the_next_turn(chat) -> None:
    talk = scheduled(chat)
    talk.agent.edit_interaction(0, user="x")

    said = report(talk.say("g"))
    talk.agent.wait_background()

    assert said["fold"]["covered_through"] == 4
    assert talk.agent.get_summary().text == "whole"


# When it comes to nothing ---------------------------------------------------------


@pytest.mark.parametrize(
    ("reply", "reason"),
    [(fails("x"), "model_error"), ("", "empty_output"), (" \n", "empty_output")],
)
def test_a_failure_leaves_the_summary_and_is_told(chat, reply, reason: str) -> None:
    talk = chat(summarize=NOTIFY, summaries=["good", reply, "better"])
    for text in "abcd":
        talk.say(text)
        talk.agent.wait_background()

    events = talk.agent.poll_background()

    assert [each.event_type for each in events] == ["summarized", "fold_failed"]
    assert events[1].pairs["reason"] == reason
    assert talk.agent.get_summary().text == "good"
    assert talk.engine.stats().failed_folds == 1
    talk.say("e")
    talk.agent.wait_background()
    assert talk.agent.get_summary().text == "better"


# Overdue --------------------------------------------------------------------------

# A turn costs 42 tokens, and 16 are kept for the next: six turns exceed the 236.
TIGHT = {"context_size": 256, "sampling": {"max_tokens": 20}}
# Room for eleven turns, or for eight beside the guard sentence and a summary.
ROOMY = TIGHT | {"context_size": 512}
BY_SIX = NOTIFY | {"trigger_turns": 6}


def test_a_trim_waits_for_the_fold_that_saves_the_turns(chat) -> None:
    talk = chat(ROOMY, BY_SIX, replies=["r" * 20])

    turns = [talk.say("u" * 20) for _ in range(40)]

    assert talk.engine.stats().overdue_folds >= 5
    for turn in turns:
        assert "trimmed_from" not in report(turn, "generate")["history"]
    events = [e for turn in turns for e in turn.events if isinstance(e, NodeEvent)]
    assert {each.event_type for each in events} == {"summarized"}
    assert all(each.turn_id > 0 for each in events)


def test_it_is_waited_for_after_the_reply(chat) -> None:
    talk = chat(ROOMY, BY_SIX, replies=["r" * 20], token_delay_us=200)
    for _ in range(40):
        events = talk.say("u" * 20).events
        folds = [i for i, each in enumerate(events) if isinstance(each, NodeEvent)]
        finals = [i for i, e in enumerate(events) if getattr(e, "is_final", False)]
        if folds:
            assert finals[0] < folds[0] < len(events) - 1
            return
    pytest.fail("no fold became overdue")


def test_a_cancelled_turn_stops_waiting_and_trims(chat) -> None:
    talk = chat(
        TIGHT,
        NOTIFY | {"trigger_turns": 3},
        replies=["r" * 20],
        summaries=[stalls()],
    )
    for _ in range(5):
        talk.say("u" * 20)

    turn = talk.agent.start("u" * 20)
    while not getattr(turn.wait_event(), "is_final", False):
        pass
    turn.cancel()

    assert finish(turn).status == "cancelled"
    assert talk.agent.dialog()[-1].status == "cancelled"
    assert "trimmed" in talk.states()


@pytest.mark.parametrize("end", ["cancel", "timeout", "close_agent", "close_engine"])
def test_a_turn_that_writes_the_fold_itself_can_be_ended(end: str) -> None:
    with Engine(worker_threads=1) as engine:
        graph = make_graph(TIGHT, NOTIFY | {"trigger_turns": 3})
        busy = Chat(engine, graph, replies=["r" * 20], summaries=[stalls()])
        for _ in range(3):
            busy.say("u" * 20)
        wait_until(asked(busy))  # who writes folds is busy from now on
        talk = Chat(engine, graph, replies=["r" * 20], summaries=[stalls(), "sum"])
        for _ in range(5):
            talk.say("u" * 20)

        turn = talk.agent.start("u" * 20, timeout_ms=3000 if end == "timeout" else 0)
        wait_until(asked(talk))
        if end == "cancel":
            turn.cancel()
        elif end == "close_agent":
            talk.agent.close()
        elif end == "close_engine":
            engine.close()

        assert finish(turn).status == ("error" if end == "timeout" else "cancelled")
        if end in ("cancel", "timeout"):
            busy.agent.close()  # the fold waits for a worker again
            talk.agent.wait_background()
            assert talk.agent.get_summary().text == "sum"


def test_a_fold_of_the_same_turn_is_not_waited_for(chat) -> None:
    talk = chat(
        TIGHT,
        BACKGROUND | {"trigger_turns": 6},
        replies=["r" * 20],
        summaries=[stalls()],
    )

    for _ in range(6):
        talk.say("u" * 20)

    assert talk.engine.stats().overdue_folds == 0
    assert "trimmed" in talk.states()


# Prompts do not depend on timing ---------------------------------------------------


def prompts(talk: Chat) -> list[list[tuple[str, str]]]:
    return [each.messages for each in talk.requests()]


@settings(max_examples=12, deadline=None)
@given(st.lists(st.integers(1, 40), min_size=12, max_size=24), st.integers(0, 2**32))
def test_the_same_calls_give_the_same_prompts_however_fast(
    lengths: list[int], seed: int
) -> None:
    waits = random.Random(seed)
    seen = []
    for delay_us, sleeps in ((0, False), (0, True), (150, False)):
        with Engine() as engine:
            talk = Chat(
                engine,
                make_graph(TIGHT, NOTIFY),
                replies=["r" * 15],
                summaries=["one", "two", "three"],
                token_delay_us=delay_us,
            )
            for length in lengths:
                talk.say("u" * length)
                if sleeps:
                    time.sleep(waits.choice([0, 0.002, 0.01]))
            seen.append((prompts(talk), talk.agent.export_snapshot()))
    assert seen[0] == seen[1] == seen[2]


OPERATIONS = st.lists(
    st.one_of(
        st.tuples(st.just("say"), st.integers(1, 60)),
        st.tuples(st.just("undo"), st.none()),
        st.tuples(st.just("regenerate"), st.none()),
        st.tuples(st.just("edit"), st.integers(0, 30)),
        st.tuples(st.just("append"), st.integers(1, 60)),
        st.tuples(st.just("reload"), st.none()),
    ),
    min_size=5,
    max_size=40,
)


def perform(talk: Chat, operation: str, value: int | None) -> None:
    size = talk.agent.dialog_size
    if operation == "say":
        talk.say("u" * value)
    elif operation == "append":
        talk.append(("v" * value, "w"))
    elif operation == "reload":
        talk.agent.import_snapshot(talk.agent.export_snapshot())
    elif operation == "undo" and size:
        talk.agent.undo_last_turn()
    elif operation == "regenerate" and size:
        talk.regenerate()
    elif operation == "edit" and size:
        talk.agent.edit_interaction(value % size, user=f"edited {value}")


@settings(max_examples=60, deadline=None)
@given(
    OPERATIONS,
    st.integers(1, 4),
    st.integers(0, 3),
    st.sampled_from([256, 400, 4096]),
    st.lists(
        st.one_of(
            st.text("abc. ", max_size=12), st.builds(fails, st.text("ab", max_size=3))
        ),
        min_size=1,
        max_size=4,
    ),
)
def test_waiting_each_turn_gives_the_prompts_of_inline_folds(
    operations: list[tuple[str, int | None]],
    trigger_turns: int,
    keep_recent_turns: int,
    context_size: int,
    summaries: list[str | ScriptedReply],
) -> None:
    seen = []
    for run_inline in (True, False):
        with Engine() as engine:
            params = {
                "run_inline": run_inline,
                "trigger_turns": trigger_turns,
                "keep_recent_turns": keep_recent_turns,
                "template": WITH_PREVIOUS,
            }
            talk = Chat(
                engine,
                make_graph(
                    {"context_size": context_size, "sampling": {"max_tokens": 20}},
                    params,
                ),
                replies=["r" * 9, "s" * 18],
                summaries=summaries,
            )
            for operation, value in operations:
                perform(talk, operation, value)
                talk.agent.wait_background()
            seen.append(
                (
                    prompts(talk),
                    [each.messages for each in talk.requests("summarize")],
                    talk.agent.export_snapshot(),
                    talk.states(),
                )
            )
    assert seen[0] == seen[1]


# Faults: nothing committed is lost, nothing half-committed is seen ------------------


def snapshot_texts(snapshot: str) -> tuple[list[tuple[str, str]], list[str]]:
    dialog = json.loads(snapshot)["dialog"]
    texts = [(each["user"], each["assistant"]) for each in dialog]
    return texts, [each["summary"]["text"] for each in dialog if "summary" in each]


def restart(graph, snapshot: str) -> Agent:
    """Loads it into an engine of its own, which must go on from there."""
    with Engine() as engine:
        talk = Chat(engine, graph, snapshot=snapshot, summaries=["later"])
        talk.say("z")
        talk.agent.wait_background()
        return snapshot_texts(talk.agent.export_snapshot())


STEPS = [
    "before it begins",
    "at its first token",
    "in the middle",
    "written",
    "committed",
    "one turn later",
]


@pytest.mark.parametrize("ends", ["agent", "engine"])
@pytest.mark.parametrize("step", STEPS)
def test_an_end_at_any_step_loses_no_turn_and_no_summary(step: str, ends: str) -> None:
    graph = make_graph({}, BACKGROUND | {"template": TURNS_ONLY})
    summaries: list[str | ScriptedReply] = ["first", "second"]
    if step == "at its first token":
        summaries[1] = stalls()
    elif step == "in the middle":
        summaries[1] = stalls("seco")
    engine = Engine(worker_threads=1)
    talk = Chat(engine, graph, summaries=summaries)
    for text in "ab":
        talk.say(text)
    talk.agent.wait_background()
    for text in "cd":
        talk.say(text)
    if step != "before it begins":
        wait_until(lambda: len(talk.requests("summarize")) == 2)
    if step in ("committed", "one turn later"):
        talk.agent.wait_background()
    if step == "one turn later":
        talk.say("e")
    snapshot = talk.agent.export_snapshot()

    (talk.agent if ends == "agent" else engine).close()
    engine.close()

    texts, carried = snapshot_texts(snapshot)
    committed = step in ("committed", "one turn later")
    assert [user for user, _ in texts] == list("abcde" if step == STEPS[-1] else "abcd")
    assert carried == (["first", "second"] if committed else ["first"])
    after, carried_after = restart(graph, snapshot)
    assert after[: len(texts)] == texts
    assert carried_after[: len(carried)] == carried


def test_snapshots_taken_all_along_hold_whole_summaries_only() -> None:
    graph = make_graph({}, BACKGROUND)
    whole = {"one two", "three four"}
    with Engine() as engine:
        talk = Chat(engine, graph, summaries=sorted(whole), token_delay_us=100)
        for count in itertools.count(1):
            for event in talk.agent.start("a"):
                texts, carried = snapshot_texts(talk.agent.export_snapshot())
                assert set(carried) <= whole
                assert len(texts) in (count - 1, count)
                if isinstance(event, TurnComplete):
                    break
            talk.agent.poll_background()
            if len(snapshot_texts(talk.agent.export_snapshot())[1]) >= 3:
                return
