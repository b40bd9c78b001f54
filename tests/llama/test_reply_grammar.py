"""Replies under a grammar: what a model may say, and what it may not."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from support import raises_code
from talefold import ErrorCode, _core

from .conftest import ModelFile
from .tools import FORMATS, TOOLS

PROMPT = [("user", "Pour me two ales, then open the cellar door. Answer with JSON.")]
ALL_OPEN = {"temperature": 1.5, "top_k": 0, "top_p": 1.0, "min_p": 0.0}
CALLS = _core.tool_grammar(TOOLS, "generic", False)


@pytest.fixture(scope="module")
def smollm2(model_file: ModelFile) -> _core.BareModel:
    return _core.BareModel(str(model_file("smollm2")), deterministic=True)


@pytest.fixture
def sequence(smollm2: _core.BareModel) -> _core.BareSequence:
    return smollm2.open(512)


def reply(
    sequence: _core.BareSequence,
    grammar: str,
    *,
    seed: int = 1,
    max_tokens: int = 64,
    cancel_after: int = 0,
    **sampling: Any,
) -> tuple[str, str]:
    """Text and stop reason."""
    return sequence.generate(
        PROMPT,
        grammar,
        json.dumps(ALL_OPEN | sampling),
        seed,
        max_tokens,
        cancel_after,
    )[:2]


@pytest.mark.parametrize("allow_prose", [False, True])
@pytest.mark.parametrize("format", FORMATS)
def test_a_reply_that_is_not_cut_has_no_problem(
    sequence: _core.BareSequence, format: str, allow_prose: bool
) -> None:
    grammar = _core.tool_grammar(TOOLS, format, allow_prose)
    for seed in range(1, 5):
        text, stop_reason = reply(
            sequence, grammar, seed=seed, top_k=40, temperature=0.75 + seed / 4
        )
        if stop_reason != "end_of_reply":
            continue
        calls, problems, prose = _core.parse_tool_calls(text, TOOLS, format)

        assert problems == [], text
        assert calls if not allow_prose else bool(calls) != bool(prose), text


@pytest.mark.parametrize("temperature", [0.0, 2.0])
def test_a_reply_ends_where_its_grammar_does(
    sequence: _core.BareSequence, temperature: float
) -> None:
    replies = [
        reply(sequence, 'root ::= "aye" | "nay"', seed=seed, temperature=temperature)
        for seed in range(1, 4)
    ]

    assert set(replies) <= {("aye", "end_of_reply"), ("nay", "end_of_reply")}


def test_sampling_settings_choose_among_what_is_allowed(
    sequence: _core.BareSequence,
) -> None:
    words = 'root ::= "' + '" | "'.join("one two three four five".split()) + '"'

    likeliest = {reply(sequence, words, seed=s, top_k=1)[0] for s in range(1, 4)}
    any_of_them = {reply(sequence, words, seed=s)[0] for s in range(1, 9)}

    assert len(likeliest) == 1
    assert len(any_of_them) > 1


def test_max_tokens_may_cut_a_call(sequence: _core.BareSequence) -> None:
    text, stop_reason = reply(sequence, CALLS, max_tokens=4)

    assert stop_reason == "max_tokens"
    assert text.startswith("{")


@pytest.mark.parametrize("kind", ["bpe", "spm", "user_defined"])
def test_tokens_without_a_text_are_no_text_of_the_grammar(
    model_file: ModelFile, kind: str
) -> None:
    sequence = _core.BareModel(str(model_file(kind)), False).open(256)

    for seed in range(1, 21):  # random logits: of 800 tokens many would be control ones
        text, stop_reason = reply(
            sequence, "root ::= [ -~]{40}", seed=seed, temperature=5.0
        )

        assert (len(text), stop_reason) == (40, "end_of_reply")


def test_a_vocabulary_of_pieces_of_characters_writes_whole_ones(
    model_file: ModelFile,
) -> None:
    sequence = _core.BareModel(str(model_file("spm")), False).open(256)

    text, stop_reason = reply(sequence, 'root ::= "Grüße, 世界 🍺"')

    assert (text, stop_reason) == ("Grüße, 世界 🍺", "end_of_reply")


@pytest.mark.parametrize(
    "grammar",
    [
        "root ::= [",
        'start ::= "a"',
        "root ::= root",
        "root ::= a",
    ],
)
def test_a_grammar_that_cannot_be_read_fails_the_request_alone(
    sequence: _core.BareSequence, grammar: str
) -> None:
    with raises_code(ErrorCode.InferenceFailed) as caught:
        reply(sequence, grammar)

    assert "cannot read the grammar" in caught.value.message
    assert reply(sequence, 'root ::= "aye"')[0] == "aye"


def test_a_grammar_that_no_token_continues_fails_the_request_alone(
    sequence: _core.BareSequence,
) -> None:
    with raises_code(ErrorCode.InferenceFailed) as caught:
        reply(sequence, r'root ::= "a" [\x00]')

    assert "no token" in caught.value.message
    assert reply(sequence, 'root ::= "aye"')[0] == "aye"


def test_after_a_cancel_in_the_middle_of_a_call_the_next_one_is_as_ever(
    smollm2: _core.BareModel, sequence: _core.BareSequence
) -> None:
    text, stop_reason = reply(sequence, CALLS, cancel_after=5)

    assert stop_reason == "cancelled"
    assert text.startswith("{")
    assert reply(sequence, CALLS, seed=2) == reply(smollm2.open(512), CALLS, seed=2)


@pytest.mark.parametrize("deterministic", [True, False])
def test_each_of_several_replies_follows_its_own_grammar(
    model_file: ModelFile, smollm2: _core.BareModel, deterministic: bool
) -> None:
    model = smollm2
    if not deterministic:
        model = _core.BareModel(str(model_file("smollm2")), deterministic=False)

    def ask(format: str) -> tuple[str, str]:
        grammar = _core.tool_grammar(TOOLS, format, False)
        return reply(model.open(512), grammar, seed=5, top_k=40, temperature=1.0)

    alone = [ask(format) for format in FORMATS]
    with ThreadPoolExecutor(len(FORMATS)) as pool:
        together = list(pool.map(ask, FORMATS))

    if deterministic:
        assert together == alone
    for format, (text, stop_reason) in zip(FORMATS, together, strict=True):
        if stop_reason == "end_of_reply":
            assert _core.parse_tool_calls(text, TOOLS, format)[1] == []
