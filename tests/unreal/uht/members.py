"""The reflected members of a class."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .model import Function, Parameter, Property
from .text import one_space, split_list

if TYPE_CHECKING:
    from .parse import Source

_DECLARED = re.compile(r"^(.*?)\b(\w+)\s*(\[[^\]]*\])?$", re.DOTALL)
_WORDS = re.compile(r"\b(static|virtual|inline|FORCEINLINE|explicit|mutable)\b")


def properties_of(
    source: Source, start: int, end: int, access: str
) -> tuple[Property, ...]:
    found = []
    for match in re.compile(r"\bUPROPERTY\s*\(").finditer(source.bare, start, end):
        macro, position = source.macro(match.start())
        stop = _end_of_declaration(source.bare, position)
        declared, _, default = source.code[position:stop].partition("=")
        declared = re.sub(r"\{.*\}\s*$", "", declared, flags=re.DOTALL)
        declared = re.sub(r":\s*\d+\s*$", "", declared)
        parts = _DECLARED.match(declared.strip())
        if parts is None or not parts[1].strip():
            raise source.error(match.start(), "UPROPERTY is not followed by a member")
        found.append(
            Property(
                macro,
                one_space(parts[1]),
                parts[2],
                one_space(default) or None,
                access_at(source.bare, start, match.start(), access),
                condition_at(source.bare, match.start()),
                source.comment_before(match.start()),
                source.line(position + len(declared) - len(declared.lstrip())),
            )
        )
    return tuple(found)


def functions_of(
    source: Source, start: int, end: int, access: str
) -> tuple[Function, ...]:
    found = []
    for match in re.compile(r"\bUFUNCTION\s*\(").finditer(source.bare, start, end):
        macro, position = source.macro(match.start())
        opening = source.bare.find("(", position)
        if opening < 0 or opening > end:
            raise source.error(match.start(), "UFUNCTION is not followed by a function")
        closed = source.end(opening)
        head = source.code[position:opening]
        parts = _DECLARED.match(_WORDS.sub("", head).strip())
        if parts is None or not parts[1].strip():
            raise source.error(match.start(), "UFUNCTION is not followed by a function")
        behind = source.bare[closed + 1 : _end_of_declaration(source.bare, closed + 1)]
        found.append(
            Function(
                macro,
                one_space(re.sub(r"\b[A-Z]\w*_API\b", "", parts[1])),
                parts[2],
                parameters_of(source.code[opening + 1 : closed]),
                bool(re.search(r"\bstatic\b", head)),
                bool(re.match(r"\s*const\b", behind)),
                access_at(source.bare, start, match.start(), access),
                condition_at(source.bare, match.start()),
                source.comment_before(match.start()),
                source.line(position + len(head) - len(head.lstrip())),
            )
        )
    return tuple(found)


def parameters_of(text: str) -> tuple[Parameter, ...]:
    found = []
    for part in split_list(text):
        part = re.sub(r"\bUPARAM\s*\([^)]*\)", "", part)
        declared, _, default = part.partition("=")
        parts = re.match(r"^(.*?[\s&*>])(\w+)$", declared.strip(), re.DOTALL)
        kind, name = (parts[1], parts[2]) if parts else (declared, "")
        found.append(Parameter(one_space(kind), name, one_space(default) or None))
    return tuple(found)


def access_at(code: str, start: int, position: int, default: str) -> str:
    """By the last `public:` and so on; GENERATED_BODY in a class leaves private."""
    words = re.findall(r"\b(public|protected|private)\s*:(?!:)", code[start:position])
    return words[-1] if words else default


def condition_at(code: str, position: int) -> str | None:
    """Of the innermost #if around a position."""
    open_conditions: list[str] = []
    for match in re.finditer(
        r"^\s*#\s*(if|ifdef|ifndef|endif)\b(.*)$", code, re.MULTILINE
    ):
        if match.start() > position:
            break
        if match[1] == "endif":
            open_conditions.pop()
        else:
            open_conditions.append(match[2].strip())
    return open_conditions[-1] if open_conditions else None


def _end_of_declaration(code: str, position: int) -> int:
    """Where `;` or the body of a function begins."""
    depth = 0
    for index in range(position, len(code)):
        letter = code[index]
        if letter in "({[":
            if (
                letter == "{"
                and depth == 0
                and code[position:index].rstrip().endswith((")", "const", "override"))
            ):
                return index
            depth += 1
        elif letter in ")}]":
            depth -= 1
        elif letter == ";" and depth == 0:
            return index
    return len(code)
