from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from support import raises_code
from talefold import ErrorCode, TalefoldError, _core
from talefold._params import PARAMS_OF_TYPE
from talefold.graph import (
    ContextOverrides,
    GenerateParams,
    GraphDescription,
    LoraAdapter,
    ModelAdaptation,
    SamplingOverrides,
    SummarizeParams,
)


def two_nodes() -> GraphDescription:
    return (
        GraphDescription()
        .add_node(
            "generate",
            GenerateParams(
                system_prompt="You are Edric, an innkeeper.",
                context_size=4096,
                default_exit="summarize",
            ),
        )
        .add_node(
            "summarize",
            SummarizeParams(
                trigger_tokens=1024,
                keep_recent_turns=3,
                default_exit="",  # END
            ),
        )
        .set_start_node("generate")
    )


def one_node(**params: object) -> GraphDescription:
    return (
        GraphDescription()
        .add_node("generate", GenerateParams(**params))
        .set_start_node("generate")
    )


def test_the_example_has_no_problems() -> None:
    assert two_nodes().validate() == []


def test_json_leaves_out_defaults() -> None:
    file = json.loads(two_nodes().to_json())

    assert file["start_node"] == "generate"
    assert [node["name"] for node in file["nodes"]] == ["generate", "summarize"]
    assert file["nodes"][1]["params"] == {}


def test_every_kind_of_param_survives_json() -> None:
    graph = one_node(
        model_name="edric",
        template="{{user_message}}",
        placement="after_user_as_system",
        stream=True,
        sampling=SamplingOverrides(temperature=0.5, top_k=40, stop=["\n", "Player:"]),
        context=ContextOverrides(kv_type="q8_0", flash_attention=True),
        adaptation=ModelAdaptation(loras=[LoraAdapter(path="a.gguf", scale=0.5)]),
    )

    assert GraphDescription.from_json(graph.to_json()) == graph


def test_text_of_any_language_survives_json() -> None:
    graph = one_node(system_prompt='Tab\t, "quote", \\, Bär, 宿屋, 🐻')

    assert GraphDescription.from_json(graph.to_json()) == graph


def test_unfinished_graphs_can_be_saved() -> None:
    graph = GraphDescription().add_node("a", GenerateParams(default_exit="later"))

    assert GraphDescription.from_json(graph.to_json()) == graph


@pytest.mark.parametrize(
    ("node_type", "params", "missing"),
    [
        ("Retrieve", {"top_k": 3}, ["embedded_string_storage"]),
        ("ClassifyIntent", {}, ["embedded_string_storage", "metadata_field"]),
        ("Generate", {"adaptation": {"loras": [{}]}}, ["adaptation.loras[0].path"]),
        ("ToolCall", {"tools": [{"parameters": [{}]}]},
         ["tools[0].parameters[0].name", "tools[0].name"]),
        ("ClassifyIntentLLM", {"intents": [{}]}, ["intents[0].id"]),
    ],
)  # fmt: skip
def test_what_has_no_default_must_be_in_a_file(
    node_type: str, params: dict[str, object], missing: list[str]
) -> None:
    node = {"name": "a", "type": node_type, "params": params}
    file = {"format": "talefold-graph", "version": 1, "start_node": "a"}

    with raises_code(ErrorCode.InvalidParamValue) as caught:
        GraphDescription.from_json(json.dumps({**file, "nodes": [node]}))

    for field in missing:
        assert f"node 'a', field '{field}': is missing" in caught.value.message


@pytest.mark.parametrize(
    ("node_type", "params"),
    [
        ("CannedResponse", {"inline_strings": ["Aye.", 2]}),
        ("CannedResponse", {"inline_strings": "Aye."}),
        ("HumanMessageGuardrail", {"inline_strings": [None]}),
        ("IntentToInstruction", {"inline_keys": ["a", 1], "inline_values": ["b", "c"]}),
        ("ClassifyIntentLLM", {"intents": [1]}),
    ],
)
def test_what_cannot_be_read_is_reported_once(
    node_type: str, params: dict[str, object]
) -> None:
    node = {"name": "a", "type": node_type, "params": params}
    file = {"format": "talefold-graph", "version": 1, "start_node": "a"}

    (problem,) = _core.validate_graph_json(json.dumps({**file, "nodes": [node]}))

    assert "expected" in problem.message


def test_params_may_be_left_out_of_a_file_where_all_have_defaults() -> None:
    file = {"format": "talefold-graph", "version": 1, "start_node": "a"}
    nodes = [{"name": name, "type": name} for name in PARAMS_OF_TYPE]

    problems = _core.validate_graph_json(json.dumps({**file, "nodes": nodes}))

    needed = {problem.node for problem in problems if "is missing" in problem.message}
    assert needed == {"Retrieve", "ClassifyIntent"}


def test_the_graph_keeps_a_copy_of_params() -> None:
    params = GenerateParams(system_prompt="before")
    graph = GraphDescription().add_node("a", params)

    params.system_prompt = "after"

    assert graph.nodes["a"] == GenerateParams(system_prompt="before")


def test_params_can_be_changed_in_place() -> None:
    graph = one_node()

    params = graph.nodes["generate"]
    assert isinstance(params, GenerateParams)
    params.stream = True

    assert json.loads(graph.to_json())["nodes"][0]["params"] == {"stream": True}


def test_graphs_differ_by_the_order_of_their_nodes() -> None:
    first, second = GenerateParams(), SummarizeParams()
    graph = GraphDescription().add_node("a", first).add_node("b", second)

    assert graph != GraphDescription().add_node("b", second).add_node("a", first)


@pytest.mark.parametrize("name", ["", "generate"], ids=["empty", "used"])
def test_bad_node_names_are_refused_and_change_nothing(name: str) -> None:
    graph = one_node()

    with pytest.raises(TalefoldError) as caught:
        graph.add_node(name, GenerateParams())

    assert caught.value.code is ErrorCode.GraphCompilationFailed
    assert graph == one_node()


def test_params_of_no_node_type_are_a_type_error() -> None:
    with pytest.raises(
        TypeError, match="one of GenerateParams, GenerateAndSpeakParams, "
    ):
        GraphDescription().add_node("a", SamplingOverrides())  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("params", "field"),
    [
        ({"context_size": -1}, "context_size"),
        ({"context_size": 2**40}, "context_size"),
        ({"context_size": 10**30}, "context_size"),
        ({"context_size": "4096"}, "context_size"),
        ({"context_size": None}, "context_size"),
        ({"stream": 1}, "stream"),
        ({"placement": "nowhere"}, "placement"),
        ({"sampling": SamplingOverrides(top_p=1.5)}, "sampling.top_p"),
        ({"sampling": SamplingOverrides(top_p=math.nan)}, "sampling.top_p"),
        ({"sampling": {"top_q": 1}}, "sampling.top_q"),
        (
            {"adaptation": ModelAdaptation(loras=[LoraAdapter(path="")])},
            "adaptation.loras[0].path",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_bad_values_are_named(params: dict[str, object], field: str) -> None:
    (problem,) = one_node(**params).validate()

    assert (problem.node, problem.field) == ("generate", field)
    assert problem.code is ErrorCode.InvalidParamValue
    assert not problem.is_warning


def test_all_problems_are_listed() -> None:
    graph = one_node(context_size=-1, default_exit="nowhere").set_start_node("generte")

    codes = {problem.code for problem in graph.validate()}

    assert ErrorCode.InvalidParamValue in codes


def test_an_exit_to_nowhere_is_a_problem() -> None:
    (problem,) = one_node(default_exit="nowhere").validate()

    assert problem.code is ErrorCode.InvalidExitTarget
    assert "nowhere" in problem.message


def test_an_unreachable_node_is_a_warning() -> None:
    (problem,) = one_node().add_node("island", SummarizeParams()).validate()

    assert problem.is_warning
    assert problem.node == "island"


def test_bad_json_is_refused() -> None:
    with pytest.raises(TalefoldError) as caught:
        GraphDescription.from_json("{")

    assert caught.value.code is ErrorCode.GraphCompilationFailed


def test_files_hold_what_json_says(tmp_path: Path) -> None:
    path = tmp_path / "innkeeper.json"

    two_nodes().save(path)

    assert path.read_text(encoding="utf-8") == two_nodes().to_json()
    assert GraphDescription.load(path) == two_nodes()
    assert list(tmp_path.iterdir()) == [path]


def test_a_failed_save_leaves_the_file(tmp_path: Path) -> None:
    path = tmp_path / "innkeeper.json"
    two_nodes().save(path)

    with pytest.raises(TalefoldError):
        one_node(context_size=-1).save(str(path))

    assert GraphDescription.load(path) == two_nodes()
    assert list(tmp_path.iterdir()) == [path]


def test_a_byte_order_mark_is_ignored(tmp_path: Path) -> None:
    path = tmp_path / "innkeeper.json"
    path.write_text(two_nodes().to_json(), encoding="utf-8-sig")

    assert GraphDescription.load(path) == two_nodes()


def test_files_of_another_encoding_are_invalid_utf8(tmp_path: Path) -> None:
    path = tmp_path / "innkeeper.json"
    path.write_bytes(b'{"format": "\xff"}')

    with pytest.raises(TalefoldError) as caught:
        GraphDescription.load(path)

    assert caught.value.code is ErrorCode.InvalidUtf8


def test_a_missing_file_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        GraphDescription.load(tmp_path / "nothing.json")


def test_localizable_strings_are_the_texts_in_use() -> None:
    assert two_nodes().localizable_strings() == {
        "generate.system_prompt": "You are Edric, an innkeeper."
    }


def test_applied_strings_replace_texts() -> None:
    graph = two_nodes()

    graph.apply_strings({"generate.system_prompt": "Du bist Edric, ein Wirt."})

    assert graph.localizable_strings() == {
        "generate.system_prompt": "Du bist Edric, ein Wirt."
    }


def test_an_unknown_string_key_changes_nothing() -> None:
    graph = two_nodes()

    with pytest.raises(TalefoldError) as caught:
        graph.apply_strings({"generate.system_prompt": "x", "generate.nothing": "y"})

    assert caught.value.code is ErrorCode.InvalidParamValue
    assert graph == two_nodes()


def test_repr_names_the_nodes() -> None:
    assert repr(two_nodes()) == (
        "<GraphDescription start_node='generate' "
        "nodes={generate: Generate, summarize: Summarize}>"
    )
