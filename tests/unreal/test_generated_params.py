"""The generated headers of the Unreal plugin, against the tables of the core."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import talefold
from talefold._generate import descriptors, unreal

from .uht.model import Class, Property
from .uht.parse import parse

ROOT = Path(__file__).parents[2]
MODULE = ROOT / "unreal_plugin/Talefold/Source/Talefold"
PARAMS = parse(MODULE / "Public/Generated/TalefoldNodeParams.h")
GRAPH = parse(MODULE / "Public/Generated/TalefoldGraphDescription.h")
FIELDS = (MODULE / "Private/Generated/TalefoldParamFields.h").read_text("utf-8")
NODE_TYPES = (MODULE / "Private/Generated/TalefoldNodeTypes.h").read_text("utf-8")
ADDERS = (MODULE / "Private/Generated/TalefoldGraphAdders.cpp").read_text("utf-8")
ERRORS = (MODULE / "Public/Generated/TalefoldErrorCode.h").read_text("utf-8")
ERROR_NAMES = (MODULE / "Private/Generated/TalefoldErrorCode.cpp").read_text("utf-8")

TABLES = descriptors()
NODES: list[dict[str, Any]] = TABLES["nodes"]
STRUCTS: list[dict[str, Any]] = TABLES["structs"] + [node["params"] for node in NODES]
ENUMS: list[dict[str, Any]] = TABLES["enums"]

CLASSES = {each.name: each for each in PARAMS.classes}

# The function that lists the models of the project settings.
MODEL_NAMES = "Talefold.TalefoldSettings.GetModelNames"

# Stable numbers, as the core's.
PLUGIN_ERRORS = {
    "LibraryNotFound": 1001,
    "LibraryIncompatible": 1002,
    "NotReady": 1003,
    "SaveSlotFailed": 1004,
    "GraphAssetMissing": 1005,
    "LoadCancelled": 1006,
}


def snake(name: str) -> str:
    """`MaxTokens` -> `max_tokens`."""
    return re.sub(r"(?<!^)(?<!_)(?=[A-Z])", "_", name).lower()


def class_of(struct: dict[str, Any]) -> Class:
    return CLASSES["FTalefold" + struct["name"]]


def is_switch(each: Property) -> bool:
    return "InlineEditConditionToggle" in each.macro.meta


def members_of(struct: dict[str, Any]) -> dict[str, Property]:
    """By the names of the core's fields."""
    members = [each for each in class_of(struct).properties if not is_switch(each)]
    names = [each.name[each.type == "bool" :] for each in members]
    return dict(zip(map(snake, names), members, strict=True))


def switch_of(struct: dict[str, Any], field: dict[str, Any]) -> Property | None:
    switches = [each for each in class_of(struct).properties if is_switch(each)]
    named = {snake(each.name.removeprefix("bOverride")): each for each in switches}
    return named.get(field["name"])


def default_of(each: Property) -> Any:
    """As the core's tables have it."""
    text, kind = each.default, each.type
    if kind == "FString":
        return json.loads(text[len("TEXT(") : -1]) if text else ""
    if text is None:
        is_list = kind.startswith("TArray<")
        return [] if is_list else defaults_of(kind.removeprefix("FTalefold"))
    if kind.startswith("ETalefold"):
        enum, _, value = text.partition("::")
        assert enum == kind
        return snake(value)
    return json.loads(text)


def defaults_of(name: str) -> dict[str, Any]:
    struct = next(each for each in STRUCTS if each["name"] == name)
    members = members_of(struct)
    return {
        field["name"]: None if field["sparse"] else default_of(members[field["name"]])
        for field in struct["fields"]
    }


def expected_type(field: dict[str, Any]) -> str:
    bounds = (field["min"], field["max"], field["default"])
    whole = "int32"
    if field["type"] == "int" and any(abs(each or 0) >= 2**31 for each in bounds):
        whole = "int64"
    return {
        "bool": "bool",
        "int": whole,
        "float": "double",  # a float would change values: 0.8 would be 0.800000012
        "string": "FString",
        "string_list": "TArray<FString>",
        "enum": f"ETalefold{field['enum']}",
        "object": f"FTalefold{field['struct']}",
        "object_list": f"TArray<FTalefold{field['struct']}>",
    }[field["type"]]


def fields_of(structs: list[dict[str, Any]]) -> list[Any]:
    return [
        pytest.param(struct, field, id=f"{struct['name']}-{field['name']}")
        for struct in structs
        for field in struct["fields"]
    ]


def test_there_are_structs_and_enums_for_the_tables_alone() -> None:
    named = ["FTalefold" + each["name"] for each in STRUCTS]
    assert sorted(CLASSES) == sorted([*named, "FTalefoldNodeParams"])
    assert [each.name for each in PARAMS.enums] == [
        "ETalefold" + each["name"] for each in ENUMS
    ]


@pytest.mark.parametrize("node", NODES, ids=lambda node: node["name"])
def test_params_of_nodes_have_the_base_and_an_adder(node: dict[str, Any]) -> None:
    params = class_of(node["params"])
    assert params.bases == ("FTalefoldNodeParams",)
    adder = rf"\bAdd{node['name']}\(const FString& Name, const {params.name}& Params\)"
    description = next(
        each for each in GRAPH.classes if each.name == "FTalefoldGraphDescription"
    )
    assert re.search(rf"FTalefoldGraphDescription& {adder};", description.body)
    assert re.search(rf"FTalefoldGraphDescription::{adder}", ADDERS)


def test_node_types_are_all_known_by_name() -> None:
    found = re.findall(r'Of<(\w+)>\(TEXT\("(\w+)"\)\)', NODE_TYPES)
    assert found == [
        ("FTalefold" + node["params"]["name"], node["name"]) for node in NODES
    ]


@pytest.mark.parametrize("struct", STRUCTS, ids=lambda struct: struct["name"])
def test_a_struct_has_the_fields_of_the_core(struct: dict[str, Any]) -> None:
    fields = struct["fields"]
    assert list(members_of(struct)) == [field["name"] for field in fields]
    sparse = {field["name"] for field in fields if field["sparse"]}
    assert {f["name"] for f in fields if switch_of(struct, f)} == sparse
    names = [each.name.lower() for each in class_of(struct).properties]
    assert len(set(names)) == len(names), "names of the engine have no case"


@pytest.mark.parametrize(("struct", "field"), fields_of(STRUCTS))
def test_a_field_has_its_type_and_default(
    struct: dict[str, Any], field: dict[str, Any]
) -> None:
    member = members_of(struct)[field["name"]]
    assert member.type == expected_type(field)
    if not field["sparse"]:
        assert default_of(member) == field["default"]


@pytest.mark.parametrize(("struct", "field"), fields_of(STRUCTS))
def test_a_field_shows_in_the_editor_as_it_is(
    struct: dict[str, Any], field: dict[str, Any]
) -> None:
    member = members_of(struct)[field["name"]]
    assert {"EditAnywhere", "BlueprintReadWrite"} <= set(member.macro.specifiers)
    assert member.macro.specifiers["Category"] == field["group"]

    meta = dict(member.macro.meta)
    numbers = {"ClampMin": "min", "ClampMax": "max", "UIMin": "ui_min"}
    for key, name in {**numbers, "UIMax": "ui_max"}.items():
        shown = meta.pop(key, None)
        assert (None if shown is None else float(shown)) == field[name]
    assert meta.pop("MultiLine", None) == ("true" if field["multiline"] else None)
    offered = MODEL_NAMES if field["name"] == "model_name" else None
    assert meta.pop("GetOptions", None) == offered
    switch = switch_of(struct, field)
    assert meta.pop("EditCondition", None) == (switch.name if switch else None)
    assert meta == {}
    if switch is not None:
        assert (switch.type, switch.default) == ("bool", "false")
        assert switch.macro.specifiers["Category"] == field["group"]
        assert set(switch.macro.meta) == {"InlineEditConditionToggle"}


@pytest.mark.parametrize(("struct", "field"), fields_of(STRUCTS))
def test_a_field_says_what_it_is(struct: dict[str, Any], field: dict[str, Any]) -> None:
    comment = " ".join(members_of(struct)[field["name"]].comment.split())
    assert comment.lower().startswith(field["doc"].lower())
    fixed = "Fixed once a conversation has begun." in comment
    assert fixed == field["structural"]
    assert ("Localizable." in comment) == field["localizable"]


@pytest.mark.parametrize("enum", ENUMS, ids=lambda enum: enum["name"])
def test_an_enum_has_the_values_of_the_core(enum: dict[str, Any]) -> None:
    names = [each["name"] for each in enum["values"]]
    (made,) = (e for e in PARAMS.enums if e.name == "ETalefold" + enum["name"])
    assert made.underlying == "uint8"
    assert "BlueprintType" in made.macro.specifiers
    assert [snake(each) for each in made.values] == names

    (written,) = re.findall(
        rf"TTalefoldEnumNames<{made.name}>\n.*?Values\[\] = {{(.*?)}};",
        FIELDS,
        re.DOTALL,
    )
    assert re.findall(r'TEXT\("(\w+)"\)', written) == names


@pytest.mark.parametrize("struct", STRUCTS, ids=lambda struct: struct["name"])
def test_json_has_each_field_under_its_name(struct: dict[str, Any]) -> None:
    name = class_of(struct).name
    (body,) = re.findall(rf"{name}& Struct,.*?\n{{\n(.*?)\n}}", FIELDS, re.DOTALL)
    expected = []
    for field in struct["fields"]:
        key, member = field["name"], members_of(struct)[field["name"]].name
        switch = switch_of(struct, field)
        kind = "Optional" if switch else "Field"
        values = f"Struct.{member}, Default.{member}"
        if switch:
            values = f"Struct.{switch.name}, Struct.{member}"
        expected.append(f'Visitor.{kind}(TEXT("{key}"), {values});')
    assert [line.strip() for line in body.splitlines()] == expected


def test_error_codes_are_those_of_python_and_c() -> None:
    listed = re.findall(r"^\t(\w+) = (\d+),$", ERRORS, re.MULTILINE)
    found = {name: int(code) for name, code in listed}
    python = {each.name: each.value for each in talefold.ErrorCode}
    assert found == PLUGIN_ERRORS | python

    header = (ROOT / "cpp/include/talefold/talefold.h").read_text("utf-8")
    enum = header.partition("enum talefold_error_code {")[2].partition("}")[0]
    in_c = {n: int(code) for n, code in re.findall(r"TALEFOLD_(\w+) = (\d+)", enum)}
    core = {snake(name).upper(): code for name, code in python.items()}
    assert in_c == {"OK": 0} | core


def test_error_codes_have_their_names() -> None:
    pairs = re.findall(r'Code::(\w+):\n\t\treturn TEXT\("(\w+)"\);', ERROR_NAMES)
    assert all(code == name for code, name in pairs)
    codes = re.findall(r"^\t(\w+) = \d+,$", ERRORS, re.MULTILINE)
    assert sorted(code for code, _ in pairs) == sorted(codes)


FIELD = {"type": "int", "min": None, "max": None, "default": 0}


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        ({}, "int32"),
        ({"min": -(2**31), "max": 2**31 - 1}, "int32"),
        ({"max": 2**31}, "int64"),
        ({"default": 2**31}, "int64"),
        ({"min": -(2**31) - 1}, "int64"),
        ({"default": None}, "int32"),
    ],
)
def test_whole_numbers_are_as_wide_as_they_must_be(
    change: dict[str, Any], kind: str
) -> None:
    assert unreal.member_type({**FIELD, **change}) == kind


@pytest.mark.parametrize(
    ("text", "literal"),
    [
        ("", ""),
        ('"\\\n', r' = TEXT("\"\\\n")'),
        ("Ça va, 🦊", ' = TEXT("Ça va, 🦊")'),
    ],
)
def test_texts_are_literals_of_cpp(text: str, literal: str) -> None:
    assert unreal.member_default({"type": "string", "default": text}) == literal
