"""Runs a scenario on a surface, and tells what happened.

A scenario is a JSON file that any language can run; README.md says what it may hold.
Nothing here knows which surface it is.
"""

from __future__ import annotations

from collections.abc import Iterator

from .scene_stage import SceneStage
from .stage import Scenario, Stage
from .surface import Plain, Surface


def run(scenario: Scenario, surface: Surface, weights: str = "") -> Plain:
    """The transcript. `weights` is the GGUF file of SmolLM2, if it needs one."""
    if (scenario["format"], scenario["version"]) != ("talefold-scenario", 1):
        raise ValueError("not a scenario of version 1")
    kind = "scene" if has_scene(scenario) else "agents"
    stage = {"agents": Stage, "scene": SceneStage}[kind](scenario, surface, weights)
    try:
        actions = [stage.perform(action) for action in scenario["actions"]]
        return {
            "format": "talefold-transcript",
            "version": 1,
            "actions": actions,
            kind: stage.states(),
        }
    finally:
        stage.engine.close()


def has_scene(scenario: Scenario) -> bool:
    return "scene" in scenario


def uses_weights(scenario: Scenario) -> bool:
    return any("smollm2" in model for model in scenario["models"])


def unexpected(scenario: Scenario, transcript: Plain) -> list[str]:
    """Where a scenario did not go as it says itself."""
    return list(_unexpected(scenario["actions"], transcript["actions"], "action"))


def _unexpected(
    actions: list[Plain], outcomes: list[Plain], place: str
) -> Iterator[str]:
    for i, (action, outcome) in enumerate(zip(actions, outcomes, strict=True)):
        expected = action.get("expect_error")
        found = outcome.get("error", outcome.get("code"))
        if found != expected:
            yield f"{place} {i}, {action['do']}: {found} instead of {expected}"
        if action["do"] == "cancel" and outcome.get("status") != "cancelled":
            yield f"{place} {i}: the turn did not wait to be cancelled"
        yield from _unexpected(
            action.get("meanwhile", []),
            outcome.get("meanwhile", []),
            f"{place} {i}, meanwhile",
        )
