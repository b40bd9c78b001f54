"""Many conversations in few slots: what is parked, shared, dropped and batched."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from random import Random

import numpy as np
import pytest

from support import raises_code
from talefold import Agent, ContextOverrides, Engine, EngineStats, ErrorCode

from .conftest import ModelFile
from .talk import asked, open_talk

KINDS = ("bpe", "sliding", "recurrent", "hybrid")
LINES = ("Good evening.", "Any rooms?", "And stew?", "Who is that man?")
WORLD = "You live in Dorn, by the river. " * 40  # some hundred tokens

# Of another batch shape, not of another state; see test_kv_exactness.
TOLERANCE = 0.1


class Inn:
    """An engine with one model and as many guests as a test wants."""

    def __init__(self, path: object, **options: object) -> None:
        # Nothing but what the test asks for moves or is computed.
        self.engine = Engine(**({"prewarm": False} | options))
        self.engine.load_model("model", path, record_requests=True)
        self._open = ExitStack()

    def guest(self, system_prompt: str = "", **params: object) -> Agent:
        params = {"context_size": 1024, "max_tokens": 4} | params
        agent = open_talk(self.engine, "model", system_prompt=system_prompt, **params)
        return self._open.enter_context(agent)

    @property
    def stats(self) -> EngineStats:
        return self.engine.stats()

    def check(self) -> None:
        """Cells were always what the prompt says, within the cap."""
        for request in asked(self.engine, "model")[::-3]:
            empty = np.array(
                self.engine.next_token_logits("model", request.prompt_tokens)
            )
            assert np.abs(empty - np.array(request.next_logits)).max() < TOLERANCE
        assert self.stats.kv_peak_bytes <= self.stats.kv_cache_bytes
        assert self.stats.repaired_states == 0

    def close(self) -> None:
        self._open.close()
        self.engine.close()


@pytest.fixture
def open_inn(model_file: ModelFile) -> Iterator[object]:
    inns = []

    def open_one(kind: str, **options: object) -> Inn:
        inns.append(Inn(model_file(kind), **options))
        return inns[-1]

    yield open_one
    for inn in inns:
        inn.close()


@pytest.mark.parametrize("kind", KINDS)
def test_a_parked_conversation_goes_on_as_if_it_had_kept_its_slot(
    open_inn: object, kind: str
) -> None:
    inn = open_inn(kind, slots_per_pool=1)
    guests = [inn.guest(f"You are number {i}.") for i in range(3)]

    for line in LINES:
        for guest in guests:
            guest.send(line)

    assert inn.stats.parks >= 9
    assert inn.stats.restores >= 8
    assert inn.stats.dropped_states == 0
    inn.check()


def test_a_parked_conversation_costs_its_new_tokens(open_inn: object) -> None:
    inn = open_inn("bpe", slots_per_pool=1)
    first, second = inn.guest(WORLD), inn.guest("You are somebody else.")
    first.send("Hi")
    second.send("Hi")

    report = first.send("Any rooms?").debug_info["nodes"][0]["input"]

    assert report["reused_tokens"] > 0.8 * report["prompt_tokens"]
    assert inn.stats.restores == 1


@pytest.mark.parametrize("kind", ["bpe", "smollm2"])
def test_a_world_prompt_is_computed_once(open_inn: object, kind: str) -> None:
    inn = open_inn(kind, slots_per_pool=2)
    guests = [inn.guest(WORLD) for _ in range(6)]

    # At the same time, so that nobody is done when the others begin.
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda guest: guest.send("Good evening."), guests))

    longest = max(len(r.prompt_tokens) for r in asked(inn.engine, "model"))
    assert longest > 200
    assert inn.stats.prefill_tokens < longest + 6 * 20
    assert inn.stats.shared_tokens > 4 * (longest - 20)
    if kind == "bpe":
        inn.check()


@pytest.mark.parametrize("kind", KINDS)
def test_sharing_changes_no_prompt(open_inn: object, kind: str) -> None:
    inn = open_inn(kind, slots_per_pool=2)
    for name in ("Ada", "Bo", "Cy", "Di"):
        guest = inn.guest(WORLD + f"You are {name}.")
        for line in LINES[:2]:
            guest.send(line)

    inn.check()


def test_a_closed_conversation_is_continued_from_its_snapshot_without_prefill(
    open_inn: object,
) -> None:
    inn = open_inn("bpe")
    guest = inn.guest(WORLD)
    guest.send("Hi")
    snapshot = guest.export_snapshot()
    guest.close()
    again = inn.guest(WORLD)
    again.import_snapshot(snapshot)

    again.send("Any rooms?")

    assert inn.stats.shared_tokens > 200
    inn.check()


@pytest.mark.parametrize("kind", KINDS)
def test_the_byte_cap_holds_with_more_guests_than_fit(
    open_inn: object, kind: str
) -> None:
    roomy = open_inn(kind)
    roomy.guest().send("Hi")
    slot = roomy.stats.pools[0].bytes // roomy.stats.pools[0].slots
    inn = open_inn(kind, kv_cache_bytes=3 * slot)
    guests = [inn.guest(f"You are number {i}. " * 12) for i in range(12)]

    with ThreadPoolExecutor(6) as pool:
        for line in LINES[:3]:
            list(pool.map(lambda guest, text=line: guest.send(text), guests))

    assert inn.stats.pools[0].slots == 1
    assert inn.stats.kv_peak_bytes > 2 * slot - slot // 2
    inn.check()


def test_a_context_larger_than_the_cap_is_refused_when_the_agent_is_made(
    open_inn: object,
) -> None:
    inn = open_inn("bpe", kv_cache_bytes=100_000)

    with raises_code(ErrorCode.InvalidParamValue) as caught:
        inn.guest(context_size=2048)

    assert "context_size" in caught.value.message
    assert "100000" in caught.value.message
    assert "kv_cache_bytes" in caught.value.hint


def test_a_quantized_cache_without_flash_attention_is_refused(open_inn: object) -> None:
    inn = open_inn("bpe")

    with raises_code(ErrorCode.InvalidParamValue) as caught:
        inn.guest(context=ContextOverrides(kv_type="q8_0", flash_attention=False))

    assert "context.kv_type" in caught.value.message


def test_two_context_sizes_take_turns_in_a_cap_that_holds_one(
    open_inn: object,
) -> None:
    roomy = open_inn("bpe")
    roomy.guest().send("Hi")
    slot = roomy.stats.pools[0].bytes // roomy.stats.pools[0].slots
    inn = open_inn("bpe", kv_cache_bytes=slot + slot // 4)
    large, small = inn.guest(), inn.guest(context_size=512)

    with ThreadPoolExecutor(2) as pool:
        for line in LINES:
            list(pool.map(lambda guest, text=line: guest.send(text), (large, small)))

    assert len(inn.stats.pools) == 1
    inn.check()


@pytest.mark.parametrize(
    "other",
    [
        {"context": ContextOverrides(kv_type="q8_0", n_threads=1)},
        {"context": ContextOverrides(flash_attention=False, n_threads=1)},
    ],
    ids=["kv_type", "flash_attention"],
)
def test_cells_of_another_form_are_not_shared(
    open_inn: object, other: dict[str, object]
) -> None:
    inn = open_inn("bpe")
    inn.guest(WORLD).send("Hi")

    inn.guest(WORLD, **other).send("Hi")

    assert inn.stats.shared_tokens == 0
    assert len(inn.stats.pools) == 2


def test_an_unloaded_model_gives_its_memory_back(open_inn: object) -> None:
    inn = open_inn("bpe")
    guest = inn.guest()
    guest.send("Hi")
    inn.engine.unload_model("model")
    assert inn.stats.kv_used_bytes > 0

    guest.close()
    del guest
    inn.close()
    assert inn.stats.kv_used_bytes == 0


@pytest.mark.parametrize("slots_per_pool", [256, 2**31 - 1])
def test_more_slots_than_llama_cpp_knows_are_as_many_as_it_knows(
    open_inn: object, slots_per_pool: int
) -> None:
    inn = open_inn("recurrent", slots_per_pool=slots_per_pool)

    inn.guest().send("Hi")

    assert inn.stats.pools[0].slots == 256


@pytest.mark.parametrize("n_batch", [1, 7, 64])
def test_small_batches_are_enough(open_inn: object, n_batch: int) -> None:
    inn = open_inn("bpe")
    context = ContextOverrides(n_batch=n_batch, n_ubatch=n_batch, n_threads=1)
    guests = [inn.guest(f"You are {i}.", context=context) for i in range(3)]

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda guest: guest.send("Good evening."), guests))

    inn.check()


def test_more_threads_than_the_system_has_do_not_end_the_process(
    open_inn: object,
) -> None:
    inn = open_inn("bpe")
    inn.guest(context=ContextOverrides(n_threads=10**6), max_tokens=1).send("Hi")


def deterministic_talk(guest: Agent) -> list[str]:
    texts = [guest.send(line).text for line in LINES]
    guest.undo_last_turn()
    return [*texts, guest.send("And your name?").text]


@pytest.mark.parametrize("kind", ["bpe", "hybrid"])
def test_a_deterministic_engine_says_the_same_whatever_else_runs(
    open_inn: object, kind: str
) -> None:
    options = {"max_tokens": 12, "temperature": 1.0, "seed": 7}
    alone = open_inn(kind, deterministic=True)
    expected = deterministic_talk(alone.guest(WORLD, **options))

    busy = open_inn(kind, deterministic=True, slots_per_pool=2)
    first = busy.guest(WORLD, **options)
    with ThreadPoolExecutor(4) as pool:
        others = [busy.guest(WORLD + f"You are {i}.") for i in range(3)]
        running = [
            pool.submit(lambda guest=other: [guest.send(line) for line in LINES])
            for other in others
        ]
        texts = pool.submit(deterministic_talk, first).result(timeout=120)
        for each in running:
            each.result(timeout=120)

    assert texts == expected
    assert busy.stats.moves == 0


@pytest.mark.parametrize("n_batch", [1, 16])
def test_a_deterministic_engine_says_the_same_whatever_the_batch_of_others(
    open_inn: object, n_batch: int
) -> None:
    small = ContextOverrides(n_batch=n_batch, n_ubatch=n_batch, n_threads=1)
    options = {"max_tokens": 12, "temperature": 1.0, "seed": 7}
    for own, other in (({}, {"context": small}), ({"context": small}, {})):
        alone = open_inn("bpe", deterministic=True)
        expected = deterministic_talk(alone.guest(WORLD, **options, **own))

        shared = open_inn("bpe", deterministic=True, slots_per_pool=1)
        shared.guest(WORLD, **other).send("Hi")
        shared.guest(WORLD + "You are a smith.", **own).send("Hi")

        assert deterministic_talk(shared.guest(WORLD, **options, **own)) == expected


def test_stats_count_what_happens(open_inn: object) -> None:
    inn = open_inn("bpe")
    assert inn.stats.pools == []
    guest = inn.guest()
    guest.send("Hi")
    before = inn.stats
    turn = guest.start("Any rooms?")
    turn.result()

    now = inn.stats
    assert now.requests == before.requests + 1
    assert now.running_requests == now.waiting_requests == 0
    assert now.reused_tokens > 0
    assert now.generated_tokens > before.generated_tokens
    assert now.decode_calls > before.decode_calls
    [pool] = now.pools
    assert pool.context_size == 1024
    assert pool.slots == 5
    assert pool.live_states == 1
    assert pool.running == 0
    assert now.kv_used_bytes == pool.bytes


def test_a_turn_waits_for_a_slot_and_can_be_cancelled_meanwhile(
    open_inn: object,
) -> None:
    inn = open_inn("smollm2", slots_per_pool=1)
    talker = inn.guest(max_tokens=300, temperature=1.0, stream=True)
    waiting = inn.guest("You are a smith.", max_tokens=300)
    running = talker.start("Tell me a long story.")
    events = iter(running)
    next(events)
    turn = waiting.start("Hi")
    deadline = time.monotonic() + 10
    while inn.stats.waiting_requests == 0 and time.monotonic() < deadline:
        time.sleep(0.01)
    assert inn.stats.waiting_requests == 1

    turn.cancel()

    assert turn.result(timeout=10).status == "cancelled"
    assert waiting.dialog() == []
    running.cancel()
    running.result(timeout=10)


@pytest.mark.parametrize("value", [0, -1])
@pytest.mark.parametrize("option", ["kv_cache_bytes", "slots_per_pool"])
def test_an_option_below_one_is_refused(option: str, value: int) -> None:
    with raises_code(ErrorCode.InvalidArgument) as caught:
        Engine(**{option: value})

    assert option in caught.value.message


def test_a_thousand_trims_of_any_size_never_fail_a_decode(open_inn: object) -> None:
    inn = open_inn("bpe", slots_per_pool=1)
    random = Random(1)
    guests = [inn.guest(context_size=256, max_tokens=n) for n in (1, 9)]

    for _ in range(1000):
        [guest] = random.choices(guests)
        line = "ab " * random.randint(1, 50)
        assert guest.send(line).status == "success"
        if guest.dialog_size > 40:
            guest.undo_last_turn()

    assert inn.stats.failed_requests == 0
    assert inn.stats.repaired_states == 0
