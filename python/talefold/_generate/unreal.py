"""How names, types and comments of the core read in the Unreal plugin."""

from __future__ import annotations

import json
import re
import textwrap
from typing import Any

from talefold._generate.wording import sentence

HEADER = (
    "// Generated from the core's descriptor tables by "
    "`python -m talefold._generate`; do not edit.\n"
)

_WIDTH = 100
_INT32 = range(-(2**31), 2**31)
_CPP_TYPES = {
    "bool": "bool",
    "float": "double",
    "string": "FString",
    "string_list": "TArray<FString>",
}


def pascal(name: str) -> str:
    """`max_summary_tokens` -> `MaxSummaryTokens`."""
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def enumerator(name: str) -> str:
    """As `pascal`, but digits stay apart: `q8_0` -> `Q8_0`."""
    return re.sub(r"(?:^|_)([a-z])", lambda match: match[1].upper(), name)


def struct_name(name: str) -> str:
    """`GenerateParams` -> `FTalefoldGenerateParams`."""
    return f"FTalefold{name}"


def enum_name(name: str) -> str:
    """`Placement` -> `ETalefoldPlacement`."""
    return f"ETalefold{name}"


def member_name(field: dict[str, Any]) -> str:
    """`stream`, a bool -> `bStream`."""
    prefix = "b" if field["type"] == "bool" else ""
    return prefix + pascal(field["name"])


def override_name(field: dict[str, Any]) -> str:
    """The switch of a value that may be unset."""
    return "bOverride" + pascal(field["name"])


def member_type(field: dict[str, Any]) -> str:
    """The type in a USTRUCT. Floats are doubles, so that no value changes."""
    kind = field["type"]
    if kind == "enum":
        return enum_name(field["enum"])
    if kind == "object":
        return struct_name(field["struct"])
    if kind == "object_list":
        return f"TArray<{struct_name(field['struct'])}>"
    if kind == "int":
        limits = (field["min"], field["max"], field["default"])
        return "int32" if all((each or 0) in _INT32 for each in limits) else "int64"
    return _CPP_TYPES[kind]


def member_default(field: dict[str, Any]) -> str:
    """What stands behind the name, with its `=`; empty where the type has one."""
    kind, value = field["type"], field["default"]
    if kind == "string":
        return f" = TEXT({_quoted(value)})" if value else ""
    if kind in {"string_list", "object", "object_list"}:
        assert not value or kind == "object", "a list with items has no literal here"
        return ""
    if kind == "enum":
        chosen = field["choices"][0] if value is None else value
        return f" = {enum_name(field['enum'])}::{enumerator(chosen)}"
    if kind == "bool":
        return " = true" if value else " = false"
    if kind == "float":
        return f" = {float(value or 0.0)!r}"
    return f" = {value or 0}"


def _quoted(text: str) -> str:
    """Of JSON: its escapes are those of C++ but for letters, which stay as they are."""
    return json.dumps(text, ensure_ascii=False)


def comment(text: str, indent: str = "\t") -> list[str]:
    """The lines of a tooltip."""
    width = _WIDTH - 4 * len(indent)
    text = sentence(text)
    if len(text) + 7 <= width:
        return [f"{indent}/** {text} */"]
    lines = textwrap.wrap(text, width - 3, break_long_words=False)
    return [f"{indent}/**", *(f"{indent} * {line}" for line in lines), f"{indent} */"]
