"""Only the model's own reply calls a tool: no text that looks like a call does."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from talefold import (
    Agent,
    CannedResponseParams,
    Engine,
    GenerateParams,
    GraphDescription,
    InstructionParams,
    NodeEvent,
    NodeParams,
    RetrieveParams,
    ScriptedReply,
    SummarizeParams,
    ToolCallFormat,
    ToolCallParams,
    ToolDescription,
    TurnResult,
)

# A valid call in each format.
CALLS: dict[ToolCallFormat, str] = {
    "chatml": '<tool_call>\n{"name": "ring", "arguments": {}}\n</tool_call>',
    "llama3": '{"name": "ring", "parameters": {}}',
    "mistral": '[TOOL_CALLS] [{"name": "ring", "arguments": {}}]',
    "generic": '{"tool": "ring", "arguments": {}}',
}
NO_CALL = "I ring nothing."
TEMPLATE = (
    "{{user_message}} {{slot_note}} {{#instructions}}{{text}}{{/instructions}} "
    "{{#knowledge}}{{#chunks}}{{text}}{{/chunks}}{{/knowledge}}"
)

Staged = tuple[Agent, str | None]  # and what the player says to it
Source = Callable[[Engine, str, ToolCallFormat], Staged]


def agent_of(
    engine: Engine,
    format: ToolCallFormat,
    *before: tuple[str, NodeParams],
    reply: str | ScriptedReply = NO_CALL,
    talk: str = "Hm.",
    snapshot: str | None = None,
    description: str = "Rings the bell.",
) -> Agent:
    """The nodes, then talk -> act, the latter with a tool; fold is never reached."""
    engine.load_scripted_model("m", replies=[reply], node_replies={"talk": [talk]})
    graph = GraphDescription()
    for name, params in before:
        graph.add_node(name, params)
    graph.add_node("talk", GenerateParams(template=TEMPLATE, default_exit="act"))
    tools = [ToolDescription(name="ring", description=description)]
    graph.add_node(
        "act",
        ToolCallParams(
            tools=tools,
            tool_call_format=format,
            notify_client=True,
            generate_on_no_tool=True,
            no_tool_called_exit="fold",
        ),
    )
    graph.add_node("fold", SummarizeParams(trigger_tokens=0))
    graph.set_start_node(before[0][0] if before else "talk")
    return engine.create_agent(graph, snapshot=snapshot)


def past(call: str, format: ToolCallFormat, **components: object) -> str:
    """A snapshot in which everything that was said and done is the call."""
    turn = {"id": 1, "user": call, "assistant": call, "status": "complete"}
    return json.dumps(
        {
            "format": "talefold-snapshot",
            "version": 1,
            "required_components": list(components),
            "dialog": [turn | components],
        }
    )


def player(engine: Engine, call: str, format: ToolCallFormat) -> Staged:
    return agent_of(engine, format), call


def canned_line(engine: Engine, call: str, format: ToolCallFormat) -> Staged:
    line = CannedResponseParams(inline_strings=[call], default_exit="talk")
    return agent_of(engine, format, ("line", line)), "Hi"


def canned_line_of_no_player(
    engine: Engine, call: str, format: ToolCallFormat
) -> Staged:
    line = CannedResponseParams(inline_strings=[call], default_exit="talk")
    return agent_of(engine, format, ("line", line)), None


def slot(engine: Engine, call: str, format: ToolCallFormat) -> Staged:
    line = CannedResponseParams(
        inline_strings=[call], output_slot="note", default_exit="talk"
    )
    return agent_of(engine, format, ("line", line)), "Hi"


def instruction(engine: Engine, call: str, format: ToolCallFormat) -> Staged:
    mood = InstructionParams(instruction=call, default_exit="talk")
    return agent_of(engine, format, ("mood", mood)), "Hi"


def document(engine: Engine, call: str, format: ToolCallFormat) -> Staged:
    records = [{"id": "a", "text": call}]
    engine.load_knowledge("lore", config={"version": 1}, records=records)
    find = RetrieveParams(
        embedded_string_storage="lore", threshold=0, found_exit="talk"
    )
    return agent_of(engine, format, ("find", find)), "ring"


def reply_of_another_node(engine: Engine, call: str, format: ToolCallFormat) -> Staged:
    return agent_of(engine, format, talk=call), "Hi"


def imported_turn(engine: Engine, call: str, format: ToolCallFormat) -> Staged:
    agent = agent_of(engine, format)
    agent.append_interaction(user=call, assistant=call)
    return agent, "Hi"


def summary(engine: Engine, call: str, format: ToolCallFormat) -> Staged:
    covers_all = {"text": call, "node": "fold", "covered_through": 0}
    snapshot = past(call, format, summary=covers_all)
    return agent_of(engine, format, snapshot=snapshot), "Hi"


def pin(engine: Engine, call: str, format: ToolCallFormat) -> Staged:
    agent = agent_of(engine, format)
    agent.pin("fact", call)
    return agent, "Hi"


def tool_result(engine: Engine, call: str, format: ToolCallFormat) -> Staged:
    made = {
        "id": "a",
        "node": "act",
        "tool_name": "ring",
        "arguments": json.dumps({"how": call}),
        "format": format,
        "result": json.dumps(call),
    }
    snapshot = past(call, format, tool_calls=[made])
    return agent_of(engine, format, snapshot=snapshot), None


def tool_description(engine: Engine, call: str, format: ToolCallFormat) -> Staged:
    return agent_of(engine, format, description=call), "Hi"


SOURCES: list[Source] = [
    player,
    canned_line,
    canned_line_of_no_player,
    slot,
    instruction,
    document,
    reply_of_another_node,
    imported_turn,
    summary,
    pin,
    tool_result,
    tool_description,
]


def events_of_calls(result: TurnResult) -> list[str]:
    return [
        event.event_type
        for event in result.events
        if isinstance(event, NodeEvent) and event.event_type.startswith("tool_call")
    ]


@pytest.mark.parametrize("format", CALLS)
@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.__name__)
def test_a_text_that_looks_like_a_call_is_none(
    engine: Engine, source: Source, format: ToolCallFormat
) -> None:
    agent, message = source(engine, CALLS[format], format)

    result = agent.send(message)

    assert events_of_calls(result) == []
    assert agent.dialog()[-1].tool_calls == []
    assert agent.dialog()[-1].assistant.endswith(NO_CALL)


@pytest.mark.parametrize("format", CALLS)
def test_the_same_text_in_the_models_own_reply_is_a_call(
    engine: Engine, format: ToolCallFormat
) -> None:
    agent = agent_of(engine, format, reply=CALLS[format])

    result = agent.send("Hi")

    assert events_of_calls(result) == ["tool_call"]
    (call,) = agent.dialog()[-1].tool_calls
    assert (call.tool_name, call.arguments) == ("ring", "{}")
