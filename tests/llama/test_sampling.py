"""Every sampling field reaches the sampler and does what it says, on real logits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from talefold import AnswerText, Engine, SamplingOverrides

from .conftest import Load, ModelFile, Reference
from .reference import ReferenceModel
from .talk import open_talk

PROMPT = "Tell me a story about a fox."
ALL_OPEN = {"temperature": 1.0, "top_k": 0, "top_p": 1.0, "min_p": 0.0, "seed": 3}

Reply = Callable[..., str]


@pytest.fixture(scope="module")
def smollm2(model_file: ModelFile) -> Iterator[Engine]:
    with Engine() as engine:
        engine.load_model("smollm2", model_file("smollm2"), record_requests=True)
        yield engine


@pytest.fixture(scope="module")
def reply(smollm2: Engine) -> Reply:
    """The reply to `PROMPT`; of the likeliest tokens unless told otherwise."""

    def ask(prompt: str = PROMPT, **sampling: Any) -> str:
        options = {"context_size": 512, "max_tokens": 12} | sampling
        with open_talk(smollm2, "smollm2", **options) as agent:
            return agent.send(prompt).text

    return ask


@pytest.fixture(scope="module")
def greedy(reply: Reply) -> str:
    return reply()


def test_temperature_zero_takes_the_likeliest_tokens(
    smollm2: Engine, reply: Reply, greedy: str, reference: Reference
) -> None:
    model = reference("smollm2")
    prompt = smollm2.recorded_requests("smollm2")[0].prompt_tokens
    tokens = []
    with model.context(512, n_threads=1) as context:
        logits = context.decode(prompt)
        while len(tokens) < 12:
            tokens.append(int(logits.argmax()))
            logits = context.decode(tokens[-1:])

    assert greedy == model.text(tokens)
    assert reply() == greedy


@pytest.mark.parametrize(
    "sampling",
    [{"top_k": 1}, {"top_p": 0.0}, {"min_p": 1.0}],
    ids=lambda sampling: next(iter(sampling)),
)
def test_the_narrowest_choice_is_the_likeliest_token(
    reply: Reply, greedy: str, sampling: dict[str, float]
) -> None:
    assert reply(**(ALL_OPEN | {"temperature": 2.0} | sampling)) == greedy


def test_a_seed_decides_the_reply(reply: Reply) -> None:
    texts = [reply(**(ALL_OPEN | {"seed": seed})) for seed in (1, 1, 2, 3, 4)]

    assert texts[0] == texts[1]
    assert len(set(texts)) >= 4


def test_seed_zero_is_another_one_each_time(reply: Reply) -> None:
    assert len({reply(**(ALL_OPEN | {"seed": 0})) for _ in range(4)}) >= 2


def top_k(probability: np.ndarray) -> np.ndarray:
    return np.argsort(-probability)[:3]


def top_p(probability: np.ndarray) -> np.ndarray:
    order = np.argsort(-probability)
    return order[: int((probability[order].cumsum() < 0.6).sum()) + 1]


def min_p(probability: np.ndarray) -> np.ndarray:
    return np.flatnonzero(probability >= 0.1 * probability.max())


def first_pieces(engine: Engine, count: int, **sampling: Any) -> set[str]:
    """First tokens of as many replies to one prompt."""
    options = {"context_size": 512, "max_tokens": 1} | sampling
    with open_talk(engine, "smollm2", **options) as agent:
        pieces = {agent.send(PROMPT).text}
        for _ in range(count - 1):
            pieces.add(agent.regenerate().text)
    return pieces


@pytest.mark.parametrize(
    ("sampling", "allowed"),
    [({"top_k": 3}, top_k), ({"top_p": 0.6}, top_p), ({"min_p": 0.1}, min_p)],
    ids=["top_k", "top_p", "min_p"],
)
def test_only_likely_tokens_are_drawn(
    smollm2: Engine,
    reference: Reference,
    sampling: dict[str, float],
    allowed: Callable[[np.ndarray], np.ndarray],
) -> None:
    drawn = first_pieces(smollm2, 30, **(ALL_OPEN | {"temperature": 5.0} | sampling))

    logits = np.array(smollm2.recorded_requests("smollm2")[-1].next_logits)
    probability = np.exp(logits - logits.max())
    model: ReferenceModel = reference("smollm2")
    tokens = allowed(probability / probability.sum())
    assert drawn <= {model.text([int(token)]) for token in tokens}
    assert len(drawn) > 1


def test_temperature_is_randomness(smollm2: Engine) -> None:
    counts = [
        len(first_pieces(smollm2, 20, **(ALL_OPEN | {"temperature": temperature})))
        for temperature in (0.01, 5.0)
    ]

    assert counts[0] == 1
    assert counts[1] >= 15


LOOP = "Say the word again and again: la la la la la la la la"
PENALTIES = {
    "repeat_penalty": {"repeat_penalty": 1.5},
    "presence_penalty": {"presence_penalty": 2.0},
    "frequency_penalty": {"frequency_penalty": 2.0},
    "dry": {"dry_multiplier": 4.0},
}


@pytest.fixture(scope="module")
def looping(reply: Reply) -> str:
    """A reply that goes round in circles."""
    return reply(LOOP, max_tokens=40)


@pytest.mark.parametrize("penalty", PENALTIES.values(), ids=PENALTIES)
def test_a_penalty_ends_a_loop(
    reply: Reply, looping: str, penalty: dict[str, float]
) -> None:
    other = reply(LOOP, max_tokens=40, **penalty)

    assert other != looping
    assert len(set(other.split())) > len(set(looping.split()))


@pytest.mark.parametrize(
    "off",
    [
        {"repeat_penalty": 1.5, "repeat_last_n": 0},
        {"presence_penalty": 2.0, "repeat_last_n": 0},
        {"frequency_penalty": 2.0, "repeat_last_n": 0},
        {"dry_multiplier": 4.0, "dry_penalty_last_n": 0},
        {"dry_multiplier": 4.0, "dry_allowed_length": 100},
        {"repeat_penalty": 1.0},
        {"dry_multiplier": 0.0},
    ],
    ids=lambda off: "-".join(off),
)
def test_a_penalty_can_be_without_effect(
    reply: Reply, looping: str, off: dict[str, float]
) -> None:
    assert reply(LOOP, max_tokens=40, **off) == looping


@pytest.mark.parametrize(
    ("field", "values"),
    [("dry_base", (1.0, 4.0)), ("dry_allowed_length", (1, 6))],
)
def test_dry_can_be_tuned(
    reply: Reply, field: str, values: tuple[float, float]
) -> None:
    options = {"max_tokens": 40, "dry_multiplier": 0.4}

    assert len({reply(LOOP, **options, **{field: value}) for value in values}) == 2


@pytest.mark.parametrize("at", range(1, 36, 3))
def test_a_reply_is_cut_at_a_stop_string(smollm2: Engine, greedy: str, at: int) -> None:
    """Wherever it begins: inside a token, over the borders of several."""
    stop = greedy[at : at + 6]
    assert len(stop) == 6
    options = {"context_size": 512, "max_tokens": 12, "stream": True}

    with open_talk(smollm2, "smollm2", stop=["never", stop], **options) as agent:
        result = agent.send(PROMPT)

    expected = greedy[: greedy.index(stop)]
    pieces = [event.text for event in result.events if isinstance(event, AnswerText)]
    assert result.text == expected
    assert "".join(pieces[:-1]) == expected
    assert result.debug_info["nodes"][0]["output"]["stop_reason"] == "end_of_reply"


@pytest.mark.parametrize("count", [1, 2, 7])
def test_a_reply_has_at_most_max_tokens(smollm2: Engine, count: int) -> None:
    with open_talk(smollm2, "smollm2", context_size=512, max_tokens=count) as agent:
        result = agent.send(PROMPT)

    assert result.tokens_generated == count
    assert result.debug_info["nodes"][0]["output"]["stop_reason"] == "max_tokens"


def test_a_node_overrides_what_the_model_brings(engine: Engine, load: Load) -> None:
    brought = SamplingOverrides(temperature=0.5, top_k=7, max_tokens=3, stop=["bread"])
    model = load("bpe", default_sampling=brought)

    with open_talk(engine, model, temperature=0.0, min_p=0.2, seed=9) as agent:
        agent.send("Hi")

    [request] = engine.recorded_requests(model)
    assert request.max_tokens == 3
    assert request.sampling == SamplingOverrides(
        temperature=0.0, top_k=7, max_tokens=3, stop=["bread"], min_p=0.2, seed=9
    )
