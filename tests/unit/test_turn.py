from __future__ import annotations

import threading
import time

import pytest

from support import AgentMaker, raises_code, wait_for_text
from talefold import (
    Agent,
    AnswerText,
    Engine,
    ErrorCode,
    GenerateParams,
    GraphDescription,
    NodeEvent,
    ScriptedReply,
    SummarizeParams,
    TurnComplete,
)


def test_a_stream_ends_with_turn_complete(agent: Agent) -> None:
    events = list(agent.stream("Hello."))

    *answers, complete = events
    assert [each.text for each in answers if isinstance(each, AnswerText)] == [
        "Aye,",
        " friend.",
        "Aye, friend.",
    ]
    assert isinstance(complete, TurnComplete)
    assert complete.status == "success"
    assert complete.tokens_generated == 2


def test_events_name_their_turn(agent: Agent) -> None:
    agent.send("Hello.")

    assert {event.turn_id for event in agent.stream("And more?")} == {2}


def test_a_stream_tells_of_an_error_by_its_last_event(make_agent: AgentMaker) -> None:
    agent = make_agent(ScriptedReply(outcome="fail"))

    (complete,) = agent.stream("Hello.")

    assert isinstance(complete, TurnComplete)
    assert complete.status == "error"
    assert complete.error is not None
    assert complete.error.code is ErrorCode.InferenceFailed


def test_a_stream_refuses_bad_texts_at_once(agent: Agent) -> None:
    with raises_code(ErrorCode.InvalidArgument):
        agent.stream("")


def test_a_stream_is_over_after_its_end(agent: Agent) -> None:
    stream = agent.stream("Hello.")
    list(stream)

    assert list(stream) == []


def test_closing_a_stream_cancels_its_turn(stalled_agent: Agent) -> None:
    stream = stalled_agent.stream("Hello.")
    next(stream)

    stream.close()

    assert not stalled_agent.busy
    assert list(stream) == []
    (interaction,) = stalled_agent.dialog()
    assert interaction.status == "interrupted"


def test_leaving_a_stream_early_cancels_its_turn(stalled_agent: Agent) -> None:
    for _ in stalled_agent.stream("Hello."):
        break

    assert not stalled_agent.busy


def test_a_stream_that_is_never_read_is_cancelled(stalled_agent: Agent) -> None:
    stalled_agent.stream("Hello.")

    assert not stalled_agent.busy


def test_a_turn_gives_its_events_once(agent: Agent) -> None:
    turn = agent.start("Hello.")

    first = turn.wait_event(timeout=60)
    rest = list(turn)

    assert isinstance(first, AnswerText)
    assert len(rest) == 3
    assert turn.poll() is None
    assert turn.wait_event(timeout=60) is None
    assert list(turn) == []


def test_the_result_takes_no_events(agent: Agent) -> None:
    turn = agent.start("Hello.")

    result = turn.result()

    assert list(turn) == result.events


def test_waiting_for_an_event_ends_at_the_timeout(stalled_agent: Agent) -> None:
    turn = stalled_agent.start("Hello.")
    wait_for_text(turn, "now")

    start = time.monotonic()

    assert turn.wait_event(timeout=0.15) is None
    assert time.monotonic() - start >= 0.15
    turn.cancel()


def test_waiting_for_the_result_ends_at_the_timeout(stalled_agent: Agent) -> None:
    turn = stalled_agent.start("Hello.")

    with pytest.raises(TimeoutError, match="turn 1"):
        turn.result(timeout=0.01)

    assert not turn.done
    turn.cancel()


def test_a_cancelled_turn_keeps_what_was_emitted(stalled_agent: Agent) -> None:
    turn = stalled_agent.start("Hello.")
    wait_for_text(turn, "now")

    turn.cancel()
    turn.cancel()

    result = turn.result()
    assert result.status == "cancelled"
    assert result.text == "Well now"
    assert turn.done
    assert stalled_agent.dialog()[0].assistant == "Well now"


def test_a_turn_waits_while_another_thread_cancels(stalled_agent: Agent) -> None:
    turn = stalled_agent.start("Hello.")
    timer = threading.Timer(0.3, turn.cancel)
    timer.start()

    result = turn.result()

    assert result.status == "cancelled"
    timer.join()


def test_a_turn_without_a_decision_cannot_be_resolved(agent: Agent) -> None:
    turn = agent.start("Hello.")

    with raises_code(ErrorCode.NoDecisionPending):
        turn.resolve("left")

    turn.result()


def test_turns_are_counted_from_one(agent: Agent) -> None:
    first = agent.start("Hello.")
    first.result()

    assert (first.id, agent.start("Hello.").id) == (1, 2)


def test_turns_tell_of_their_end_after_the_engine(
    engine: Engine, stalled_agent: Agent
) -> None:
    turn = stalled_agent.start("Hello.")

    engine.close()

    assert turn.result().status == "cancelled"


def test_node_events_have_their_pairs_as_a_dict(engine: Engine) -> None:
    graph = (
        GraphDescription()
        .add_node("generate", GenerateParams(default_exit="summarize"))
        .add_node(
            "summarize",
            SummarizeParams(trigger_turns=1, keep_recent_turns=0, notify_client=True),
        )
        .set_start_node("generate")
    )
    engine.load_scripted_model(
        "mock", replies=["Aye."], node_replies={"summarize": ["They met."]}
    )

    events = engine.create_agent(graph).send("Hello.").events

    (event,) = [each for each in events if isinstance(each, NodeEvent)]
    assert (event.node, event.event_type) == ("summarize", "summarized")
    assert event.pairs == {
        "covered_through": "0",
        "folded_turns": "1",
        "summary_chars": "9",
        "summary_text": "They met.",
    }
