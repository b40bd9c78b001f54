"""The graphs of docs/examples, and agents of them."""

from __future__ import annotations

import array
from collections.abc import Iterator
from pathlib import Path

from talefold import GraphDescription, SpeechAudio, SpeechBackend, SpeechRequest

EXAMPLES = Path(__file__).parents[1] / "docs" / "examples"


def graph_file(name: str) -> Path:
    return EXAMPLES / name / "graph.json"


def example(name: str) -> GraphDescription:
    return GraphDescription.load(graph_file(name))


class Bell(SpeechBackend):
    """Rings once a sentence."""

    def synthesize(self, request: SpeechRequest, stop: object) -> Iterator[SpeechAudio]:
        yield SpeechAudio(sample_rate=8000, samples=array.array("h", [1]))
