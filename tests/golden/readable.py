"""JSON for people: what fits into a line stands in one."""

from __future__ import annotations

import json
from typing import Any

_WIDTH = 120  # an event in one line


def dump(value: Any) -> str:
    """The text of a file."""
    return _lines(value, "", 0) + "\n"


def dump_sorted(value: Any) -> str:
    """The same for values that differ in the order of keys alone."""
    return dump(_sorted(value))


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value)}
    if isinstance(value, list):
        return [_sorted(each) for each in value]
    return value


def _lines(value: Any, indent: str, used: int) -> str:
    short = json.dumps(value, ensure_ascii=False)
    if not value or not isinstance(value, dict | list):
        return short
    if len(indent) + used + len(short) < _WIDTH:
        return short
    inner = indent + "  "
    if isinstance(value, dict):
        keys = [json.dumps(key, ensure_ascii=False) + ": " for key in value]
        items = [
            inner + key + _lines(item, inner, len(key))
            for key, item in zip(keys, value.values(), strict=True)
        ]
        begin, end = "{", "}"
    else:
        items = [inner + _lines(item, inner, 0) for item in value]
        begin, end = "[", "]"
    return f"{begin}\n" + ",\n".join(items) + f"\n{indent}{end}"
