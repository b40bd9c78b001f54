"""A fold that does not succeed changes nothing but the turn's token count."""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass

import pytest

from support import raises_code
from talefold import AnswerText, ErrorCode, NodeEvent, ScriptedReply, TurnComplete

from .helpers import (
    WITH_PREVIOUS,
    Chat,
    fails,
    finish,
    overflows,
    report,
    stalls,
)

REPLY = "Aye."  # 4 tokens
FOLD_ALWAYS = {"trigger_turns": 1, "template": WITH_PREVIOUS, "notify_client": True}


@dataclass(frozen=True)
class Failure:
    """A reply of the summarizer that is no summary."""

    id: str
    reply: str | ScriptedReply
    reason: str
    tokens: int


FAILURES = [
    Failure("fails_at_once", fails(), "model_error", 0),
    Failure("fails_after_some_tokens", fails("Debris."), "model_error", 7),
    Failure("runs_out_of_context_at_once", overflows(), "model_error", 0),
    Failure("says_nothing", "", "empty_output", 0),
    Failure("says_a_blank", " ", "empty_output", 1),
    Failure("says_only_white_space", " \n\t \r\n", "empty_output", 6),
    Failure("says_white_space_up_to_the_limit", " " * 40, "empty_output", 16),
]
BY_ID = pytest.mark.parametrize("failure", FAILURES, ids=lambda failure: failure.id)


def failing_chat(chat, failure: Failure, **options: object) -> Chat:
    """Turn 0 folds to "Old."; turn 1 fails; turn 2 folds to "New."."""
    talk = chat(
        {"system_prompt": "Edric."},
        FOLD_ALWAYS,
        replies=[REPLY],
        summaries=["Old.", failure.reply, "New."],
        **options,
    )
    talk.say("a")
    return talk


@BY_ID
def test_the_previous_summary_is_kept(chat, failure: Failure) -> None:
    talk = failing_chat(chat, failure)
    before = talk.agent.get_summary()

    talk.say("b")

    assert talk.agent.get_summary() == before
    assert talk.agent.dialog()[1].summary is None


@BY_ID
def test_the_reason_is_reported(chat, failure: Failure) -> None:
    talk = failing_chat(chat, failure)

    result = talk.say("b")

    skipped = report(result)["skipped"]
    assert skipped == {
        "reason": failure.reason,
        "pending_turns": 1,
        "pending_tokens": 0,
    }
    assert not {"last_fold", "input", "output"} & set(report(result))


@BY_ID
def test_the_turn_succeeds_with_its_reply(chat, failure: Failure) -> None:
    talk = failing_chat(chat, failure)

    result = talk.say("b")

    assert (result.status, result.text, result.error) == ("success", REPLY, None)
    assert talk.agent.dialog()[1].assistant == REPLY
    assert talk.agent.dialog()[1].status == "complete"


@BY_ID
def test_the_tokens_of_the_attempt_count(chat, failure: Failure) -> None:
    talk = failing_chat(chat, failure)

    assert talk.say("b").tokens_generated == len(REPLY) + failure.tokens


@BY_ID
def test_one_warning_is_logged(chat, failure: Failure, caplog) -> None:
    talk = failing_chat(chat, failure)
    caplog.clear()

    with caplog.at_level(logging.INFO, "talefold"):
        talk.say("b")

    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert record.name.startswith("talefold.")
    assert "summarize" in record.getMessage()
    assert failure.reason in record.getMessage()


@BY_ID
def test_no_event_tells_of_a_summary(chat, failure: Failure) -> None:
    talk = failing_chat(chat, failure)

    events = talk.say("b").events

    assert not [each for each in events if isinstance(each, NodeEvent)]
    assert sum(isinstance(each, TurnComplete) for each in events) == 1


@BY_ID
def test_the_next_turn_folds_what_waited(chat, failure: Failure) -> None:
    talk = failing_chat(chat, failure)
    talk.say("b")

    result = talk.say("c")

    assert report(result)["last_fold"]["folded_turns"] == 2
    assert talk.last_messages("summarize")[1][1] == "Old.bAye.cAye."
    assert talk.agent.get_summary().text == "New."
    assert talk.agent.get_summary().covered_through == 2


@BY_ID
def test_failed_output_never_enters_a_later_prompt(chat, failure: Failure) -> None:
    talk = failing_chat(chat, failure)
    talk.say("b")
    asked = len(talk.engine.recorded_requests(talk.model))

    for text in ("c", "d", "e"):
        talk.say(text)

    later = talk.engine.recorded_requests(talk.model)[asked:]
    texts = [text for request in later for _, text in request.messages]
    assert not [text for text in texts if "Debris" in text or "failure" in text]
    assert not [text for text in texts if text != text.strip()]


@BY_ID
def test_failed_output_never_enters_a_snapshot(chat, failure: Failure) -> None:
    talk = failing_chat(chat, failure)
    talk.say("b")

    snapshot = json.loads(talk.agent.export_snapshot())

    assert "Debris" not in json.dumps(snapshot)
    assert [turn.get("summary", {}).get("text") for turn in snapshot["dialog"]] == [
        "Old.",
        None,
    ]


@BY_ID
def test_the_reply_prompt_is_as_after_a_turn_without_a_fold(
    chat, failure: Failure
) -> None:
    talk = failing_chat(chat, failure)
    talk.say("b")
    talk.say("c")
    quiet = failing_chat(chat, failure)
    quiet.agent.change_params("summarize", {"trigger_turns": 0})
    quiet.say("b")
    quiet.say("c")

    assert talk.last_messages() == quiet.last_messages()


def test_a_first_fold_that_fails_leaves_no_summary(chat) -> None:
    talk = chat(summarize=FOLD_ALWAYS, summaries=[fails("Debris.")])

    talk.say("a")

    assert talk.agent.get_summary() is None
    assert "summary" not in talk.agent.export_snapshot()


def test_a_summarizer_that_always_fails_never_harms_the_conversation(chat) -> None:
    talk = chat(
        {"context_size": 300, "sampling": {"max_tokens": 40}},
        FOLD_ALWAYS,
        replies=["a" * 30],
        summaries=[fails("Debris."), "", " ", overflows()],
    )

    results = [talk.say("u" * 30) for _ in range(40)]

    assert {result.status for result in results} == {"success"}
    assert talk.agent.get_summary() is None
    assert report(results[-1])["skipped"]["pending_turns"] == 40


def test_a_backlog_left_by_failures_is_folded_in_bounded_steps(chat) -> None:
    talk = chat(
        summarize=FOLD_ALWAYS | {"context_size": 100},
        replies=["a" * 10],
        summaries=[fails()] * 12 + ["s" * 16] * 3,
    )
    for _ in range(12):
        talk.say("u" * 10)

    # 4 of 20 fit, then 3 beside the summary of 16; a new one waits each turn.
    folded = [report(talk.say("u" * 10))["last_fold"]["folded_turns"] for _ in range(3)]

    assert folded == [4, 3, 3]


# Stops ---------------------------------------------------------------------------


def stopped_chat(chat, partial: str, generate: dict | None = None) -> Chat:
    talk = chat(
        {"system_prompt": "Edric."} | (generate or {}),
        FOLD_ALWAYS,
        replies=[REPLY],
        summaries=["Old.", stalls(partial), "New."],
    )
    talk.say("a")
    return talk


@pytest.mark.parametrize("partial", ["", "Debris"])
def test_a_cancel_during_the_fold_keeps_the_complete_reply(chat, partial: str) -> None:
    talk = stopped_chat(chat, partial)

    turn = talk.stop_inside("summarize", lambda: talk.agent.start("b"))
    result = finish(turn)

    assert (result.status, result.text) == ("cancelled", REPLY)
    assert talk.agent.dialog()[1].assistant == REPLY
    assert talk.agent.dialog()[1].status == "cancelled"
    assert report(result)["skipped"]["reason"] == "cancelled"
    assert len(REPLY) <= result.tokens_generated <= len(REPLY) + len(partial)
    assert talk.agent.get_summary().text == "Old."


@pytest.mark.parametrize("partial", ["", "Debris"])
def test_a_timeout_during_the_fold_keeps_the_complete_reply(chat, partial: str) -> None:
    talk = stopped_chat(chat, partial)

    result = talk.say("b", timeout_ms=400)

    assert result.status == "error"
    assert result.error.code is ErrorCode.InferenceTimeout
    assert result.text == REPLY
    assert talk.agent.dialog()[1].assistant == REPLY
    assert report(result)["skipped"]["reason"] == "cancelled"
    assert result.tokens_generated == len(REPLY) + len(partial)
    assert talk.agent.get_summary().text == "Old."


def test_the_reply_was_delivered_before_the_fold_was_cancelled(chat) -> None:
    talk = stopped_chat(chat, "Debris")

    turn = talk.stop_inside("summarize", lambda: talk.agent.start("b"))

    answers = [each for each in turn if isinstance(each, AnswerText)]
    assert [(each.text, each.is_final) for each in answers] == [(REPLY, True)]


def test_a_cancelled_fold_logs_a_warning(chat, caplog) -> None:
    talk = stopped_chat(chat, "Debris")

    with caplog.at_level(logging.WARNING, "talefold"):
        finish(talk.stop_inside("summarize", lambda: talk.agent.start("b")))

    assert ["cancelled" in each.getMessage() for each in caplog.records] == [True]


def test_the_turn_after_a_cancelled_fold_folds_what_waited(chat) -> None:
    talk = stopped_chat(chat, "Debris")
    finish(talk.stop_inside("summarize", lambda: talk.agent.start("b")))

    result = talk.say("c")

    assert result.status == "success"
    assert talk.last_messages("summarize")[1][1] == "Old.bAye.cAye."
    assert "Debris" not in talk.last_text()
    assert talk.agent.get_summary().covered_through == 2


def test_a_cancelled_fold_before_the_reply_leaves_no_turn(chat) -> None:
    talk = chat(
        summarize=FOLD_ALWAYS,
        summarize_first=True,
        summaries=[stalls("Debris"), "New."],
    )
    talk.say("a")
    before = json.loads(talk.agent.export_snapshot())

    turn = talk.stop_inside("summarize", lambda: talk.agent.start("b"))
    result = finish(turn)

    assert (result.status, result.text) == ("cancelled", "")
    assert report(result)["skipped"]["reason"] == "cancelled"
    after = json.loads(talk.agent.export_snapshot())
    assert before == after


def test_a_cancelled_turn_ends_the_walk_at_the_fold(chat) -> None:
    talk = stopped_chat(chat, "Debris")

    result = finish(talk.stop_inside("summarize", lambda: talk.agent.start("b")))

    assert "exit" not in report(result)
    assert report(result, "generate")["exit"] == "default"


def test_a_fold_is_not_kept_when_the_turn_fails_before_any_reply(chat) -> None:
    # The Summarize node runs first and succeeds; then the reply fails.
    talk = chat(
        summarize=FOLD_ALWAYS,
        summarize_first=True,
        replies=[REPLY, fails(), REPLY],
        summaries=["Gone.", "Kept."],
    )
    talk.say("a")

    failed = talk.say("b")

    assert failed.status == "error"
    assert not [each for each in failed.events if isinstance(each, NodeEvent)]
    assert talk.agent.get_summary() is None
    talk.say("c")
    assert talk.agent.get_summary().text == "Kept."
    assert "Gone." not in talk.last_text()


def test_no_fold_follows_an_interrupted_reply(chat) -> None:
    talk = chat(
        {"stream": True},
        FOLD_ALWAYS,
        replies=[fails("Well"), REPLY],
    )

    failed = talk.say("a")

    assert (failed.status, failed.text) == ("error", "Well")
    assert talk.requests("summarize") == []
    talk.say("b")
    assert talk.last_messages("summarize")[1][1] == "aWellbAye."


# Refold --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (fails("Debris."), ErrorCode.InferenceFailed),
        (overflows(), ErrorCode.InferenceFailed),
        ("", ErrorCode.InferenceFailed),
        (" \n ", ErrorCode.InferenceFailed),
    ],
    ids=["fails", "out_of_context", "empty", "white_space"],
)
def test_a_failed_refold_keeps_the_summary(chat, reply, code: ErrorCode) -> None:
    talk = chat(summarize=FOLD_ALWAYS, summaries=["Old.", reply, "New."])
    talk.say("a")
    talk.agent.edit_interaction(0, user="changed")
    before = json.loads(talk.agent.export_snapshot())

    with raises_code(code):
        talk.agent.refold()

    after = json.loads(talk.agent.export_snapshot())
    assert before == after
    assert talk.agent.refold().text == "New."


def test_a_cancelled_refold_keeps_the_summary(chat) -> None:
    talk = chat(summarize=FOLD_ALWAYS, summaries=["Old.", stalls("Debris"), "New."])
    talk.say("a")

    turn = talk.stop_inside("summarize", talk.agent.start_refold)

    assert finish(turn).status == "cancelled"
    assert talk.agent.get_summary().text == "Old."
    assert not talk.agent.busy


def test_a_refold_that_fails_half_way_keeps_the_summary(chat) -> None:
    # Both turns were folded at once; since then they grew, so that each needs its own
    # request. The second fails.
    talk = chat(
        summarize=FOLD_ALWAYS | {"trigger_turns": 2, "context_size": 100},
        summaries=["Old.", "half", fails("Debris."), "one", "two"],
    )
    talk.say("a")
    talk.say("b")
    for index in range(2):
        talk.agent.edit_interaction(index, user="u" * 60)

    with raises_code(ErrorCode.InferenceFailed):
        talk.agent.refold()

    assert talk.agent.get_summary().text == "Old."
    assert talk.agent.refold().text == "two"


def test_an_output_cut_by_the_context_is_not_a_complete_result(chat) -> None:
    talk = chat(summarize=FOLD_ALWAYS, summaries=[overflows("One end. Half a")])

    result = talk.say("a")

    assert talk.agent.get_summary() is None
    assert report(result, "summarize")["skipped"]["reason"] == "model_error"
    assert result.tokens_generated == len("Aye.") + len("One end. Half a")
