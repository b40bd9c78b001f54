"""Rules about what is reflected: which types, members and functions there may be."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..members import condition_at
from ..model import Function, Header, Macro, Property
from . import specifiers as known
from .problem import Found

PREFIXES = {"class": "UA", "struct": "F"}
BLUEPRINT = frozenset(
    ["BlueprintReadOnly", "BlueprintReadWrite", "BlueprintCallable", "BlueprintPure"]
)
SHOWN = BLUEPRINT | {
    f"{how}{where}"
    for how in ("Edit", "Visible")
    for where in ("Anywhere", "DefaultsOnly", "InstanceOnly")
}
# Not known to Blueprints, or not to reflection at all.
FORBIDDEN_TYPES = re.compile(
    r"\b(int8|int16|uint16|uint32|uint64|size_t|std::\w+|TSharedPtr|TSharedRef|TUniquePtr|"
    r"TFunction|TUniqueFunction)\b"
)
NESTED = re.compile(r"\b(TArray|TSet|TMap)<[^<>]*\b(TArray|TSet|TMap)<")
MOST_PINS = 6


def generated_include(header: Header) -> Found:
    """The generated header has the file's name, and comes last."""
    expected = f"{header.path.stem}.generated.h"
    if header.is_reflected and header.includes[-1:] != (expected,):
        yield 1, f'the last include must be "{expected}"'


def generated_body(header: Header) -> Found:
    """Without it the tool's code has no place."""
    for each in header.classes:
        if each.body_line == 0:
            yield each.line, f"{each.name} has no GENERATED_BODY()"


def names(header: Header) -> Found:
    """The tool relies on prefixes; the plugin's own name avoids those of others."""
    for each in header.classes:
        if each.name[0] not in PREFIXES[each.kind]:
            yield each.line, f"{each.name} must begin with {PREFIXES[each.kind][0]}"
        if "Talefold" not in each.name:
            yield each.line, f"{each.name} must have Talefold in it"
        for member in each.properties:
            if member.type == "bool" and not re.match(r"b[A-Z]", member.name):
                yield member.line, f"{member.name} is a bool: b{member.name}"
    for enum in header.enums:
        if not enum.name.startswith("ETalefold"):
            yield enum.line, f"{enum.name} must begin with ETalefold"


def placement(header: Header) -> Found:
    """The tool reads no namespaces, templates and conditions, but for the editor's."""
    declared = [
        (each.macro.line, each.name) for each in (*header.classes, *header.enums)
    ]
    lines = header.code.splitlines(keepends=True)
    for line, name in declared:
        before = "".join(lines[: line - 1])
        if before.count("{") != before.count("}"):
            yield (
                line,
                f"{name} must stand at the top of the file, not in another scope",
            )
        if re.search(r"\btemplate\s*<[^;{}]*>\s*$", before):
            yield line, f"{name} cannot be a template"
        if condition_at(header.code, len(before)) is not None:
            yield line, f"{name} cannot stand in an #if"
    for member in _members(header):
        if member.condition not in {None, "WITH_EDITOR", "WITH_EDITORONLY_DATA"}:
            yield member.line, f"{member.name} cannot stand in #if {member.condition}"


def one_class(header: Header) -> Found:
    classes = [each for each in header.classes if each.kind == "class"]
    for each in classes[1:]:
        yield each.line, f"{each.name} is the second UCLASS of the file"


def enums(header: Header) -> Found:
    """Blueprints know enums of one byte that say so."""
    for enum in header.enums:
        if enum.underlying != "uint8":
            yield enum.line, f"{enum.name} must be of uint8"
        if "BlueprintType" not in enum.macro.specifiers:
            yield enum.line, f"{enum.name} must be a BlueprintType"


def specifiers(header: Header) -> Found:
    """What the engine does not know, it ignores."""
    for each in header.classes:
        if each.kind == "class":
            yield from _unknown(each.macro, known.CLASS, known.CLASS_META, each.name)
        else:
            yield from _unknown(each.macro, known.STRUCT, known.STRUCT_META, each.name)
        for member in each.properties:
            yield from _unknown(
                member.macro, known.PROPERTY, known.PROPERTY_META, member.name
            )
        for function in each.functions:
            yield from _unknown(
                function.macro, known.FUNCTION, known.FUNCTION_META, function.name
            )
    for enum in header.enums:
        yield from _unknown(enum.macro, known.ENUM, known.ENUM_META, enum.name)


def _unknown(
    macro: Macro, allowed: frozenset[str], meta: frozenset[str], name: str
) -> Found:
    for specifier in macro.specifiers:
        if specifier not in allowed:
            yield macro.line, f"{name}: the engine knows no specifier {specifier} here"
    for key in macro.meta:
        if key not in meta:
            yield macro.line, f"{name}: the engine knows no metadata {key} here"


def member_types(header: Header) -> Found:
    for each in header.classes:
        for member in each.properties:
            yield from _type_problems(member.line, member.name, member.type)
            if re.search(r"\b[UA][A-Z]\w*\s*\*$", member.type):
                yield member.line, f"{member.name}: TObjectPtr, not a raw pointer"
        for function in each.functions:
            for kind in [function.return_type, *(p.type for p in function.parameters)]:
                yield from _type_problems(function.line, function.name, kind)
    for delegate in header.delegates:
        for parameter in delegate.parameters:
            yield from _type_problems(delegate.line, delegate.name, parameter.type)


def _type_problems(line: int, name: str, kind: str) -> Found:
    if FORBIDDEN_TYPES.search(kind):
        yield line, f"{name}: {kind} cannot be reflected"
    if NESTED.search(kind):
        yield line, f"{name}: {kind}: containers cannot be nested"


def unseen_objects(header: Header) -> Found:
    """Objects that the collector does not see go away while they are used."""
    pattern = re.compile(
        r"(?:TObjectPtr<[^;(){}]*>|\b[UA][A-Z]\w+\s*\*)\s*(\w+)\s*(?:=[^;(){}]*)?;"
    )
    for each in header.classes:
        reflected = {member.name for member in each.properties}
        start = header.code.index(each.body)
        for match in pattern.finditer(_own_scope(each.body)):
            if match[1] not in reflected:
                line = header.code.count("\n", 0, start + match.start(1)) + 1
                yield line, f"{match[1]}: UPROPERTY() or TWeakObjectPtr"


def _own_scope(body: str) -> str:
    """Without what stands in inner braces; positions are kept."""
    depth, letters = 0, []
    for letter in body:
        depth -= letter == "}"
        letters.append(letter if depth == 0 or letter == "\n" else " ")
        depth += letter == "{"
    return "".join(letters)


def categories(header: Header) -> Found:
    """Needed by plugins of the engine, and what menus are made of."""
    for member in _members(header):
        macro = member.macro
        if SHOWN & set(macro.specifiers) and "Category" not in macro.specifiers:
            yield member.line, f"{member.name} has no Category"


def private_access(header: Header) -> Found:
    for each in header.classes:
        for member in each.properties:
            shown = BLUEPRINT & set(member.macro.specifiers)
            if member.access == "private" and shown:
                if "AllowPrivateAccess" not in member.macro.meta:
                    yield member.line, f"{member.name} is private: AllowPrivateAccess"


def defaults(header: Header) -> Found:
    """Members of structs that are not set are reported by the engine at start-up."""
    for each in header.classes:
        for member in each.properties:
            number = re.fullmatch(
                r"(u?int\d+|bool|float|double|E\w+|FGuid)", member.type
            )
            if each.kind == "struct" and number and member.default is None:
                yield member.line, f"{member.name} has no default"


# Literals, enumerators and what a type names its own constants.
_ARGUMENT = re.compile(
    r'-?\d+(\.\d+)?f?|true|false|nullptr|NAME_None|INDEX_NONE|TEXT\("[^"]*"\)'
    r"|[EF]\w+::\w+|F(String|Name|Text)\(\)"
)


def arguments(header: Header) -> Found:
    """Of functions: defaults that the tool can read, and events without copies."""
    for each in header.classes:
        for function in each.functions:
            for parameter in function.parameters:
                default = parameter.default
                if default is not None and not _ARGUMENT.fullmatch(default):
                    yield function.line, f"{function.name}: no literal: {default}"
            if "BlueprintImplementableEvent" in function.macro.specifiers:
                yield from _copied_containers(function)


def _copied_containers(function: Function) -> Found:
    for parameter in function.parameters:
        if re.match(r"(TArray|TSet|TMap)<", parameter.type):
            if not parameter.type.endswith("&"):
                yield function.line, f"{function.name}: const {parameter.type}& instead"


def overloads(header: Header) -> Found:
    for each in header.classes:
        seen: set[str] = set()
        for function in each.functions:
            if function.name in seen:
                yield function.line, f"{function.name} is there twice"
            seen.add(function.name)


def events(header: Header) -> Found:
    """Assignable ones are dynamic multicast delegates of few pins."""
    dynamic = {each.name: each for each in header.delegates if each.is_multicast}
    for each in header.classes:
        for member in each.properties:
            if "BlueprintAssignable" not in member.macro.specifiers:
                continue
            if member.type not in dynamic:
                yield member.line, f"{member.name}: {member.type} is no such delegate"
            elif len(dynamic[member.type].parameters) > MOST_PINS:
                yield member.line, f"{member.name} has more than {MOST_PINS} pins"


def async_outputs(header: Header) -> Found:
    """All outputs of a node that takes time share their pins; its game keeps it."""
    for each in header.classes:
        if "Action" not in each.base:
            continue
        outputs = {
            m.type
            for m in each.properties
            if "BlueprintAssignable" in m.macro.specifiers
        }
        if len(outputs) > 1:
            yield each.line, f"{each.name}: outputs of different pins"
        for function in each.functions:
            meta = function.macro.meta
            if function.is_static and "BlueprintInternalUseOnly" not in meta:
                yield function.line, f"{function.name}: BlueprintInternalUseOnly"


def exported(header: Header) -> Found:
    """What is public is used from other modules."""
    if "Public" in header.path.parts:
        for each in header.classes:
            if not each.api:
                yield each.line, f"{each.name} is public and not exported"


def settings(header: Header) -> Found:
    """They are kept in the project's files, and numbers have limits."""
    for each in header.classes:
        if each.base != "UDeveloperSettings":
            continue
        for needed in ("Config", "DefaultConfig"):
            if needed not in each.macro.specifiers:
                yield each.line, f"{each.name} must be {needed}"
        if "GetCategoryName" not in each.body:
            yield each.line, f"{each.name} has no GetCategoryName"
        for member in each.properties:
            if "Config" not in member.macro.specifiers:
                yield member.line, f"{member.name} is not Config"
            number = re.fullmatch(r"u?int\d+|float|double", member.type)
            if number and "ClampMin" not in member.macro.meta:
                yield member.line, f"{member.name} has no ClampMin"


def _members(header: Header) -> Iterator[Property | Function]:
    for each in header.classes:
        yield from each.properties
        yield from each.functions
