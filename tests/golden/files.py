"""Scenarios and transcripts as files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from .readable import dump

SCENARIOS = Path(__file__).with_name("scenarios")
TRANSCRIPTS = Path(__file__).with_name("transcripts")


def scenario_names() -> list[str]:
    return sorted(path.stem for path in SCENARIOS.glob("*.json"))


def read_scenario(name: str) -> dict[str, Any]:
    scenario: dict[str, Any] = json.loads((SCENARIOS / f"{name}.json").read_bytes())
    return scenario


def transcript_names() -> list[str]:
    return sorted(path.stem for path in TRANSCRIPTS.glob("*.json"))


def read_transcript(name: str) -> dict[str, Any] | None:
    """None when there is none yet."""
    path = TRANSCRIPTS / f"{name}.json"
    return json.loads(path.read_bytes()) if path.exists() else None


def write_transcript(name: str, transcript: dict[str, Any]) -> None:
    TRANSCRIPTS.mkdir(exist_ok=True)
    (TRANSCRIPTS / f"{name}.json").write_bytes(dump(transcript).encode())
