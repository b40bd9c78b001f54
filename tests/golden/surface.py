"""What a surface of the library must offer so that scenarios run on it.

Everything is plain data: texts, numbers, and what JSON can hold. A surface adds nothing
of its own: it calls the library, and hands back what it said.

Plain values, all keys always present unless marked with "?":

    Options of `open`: worker_threads?, max_message_bytes?, max_steps_per_turn?,
        kv_cache_bytes?, slots_per_pool?, deterministic?, prewarm?
    Options of `load_scripted_model`: replies?, node_replies?, tokenizer?,
        trained_context_size?, keep_reasoning?, default_sampling?; a reply is a text, or
        {"text"?, "outcome"?: "finish" | "fail" | "stall" | "out_of_context", "echo"?}
    Options of `load_model`: n_gpu_layers?, chat_template?, default_sampling?,
        default_context_size?, keep_reasoning?
    Options of `create_agent`: default_model_name?, enable_diagnostics?, snapshot?

    Event: kind, node, and by its kind
        answer_text: text, is_delta, is_final
        audio_chunk: text, sample_rate, samples (how many), is_final
        node_event: event_type, pairs (texts by texts)
        decision_required: options
        turn_complete: status, tokens_generated, code; its node is ""
    Turn: text, status, tokens_generated, code, debug_info (what a C host parses from
        its JSON; null unless enabled)
    Interaction: index, id, user, assistant, status, summary (or null), tool_calls,
        knowledge, instructions, intent (or null)
    Summary: text, node, covered_through, carrier, stale, edited, abridged
    Tool call: id, node, tool_name, arguments (JSON text), result (JSON text or null)
    Knowledge: source, chunks; a chunk: id, text, distance
    Instruction: name, text

    Options of `create_scene`: memory_graph? (JSON text), default_model_name?,
        run_inline?, enable_diagnostics?, settings?, snapshot?
    Message, entry, layer and sources of a scene: the fields of the classes of
        talefold.scene

A code is the number of an error, null for none. `status` of a turn is success,
cancelled or error.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol, TypeAlias

Plain: TypeAlias = dict[str, Any]
Options: TypeAlias = Mapping[str, Any]


def storage_entries(entries: Any) -> tuple[str, list[Any]]:
    """The kind of a storage, and its entries as C takes them."""
    if isinstance(entries, dict):
        return "map", _with_ids(entries.items())
    if entries and not isinstance(entries[0], str):
        return "multimap", _with_ids(entries)
    return "list", entries


def _with_ids(pairs: Iterable[Any]) -> list[Any]:
    return [{"id": key, "text": text} for key, text in pairs]


class SurfaceError(Exception):
    """A call of the library failed with this code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class TurnSurface(Protocol):
    """A turn that was started."""

    def wait_event(self, timeout_ms: int) -> Plain | None:
        """The next event; None when there was none in that time."""

    def cancel(self) -> None:
        """Asks the turn to stop; returns at once."""

    def result(self) -> Plain:
        """Waits for the end. A turn that failed is a result too, with its code."""


class AgentSurface(Protocol):
    """One conversation. What fails raises SurfaceError."""

    def start(self, text: str | None) -> TurnSurface: ...

    def start_regenerate(self) -> TurnSurface: ...

    def start_replay(self, user: str, assistant: str) -> TurnSurface: ...

    def start_refold(self) -> TurnSurface: ...

    def start_tool_result(self, call_id: str, json_text: str) -> TurnSurface: ...

    def submit_tool_result(self, call_id: str, json_text: str) -> None:
        """Keeps the result and starts no turn."""

    def append_interaction(self, user: str, assistant: str) -> None: ...

    def edit_interaction(
        self, index: int, user: str | None, assistant: str | None
    ) -> None:
        """None leaves a text as it is."""

    def undo_last_turn(self) -> Plain:
        """Returns the interaction that was removed."""

    def dialog(self) -> list[Plain]: ...

    def history_states(self, node: str) -> list[str]: ...

    def get_summary(self) -> Plain | None: ...

    def set_summary(self, text: str) -> None: ...

    def pin(self, key: str, text: str) -> None: ...

    def unpin(self, key: str) -> bool: ...

    def pins(self) -> dict[str, str]:
        """In the order of pinning."""

    def change_params(self, node: str, params_json: str) -> None: ...

    def poll_background(self) -> list[Plain]: ...

    def wait_background(self, timeout_ms: int) -> bool:
        """False at the time-out."""

    def export_snapshot(self) -> str: ...

    def import_snapshot(self, text: str) -> None: ...

    def close(self) -> None: ...


class SceneSurface(Protocol):
    """A story that several characters share. What fails raises SurfaceError."""

    def add_character(self, name: str, graph_json: str, active: bool) -> None: ...

    def start(self, do: str, **arguments: Any) -> TurnSurface:
        """`take_turn` or `regenerate`, with their arguments in Python."""

    def call(self, do: str, **arguments: Any) -> Any:
        """Another method of talefold.Scene: what it returns, as plain data."""

    def state(self) -> Plain:
        """What the properties of talefold.Scene say, and its statistics."""

    def export_snapshot(self) -> str: ...


class EngineSurface(Protocol):
    """An engine. What fails raises SurfaceError."""

    def load_scripted_model(self, name: str, options: Options) -> None: ...

    def load_model(self, name: str, path: str, options: Options) -> None: ...

    def add_storage(self, name: str, entries: Any) -> None:
        """A list of texts, an object of texts by id, or a list of [id, text]."""

    def load_knowledge(
        self, name: str, config: Options, records: list[Plain]
    ) -> None: ...

    def create_agent(self, graph_json: str, options: Options) -> AgentSurface: ...

    def create_scene(self, options: Options) -> SceneSurface:
        """Of surfaces that have scenes."""

    def close(self) -> None: ...


class Surface(Protocol):
    """A way to the library from some language."""

    def open(self, options: Options) -> EngineSurface: ...
