"""Writes the files that are made from the core's descriptor tables.

Run `python -m talefold._generate` in the root of the repository.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from talefold import _core
from talefold._generate.error_codes import error_codes_module, errors_page
from talefold._generate.params import params_module
from talefold._generate.reference import nodes_page
from talefold._generate.schema import graph_schema
from talefold._generate.unreal_errors import error_code_header, error_code_names
from talefold._generate.unreal_graph import (
    graph_adders,
    graph_description_header,
    node_types_header,
    param_fields_header,
)
from talefold._generate.unreal_params import node_params_header

__all__ = ["descriptors", "generated_files"]


def descriptors() -> dict[str, Any]:
    """The descriptor tables of the installed core."""
    document: dict[str, Any] = json.loads(_core.descriptors_json())
    return document


def _schema_text(document: dict[str, Any]) -> str:
    return json.dumps(graph_schema(document), indent=2, ensure_ascii=False) + "\n"


_PLUGIN = "unreal_plugin/Talefold/Source/Talefold"

_WRITERS: dict[str, Callable[[dict[str, Any]], str]] = {
    "python/talefold/_error_codes.py": error_codes_module,
    "python/talefold/_params.py": params_module,
    "docs/reference/errors.md": errors_page,
    "docs/reference/graph.schema.json": _schema_text,
    "docs/reference/nodes.md": nodes_page,
    f"{_PLUGIN}/Private/Generated/TalefoldErrorCode.cpp": error_code_names,
    f"{_PLUGIN}/Private/Generated/TalefoldGraphAdders.cpp": graph_adders,
    f"{_PLUGIN}/Private/Generated/TalefoldNodeTypes.h": node_types_header,
    f"{_PLUGIN}/Private/Generated/TalefoldParamFields.h": param_fields_header,
    f"{_PLUGIN}/Public/Generated/TalefoldErrorCode.h": error_code_header,
    f"{_PLUGIN}/Public/Generated/TalefoldGraphDescription.h": graph_description_header,
    f"{_PLUGIN}/Public/Generated/TalefoldNodeParams.h": node_params_header,
}


def generated_files() -> dict[str, str]:
    """Text of each generated file, by its path in the repository."""
    document = descriptors()
    return {path: write(document) for path, write in _WRITERS.items()}
