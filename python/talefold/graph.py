"""Graphs: a character's behaviour as nodes, their params and where each exit leads."""

from __future__ import annotations

import copy
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, is_dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from talefold import _core
from talefold._files import write_text_atomically
from talefold._json import to_json
from talefold._params import (
    PARAMS_OF_TYPE,
    ArchiveParams,
    CannedResponseParams,
    ClassifyIntentLLMParams,
    ClassifyIntentParams,
    ContextOverrides,
    GenerateAndSpeakParams,
    GenerateParams,
    HistoryParams,
    HumanMessageGuardrailParams,
    InstructionParams,
    IntentDescription,
    IntentToInstructionParams,
    KvType,
    LayeredHistoryParams,
    LoraAdapter,
    ModelAdaptation,
    NodeParams,
    OversizedTurn,
    Placement,
    PromptCaching,
    RetrieveParams,
    SamplingOverrides,
    SceneFormat,
    SelectionStrategy,
    SpeakParams,
    SummarizeParams,
    SummaryMethod,
    ToolCallFormat,
    ToolCallParams,
    ToolChoice,
    ToolDescription,
    ToolParameter,
    ToolParameterType,
)
from talefold.errors import ErrorCode, TalefoldError

__all__ = [
    "ArchiveParams",
    "CannedResponseParams",
    "ClassifyIntentLLMParams",
    "ClassifyIntentParams",
    "ContextOverrides",
    "GenerateAndSpeakParams",
    "GenerateParams",
    "GraphDescription",
    "GraphProblem",
    "HistoryParams",
    "HumanMessageGuardrailParams",
    "InstructionParams",
    "IntentDescription",
    "IntentToInstructionParams",
    "KvType",
    "LayeredHistoryParams",
    "LoraAdapter",
    "ModelAdaptation",
    "NodeParams",
    "OversizedTurn",
    "Placement",
    "PromptCaching",
    "RetrieveParams",
    "SamplingOverrides",
    "SceneFormat",
    "SelectionStrategy",
    "SpeakParams",
    "SummarizeParams",
    "SummaryMethod",
    "ToolCallFormat",
    "ToolCallParams",
    "ToolChoice",
    "ToolDescription",
    "ToolParameter",
    "ToolParameterType",
]

_Struct = TypeVar("_Struct")

_FORMAT = "talefold-graph"
_VERSION = 1
_TYPE_OF_PARAMS = {params: name for name, params in PARAMS_OF_TYPE.items()}


@dataclass(frozen=True, kw_only=True)
class GraphProblem:
    """Something wrong in a graph.

    Attributes:
        code: What kind of problem.
        is_warning: The graph works all the same.
        node: The node, or empty.
        field: A path such as "sampling.top_p", or empty.
        message: What is wrong and what is allowed.
        hint: What to do about it; may be empty.
    """

    code: ErrorCode
    is_warning: bool
    node: str
    field: str
    message: str
    hint: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "code", ErrorCode(self.code))


class GraphDescription:
    """A graph under construction; an agent keeps its own copy.

    Params are checked by `validate` and when an agent is created, not while the graph
    is built. Not for use from several threads at once.
    """

    def __init__(self) -> None:
        self._nodes: dict[str, NodeParams] = {}
        self._start_node = ""

    def add_node(self, name: str, params: NodeParams) -> GraphDescription:
        """Adds a node with a copy of `params` and returns the graph.

        Raises:
            TalefoldError: GraphCompilationFailed for an empty or used name; the graph
                is unchanged.
        """
        if type(params) not in _TYPE_OF_PARAMS:
            allowed = ", ".join(each.__name__ for each in _TYPE_OF_PARAMS)
            raise TypeError(f"params of {name!r} must be one of {allowed}")
        if not name:
            raise TalefoldError(
                ErrorCode.GraphCompilationFailed, "a node's name must not be empty"
            )
        if name in self._nodes:
            raise TalefoldError(
                ErrorCode.GraphCompilationFailed,
                f"node '{name}': the graph has a node of this name already",
                "give each node a name of its own",
            )
        self._nodes[name] = copy.deepcopy(params)
        return self

    def set_start_node(self, name: str) -> GraphDescription:
        """Sets the node a turn begins with and returns the graph."""
        self._start_node = name
        return self

    @property
    def nodes(self) -> Mapping[str, NodeParams]:
        """Params by node name, in the order of adding; change the params in place."""
        return MappingProxyType(self._nodes)

    @property
    def start_node(self) -> str:
        """The node a turn begins with; empty while unset."""
        return self._start_node

    def validate(self) -> list[GraphProblem]:
        """All problems that show without models: errors first, then warnings."""
        return _core.validate_graph_json(self._draft())

    def to_json(self) -> str:
        """The graph as the text of a graph file; params at their default are left out.

        Raises:
            TalefoldError: A param has a value that a file cannot hold.
        """
        return self._compiled().to_json()

    @classmethod
    def from_json(cls, text: str) -> GraphDescription:
        """The graph in the text of a graph file.

        Raises:
            TalefoldError: The text is not a graph; the message lists every problem.
        """
        return cls._from_core(_core.GraphDescription.from_json(text))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a graph file. A failure leaves an existing file as it was."""
        write_text_atomically(path, self.to_json())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> GraphDescription:
        """Reads a graph file.

        Raises:
            OSError: The file cannot be read.
            TalefoldError: It is not a graph; the message lists every problem.
        """
        return cls.from_json(read_graph_file(path))

    def localizable_strings(self) -> dict[str, str]:
        """Every non-empty text for the player's language, by "node.field"."""
        return self._compiled().localizable_strings()

    def apply_strings(self, strings: Mapping[str, str]) -> None:
        """Replaces texts by their key.

        Raises:
            TalefoldError: InvalidParamValue for an unknown key; nothing is changed.
        """
        compiled = self._compiled()
        compiled.apply_strings(list(strings.items()))
        self._nodes = self._from_core(compiled)._nodes

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GraphDescription):
            return NotImplemented
        return (
            list(self._nodes.items()) == list(other._nodes.items())
            and self._start_node == other._start_node
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        nodes = ", ".join(
            f"{name}: {_TYPE_OF_PARAMS[type(params)]}"
            for name, params in self._nodes.items()
        )
        return f"<GraphDescription start_node={self._start_node!r} nodes={{{nodes}}}>"

    def _draft(self) -> str:
        """A graph file with every param, right or wrong."""
        nodes = [
            {"name": name, "type": _TYPE_OF_PARAMS[type(params)], "params": params}
            for name, params in self._nodes.items()
        ]
        return to_json(
            {
                "format": _FORMAT,
                "version": _VERSION,
                "start_node": self._start_node,
                "nodes": nodes,
            }
        )

    def _compiled(self) -> _core.GraphDescription:
        return _core.GraphDescription.from_json(self._draft())

    @classmethod
    def _from_core(cls, compiled: _core.GraphDescription) -> GraphDescription:
        file = json.loads(compiled.to_json())
        graph = cls()
        graph._start_node = file["start_node"]
        for node in file["nodes"]:
            params = _from_fields(PARAMS_OF_TYPE[node["type"]], node["params"])
            graph._nodes[node["name"]] = params
        return graph


def type_of_params(params: NodeParams) -> str:
    """The name of the node type that `params` belong to."""
    return _TYPE_OF_PARAMS[type(params)]


def read_graph_file(path: str | os.PathLike[str]) -> str:
    """The text of a graph file, whose content is not looked at."""
    data = Path(path).read_bytes()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise TalefoldError(
            ErrorCode.InvalidUtf8,
            f"graph file: not UTF-8 at byte {error.start}",
            "save the file as UTF-8",
        ) from None


def _from_fields(struct: type[_Struct], values: Mapping[str, Any]) -> _Struct:
    hints = get_type_hints(struct)
    return struct(**{name: _value(hints[name], item) for name, item in values.items()})


def _value(hint: Any, item: Any) -> Any:
    if isinstance(hint, type) and is_dataclass(hint):
        return _from_fields(hint, item)
    if get_origin(hint) is list and is_dataclass(get_args(hint)[0]):
        return [_value(get_args(hint)[0], each) for each in item]
    return item
