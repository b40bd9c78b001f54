"""Random actions give the same transcript in two engines.

What depends on timing, on addresses or on the order of a hash table shows here. To look
further than the same few examples:

    TALEFOLD_EXAMPLES=2000 pytest tests/golden/test_repeats.py
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from .readable import dump_sorted
from .runner import run
from .surface import Plain, Surface
from .surfaces import SURFACES

# Building the C interface takes minutes.
pytestmark = pytest.mark.timeout(3600)

EXAMPLES = int(os.environ.get("TALEFOLD_EXAMPLES", "25"))
INTERNAL_ERROR = 2001

TEXTS = st.sampled_from(["", "Aye.", "A room for the night?", "é 👩‍🌾", "x" * 70])
INDICES = st.integers(0, 6)
KEYS = st.sampled_from(["guest", "debt"])
SLOTS = st.sampled_from(["first", "second"])
PARAMS = st.sampled_from(
    [
        ("reply", {"stream": False}),
        ("reply", {"sampling": {"max_tokens": 6}}),
        ("reply", {"context_size": 64}),
        ("summarize", {"trigger_turns": 1, "keep_recent_turns": 0}),
        ("summarize", {"trigger_turns": 3, "keep_recent_turns": 1}),
        ("nobody", {"stream": True}),
    ]
)
REPLIES = st.lists(
    st.sampled_from(
        [
            "Aye.",
            "I say what I have to say.",
            "",
            {"echo": True},
            {"outcome": "fail"},
            {"text": "Half", "outcome": "fail"},
            {"outcome": "out_of_context"},
            {"text": "Cut he", "outcome": "out_of_context"},
        ]
    ),
    min_size=1,
    max_size=6,
)


def action(do: str, **arguments: st.SearchStrategy[Any]) -> st.SearchStrategy[Plain]:
    return st.fixed_dictionaries({"do": st.just(do), **arguments})


SEND = action("send", text=TEXTS | st.none())
ACTIONS = st.one_of(
    *[SEND] * 4,
    *map(action, ("regenerate", "refold", "undo_last_turn", "snapshot")),
    action("replay_turn", user=TEXTS, assistant=TEXTS),
    action("append_interaction", user=TEXTS, assistant=TEXTS),
    action("edit_interaction", index=INDICES, user=TEXTS | st.none()),
    action("set_summary", text=TEXTS),
    action("pin", key=KEYS, text=TEXTS),
    action("unpin", key=KEYS),
    PARAMS.map(lambda it: {"do": "change_params", "node": it[0], "params": it[1]}),
    action("save", slot=SLOTS),
    action("load", slot=SLOTS),
)

GRAPH: Plain = {
    "format": "talefold-graph",
    "version": 1,
    "start_node": "reply",
    "nodes": [
        {
            "name": "reply",
            "type": "Generate",
            "params": {
                "context_size": 400,
                "stream": True,
                "sampling": {"seed": 7, "max_tokens": 32},
                "default_exit": "line",
            },
        },
        {
            "name": "line",
            "type": "CannedResponse",
            "params": {
                "inline_strings": ["So it is.", "So it goes."],
                "selection_strategy": "sequential",
                "default_exit": "summarize",
            },
        },
        {
            "name": "summarize",
            "type": "Summarize",
            "params": {
                "trigger_turns": 2,
                "keep_recent_turns": 1,
                "max_summary_tokens": 32,
                "notify_client": True,
                "sampling": {"seed": 7},
            },
        },
    ],
}


@pytest.fixture(autouse=True, scope="module")
def _quiet() -> Iterator[None]:
    """Much fails here, with warnings."""
    logger = logging.getLogger("talefold")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    yield
    logger.setLevel(level)


def scenario(replies: list[Any], summaries: list[Any], actions: list[Plain]) -> Plain:
    script = {"replies": replies, "node_replies": {"summarize": summaries}}
    saved = [{"do": "save", "slot": slot} for slot in ("first", "second")]
    return {
        "format": "talefold-scenario",
        "version": 1,
        "engine": {"worker_threads": 2},
        "models": [{"name": "edric", "scripted": script | {"tokenizer": "chars"}}],
        "agents": {"edric": {"graph": GRAPH, "diagnostics": True}},
        "actions": saved + actions,
    }


@pytest.mark.parametrize("surface", SURFACES)
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize="TALEFOLD_EXAMPLES" not in os.environ,
)
@given(
    replies=REPLIES,
    summaries=REPLIES,
    actions=st.lists(ACTIONS, min_size=1, max_size=20),
)
def test_random_actions_repeat(
    open_surface: Callable[[str], Surface],
    surface: str,
    replies: list[Any],
    summaries: list[Any],
    actions: list[Plain],
) -> None:
    played = scenario(replies, summaries, actions)
    first = run(played, SURFACES["python"]())

    again = run(played, open_surface(surface))

    assert dump_sorted(again) == dump_sorted(first)
    codes = [each.get("error", each.get("code")) for each in first["actions"]]
    assert INTERNAL_ERROR not in codes
