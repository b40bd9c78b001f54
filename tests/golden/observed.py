"""What transcripts keep of an agent and its turns: nothing of time, chance or wording.

Messages of errors are for people and may change: transcripts hold codes alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from .surface import AgentSurface, Plain, SurfaceError, TurnSurface

UNKNOWN_NODE = 3005

WAIT_MS = 60_000
_WORDING = {"error", "message"}  # pairs of events
# Times, what a KV cache happened to hold, and params, which the graph file says.
_CHANGING = _WORDING | {
    *("wall_ms", "first_token_ms", "reused_tokens", "decoded_tokens"),
    "parameters",
}
_DIGITS = 6  # of what is computed in floating point


def next_event(turn: TurnSurface) -> Plain:
    """Of a turn that is not complete."""
    event = turn.wait_event(WAIT_MS)
    if event is None:
        turn.cancel()
        raise AssertionError(f"no event in {WAIT_MS} ms")
    return event


def is_last(event: Plain) -> bool:
    return bool(event["kind"] == "turn_complete")


def finish(turn: TurnSurface, events: list[Plain]) -> Plain:
    """How a turn ended, of which these events have been taken."""
    while not (events and is_last(events[-1])):
        events.append(next_event(turn))
    result = turn.result()
    kept = {
        key: result[key] for key in ("text", "status", "tokens_generated", "code")
    } | {"events": settled_events(events)}
    if result["debug_info"] is not None:
        kept["debug_info"] = _without(result["debug_info"], _CHANGING)
    return kept


def settled_events(events: Iterable[Plain]) -> list[Plain]:
    return [
        event | {"pairs": _without(event["pairs"], _WORDING)}
        if event["kind"] == "node_event"
        else event
        for event in events
    ]


def settled_interaction(interaction: Plain) -> Plain:
    """Of knowledge, what was found; its texts are the scenario's."""
    knowledge = [
        {"source": each["source"], "ids": [chunk["id"] for chunk in each["chunks"]]}
        for each in interaction["knowledge"]
    ]
    return interaction | {"knowledge": knowledge}


def state_of(agent: AgentSurface, nodes: Iterable[str]) -> Plain:
    """All that can be read of an agent."""
    return {
        "dialog": [settled_interaction(each) for each in agent.dialog()],
        "summary": agent.get_summary(),
        "history_states": _history_states(agent, nodes),
        "pins": [list(pin) for pin in agent.pins().items()],  # in their order
        "snapshot": settled_snapshot(agent.export_snapshot()),
    }


def settled_snapshot(text: str) -> Plain:
    snapshot: Plain = _rounded(json.loads(text))
    for node in snapshot.get("nodes", {}).values():
        node.get("lines", {}).pop("seed", None)  # drawn anew for each agent
    return snapshot


def _history_states(agent: AgentSurface, nodes: Iterable[str]) -> dict[str, list[str]]:
    """By the name of each node that replays history."""
    states = {}
    for node in nodes:
        try:
            states[node] = agent.history_states(node)
        except SurfaceError as error:
            if error.code != UNKNOWN_NODE:
                raise
    return states


def _without(value: Any, keys: set[str]) -> Any:
    if isinstance(value, dict):
        kept = {key: each for key, each in value.items() if key not in keys}
        return {key: _without(each, keys) for key, each in kept.items()}
    if isinstance(value, list):
        return [_without(each, keys) for each in value]
    return _rounded(value)


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, _DIGITS)
    if isinstance(value, dict):
        return {key: _rounded(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_rounded(each) for each in value]
    return value
