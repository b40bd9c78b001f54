from __future__ import annotations

import pytest

from support import AgentMaker, raises_code
from talefold import (
    Agent,
    Engine,
    ErrorCode,
    GenerateParams,
    GraphDescription,
    SamplingOverrides,
    ScriptedReply,
    SummarizeParams,
)


@pytest.fixture
def folding_agent(engine: Engine) -> Agent:
    """Folds after each turn all but the running one."""
    graph = (
        GraphDescription()
        .add_node("generate", GenerateParams(default_exit="summarize"))
        .add_node("summarize", SummarizeParams(trigger_turns=1, keep_recent_turns=1))
        .set_start_node("generate")
    )
    engine.load_scripted_model(
        "mock", replies=["Aye."], node_replies={"summarize": ["They met.", "They ate."]}
    )
    return engine.create_agent(graph)


def test_a_reply_is_returned_and_remembered(agent: Agent) -> None:
    result = agent.send("Good evening.")

    assert result.text == "Aye, friend."
    assert result.status == "success"
    assert result.tokens_generated == 2
    assert result.error is None
    (interaction,) = agent.dialog()
    assert interaction.user == "Good evening."
    assert interaction.assistant == "Aye, friend."
    assert interaction.status == "complete"
    assert interaction.summary is None


def test_the_character_can_speak_first(agent: Agent) -> None:
    agent.send(None)

    (interaction,) = agent.dialog()
    assert (interaction.user, interaction.assistant) == ("", "Aye, friend.")


def test_debug_info_is_a_dict_when_enabled(
    engine: Engine, reply_graph: GraphDescription
) -> None:
    engine.load_scripted_model("mock", replies=["Aye."])
    agent = engine.create_agent(reply_graph, enable_diagnostics=True)

    debug_info = agent.send("Hello.").debug_info

    assert debug_info is not None
    assert [node["name"] for node in debug_info["nodes"]] == ["generate"]


def test_debug_info_is_none_unless_enabled(agent: Agent) -> None:
    assert agent.send("Hello.").debug_info is None


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", ErrorCode.InvalidArgument),
        ("a\0b", ErrorCode.InvalidArgument),
        ("\ud800", ErrorCode.InvalidUtf8),
        ("ä" * 40_000, ErrorCode.MessageTooLarge),
    ],
    ids=["empty", "nul", "surrogate", "too_large"],
)
def test_bad_texts_are_refused_and_change_nothing(
    agent: Agent, text: str, code: ErrorCode
) -> None:
    with raises_code(code):
        agent.send(text)

    assert agent.dialog() == []
    assert not agent.busy


@pytest.mark.parametrize("text", [b"Hello.", 7], ids=["bytes", "int"])
def test_only_str_is_text(agent: Agent, text: object) -> None:
    with pytest.raises(TypeError, match="expected str"):
        agent.send(text)  # type: ignore[arg-type]


def test_a_busy_agent_refuses_another_turn(stalled_agent: Agent) -> None:
    turn = stalled_agent.start("Hello.")

    with raises_code(ErrorCode.AgentBusy):
        stalled_agent.send("Hello again.")

    assert stalled_agent.busy
    turn.cancel()


def test_a_failed_turn_raises_with_its_result(make_agent: AgentMaker) -> None:
    agent = make_agent(ScriptedReply("Well now", outcome="fail"))

    with raises_code(ErrorCode.InferenceFailed) as caught:
        agent.send("Hello.")

    result = caught.value.result
    assert result is not None
    assert result.status == "error"
    assert result.text == "Well now"
    assert result.error is caught.value


def test_a_timeout_is_an_error(stalled_agent: Agent) -> None:
    with raises_code(ErrorCode.InferenceTimeout):
        stalled_agent.send("Hello.", timeout_ms=50)

    assert not stalled_agent.busy


def test_an_imported_interaction_runs_no_model(agent: Agent) -> None:
    agent.append_interaction(user="Hello.", assistant="Welcome.")

    (interaction,) = agent.dialog()
    assert (interaction.user, interaction.assistant) == ("Hello.", "Welcome.")
    assert agent.dialog_size == 1


def test_an_empty_interaction_is_refused(agent: Agent) -> None:
    with raises_code(ErrorCode.InvalidArgument):
        agent.append_interaction()


def test_an_edit_replaces_only_what_is_given(agent: Agent) -> None:
    agent.append_interaction(user="Hello.", assistant="Welcome.")

    agent.edit_interaction(0, assistant="Go away.")

    (interaction,) = agent.dialog()
    assert (interaction.user, interaction.assistant) == ("Hello.", "Go away.")


@pytest.mark.parametrize("index", [-1, 1], ids=["negative", "past_the_end"])
def test_an_edit_needs_an_interaction(agent: Agent, index: int) -> None:
    agent.append_interaction(user="Hello.")

    with raises_code(ErrorCode.InteractionNotFound):
        agent.edit_interaction(index, user="Bye.")


def test_undo_returns_what_it_removes(agent: Agent) -> None:
    agent.send("Hello.")

    removed = agent.undo_last_turn()

    assert removed.user == "Hello."
    assert agent.dialog() == []


def test_undo_needs_an_interaction(agent: Agent) -> None:
    with raises_code(ErrorCode.InteractionNotFound):
        agent.undo_last_turn()


def test_regenerate_replaces_the_last_reply(make_agent: AgentMaker) -> None:
    agent = make_agent("First.", "Second.")
    agent.send("Hello.")

    result = agent.regenerate()

    assert result.text == "Second."
    (interaction,) = agent.dialog()
    assert (interaction.user, interaction.assistant) == ("Hello.", "Second.")


def test_a_fold_makes_a_summary(folding_agent: Agent) -> None:
    assert folding_agent.get_summary() is None

    folding_agent.send("One.")
    folding_agent.send("Two.")

    summary = folding_agent.get_summary()
    assert summary is not None
    assert summary.text == "They met."
    assert summary.node == "summarize"
    assert (summary.covered_through, summary.carrier) == (0, 1)
    assert folding_agent.dialog()[1].summary == summary


def test_history_states_tell_what_is_shown(folding_agent: Agent) -> None:
    folding_agent.send("One.")
    folding_agent.send("Two.")

    assert folding_agent.history_states("generate") == ["folded", "replayed"]


def test_history_states_need_a_node_with_history(folding_agent: Agent) -> None:
    with raises_code(ErrorCode.UnknownNode):
        folding_agent.history_states("summarize")


def test_an_edited_interaction_makes_its_summary_stale(folding_agent: Agent) -> None:
    folding_agent.send("One.")
    folding_agent.send("Two.")

    folding_agent.edit_interaction(0, user="Zero.")

    summary = folding_agent.get_summary()
    assert summary is not None
    assert summary.stale


def test_a_refold_returns_the_new_summary(folding_agent: Agent) -> None:
    folding_agent.send("One.")
    folding_agent.send("Two.")
    folding_agent.edit_interaction(0, user="Zero.")

    summary = folding_agent.refold()

    assert summary.text == "They ate."
    assert not summary.stale
    assert folding_agent.get_summary() == summary


def test_a_refold_needs_a_summary(agent: Agent) -> None:
    with raises_code(ErrorCode.SummaryNotFound):
        agent.refold()


def test_a_summary_can_be_written(folding_agent: Agent) -> None:
    folding_agent.send("One.")
    folding_agent.send("Two.")

    folding_agent.set_summary("They fought.")

    summary = folding_agent.get_summary()
    assert summary is not None
    assert summary.text == "They fought."
    assert summary.edited


def test_params_change_by_mapping(agent: Agent) -> None:
    agent.change_params("generate", {"sampling": {"temperature": 0.5}})
    agent.change_params("generate", {"sampling": {"top_k": 3}, "stream": False})

    params = agent.graph.nodes["generate"]
    assert params == GenerateParams(
        system_prompt="An innkeeper.",
        sampling=SamplingOverrides(temperature=0.5, top_k=3),
    )


def test_params_change_as_a_whole(agent: Agent) -> None:
    params = GenerateParams(system_prompt="A smith.")

    agent.change_params("generate", params)

    assert agent.graph.nodes["generate"] == params


@pytest.mark.parametrize(
    ("node", "params", "code"),
    [
        ("nobody", {"stream": True}, ErrorCode.UnknownNode),
        ("generate", {"context_size": 512}, ErrorCode.ParamNotMutable),
        ("generate", {"straem": True}, ErrorCode.InvalidParamValue),
        ("generate", {"sampling": {"top_p": 2}}, ErrorCode.InvalidParamValue),
        ("generate", GenerateParams(context_size=512), ErrorCode.ParamNotMutable),
        ("generate", SummarizeParams(), ErrorCode.InvalidParamValue),
    ],
    ids=["node", "structural", "unknown", "range", "whole_structural", "other_type"],
)
def test_bad_changes_of_params_change_nothing(
    agent: Agent, node: str, params: object, code: ErrorCode
) -> None:
    before = agent.graph

    with raises_code(code):
        agent.change_params(node, params)  # type: ignore[arg-type]

    assert agent.graph == before


def test_a_snapshot_continues_the_conversation(
    engine: Engine, reply_graph: GraphDescription, agent: Agent
) -> None:
    agent.send("Hello.")

    copy = engine.create_agent(
        reply_graph, default_model_name="model-1", snapshot=agent.export_snapshot()
    )

    assert copy.dialog() == agent.dialog()


def test_an_imported_snapshot_replaces_the_dialog(agent: Agent) -> None:
    agent.send("Hello.")
    snapshot = agent.export_snapshot()
    agent.send("And more.")

    agent.import_snapshot(snapshot)

    assert [each.user for each in agent.dialog()] == ["Hello."]


def test_a_broken_snapshot_changes_nothing(agent: Agent) -> None:
    agent.send("Hello.")

    with raises_code(ErrorCode.MalformedSnapshot):
        agent.import_snapshot("{}")

    assert agent.dialog_size == 1


def test_a_closed_agent_refuses_calls(agent: Agent) -> None:
    with agent:
        agent.send("Hello.")
    agent.close()

    with raises_code(ErrorCode.AgentClosed):
        agent.send("Hello?")


def test_closing_the_agent_cancels_its_turn(stalled_agent: Agent) -> None:
    turn = stalled_agent.start("Hello.")

    stalled_agent.close()

    assert turn.result().status == "cancelled"


def test_nothing_is_pending_in_the_background(agent: Agent) -> None:
    agent.send("Hello.")

    agent.wait_background()

    assert not agent.busy
