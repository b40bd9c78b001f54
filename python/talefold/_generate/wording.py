"""How ranges, types and defaults are put into words."""

from __future__ import annotations

from typing import Any


def range_text(field: dict[str, Any]) -> str:
    """The allowed values: "0 to 512", "at least 0", or empty."""
    low, high = field["min"], field["max"]
    if low is not None and high is not None:
        return f"{low} to {high}"
    if low is not None:
        return f"at least {low}"
    if high is not None:
        return f"at most {high}"
    if field["non_empty"]:
        return "not empty"
    return ""


def is_required(field: dict[str, Any]) -> bool:
    """Whether a field's default is a value that validation rejects."""
    return bool(field["non_empty"]) and field["default"] == ""


def sentence(text: str) -> str:
    """`text` with a capital letter and a full stop."""
    text = text[:1].upper() + text[1:]
    return text if text.endswith(".") else text + "."
