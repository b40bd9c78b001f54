"""Ends an engine in the midst of its work: LIBRARY WEIGHTS PHASE ENDING.

A program of its own: the log of llama.cpp has one taker in a process.
"""

from __future__ import annotations

import ctypes
import json
import sys
import threading
import time
from pathlib import Path

from .c_api import CApi, CApiError, TextView, text_argument

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
        try:
            save_for_ever(world)
        except CApiError as error:
            world.save_ended_with = error.code

    world.saver = threading.Thread(target=save)
    world.saver.start()
    time.sleep(0.05)


PHASES = {each.__name__: each for each in (loading, prefilling, streaming, saving)}


def code_of_poll(world: World) -> int:
    try:
        world.api.event("task_poll", world.load)
    except CApiError as error:
        return error.code
    return 0


def destroy(world: World) -> None:
    world.api("engine_destroy", world.engine)
    if world.saver is not None:
        world.saver.join(60)
        closed = {ENGINE_CLOSED, INVALID_HANDLE, AGENT_CLOSED}
        assert world.save_ended_with in closed
    assert code_of_poll(world) == INVALID_HANDLE


def exit_process(world: World) -> None:
    """As a host in C whose main returns: exit handlers run, no thread is joined."""
    assert world.engine != 0
    ctypes.CDLL(None).exit(0)


ENDINGS = {each.__name__: each for each in (destroy, exit_process)}


def main(library: str, weights: str, phase: str, ending: str) -> None:
    world = World(CApi(Path(library)), weights)
    PHASES[phase](world)
    ENDINGS[ending](world)


if __name__ == "__main__":
    main(*sys.argv[1:])
