"""What Unreal's header tool and build would refuse, or designers stumble over.

A rule takes a header and yields problems. The ids are those of no official list.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from .model import Class, Header
from .parse import parse

PREFIXES = {"class": "UA", "struct": "F"}
BLUEPRINT = {
    *("BlueprintReadOnly", "BlueprintReadWrite", "BlueprintCallable", "BlueprintPure"),
}
# Not known to Blueprints, or not to reflection at all.
FORBIDDEN_TYPES = re.compile(
    r"\b(int8|int16|uint16|uint32|uint64|size_t|std::\w+|TSharedPtr|TSharedRef|TUniquePtr|"
    r"TFunction|TUniqueFunction)\b"
)
NESTED = re.compile(r"\b(TArray|TSet|TMap)<[^<>]*\b(TArray|TSet|TMap)<")
MOST_PINS = 6


@dataclass(frozen=True)
class Problem:
    rule: str
    path: Path
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.rule}: {self.text}"


Found = Iterator[tuple[int, str]]


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
    for enum in header.enums:
        if not enum.name.startswith("ETalefold"):
            yield enum.line, f"{enum.name} must begin with ETalefold"


def one_class(header: Header) -> Found:
    classes = [each for each in header.classes if each.kind == "class"]
    for each in classes[1:]:
        yield each.line, f"{each.name} is the second UCLASS of the file"


def enum_size(header: Header) -> Found:
    """Blueprints know enums of one byte."""
    for enum in header.enums:
        if enum.underlying != "uint8":
            yield enum.line, f"{enum.name} must be of uint8"


def member_types(header: Header) -> Found:
    for each in header.classes:
        for member in each.properties:
            if FORBIDDEN_TYPES.search(member.type):
                yield member.line, f"{member.name}: {member.type} cannot be reflected"
            if NESTED.search(member.type):
                yield member.line, f"{member.name}: containers cannot be nested"
            if re.search(r"\bU\w+\s*\*$", member.type):
                yield member.line, f"{member.name}: TObjectPtr, not a raw pointer"
        for function in each.functions:
            for kind in [function.return_type, *(p.type for p in function.parameters)]:
                if FORBIDDEN_TYPES.search(kind) or NESTED.search(kind):
                    yield function.line, f"{function.name}: {kind} cannot be reflected"


def categories(header: Header) -> Found:
    """Needed by plugins of the engine, and what menus are made of."""
    for each in header.classes:
        for member in (*each.properties, *each.functions):
            shown = BLUEPRINT | {"EditAnywhere"}
            macro = member.macro
            if shown & set(macro.specifiers) and "Category" not in macro.specifiers:
                yield member.line, f"{member.name} has no Category"


def defaults(header: Header) -> Found:
    """Members of structs that are not set are reported by the engine at start-up."""
    for each in header.classes:
        for member in each.properties:
            number = re.fullmatch(r"(u?int\d+|bool|float|double|E\w+)", member.type)
            if each.kind == "struct" and number and member.default is None:
                yield member.line, f"{member.name} has no default"


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
    """All outputs of a node that takes time share their pins."""
    for each in header.classes:
        if "AsyncAction" in each.base:
            outputs = {
                m.type
                for m in each.properties
                if "BlueprintAssignable" in m.macro.specifiers
            }
            if len(outputs) > 1:
                yield each.line, f"{each.name}: outputs of different pins"


def exported(header: Header) -> Found:
    """What is public is used from other modules."""
    if "Public" in header.path.parts:
        for each in header.classes:
            if not each.api:
                yield each.line, f"{each.name} is public and not exported"


FORBIDDEN = {
    r"\bTCHAR_TO_ANSI\b": "texts are UTF-8 at the border",
    r"\b(try|catch|throw)\b": "exceptions are off",
    r"\bdynamic_cast\b": "RTTI is off",
    r"\bFPlatformProcess::Sleep\b": "nothing blocks the game thread",
    r"\bstd::(string|vector|map|function|shared_ptr)\b": "containers are the engine's",
    r"\bSendMessage\b|\bGetObject\b|\bPostMessage\b": "a macro of Windows",
}


def forbidden_words(header: Header) -> Found:
    for pattern, why in FORBIDDEN.items():
        for match in re.finditer(pattern, header.code):
            yield header.code.count("\n", 0, match.start()) + 1, f"{match[0]}: {why}"


RULES: dict[str, Callable[[Header], Found]] = {
    rule.__name__: rule
    for rule in (
        *(generated_include, generated_body, names, one_class, enum_size, member_types),
        *(categories, defaults, overloads, events, async_outputs, exported),
        forbidden_words,
    )
}


def lint_header(header: Header) -> list[Problem]:
    return [
        Problem(name, header.path, line, text)
        for name, rule in RULES.items()
        for line, text in rule(header)
    ]


def lint(folder: Path) -> list[Problem]:
    """Of all sources below a folder; what is no header has its words checked."""
    problems = []
    for path in sorted([*folder.rglob("*.h"), *folder.rglob("*.cpp")]):
        problems += lint_header(parse(path))
    return problems


def pins_of(each: Class, header: Header) -> Iterator[str]:
    """What Blueprints see of a class, a line each."""
    delegates = {delegate.name: delegate for delegate in header.delegates}
    for function in each.functions:
        if BLUEPRINT & set(function.macro.specifiers):
            pins = ", ".join(
                f"{p.type} {p.name}" + (f" = {p.default}" if p.default else "")
                for p in function.parameters
            )
            yield f"{each.name}.{function.name}({pins}) -> {function.return_type}"
    for member in each.properties:
        if "BlueprintAssignable" in member.macro.specifiers:
            pins = ", ".join(
                f"{p.type} {p.name}" for p in delegates[member.type].parameters
            )
            yield f"{each.name}.{member.name} event({pins})"
        elif BLUEPRINT & set(member.macro.specifiers):
            yield f"{each.name}.{member.name}: {member.type}"


def pins(folder: Path) -> str:
    """The table of everything visible to Blueprints, generated structs left out."""
    lines = []
    for path in sorted((folder / "Public").rglob("*.h")):
        if "Generated" not in path.parts:
            header = parse(path)
            for each in header.classes:
                lines += pins_of(each, header)
    return "\n".join(lines) + "\n"
