"""Scenarios through the Unreal plugin, compiled on the stand-in for the engine."""

from __future__ import annotations

import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from .surface import Options, Plain, SceneSurface, SurfaceError


class UnrealSurface:
    """A process of unreal_golden for each engine."""

    def __init__(self, program: Path, plugin: Path) -> None:
        self._command = [str(program), str(plugin)]

    def open(self, options: Options) -> UnrealEngine:
        return UnrealEngine(self._command, options)


class UnrealEngine:
    def __init__(self, command: list[str], options: Options) -> None:
        self._project = tempfile.TemporaryDirectory()
        self._process = subprocess.Popen(
            [*command, self._project.name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        self.call("open", **options)

    def call(self, do: str, **arguments: Any) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"do": do, **arguments}) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise AssertionError(f"unreal_golden ended with {self._process.wait()}")
        answer = json.loads(line)
        if "error" in answer:
            raise SurfaceError(answer["error"])
        return answer["value"]

    def load_scripted_model(self, name: str, options: Options) -> None:
        self.call("load_scripted_model", name=name, options=json.dumps(options))

    def load_model(self, name: str, path: str, options: Options) -> None:
        self.call("load_model", name=name, path=path, **options)

    def add_storage(self, name: str, entries: Any) -> None:
        kind = "texts" if isinstance(entries, dict) else "lines"
        self.call("add_storage", name=name, **{kind: entries})

    def load_knowledge(self, name: str, config: Options, records: list[Plain]) -> None:
        source = {"config": json.dumps(config), "records": json.dumps(records)}
        self.call("load_knowledge", name=name, **source)

    def create_agent(self, graph_json: str, options: Options) -> UnrealAgent:
        number = self.call("create_agent", graph=graph_json, **options)
        return UnrealAgent(self, number)

    def create_scene(self, options: Options) -> SceneSurface:
        raise NotImplementedError("the plugin has agents, not scenes")

    def close(self) -> None:
        self._process.communicate(timeout=60)  # closes both pipes
        ended = self._process.returncode
        self._project.cleanup()
        assert ended == 0, "unreal_golden did not end well"


class UnrealAgent:
    def __init__(self, engine: UnrealEngine, number: int) -> None:
        self._engine = engine
        self._number = number

    def call(self, do: str, *texts: str | None, **arguments: Any) -> Any:
        given = dict(zip(("first", "second"), texts, strict=False))
        return self._engine.call(do, agent=self._number, **given, **arguments)

    def start(self, text: str | None) -> UnrealTurn:
        return self._turn("start", text)

    def start_regenerate(self) -> UnrealTurn:
        return self._turn("start_regenerate")

    def start_replay(self, user: str, assistant: str) -> UnrealTurn:
        return self._turn("start_replay", user, assistant)

    def start_refold(self) -> UnrealTurn:
        return self._turn("start_refold")

    def start_tool_result(self, call_id: str, json_text: str) -> UnrealTurn:
        return self._turn("start_tool_result", call_id, json_text)

    def _turn(self, do: str, *texts: str | None) -> UnrealTurn:
        return UnrealTurn(self, self.call(do, *texts))

    def submit_tool_result(self, call_id: str, json_text: str) -> None:
        self.call("submit_tool_result", call_id, json_text)

    def append_interaction(self, user: str, assistant: str) -> None:
        self.call("append_interaction", user, assistant)

    def edit_interaction(
        self, index: int, user: str | None, assistant: str | None
    ) -> None:
        self.call("edit_interaction", index=index, user=user, assistant=assistant)

    def undo_last_turn(self) -> Plain:
        removed: Plain = json.loads(self.call("undo_last_turn"))[-1]
        return removed

    def dialog(self) -> list[Plain]:
        dialog: list[Plain] = json.loads(self.call("dialog"))
        return dialog

    def history_states(self, node: str) -> list[str]:
        states: list[str] = json.loads(self.call("history_states", node))
        return states

    def get_summary(self) -> Plain | None:
        summary: Plain | None = json.loads(self.call("get_summary"))
        return summary

    def set_summary(self, text: str) -> None:
        self.call("set_summary", text)

    def pin(self, key: str, text: str) -> None:
        self.call("pin", key, text)

    def unpin(self, key: str) -> bool:
        return bool(self.call("unpin", key))

    def pins(self) -> dict[str, str]:
        return {pin["key"]: pin["text"] for pin in json.loads(self.call("pins"))}

    def change_params(self, node: str, params_json: str) -> None:
        self.call("change_params", node, params_json)

    def poll_background(self) -> list[Plain]:
        events: list[Plain] = self.call("poll_background")
        return events

    def wait_background(self, timeout_ms: int) -> bool:
        return bool(self.call("wait_background"))

    def export_snapshot(self) -> str:
        return str(self.call("export_snapshot"))

    def import_snapshot(self, text: str) -> None:
        self.call("import_snapshot", snapshot=text)

    def close(self) -> None:
        self.call("close")


class UnrealTurn:
    def __init__(self, agent: UnrealAgent, number: int) -> None:
        self._agent = agent
        self._number = number
        self._last: Plain = {}

    def wait_event(self, timeout_ms: int) -> Plain | None:
        event: Plain | None = self._agent.call(
            "wait_event", turn=self._number, timeout_ms=timeout_ms
        )
        if event is not None and event["kind"] == "turn_complete":
            self._last = event
        return event

    def cancel(self) -> None:
        self._agent.call("cancel", turn=self._number)

    def result(self) -> Plain:
        """The end has been waited for."""
        ended = {key: self._last[key] for key in ("status", "tokens_generated", "code")}
        found = self._agent.call("result", turn=self._number)
        debug_info = found["debug_info"]
        found["debug_info"] = json.loads(debug_info) if debug_info else None
        return {**found, **ended}
