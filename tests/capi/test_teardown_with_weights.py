"""An engine with real weights that is destroyed in the midst of its work."""

from __future__ import annotations

import ctypes
import json
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from talefold import Catalogue, TalefoldError

from .c_api import CApi, CApiError, TextView, text_argument

pytestmark = pytest.mark.timeout(3600)

ENGINE_CLOSED, INVALID_HANDLE, AGENT_CLOSED = 2002, 2006, 3001
GRAPH = json.dumps(
    {
        "format": "talefold-graph",
        "version": 1,
        "start_node": "talk",
        "nodes": [
            {
                "name": "talk",
                "type": "Generate",
                "params": {
                    "system_prompt": "The inn is old. " * 120,
                    "context_size": 2048,
                    "stream": True,
                    "sampling": {"max_tokens": 64},
                },
            }
        ],
    }
)


class World:
    """An engine that loads SmolLM2, and what was begun with it."""

    def __init__(self, api: CApi, weights: str) -> None:
        self.api = api
        self.engine = api.handle("engine_create", None)
        options = json.dumps({"path": weights})
        self.load = api.handle("engine_load_model", self.engine, "smol", options)

        self.agent = 0
        self.saver: threading.Thread | None = None
        self.save_ended_with: int | None = None

    def talk(self) -> int:
        while not self.api.flag("task_wait", self.load, 1000):
            pass
        no_kv = text_argument(None)
        self.agent = self.api.handle(
            "engine_create_agent", self.engine, GRAPH, None, None, no_kv
        )
        return self.api.handle("agent_start", self.agent, "Any rooms?", 0)

    def finish(self, turn: int) -> None:
        while not self.api.flag("task_wait", turn, 1000):
            pass


def loading(world: World) -> None:
    assert world.load != 0


def prefilling(world: World) -> None:
    world.talk()
    time.sleep(0.05)


def streaming(world: World) -> None:
    turn = world.talk()
    while world.api.event("task_wait_event", turn, 1000).text.size == 0:
        pass


def save_for_ever(world: World) -> None:
    size, kv = ctypes.c_int64(), TextView()
    while True:
        world.api.text("agent_export_snapshot", world.agent)
        world.api("agent_kv_export_size", world.agent, ctypes.byref(size))
        world.api("agent_export_kv", world.agent, ctypes.byref(kv))


def saving(world: World) -> None:
    world.finish(world.talk())

    def save() -> None:
        with pytest.raises(CApiError) as caught:
            save_for_ever(world)
        world.save_ended_with = caught.value.code

    world.saver = threading.Thread(target=save)
    world.saver.start()
    time.sleep(0.05)


@pytest.fixture(scope="module")
def weights() -> str:
    try:
        return str(Catalogue().find("smollm2-135m").locate())
    except TalefoldError as error:
        pytest.skip(error.message)


@pytest.mark.parametrize("begin", [loading, prefilling, streaming, saving])
def test_nothing_is_left(
    shared_library: Path, weights: str, begin: Callable[[World], None]
) -> None:
    api = CApi(shared_library)
    world = World(api, weights)
    begin(world)

    api("engine_destroy", world.engine)

    if world.saver is not None:
        world.saver.join(30)
        closed = {ENGINE_CLOSED, INVALID_HANDLE, AGENT_CLOSED}
        assert world.save_ended_with in closed
    with pytest.raises(CApiError, match=str(INVALID_HANDLE)):
        api.event("task_poll", world.load)
