"""The structs and enums of params: Public/Generated/TalefoldNodeParams.h."""

from __future__ import annotations

import json
from typing import Any

from talefold._generate.unreal import (
    HEADER,
    comment,
    enum_name,
    enumerator,
    member_default,
    member_name,
    member_type,
    override_name,
    struct_name,
)
from talefold._generate.wording import is_required, sentence

_TOP = """\
#pragma once

#include "CoreMinimal.h"

#include "TalefoldNodeParams.generated.h"

"""

_BASE = """\
/** What the params of all node types have in common. */
USTRUCT(BlueprintType)
struct TALEFOLD_API FTalefoldNodeParams
{
	GENERATED_BODY()
};
"""


def node_params_header(document: dict[str, Any]) -> str:
    """The text of the header."""
    parts = [HEADER + _TOP.rstrip("\n") + "\n"]
    parts += [_enum(enum) for enum in document["enums"]]
    parts += [_struct(struct, "", struct["doc"]) for struct in document["structs"]]
    parts.append(_BASE)
    parts += [
        _struct(node["params"], " : public FTalefoldNodeParams", node["summary"])
        for node in document["nodes"]
    ]
    return "\n".join(parts)


def _enum(enum: dict[str, Any]) -> str:
    lines = comment(enum["doc"], "")
    lines += ["UENUM(BlueprintType)", f"enum class {enum_name(enum['name'])} : uint8"]
    lines.append("{")
    for value in enum["values"]:
        lines += comment(value["doc"])
        lines.append(f"\t{enumerator(value['name'])},")
    return "\n".join([*lines, "};\n"])


def _struct(struct: dict[str, Any], base: str, doc: str) -> str:
    lines = comment(doc, "")
    lines += ["USTRUCT(BlueprintType)"]
    lines.append(f"struct TALEFOLD_API {struct_name(struct['name'])}{base}")
    lines += ["{", "\tGENERATED_BODY()"]
    for field in struct["fields"]:
        lines += ["", *_member(field)]
    return "\n".join([*lines, "};\n"])


def _member(field: dict[str, Any]) -> list[str]:
    lines = []
    meta = _meta(field)
    if field["sparse"]:
        switch = override_name(field)
        lines += _property(field, ["InlineEditConditionToggle"])
        lines += [f"\tbool {switch} = false;", ""]
        meta.append(f'EditCondition = "{switch}"')
    lines += comment(_doc(field))
    lines += _property(field, meta)
    declared = f"{member_type(field)} {member_name(field)}{member_default(field)};"
    return [*lines, f"\t{declared}"]


def _property(field: dict[str, Any], meta: list[str]) -> list[str]:
    category = json.dumps(field["group"])
    listed = f", meta = ({', '.join(meta)})" if meta else ""
    return [
        f"\tUPROPERTY(EditAnywhere, BlueprintReadWrite, Category = {category}{listed})"
    ]


def _meta(field: dict[str, Any]) -> list[str]:
    """What the editor's details show it with. Ranges are the core's to check."""
    numbers = {
        "ClampMin": "min",
        "ClampMax": "max",
        "UIMin": "ui_min",
        "UIMax": "ui_max",
    }
    meta = [
        f'{key} = "{field[name]}"'
        for key, name in numbers.items()
        if field[name] is not None
    ]
    if field["multiline"]:
        meta.append("MultiLine = true")
    if field["name"] == "model_name":  # exits have none: no function knows the graph
        meta.append('GetOptions = "Talefold.TalefoldSettings.GetModelNames"')
    return meta


def _doc(field: dict[str, Any]) -> str:
    notes = [sentence(field["doc"])]
    if is_required(field):
        notes.append("Needed.")
    if field["exit"]:
        notes.append("The name of a node; empty = the end of the turn.")
    if field["structural"]:
        notes.append("Fixed once a conversation has begun.")
    if field["localizable"]:
        notes.append("Localizable.")
    return " ".join(notes)
