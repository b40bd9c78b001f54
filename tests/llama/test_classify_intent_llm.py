"""ClassifyIntentLLM with real weights: its probabilities are those of the logits."""

from __future__ import annotations

import numpy as np
import pytest

from talefold import (
    ClassifyIntentLLMParams,
    ContextOverrides,
    Engine,
    GraphDescription,
    IntentDescription,
)

from .conftest import Load, Reference

INTENTS = [
    IntentDescription(id="room", description="wants to rent a room"),
    IntentDescription(id="ale", description="wants something to drink"),
    IntentDescription(id="leave", description="says goodbye"),
]


def test_probabilities_are_the_softmax_of_the_letters(
    engine: Engine, load: Load, reference: Reference
) -> None:
    name = load("smollm2")
    params = ClassifyIntentLLMParams(
        intents=INTENTS, context_size=1024, context=ContextOverrides(n_threads=1)
    )
    graph = GraphDescription().add_node("sort", params).set_start_node("sort")
    agent = engine.create_agent(graph, enable_diagnostics=True)
    model = reference("smollm2")
    spellings = [
        [model.tokenize(text)[0] for text in (letter, " " + letter)] for letter in "ABC"
    ]

    for text in ("Have you a bed for the night?", "An ale, please.", "Farewell!"):
        result = agent.send(text)

        assert result.debug_info is not None
        found = result.debug_info["nodes"][0]["intention"]
        request = engine.recorded_requests(name)[-1]
        assert request.cached_tokens == request.prompt_tokens
        logits = np.array(engine.next_token_logits(name, request.prompt_tokens))
        weights = np.exp(logits.astype(np.float64) - logits.max())
        expected = np.array([weights[tokens].sum() for tokens in spellings])
        expected /= expected.sum()
        shares = [each["probability"] for each in found["probabilities"]]
        assert shares == pytest.approx(expected, abs=2e-3)
        assert found["best"] == max(shares)
