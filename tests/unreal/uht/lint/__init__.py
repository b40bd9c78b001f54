"""What Unreal's header tool and build would refuse, or designers stumble over.

A rule takes a header or source and yields problems. Their names are those of no
official list.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from ..model import Header
from ..parse import parse
from . import code, declarations
from .pins import pins
from .problem import Found, Problem

__all__ = ["RULES", "Problem", "lint", "lint_header", "pins"]

RULES: dict[str, Callable[[Header], Found]] = {
    rule.__name__: rule
    for rule in (
        declarations.generated_include,
        declarations.generated_body,
        declarations.names,
        declarations.placement,
        declarations.one_class,
        declarations.enums,
        declarations.specifiers,
        declarations.member_types,
        declarations.unseen_objects,
        declarations.categories,
        declarations.private_access,
        declarations.defaults,
        declarations.arguments,
        declarations.overloads,
        declarations.events,
        declarations.async_outputs,
        declarations.exported,
        declarations.settings,
        code.forbidden_words,
        code.constructors,
        code.json_values,
        code.third_party,
    )
}


def lint_header(header: Header) -> list[Problem]:
    return [
        Problem(name, header.path, line, text)
        for name, rule in RULES.items()
        for line, text in rule(header)
    ]


def lint(folder: Path) -> list[Problem]:
    """Of all sources below a folder."""
    problems = []
    for path in sorted([*folder.rglob("*.h"), *folder.rglob("*.cpp")]):
        problems += lint_header(parse(path))
    return problems
