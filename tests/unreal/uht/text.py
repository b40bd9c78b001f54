"""C++ text: comments, brackets, lists. Positions and lines are kept."""

from __future__ import annotations

import re

_TOKEN = re.compile(
    r"""//[^\n]* | /\*.*?\*/ | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*'""",
    re.VERBOSE | re.DOTALL,
)
_OPENING = {"(": ")", "{": "}", "[": "]", "<": ">"}


def blank(text: str) -> str:
    """Spaces, of the same length and lines."""
    return re.sub(r"[^\n]", " ", text)


def without_comments(source: str) -> str:
    def replace(match: re.Match[str]) -> str:
        return blank(match[0]) if match[0].startswith("/") else match[0]

    return _TOKEN.sub(replace, source)


def without_literals(code: str) -> str:
    """Of code without comments: texts keep their quotes alone."""

    def replace(match: re.Match[str]) -> str:
        return match[0][0] + blank(match[0][1:-1]) + match[0][-1]

    return _TOKEN.sub(replace, code)


def closing(code: str, start: int) -> int:
    """The position of the bracket that closes the one at `start`; -1 if none does.

    `code` has no comments and no content of literals.
    """
    opening, end = code[start], _OPENING[code[start]]
    depth = 0
    for position in range(start, len(code)):
        if code[position] == opening:
            depth += 1
        elif code[position] == end:
            depth -= 1
            if depth == 0:
                return position
    return -1


def split_list(text: str, separator: str = ",") -> list[str]:
    """The parts of a list, minding brackets, templates and texts."""
    parts, depth, quoted, start, position = [], 0, False, 0, 0
    while position < len(text):
        letter = text[position]
        if letter == "\\" and quoted:
            position += 1
        elif letter == '"':
            quoted = not quoted
        elif not quoted and letter in "([{<":
            depth += 1
        elif not quoted and letter in ")]}>":
            depth -= 1
        elif not quoted and depth == 0 and letter == separator:
            parts.append(text[start:position].strip())
            start = position + 1
        position += 1
    parts.append(text[start:].strip())
    return [part for part in parts if part]


def line_of(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1


def one_space(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()
