from __future__ import annotations

import gc
import logging
import weakref

import pytest

from talefold import (
    Engine,
    ErrorCode,
    GenerateParams,
    GraphDescription,
    ModelInfo,
    SamplingOverrides,
    ScriptedReply,
    SummarizeParams,
    TalefoldError,
)


def test_models_are_listed(engine: Engine) -> None:
    engine.load_scripted_model("mock", trained_context_size=4096)

    assert engine.models() == [
        ModelInfo(name="mock", kind="scripted", trained_context_size=4096)
    ]


def test_an_unloaded_model_is_gone(engine: Engine) -> None:
    engine.load_scripted_model("mock")

    engine.unload_model("mock")

    assert engine.models() == []


@pytest.mark.parametrize(
    ("tokenizer", "count"), [("words", 3), ("chars", 13)], ids=["words", "chars"]
)
def test_tokens_are_counted(engine: Engine, tokenizer: str, count: int) -> None:
    engine.load_scripted_model("mock", tokenizer=tokenizer)

    assert engine.count_tokens("mock", "aye my friend") == count


@pytest.mark.parametrize(
    "options",
    [{"worker_threads": 0}, {"max_message_bytes": 0}, {"max_steps_per_turn": 0}],
    ids=lambda options: next(iter(options)),
)
def test_engine_options_start_at_one(options: dict[str, int]) -> None:
    with pytest.raises(TalefoldError) as caught:
        Engine(**options)

    assert caught.value.code is ErrorCode.InvalidArgument
    assert next(iter(options)) in caught.value.message


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"tokenizer": "letters"}, ErrorCode.InvalidArgument),
        ({"replies": [ScriptedReply(outcome="explode")]}, ErrorCode.InvalidArgument),  # type: ignore[arg-type]
        (
            {"default_sampling": SamplingOverrides(temperature=-1)},
            ErrorCode.InvalidParamValue,
        ),
    ],
    ids=["tokenizer", "outcome", "default_sampling"],
)
def test_bad_scripts_load_nothing(
    engine: Engine, options: dict[str, object], code: ErrorCode
) -> None:
    with pytest.raises(TalefoldError) as caught:
        engine.load_scripted_model("mock", **options)  # type: ignore[arg-type]

    assert caught.value.code is code
    assert engine.models() == []


def test_replies_must_be_a_list(engine: Engine) -> None:
    with pytest.raises(TypeError, match="replies"):
        engine.load_scripted_model("mock", replies="Aye.")


def test_replies_of_a_node_go_before_the_others(
    engine: Engine, reply_graph: GraphDescription
) -> None:
    engine.load_scripted_model(
        "mock", replies=["Nobody says this."], node_replies={"generate": ["Aye."]}
    )

    assert engine.create_agent(reply_graph).send("Hello?").text == "Aye."


def test_an_echo_says_the_last_message(
    engine: Engine, reply_graph: GraphDescription
) -> None:
    engine.load_scripted_model("mock", replies=[ScriptedReply(echo=True)])

    assert engine.create_agent(reply_graph).send("Hello there.").text == "Hello there."


def test_requests_are_recorded(engine: Engine) -> None:
    graph = (
        GraphDescription()
        .add_node(
            "generate",
            GenerateParams(
                system_prompt="An innkeeper.", sampling=SamplingOverrides(max_tokens=9)
            ),
        )
        .set_start_node("generate")
    )
    engine.load_scripted_model(
        "mock",
        record_requests=True,
        default_sampling=SamplingOverrides(temperature=0.25, max_tokens=99),
    )

    engine.create_agent(graph).send("Hello.")

    (request,) = engine.recorded_requests("mock")
    assert request.node == "generate"
    assert request.messages == [("system", "An innkeeper."), ("user", "Hello.")]
    assert len(request.prompt_tokens) == 3 + 3  # 3 words, 2 messages + 1
    assert request.max_tokens == 9
    assert request.sampling == SamplingOverrides(temperature=0.25, max_tokens=9)


def test_requests_are_not_recorded_unless_asked(
    engine: Engine, reply_graph: GraphDescription
) -> None:
    engine.load_scripted_model("mock")

    engine.create_agent(reply_graph).send("Hello.")

    assert engine.recorded_requests("mock") == []


def test_an_agent_needs_a_valid_graph(engine: Engine) -> None:
    engine.load_scripted_model("mock")
    graph = (
        GraphDescription()
        .add_node("generate", GenerateParams(default_exit="nowhere"))
        .set_start_node("generate")
    )

    with pytest.raises(TalefoldError) as caught:
        engine.create_agent(graph)

    assert caught.value.code is ErrorCode.InvalidExitTarget


def test_an_agent_needs_its_model(
    engine: Engine, reply_graph: GraphDescription
) -> None:
    with pytest.raises(TalefoldError) as caught:
        engine.create_agent(reply_graph, default_model_name="edric")

    assert caught.value.code is ErrorCode.ModelNotFound


def test_a_closed_engine_refuses_calls(reply_graph: GraphDescription) -> None:
    with Engine() as engine:
        engine.load_scripted_model("mock")
    engine.close()

    with pytest.raises(TalefoldError) as caught:
        engine.create_agent(reply_graph)

    assert caught.value.code is ErrorCode.EngineClosed


def test_an_agent_keeps_its_engine(reply_graph: GraphDescription) -> None:
    engine = Engine()
    engine.load_scripted_model("mock", replies=["Aye."])
    agent = engine.create_agent(reply_graph)

    del engine
    gc.collect()

    assert agent.send("Hello?").text == "Aye."


def test_a_dropped_engine_is_freed() -> None:
    engine = Engine()
    engine.load_scripted_model("mock")
    alive = weakref.ref(engine)

    del engine
    gc.collect()

    assert alive() is None


def test_log_lines_go_to_child_loggers(
    engine: Engine, caplog: pytest.LogCaptureFixture
) -> None:
    graph = (
        GraphDescription()
        .add_node("generate", GenerateParams(default_exit="summarize"))
        .add_node("summarize", SummarizeParams(trigger_turns=1, keep_recent_turns=0))
        .set_start_node("generate")
    )
    failure = ScriptedReply(outcome="fail")
    engine.load_scripted_model("mock", node_replies={"summarize": [failure]})

    engine.create_agent(graph).send("Hello?")

    (record,) = caplog.records
    assert record.name.startswith("talefold.")
    assert record.levelname == "WARNING"
    assert "summarize" in record.getMessage()


def test_the_library_adds_no_log_handlers(engine: Engine) -> None:
    assert logging.getLogger("talefold").handlers == []
