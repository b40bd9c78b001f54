"""Graph files, read and written by the Unreal plugin."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from talefold import GraphDescription, TalefoldError
from talefold._generate import descriptors

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="the stand-in is for Linux"),
    pytest.mark.timeout(3600),
]

ROOT = Path(__file__).parents[2]
TABLES = descriptors()
NODES: list[dict[str, Any]] = TABLES["nodes"]
STRUCTS = {struct["name"]: struct for struct in TABLES["structs"]}


@pytest.fixture(scope="module")
def plugin(unreal_build: Path) -> Iterator[Plugin]:
    with subprocess.Popen(
        [unreal_build / "unreal_graphs"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    ) as process:
        yield Plugin(process)
    assert process.returncode == 0


class Plugin:
    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def read(self, text: str) -> dict[str, Any]:
        """{"value": what it writes}, or {"error": message, "code": number}."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([text]) + "\n")
        self._process.stdin.flush()
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer

    def written(self, text: str) -> str:
        answer = self.read(text)
        assert "value" in answer, answer
        return str(answer["value"])


def graphs_in(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        if value.get("format") == "talefold-graph":
            yield value
        for each in value.values():
            yield from graphs_in(each)
    if isinstance(value, list):
        for each in value:
            yield from graphs_in(each)


def graph_files() -> Iterator[Any]:
    for pattern in ("docs/examples/*/graph.json", "tests/golden/scenarios/*.json"):
        for path in sorted(ROOT.glob(pattern)):
            name = path.parent.name if path.stem == "graph" else path.stem
            document = json.loads(path.read_text(encoding="utf-8"))
            for number, graph in enumerate(graphs_in(document)):
                yield pytest.param(json.dumps(graph), id=f"{name}-{number}")


def read_by_core(text: str) -> str | None:
    """With all defaults; None where the core refuses it."""
    try:
        return GraphDescription.from_json(text).to_json()
    except TalefoldError:
        return None


GRAPHS = list(graph_files())


def test_there_are_graph_files() -> None:
    assert sum(read_by_core(each.values[0]) is not None for each in GRAPHS) > 30


@pytest.mark.parametrize("text", GRAPHS)
def test_a_graph_file_means_the_same_after_reading_and_writing(
    plugin: Plugin, text: str
) -> None:
    meant = read_by_core(text)
    answer = plugin.read(text)
    if "error" in answer:
        assert meant is None, answer
        return
    written = answer["value"]
    assert read_by_core(written) == meant
    assert plugin.written(written) == written


def file_of(*nodes: Any, **changes: Any) -> str:
    file = {"format": "talefold-graph", "version": 1, "start_node": "a"}
    return json.dumps({**file, "nodes": list(nodes), **changes})


def with_params(**params: Any) -> str:
    return file_of({"name": "a", "type": "Generate", "params": params})


def other_value(field: dict[str, Any]) -> Any:
    """One that is not the default."""
    kind, default = field["type"], field["default"]
    if kind in {"object", "object_list"}:
        struct = STRUCTS[field["struct"]]
        inner = {each["name"]: other_value(each) for each in struct["fields"]}
        return inner if kind == "object" else [inner, inner]
    if kind == "enum":
        return next(each for each in reversed(field["choices"]) if each != default)
    return {
        "bool": not default,
        "int": field["max"] or (default or 0) + 7,
        "float": (default or 0) / 7 + 0.1,
        "string": f'{field["name"]} \\"\t\n\u00e9\u2028\U0001f98a',
        "string_list": ["", "A", "a"],
    }[kind]


@pytest.mark.parametrize("node", NODES, ids=lambda node: node["name"])
def test_every_param_is_kept(plugin: Plugin, node: dict[str, Any]) -> None:
    params = {each["name"]: other_value(each) for each in node["params"]["fields"]}
    file = file_of({"name": "a", "type": node["name"], "params": params})

    written = plugin.written(file)

    assert json.dumps(json.loads(written)) == file  # in the same order, too


@pytest.mark.parametrize("node", NODES, ids=lambda node: node["name"])
def test_defaults_are_left_out(plugin: Plugin, node: dict[str, Any]) -> None:
    params = {each["name"]: each["default"] for each in node["params"]["fields"]}
    file = file_of({"name": "a", "type": node["name"], "params": params})

    written = json.loads(plugin.written(file))

    assert written["nodes"] == [{"name": "a", "type": node["name"], "params": {}}]


ACCEPTED = {
    "no_params": file_of({"name": "a", "type": "Generate"}),
    "unset": with_params(sampling={"top_p": None}, context=None, adaptation=None),
    "alike_but_for_case": file_of(
        {"name": "a", "type": "Generate", "params": {"default_exit": "A"}},
        {"name": "A", "type": "Generate"},
    ),
    "largest_seed": with_params(sampling={"seed": 2**32 - 1}),
    "no_stop_at_all": with_params(sampling={"stop": []}),
}


@pytest.mark.parametrize("text", ACCEPTED.values(), ids=ACCEPTED)
def test_what_the_core_reads_is_read(plugin: Plugin, text: str) -> None:
    assert read_by_core(text) is not None
    assert read_by_core(plugin.written(text)) == read_by_core(text)


GENERATE = {"name": "a", "type": "Generate"}
REFUSED = {
    "no_json": ("nodes:", "not a graph file"),
    "no_object": ("[]", "not a graph file"),
    "format": (file_of(GENERATE, format="Talefold-Graph"), "not a graph file"),
    "version": (file_of(GENERATE, version=2), "version must be 1"),
    "version_text": (file_of(GENERATE, version="1"), "version must be 1"),
    "start_number": (file_of(GENERATE, start_node=5), "start_node must be a text"),
    "nodes": (file_of(nodes={}), "nodes a list"),
    "top_key": (file_of(GENERATE, title="x"), "unknown key 'title'; allowed: format,"),
    "node": (file_of(None), "each of nodes must be an object"),
    "no_name": (file_of(GENERATE, {"type": "Generate"}), "nodes[1] needs a name"),
    "empty_name": (file_of({**GENERATE, "name": ""}), "nodes[0] needs a name"),
    "number_as_name": (file_of({**GENERATE, "name": 5}), "nodes[0] needs a name"),
    "same_name": (file_of(GENERATE, GENERATE), "another node is named 'a'"),
    "no_type": (file_of({"name": "a"}), "nodes[0] needs a name"),
    "type": (
        file_of({**GENERATE, "type": "generate"}),
        "node 'a': unknown type 'generate'; allowed: Generate, GenerateAndSpeak,",
    ),
    "node_key": (
        file_of({**GENERATE, "parms": {}}),
        "node 'a': unknown key 'parms'; allowed: name, type, params",
    ),
    "node_key_case": (
        file_of({**GENERATE, "Params": {}}),
        "node 'a': unknown key 'Params'; allowed: name, type, params",
    ),
    "params": (
        file_of({**GENERATE, "params": []}),
        "node 'a': params must be an object",
    ),
    "field": (
        with_params(sytem=1),
        "node 'a': unknown field 'sytem'; allowed: model_name, context_size,",
    ),
    "field_case": (
        with_params(Context_Size=4096),
        "node 'a': unknown field 'Context_Size'; allowed: model_name, context_size,",
    ),
    "inner_field_case": (
        with_params(sampling={"Top_P": 0.5}),
        "node 'a': field 'sampling': unknown field 'Top_P'; allowed: temperature,",
    ),
    "bool": (with_params(stream=1), "field 'stream': true or false expected"),
    "number": (with_params(context_size=True), "'context_size': a number expected"),
    "fraction": (with_params(context_size=1.5), "'context_size': a whole number"),
    "too_large": (with_params(context_size=2**31), "'context_size': a whole number"),
    "not_exact": (with_params(sampling={"seed": 2**53}), "'seed': a whole number"),
    "text": (with_params(system_prompt=5), "'system_prompt': a text expected"),
    "null": (with_params(system_prompt=None), "'system_prompt': a text expected"),
    "object": (with_params(sampling=5), "field 'sampling': an object expected"),
    "list": (with_params(sampling={"stop": "x"}), "field 'stop': a list expected"),
    "item": (with_params(sampling={"stop": ["x", 1]}), "'stop[1]': a text expected"),
    "item_field": (
        with_params(adaptation={"loras": [{"path": "x"}, {"path": 1}]}),
        "field 'adaptation': field 'loras[1]': field 'path': a text expected",
    ),
    "null_item": (
        with_params(adaptation={"loras": [None]}),
        "field 'loras[0]': an object expected",
    ),
    "choice": (
        with_params(placement="In_Place_Of_User"),
        "'placement': 'In_Place_Of_User' is none of in_place_of_user, before_user_as",
    ),
    "choice_type": (with_params(placement=1), "field 'placement': a text expected"),
}


@pytest.mark.parametrize(("text", "why"), REFUSED.values(), ids=REFUSED)
def test_what_does_not_fit_is_refused(plugin: Plugin, text: str, why: str) -> None:
    """The program checks that what was read before stays."""
    plugin.written(with_params(context_size=4096))

    answer = plugin.read(text)

    assert "error" in answer, answer
    assert why in answer["error"]
    assert answer["code"] in {3003, 3007}
    assert read_by_core(text) is None
