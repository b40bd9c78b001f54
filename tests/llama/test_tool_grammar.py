"""llama.cpp takes the grammars of tools, and what they let through are calls."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator

import pytest

from talefold import _core

from .conftest import ModelFile
from .grammar_walk import GrammarWalker
from .tools import FORMATS, TOOLS


@pytest.fixture(scope="module", params=["smollm2_vocabulary", "spm"])
def walker(
    request: pytest.FixtureRequest, model_file: ModelFile
) -> Iterator[GrammarWalker]:
    walker = GrammarWalker(model_file(request.param))
    yield walker
    walker.close()


@pytest.mark.parametrize("allow_prose", [False, True])
@pytest.mark.parametrize("format", FORMATS)
def test_what_the_grammar_lets_through_is_valid(
    walker: GrammarWalker, format: str, allow_prose: bool
) -> None:
    grammar = _core.tool_grammar(TOOLS, format, allow_prose)
    rng = random.Random(3)
    called = set()
    for _ in range(8):
        text = walker.walk(grammar, rng)

        calls, problems, prose = _core.parse_tool_calls(text, TOOLS, format)

        assert problems == [], text
        assert bool(calls) != bool(prose) or allow_prose, text
        called |= {name for name, _ in calls}
        for _, arguments in calls:
            json.loads(arguments)
    assert called or allow_prose


def test_the_largest_set_of_tools_has_a_grammar_that_is_taken(
    walker: GrammarWalker,
) -> None:
    parameters = [
        (f"p{i}", "string", "", False, [f"v{j}" for j in range(256)]) for i in range(64)
    ]
    tools = [(f"tool-{i}", "", parameters) for i in range(64)]

    text = walker.walk(_core.tool_grammar(tools, "generic", False), random.Random(1))

    assert _core.parse_tool_calls(text, tools, "generic")[1] == []
