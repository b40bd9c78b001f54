from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from talefold import GenerateParams, GraphDescription, SummarizeParams, _core
from talefold._generate import descriptors, generated_files
from talefold._generate.__main__ import main
from talefold._generate.schema import graph_schema
from talefold._generate.wording import is_required
from talefold._params import PARAMS_OF_TYPE

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("path", sorted(generated_files()))
def test_generated_files_are_current(path: str) -> None:
    assert (ROOT / path).read_text(encoding="utf-8") == generated_files()[path], (
        "run `python -m talefold._generate` in the root of the repository"
    )


def test_check_names_stale_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "pyproject.toml").touch()
    assert main(["--root", str(tmp_path)]) == 0
    assert main(["--root", str(tmp_path), "--check"]) == 0
    (tmp_path / "docs/reference/nodes.md").write_text("old")
    capsys.readouterr()

    assert main(["--root", str(tmp_path), "--check"]) == 1

    assert capsys.readouterr().err.startswith("docs/reference/nodes.md is not current")


@pytest.mark.parametrize("node", descriptors()["nodes"], ids=lambda node: node["name"])
def test_params_default_to_the_values_of_the_core(node: dict[str, Any]) -> None:
    fields = node["params"]["fields"]
    given = {field["name"]: "x" for field in fields if is_required(field)}
    defaults = {field["name"]: field["default"] for field in fields}

    params = PARAMS_OF_TYPE[node["name"]](**given)
    assert dataclasses.asdict(params) == defaults | given


GENERATE: dict[str, Any] = {"name": "a", "type": "Generate"}


def with_params(node_type: str, **params: object) -> dict[str, Any]:
    return {"nodes": [{"name": "a", "type": node_type, "params": params}]}


ACCEPTED: dict[str, dict[str, Any]] = {
    "least": {},
    "empty_params": with_params("Generate"),
    "bounds": with_params("Summarize", keep_recent_turns=512, max_summary_tokens=16),
    "null_is_unset": with_params("Generate", sampling={"top_p": None}, context=None),
    "integer_for_float": with_params("Generate", sampling={"temperature": 1}),
    "choice": with_params("Generate", context={"kv_type": "q8_0"}),
    "list": with_params("Generate", sampling={"stop": ["\n"]}),
    "adapter": with_params("Generate", adaptation={"loras": [{"path": "a.gguf"}]}),
    "two_nodes": {
        "nodes": [
            {"name": "a", "type": "Generate", "params": {"default_exit": "b"}},
            {"name": "b", "type": "Summarize"},
        ]
    },
}
REFUSED: dict[str, dict[str, Any]] = {
    "format": {"format": "other"},
    "version": {"version": 2},
    "unknown_key": {"title": "Inn"},
    "no_nodes": {"nodes": []},
    "no_start": {"start_node": ""},
    "node_type": {"nodes": [{"name": "a", "type": "Generte"}]},
    "no_type": {"nodes": [{"name": "a"}]},
    "no_name": {"nodes": [{"type": "Generate"}]},
    "dot_in_name": {"nodes": [{"name": "a.b", "type": "Generate"}]},
    "node_key": {"nodes": [{**GENERATE, "parms": {}}]},
    "unknown_param": with_params("Generate", trigger_turns=1),
    "below": with_params("Summarize", max_summary_tokens=15),
    "above": with_params("Summarize", keep_recent_turns=513),
    "nested_above": with_params("Generate", sampling={"top_p": 1.5}),
    "type": with_params("Generate", context_size="4096"),
    "fraction": with_params("Generate", context_size=0.5),
    "null": with_params("Generate", context_size=None),
    "choice": with_params("Generate", placement="nowhere"),
    "empty_in_list": with_params("Generate", sampling={"stop": [""]}),
    "adapter_without_path": with_params("Generate", adaptation={"loras": [{}]}),
}


def file_with(changes: dict[str, Any]) -> dict[str, Any]:
    file = {"format": "talefold-graph", "version": 1, "start_node": "a"}
    return {**file, "nodes": [GENERATE], **changes}


def schema_accepts(file: dict[str, Any]) -> bool:
    schema = graph_schema(descriptors())
    validator = jsonschema.Draft202012Validator(schema)
    validator.check_schema(schema)
    return bool(validator.is_valid(file))


@pytest.mark.parametrize("changes", ACCEPTED.values(), ids=ACCEPTED)
def test_schema_and_validate_accept(changes: dict[str, Any]) -> None:
    file = file_with(changes)

    assert _core.validate_graph_json(json.dumps(file)) == []
    assert schema_accepts(file)


@pytest.mark.parametrize("changes", REFUSED.values(), ids=REFUSED)
def test_schema_and_validate_refuse(changes: dict[str, Any]) -> None:
    file = file_with(changes)

    assert [p for p in _core.validate_graph_json(json.dumps(file)) if not p.is_warning]
    assert not schema_accepts(file)


def test_the_schema_accepts_what_graphs_write() -> None:
    graph = (
        GraphDescription()
        .add_node("a", GenerateParams(system_prompt="Edric", default_exit="b"))
        .add_node("b", SummarizeParams(trigger_turns=9))
        .set_start_node("a")
    )

    assert schema_accepts(json.loads(graph.to_json()))
