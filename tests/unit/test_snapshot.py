"""Saving and loading: what a snapshot keeps, and what it refuses to read."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from support import raises_code
from talefold import ErrorCode, GenerateParams, GraphDescription, SamplingOverrides

from .helpers import (
    GUARD,
    WITH_PREVIOUS,
    Chat,
    fails,
    finish,
    report,
    stalls,
    wait_until,
)

FOLDING = {"trigger_turns": 2, "keep_recent_turns": 1, "template": WITH_PREVIOUS}
SMALL = {"context_size": 400, "sampling": SamplingOverrides(max_tokens=40, seed=1)}


def content(snapshot: str) -> dict[str, Any]:
    return json.loads(snapshot)


def talked(chat, turns: int = 6, **options: object) -> Chat:
    talk = chat(
        SMALL,
        FOLDING,
        **({"replies": ["a" * 30], "summaries": ["They met."]} | options),
    )
    for i in range(turns):
        talk.say(f"message {i:02}" * 2)
    return talk


# Round trips ---------------------------------------------------------------------


@pytest.mark.parametrize("turns", [0, 1, 2, 3, 8, 20])
def test_a_snapshot_survives_export_and_import_unchanged(chat, turns: int) -> None:
    talk = talked(chat, turns)
    snapshot = talk.agent.export_snapshot()

    again = chat(SMALL, FOLDING, snapshot=snapshot)

    assert again.agent.export_snapshot() == snapshot
    assert again.agent.dialog() == talk.agent.dialog()
    assert again.agent.get_summary() == talk.agent.get_summary()
    assert again.states() == talk.states()


@pytest.mark.parametrize("turns", [1, 3, 8, 20])
def test_the_next_request_is_the_same_after_a_round_trip(chat, turns: int) -> None:
    talk = talked(chat, turns)
    snapshot = talk.agent.export_snapshot()
    again = chat(SMALL, FOLDING, snapshot=snapshot)

    talk.say("And now?")
    again.say("And now?")
    original = talk.last_request()
    talk.agent.import_snapshot(snapshot)
    talk.say("And now?")

    for request in (again.last_request(), talk.last_request()):
        assert request.messages == original.messages
        assert request.prompt_tokens == original.prompt_tokens
        assert request.max_tokens == original.max_tokens
        assert request.seed == original.seed


def test_a_round_trip_after_a_fold_keeps_the_summary(chat) -> None:
    talk = talked(chat)

    again = chat(SMALL, FOLDING, snapshot=talk.agent.export_snapshot())
    again.say("x")

    assert again.last_messages()[0] == ("system", f"{GUARD}\nThey met.")


def test_a_restored_agent_folds_where_the_saved_one_would(chat) -> None:
    talk = talked(chat, 4)
    again = chat(
        SMALL,
        FOLDING,
        replies=["a" * 30],
        summaries=["They met."],
        snapshot=talk.agent.export_snapshot(),
    )

    for i in range(6):
        one, other = talk.say(f"{i}"), again.say(f"{i}")
        assert report(one).get("last_fold") == report(other).get("last_fold")
        assert report(one).get("skipped") == report(other).get("skipped")
    assert talk.agent.export_snapshot() == again.agent.export_snapshot()


def test_superseded_summaries_are_saved_so_that_undo_finds_them(chat) -> None:
    talk = chat(summarize={"trigger_turns": 1}, summaries=["one", "two"])
    talk.say("a")
    talk.say("b")
    again = chat(summarize={"trigger_turns": 1}, snapshot=talk.agent.export_snapshot())

    again.agent.undo_last_turn()

    assert again.agent.get_summary().text == "one"


def test_undo_after_a_round_trip_brings_the_trim_window_back(chat) -> None:
    small = {"context_size": 200, "sampling": SamplingOverrides(max_tokens=40)}
    talk = chat(small, replies=["a" * 8])
    while "trimmed" not in talk.states():
        talk.say("u" * 8)
    again = chat(small, snapshot=talk.agent.export_snapshot())

    talk.agent.undo_last_turn()
    again.agent.undo_last_turn()

    assert set(again.states()) == {"replayed"}
    assert again.agent.export_snapshot() == talk.agent.export_snapshot()


def test_the_marks_of_a_summary_are_saved(chat) -> None:
    talk = chat(
        summarize={
            "trigger_turns": 1,
            "context_size": 100,
            "oversized_turn": "abridge",
        }
    )
    talk.say("u" * 300)
    talk.agent.set_summary("by hand")
    talk.agent.edit_interaction(0, user="u")

    again = chat(summarize={}, snapshot=talk.agent.export_snapshot())

    summary = again.agent.get_summary()
    assert (summary.abridged, summary.edited, summary.stale) == (True, True, True)


@pytest.mark.parametrize(
    "text",
    [
        'quotes " and \\ and / and {"json": [1]}',
        "line\nbreak\r\n\ttab\x01\x1f\x7f",
        "ünïcödé – 会った 🦊 \u2028\u2029\ufeff",
        "<|system|>{{user_message}}",
        "a" * 60000,
    ],
    ids=["quotes", "control_characters", "unicode", "control_tokens", "long"],
)
def test_texts_are_saved_exactly(chat, text: str) -> None:
    long_reply = {"sampling": SamplingOverrides(max_tokens=65536)}
    talk = chat({"context_size": 131072} | long_reply, replies=[text])
    talk.say(text)

    again = chat(snapshot=talk.agent.export_snapshot())

    assert (again.agent.dialog()[0].user, again.agent.dialog()[0].assistant) == (
        text,
        text,
    )


def test_the_status_of_turns_is_saved(chat) -> None:
    talk = chat(
        {"stream": True},
        {"trigger_turns": 1},
        replies=["Aye.", fails("We"), "Aye."],
        summaries=["sum", stalls()],
    )
    talk.say("a")
    talk.say("b")
    finish(talk.stop_inside("summarize", lambda: talk.agent.start("c")))

    again = chat(summarize={}, snapshot=talk.agent.export_snapshot())

    assert [each.status for each in again.agent.dialog()] == [
        "complete",
        "interrupted",
        "cancelled",
    ]


def test_params_are_not_saved(chat) -> None:
    talk = chat({"system_prompt": "You are Edric."})
    talk.say("a")

    assert "Edric" not in talk.agent.export_snapshot()


def test_a_snapshot_holds_text_and_no_model_state(chat) -> None:
    # A little more than the texts: bounded per interaction.
    talk = chat(SMALL, FOLDING, replies=["a" * 30])
    for _ in range(200):
        talk.say("u" * 30)

    texts = sum(len(each.user + each.assistant) for each in talk.agent.dialog())
    assert len(talk.agent.export_snapshot()) < texts + 200 * 350 + 1000


def test_equal_histories_give_equal_bytes(chat) -> None:
    one, other = talked(chat, 8), talked(chat, 8)

    assert one.agent.export_snapshot() == other.agent.export_snapshot()


# While a turn runs ---------------------------------------------------------------


def test_a_snapshot_during_a_turn_is_the_last_committed_state(chat) -> None:
    talk = chat({"stream": True}, replies=["Aye.", stalls("Well")])
    talk.say("a")
    before = content(talk.agent.export_snapshot())
    turn = talk.agent.start("b")
    for _ in range(4):
        turn.wait_event(30)

    during = content(talk.agent.export_snapshot())

    turn.cancel()
    finish(turn)
    after = content(talk.agent.export_snapshot())
    assert during == before
    assert [each["assistant"] for each in after["dialog"]] == ["Aye.", "Well"]


def test_a_snapshot_during_a_fold_is_the_last_committed_state(chat) -> None:
    talk = chat(summarize={"trigger_turns": 1}, summaries=["sum", stalls()])
    talk.say("a")
    before = content(talk.agent.export_snapshot())
    turn = talk.agent.start("b")
    wait_until(lambda: len(talk.requests("summarize")) == 2)

    during = content(talk.agent.export_snapshot())

    turn.cancel()
    finish(turn)
    assert during == before


def test_a_snapshot_taken_during_a_turn_can_be_continued(chat) -> None:
    talk = chat({"stream": True}, replies=["Aye.", stalls("Well")])
    talk.say("a")
    turn = talk.agent.start("b")
    turn.wait_event(30)

    again = chat(snapshot=talk.agent.export_snapshot())
    again.say("c")

    turn.cancel()
    finish(turn)
    assert again.last_text() == "a\nAye.\nc"


def test_an_import_during_a_turn_is_refused(chat) -> None:
    talk = chat(replies=[stalls()])
    snapshot = talk.agent.export_snapshot()
    turn = talk.agent.start("a")

    with raises_code(ErrorCode.AgentBusy):
        talk.agent.import_snapshot(snapshot)

    turn.cancel()
    finish(turn)


# Compatibility -------------------------------------------------------------------


def test_without_a_fold_there_is_no_trace_of_the_node(chat) -> None:
    with_node = chat(summarize={"trigger_turns": 99}, summaries=[fails()])
    without = chat()
    for talk in (with_node, without):
        talk.say("a")
        talk.say("b")

    snapshot = with_node.agent.export_snapshot()

    assert snapshot == without.agent.export_snapshot()
    assert "summar" not in snapshot
    assert "required_components" not in snapshot


def test_with_a_fold_the_component_is_required(chat) -> None:
    snapshot = json.loads(talked(chat).agent.export_snapshot())

    assert snapshot["required_components"] == ["summary"]
    assert snapshot["format"] == "talefold-snapshot"
    assert snapshot["version"] == 1


def test_a_fold_that_was_undone_is_no_longer_required(chat) -> None:
    talk = chat(summarize={"trigger_turns": 1})
    talk.say("a")

    talk.agent.undo_last_turn()

    assert "required_components" not in talk.agent.export_snapshot()


def test_a_graph_without_the_summarizer_still_uses_the_summary(chat) -> None:
    talk = talked(chat)

    again = chat(SMALL, snapshot=talk.agent.export_snapshot())
    again.say("x")

    assert again.last_messages()[0] == ("system", f"{GUARD}\nThey met.")
    assert again.last_messages() == [*again.last_messages()[:-1], ("user", "x")]


def test_a_graph_with_another_summarizer_goes_on_from_the_summary(chat) -> None:
    talk = talked(chat)
    covered = talk.agent.get_summary().covered_through

    again = chat(
        SMALL,
        {"trigger_turns": 1, "template": "{{#turns}}<{{index}}>{{/turns}}"},
        snapshot=talk.agent.export_snapshot(),
    )
    again.say("x")

    first = again.last_messages("summarize")[1][1].split(">")[0]
    assert first == f"<{covered + 1}"


def test_state_of_unknown_nodes_is_dropped_with_a_warning(chat, engine, caplog) -> None:
    small = {"context_size": 200, "sampling": SamplingOverrides(max_tokens=40)}
    talk = chat(small, replies=["a" * 8])
    for _ in range(10):
        talk.say("u" * 8)
    graph = (
        GraphDescription()
        .add_node("other", GenerateParams(context_size=4096))
        .set_start_node("other")
    )

    with caplog.at_level("WARNING", "talefold"):
        again = Chat(engine, graph, snapshot=talk.agent.export_snapshot())

    (record,) = caplog.records
    assert "'generate'" in record.getMessage()
    assert again.agent.dialog() == talk.agent.dialog()
    assert set(again.agent.history_states("other")) == {"replayed"}


def test_a_smaller_context_trims_what_it_cannot_show(chat) -> None:
    talk = chat(replies=["a" * 30])
    for _ in range(20):
        talk.say("u" * 30)

    again = chat(
        {"context_size": 200, "sampling": SamplingOverrides(max_tokens=40)},
        snapshot=talk.agent.export_snapshot(),
    )

    assert again.say("x").status == "success"
    assert len(again.last_request().prompt_tokens) <= 160
    assert again.agent.dialog_size == 21


def test_a_start_node_too_small_for_the_summary_is_a_mismatch(chat) -> None:
    talk = chat(
        summarize={"trigger_turns": 1, "max_summary_tokens": 256},
        summaries=["s" * 256],
    )
    talk.say("a")
    snapshot = talk.agent.export_snapshot()
    small = {"context_size": 300, "sampling": SamplingOverrides(max_tokens=40)}

    with raises_code(ErrorCode.SnapshotGraphMismatch) as caught:
        chat(small, snapshot=snapshot)

    assert "300" in caught.value.message
    running = chat(small)
    running.say("kept")
    with raises_code(ErrorCode.SnapshotGraphMismatch):
        running.agent.import_snapshot(snapshot)
    assert running.agent.dialog()[0].user == "kept"


# What is refused -----------------------------------------------------------------

Change = Callable[[dict[str, Any]], object]


def changed(**values: Any) -> Change:
    return lambda root: root.update(values)


def in_turn(index: int, **values: Any) -> Change:
    return lambda root: root["dialog"][index].update(values)


def in_summary(**values: Any) -> Change:
    return lambda root: root["dialog"][2]["summary"].update(values)


def without(key: str, index: int | None = None) -> Change:
    return lambda root: (root if index is None else root["dialog"][index]).pop(key)


MALFORMED: dict[str, Change] = {
    "other_format": changed(format="talefold-graph"),
    "no_format": without("format"),
    "no_version": without("version"),
    "version_0": changed(version=0),
    "version_as_text": changed(version="1"),
    "version_with_a_fraction": changed(version=1.5),
    "unknown_key": changed(extra=1),
    "no_dialog": without("dialog"),
    "dialog_as_object": changed(dialog={}),
    "interaction_as_text": lambda root: root["dialog"].append("x"),
    "interaction_unknown_key": in_turn(0, extra=1),
    "interaction_without_user": without("user", 0),
    "user_as_number": in_turn(0, user=1),
    "user_null": in_turn(0, user=None),
    "user_with_nul": in_turn(0, user="a\0b"),
    "unknown_status": in_turn(0, status="lost"),
    "ids_not_ascending": in_turn(0, id=9),
    "id_0": in_turn(0, id=0),
    "attempt_negative": in_turn(0, attempt=-1),
    "revision_too_large": in_turn(0, revision=2**32),
    "summary_not_declared": without("required_components"),
    "summary_as_text": in_turn(2, summary="x"),
    "summary_empty": in_summary(text=""),
    "summary_white_space": in_summary(text=" \n"),
    "summary_unknown_key": in_summary(extra=1),
    "summary_covers_the_future": in_summary(covered_through=3),
    "summary_covers_negative": in_summary(covered_through=-1),
    "summary_flag_as_number": in_summary(stale=1),
    "required_components_as_text": changed(required_components="summary"),
    "nodes_as_list": changed(nodes=[]),
    "node_unknown_key": changed(nodes={"generate": {"trims": [], "x": 1}}),
    "trim_of_the_future": changed(
        nodes={"generate": {"trims": [{"at": 9, "from": 0}]}}
    ),
    "trim_beyond_its_turn": changed(
        nodes={"generate": {"trims": [{"at": 1, "from": 2}]}}
    ),
    "trims_not_ascending": changed(
        nodes={"generate": {"trims": [{"at": 1, "from": 1}, {"at": 1, "from": 0}]}}
    ),
}


@pytest.fixture
def saved(chat) -> str:
    """Three turns, the last of which carries a summary of the first two."""
    talk = chat(summarize=FOLDING, summaries=["They met."])
    for text in ("a", "b", "c"):
        talk.say(text)
    snapshot = talk.agent.export_snapshot()
    assert "summary" in json.loads(snapshot)["dialog"][2]
    return snapshot


@pytest.mark.parametrize("change", MALFORMED.values(), ids=MALFORMED)
def test_malformed_content_is_refused_and_changes_nothing(
    chat, saved: str, change: Change
) -> None:
    root = json.loads(saved)
    change(root)
    target = chat(summarize=FOLDING)
    target.say("kept")
    before = target.agent.export_snapshot()

    with raises_code(ErrorCode.MalformedSnapshot):
        target.agent.import_snapshot(json.dumps(root))

    assert target.agent.export_snapshot() == before
    with raises_code(ErrorCode.MalformedSnapshot):
        chat(summarize=FOLDING, snapshot=json.dumps(root))


@pytest.mark.parametrize(
    "text",
    ["", " ", "{", "null", "[]", "42", '"x"', "{}", "not json", "[" * 1000, "{}{}"],
    ids=repr,
)
def test_text_that_is_no_snapshot_is_refused(chat, text: str) -> None:
    target = chat()

    with raises_code(ErrorCode.MalformedSnapshot):
        target.agent.import_snapshot(text)


def test_every_truncation_is_refused(chat, saved: str) -> None:
    target = chat(summarize=FOLDING)
    target.say("kept")
    before = target.agent.export_snapshot()

    for end in range(len(saved.rstrip())):
        with raises_code(ErrorCode.MalformedSnapshot):
            target.agent.import_snapshot(saved[:end])

    assert target.agent.export_snapshot() == before


def test_a_lone_surrogate_is_refused(chat, saved: str) -> None:
    target = chat(summarize=FOLDING)

    with raises_code(ErrorCode.MalformedSnapshot):
        target.agent.import_snapshot(saved.replace("They met.", r"\ud800"))
    with raises_code(ErrorCode.InvalidUtf8):
        target.agent.import_snapshot(saved.replace("They met.", "\ud800"))


@pytest.mark.parametrize("version", [2, 3, 10**9])
def test_a_newer_version_is_named_as_such(chat, saved: str, version: int) -> None:
    root = json.loads(saved) | {"version": version, "unheard_of": 1}

    with raises_code(ErrorCode.SnapshotVersionTooNew) as caught:
        chat().agent.import_snapshot(json.dumps(root))

    assert str(version) in caught.value.message


@pytest.mark.parametrize("components", [["hologram"], ["summary", "dream"], [1]])
def test_an_unknown_component_is_refused_and_changes_nothing(
    chat, saved: str, components: list
) -> None:
    root = json.loads(saved) | {"required_components": components}
    target = chat(summarize=FOLDING)
    target.say("kept")
    before = target.agent.export_snapshot()

    with raises_code(ErrorCode.DialogUnsupportedComponent):
        target.agent.import_snapshot(json.dumps(root))

    assert target.agent.export_snapshot() == before


def test_a_message_about_damage_names_the_place(chat, saved: str) -> None:
    root = json.loads(saved)
    root["dialog"][1]["status"] = "lost"

    with raises_code(ErrorCode.MalformedSnapshot) as caught:
        chat().agent.import_snapshot(json.dumps(root))

    assert "dialog[1].status" in caught.value.message
    assert "lost" in caught.value.message


def test_an_import_replaces_the_dialog_and_keeps_the_params(chat, saved: str) -> None:
    target = chat({"system_prompt": "You are Ann."}, FOLDING)
    target.say("gone")

    target.agent.import_snapshot(saved)
    target.say("d")

    assert target.last_messages()[0][1].startswith("You are Ann.")
    assert "gone" not in target.last_text()
    assert target.agent.dialog_size == 4


def test_costs_counted_before_an_import_are_forgotten(chat) -> None:
    # Both dialogs have the same ids; the texts of the second are longer.
    short, long = chat(), chat()
    short.say("u")
    long.say("u" * 100)
    talk = chat(summarize={"trigger_tokens": 9999})
    talk.agent.import_snapshot(short.agent.export_snapshot())
    assert report(talk.say("u"))["skipped"]["pending_tokens"] == 5 + 5

    talk.agent.import_snapshot(long.agent.export_snapshot())

    assert report(talk.say("u"))["skipped"]["pending_tokens"] == 104 + 5
