"""The Generate node: its prompt, its limits, its sampling and what it reports."""

from __future__ import annotations

import dataclasses
import json

import pytest

from support import raises_code
from talefold import (
    AnswerText,
    Engine,
    ErrorCode,
    GenerateParams,
    InstructionParams,
    SamplingOverrides,
    TurnComplete,
)

from .content_nodes import documented_keys, graph_of
from .helpers import Chat, fails, finish, keys_of, make_graph, overflows, report, stalls

SYSTEM = ("system", "You are Edric.")
EDRIC = {"system_prompt": SYSTEM[1]}


# Messages ------------------------------------------------------------------------


def test_the_first_prompt_is_system_prompt_and_message(chat) -> None:
    talk = chat(EDRIC)

    talk.say("Hello.")

    assert talk.last_messages() == [SYSTEM, ("user", "Hello.")]


def test_earlier_turns_are_replayed_word_for_word(chat) -> None:
    talk = chat(EDRIC, replies=["  Aye,\nfriend. "])
    talk.say(" Hello. ")

    talk.say("Rooms?")

    assert talk.last_messages() == [
        SYSTEM,
        ("user", " Hello. "),
        ("assistant", "  Aye,\nfriend. "),
        ("user", "Rooms?"),
    ]


def test_without_a_system_prompt_there_is_no_system_message(chat) -> None:
    talk = chat()

    talk.say("Hello.")

    assert talk.last_messages() == [("user", "Hello.")]


def test_the_character_may_speak_first(chat) -> None:
    talk = chat(EDRIC, replies=["Welcome!", "Aye."])

    result = talk.say(None)

    assert result.text == "Welcome!"
    assert talk.last_messages() == [SYSTEM]
    assert (talk.agent.dialog()[0].user, talk.agent.dialog()[0].assistant) == (
        "",
        "Welcome!",
    )


def test_what_the_character_said_first_survives_in_the_next_prompt(chat) -> None:
    talk = chat(EDRIC, replies=["Welcome!", "Aye."])
    talk.say(None)

    talk.say("Rooms?")

    assert talk.last_messages() == [
        SYSTEM,
        ("assistant", "Welcome!"),
        ("user", "Rooms?"),
    ]


def test_a_character_may_speak_twice_in_a_row(chat) -> None:
    talk = chat(replies=["one", "two", "three"])

    for _ in range(3):
        talk.say(None)

    assert talk.last_messages() == [("assistant", "one"), ("assistant", "two")]


def test_an_empty_reply_adds_no_message(chat) -> None:
    talk = chat(replies=["", "Aye."])
    result = talk.say("Hello?")

    talk.say("Anyone?")

    assert (result.status, result.text) == ("success", "")
    assert talk.last_messages() == [("user", "Hello?"), ("user", "Anyone?")]


def test_a_second_reply_in_the_same_turn_reads_the_first(engine: Engine) -> None:
    graph = make_graph({"default_exit": "more"})
    graph.add_node("more", GenerateParams(context_size=4096))
    talk = Chat(engine, graph, replies=["Aye."])

    result = talk.say("Hello.")

    assert talk.last_messages("more") == [("user", "Hello."), ("assistant", "Aye.")]
    assert result.text == "Aye.\n\nAye."
    assert talk.agent.dialog()[0].assistant == "Aye.\n\nAye."


FRAME = "[{{user_message}}]"


@pytest.mark.parametrize(
    ("placement", "messages"),
    [
        ("in_place_of_user", [("user", "[Hi]")]),
        ("before_user_as_user", [("user", "[Hi]"), ("user", "Hi")]),
        ("before_user_as_system", [("system", "[Hi]"), ("user", "Hi")]),
        ("after_user_as_user", [("user", "Hi"), ("user", "[Hi]")]),
        ("after_user_as_system", [("user", "Hi"), ("system", "[Hi]")]),
    ],
)
def test_the_template_goes_where_its_placement_says(chat, placement, messages) -> None:
    talk = chat(EDRIC | {"template": FRAME, "placement": placement})

    talk.say("Hi")

    assert talk.last_messages() == [SYSTEM, *messages]


@pytest.mark.parametrize(
    "placement",
    [
        "in_place_of_user",
        "before_user_as_user",
        "before_user_as_system",
        "after_user_as_user",
        "after_user_as_system",
    ],
)
def test_only_the_current_turn_is_framed(chat, placement: str) -> None:
    talk = chat({"template": FRAME, "placement": placement})
    talk.say("Hi")

    talk.say("Yo")

    assert talk.last_messages()[:2] == [("user", "Hi"), ("assistant", "Aye.")]
    assert talk.agent.dialog()[0].user == "Hi"


@pytest.mark.parametrize(
    "template", [" \n ", "{{#knowledge}}K: {{text}}{{/knowledge}}", "{{! remark }}"]
)
@pytest.mark.parametrize("placement", ["before_user_as_system", "after_user_as_user"])
def test_a_template_that_renders_to_nothing_adds_nothing(
    chat, template: str, placement: str
) -> None:
    talk = chat({"template": template, "placement": placement})

    talk.say("Hi")

    assert talk.last_messages() == [("user", "Hi")]


def test_a_template_in_place_that_renders_to_nothing_leaves_the_message(chat) -> None:
    talk = chat(
        {
            "template": "{{#knowledge}}{{user_message}}{{/knowledge}}",
            "placement": "in_place_of_user",
        }
    )

    talk.say("Hi")

    assert talk.last_messages() == [("user", "Hi")]


def test_a_template_frames_a_turn_without_a_message_too(chat) -> None:
    talk = chat({"template": "Greet the player."})

    talk.say(None)

    assert talk.last_messages() == [("system", "Greet the player.")]


def test_a_changed_system_prompt_holds_from_the_next_turn(chat) -> None:
    talk = chat(EDRIC)
    talk.say("Hi")
    talk.agent.change_params("generate", {"system_prompt": "You are Ann."})

    talk.say("Hi")

    assert talk.last_messages()[0] == ("system", "You are Ann.")


def test_an_edited_interaction_is_replayed_as_edited(chat) -> None:
    talk = chat()
    talk.say("Hi")
    talk.agent.edit_interaction(0, assistant="Go away.")

    talk.say("Yo")

    assert talk.last_messages()[1] == ("assistant", "Go away.")


# Events --------------------------------------------------------------------------


def test_a_streaming_node_sends_pieces_and_the_whole(chat) -> None:
    talk = chat({"stream": True}, replies=["Aye"])

    *answers, last = talk.say().events

    assert [(each.text, each.is_delta, each.is_final) for each in answers] == [
        ("A", True, False),
        ("y", True, False),
        ("e", True, False),
        ("Aye", False, True),
    ]
    assert {each.node for each in answers} == {"generate"}
    assert isinstance(last, TurnComplete)


def test_a_node_that_does_not_stream_sends_the_whole_only(chat) -> None:
    talk = chat({"stream": False}, replies=["Aye"])

    (answer, _) = talk.say().events

    assert isinstance(answer, AnswerText)
    assert (answer.text, answer.is_delta, answer.is_final) == ("Aye", False, True)


@pytest.mark.parametrize("text", ["", "Well"])
def test_a_failure_keeps_what_was_streamed(chat, text: str) -> None:
    talk = chat({"stream": True}, replies=[fails(text), "Aye."])

    result = talk.say("Hi")

    assert (result.status, result.text) == ("error", text)
    assert result.error.code is ErrorCode.InferenceFailed
    kept = [(each.assistant, each.status) for each in talk.agent.dialog()]
    assert kept == ([("Well", "interrupted")] if text else [])
    assert talk.say("Hi").status == "success"


def test_a_failure_keeps_nothing_that_was_not_emitted(chat) -> None:
    talk = chat({"stream": False}, replies=[fails("Well"), "Aye."])

    result = talk.say("Hi")

    assert (result.status, result.text, result.tokens_generated) == ("error", "", 4)
    assert talk.agent.dialog() == []
    talk.say("Yo")
    assert talk.last_messages() == [("user", "Yo")]


def test_a_cancel_keeps_what_was_streamed(chat) -> None:
    talk = chat({"stream": True}, replies=[stalls("Well"), "Aye."])
    turn = talk.agent.start("Hi")
    for _ in range(4):
        assert turn.wait_event(30) is not None
    turn.cancel()

    result = finish(turn)

    assert (result.status, result.text) == ("cancelled", "Well")
    assert talk.agent.dialog()[0].status == "interrupted"
    talk.say("Yo")
    assert talk.last_messages()[:2] == [("user", "Hi"), ("assistant", "Well")]


def test_a_cancel_before_any_text_leaves_no_turn(chat) -> None:
    talk = chat(replies=[stalls(), "Aye."])

    result = finish(talk.stop_inside("generate", lambda: talk.agent.start("Hi")))

    assert (result.status, result.text) == ("cancelled", "")
    assert talk.agent.dialog() == []


def test_a_time_out_before_any_text_leaves_no_turn(chat) -> None:
    talk = chat(replies=[stalls("Well"), "Aye."])

    result = talk.say("Hi", timeout_ms=50)

    assert result.error.code is ErrorCode.InferenceTimeout
    assert talk.agent.dialog() == []
    assert talk.say("Hi").text == "Aye."


# Limits --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("context_size", "reserve"),
    [(100, 25), (103, 25), (1023, 255), (1024, 256), (4096, 256), (8192, 256)],
)
def test_the_reply_reserve_is_a_quarter_of_the_context_or_256(
    chat, context_size: int, reserve: int
) -> None:
    talk = chat({"context_size": context_size})

    parameters = report(talk.say(), "generate")["parameters"]

    assert parameters["reply_reserve_tokens"] == reserve
    assert talk.last_request().max_tokens == reserve


def test_max_tokens_is_the_reply_reserve(chat) -> None:
    talk = chat({"sampling": SamplingOverrides(max_tokens=3)})

    result = talk.say()

    assert talk.last_request().max_tokens == 3
    assert (result.text, result.tokens_generated) == ("Aye", 3)
    assert report(result, "generate")["output"]["stop_reason"] == "max_tokens"


def test_the_models_max_tokens_is_the_reserve_when_the_node_sets_none(chat) -> None:
    talk = chat(default_sampling=SamplingOverrides(max_tokens=33))

    talk.say()

    assert talk.last_request().max_tokens == 33


def test_a_reply_cut_at_its_limit_is_kept_as_it_is(chat) -> None:
    talk = chat(
        {"sampling": SamplingOverrides(max_tokens=8)}, replies=["One. Two three"]
    )

    assert talk.say().text == "One. Two"


def test_an_unset_context_size_is_4096_or_what_the_model_has(chat) -> None:
    large = chat({"context_size": 0})
    small = chat({"context_size": 0}, trained_context_size=1000)

    assert report(large.say(), "generate")["parameters"]["context_size"] == 4096
    assert report(small.say(), "generate")["parameters"]["context_size"] == 1000


def test_a_reserve_larger_than_the_context_is_refused_with_the_numbers(chat) -> None:
    with raises_code(ErrorCode.InvalidParamValue) as caught:
        chat({"context_size": 100, "sampling": SamplingOverrides(max_tokens=100)})

    assert "100" in caught.value.message
    assert "101" in caught.value.message or "102" in caught.value.message


def test_a_graph_in_a_circle_stops_after_max_steps(engine: Engine) -> None:
    graph = make_graph({"default_exit": "generate"})
    talk = Chat(engine, graph)

    result = talk.say("Hi")

    assert result.error.code is ErrorCode.MaxStepsExceeded
    assert "64" in result.error.message
    assert len(talk.requests()) == 64
    assert len(result.debug_info["nodes"]) == 64


def test_what_a_circle_emitted_before_it_stopped_is_kept(engine: Engine) -> None:
    graph = make_graph({"default_exit": "generate"})
    talk = Chat(engine, graph)

    talk.say("Hi")

    assert talk.agent.dialog()[0].assistant == "\n\n".join(["Aye."] * 64)
    assert talk.agent.dialog()[0].status == "failed"


# Sampling and seeds --------------------------------------------------------------


def test_set_sampling_values_override_the_models(chat) -> None:
    talk = chat(
        {"sampling": SamplingOverrides(temperature=0.0, stop=["x"])},
        default_sampling=SamplingOverrides(temperature=1.0, top_k=7, stop=["y", "z"]),
    )

    talk.say()

    sampling = talk.last_request().sampling
    assert (sampling.temperature, sampling.top_k, sampling.stop) == (0.0, 7, ["x"])


def test_every_sampling_value_reaches_the_model(chat) -> None:
    every = SamplingOverrides(
        temperature=0.5,
        top_p=0.25,
        top_k=3,
        min_p=0.125,
        max_tokens=9,
        seed=11,
        repeat_penalty=1.5,
        repeat_last_n=13,
        presence_penalty=0.5,
        frequency_penalty=0.75,
        dry_multiplier=1.75,
        dry_base=2.0,
        dry_allowed_length=4,
        dry_penalty_last_n=17,
        stop=["END"],
    )
    assert None not in dataclasses.asdict(every).values()
    by_node = chat({"sampling": every})
    by_model = chat(default_sampling=every)

    by_node.say()
    by_model.say()

    assert by_node.last_request().sampling == every
    assert by_model.last_request().sampling == every


def test_changed_sampling_falls_back_to_the_models_own(chat) -> None:
    talk = chat(
        {"sampling": SamplingOverrides(temperature=0.0)},
        default_sampling=SamplingOverrides(temperature=1.0),
    )
    talk.agent.change_params("generate", {"sampling": {"temperature": None}})

    talk.say()

    assert talk.last_request().sampling.temperature == 1.0


def seeds_of(talk: Chat, node: str = "generate") -> list[int]:
    return [each.seed for each in talk.requests(node)]


SEEDED = {"sampling": SamplingOverrides(seed=7)}


def test_the_same_seed_gives_the_same_seeds_in_another_agent(chat) -> None:
    one, other = chat(SEEDED), chat(SEEDED)
    for talk in (one, other):
        talk.say("a")
        talk.say("b")

    assert seeds_of(one) == seeds_of(other)


def test_seeds_differ_by_turn_node_and_attempt(chat) -> None:
    talk = chat(SEEDED, {"trigger_turns": 1, **SEEDED})
    talk.say("a")
    talk.say("b")
    talk.regenerate()
    talk.regenerate()

    seeds = seeds_of(talk) + seeds_of(talk, "summarize")
    assert len(set(seeds)) == len(seeds) == 8


def test_a_repeated_turn_after_undo_has_the_seed_it_had(chat) -> None:
    talk = chat(SEEDED)
    talk.say("a")
    talk.agent.undo_last_turn()
    talk.say("a")

    first, again = seeds_of(talk)
    assert first == again


def test_attempts_are_counted_across_a_snapshot(chat) -> None:
    talk = chat(SEEDED)
    talk.say("a")
    talk.regenerate()
    other = chat(SEEDED, snapshot=talk.agent.export_snapshot())
    talk.regenerate()
    other.regenerate()

    assert seeds_of(talk)[-1] == seeds_of(other)[-1]
    assert len(set(seeds_of(talk))) == 3


def test_a_seed_of_0_draws_a_new_one_each_time(chat) -> None:
    talk = chat({"sampling": SamplingOverrides(seed=0)})
    for _ in range(5):
        talk.say("a")
        talk.agent.undo_last_turn()

    assert len(set(seeds_of(talk))) == 5


# Regenerate ----------------------------------------------------------------------


def test_regenerate_replaces_the_reply_to_the_same_text(chat) -> None:
    talk = chat(EDRIC, replies=["one", "two"])
    talk.say("Hi")

    result = talk.regenerate()

    assert result.text == "two"
    assert talk.last_messages() == [SYSTEM, ("user", "Hi")]
    assert [(each.user, each.assistant) for each in talk.agent.dialog()] == [
        ("Hi", "two")
    ]


@pytest.mark.parametrize("reply", [fails(), fails("x"), overflows()])
def test_a_regenerate_without_a_reply_keeps_the_old_one(chat, reply) -> None:
    talk = chat(replies=["one", reply])
    talk.say("Hi")
    before = json.loads(talk.agent.export_snapshot())

    result = talk.regenerate()

    assert result.status == "error"
    after = json.loads(talk.agent.export_snapshot())
    assert before == after


def test_regenerate_of_an_empty_dialog_is_refused(chat) -> None:
    with raises_code(ErrorCode.InteractionNotFound):
        chat().agent.regenerate()


# Diagnostics ---------------------------------------------------------------------


ALWAYS_REPORTED = {
    "parameters.*",
    "parameters.reply_reserve_tokens",
    "history.replayed_from",
    "history.high_water_tokens",
    "history.low_water_tokens",
}
REPORTED_WITH_A_REQUEST = {
    "input.prompt[]",
    "input.prompt_tokens",
    "input.reused_tokens",
    "input.decoded_tokens",
    "output.text",
    "output.tokens_generated",
    "output.stop_reason",
    "output.first_token_ms",
}


def test_a_plain_turn_reports_its_keys_and_no_others(chat) -> None:
    expected = ALWAYS_REPORTED | REPORTED_WITH_A_REQUEST

    assert keys_of(report(chat().say(), "generate")) == expected


def test_a_silent_reply_has_no_first_token(chat) -> None:
    reported = report(chat(replies=[""]).say(), "generate")

    assert "first_token_ms" not in reported["output"]
    assert reported["output"]["text"] == ""


def test_a_turn_after_a_fold_reports_what_is_covered(chat) -> None:
    talk = chat(summarize={"trigger_turns": 2})
    talk.say("a")
    talk.say("b")

    history = report(talk.say("c"), "generate")["history"]

    assert (history["covered_through"], history["replayed_from"]) == (1, 2)
    assert "trimmed_from" not in history


def test_the_prompt_reported_is_the_prompt_sent(chat) -> None:
    talk = chat(EDRIC, {"trigger_turns": 2})
    for text in ("a", "b", "c"):
        reported = report(talk.say(text), "generate")["input"]
        assert [(each["role"], each["text"]) for each in reported["prompt"]] == (
            talk.last_messages()
        )
        assert reported["prompt_tokens"] == len(talk.last_request().prompt_tokens)


def test_a_prompt_that_only_grows_is_reused(chat) -> None:
    talk = chat(EDRIC)
    talk.say("Hello.")
    first = len(talk.last_request().prompt_tokens)

    given = report(talk.say("Rooms?"), "generate")["input"]

    # The old prompt with its reply is kept, and <|user|> was prepared; the message and
    # <|assistant|> are new.
    assert given["reused_tokens"] == first + len("Aye.") + 1
    assert given["decoded_tokens"] == len("Rooms?") + 1


def test_a_prompt_that_only_grows_has_no_changed_token(chat) -> None:
    talk = chat(EDRIC)

    for text in ("Hello.", "Rooms?", "Food?"):
        assert "first_changed_token" not in report(talk.say(text), "generate")["input"]


def test_after_a_fold_only_the_players_text_is_new(chat) -> None:
    talk = chat(EDRIC, {"trigger_turns": 1})
    talk.say("Hello.")

    given = report(talk.say("Rooms?"), "generate")["input"]

    assert "first_changed_token" not in given
    assert given["decoded_tokens"] == len("Rooms?") + 1  # <|assistant|>


def test_after_a_trim_only_the_players_text_is_new(chat) -> None:
    talk = chat({"context_size": 200}, replies=["a" * 20])
    turns = [report(talk.say(f"{i:020}"), "generate") for i in range(12)]

    assert "trimmed_from" in turns[-1]["history"]
    assert {turn["input"]["decoded_tokens"] for turn in turns[1:]} == {20 + 1}


def test_after_an_edit_the_edited_message_is_the_first_that_changed(chat) -> None:
    talk = chat(EDRIC)
    talk.say("Hello.")
    talk.say("Rooms?")
    talk.agent.edit_interaction(0, assistant="Ay!")

    given = report(talk.say("Food?"), "generate")["input"]

    # 15 for the system message, 7 for "Hello.", <|assistant|> and "Ay".
    assert given["first_changed_message"] == 2
    assert given["first_changed_token"] == 15 + 7 + 3


def runs_of_every_generate_state(chat, engine: Engine) -> list[dict]:
    """Reports that together hold every key a Generate node can report."""
    reports = []
    small = chat({"context_size": 200}, replies=["a" * 20])
    reports += [report(small.say("u" * 20), "generate") for _ in range(8)]
    folding = chat(summarize={"trigger_turns": 1})
    reports += [report(folding.say(), "generate") for _ in range(3)]
    edited = chat()
    edited.say()
    edited.agent.edit_interaction(0, assistant="No.")
    reports.append(report(edited.say(), "generate"))
    for reply in ("", "<think>Hm</think>x", fails("x"), overflows(), overflows("x")):
        reports.append(report(chat(replies=[reply]).say(), "generate"))
    reports.append(report(chat({"output_slot": "mood"}).say(), "generate"))
    reports.append(report(instructed_beyond_its_context(engine).say(), "generate"))
    return reports


def instructed_beyond_its_context(engine: Engine) -> Chat:
    """The template would show an instruction that does not fit."""
    instruction = InstructionParams(instruction="x" * 200, default_exit="generate")
    talk = GenerateParams(context_size=200, template="{{instruction_long}}")
    return Chat(engine, graph_of(("long", instruction), ("generate", talk)))


def test_no_key_is_reported_that_is_not_documented(chat, engine) -> None:
    emitted = set().union(*map(keys_of, runs_of_every_generate_state(chat, engine)))

    assert emitted - documented_keys("Generate") == set()


def test_every_documented_key_is_reported_in_some_state(chat, engine) -> None:
    emitted = set().union(*map(keys_of, runs_of_every_generate_state(chat, engine)))

    assert documented_keys("Generate") - emitted == set()


def test_nodes_are_reported_in_execution_order(chat) -> None:
    first = chat(summarize={}, summarize_first=True).say()
    last = chat(summarize={}).say()

    def order(result) -> list[tuple[str, str, str]]:
        return [
            (each["name"], each["type"], each["exit"])
            for each in result.debug_info["nodes"]
        ]

    generate = ("generate", "Generate", "default")
    summarize = ("summarize", "Summarize", "default")
    assert order(first) == [summarize, generate]
    assert order(last) == [generate, summarize]


def test_a_failed_turn_reports_how_far_it_came(chat) -> None:
    result = chat(replies=[fails("Well")]).say()

    (node,) = result.debug_info["nodes"]
    assert node["input"]["prompt_tokens"] == 4
    assert "exit" not in node
    assert node["wall_ms"] >= 0
