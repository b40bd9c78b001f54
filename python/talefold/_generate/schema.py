"""The JSON Schema of graph files: docs/reference/graph.schema.json."""

from __future__ import annotations

from typing import Any

from talefold._generate.wording import is_required, range_text, sentence

_JSON_TYPES = {
    "bool": "boolean",
    "int": "integer",
    "float": "number",
    "string": "string",
    "string_list": "array",
    "object_list": "array",
}


def graph_schema(document: dict[str, Any]) -> dict[str, Any]:
    """The schema (draft 2020-12).

    It says what a schema can say. Where exits lead, names used twice and templates are
    for `talefold validate`.
    """
    structs = document["structs"] + [node["params"] for node in document["nodes"]]
    node_types = [node["name"] for node in document["nodes"]]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Talefold graph",
        "description": "A character's behaviour: nodes, their params and exits.",
        "type": "object",
        "properties": {
            "format": {"const": "talefold-graph"},
            "version": {"const": 1},
            "start_node": {"type": "string", "minLength": 1},
            "nodes": {
                "type": "array",
                "minItems": 1,
                "items": {"$ref": "#/$defs/Node"},
            },
        },
        "required": ["format", "version", "start_node", "nodes"],
        "additionalProperties": False,
        "$defs": {
            "Node": {
                "type": "object",
                "properties": {
                    "name": {
                        "type": "string",
                        "pattern": r"^[^.\u0000-\u001f\u007f]+$",
                    },
                    "type": {"enum": node_types},
                    "params": {"type": "object"},
                },
                "required": ["name", "type"],
                "additionalProperties": False,
                "allOf": [_params_of_type(node) for node in document["nodes"]],
            },
            **{struct["name"]: _struct(struct) for struct in structs},
            **{enum["name"]: _enum(enum) for enum in document["enums"]},
        },
    }


def _params_of_type(node: dict[str, Any]) -> dict[str, Any]:
    return {
        "if": {"properties": {"type": {"const": node["name"]}}, "required": ["type"]},
        "then": {"properties": {"params": _reference(node["params"]["name"])}},
    }


def _reference(name: str) -> dict[str, Any]:
    return {"$ref": f"#/$defs/{name}"}


def _enum(enum: dict[str, Any]) -> dict[str, Any]:
    return {
        "description": enum["doc"],
        "enum": [value["name"] for value in enum["values"]],
    }


def _struct(struct: dict[str, Any]) -> dict[str, Any]:
    schema: dict[str, Any] = {
        "description": struct["doc"],
        "type": "object",
        "properties": {field["name"]: _field(field) for field in struct["fields"]},
        "additionalProperties": False,
    }
    required = [field["name"] for field in struct["fields"] if is_required(field)]
    if required:
        schema["required"] = required
    return schema


def _field(field: dict[str, Any]) -> dict[str, Any]:
    schema = {"description": _description(field), **_value(field)}
    if field["default"] is not None and field["type"] != "object":
        schema["default"] = field["default"]
    return schema


def _description(field: dict[str, Any]) -> str:
    allowed = range_text(field)
    note = f" {sentence(f'allowed: {allowed}')}" if allowed else ""
    return f"{field['doc']}{note}"


def _value(field: dict[str, Any]) -> dict[str, Any]:
    kind = field["type"]
    if kind == "object":
        return {"anyOf": [_reference(field["struct"]), {"type": "null"}]}
    if kind == "enum":
        choice = _reference(field["enum"])
        return {"anyOf": [choice, {"type": "null"}]} if field["sparse"] else choice
    json_type = _JSON_TYPES[kind]
    schema: dict[str, Any] = {
        "type": [json_type, "null"] if field["sparse"] else json_type
    }
    if kind == "string_list":
        schema["items"] = {"type": "string"}
        if field["non_empty"]:
            schema["items"]["minLength"] = 1
    elif kind == "object_list":
        schema["items"] = _reference(field["struct"])
    elif kind == "string" and field["non_empty"]:
        schema["minLength"] = 1
    for key, limit in (("minimum", field["min"]), ("maximum", field["max"])):
        if limit is not None:
            schema[key] = limit
    return schema
