"""The dataclasses of params: python/talefold/_params.py."""

from __future__ import annotations

import json
import textwrap
from typing import Any

from talefold._generate.wording import is_required, range_text, sentence

_WIDTH = 88

_HEADER = '''\
"""Params of nodes, and the structs they contain.

Generated from the core's descriptor tables by `python -m talefold._generate`; do not
edit. A field that is None is unset. Values are checked when a graph is validated, when
an agent is created from it, and by `Agent.change_params`. "Fixed" fields cannot change
once the agent exists; "localizable" ones are part of
`GraphDescription.localizable_strings`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias
'''

_PLAIN_TYPES = {
    "bool": "bool",
    "int": "int",
    "float": "float",
    "string": "str",
    "string_list": "list[str]",
}


def params_module(document: dict[str, Any]) -> str:
    """The text of the module."""
    structs = document["structs"] + [node["params"] for node in document["nodes"]]
    summaries = {node["params"]["name"]: node["summary"] for node in document["nodes"]}
    parts = [_HEADER, _exports(document)]
    parts += [_enum(enum) for enum in document["enums"]]
    parts += [_struct(each, summaries.get(each["name"])) for each in structs]
    parts.append(_node_types(document))
    return "\n".join(parts)


def _exports(document: dict[str, Any]) -> str:
    names = [each["name"] for key in ("structs", "enums") for each in document[key]]
    names += [node["params"]["name"] for node in document["nodes"]]
    names += ["NodeParams", "PARAMS_OF_TYPE"]
    names.sort(key=lambda name: (not name.isupper(), name))
    lines = [f'    "{name}",' for name in names]
    return "\n".join(["__all__ = [", *lines, "]\n"])


def _enum(enum: dict[str, Any]) -> str:
    lines = textwrap.wrap(enum["doc"], _WIDTH - 2)
    lines += [
        line
        for value in enum["values"]
        for line in textwrap.wrap(
            f"{value['name']}: {value['doc']}",
            _WIDTH - 2,
            initial_indent="  ",
            subsequent_indent="    ",
        )
    ]
    comment = [f"# {line}" for line in lines]
    choices = [f'    "{value["name"]}",' for value in enum["values"]]
    alias = [f"{enum['name']}: TypeAlias = Literal[", *choices, "]\n"]
    return "\n".join(comment + alias)


def _struct(struct: dict[str, Any], summary: str | None) -> str:
    first, _, rest = struct["doc"].partition(". ")
    paragraphs = [sentence(text) for text in (rest, summary or "") if text]
    lines = ["", "@dataclass(kw_only=True)", f"class {struct['name']}:"]
    lines.append(f'    """{sentence(first)}')
    for paragraph in paragraphs:
        lines += ["", *_wrapped(paragraph, "    ", "    ")]
    lines += ["", "    Attributes:"]
    for field in struct["fields"]:
        text = f"{field['name']}: {_field_doc(field)}"
        lines += _wrapped(text, " " * 8, " " * 12)
    lines += ['    """', ""]
    lines += [f"    {_field(field)}" for field in struct["fields"]]
    return "\n".join(lines) + "\n"


def _wrapped(text: str, first: str, others: str) -> list[str]:
    return textwrap.wrap(
        text,
        _WIDTH,
        initial_indent=first,
        subsequent_indent=others,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _field_doc(field: dict[str, Any]) -> str:
    notes = [field["doc"]]
    allowed = range_text(field)
    if allowed:
        notes.append(sentence(f"allowed: {allowed}"))
    flags = [
        word
        for flag, word in (("structural", "fixed"), ("localizable", "localizable"))
        if field[flag]
    ]
    if flags:
        notes.append(sentence(", ".join(flags)))
    return " ".join(notes)


def _field(field: dict[str, Any]) -> str:
    declaration = f"{field['name']}: {_type(field)}"
    if is_required(field):
        return declaration
    return f"{declaration} = {_default(field)}"


def _type(field: dict[str, Any]) -> str:
    kind = field["type"]
    if kind == "enum":
        name = field["enum"]
    elif kind == "object":
        name = field["struct"]
    elif kind == "object_list":
        name = f"list[{field['struct']}]"
    else:
        name = _PLAIN_TYPES[kind]
    return f"{name} | None" if field["sparse"] else name


def _default(field: dict[str, Any]) -> str:
    if field["type"] == "object":
        return f"field(default_factory={field['struct']})"
    value = field["default"]
    if value is None or isinstance(value, bool):
        return repr(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, list):
        assert not value, "a list with items needs a factory of its own"
        return "field(default_factory=list)"
    return repr(float(value)) if field["type"] == "float" else repr(value)


def _node_types(document: dict[str, Any]) -> str:
    nodes = document["nodes"]
    first, *others = (node["params"]["name"] for node in nodes)
    lines = ["", "NodeParams: TypeAlias = (", f"    {first}"]
    lines += [*(f"    | {name}" for name in others), ")", ""]
    lines.append("# By the name of the node type.")
    lines.append("PARAMS_OF_TYPE: dict[str, type[NodeParams]] = {")
    lines += [f'    "{node["name"]}": {node["params"]["name"]},' for node in nodes]
    return "\n".join([*lines, "}\n"])
