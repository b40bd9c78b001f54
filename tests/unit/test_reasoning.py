"""What a model thinks aloud is for nobody but the diagnostics."""

from __future__ import annotations

import pytest

from support import AgentMaker
from talefold import (
    Agent,
    AnswerText,
    Engine,
    GenerateParams,
    GraphDescription,
    SummarizeParams,
)

THOUGHT = "<think>\nA guest. Be kind.\n</think>\n\nAye, friend."


def output(agent: Agent) -> tuple[str, dict[str, object]]:
    """The text of a turn, and what its first node reports of its output."""
    result = agent.send("Hello")
    assert result.debug_info is not None
    return result.text, result.debug_info["nodes"][0]["output"]


def open_agent(engine: Engine, graph: GraphDescription, **model: object) -> Agent:
    engine.load_scripted_model("mock", replies=[THOUGHT], record_requests=True, **model)
    return engine.create_agent(graph, enable_diagnostics=True)


def test_the_reply_has_no_reasoning_and_the_diagnostics_have_it(
    engine: Engine, reply_graph: GraphDescription
) -> None:
    text, reported = output(open_agent(engine, reply_graph))

    assert text == "Aye, friend."
    assert reported["text"] == "Aye, friend."
    assert reported["reasoning"] == "A guest. Be kind."
    assert reported["tokens_generated"] == len(THOUGHT.split())


@pytest.mark.parametrize("tokenizer", ["chars", "words"])
def test_no_event_has_a_part_of_it(make_agent: AgentMaker, tokenizer: str) -> None:
    agent = make_agent(THOUGHT, tokenizer=tokenizer)

    deltas = [e.text for e in agent.stream("Hello") if isinstance(e, AnswerText)]

    assert "".join(deltas[:-1]) == deltas[-1] == "Aye, friend."


def test_no_later_prompt_has_it(engine: Engine, reply_graph: GraphDescription) -> None:
    agent = open_agent(engine, reply_graph)
    agent.send("Hello")
    agent.send("And?")

    second = engine.recorded_requests("mock")[1]

    assert ("assistant", "Aye, friend.") in second.messages
    assert agent.dialog()[0].assistant == "Aye, friend."


def test_no_summary_has_it(engine: Engine) -> None:
    engine.load_scripted_model(
        "mock",
        replies=["Aye."],
        node_replies={"fold": ["<think>Short!</think> A guest came."]},
    )
    graph = (
        GraphDescription()
        .add_node("talk", GenerateParams(default_exit="fold"))
        .add_node("fold", SummarizeParams(trigger_tokens=1, keep_recent_turns=1))
        .set_start_node("talk")
    )
    agent = engine.create_agent(graph)
    for _ in range(8):
        agent.send("Tell me of the harvest, the road and the old mill by the river.")

    summary = agent.get_summary()

    assert summary is not None
    assert summary.text == "A guest came."


def test_keep_reasoning_leaves_the_reply_as_it_is(
    engine: Engine, reply_graph: GraphDescription
) -> None:
    text, reported = output(open_agent(engine, reply_graph, keep_reasoning=True))

    assert text == THOUGHT
    assert "reasoning" not in reported


def test_a_reply_of_reasoning_alone_is_empty(make_agent: AgentMaker) -> None:
    assert make_agent("<think>Who is that?").send("Hello").text == ""


def test_imported_reasoning_is_in_no_prompt(
    engine: Engine, reply_graph: GraphDescription
) -> None:
    agent = open_agent(engine, reply_graph)
    agent.append_interaction(user="Hi <think>x</think>", assistant=THOUGHT)
    agent.send("And?")

    (request,) = engine.recorded_requests("mock")

    assert ("assistant", "Aye, friend.") in request.messages
    assert ("user", "Hi <think>x</think>") in request.messages, "the player's stays"
    assert agent.dialog()[0].assistant == THOUGHT, "and the dialog is as imported"


def test_imported_reasoning_is_not_folded(engine: Engine) -> None:
    engine.load_scripted_model("mock", replies=["They met."], record_requests=True)
    graph = (
        GraphDescription()
        .add_node("fold", SummarizeParams(trigger_turns=1, keep_recent_turns=0))
        .set_start_node("fold")
    )
    agent = engine.create_agent(graph)
    agent.append_interaction(user="Hi", assistant=THOUGHT)
    agent.replay_turn(user="And?", assistant="Well.")

    (request,) = engine.recorded_requests("mock")

    assert "Aye, friend." in request.messages[-1][1]
    assert "Be kind." not in request.messages[-1][1]
