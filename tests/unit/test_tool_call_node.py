"""The ToolCall node: what is a call, where it leads, what the host is told of it."""

from __future__ import annotations

import json
import logging
from typing import Any

import pytest

from support import raises_code
from talefold import (
    AnswerText,
    Engine,
    ErrorCode,
    NodeEvent,
    ScriptedReply,
    ToolCallParams,
    ToolDescription,
    ToolParameter,
    TurnResult,
)

from .content_nodes import documented_keys, graph_of, teller
from .helpers import fails, finish, keys_of, overflows, report, stalls
from .tool_nodes import (
    CALLS_NOTHING,
    GIVE_ALE,
    GIVE_KEY,
    LEAVE,
    TOOLS,
    calls_of,
    tool_chat,
    tool_graph,
)


def tools_report(result: TurnResult) -> dict[str, Any]:
    found = report(result, "tools")["tools"]
    assert isinstance(found, dict)
    return found


def node_events(result: TurnResult) -> list[NodeEvent]:
    return [event for event in result.events if isinstance(event, NodeEvent)]


def answers(result: TurnResult) -> list[AnswerText]:
    return [event for event in result.events if isinstance(event, AnswerText)]


# Calls ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reply", "made"),
    [
        (GIVE_ALE, [("give", '{"item": "ale"}')]),
        ('{"tool":"give","arguments":{"count":2,"item":"key"}}',
         [("give", '{"count": 2, "item": "key"}')]),
        (LEAVE, [("leave", "{}")]),
        ('{"tool": "leave"}', [("leave", "{}")]),
        (f"Here you are. {GIVE_ALE}", [("give", '{"item": "ale"}')]),
        (f"{GIVE_KEY}\n{LEAVE}\n{GIVE_ALE}",
         [("give", '{"item": "key"}'), ("leave", "{}"), ("give", '{"item": "ale"}')]),
        (f'{{"tool": "fly"}}\n{LEAVE}', [("leave", "{}")]),
    ],
)  # fmt: skip
def test_calls_are_attached_to_the_interaction(
    engine: Engine, reply: str, made: list[tuple[str, str]]
) -> None:
    chat = tool_chat(engine, reply)

    result = chat.say()

    calls = calls_of(chat)
    assert [(call.tool_name, call.arguments) for call in calls] == made
    assert {(call.node, call.result) for call in calls} == {("tools", None)}
    assert report(result, "tools")["exit"] == "tool_called"
    assert [
        json.loads(call["arguments"]) for call in tools_report(result)["calls"]
    ] == [json.loads(arguments) for _, arguments in made]


def test_ids_of_calls_are_unique_over_turns(engine: Engine) -> None:
    chat = tool_chat(engine, f"{LEAVE}\n{LEAVE}")
    ids = []
    for _ in range(3):
        result = chat.say()
        ids += [call.id for call in calls_of(chat)]
        assert [call["id"] for call in tools_report(result)["calls"]] == ids[-2:]
    chat.regenerate()
    ids += [call.id for call in calls_of(chat)]
    chat.agent.undo_last_turn()
    chat.say()
    ids += [call.id for call in calls_of(chat)]

    # A regenerated turn replaces its calls; those of an undone one do not come again.
    assert len(set(ids[:6])) == 6
    assert not set(ids[-2:]) & set(ids[:-2])


def test_a_call_leads_to_its_exit(engine: Engine) -> None:
    graph = tool_graph(no_tool_called_exit="")

    assert tool_chat(engine, LEAVE, graph=graph).say().text == "Aye."
    assert tool_chat(engine, CALLS_NOTHING, graph=graph).say().text == ""


def test_no_call_leads_to_its_exit(engine: Engine) -> None:
    graph = tool_graph(tool_called_exit="")

    assert tool_chat(engine, LEAVE, graph=graph).say().text == ""
    assert tool_chat(engine, CALLS_NOTHING, graph=graph).say().text == "Aye."


# What is no call -----------------------------------------------------------------

BAD_CALLS = {
    "malformed": '{"tool": "give", "arguments": {"item": zzz}}',
    "unfinished": '{"tool": "give", "argumen',
    "no_object": '{"tool": "give", "arguments": ["zzz"]}',
    "other_key": '{"tool": "leave", "zzz": 1}',
    "unknown_tool": '{"tool": "zzz", "arguments": {}}',
    "missing_argument": '{"tool": "give", "arguments": {"count": 1}}',
    "wrong_type": '{"tool": "give", "arguments": {"item": "ale", "count": "zzz"}}',
    "not_in_enum": '{"tool": "give", "arguments": {"item": "zzz"}}',
    "unknown_argument": '{"tool": "leave", "arguments": {"zzz": 1}}',
}
REASONS = {name: name for name in BAD_CALLS} | dict.fromkeys(
    ("unfinished", "no_object", "other_key"), "malformed"
)
NAMED = {
    "no_object": ["arguments", "array", "object"],
    "other_key": ["zzz", "tool", "arguments"],
    "unknown_tool": ["zzz", "give", "leave"],
    "missing_argument": ["give", "item"],
    "wrong_type": ["count", "zzz", "string", "integer"],
    "not_in_enum": ["item", "zzz", "ale", "key"],
    "unknown_argument": ["leave", "zzz"],
}


def test_prose_is_a_normal_outcome(
    engine: Engine, caplog: pytest.LogCaptureFixture
) -> None:
    chat = tool_chat(engine, CALLS_NOTHING, graph=tool_graph(notify_client=True))

    with caplog.at_level(logging.WARNING, "talefold"):
        result = chat.say()

    assert result.status == "success"
    assert report(result, "tools")["exit"] == "no_tool_called"
    assert tools_report(result) == {
        "format": "generic", "calls": [], "prose": CALLS_NOTHING,
    }  # fmt: skip
    assert calls_of(chat) == []
    assert node_events(result) == []
    assert not caplog.records


@pytest.mark.parametrize("reply", ["", '{"hello": 1}', "[1, 2]", '"give"', "{", "give"])
def test_what_does_not_look_like_a_call_is_prose(engine: Engine, reply: str) -> None:
    result = tool_chat(engine, reply).say()

    assert report(result, "tools")["exit"] == "no_tool_called"
    assert "problems" not in tools_report(result)
    assert tools_report(result).get("prose", "") == reply


@pytest.mark.parametrize("kind", BAD_CALLS)
def test_a_bad_call_is_no_call_and_no_error(engine: Engine, kind: str) -> None:
    chat = tool_chat(engine, BAD_CALLS[kind])

    result = chat.say()

    assert (result.status, result.text) == ("success", "Aye.")
    assert report(result, "tools")["exit"] == "no_tool_called"
    assert calls_of(chat) == []


@pytest.mark.parametrize("kind", BAD_CALLS)
def test_a_bad_call_is_reported_with_its_reason(engine: Engine, kind: str) -> None:
    (problem,) = tools_report(tool_chat(engine, BAD_CALLS[kind]).say())["problems"]

    assert problem.keys() == {"reason", "offset", "message"}
    assert problem["reason"] == REASONS[kind]
    assert problem["message"].startswith("tool call 1")
    for name in NAMED.get(kind, []):
        assert name in problem["message"]


def test_the_offset_of_a_problem_counts_bytes_of_the_reply(engine: Engine) -> None:
    before = f"Für dich: {LEAVE} "

    result = tool_chat(engine, before + BAD_CALLS["unknown_tool"]).say()

    (problem,) = tools_report(result)["problems"]
    assert problem["offset"] == len(before.encode())
    assert problem["message"].startswith("tool call 2")
    assert report(result, "tools")["exit"] == "tool_called"


@pytest.mark.parametrize("kind", BAD_CALLS)
@pytest.mark.parametrize("notify_client", [False, True])
def test_the_client_is_told_of_a_bad_call(
    engine: Engine, kind: str, notify_client: bool
) -> None:
    graph = tool_graph(notify_client=notify_client)

    result = tool_chat(engine, BAD_CALLS[kind], graph=graph).say()

    (problem,) = tools_report(result)["problems"]
    told = {"reason": REASONS[kind], "message": problem["message"]}
    assert [
        (event.node, event.event_type, event.pairs) for event in node_events(result)
    ] == ([("tools", "tool_call_rejected", told)] if notify_client else [])


@pytest.mark.parametrize("kind", BAD_CALLS)
def test_the_log_tells_of_a_bad_call_without_the_models_text(
    engine: Engine, caplog: pytest.LogCaptureFixture, kind: str
) -> None:
    chat = tool_chat(engine, BAD_CALLS[kind])

    with caplog.at_level(logging.INFO, "talefold"):
        chat.say()

    (record,) = [each for each in caplog.records if each.levelno >= logging.WARNING]
    assert record.levelno == logging.WARNING
    assert "'tools'" in record.getMessage()
    assert REASONS[kind] in record.getMessage()
    assert not any("zzz" in each.getMessage() for each in caplog.records)


def test_more_calls_than_a_reply_may_have_are_dropped(engine: Engine) -> None:
    chat = tool_chat(
        engine, "\n".join(['{"tool":"leave"}'] * 65), trained_context_size=99999
    )
    chat.agent.change_params("tools", {"sampling": {"max_tokens": 2000}})

    result = chat.say()

    assert len(calls_of(chat)) == 64
    assert [each["reason"] for each in tools_report(result)["problems"]] == [
        "too_many_calls"
    ]


# Formats and grammar -------------------------------------------------------------

REPLIES_OF_FORMATS = {
    "generic": GIVE_ALE,
    "chatml": (
        '<tool_call>\n{"name": "give", "arguments": {"item": "ale"}}\n</tool_call>'
    ),
    "llama3": '{"name": "give", "parameters": {"item": "ale"}}',
    "mistral": '[TOOL_CALLS] [{"name": "give", "arguments": {"item": "ale"}}]',
}


@pytest.mark.parametrize("format", REPLIES_OF_FORMATS)
def test_each_format_reads_what_it_asks_for_and_replays_it(
    engine: Engine, format: str
) -> None:
    graph = tool_graph(tool_call_format=format)
    chat = tool_chat(engine, REPLIES_OF_FORMATS[format], graph=graph)
    result = chat.say()
    (call,) = calls_of(chat)
    chat.agent.submit_tool_result(call.id, "true", resume=False)

    chat.say("And?")

    assert tools_report(result)["format"] == format
    assert (call.tool_name, call.arguments) == ("give", '{"item": "ale"}')
    (_, system), _, (role, shown), (_, told), *_ = chat.last_messages("tools")
    assert system.startswith("T\n\n")
    assert all(name in system for name in ('"give"', '"leave"', '"item"', '"ale"'))
    assert (role, shown) == ("assistant", REPLIES_OF_FORMATS[format])
    assert "true" in told


def test_auto_is_generic_without_a_chat_template(engine: Engine) -> None:
    result = tool_chat(engine, GIVE_ALE).say()

    assert ToolCallParams(tools=TOOLS).tool_call_format == "auto"
    assert tools_report(result)["format"] == "generic"


def test_calls_of_another_format_are_prose(engine: Engine) -> None:
    graph = tool_graph(tool_call_format="chatml")

    result = tool_chat(engine, GIVE_ALE, graph=graph).say()

    assert tools_report(result)["prose"] == GIVE_ALE


@pytest.mark.parametrize("format", REPLIES_OF_FORMATS)
def test_the_grammar_is_of_the_tools_and_the_format(
    engine: Engine, format: str
) -> None:
    chat = tool_chat(engine, graph=tool_graph(tool_call_format=format))
    chat.say()

    grammar = chat.last_request("tools").grammar
    assert "root ::=" in grammar
    assert all(name in grammar for name in ("give", "leave", "item", "ale", "count"))
    assert chat.last_request("generate").grammar == ""


def test_the_grammar_can_be_switched_off_and_on(engine: Engine) -> None:
    chat = tool_chat(engine)
    given = []
    for on in (True, False, True):
        chat.agent.change_params("tools", {"grammar": on})
        chat.say()
        given.append(bool(chat.last_request("tools").grammar))

    assert given == [True, False, True]


def may_talk(grammar: str) -> bool:
    return "prose" in grammar


def test_required_calls_leave_no_way_to_talk(engine: Engine) -> None:
    chat = tool_chat(engine)
    free = []
    for choice in ("auto", "required", "auto"):
        chat.agent.change_params("tools", {"tool_choice": choice})
        chat.say()
        free.append(may_talk(chat.last_request("tools").grammar))

    assert free == [True, False, True]


def test_the_turn_of_a_result_may_talk_though_calls_are_required(
    engine: Engine,
) -> None:
    chat = tool_chat(
        engine, LEAVE, CALLS_NOTHING,
        graph=tool_graph(talks=False, generate_on_no_tool=True, tool_choice="required"),
    )  # fmt: skip
    chat.say()
    (call,) = calls_of(chat)

    result = chat.agent.submit_tool_result(call.id, "true")

    assert may_talk(chat.last_request("tools").grammar)
    assert result.text == CALLS_NOTHING


def test_required_calls_need_the_grammar(engine: Engine) -> None:
    with raises_code(ErrorCode.InvalidParamValue) as caught:
        tool_chat(engine, graph=tool_graph(tool_choice="required", grammar=False))
    assert "tool_choice" in caught.value.message

    chat = tool_chat(engine, graph=tool_graph(tool_choice="required"))
    with raises_code(ErrorCode.InvalidParamValue) as caught:
        chat.agent.change_params("tools", {"grammar": False})

    assert "tool_choice" in caught.value.message
    chat.say()
    assert not may_talk(chat.last_request("tools").grammar)


# What is said --------------------------------------------------------------------


@pytest.mark.parametrize("reply", [LEAVE, CALLS_NOTHING, f"Bye. {LEAVE}"])
def test_the_node_says_nothing_by_itself(engine: Engine, reply: str) -> None:
    chat = tool_chat(engine, reply, graph=tool_graph(talks=False))

    result = chat.say()

    assert answers(result) == []
    assert result.text == chat.agent.dialog()[0].assistant == ""
    assert result.tokens_generated == len(reply)


def test_prose_can_be_the_reply(engine: Engine) -> None:
    graph = tool_graph(talks=False, generate_on_no_tool=True)
    chat = tool_chat(engine, f" {CALLS_NOTHING} ", graph=graph)

    result = chat.say()

    (answer,) = answers(result)
    assert (answer.node, answer.text) == ("tools", CALLS_NOTHING)
    assert (answer.is_delta, answer.is_final) == (False, True)
    assert chat.agent.dialog()[0].assistant == CALLS_NOTHING


@pytest.mark.parametrize("reply", [LEAVE, f"Bye. {LEAVE}", "", BAD_CALLS["unfinished"]])
def test_only_prose_is_the_reply(engine: Engine, reply: str) -> None:
    graph = tool_graph(talks=False, generate_on_no_tool=True)

    assert answers(tool_chat(engine, reply, graph=graph).say()) == []


def test_prose_beside_a_bad_call_is_the_reply_without_it(engine: Engine) -> None:
    graph = tool_graph(talks=False, generate_on_no_tool=True)

    result = tool_chat(engine, f"Bye. {BAD_CALLS['unknown_tool']}", graph=graph).say()

    assert result.text == "Bye."


# Events --------------------------------------------------------------------------


def test_the_client_is_told_of_each_call(engine: Engine) -> None:
    chat = tool_chat(
        engine, f"{GIVE_ALE}\n{LEAVE}", graph=tool_graph(notify_client=True)
    )

    events = node_events(chat.say())

    first, second = calls_of(chat)
    assert [(each.node, each.event_type) for each in events] == [
        ("tools", "tool_call")
    ] * 2
    assert [each.pairs for each in events] == [
        {"tool_name": "give", "arguments": '{"item": "ale"}', "call_id": first.id},
        {"tool_name": "leave", "arguments": "{}", "call_id": second.id},
    ]


def test_the_client_is_told_only_when_it_wishes(engine: Engine) -> None:
    assert node_events(tool_chat(engine, LEAVE).say()) == []


def test_calls_of_a_turn_that_is_not_committed_are_not_told(engine: Engine) -> None:
    graph = tool_graph(notify_client=True)
    chat = tool_chat(engine, LEAVE, graph=graph, replies=[fails()])

    result = chat.say()

    assert result.status == "error"
    assert node_events(result) == []
    assert chat.agent.dialog_size == 0


# Turns that do not end well ------------------------------------------------------


@pytest.mark.parametrize("reply", [fails(), fails(LEAVE), overflows()])
def test_a_failed_request_fails_the_turn_and_leaves_nothing(
    engine: Engine, reply: ScriptedReply
) -> None:
    chat = tool_chat(engine, reply)

    assert chat.say().status == "error"

    assert chat.agent.dialog_size == 0


@pytest.mark.parametrize("said", ["", LEAVE, "Well"])
def test_a_cancelled_turn_commits_nothing(engine: Engine, said: str) -> None:
    graph = tool_graph(generate_on_no_tool=True, notify_client=True)
    chat = tool_chat(engine, stalls(said), graph=graph)

    turn = chat.stop_inside("tools", lambda: chat.agent.start("Hi"))
    result = finish(turn)

    assert result.status == "cancelled"
    assert [type(event).__name__ for event in result.events] == ["TurnComplete"]
    assert chat.agent.dialog_size == 0
    assert chat.requests("generate") == []


def test_a_replayed_turn_skips_the_node(engine: Engine) -> None:
    graph = tool_graph(tool_called_exit="", summarize={"trigger_turns": 1})
    chat = tool_chat(engine, LEAVE, graph=graph)

    result = chat.agent.replay_turn(user="Hi", assistant="Aye.")

    assert chat.requests("tools") == []
    assert result.debug_info is not None
    assert [node["name"] for node in result.debug_info["nodes"]] == ["summarize"]
    assert chat.agent.get_summary() is not None


# Params --------------------------------------------------------------------------


def tool(name: str = "a", *parameters: ToolParameter) -> ToolDescription:
    return ToolDescription(name=name, parameters=list(parameters))


def with_enum(type: Any, *values: str) -> list[ToolDescription]:
    return [tool("a", ToolParameter(name="p", type=type, enum=list(values)))]


@pytest.mark.parametrize(
    ("tools", "field", "part"),
    [
        ([], "tools", "at least one"),
        ([tool("a"), tool("b"), tool("a")], "tools[2].name", '"a" occurs twice'),
        ([tool("a b")], "tools[0].name", "a b"),
        ([tool("a"), tool("ä")], "tools[1].name", "ä"),
        ([tool("a" * 65)], "tools[0].name", "64"),
        ([tool("a", ToolParameter(name="p"), ToolParameter(name="p"))],
         "tools[0].parameters[1].name", "twice"),
        ([tool("a", ToolParameter(name="p q"))], "tools[0].parameters[0].name", "p q"),
        (with_enum("integer", "1", "x"), "tools[0].parameters[0].enum[1]", "integer"),
        (with_enum("integer", "1.5"), "tools[0].parameters[0].enum[0]", "integer"),
        (with_enum("number", '"1"'), "tools[0].parameters[0].enum[0]", "number"),
        (with_enum("boolean", "yes"), "tools[0].parameters[0].enum[0]", "boolean"),
        (with_enum("string", "x", "x"), "tools[0].parameters[0].enum[1]", "twice"),
        (with_enum("string", *map(str, range(257))),
         "tools[0].parameters[0].enum", "256"),
        ([tool(f"t{i}") for i in range(65)], "tools", "64"),
        ([tool("a", *(ToolParameter(name=f"p{i}") for i in range(65)))],
         "tools[0].parameters", "64"),
    ],
)  # fmt: skip
def test_bad_tools_are_refused_and_named(
    engine: Engine, tools: list[ToolDescription], field: str, part: str
) -> None:
    engine.load_scripted_model("m")
    graph = tool_graph(tools=tools)

    with raises_code(ErrorCode.InvalidParamValue) as caught:
        engine.create_agent(graph)

    assert f"node 'tools', field '{field}': " in caught.value.message
    assert part in caught.value.message + caught.value.hint
    assert [problem.code for problem in graph.validate()] == [
        ErrorCode.InvalidParamValue
    ]


@pytest.mark.parametrize("field", ["name", "parameters[0].name"])
def test_an_empty_name_is_refused(engine: Engine, field: str) -> None:
    engine.load_scripted_model("m")
    bad = tool("") if field == "name" else tool("a", ToolParameter(name=""))

    with raises_code(ErrorCode.InvalidParamValue) as caught:
        engine.create_agent(tool_graph(tools=[bad]))

    assert f"tools[0].{field}" in caught.value.message


@pytest.mark.parametrize(
    "change",
    [
        {"tools": [{"name": "other"}]},
        {"tool_call_format": "chatml"},
        {"output_slot": "x"},
        {"model_name": "x"},
        {"context_size": 2048},
        {"tool_called_exit": ""},
        {"no_tool_called_exit": ""},
    ],
    ids=lambda change: next(iter(change)),
)
def test_structural_params_stay(engine: Engine, change: dict[str, Any]) -> None:
    chat = tool_chat(engine)
    before = chat.agent.graph.to_json()

    with raises_code(ErrorCode.ParamNotMutable):
        chat.agent.change_params("tools", {"system_prompt": "new", **change})

    assert chat.agent.graph.to_json() == before


def test_a_new_system_prompt_stands_before_the_tools(engine: Engine) -> None:
    chat = tool_chat(engine)
    chat.agent.change_params("tools", {"system_prompt": "Be kind."})
    chat.say()

    (_, system), _ = chat.last_messages("tools")
    assert system.startswith("Be kind.\n\nYou can use these tools")


def test_without_a_system_prompt_the_tools_are_the_system_message(
    engine: Engine,
) -> None:
    chat = tool_chat(engine, graph=tool_graph(system_prompt=""))
    chat.say()

    (role, system), _ = chat.last_messages("tools")
    assert role == "system"
    assert system.startswith("You can use these tools")


def test_the_budget_counts_the_tools(engine: Engine) -> None:
    engine.load_scripted_model("m", tokenizer="chars")

    with raises_code(ErrorCode.InvalidParamValue) as caught:
        engine.create_agent(tool_graph(context_size=300))

    assert "tools" in caught.value.message
    assert "300" in caught.value.message


# Diagnostics ---------------------------------------------------------------------


def test_exactly_the_documented_keys_are_reported(engine: Engine) -> None:
    graph = tool_graph(
        talks=False, generate_on_no_tool=True, output_slot="said",
        summarize={"trigger_turns": 3}, sampling={"max_tokens": 100}, context_size=2048,
    )  # fmt: skip
    bad = BAD_CALLS["unknown_tool"]
    chat = tool_chat(
        engine, CALLS_NOTHING, LEAVE, f"x {bad}", "<think>Hm</think>x", graph=graph
    )
    seen = {key for _ in range(5) for key in keys_of(report(chat.say(), "tools"))}
    chat.agent.change_params("tools", {"grammar": False})
    for text in ["Hi", "a" * 900, "b" * 900, "Hi", "Hi"]:
        seen |= keys_of(report(chat.say(text), "tools"))
    chat.agent.edit_interaction(chat.agent.dialog_size - 1, user="Well?")
    seen |= keys_of(report(chat.say(), "tools"))

    assert seen == documented_keys("ToolCall")


def test_a_slot_takes_the_prose(engine: Engine) -> None:
    graph = graph_of(
        ("tools", ToolCallParams(
            tools=TOOLS, generate_on_no_tool=True, output_slot="thought",
            no_tool_called_exit="generate",
        )),
        teller("({{slot_thought}})"),
    )  # fmt: skip
    chat = tool_chat(engine, CALLS_NOTHING, graph=graph)

    result = chat.say()

    assert chat.last_messages()[-2] == ("user", f"({CALLS_NOTHING})")
    assert [event.node for event in answers(result)] == ["generate"]
    assert report(result, "tools")["output"]["slot"] == CALLS_NOTHING
