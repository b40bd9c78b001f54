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

__all__ = ["descriptors", "generated_files"]


def descriptors() -> dict[str, Any]:
    """The descriptor tables of the installed core."""
    document: dict[str, Any] = json.loads(_core.descriptors_json())
    return document


def _schema_text(document: dict[str, Any]) -> str:
    return json.dumps(graph_schema(document), indent=2, ensure_ascii=False) + "\n"


_WRITERS: dict[str, Callable[[dict[str, Any]], str]] = {
    "python/talefold/_error_codes.py": error_codes_module,
    "python/talefold/_params.py": params_module,
    "docs/reference/errors.md": errors_page,
    "docs/reference/graph.schema.json": _schema_text,
    "docs/reference/nodes.md": nodes_page,
}


def generated_files() -> dict[str, str]:
    """Text of each generated file, by its path in the repository."""
    document = descriptors()
    return {path: write(document) for path, write in _WRITERS.items()}
