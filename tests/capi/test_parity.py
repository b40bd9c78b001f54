"""Everything that Python can do, C can do."""

from __future__ import annotations

import pytest

from talefold import _core

from .c_api import functions_of_header

CLASSES = {
    "engine": _core.Engine,
    "agent": _core.Agent,
    "task": _core.Turn,
    "scene": _core.Scene,
}

# Where a function of C has another name, or something else does its work.
ELSEWHERE = {
    "engine_close": "engine_destroy",
    "agent_change_params_json": "agent_change_params",
    "task_id": "task_poll",  # turn_id of its events
    "task_done": "task_wait",  # without waiting
    "task_set_listener": "task_poll",  # events are polled, never called back
    "scene_poll_events": "scene_poll_event",  # one a call
}


@pytest.mark.parametrize("kind", CLASSES)
def test_every_method_of_the_core_has_its_function(kind: str) -> None:
    methods = {
        f"{kind}_{name}" for name in dir(CLASSES[kind]) if not name.startswith("_")
    }

    there = {ELSEWHERE.get(name, name) for name in methods}
    assert there <= set(functions_of_header())


def test_what_is_named_elsewhere_is_there() -> None:
    assert set(ELSEWHERE.values()) <= set(functions_of_header())
    assert not set(ELSEWHERE) & set(functions_of_header())
