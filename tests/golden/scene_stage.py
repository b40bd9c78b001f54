"""The scene of a scenario, and what is done to it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from .observed import finish, settled_events
from .stage import Scenario, load_content, until_said
from .surface import Plain, SceneSurface, Surface, SurfaceError

_TURNS = {"take_turn", "regenerate"}


class SceneStage:
    """An engine with one scene."""

    def __init__(self, scenario: Scenario, surface: Surface, weights: str) -> None:
        options = dict(scenario["scene"])
        self._characters: dict[str, Plain] = options.pop("characters", {})
        if "memory_graph" in options:
            options["memory_graph"] = _text(options["memory_graph"])
        self._options = options
        self._saved: dict[str, str] = {}
        self.engine = surface.open(scenario.get("engine", {}))
        try:
            load_content(self.engine, scenario, weights)
            self._scene = self._create({})
        except BaseException:
            self.engine.close()
            raise

    def _create(self, snapshot: Plain) -> SceneSurface:
        scene = self.engine.create_scene(self._options | snapshot)
        for name, character in self._characters.items():
            active = character.get("active", True)
            scene.add_character(name, _text(character["graph"]), active)
        return scene

    def states(self) -> Plain:
        """All that can be read of the scene."""
        try:
            snapshot = json.loads(self._scene.export_snapshot())
            return self._scene.state() | {"snapshot": snapshot}
        except SurfaceError as error:  # it is closed
            return {"error": error.code}

    def perform(self, action: Plain) -> Plain:
        """What an action did: its name, and the rest by its kind."""
        arguments = dict(action)
        do = arguments.pop("do")
        arguments.pop("expect_error", None)
        arguments.pop("why", None)
        try:
            return {"do": do} | self._perform(do, arguments)
        except SurfaceError as error:
            return {"do": do, "error": error.code}

    def _perform(self, do: str, arguments: Plain) -> Plain:
        if do in _TURNS:
            return finish(self._scene.start(do, **arguments), [])
        if do == "cancel":
            return self._cancel(**arguments)
        if do == "save":
            self._saved[arguments["slot"]] = self._scene.export_snapshot()
            return {}
        if do == "load":
            self._load(**arguments)
            return {}
        if do == "snapshot":
            return {"state": self.states()}
        returned = self._scene.call(do, **arguments)
        if do == "poll_events":
            return {"events": settled_events(returned)}
        return {} if returned is None else {"returned": returned}

    def _cancel(
        self, *, turn: Plain, after: str, meanwhile: Sequence[Plain] = ()
    ) -> Plain:
        """Starts a turn, and cancels it when its text ends in `after`."""
        running = self._scene.start(turn["do"], character=turn["character"])
        events = until_said(running, after, final=False)
        outcomes = [self.perform(action) for action in meanwhile]
        running.cancel()
        result = finish(running, events)
        return result | ({"meanwhile": outcomes} if outcomes else {})

    def _load(self, *, slot: str | None = None, text: str = "") -> None:
        """A new scene from a slot or a text takes the place of this one."""
        snapshot = text if slot is None else self._saved[slot]
        made = self._create({"snapshot": snapshot})
        self._scene.call("close")
        self._scene = made


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
