"""Letters scored in one prefill: how likely a reply is to begin with each."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from support import raises_code
from talefold import ErrorCode, _core

from .conftest import ModelFile, Reference

QUESTION = [
    ("system", "Answer with one letter."),
    ("user", "A. a greeting\nB. a question\nC. a farewell\n\nWhich is 'Goodbye'?"),
]


@pytest.fixture(scope="module")
def smollm2(model_file: ModelFile) -> _core.BareModel:
    return _core.BareModel(str(model_file("smollm2")), deterministic=True)


def test_scores_are_the_softmax_of_the_logits_over_both_spellings(
    smollm2: _core.BareModel, reference: Reference
) -> None:
    scores, prompt, _, _ = smollm2.open(512).score(QUESTION, 26, False)

    logits = np.array(smollm2.next_token_logits(prompt), np.float64)
    probabilities = np.exp(logits - logits.max())
    probabilities /= probabilities.sum()
    model = reference("smollm2")
    for i, score in enumerate(scores):
        letter = chr(ord("A") + i)
        spellings = [model.tokenize(text) for text in (letter, " " + letter)]
        assert all(len(tokens) == 1 for tokens in spellings)
        expected = sum(probabilities[token] for (token,) in spellings)
        assert score == pytest.approx(np.log(expected), abs=1e-4)
    assert len(scores) == 26


def test_the_prompt_stays_for_the_next_request(smollm2: _core.BareModel) -> None:
    sequence = smollm2.open(512)
    _, prompt, reused, decoded = sequence.score(QUESTION, 3, False)
    assert (reused, decoded) == (0, len(prompt))

    longer = [*QUESTION, ("assistant", "C"), ("user", "And 'Hello'?")]
    _, next_prompt, reused, decoded = sequence.score(longer, 3, False)

    assert reused >= len(prompt) // 64 * 64  # deterministic: whole chunks
    assert reused + decoded == len(next_prompt)


@pytest.mark.parametrize("kind", ["bpe", "spm", "user_defined"])
def test_every_kind_of_vocabulary_has_the_letters(
    model_file: ModelFile, kind: str
) -> None:
    model = _core.BareModel(str(model_file(kind)), False)

    scores = model.open(256).score([("user", "Which?")], 26, False)[0]

    assert 0.0 < np.exp(scores).sum() < 1.0


def test_a_cancelled_request_has_no_scores(smollm2: _core.BareModel) -> None:
    sequence = smollm2.open(512)

    assert sequence.score(QUESTION, 3, True)[0] == []
    assert len(sequence.score(QUESTION, 3, False)[0]) == 3


def test_a_prompt_that_does_not_fit_is_4004(smollm2: _core.BareModel) -> None:
    sequence = smollm2.open(16)

    with raises_code(ErrorCode.ContextOverflow):
        sequence.score(QUESTION, 3, False)


def test_scores_are_the_same_beside_replies_of_others(
    smollm2: _core.BareModel,
) -> None:
    alone = smollm2.open(512).score(QUESTION, 3, False)[0]

    with ThreadPoolExecutor(3) as pool:
        talks = [
            pool.submit(
                smollm2.open(512).generate, [("user", "Tell!")], "", "{}", seed, 32, 0
            )
            for seed in (1, 2)
        ]
        beside = pool.submit(smollm2.open(512).score, QUESTION, 3, False).result()[0]
        for talk in talks:
            talk.result()

    assert beside == alone
