"""Folds beside turns and prepared prompts, on real KV cells."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from talefold import (
    Agent,
    ContextOverrides,
    Engine,
    GenerateParams,
    GraphDescription,
    SamplingOverrides,
    SummarizeParams,
    TurnResult,
)

from .conftest import ModelFile
from .talk import asked

KINDS = ("bpe", "sliding", "recurrent", "hybrid")
LINES = [
    f"{who} told me about {what} on the {where} road."
    for who in ("Wren", "Mara", "The miller")
    for what in ("wolves", "a fire", "two riders")
    for where in ("north", "mill")
]
# Of another batch shape, not of another state; see test_kv_exactness.
TOLERANCE = 0.1


def talk_graph(**fold: object) -> GraphDescription:
    context = ContextOverrides(n_threads=1)
    greedy = SamplingOverrides(temperature=0.0, max_tokens=12)
    talk = GenerateParams(
        context_size=512,
        system_prompt="You are Edric.",
        sampling=greedy,
        context=context,
        default_exit="fold",
    )
    params = {
        "trigger_turns": 4,
        "trigger_tokens": 0,
        "keep_recent_turns": 1,
        "max_summary_tokens": 24,
        "run_inline": False,
    }
    summarize = SummarizeParams(
        **(params | fold), sampling=greedy, context=context, context_size=1024
    )
    return (
        GraphDescription()
        .add_node("talk", talk)
        .add_node("fold", summarize)
        .set_start_node("talk")
    )


Open = Callable[..., tuple[Engine, Agent]]


@pytest.fixture
def open_talk(model_file: ModelFile) -> Iterator[Open]:
    engines: list[Engine] = []

    def open_one(kind: str, *, fold: dict | None = None, **options: object) -> tuple:
        engine = Engine(**options)
        engines.append(engine)
        engine.load_model("model", model_file(kind), record_requests=True)
        agent = engine.create_agent(talk_graph(**(fold or {})), enable_diagnostics=True)
        return engine, agent

    yield open_one
    for engine in engines:
        engine.close()


def given(turn: TurnResult) -> dict:
    return turn.debug_info["nodes"][0]["input"]


def check(engine: Engine) -> None:
    """Cells were what the prompts say, and logits those of an empty cache."""
    for request in asked(engine, "model")[::4]:
        empty = np.array(engine.next_token_logits("model", request.prompt_tokens))
        assert np.abs(empty - np.array(request.next_logits)).max() < TOLERANCE
    assert engine.stats().repaired_states == 0


@pytest.mark.parametrize("kind", KINDS)
def test_after_a_fold_or_a_trim_only_the_players_text_is_computed(
    open_talk: Open, kind: str
) -> None:
    engine, agent = open_talk(kind)
    agent.prewarm()
    agent.wait_background()

    for line in LINES:
        alone = engine.count_tokens("model", line)
        turn = agent.send(line)
        agent.wait_background()
        # With what the template writes around it, and the opening of the reply.
        assert given(turn)["decoded_tokens"] <= alone + 24
        assert "first_changed_token" not in given(turn)

    assert engine.stats().committed_folds >= 3
    check(engine)


def test_the_first_turn_after_a_fold_costs_what_any_turn_costs(open_talk: Open) -> None:
    _, agent = open_talk("smollm2")
    extra, folds = [], []
    for line in LINES[:12]:
        turn = agent.send(line)
        alone = len(given(turn)["prompt"][-1]["text"].split())
        extra.append(given(turn)["decoded_tokens"] - alone)
        agent.wait_background()
        summary = agent.get_summary()
        folds.append(summary.covered_through if summary else -1)

    after_fold = [i + 1 for i in range(11) if folds[i] != (folds[i - 1] if i else -1)]
    assert len(after_fold) >= 2
    assert max(extra[i] for i in after_fold) <= max(extra[1:4]) + 2


@pytest.mark.parametrize("kind", ["bpe", "smollm2"])
def test_players_turns_and_background_work_mix_without_a_difference(
    open_talk: Open, kind: str
) -> None:
    """Nothing is waited for: every preparation and fold is overtaken by a turn."""
    engine, agent = open_talk(kind, slots_per_pool=1)

    for line in LINES:
        agent.send(line)

    assert engine.stats().scheduled_folds >= 1
    if kind == "bpe":
        check(engine)
    asked(engine, "model")


def test_a_deterministic_engine_says_the_same_inline_beside_and_at_any_pace(
    open_talk: Open,
) -> None:
    said = []
    for inline, pace in ((True, 0.0), (False, 0.0), (False, 0.02)):
        _, agent = open_talk("bpe", fold={"run_inline": inline}, deterministic=True)
        texts = []
        for line in LINES:
            texts.append(agent.send(line).text)
            time.sleep(pace)
            agent.wait_background()
        said.append((texts, agent.export_snapshot()))

    assert said[0] == said[1] == said[2]


def test_prepared_prompts_fit_under_a_tight_cap(open_talk: Open) -> None:
    engine, agent = open_talk("bpe")
    agent.send(LINES[0])
    agent.wait_background()
    bytes_used = engine.stats().kv_used_bytes
    engine, agent = open_talk("bpe", kv_cache_bytes=bytes_used // 2, slots_per_pool=1)
    for line in LINES:
        agent.send(line)
        agent.wait_background()

    stats = engine.stats()
    assert stats.kv_peak_bytes <= stats.kv_cache_bytes
    check(engine)


def test_without_prewarm_nothing_is_computed_before_it_is_asked_for(
    open_talk: Open,
) -> None:
    engine, agent = open_talk("bpe", prewarm=False)
    for line in LINES[:3]:
        agent.send(line)
        agent.wait_background()
    assert engine.stats().background_prefill_tokens == 0

    agent.prewarm()
    agent.wait_background()

    assert engine.stats().background_prefill_tokens > 0
