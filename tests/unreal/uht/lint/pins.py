"""What Blueprints see of the plugin: names, pins and their types."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ..model import Class, Header
from ..parse import parse
from .declarations import BLUEPRINT


def pins(folder: Path) -> str:
    """The table of everything visible to Blueprints, generated structs left out."""
    lines = []
    for path in sorted((folder / "Public").rglob("*.h")):
        if "Generated" not in path.parts:
            header = parse(path)
            for each in header.classes:
                lines += pins_of(each, header)
    return "\n".join(lines) + "\n"


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
