"""The Summarize node: its request, its summary, what it reports and where it shows."""

from __future__ import annotations

import dataclasses
import json

import pytest

from talefold import (
    AnswerText,
    NodeEvent,
    SamplingOverrides,
    ScriptedReply,
    SummarizeParams,
    TurnComplete,
    _core,
)

from .helpers import (
    GUARD,
    SUMMARIZE,
    TURNS_ONLY,
    WITH_PREVIOUS,
    Chat,
    fails,
    finish,
    keys_of,
    make_graph,
    report,
    stalls,
    tokens,
)

ALWAYS = {"trigger_turns": 1}


def descriptor(node_type: str) -> dict:
    nodes = json.loads(_core.descriptors_json())["nodes"]
    (found,) = [node for node in nodes if node["name"] == node_type]
    return found


def documented_keys(node_type: str) -> set[str]:
    return {each["key"] for each in descriptor(node_type)["diagnostics"]}


# The request ---------------------------------------------------------------------


def test_the_summarizer_never_sees_the_persona(chat) -> None:
    talk = chat({"system_prompt": "You are Edric."}, ALWAYS | {"system_prompt": ""})

    talk.say("a")

    assert [role for role, _ in talk.last_messages("summarize")] == ["system", "user"]
    assert "Edric" not in talk.last_text("summarize")


def test_the_built_in_request_shows_speakers_in_order(chat) -> None:
    talk = chat(summarize=ALWAYS | {"system_prompt": "", "template": ""})

    talk.say("Any rooms?")

    system, request = (text for _, text in talk.last_messages("summarize"))
    assert "third person" in system
    assert request.index("Player: Any rooms?") < request.index("Character: Aye.")
    assert "at most 16 tokens" in request
    assert "Summary so far" not in request


def test_the_built_in_request_shows_the_previous_summary_once(chat) -> None:
    talk = chat(
        summarize=ALWAYS | {"system_prompt": "", "template": ""},
        summaries=["Ann came."],
    )
    talk.say("a")

    talk.say("b")

    assert talk.last_text("summarize").count("Ann came.") == 1


def test_the_built_in_request_leaves_out_a_silent_speaker(chat) -> None:
    talk = chat(summarize=ALWAYS | {"template": ""})

    talk.say(None)

    request = talk.last_messages("summarize")[1][1]
    assert "Character: Aye." in request
    assert "Player:" not in request


def test_every_tag_of_the_template_is_filled(chat) -> None:
    talk = chat(
        summarize=ALWAYS
        | {
            "template": "{{max_summary_tokens}}|{{previous_summary}}|"
            "{{#turns}}{{index}}:{{user}}>{{assistant}};{{/turns}}"
        }
    )
    talk.say("a")

    talk.say("b")

    requests = [each.messages[1][1] for each in talk.requests("summarize")]
    assert requests == ["16||0:a>Aye.;", "16|sum|1:b>Aye.;"]


def test_the_request_may_generate_as_much_as_a_summary_may_have(chat) -> None:
    talk = chat(summarize=ALWAYS | {"max_summary_tokens": 77})

    talk.say("a")

    assert talk.last_request("summarize").max_tokens == 77


@pytest.mark.parametrize(
    ("max_tokens", "expected"), [(5, 5), (16, 16), (17, 16), (None, 16)]
)
def test_the_lower_of_both_limits_holds(chat, max_tokens, expected: int) -> None:
    sampling = SamplingOverrides(max_tokens=max_tokens)
    talk = chat(summarize=ALWAYS | {"sampling": sampling})

    talk.say("a")

    assert talk.last_request("summarize").max_tokens == expected


def test_the_models_own_max_tokens_holds_when_the_node_sets_none(chat) -> None:
    talk = chat(
        summarize=ALWAYS,
        summaries=["abcdefgh"],
        default_sampling=SamplingOverrides(max_tokens=6),
    )

    talk.say("a")

    assert talk.last_request("summarize").max_tokens == 6
    assert talk.agent.get_summary().text == "abcdef"


def test_unset_sampling_keeps_the_models_own(chat) -> None:
    talk = chat(
        summarize=ALWAYS | {"sampling": SamplingOverrides(temperature=0.0)},
        default_sampling=SamplingOverrides(temperature=1.0, repeat_penalty=1.5),
    )

    talk.say("a")

    sampling = talk.last_request("summarize").sampling
    assert (sampling.temperature, sampling.repeat_penalty) == (0.0, 1.5)


def test_each_node_may_have_a_model_of_its_own(chat, engine) -> None:
    engine.load_scripted_model("plain", replies=["By another."], tokenizer="chars")
    talk = chat(summarize=ALWAYS | {"model_name": "plain"})

    talk.say("a")

    assert talk.agent.get_summary().text == "By another."
    assert talk.requests("summarize") == []


def test_an_unset_context_size_is_2048_or_what_the_model_has(chat) -> None:
    large = chat(summarize=ALWAYS | {"context_size": 0})
    small = chat(
        {"context_size": 0},
        ALWAYS | {"context_size": 0},
        trained_context_size=1000,
    )

    assert report(large.say())["parameters"]["context_size"] == 2048
    assert report(small.say())["parameters"]["context_size"] == 1000


# The summary ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("output", "summary"),
    [
        ("They met.", "They met."),
        ("  They met.\n", "They met."),
        ("They met. Th", "They met. Th"),  # ended by the model: kept as it is
        ("0123456789abcdef", "0123456789abcdef"),  # exactly the limit is not a cut
        ("They met. Then Bo", "They met."),  # 17: cut at 16, mid sentence
        ("0123456789abcdefg", "0123456789abcdef"),  # no full sentence: kept
        ("Is it 3.5? He said", "Is it 3.5?"),  # a decimal point ends nothing
        ('He said "Go!" and then', 'He said "Go!"'),  # the closing quote belongs to it
        ("会った。それから彼はまた遠くへ旅立った", "会った。"),
    ],
)
def test_a_summary_ends_with_a_sentence_when_it_was_cut(
    chat, output: str, summary: str
) -> None:
    talk = chat(summarize=ALWAYS, summaries=[output])

    result = talk.say("a")

    assert talk.agent.get_summary().text == summary
    diagnosed = report(result)["output"]
    assert diagnosed["text"] == summary
    raw = output[:16]
    assert diagnosed.get("raw_text") == (raw if raw != summary else None)
    assert report(result)["last_fold"]["summary_tokens"] == len(raw)
    assert result.tokens_generated == len("Aye.") + len(raw)


def test_stop_strings_end_a_summary(chat) -> None:
    talk = chat(
        summarize=ALWAYS | {"sampling": SamplingOverrides(stop=["###"])},
        summaries=["They met.###no"],
    )

    talk.say("a")

    assert talk.agent.get_summary().text == "They met."


def test_superseded_summaries_stay_readable(chat) -> None:
    talk = chat(summarize=ALWAYS, summaries=["one", "two", "three"])

    for text in ("a", "b", "c"):
        talk.say(text)

    carried = [each.summary for each in talk.agent.dialog()]
    assert [each.text for each in carried] == ["one", "two", "three"]
    assert [each.covered_through for each in carried] == [0, 1, 2]
    assert talk.agent.get_summary() == carried[-1]


def test_every_fold_replaces_the_summary_and_never_nests_it(chat) -> None:
    folds = [f"summary {i:02}" for i in range(50)]
    talk = chat(
        {"context_size": 400},
        ALWAYS | {"template": WITH_PREVIOUS},
        summaries=folds,
    )

    for _ in folds:
        talk.say("a")

    for i, request in enumerate(talk.requests("summarize")[1:], start=1):
        assert request.messages[1][1] == f"summary {i - 1:02}aAye."
    assert len(talk.agent.get_summary().text) <= 16
    sizes = {len(each.prompt_tokens) for each in talk.requests()[1:]}
    assert len(sizes) == 1, "the prompt does not grow"


def test_a_history_that_is_all_folded_is_not_folded_again(chat) -> None:
    # Every interaction carries a summary, and none is left outside of them.
    talk = chat(summarize=ALWAYS)
    for text in ("a", "b", "c"):
        talk.say(text)
    asked = len(talk.requests("summarize"))
    talk.agent.change_params("summarize", {"keep_recent_turns": 1})

    result = talk.say("d")

    assert report(result)["skipped"]["reason"] == "nothing_new_outside_hot_window"
    assert len(talk.requests("summarize")) == asked
    assert talk.states() == ["folded"] * 3 + ["replayed"]


def test_a_fact_carried_by_each_summary_reaches_the_last_prompt(chat) -> None:
    # Each output repeats the request, whose head is the previous summary.
    talk = chat(
        summarize=ALWAYS
        | {"template": WITH_PREVIOUS, "max_summary_tokens": 32, "context_size": 128},
        summaries=[ScriptedReply(echo=True)],
    )
    talk.say("My name is Ann. ")

    for _ in range(20):
        talk.say("b")

    assert "My name is Ann." in talk.agent.get_summary().text
    assert "My name is Ann." in talk.last_messages()[0][1]


# How it reaches the prompt -------------------------------------------------------


def test_the_summary_ends_the_system_message(chat) -> None:
    talk = chat({"system_prompt": "You are Edric."}, ALWAYS, summaries=["They met."])
    talk.say("a")

    talk.say("b")

    assert talk.last_messages() == [
        ("system", f"You are Edric.\n\n{GUARD}\nThey met."),
        ("user", "b"),
    ]


def test_without_a_system_prompt_the_summary_makes_the_message(chat) -> None:
    talk = chat(summarize=ALWAYS, summaries=["They met."])
    talk.say("a")

    talk.say("b")

    assert talk.last_messages()[0] == ("system", f"{GUARD}\nThey met.")


def test_only_the_turns_after_the_fold_are_replayed(chat) -> None:
    talk = chat(summarize={"trigger_turns": 2, "keep_recent_turns": 2})
    for text in ("a", "b", "c", "d"):
        talk.say(text)  # the last one folds 0 and 1

    talk.say("e")

    assert talk.last_messages()[1:] == [
        ("user", "c"),
        ("assistant", "Aye."),
        ("user", "d"),
        ("assistant", "Aye."),
        ("user", "e"),
    ]


def test_the_turn_that_folds_still_saw_the_turns_word_for_word(chat) -> None:
    talk = chat(summarize={"trigger_turns": 2})
    talk.say("a")

    talk.say("b")

    assert talk.last_messages() == [("user", "a"), ("assistant", "Aye."), ("user", "b")]


def test_before_the_reply_the_new_summary_counts_at_once(chat) -> None:
    talk = chat(summarize=ALWAYS, summarize_first=True, summaries=["They met."])
    talk.say("a")

    talk.say("b")

    assert talk.last_messages() == [
        ("system", f"{GUARD}\nThey met."),
        ("user", "b"),
    ]


def test_before_the_reply_the_running_message_is_never_folded(chat) -> None:
    talk = chat(summarize=ALWAYS | {"trigger_tokens": 1}, summarize_first=True)

    for text in ("<a>", "<b>", "<c>", "<d>"):
        talk.say(text)
        assert talk.last_messages()[-1] == ("user", text)
        for request in talk.requests("summarize"):
            assert text not in request.messages[1][1]


def test_a_summary_that_no_reply_node_has_room_for_is_not_written(engine) -> None:
    # 40 tokens of the one model are 400 of the other.
    engine.load_scripted_model("words", replies=["wonderful " * 40])
    summarize = ALWAYS | {"model_name": "words", "max_summary_tokens": 64}
    talk = Chat(engine, make_graph({"context_size": 512}, summarize))

    result = talk.say("a")

    assert report(result)["skipped"]["reason"] == "summary_too_large"
    assert talk.agent.get_summary() is None
    assert talk.say("b").status == "success"


def test_several_replying_nodes_read_the_same_summary(engine) -> None:
    graph = make_graph({"system_prompt": "One."}, ALWAYS | {"default_exit": "echo"})
    graph.add_node("echo", dataclasses.replace(graph.nodes["generate"]))
    graph.nodes["echo"].system_prompt = "Two."
    graph.nodes["echo"].default_exit = ""
    talk = Chat(engine, graph, summaries=["They met."])
    talk.say("a")
    talk.say("b")  # folds the first turn between the two replies

    talk.say("c")

    assert talk.last_messages()[0][1] == f"One.\n\n{GUARD}\nThey met."
    assert talk.last_messages("echo")[0][1] == f"Two.\n\n{GUARD}\nThey met."


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"trigger_turns": 99},
        {"trigger_tokens": 9999},
        {"trigger_turns": 1, "keep_recent_turns": 512},
    ],
    ids=["off", "turns_not_reached", "tokens_not_reached", "all_hot"],
)
@pytest.mark.parametrize("summarize_first", [False, True])
def test_without_a_fold_prompts_are_those_of_a_graph_without_the_node(
    chat, params: dict, summarize_first: bool
) -> None:
    small = {"context_size": 300, "system_prompt": "Edric."}
    replies = ["a" * 9, "b" * 25, fails(), ""]
    with_node = chat(small, params, summarize_first=summarize_first, replies=replies)
    without = chat(small, replies=replies)

    for i in range(20):
        with_node.say("u" * (5 + 3 * i))
        without.say("u" * (5 + 3 * i))

    def sent(talk) -> list:
        return [
            (each.messages, each.prompt_tokens, each.max_tokens)
            for each in talk.requests()
        ]

    assert sent(with_node) == sent(without)
    assert with_node.states() == without.states()


# Events --------------------------------------------------------------------------


def test_a_fold_tells_the_client_in_four_pairs(chat) -> None:
    talk = chat(
        summarize={"trigger_turns": 2, "notify_client": True, "keep_recent_turns": 1},
        summaries=["Sie aßen – zwölf Äpfel."],
        generate=None,
    )
    talk.agent.change_params("summarize", {"max_summary_tokens": 64})
    talk.say("a")
    talk.say("b")

    events = talk.say("c").events

    (event,) = [each for each in events if isinstance(each, NodeEvent)]
    assert (event.node, event.event_type) == ("summarize", "summarized")
    assert event.pairs == {
        "covered_through": "1",
        "folded_turns": "2",
        "summary_chars": "23",  # code points; 28 bytes
        "summary_text": "Sie aßen – zwölf Äpfel.",
    }


def test_the_pairs_are_the_documented_ones(chat) -> None:
    documented, _ = descriptor("Summarize")["events"]

    assert documented["event_type"] == "summarized"
    assert [each["key"] for each in documented["pairs"]] == [
        "covered_through",
        "folded_turns",
        "summary_chars",
        "summary_text",
        "summary_tokens",
    ]


@pytest.mark.parametrize(
    "params",
    [ALWAYS, {"notify_client": True}, {"trigger_turns": 9, "notify_client": True}],
    ids=["not_asked_for", "both_triggers_off", "below_threshold"],
)
def test_no_event_without_a_fold_or_without_the_wish(chat, params: dict) -> None:
    talk = chat(summarize=params)

    events = talk.say("a").events

    assert not [each for each in events if isinstance(each, NodeEvent)]


def test_the_event_comes_after_the_reply_and_before_the_end(chat) -> None:
    talk = chat({"stream": True}, ALWAYS | {"notify_client": True}, replies=["Ay"])

    kinds = [type(each) for each in talk.say("a").events]

    assert kinds == [AnswerText, AnswerText, AnswerText, NodeEvent, TurnComplete]


def test_a_summary_is_never_answer_text(chat) -> None:
    talk = chat({"stream": True}, ALWAYS, summaries=["secret"])

    events = talk.say("a").events

    answers = [each for each in events if isinstance(each, AnswerText)]
    assert {each.node for each in answers} == {"generate"}
    assert "secret" not in "".join(each.text for each in answers)


def test_every_turn_has_exactly_one_turn_complete(chat) -> None:
    talk = chat(
        {"stream": True},
        ALWAYS | {"notify_client": True},
        replies=["Aye.", fails(), fails("Well"), ""],
        summaries=["sum", fails(), ""],
    )

    for _ in range(12):
        events = talk.say("a").events
        assert [isinstance(each, TurnComplete) for each in events] == [
            *[False] * (len(events) - 1),
            True,
        ]


def test_tokens_of_reply_and_summary_add_up(chat) -> None:
    talk = chat(summarize={"trigger_turns": 2}, summaries=["seventh"])

    assert talk.say("a").tokens_generated == 4
    assert talk.say("b").tokens_generated == 4 + 7


# Diagnostics ---------------------------------------------------------------------

FOLD_KEYS = {
    "last_fold.covered_through",
    "last_fold.folded_turns",
    "last_fold.summary_tokens",
    "last_fold.summarizer_prompt_tokens",
    "last_fold.folded_input_tokens",
    "input.prompt[]",
    "input.prompt_tokens",
    "input.reused_tokens",
    "input.decoded_tokens",
    "output.text",
    "output.tokens_generated",
    "output.stop_reason",
    "output.first_token_ms",
}
SKIP_KEYS = {"skipped.reason", "skipped.pending_turns", "skipped.pending_tokens"}


def test_a_fold_reports_its_keys_and_no_others(chat) -> None:
    talk = chat(summarize=ALWAYS)

    assert keys_of(report(talk.say("a"))) == {"parameters.*"} | FOLD_KEYS


def test_a_skip_reports_its_keys_and_no_others(chat) -> None:
    talk = chat(summarize={})

    assert keys_of(report(talk.say("a"))) == {"parameters.*"} | SKIP_KEYS


def test_a_fold_reports_its_request_and_its_output(chat) -> None:
    talk = chat(summarize={"trigger_tokens": 9, "template": WITH_PREVIOUS})
    talk.say("abcde")  # folds: 5 + 4

    folded = report(talk.say("abcde"))

    request = talk.last_request("summarize")
    assert folded["input"]["prompt"] == [
        {"role": "system", "text": "S"},
        {"role": "user", "text": "sumabcdeAye."},
    ]
    assert folded["input"]["prompt_tokens"] == len(request.prompt_tokens) == 16
    assert folded["last_fold"] == {
        "covered_through": 1,
        "folded_turns": 1,
        "summary_tokens": 3,
        "summarizer_prompt_tokens": 16,
        "folded_input_tokens": 9,
    }
    assert folded["output"]["text"] == "sum"
    assert folded["output"]["stop_reason"] == "end_of_reply"


def test_reused_and_decoded_tokens_make_up_the_prompt(chat) -> None:
    talk = chat(summarize=ALWAYS)

    for text in ("a", "b", "c"):
        result = talk.say(text)
        for node in ("generate", "summarize"):
            given = report(result, node)["input"]
            assert (
                given["reused_tokens"] + given["decoded_tokens"]
                == (given["prompt_tokens"])
            )


def test_all_params_are_reported_as_they_are_in_use(chat) -> None:
    talk = chat(summarize=ALWAYS | {"context_size": 0})
    talk.agent.change_params("summarize", {"keep_recent_turns": 2})

    reported = report(talk.say("a"))["parameters"]

    assert set(reported) == {each.name for each in dataclasses.fields(SummarizeParams)}
    assert reported["context_size"] == 2048
    assert reported["keep_recent_turns"] == 2
    assert reported["max_summary_tokens"] == SUMMARIZE["max_summary_tokens"]
    assert reported["template"] == TURNS_ONLY


def test_a_node_that_stopped_the_turn_reports_no_exit(chat) -> None:
    talk = chat(summarize=ALWAYS, summaries=[stalls()])

    turn = talk.stop_inside("summarize", lambda: talk.agent.start("a"))

    stopped = report(finish(turn))
    assert "exit" not in stopped
    assert (stopped["name"], stopped["type"]) == ("summarize", "Summarize")
    assert stopped["wall_ms"] >= 0


def test_without_diagnostics_there_is_no_debug_info(chat) -> None:
    talk = chat(summarize=ALWAYS, diagnostics=False)

    result = talk.say("a")

    assert result.debug_info is None
    assert talk.agent.get_summary().text == "sum"


def test_diagnostics_do_not_change_what_happens(chat) -> None:
    seeded = {"sampling": SamplingOverrides(seed=1)}
    params = {"trigger_tokens": 20, "template": WITH_PREVIOUS} | seeded
    quiet = chat(seeded, params, diagnostics=False)
    loud = chat(seeded, params)

    for i in range(8):
        quiet.say("u" * i or None)
        loud.say("u" * i or None)

    assert quiet.agent.export_snapshot() == loud.agent.export_snapshot()
    for node in ("generate", "summarize"):
        assert quiet.requests(node) == loud.requests(node)


def runs_of_every_summarize_state(chat) -> list[dict]:
    """Reports that together hold every key a Summarize node can report."""
    reports = []
    plain = chat(summarize=ALWAYS | {"template": WITH_PREVIOUS}, summaries=[" x ", "y"])
    reports += [report(plain.say("a")), report(plain.say("b"))]
    for params, message in (
        ({}, "below_threshold"),
        (ALWAYS | {"keep_recent_turns": 9}, "hot"),
        (ALWAYS | {"context_size": 80}, "u" * 100),
        (ALWAYS | {"context_size": 80, "oversized_turn": "abridge"}, "u" * 100),
    ):
        reports.append(report(chat(summarize=params).say(message)))
    thinks = chat(
        summarize=ALWAYS | {"max_summary_tokens": 40}, summaries=["<think>Hm</think>x"]
    )
    reports.append(report(thinks.say("a")))
    for reply in (fails("x"), ""):
        reports.append(report(chat(summarize=ALWAYS, summaries=[reply]).say("a")))
    stalled = chat(summarize=ALWAYS, summaries=[stalls("x")])
    turn = stalled.stop_inside("summarize", lambda: stalled.agent.start("a"))
    reports.append(report(finish(turn)))
    widened = chat(summarize={"trigger_turns": 2})
    widened.say("a")
    widened.say("b")
    widened.agent.change_params("summarize", {"keep_recent_turns": 1})
    reports.append(report(widened.say("c")))
    scheduled = chat(summarize=ALWAYS | {"run_inline": False}, summaries=[stalls()])
    reports += [report(scheduled.say("a")), report(scheduled.say("b"))]
    return reports


def test_no_key_is_reported_that_is_not_documented(chat) -> None:
    reports = runs_of_every_summarize_state(chat)

    emitted = set().union(*map(keys_of, reports))
    assert emitted - documented_keys("Summarize") == set()


def test_every_documented_key_is_reported_in_some_state(chat) -> None:
    reports = runs_of_every_summarize_state(chat)

    emitted = set().union(*map(keys_of, reports))
    assert documented_keys("Summarize") - emitted == set()


def test_every_documented_skip_reason_but_two_is_seen(chat) -> None:
    reports = runs_of_every_summarize_state(chat)

    seen = {each["skipped"]["reason"] for each in reports if "skipped" in each}
    documented = {each["key"] for each in descriptor("Summarize")["skip_reasons"]}
    # Within a turn the dialog holds at least the turn's own interaction; a summary is
    # too large for a reply node only when another model counts it in larger tokens.
    assert documented - seen == {"empty_dialog", "summary_too_large"}
    assert seen <= documented


# Replacing and rebuilding summaries ----------------------------------------------


def test_a_replaced_summary_is_marked_and_used(chat) -> None:
    talk = chat(summarize={"trigger_turns": 2, "template": WITH_PREVIOUS})
    talk.say("a")
    talk.say("b")

    talk.agent.set_summary("By hand.")

    summary = talk.agent.get_summary()
    assert (summary.text, summary.edited, summary.covered_through) == (
        "By hand.",
        True,
        1,
    )
    talk.say("c")
    assert talk.last_messages()[0][1].endswith("\nBy hand.")
    talk.say("d")
    assert talk.last_messages("summarize")[1][1] == "By hand.cAye.dAye."


def test_a_refold_reads_the_edited_turns(chat) -> None:
    talk = chat(
        summarize={"trigger_turns": 2, "template": WITH_PREVIOUS},
        summaries=["Old.", "New."],
    )
    talk.say("a")
    talk.say("b")
    talk.agent.edit_interaction(0, user="changed")

    summary = talk.agent.refold()

    assert talk.last_messages("summarize")[1][1] == "changedAye.bAye."
    assert (summary.text, summary.stale, summary.covered_through) == ("New.", False, 1)


def test_a_refold_builds_on_the_summary_before_the_newest(chat) -> None:
    talk = chat(
        summarize=ALWAYS | {"template": WITH_PREVIOUS},
        summaries=["s1.", "s2.", "s3."],
    )
    talk.say("a")
    talk.say("b")

    talk.agent.refold()

    assert talk.last_messages("summarize")[1][1] == "s1.bAye."
    assert [each.summary.text for each in talk.agent.dialog()] == ["s1.", "s3."]


def test_a_refold_takes_as_many_requests_as_it_needs(chat) -> None:
    talk = chat(
        summarize=ALWAYS | {"trigger_turns": 3, "context_size": 100},
        replies=["a" * 10],
        summaries=["Old.", "one", "two"],
    )
    for _ in range(3):
        talk.say("u" * 10)
    for index in range(3):
        talk.agent.edit_interaction(index, user="e" * 30)  # 40 each: two fit into 80

    summary = talk.agent.refold()

    assert (summary.text, summary.covered_through) == ("two", 2)
    assert len(talk.requests("summarize")) == 3


def test_an_edit_below_the_summary_before_the_newest_is_not_lost_by_a_refold(
    chat,
) -> None:
    # The newest summary was built on one that covers the edited turn. Rebuilding only
    # the newest from its own turns cannot take the edit in.
    talk = chat(
        summarize=ALWAYS | {"template": WITH_PREVIOUS},
        summaries=["s1.", "s2.", "s3.", "s4."],
    )
    talk.say("a")
    talk.say("b")
    talk.agent.edit_interaction(0, user="changed")

    summary = talk.agent.refold()

    read = "".join(each.messages[1][1] for each in talk.requests("summarize")[2:])
    assert summary.stale or "changed" in read


def test_a_summary_built_on_a_stale_one_is_stale_too(chat) -> None:
    talk = chat(summarize=ALWAYS | {"template": WITH_PREVIOUS})
    talk.say("a")
    talk.agent.edit_interaction(0, user="changed")

    talk.say("b")

    assert talk.agent.get_summary().stale


def test_measured_prompts_have_the_size_of_their_messages(chat) -> None:
    talk = chat({"system_prompt": "Edric."}, ALWAYS)
    for text in ("a", "bc", None):
        talk.say(text)

    for node in ("generate", "summarize"):
        for request in talk.requests(node):
            assert len(request.prompt_tokens) == tokens(request.messages)
