"""The agents of a scenario, and what is done to them.

Each public method of `Stage` that is listed in `_ACTIONS` is an action, its arguments
are the action's keys.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from .observed import (
    WAIT_MS,
    finish,
    is_last,
    next_event,
    settled_events,
    settled_interaction,
    state_of,
)
from .surface import (
    AgentSurface,
    EngineSurface,
    Plain,
    Surface,
    SurfaceError,
    TurnSurface,
)

Scenario: TypeAlias = Mapping[str, Any]


class Stage:
    """An engine with the agents of a scenario. Each public method is an action."""

    def __init__(self, scenario: Scenario, surface: Surface, weights: str) -> None:
        self._agents: dict[str, AgentSurface] = {}
        self._graphs: dict[str, Plain] = {}
        self._saved: dict[str, str] = {}
        self.engine = surface.open(scenario.get("engine", {}))
        try:
            load_content(self.engine, scenario, weights)
            for name, agent in scenario["agents"].items():
                self._create(name, **agent)
        except BaseException:
            self.engine.close()
            raise
        self._only = next(iter(self._agents)) if len(self._agents) == 1 else ""

    def _create(
        self,
        name: str,
        *,
        graph: Plain,
        model: str = "",
        diagnostics: bool = False,
        snapshot: str | None = None,
    ) -> None:
        options: Plain = {
            "default_model_name": model,
            "enable_diagnostics": diagnostics,
        }
        if snapshot is not None:
            options["snapshot"] = snapshot
        self._agents[name] = self.engine.create_agent(_text(graph), options)
        self._graphs[name] = graph

    def states(self) -> Plain:
        """By agent, at this moment."""
        return {name: self._state(name) for name in self._agents}

    def _state(self, name: str) -> Plain:
        nodes = [node["name"] for node in self._graphs[name]["nodes"]]
        try:
            return state_of(self._agents[name], nodes)
        except SurfaceError as error:  # it is closed
            return {"error": error.code}

    # Actions

    def perform(self, action: Plain) -> Plain:
        """What an action did: its name, its agent, and the rest by its kind."""
        arguments = dict(action)
        do = arguments.pop("do")
        name = arguments.pop("agent", self._only)
        arguments.pop("expect_error", None)
        arguments.pop("why", None)
        said = {"do": do, "agent": name}
        try:
            if do in _TURNS:
                return said | finish(_TURNS[do](self._agents[name], **arguments), [])
            return said | (_ACTIONS[do](self, name, **arguments) or {})
        except SurfaceError as error:
            return said | {"error": error.code}

    def cancel(
        self,
        name: str,
        *,
        turn: Plain,
        after: str,
        final: bool = False,
        meanwhile: Sequence[Plain] = (),
    ) -> Plain:
        """Starts a turn, and cancels it when its text ends in `after`.

        With `final`, only when that is said to be all of the text.
        """
        arguments = dict(turn)
        start = _TURNS[arguments.pop("do")]
        running = start(self._agents[name], **arguments)
        events = until_said(running, after, final)
        outcomes = [self.perform(action) for action in meanwhile]
        running.cancel()
        result = finish(running, events)
        return result | ({"meanwhile": outcomes} if outcomes else {})

    def create(
        self,
        name: str,
        *,
        like: str = "",
        graph: Plain | None = None,
        slot: str | None = None,
        **options: Any,
    ) -> None:
        """A new agent, with the graph of another or its own; it may load a slot."""
        snapshot = None if slot is None else self._saved[slot]
        graph = self._graphs[like] if graph is None else graph
        self._create(name, graph=graph, snapshot=snapshot, **options)

    def save(self, name: str, *, slot: str) -> None:
        self._saved[slot] = self._agents[name].export_snapshot()

    def load(self, name: str, *, slot: str | None = None, text: str = "") -> None:
        """Into an agent that is there: a slot, or a text."""
        self._agents[name].import_snapshot(text if slot is None else self._saved[slot])

    def snapshot(self, name: str) -> Plain:
        return {"state": self._state(name)}

    def close(self, name: str) -> None:
        self._agents[name].close()

    def submit_tool_result(
        self,
        name: str,
        *,
        json: str,
        interaction: int = 0,
        call: int = 0,
        call_id: str | None = None,
        resume: bool = True,
    ) -> Plain | None:
        agent = self._agents[name]
        if call_id is None:
            call_id = agent.dialog()[interaction]["tool_calls"][call]["id"]
        if resume:
            return finish(agent.start_tool_result(call_id, json), [])
        agent.submit_tool_result(call_id, json)
        return None

    def wait_background(self, name: str) -> Plain:
        agent = self._agents[name]
        done = agent.wait_background(WAIT_MS)
        return {"done": done, "events": settled_events(agent.poll_background())}

    def edit_interaction(
        self,
        name: str,
        *,
        index: int,
        user: str | None = None,
        assistant: str | None = None,
    ) -> None:
        self._agents[name].edit_interaction(index, user, assistant)

    def undo_last_turn(self, name: str) -> Plain:
        return {"removed": settled_interaction(self._agents[name].undo_last_turn())}

    def append_interaction(
        self, name: str, *, user: str = "", assistant: str = ""
    ) -> None:
        self._agents[name].append_interaction(user, assistant)

    def history_states(self, name: str, *, node: str) -> Plain:
        return {"states": self._agents[name].history_states(node)}

    def set_summary(self, name: str, *, text: str) -> None:
        self._agents[name].set_summary(text)

    def pin(self, name: str, *, key: str, text: str) -> None:
        self._agents[name].pin(key, text)

    def unpin(self, name: str, *, key: str) -> Plain:
        return {"removed": self._agents[name].unpin(key)}

    def change_params(self, name: str, *, node: str, params: Plain) -> None:
        self._agents[name].change_params(node, _text(params))


_TURNS: dict[str, Callable[..., TurnSurface]] = {
    "send": lambda agent, *, text: agent.start(text),
    "regenerate": lambda agent: agent.start_regenerate(),
    "replay_turn": lambda agent, *, user="", assistant="": agent.start_replay(
        user, assistant
    ),
    "refold": lambda agent: agent.start_refold(),
}

_ACTIONS: dict[str, Callable[..., Plain | None]] = {
    action.__name__: action
    for action in (
        Stage.append_interaction,
        Stage.cancel,
        Stage.change_params,
        Stage.close,
        Stage.create,
        Stage.edit_interaction,
        Stage.history_states,
        Stage.load,
        Stage.pin,
        Stage.save,
        Stage.set_summary,
        Stage.snapshot,
        Stage.submit_tool_result,
        Stage.undo_last_turn,
        Stage.unpin,
        Stage.wait_background,
    )
}


def load_content(engine: EngineSurface, scenario: Scenario, weights: str) -> None:
    """The models, storages and knowledge of a scenario."""
    for model in scenario["models"]:
        if "scripted" in model:
            engine.load_scripted_model(model["name"], model["scripted"])
        else:
            engine.load_model(model["name"], weights, model["smollm2"])
    for name, entries in scenario.get("storages", {}).items():
        engine.add_storage(name, entries)
    for name, base in scenario.get("knowledge", {}).items():
        engine.load_knowledge(name, base["config"], base["records"])


def until_said(turn: TurnSurface, end: str, final: bool) -> list[Plain]:
    """The events up to the text that ends so, or to the last one."""
    events: list[Plain] = []
    said = ""
    while True:
        event = next_event(turn)
        events.append(event)
        if is_last(event):
            return events
        if event["kind"] != "answer_text":
            continue
        said = (said if event["is_delta"] else "") + event["text"]
        if said.endswith(end) and (event["is_final"] or not final):
            return events


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
