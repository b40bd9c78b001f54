"""Every node type as it was promised: params, ranges, flags, exits.

The descriptors of the core are compared with the table, and each row is tried on an
agent.
"""

from __future__ import annotations

import dataclasses
import itertools
import json
from collections.abc import Callable
from typing import Any

import pytest

from support import raises_code
from talefold import (
    Agent,
    CannedResponseParams,
    ClassifyIntentParams,
    Engine,
    ErrorCode,
    GraphDescription,
    NodeParams,
    SpeechBackend,
    SummarizeParams,
    _core,
)
from talefold._params import PARAMS_OF_TYPE

from .content_nodes import exit_of, say
from .helpers import finish
from .node_table import (
    CATALOGUE,
    MEMORY_TYPES,
    SAMPLING_RANGES,
    UNSET_SAMPLING,
    Param,
    params_of,
)

AGENT_TYPES = [each for each in CATALOGUE if each not in MEMORY_TYPES]
EACH_TYPE = pytest.mark.parametrize("node_type", CATALOGUE)
EACH_AGENT_TYPE = pytest.mark.parametrize("node_type", AGENT_TYPES)


def each_param(keep: Callable[[Param], object]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(
        ("node_type", "name"),
        [
            (node_type, name)
            for node_type in AGENT_TYPES
            for name, param in params_of(node_type).items()
            if keep(param)
        ],
    )


# The descriptors -----------------------------------------------------------------


def descriptors() -> dict[str, Any]:
    found = json.loads(_core.descriptors_json())
    assert isinstance(found, dict)
    return found


def descriptor_of(node_type: str) -> dict[str, Any]:
    (found,) = [
        each for each in descriptors()["nodes"] if each["name"] == node_type
    ]  # fmt: skip
    assert isinstance(found, dict)
    return found


def test_these_are_the_node_types_and_their_numbers() -> None:
    assert {node["name"]: node["number"] for node in descriptors()["nodes"]} == {
        name: row.number for name, row in CATALOGUE.items()
    }


@EACH_TYPE
def test_params_have_the_promised_defaults_ranges_and_flags(node_type: str) -> None:
    described = {
        each["name"]: (
            each["default"],
            each["structural"],
            each["localizable"],
            each["min"],
            each["max"],
            tuple(each["choices"] or ()),
        )
        for each in descriptor_of(node_type)["params"]["fields"]
    }

    assert described == {
        name: (
            param.default,
            param.structural,
            "L" in param.flags,
            param.low,
            param.high,
            param.choices,
        )
        for name, param in params_of(node_type).items()
    }


@EACH_TYPE
def test_exits_are_the_promised_ones(node_type: str) -> None:
    described = {
        each["name"]: each["field"] for each in descriptor_of(node_type)["exits"]
    }

    assert described == {exit: f"{exit}_exit" for exit in CATALOGUE[node_type].exits}


def test_sampling_has_the_promised_ranges() -> None:
    (sampling,) = [
        each for each in descriptors()["structs"] if each["name"] == "SamplingOverrides"
    ]
    ranges = {each["name"]: (each["min"], each["max"]) for each in sampling["fields"]}

    assert ranges.pop("stop") == (None, None)
    assert ranges == SAMPLING_RANGES


# Agents of each type -------------------------------------------------------------


class Mute(SpeechBackend):
    def check_voice(self, voice: str, speaker_id: int) -> None:
        pass

    def synthesize(self, request: object, stop: object) -> Any:
        return iter(())


@pytest.fixture(autouse=True)
def content(engine: Engine) -> None:
    """What the nodes refer to."""
    optional = {"type": "string", "optional": True, "filterable": True}
    fields = [{"name": "kind", **optional}, {"name": "mood", **optional}]
    records = [{"id": "a", "text": "a bed", "metadata": {"kind": "room"}}]
    for name in ("lore", "lore-2"):
        engine.load_knowledge(
            name, config={"version": 1, "fields": fields}, records=records
        )
    engine.set_speech_backend(Mute())
    engine.load_scripted_model(
        "mock", replies=["Aye."], node_replies={"node": ['{"tool": "leave"}', "A"]}
    )


def graph_with(node_type: str, **changes: Any) -> GraphDescription:
    """The node, with exits to a canned line."""
    valid = {
        name: param.valid
        for name, param in params_of(node_type).items()
        if param.valid is not None
    }
    file = {
        "format": "talefold-graph",
        "version": 1,
        "start_node": "node",
        "nodes": [
            {"name": "node", "type": node_type, "params": valid | changes},
            {
                "name": "end",
                "type": "CannedResponse",
                "params": {"inline_strings": ["Bye."]},
            },
        ],
    }
    return GraphDescription.from_json(json.dumps(file))


def agent_with(engine: Engine, node_type: str, **changes: Any) -> Agent:
    graph = graph_with(node_type, **changes)
    return engine.create_agent(
        graph, default_model_name="mock", enable_diagnostics=True
    )


def param_now(agent: Agent, name: str) -> Any:
    return dataclasses.asdict(agent.graph.nodes["node"])[name]


@EACH_AGENT_TYPE
def test_the_least_params_make_an_agent(engine: Engine, node_type: str) -> None:
    agent = agent_with(engine, node_type)

    assert say(agent, "a bed").status == "success"


def outside(low: float | None, high: float | None, default: Any) -> list[Any]:
    """The values just below and just above a range."""
    step = 0.001 if isinstance(default, float) else 1
    return [
        value
        for value in (
            None if low is None else low - step,
            None if high is None else high + step,
        )
        if value is not None
    ]


RANGED = [
    (node_type, name, value)
    for node_type in AGENT_TYPES
    for name, param in params_of(node_type).items()
    for value in outside(param.low, param.high, param.default)
]


@pytest.mark.parametrize(("node_type", "name", "value"), RANGED)
def test_a_value_outside_its_range_is_refused_and_named(
    engine: Engine, node_type: str, name: str, value: float
) -> None:
    param = params_of(node_type)[name]
    with raises_code(ErrorCode.InvalidParamValue) as caught:
        agent_with(engine, node_type, **{name: value})
    messages = [caught.value.message]
    if not param.structural:
        agent = agent_with(engine, node_type)
        before = agent.graph.to_json()
        with raises_code(ErrorCode.InvalidParamValue) as caught:
            agent.change_params("node", {name: value})
        messages.append(caught.value.message)
        assert agent.graph.to_json() == before

    bounds = [each for each in (param.low, param.high) if each is not None]
    for message in messages:
        assert f"node 'node', field '{name}'" in message
        assert all(f"{each:g}" in message for each in [value, *bounds])


@pytest.mark.parametrize(
    ("name", "value"),
    [
        (name, value)
        for name, (low, high) in SAMPLING_RANGES.items()
        for value in outside(low, high, 1)
    ],
)
@pytest.mark.parametrize(
    "node_type", [each for each in AGENT_TYPES if "sampling" in params_of(each)]
)
def test_sampling_outside_its_range_is_refused_and_named(
    engine: Engine, node_type: str, name: str, value: float
) -> None:
    low, high = SAMPLING_RANGES[name]
    agent = agent_with(engine, node_type)
    before = agent.graph.to_json()

    with raises_code(ErrorCode.InvalidParamValue) as caught:
        agent.change_params("node", {"sampling": {name: value}})

    assert f"node 'node', field 'sampling.{name}'" in caught.value.message
    for each in (value, low, high):
        # A large whole number is written out.
        shown = "" if each is None else str(each) if each == int(each) else f"{each:g}"
        assert shown in caught.value.message
    assert agent.graph.to_json() == before


@each_param(lambda param: param.low is not None or param.high is not None)
def test_the_bounds_themselves_are_allowed(
    engine: Engine, node_type: str, name: str
) -> None:
    param = params_of(node_type)[name]
    for value in (param.low, param.high):
        if value is None:
            continue
        problems = graph_with(node_type, **{name: value}).validate()
        assert [each for each in problems if not each.is_warning] == []


@each_param(lambda param: param.choices)
def test_no_other_choice_is_allowed(engine: Engine, node_type: str, name: str) -> None:
    with raises_code(ErrorCode.InvalidParamValue) as caught:
        agent_with(engine, node_type, **{name: "nowhere"})

    assert f"node 'node', field '{name}'" in caught.value.message
    assert all(
        each in caught.value.message
        for each in ("nowhere", *params_of(node_type)[name].choices)
    )


@each_param(lambda param: param.structural)
def test_structural_params_are_frozen(
    engine: Engine, node_type: str, name: str
) -> None:
    agent = agent_with(engine, node_type)
    before = agent.graph.to_json()
    mutable = {
        each: param.other
        for each, param in params_of(node_type).items()
        if not param.structural
    }

    with raises_code(ErrorCode.ParamNotMutable) as caught:
        agent.change_params(
            "node", dict(itertools.islice(mutable.items(), 1))
            | {name: params_of(node_type)[name].other},
        )  # fmt: skip

    assert f"node 'node', field '{name}'" in caught.value.message
    assert agent.graph.to_json() == before


@each_param(lambda param: not param.structural)
def test_mutable_params_change(engine: Engine, node_type: str, name: str) -> None:
    agent = agent_with(engine, node_type)
    say(agent, "a bed")
    other = params_of(node_type)[name].other

    agent.change_params("node", {name: other})

    now = param_now(agent, name)
    assert now == (UNSET_SAMPLING | other if name == "sampling" else other)
    assert say(agent, "a bed").status == "success"


@EACH_AGENT_TYPE
def test_all_mutable_params_change_together(engine: Engine, node_type: str) -> None:
    agent = agent_with(engine, node_type)
    changes = {
        name: param.other
        for name, param in params_of(node_type).items()
        if not param.structural
    }
    if node_type == "ToolCall":
        del changes["grammar"]  # which tool_choice "required" needs

    agent.change_params("node", changes)

    for name, other in changes.items():
        expected = UNSET_SAMPLING | other if name == "sampling" else other
        assert param_now(agent, name) == expected


@EACH_AGENT_TYPE
def test_the_params_of_another_type_are_refused(engine: Engine, node_type: str) -> None:
    agent = agent_with(engine, node_type)
    before = agent.graph.to_json()
    other: NodeParams = CannedResponseParams(inline_strings=["x"])
    if node_type == "CannedResponse":
        other = ClassifyIntentParams(
            embedded_string_storage="lore", metadata_field="kind"
        )

    with raises_code(ErrorCode.InvalidParamValue) as caught:
        agent.change_params("node", other)

    assert node_type in caught.value.message
    assert agent.graph.to_json() == before


@EACH_TYPE
def test_localizable_strings_are_the_promised_ones(node_type: str) -> None:
    texts = {
        name: param.other
        for name, param in params_of(node_type).items()
        if "L" in param.flags
    }

    strings = graph_with(node_type, **texts).localizable_strings()

    assert strings == {f"node.{name}": text for name, text in texts.items()}


@EACH_TYPE
def test_the_dataclass_has_the_same_params(node_type: str) -> None:
    fields = PARAMS_OF_TYPE[node_type].__dataclass_fields__

    assert set(fields) == set(params_of(node_type))


# Exits ---------------------------------------------------------------------------

TAKEN: dict[tuple[str, str], tuple[dict[str, Any], str]] = {
    ("Generate", "default"): ({}, "Hi"),
    ("GenerateAndSpeak", "default"): ({}, "Hi"),
    ("Speak", "default"): ({}, "Hi"),
    ("ToolCall", "tool_called"): ({}, "Hi"),
    ("ToolCall", "no_tool_called"): ({"tools": [{"name": "stay"}]}, "Hi"),
    ("Instruction", "default"): ({}, "Hi"),
    ("Retrieve", "found"): ({"threshold": 0.9}, "a bed"),
    ("Retrieve", "not_found"): ({}, "Hi"),
    ("ClassifyIntent", "found"): ({"threshold": 0.9}, "a bed"),
    ("ClassifyIntent", "not_found"): ({}, "Hi"),
    ("ClassifyIntentLLM", "found"): ({"threshold": 0.0, "margin": 0.0}, "second"),
    ("ClassifyIntentLLM", "not_found"): ({}, "Hi"),
    ("IntentToInstruction", "default"): ({}, "Hi"),
    ("CannedResponse", "default"): ({}, "Hi"),
    ("HumanMessageGuardrail", "triggered"): ({}, "fix"),
    ("HumanMessageGuardrail", "not_triggered"): ({}, "Hi"),
    ("Summarize", "default"): ({}, "Hi"),
}


def test_every_exit_is_taken_by_a_case() -> None:
    assert set(TAKEN) == {
        (node["name"], exit["name"])
        for node in descriptors()["nodes"]
        if node["name"] in AGENT_TYPES
        for exit in node["exits"]
    }


@pytest.mark.parametrize("node_type", MEMORY_TYPES)
def test_memory_nodes_make_no_agent(engine: Engine, node_type: str) -> None:
    with raises_code(ErrorCode.GraphCompilationFailed) as caught:
        agent_with(engine, node_type)

    assert f"node 'node' of type {node_type}" in caught.value.message


@pytest.mark.parametrize(("node_type", "exit"), TAKEN)
def test_the_turn_goes_on_where_the_exit_leads(
    engine: Engine, node_type: str, exit: str
) -> None:
    changes, text = TAKEN[node_type, exit]
    others = {f"{each}_exit": "" for each in CATALOGUE[node_type].exits if each != exit}
    agent = agent_with(engine, node_type, **(changes | others))
    if text == "second":
        say(agent, "Hi")

    result = say(agent, text)

    assert exit_of(result, "node") == exit
    assert exit_of(result, "end") == "default"


@pytest.mark.parametrize(("node_type", "exit"), TAKEN)
def test_an_empty_exit_ends_the_turn(engine: Engine, node_type: str, exit: str) -> None:
    changes, text = TAKEN[node_type, exit]
    agent = agent_with(engine, node_type, **(changes | {f"{exit}_exit": ""}))
    if text == "second":
        say(agent, "Hi")

    result = finish(agent.start(text))

    assert result.debug_info is not None
    assert [node["name"] for node in result.debug_info["nodes"]] == ["node"]
    assert result.status == "success"


# Nodes together ------------------------------------------------------------------


@pytest.mark.parametrize("node_type", ["Generate", "GenerateAndSpeak", "ToolCall"])
def test_a_fold_that_comes_too_late_is_warned_of_once(node_type: str) -> None:
    graph = graph_with(node_type)  # of 4096 tokens
    graph.add_node("fold", SummarizeParams(trigger_tokens=4000))

    (problem,) = [each for each in graph.validate() if each.field == "trigger_tokens"]

    assert problem.is_warning
    assert "trims history before this node folds it" in problem.message
