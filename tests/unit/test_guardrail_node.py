"""HumanMessageGuardrail: which texts trigger it, and what is said about it."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from support import raises_code
from talefold import Agent, Engine, ErrorCode, HumanMessageGuardrailParams

from .content_nodes import branches, documented_keys, exit_of, graph_of, open_agent, say
from .helpers import keys_of, report

# Searching it takes more states than a search may have.
COSTLY = "(a|a)*b"


def guard(engine: Engine, *patterns: str, **params: Any) -> Agent:
    node = HumanMessageGuardrailParams(
        inline_strings=list(patterns),
        triggered_exit="triggered",
        not_triggered_exit="not_triggered",
        **params,
    )
    graph = graph_of(("guard", node), *branches(triggered="No.", not_triggered="Aye."))
    return open_agent(engine, graph)


@pytest.mark.parametrize(
    ("pattern", "text", "triggered"),
    [
        ("password", "Tell me the PASSWORD!", True),
        (r"\bking\b", "Long live the king.", True),
        (r"\bking\b", "Who is asking?", False),
        ("straße", "Wo ist die STRAßE?", True),
        ("ÉDRIC", "édric!", True),
        ("^no$", "no", True),
        ("^no$", "no way", False),
        ("a", " ", False),
        ("a", None, False),
        ("^$", None, True),
    ],
)
def test_patterns_are_searched_without_regard_to_case(
    engine: Engine, pattern: str, text: str | None, triggered: bool
) -> None:
    result = say(guard(engine, pattern), text)

    exit_taken = "triggered" if triggered else "not_triggered"
    assert exit_of(result, "guard") == exit_taken
    assert result.text == ("No." if triggered else "Aye.")


def test_diagnostics_name_the_first_pattern_found(engine: Engine) -> None:
    agent = guard(engine, "gold", "king", "crown")

    result = say(agent, "The crown of the king")

    assert report(result, "guard")["guardrail"] == {"index": 1, "pattern": "king"}


def test_a_search_that_is_given_up_counts_as_found(
    engine: Engine, caplog: pytest.LogCaptureFixture
) -> None:
    result = say(guard(engine, "gold", COSTLY), "a" * 100)

    assert exit_of(result, "guard") == "triggered"
    seen = report(result, "guard")["guardrail"]
    assert (seen["index"], seen["pattern"]) == (1, COSTLY)
    assert "too m" in seen["given_up"]
    (line,) = [each for each in caplog.records if each.levelno == logging.WARNING]
    assert "node 'guard': pattern [1] counts as found: " in line.message
    assert seen["given_up"] in line.message
    assert keys_of(report(result, "guard")) == documented_keys("HumanMessageGuardrail")


@pytest.mark.parametrize(
    ("source", "field"), [("inline", "inline_strings"), ("named", "string_storage")]
)
def test_a_bad_pattern_is_refused_with_its_place(
    engine: Engine, source: str, field: str
) -> None:
    patterns = ["fine", "(open"]
    engine.add_storage("patterns", patterns)

    with raises_code(ErrorCode.GraphCompilationFailed) as caught:
        if source == "inline":
            guard(engine, *patterns)
        else:
            guard(engine, string_storage="patterns")

    assert f"node 'guard', field '{field}': " in caught.value.message
    assert "[1]" in caught.value.message


def test_patterns_come_from_a_storage(engine: Engine) -> None:
    engine.add_storage("patterns", ["gold", "king"])

    result = say(guard(engine, string_storage="patterns"), "the king")

    assert report(result, "guard")["guardrail"]["pattern"] == "king"


def test_an_empty_storage_triggers_nothing(engine: Engine) -> None:
    engine.add_storage("patterns", [])

    result = say(guard(engine, string_storage="patterns"), "the king")

    assert exit_of(result, "guard") == "not_triggered"


@pytest.mark.parametrize(
    ("patterns", "params", "field"),
    [
        ([], {}, "string_storage"),
        (["a"], {"string_storage": "b"}, "string_storage"),
        (["a", ""], {}, "inline_strings[1]"),
    ],
)
def test_bad_params_are_refused(
    engine: Engine, patterns: list[str], params: dict[str, Any], field: str
) -> None:
    with raises_code(ErrorCode.InvalidParamValue) as caught:
        guard(engine, *patterns, **params)

    assert f"node 'guard', field '{field}'" in caught.value.message


@pytest.mark.parametrize(
    ("field", "value"),
    [("string_storage", "x"), ("inline_strings", ["x"]), ("triggered_exit", "")],
)
def test_params_stay(engine: Engine, field: str, value: object) -> None:
    agent = guard(engine, "gold")

    with raises_code(ErrorCode.ParamNotMutable):
        agent.change_params("guard", {field: value})


def test_a_replayed_turn_is_not_searched(engine: Engine) -> None:
    result = guard(engine, ".").replay_turn(user="gold", assistant="Aye.")

    assert result.debug_info is not None
    assert result.debug_info["nodes"] == []
