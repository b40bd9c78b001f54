"""From the text of a header to its model."""

from __future__ import annotations

import re
from pathlib import Path

from .members import functions_of, properties_of
from .model import Class, Delegate, Enum, Header, Macro, Parameter
from .text import (
    closing,
    line_of,
    one_space,
    split_list,
    without_comments,
    without_literals,
)

COUNTS = {
    name: count
    for count, name in enumerate(
        ("", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine")
    )
}


class ParseError(Exception):
    def __init__(self, path: Path, line: int, message: str) -> None:
        super().__init__(f"{path}:{line}: {message}")
        self.line = line


class Source:
    """A header, in the forms that parsing needs; positions are the same in all."""

    def __init__(self, path: Path, text: str) -> None:
        self.path = path
        self.text = text
        self.code = without_comments(text)  # literals have their content
        self.bare = without_literals(self.code)

    def line(self, position: int) -> int:
        return line_of(self.text, position)

    def error(self, position: int, message: str) -> ParseError:
        return ParseError(self.path, self.line(position), message)

    def end(self, position: int) -> int:
        found = closing(self.bare, position)
        if found < 0:
            raise self.error(position, f"nothing closes this {self.bare[position]}")
        return found

    def comment_before(self, position: int) -> str:
        """The text of the comment that ends right before."""
        before = self.text[:position].rstrip()
        if not before.endswith("*/"):
            return ""
        start = before.rfind("/*")
        lines = before[start:].strip("/* \n\t").splitlines()
        return one_space(" ".join(line.strip().lstrip("*") for line in lines))

    def macro(self, position: int) -> tuple[Macro, int]:
        """The macro whose name begins here, and the position behind it."""
        opening = self.bare.index("(", position)
        end = self.end(opening)
        specifiers: dict[str, str] = {}
        meta: dict[str, str] = {}
        for part in split_list(self.code[opening + 1 : end]):
            key, _, value = (each.strip() for each in part.partition("="))
            if key == "meta":
                for each in split_list(value.strip("() \n\t")):
                    name, _, content = (text.strip() for text in each.partition("="))
                    meta[name] = content.strip('"')
            else:
                specifiers[key] = value.strip('"')
        return Macro(self.line(position), specifiers, meta), end + 1


def parse(path: Path, text: str | None = None) -> Header:
    source = Source(path, path.read_text(encoding="utf-8") if text is None else text)
    includes = re.findall(r'^\s*#include\s+"([^"]+)"', source.code, re.MULTILINE)
    classes = [
        _class(source, match)
        for match in re.finditer(r"\b(UCLASS|USTRUCT|UINTERFACE)\s*\(", source.bare)
    ]
    enums = [_enum(source, m) for m in re.finditer(r"\bUENUM\s*\(", source.bare)]
    return Header(
        path,
        tuple(includes),
        tuple(classes),
        tuple(enums),
        _delegates(source),
        source.bare,
    )


def _class(source: Source, match: re.Match[str]) -> Class:
    macro, position = source.macro(match.start())
    declared = re.compile(
        r"\s*(class|struct)\s+(?:([A-Z]\w*_API)\s+)?(\w+)\s*(?:final\s*)?(?::([^{;]*))?\{"
    ).match(source.bare, position)
    if declared is None:
        raise source.error(match.start(), f"{match[1]} is not followed by a class")
    kind, api, name, bases = declared.groups()
    opening = declared.end() - 1
    end = source.end(opening)
    generated = re.compile(r"\bGENERATED_(?:U?STRUCT_|UCLASS_)?BODY\s*\(").search(
        source.bare, opening, end
    )
    return Class(
        macro,
        kind,
        name,
        api or "",
        tuple(
            re.sub(r"\b(public|protected|private|virtual)\b", "", each).strip()
            for each in split_list(bases or "")
        ),
        properties_of(
            source, opening + 1, end, "private" if kind == "class" else "public"
        ),
        functions_of(
            source, opening + 1, end, "private" if kind == "class" else "public"
        ),
        source.line(generated.start()) if generated else 0,
        source.bare[opening + 1 : end],
        source.comment_before(match.start()),
        source.line(declared.start(3)),
    )


def _enum(source: Source, match: re.Match[str]) -> Enum:
    macro, position = source.macro(match.start())
    declared = re.compile(r"\s*enum\s+(?:class\s+)?(\w+)\s*(?::\s*(\w+)\s*)?\{").match(
        source.bare, position
    )
    if declared is None:
        raise source.error(match.start(), "UENUM is not followed by an enum")
    opening = declared.end() - 1
    inner = source.code[opening + 1 : source.end(opening)]
    values = [re.match(r"\w+", each) for each in split_list(inner)]
    return Enum(
        macro,
        declared[1],
        declared[2] or "",
        tuple(value[0] for value in values if value),
        source.comment_before(match.start()),
        source.line(declared.start(1)),
    )


def _delegates(source: Source) -> tuple[Delegate, ...]:
    pattern = re.compile(
        r"\bDECLARE_DYNAMIC_(MULTICAST_)?DELEGATE(?:_(\w+?)Params?)?\s*\("
    )
    found = []
    for match in pattern.finditer(source.bare):
        opening = match.end() - 1
        name, *rest = split_list(source.code[opening + 1 : source.end(opening)])
        count = COUNTS.get(match[2] or "", -1)
        if len(rest) != 2 * count:
            raise source.error(match.start(), f"{name} needs {count} types with names")
        parameters = tuple(
            Parameter(one_space(rest[i]), rest[i + 1], None)
            for i in range(0, len(rest), 2)
        )
        line = source.line(match.start())
        found.append(Delegate(name, bool(match[1]), parameters, line))
    return tuple(found)
