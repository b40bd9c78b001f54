"""Scenarios through the Python package."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, is_dataclass
from typing import Any

from talefold import (
    Agent,
    AnswerText,
    AudioChunk,
    DecisionRequired,
    Engine,
    Event,
    GraphDescription,
    NodeEvent,
    SamplingOverrides,
    Scene,
    SceneSettings,
    ScriptedReply,
    TalefoldError,
    Turn,
    TurnResult,
)

from .surface import Options, Plain, SurfaceError


class PythonSurface:
    """The package, in this process."""

    def open(self, options: Options) -> PythonEngine:
        with _codes():
            return PythonEngine(Engine(**options))


class PythonEngine:
    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def load_scripted_model(self, name: str, options: Options) -> None:
        given = _with_sampling(options)
        if "replies" in given:
            given["replies"] = _script(given["replies"])
        if "node_replies" in given:
            scripts = given["node_replies"].items()
            given["node_replies"] = {node: _script(script) for node, script in scripts}
        with _codes():
            self._engine.load_scripted_model(name, **given)

    def load_model(self, name: str, path: str, options: Options) -> None:
        with _codes():
            self._engine.load_model(name, path, **_with_sampling(options))

    def add_storage(self, name: str, entries: Any) -> None:
        if isinstance(entries, list) and not all(isinstance(e, str) for e in entries):
            entries = [(key, text) for key, text in entries]
        with _codes():
            self._engine.add_storage(name, entries)

    def load_knowledge(self, name: str, config: Options, records: list[Plain]) -> None:
        with _codes():
            self._engine.load_knowledge(name, config=config, records=records)

    def create_agent(self, graph_json: str, options: Options) -> PythonAgent:
        with _codes():
            graph = GraphDescription.from_json(graph_json)
            return PythonAgent(self._engine.create_agent(graph, **options))

    def create_scene(self, options: Options) -> PythonScene:
        given = dict(options)
        with _codes():
            if "memory_graph" in given:
                graph = GraphDescription.from_json(given["memory_graph"])
                given["memory_graph"] = graph
            if "settings" in given:
                given["settings"] = SceneSettings(**given["settings"])
            return PythonScene(self._engine.create_scene(**given))

    def close(self) -> None:
        self._engine.close()


class PythonAgent:
    def __init__(self, agent: Agent) -> None:
        self._agent = agent

    # Turns

    def start(self, text: str | None) -> PythonTurn:
        with _codes():
            return PythonTurn(self._agent.start(text))

    def start_regenerate(self) -> PythonTurn:
        with _codes():
            return PythonTurn(self._agent.start_regenerate())

    def start_replay(self, user: str, assistant: str) -> PythonTurn:
        with _codes():
            return PythonTurn(self._agent.start_replay(user=user, assistant=assistant))

    def start_refold(self) -> PythonTurn:
        with _codes():
            return PythonTurn(self._agent.start_refold())

    def start_tool_result(self, call_id: str, json_text: str) -> PythonTurn:
        with _codes():
            return PythonTurn(self._agent.start_tool_result(call_id, json_text))

    def submit_tool_result(self, call_id: str, json_text: str) -> None:
        with _codes():
            self._agent.submit_tool_result(call_id, json_text, resume=False)

    # The past

    def append_interaction(self, user: str, assistant: str) -> None:
        with _codes():
            self._agent.append_interaction(user=user, assistant=assistant)

    def edit_interaction(
        self, index: int, user: str | None, assistant: str | None
    ) -> None:
        with _codes():
            self._agent.edit_interaction(index, user=user, assistant=assistant)

    def undo_last_turn(self) -> Plain:
        with _codes():
            return asdict(self._agent.undo_last_turn())

    def dialog(self) -> list[Plain]:
        with _codes():
            return [asdict(each) for each in self._agent.dialog()]

    def history_states(self, node: str) -> list[str]:
        with _codes():
            return list(self._agent.history_states(node))

    def get_summary(self) -> Plain | None:
        with _codes():
            summary = self._agent.get_summary()
        return None if summary is None else asdict(summary)

    def set_summary(self, text: str) -> None:
        with _codes():
            self._agent.set_summary(text)

    # Pins and params

    def pin(self, key: str, text: str) -> None:
        with _codes():
            self._agent.pin(key, text)

    def unpin(self, key: str) -> bool:
        with _codes():
            return self._agent.unpin(key)

    def pins(self) -> dict[str, str]:
        with _codes():
            return self._agent.pins()

    def change_params(self, node: str, params_json: str) -> None:
        with _codes():
            self._agent.change_params(node, json.loads(params_json))

    # The rest

    def poll_background(self) -> list[Plain]:
        with _codes():
            return [_event(each) for each in self._agent.poll_background()]

    def wait_background(self, timeout_ms: int) -> bool:
        with _codes():
            return self._agent.wait_background(timeout_ms=timeout_ms)

    def export_snapshot(self) -> str:
        with _codes():
            return self._agent.export_snapshot()

    def import_snapshot(self, text: str) -> None:
        with _codes():
            self._agent.import_snapshot(text)

    def close(self) -> None:
        self._agent.close()


class PythonScene:
    def __init__(self, scene: Scene) -> None:
        self._scene = scene

    def add_character(self, name: str, graph_json: str, active: bool) -> None:
        with _codes():
            graph = GraphDescription.from_json(graph_json)
            self._scene.add_character(name, graph, active=active)

    def start(self, do: str, **arguments: Any) -> PythonTurn | PythonEndedTurn:
        with _codes():
            if do == "take_turn":
                return PythonTurn(self._scene.start_turn(**arguments))
            try:
                return PythonEndedTurn(self._scene.regenerate(**arguments))
            except TalefoldError as error:
                if error.result is None:
                    raise
                return PythonEndedTurn(error.result)

    def call(self, do: str, **arguments: Any) -> Any:
        with _codes():
            return _as_plain(getattr(self._scene, do)(**arguments))

    def state(self) -> Plain:
        properties = (
            *("messages", "entries", "settings", "notes", "overrides"),
            *("characters", "active", "clock", "version"),
        )
        with _codes():
            state = {name: getattr(self._scene, name) for name in properties}
            state["statistics"] = self._scene.statistics()
        return {name: _as_plain(value) for name, value in state.items()}

    def export_snapshot(self) -> str:
        with _codes():
            return self._scene.export_snapshot()


class PythonTurn:
    def __init__(self, turn: Turn) -> None:
        self._turn = turn

    def wait_event(self, timeout_ms: int) -> Plain | None:
        event = self._turn.wait_event(timeout_ms / 1000)
        return None if event is None else _event(event)

    def cancel(self) -> None:
        self._turn.cancel()

    def result(self) -> Plain:
        try:
            result = self._turn.result()
        except TalefoldError as error:
            if error.result is None:
                raise SurfaceError(error.code.value) from error
            result = error.result
        return _result(result)


class PythonEndedTurn:
    """One that Python waits for by itself."""

    def __init__(self, result: TurnResult) -> None:
        self._events = list(result.events)
        self._result = result

    def wait_event(self, timeout_ms: int) -> Plain | None:
        return _event(self._events.pop(0)) if self._events else None

    def cancel(self) -> None:
        """It has ended."""

    def result(self) -> Plain:
        return _result(self._result)


@contextmanager
def _codes() -> Iterator[None]:
    try:
        yield
    except TalefoldError as error:
        raise SurfaceError(error.code.value) from error


def _result(result: TurnResult) -> Plain:
    return {
        "text": result.text,
        "status": result.status,
        "tokens_generated": result.tokens_generated,
        "code": _code(result.error),
        "debug_info": result.debug_info,
    }


def _as_plain(value: Any) -> Any:
    if isinstance(value, list):
        return [_as_plain(each) for each in value]
    if isinstance(value, NodeEvent):
        return _event(value)
    return asdict(value) if is_dataclass(value) else value


def _code(error: TalefoldError | None) -> int | None:
    return None if error is None else error.code.value


def _script(replies: list[Any]) -> list[str | ScriptedReply]:
    return [
        each if isinstance(each, str) else ScriptedReply(**each) for each in replies
    ]


def _with_sampling(options: Options) -> dict[str, Any]:
    given = dict(options)
    if "default_sampling" in given:
        given["default_sampling"] = SamplingOverrides(**given["default_sampling"])
    return given


def _event(event: Event) -> Plain:
    if isinstance(event, AnswerText):
        said = {"text": event.text, "is_delta": event.is_delta}
        return _plain("answer_text", event.node, **said, is_final=event.is_final)
    if isinstance(event, NodeEvent):
        told = {"event_type": event.event_type, "pairs": dict(event.pairs)}
        return _plain("node_event", event.node, **told)
    if isinstance(event, AudioChunk):
        heard = {"sample_rate": event.sample_rate, "samples": len(event.samples)}
        voiced = {"text": event.text, "is_final": event.is_final}
        return _plain("audio_chunk", event.node, **voiced, **heard)
    if isinstance(event, DecisionRequired):
        return _plain("decision_required", event.node, options=list(event.options))
    ended = {"status": event.status, "tokens_generated": event.tokens_generated}
    return _plain("turn_complete", "", **ended, code=_code(event.error))


def _plain(kind: str, node: str, **values: Any) -> Plain:
    return {"kind": kind, "node": node, **values}
