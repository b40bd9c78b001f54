"""Graphs of the plugin: the description, its node types, and the JSON of params."""

from __future__ import annotations

from typing import Any

from talefold._generate.unreal import (
    HEADER,
    enum_name,
    member_name,
    override_name,
    struct_name,
)

_DESCRIPTION = """\
#pragma once

#include "CoreMinimal.h"
#include "Generated/TalefoldNodeParams.h"
#include "StructUtils/InstancedStruct.h"
#include "TalefoldError.h"

#include "TalefoldGraphDescription.generated.h"

/** A node of a graph. */
USTRUCT(BlueprintType)
struct TALEFOLD_API FTalefoldGraphNode
{
	GENERATED_BODY()

	/** Exits name it, and events and errors tell of it by this. Keep it: saved conversations know it. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Node")
	FString Name;

	/** Its type, and the params of that. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Node", meta = (BaseStruct = "/Script/Talefold.TalefoldNodeParams", ExcludeBaseStruct))
	FInstancedStruct Params;
};

/**
 * What a character does in a turn: nodes, each of which names the next by its exits.
 *
 *     FTalefoldGraphDescription Graph;
 *     Graph.AddGenerate(TEXT("generate"), Gen);
 *     Graph.StartNode = TEXT("generate");
 */
USTRUCT(BlueprintType)
struct TALEFOLD_API FTalefoldGraphDescription
{
	GENERATED_BODY()

	/** Where each turn begins: the name of a node. */
	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Graph", meta = (GetOptions = "GetNodeNames"))
	FString StartNode;

	UPROPERTY(EditAnywhere, BlueprintReadWrite, Category = "Graph", meta = (TitleProperty = "Name"))
	TArray<FTalefoldGraphNode> Nodes;

	/** A graph file. Values that are the default are left out, as are nodes without a type. */
	FString ToJson() const;

	/** Reads a graph file. On failure Error says what is wrong and where, and Graph is as it was. */
	static bool FromJson(const FString& Json, FTalefoldGraphDescription& Graph, FTalefoldError& Error);

"""

_FIELDS_TOP = """\
#pragma once

#include "Generated/TalefoldNodeParams.h"

// Calls Visitor for each field of a struct, with the field's name in JSON and its default: Field for
// one that always has a value, Optional for one that may be unset.
"""

_ENUMS_TOP = """\
// The names of enumerators in JSON, in the order of their values.
template <typename EnumType>
struct TTalefoldEnumNames;
"""


def graph_description_header(document: dict[str, Any]) -> str:
    """Public/Generated/TalefoldGraphDescription.h."""
    adders = [f"\t{_adder(node, '')};" for node in document["nodes"]]
    return HEADER + _DESCRIPTION + "\n".join([*adders, "};", ""])


def graph_adders(document: dict[str, Any]) -> str:
    """Private/Generated/TalefoldGraphAdders.cpp."""
    lines = [HEADER + '#include "Generated/TalefoldGraphDescription.h"']
    for node in document["nodes"]:
        lines += [
            "",
            _adder(node, "FTalefoldGraphDescription::"),
            "{",
            "\tNodes.Add({Name, FInstancedStruct::Make(Params)});",
            "\treturn *this;",
            "}",
        ]
    return "\n".join([*lines, ""])


def _adder(node: dict[str, Any], scope: str) -> str:
    params = struct_name(node["params"]["name"])
    return (
        f"FTalefoldGraphDescription& {scope}Add{node['name']}"
        f"(const FString& Name, const {params}& Params)"
    )


def node_types_header(document: dict[str, Any]) -> str:
    """Private/Generated/TalefoldNodeTypes.h."""
    lines = [HEADER + "#pragma once", "", '#include "TalefoldNodeType.h"', ""]
    lines += ["// In the order of their numbers."]
    lines += ["inline const FTalefoldNodeType TalefoldNodeTypes[] = {"]
    lines += [
        f"\tFTalefoldNodeType::Of<{struct_name(node['params']['name'])}>"
        f'(TEXT("{node["name"]}")),'
        for node in document["nodes"]
    ]
    return "\n".join([*lines, "};", ""])


def param_fields_header(document: dict[str, Any]) -> str:
    """Private/Generated/TalefoldParamFields.h."""
    structs = document["structs"] + [node["params"] for node in document["nodes"]]
    parts = [HEADER + _FIELDS_TOP, _ENUMS_TOP]
    parts += [_enum_names(enum) for enum in document["enums"]]
    parts += [_visit(struct) for struct in structs]
    return "\n".join(parts)


def _enum_names(enum: dict[str, Any]) -> str:
    names = ", ".join(f'TEXT("{value["name"]}")' for value in enum["values"])
    return "\n".join(
        [
            "template <>",
            f"struct TTalefoldEnumNames<{enum_name(enum['name'])}>",
            "{",
            f"\tstatic constexpr const TCHAR* Values[] = {{{names}}};",
            "};\n",
        ]
    )


def _visit(struct: dict[str, Any]) -> str:
    name = struct_name(struct["name"])
    sparse = all(field["sparse"] for field in struct["fields"])
    default = "" if sparse else " Default"
    lines = [
        "template <typename VisitorType>",
        f"void VisitFields(VisitorType& Visitor, {name}& Struct, const {name}&{default})",
        "{",
    ]
    for field in struct["fields"]:
        key, member = f'TEXT("{field["name"]}")', member_name(field)
        if field["sparse"]:
            switch = override_name(field)
            lines.append(
                f"\tVisitor.Optional({key}, Struct.{switch}, Struct.{member});"
            )
        else:
            lines.append(f"\tVisitor.Field({key}, Struct.{member}, Default.{member});")
    return "\n".join([*lines, "}\n"])
