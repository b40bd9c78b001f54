"""The process of `import`: python -m talefold.bench.import_process TURNS."""

from __future__ import annotations

import json
import random
import sys
import time
from array import array
from typing import Any

from talefold.agent import Agent
from talefold.bench.memory import peak_bytes, resident_bytes
from talefold.bench.scripted import MESSAGE_WORDS, load_scripts, scripted_agent
from talefold.bench.texts import words
from talefold.engine import Engine

__all__ = ["measure"]

_SEED = 20240229


def measure(turns: int) -> dict[str, Any]:
    """The fields of an `ImportRun`."""
    source = random.Random(_SEED)
    append_us = array("d", [0.0]) * turns
    text_bytes = 0
    with Engine() as engine:
        load_scripts(engine)
        with scripted_agent(engine, with_folds=True) as other:
            other.send("Hello.")  # warms up
        agent = scripted_agent(engine, with_folds=True)
        before = resident_bytes()
        for turn in range(turns):
            user, assistant = (words(MESSAGE_WORDS, source) for _ in range(2))
            text_bytes += len(user.encode()) + len(assistant.encode())
            start = time.perf_counter()
            agent.append_interaction(user=user, assistant=assistant)
            append_us[turn] = (time.perf_counter() - start) * 1e6
        first_turn_ms = _turn_ms(agent)
        grown_bytes = peak_bytes() - before
        second_turn_ms = _turn_ms(agent)
    return {
        "append_us": list(append_us),
        "first_turn_ms": first_turn_ms,
        "second_turn_ms": second_turn_ms,
        "text_bytes": text_bytes,
        "grown_bytes": grown_bytes,
    }


def _turn_ms(agent: Agent) -> float:
    start = time.perf_counter()
    agent.send("What do you remember?")
    return (time.perf_counter() - start) * 1000


if __name__ == "__main__":
    json.dump(measure(int(sys.argv[1])), sys.stdout)
