"""Scenarios through the C interface."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..capi.c_api import CApi, CApiError, Event, text_argument
from .surface import Options, Plain, SurfaceError, storage_entries

STATUS = ["success", "cancelled", "error"]
NONE, ANSWER_TEXT, AUDIO_CHUNK, NODE_EVENT, DECISION_REQUIRED, COMPLETE, PROGRESS = (
    range(7)
)


class CSurface:
    """talefold_rt, in this process."""

    def __init__(self, library: Path) -> None:
        self._api = CApi(library)

    def open(self, options: Options) -> CEngine:
        with _codes():
            return CEngine(self._api, self._api.handle("engine_create", _json(options)))


class CEngine:
    def __init__(self, api: CApi, handle: int) -> None:
        self._api = api
        self._handle = handle

    def load_scripted_model(self, name: str, options: Options) -> None:
        self._call("load_scripted_model", name, _json(options))

    def load_model(self, name: str, path: str, options: Options) -> None:
        self._load("load_model", name, {**options, "path": path})

    def add_storage(self, name: str, entries: Any) -> None:
        kind, entries = storage_entries(entries)
        self._call("add_storage", name, kind, _json(entries))

    def load_knowledge(self, name: str, config: Options, records: list[Plain]) -> None:
        source = {"config": _json(config), "records": _json(records)}
        self._load("load_knowledge", name, source)

    def create_agent(self, graph_json: str, options: Options) -> CAgent:
        given = dict(options)
        snapshot = given.pop("snapshot", None)
        with _codes():
            handle = self._api.handle(
                *("engine_create_agent", self._handle, graph_json, _json(given)),
                *(snapshot, text_argument(None)),
            )
        return CAgent(self._api, handle)

    def create_scene(self, options: Options) -> CScene:
        given = dict(options)
        memory_graph = given.pop("memory_graph", None)
        snapshot = given.pop("snapshot", None)
        with _codes():
            handle = self._api.handle(
                *("engine_create_scene", self._handle),
                *(memory_graph, _json(given), snapshot),
            )
        return CScene(self._api, handle)

    def close(self) -> None:
        self._call("destroy")

    def _load(self, function: str, name: str, options: Options) -> None:
        with _codes():
            task = self._api.handle(
                f"engine_{function}", self._handle, name, _json(options)
            )
            while not self._api.flag("task_wait", task, 1000):
                pass
            result = self._api.json("task_result", task)
            self._api("task_release", task)
        if result["error"] is not None:
            raise SurfaceError(result["error"]["code"])

    def _call(self, function: str, *arguments: Any) -> None:
        with _codes():
            self._api(f"engine_{function}", self._handle, *arguments)


class CAgent:
    def __init__(self, api: CApi, handle: int) -> None:
        self._api = api
        self._handle = handle

    # Turns

    def start(self, text: str | None) -> CTurn:
        return self._start("start", text)

    def start_regenerate(self) -> CTurn:
        return self._start("start_regenerate")

    def start_replay(self, user: str, assistant: str) -> CTurn:
        return self._start("start_replay", user, assistant)

    def start_refold(self) -> CTurn:
        return self._start("start_refold")

    def start_tool_result(self, call_id: str, json_text: str) -> CTurn:
        return self._start("start_tool_result", call_id, json_text)

    def submit_tool_result(self, call_id: str, json_text: str) -> None:
        self._call("submit_tool_result", call_id, json_text)

    # The past

    def append_interaction(self, user: str, assistant: str) -> None:
        self._call("append_interaction", user, assistant)

    def edit_interaction(
        self, index: int, user: str | None, assistant: str | None
    ) -> None:
        self._call("edit_interaction", index, user, assistant)

    def undo_last_turn(self) -> Plain:
        return self._json("undo_last_turn")

    def dialog(self) -> list[Plain]:
        return self._json("dialog")

    def history_states(self, node: str) -> list[str]:
        return self._json("history_states", node)

    def get_summary(self) -> Plain | None:
        return self._json("get_summary")

    def set_summary(self, text: str) -> None:
        self._call("set_summary", text)

    # Pins and params

    def pin(self, key: str, text: str) -> None:
        self._call("pin", key, text)

    def unpin(self, key: str) -> bool:
        return self._flag("unpin", key)

    def pins(self) -> dict[str, str]:
        return {pin["key"]: pin["text"] for pin in self._json("pins")}

    def change_params(self, node: str, params_json: str) -> None:
        self._call("change_params", node, params_json)

    # The rest

    def poll_background(self) -> list[Plain]:
        with _codes():
            return _poll(self._api, "agent_poll_background", self._handle)

    def wait_background(self, timeout_ms: int) -> bool:
        return self._flag("wait_background", timeout_ms)

    def export_snapshot(self) -> str:
        with _codes():
            return self._api.text("agent_export_snapshot", self._handle)

    def import_snapshot(self, text: str) -> None:
        self._call("import_snapshot", text)

    def close(self) -> None:
        self._call("close")

    def _start(self, function: str, *texts: str | None) -> CTurn:
        with _codes():
            arguments = (*texts, 0)  # no time-out
            handle = self._api.handle(f"agent_{function}", self._handle, *arguments)
        return CTurn(self._api, handle)

    def _call(self, function: str, *arguments: Any) -> None:
        with _codes():
            self._api(f"agent_{function}", self._handle, *arguments)

    def _json(self, function: str, *arguments: Any) -> Any:
        with _codes():
            return self._api.json(f"agent_{function}", self._handle, *arguments)

    def _flag(self, function: str, *arguments: Any) -> bool:
        with _codes():
            return self._api.flag(f"agent_{function}", self._handle, *arguments)


class CScene:
    """The methods of talefold.Scene, with its arguments."""

    def __init__(self, api: CApi, handle: int) -> None:
        self._api = api
        self._handle = handle

    def start(self, do: str, **arguments: Any) -> CTurn:
        function = {"take_turn": "start_turn", "regenerate": "start_regenerate"}[do]
        texts = [arguments["character"]]
        if do == "regenerate":
            texts.append(arguments.get("hint", ""))
        with _codes():
            handle = self._api.handle(f"scene_{function}", self._handle, *texts, 0)
        return CTurn(self._api, handle)

    def call(self, do: str, **arguments: Any) -> Any:
        return getattr(self, do)(**arguments)

    def state(self) -> Plain:
        lists = ("messages", "entries", "statistics", "characters", "active")
        objects = ("settings", "notes", "overrides")
        state = {name: self._json(name) for name in (*lists, *objects)}
        return state | {
            "clock": self._text("clock"),
            "version": self._number("version"),
        }

    def export_snapshot(self) -> str:
        return self._text("export_snapshot")

    # Characters

    def add_character(self, name: str, graph_json: str, active: bool) -> None:
        self._call("add_character", name, graph_json, int(active))

    def activate(self, name: str) -> bool:
        return self._flag("activate", name)

    def deactivate(self, name: str) -> bool:
        return self._flag("deactivate", name)

    # Messages

    def say(self, speaker: str, text: str, **options: Any) -> int:
        return self._number("say", speaker, text, _json(options))

    def narrate(self, text: str, **options: Any) -> int:
        return self._number("narrate", text, _json(options))

    def direct(self, character: str, text: str) -> int:
        return self._number("direct", character, text)

    def add_reinforcement(self, title: str, text: str) -> int:
        return self._number("add_note_message", "reinforcement", title, text)

    def add_investigation(self, title: str, text: str) -> int:
        return self._number("add_note_message", "context_investigation", title, text)

    def pass_time(self, duration: str, text: str = "") -> int:
        return self._number("pass_time", duration, text)

    def insert_time(self, before: int, duration: str, text: str = "") -> int:
        return self._number("insert_time", before, duration, text)

    def import_transcript(self, source: str) -> int:
        return self._number("import_transcript", source)

    def edit(self, id: int, text: str) -> None:
        self._call("edit", id, text)

    def edit_time(self, id: int, duration: str) -> None:
        self._call("edit_time", id, duration)

    def erase(self, id: int) -> None:
        self._call("erase", id)

    def set_hidden(self, id: int, hidden: bool) -> None:
        self._call("set_hidden", id, int(hidden))

    def show_version(self, id: int, version: int) -> None:
        self._call("show_version", id, version)

    def time_label(self, moment: str) -> str:
        return self._text("time_label", moment)

    # Settings

    def change_settings(self, **changes: Any) -> None:
        self._call("set_settings", _json(changes))

    def set_note(self, key: str, text: str) -> None:
        self._call("set_note", key, text)

    def set_override(self, node_type: str, field: str, value: Any) -> None:
        text = "" if value is None else _json(value)
        self._call("set_override", node_type, field, text)

    def review(self, character: str, history: Plain | None = None) -> Plain:
        text = "" if history is None else _json(history)
        return self._json("review", character, text)

    # The memory

    def update_memory(self, timeout_ms: int) -> bool:
        return self._flag("update_memory", timeout_ms)

    def cancel_memory(self) -> None:
        self._call("cancel_memory")

    def poll_events(self) -> list[Plain]:
        with _codes():
            return _poll(self._api, "scene_poll_event", self._handle)

    def edit_entry(self, id: int, text: str) -> None:
        self._call("edit_entry", id, text)

    def regenerate_entry(self, id: int) -> None:
        self._call("regenerate_entry", id)

    def regenerate_all(self) -> bool:
        return self._flag("regenerate_all")

    def reset_layers(self, count: int | None = None) -> bool:
        return self._flag("reset_layers", count or 0)

    def add_backstory(self, text: str, ago: str) -> int:
        return self._number("add_backstory", text, ago)

    def remove_backstory(self, id: int) -> None:
        self._call("remove_backstory", id)

    def inspect(self, id: int) -> Plain:
        return self._json("inspect", id)

    def close(self) -> None:
        self._call("close")

    def _call(self, function: str, *arguments: Any) -> None:
        with _codes():
            self._api(f"scene_{function}", self._handle, *arguments)

    def _text(self, function: str, *arguments: Any) -> str:
        with _codes():
            return self._api.text(f"scene_{function}", self._handle, *arguments)

    def _json(self, function: str, *arguments: Any) -> Any:
        return json.loads(self._text(function, *arguments))

    def _number(self, function: str, *arguments: Any) -> int:
        number = ctypes.c_int64()
        self._call(function, *arguments, ctypes.byref(number))
        return number.value

    def _flag(self, function: str, *arguments: Any) -> bool:
        with _codes():
            return self._api.flag(f"scene_{function}", self._handle, *arguments)


class CTurn:
    def __init__(self, api: CApi, handle: int) -> None:
        self._api = api
        self._handle = handle

    def wait_event(self, timeout_ms: int) -> Plain | None:
        with _codes():
            event = self._api.event("task_wait_event", self._handle, timeout_ms)
        return None if event.kind == NONE else _event(event)

    def cancel(self) -> None:
        with _codes():
            self._api("task_cancel", self._handle)

    def result(self) -> Plain:
        with _codes():
            while not self._api.flag("task_wait", self._handle, 1000):
                pass
            result = self._api.json("task_result", self._handle)
        error = result.pop("error")
        return {**result, "code": None if error is None else error["code"]}


@contextmanager
def _codes() -> Iterator[None]:
    try:
        yield
    except CApiError as error:
        raise SurfaceError(error.code) from error


def _poll(api: CApi, function: str, handle: int) -> list[Plain]:
    """The events that there are now."""
    events = []
    while True:
        event = api.event(function, handle)
        if event.kind == NONE:
            return events
        events.append(_event(event))


def _json(value: Any) -> str:
    return json.dumps(value)


def _event(event: Event) -> Plain:
    plain = {"node": str(event.node)}
    if event.kind == ANSWER_TEXT:
        said = {"text": str(event.text), "is_delta": bool(event.is_delta)}
        return {
            "kind": "answer_text", **plain, **said, "is_final": bool(event.is_final)
        }  # fmt: skip
    if event.kind == NODE_EVENT:
        told = {"event_type": str(event.text), "pairs": json.loads(str(event.json))}
        return {"kind": "node_event", **plain, **told}
    if event.kind == AUDIO_CHUNK:
        heard = {"sample_rate": event.sample_rate, "samples": event.sample_count}
        voiced = {"text": str(event.text), "is_final": bool(event.is_final)}
        return {"kind": "audio_chunk", **plain, **voiced, **heard}
    if event.kind == DECISION_REQUIRED:
        options = json.loads(str(event.json))
        return {"kind": "decision_required", **plain, "options": options}
    assert event.kind == COMPLETE
    ended = {"status": STATUS[event.status], "tokens_generated": event.tokens_generated}
    code = event.error_code or None
    return {"kind": "turn_complete", **plain, **ended, "code": code}
