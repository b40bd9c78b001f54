"""ClassifyIntentLLM with real weights: its probabilities are those of the logits."""

from __future__ import annotations

import numpy as np
import pytest

from talefold import (
    ClassifyIntentLLMParams,
    Engine,
    GraphDescription,
    IntentDescription,
)

from .conftest import ModelFile, Reference

INTENTS = [
    IntentDescription(id="room", description="wants to rent a room"),
    IntentDescription(id="ale", description="wants something to drink"),
    IntentDescription(id="leave", description="says goodbye"),
]


def test_probabilities_are_the_softmax_of_the_letters(
    model_file: ModelFile, reference: Reference
) -> None:
    model = reference("smollm2")
    spellings = [
        [model.tokenize(text)[0] for text in (letter, " " + letter)] for letter in "ABC"
    ]
    params = ClassifyIntentLLMParams(intents=INTENTS, context_size=1024)
    graph = GraphDescription().add_node("sort", params).set_start_node("sort")
    with Engine(deterministic=True) as engine:
        engine.load_model("smollm2", model_file("smollm2"), record_requests=True)
        agent = engine.create_agent(graph, enable_diagnostics=True)
        for text in ("Have you a bed for the night?", "An ale, please.", "Farewell!"):
            result = agent.send(text)

            assert result.debug_info is not None
            found = result.debug_info["nodes"][0]["intention"]
            request = engine.recorded_requests("smollm2")[-1]
            assert request.cached_tokens == request.prompt_tokens
            logits = np.array(
                engine.next_token_logits("smollm2", request.prompt_tokens), np.float64
            )
            weights = np.exp(logits - logits.max())
            expected = np.array([weights[tokens].sum() for tokens in spellings])
            expected /= expected.sum()
            shares = [each["probability"] for each in found["probabilities"]]
            assert shares == pytest.approx(list(expected), abs=1e-5)
