"""KV states in files: the same tokens computed once, the same replies, or refused."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import pytest

from support import raises_code
from talefold import (
    Agent,
    ContextOverrides,
    Engine,
    ErrorCode,
    LoraAdapter,
    ModelAdaptation,
)

from .conftest import ModelFile
from .lora_files import random_pairs, write_adapter
from .talk import asked, reply_graph

KINDS = ("bpe", "sliding", "recurrent", "hybrid", "smollm2")
WORLD = "You live in Dorn, by the river. " * 16
LINES = ("Good evening.", "Any rooms?")
LAST = "And stew?"


class Inn:
    """Engines with one model each, closed at the end."""

    def __init__(self) -> None:
        self._open = ExitStack()

    def engine(self, path: Path, *, chat_template: str = "", **options: Any) -> Engine:
        engine = self._open.enter_context(
            Engine(**({"prewarm": False} | options))  # sizes stand still
        )
        engine.load_model(
            "model", path, chat_template=chat_template, record_requests=True
        )
        return engine

    def close(self) -> None:
        self._open.close()


@pytest.fixture
def inn() -> Iterator[Inn]:
    inn = Inn()
    yield inn
    inn.close()


def make(engine: Engine, like: Agent | None = None, **params: Any) -> Agent:
    options = {key: params.pop(key) for key in ("kv",) if key in params}
    params = {"system_prompt": WORLD, "context_size": 1024, "max_tokens": 8} | params
    return engine.create_agent(
        reply_graph(**params),
        default_model_name="model",
        enable_diagnostics=True,
        snapshot=like.export_snapshot() if like else None,
        **options,
    )


def talked(engine: Engine, **params: Any) -> Agent:
    agent = make(engine, **params)
    for line in LINES:
        agent.send(line)
    return agent


def next_turn(agent: Agent) -> tuple[str, int]:
    """Text, and tokens that were not computed again."""
    result = agent.send(LAST)
    assert result.debug_info is not None
    return result.text, result.debug_info["nodes"][0]["input"]["reused_tokens"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_conversation_goes_on_in_another_engine_as_if_never_interrupted(
    inn: Inn, model_file: ModelFile, tmp_path: Path, kind: str
) -> None:
    path = model_file(kind)
    # Memory without a past keeps nothing of a prompt that departs from what it has, and
    # a reply of random weights is not read as it was written.
    length = 8 if kind == "smollm2" else 1
    engine = inn.engine(path)
    agent = talked(engine, max_tokens=length)
    agent.save(tmp_path / "edric", kv=True)
    assert (tmp_path / "edric.kv").stat().st_size == agent.kv_export_size
    snapshot = (tmp_path / "edric").read_text("utf-8")

    other = inn.engine(path)
    going_on = other.load_agent(
        reply_graph(system_prompt=WORLD, context_size=1024, max_tokens=length),
        tmp_path / "edric",
        enable_diagnostics=True,
    )
    cold = make(inn.engine(path), max_tokens=length)
    cold.import_snapshot(snapshot)

    assert going_on.kv_rejection is None
    expected, kept = next_turn(agent)
    assert kept > 0
    assert next_turn(going_on) == (expected, kept)
    assert next_turn(cold) == (expected, 0)
    uninterrupted = asked(engine, "model")[-1]
    [request] = asked(other, "model")
    assert request.prompt_tokens == uninterrupted.prompt_tokens
    assert request.next_logits == uninterrupted.next_logits
    assert other.stats().restores == 1


def test_a_deterministic_engine_goes_on_to_the_letter(
    inn: Inn, model_file: ModelFile
) -> None:
    options = {"temperature": 1.0, "seed": 7, "max_tokens": 12}
    agent = talked(inn.engine(model_file("bpe"), deterministic=True), **options)

    other = inn.engine(model_file("bpe"), deterministic=True)
    going_on = make(other, agent, kv=agent.export_kv(), **options)

    assert going_on.kv_rejection is None
    expected = next_turn(agent)
    assert expected[1] > 0
    assert next_turn(going_on) == expected


def test_a_parked_state_is_exported_like_a_live_one(
    inn: Inn, model_file: ModelFile
) -> None:
    engine = inn.engine(model_file("bpe"), slots_per_pool=1)
    agent = talked(engine)
    live = agent.export_kv()

    make(engine, system_prompt="You are somebody else.").send("Hi")

    assert engine.stats().parked_states == 1
    parked = agent.export_kv()
    assert len(parked) == agent.kv_export_size == len(live)
    assert parked == live


def test_the_bytes_are_those_of_the_tokens(inn: Inn, model_file: ModelFile) -> None:
    engine = inn.engine(model_file("smollm2"))
    agent = talked(engine)

    computed = engine.stats().prefill_tokens + engine.stats().generated_tokens
    per_token = 2 * 30 * 3 * 64 * 2  # as docs/many-characters.md has it

    assert agent.kv_export_size == pytest.approx(computed * per_token, rel=0.02)


def test_a_copy_of_the_model_file_is_the_same_model(
    inn: Inn, model_file: ModelFile, tmp_path: Path
) -> None:
    agent = talked(inn.engine(model_file("bpe")))
    copy = shutil.copy(model_file("bpe"), tmp_path / "renamed.gguf")

    going_on = make(inn.engine(copy), agent, kv=agent.export_kv())

    assert going_on.kv_rejection is None
    assert next_turn(going_on) == next_turn(agent)


def test_what_took_the_name_of_a_loaded_file_is_another_model(
    inn: Inn, model_file: ModelFile, tmp_path: Path
) -> None:
    path = tmp_path / "model.gguf"
    shutil.copy(model_file("bpe"), path)
    engine = inn.engine(path)
    shutil.copy(changed(model_file("bpe"), tmp_path), tmp_path / "next.gguf")
    (tmp_path / "next.gguf").replace(path)
    agent = talked(engine)

    same = make(inn.engine(model_file("bpe")), agent, kv=agent.export_kv())
    other = make(inn.engine(path), agent, kv=agent.export_kv())

    assert same.kv_rejection is None
    assert other.kv_rejection is not None


def changed(model: Path, folder: Path) -> Path:
    """A copy of a small model with one bit of its weights turned."""
    content = bytearray(model.read_bytes())
    content[-1000] ^= 1
    path = folder / "changed.gguf"
    path.write_bytes(content)
    return path


def test_of_a_large_file_a_sample_of_each_tensor_counts(
    inn: Inn, model_file: ModelFile, tmp_path: Path
) -> None:
    short = {"system_prompt": "", "max_tokens": 1}
    path = model_file("smollm2")
    kv = talked(inn.engine(path), **short).export_kv()
    tensor = gguf.GGUFReader(path).tensors[100]
    content = bytearray(path.read_bytes())
    end = tensor.data_offset + int(tensor.n_bytes)
    content[tensor.data_offset : end] = content[tensor.data_offset : end][::-1]
    (tmp_path / "tuned.gguf").write_bytes(content)

    same = make(inn.engine(path), kv=kv, **short)
    tuned = make(inn.engine(tmp_path / "tuned.gguf"), kv=kv, **short)

    assert same.kv_rejection is None
    assert "field 'model'" in str(tuned.kv_rejection)


def write_in_parts(folder: Path, model: Path) -> list[Path]:
    """A copy of a small model in several files."""
    source = gguf.GGUFReader(model)
    writer = gguf.GGUFWriter(folder / "model.gguf", "llama", split_max_tensors=10)
    for key, field in source.fields.items():
        if key.startswith("GGUF.") or key == "general.architecture":
            continue
        if field.types[0] is gguf.GGUFValueType.ARRAY:
            writer.add_array(key, field.contents())
        else:
            writer.add_key_value(key, field.contents(), field.types[0])
    for tensor in source.tensors:
        writer.add_tensor(tensor.name, np.array(tensor.data))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return sorted(folder.iterdir())


def test_every_file_of_a_model_in_several_counts(
    inn: Inn, model_file: ModelFile, tmp_path: Path
) -> None:
    first, *_, last = write_in_parts(tmp_path, model_file("bpe"))
    kv = talked(inn.engine(first)).export_kv()
    assert make(inn.engine(first), kv=kv).kv_rejection is None
    inn.close()

    shutil.copy(changed(last, tmp_path), last)

    assert "field 'model'" in str(make(inn.engine(first), kv=kv).kv_rejection)


ADAPTED = {"blk.0.attn_q.weight": (64, 64)}


def adapter(folder: Path, scale: float, seed: int = 1) -> ModelAdaptation:
    path = folder / f"adapter-{seed}-{scale}.gguf"
    write_adapter(path, random_pairs(ADAPTED, seed=seed))
    return ModelAdaptation(loras=[LoraAdapter(path=str(path), scale=scale)])


def one_thread(**context: Any) -> ContextOverrides:
    return ContextOverrides(n_threads=1, **context)


MISMATCHES: dict[str, tuple[str, dict[str, Any]]] = {
    "weights": ("model", {"model": changed}),
    "template": ("chat_template", {"engine": {"chat_template": "llama2"}}),
    "kv_type": ("kv_type_k", {"agent": {"context": one_thread(kv_type="q8_0")}}),
    "flash_attention": (
        "flash_attention",
        {"agent": {"context": one_thread(flash_attention=False)}},
    ),
    "slots_per_pool": ("slots", {"engine": {"slots_per_pool": 2}}),
    "deterministic": ("deterministic", {"engine": {"deterministic": True}}),
    "adapter": ("lora_adapters", {"adapter": (1.0, 1)}),
    "adapter's scale": ("lora_adapters", {"adapter": (0.5, 1), "had": (1.0, 1)}),
    "adapter's content": ("lora_adapters", {"adapter": (1.0, 2), "had": (1.0, 1)}),
    "no adapter": ("lora_adapters", {"had": (1.0, 1)}),
    "context_size": ("tokens", {"agent": {"context_size": 256, "system_prompt": "x"}}),
}


@pytest.mark.parametrize("case", MISMATCHES)
def test_a_difference_that_counts_is_named_with_both_values(
    inn: Inn, model_file: ModelFile, tmp_path: Path, case: str
) -> None:
    field, other = MISMATCHES[case]
    path = model_file("bpe")
    before = {"adaptation": adapter(tmp_path, *other["had"])} if "had" in other else {}
    kv = talked(inn.engine(path), **before).export_kv()
    if "model" in other:
        path = other["model"](path, tmp_path)
    params = dict(other.get("agent", {}))
    if "adapter" in other:
        params["adaptation"] = adapter(tmp_path, *other["adapter"])
    engine = inn.engine(path, **other.get("engine", {}))

    rejection = make(engine, kv=kv, **params).kv_rejection

    assert rejection is not None
    assert rejection.code is ErrorCode.KvRejected
    assert f"node 'talk', field '{field}': " in rejection.message


def test_batch_sizes_and_threads_count_only_where_all_must_be_the_same(
    inn: Inn, model_file: ModelFile
) -> None:
    other = {"context": ContextOverrides(n_threads=2, n_batch=32, n_ubatch=32)}
    for deterministic in (False, True):
        options = {"deterministic": deterministic}
        kv = talked(inn.engine(model_file("bpe"), **options)).export_kv()

        rejection = make(
            inn.engine(model_file("bpe"), **options), kv=kv, **other
        ).kv_rejection

        assert (rejection is not None) == deterministic
        assert not rejection or "field 'n_batch'" in rejection.message


def test_an_adapter_is_known_by_its_content(
    inn: Inn, model_file: ModelFile, tmp_path: Path
) -> None:
    (tmp_path / "elsewhere").mkdir()
    with_adapter = {"adaptation": adapter(tmp_path, 0.5)}
    agent = talked(inn.engine(model_file("bpe")), **with_adapter)
    elsewhere = {"adaptation": adapter(tmp_path / "elsewhere", 0.5)}

    other = make(
        inn.engine(model_file("bpe")), agent, kv=agent.export_kv(), **elsewhere
    )

    assert other.kv_rejection is None
    assert next_turn(other) == next_turn(agent)


def test_states_that_do_not_fit_under_the_cap_are_rejected(
    inn: Inn, model_file: ModelFile
) -> None:
    engine = inn.engine(model_file("bpe"), slots_per_pool=1)
    agent = talked(engine)
    [pool] = engine.stats().pools
    slot = pool.bytes // pool.slots
    small = inn.engine(model_file("bpe"), kv_cache_bytes=slot + 1000)
    single = inn.engine(model_file("bpe"), kv_cache_bytes=slot + 1000)
    kv = agent.export_kv()
    assert "field 'slots'" in str(make(small, kv=kv).kv_rejection)

    # With as many slots as that cap allows: one.
    from_single = talked(single).export_kv()
    rejected = make(small)
    with raises_code(ErrorCode.KvRejected) as caught:
        rejected.import_kv(from_single)

    assert "kv_cache_bytes" in caught.value.message
    assert small.stats().kv_peak_bytes <= small.stats().kv_cache_bytes
    assert rejected.send("Hi").status == "success"


def test_nothing_is_exported_of_an_agent_that_said_nothing(
    inn: Inn, model_file: ModelFile
) -> None:
    engine = inn.engine(model_file("bpe"))
    agent = make(engine)

    kv = agent.export_kv()

    assert len(kv) == agent.kv_export_size < 100
    make(engine, kv=kv).send("Hi")


def test_exports_between_the_batches_of_others(inn: Inn, model_file: ModelFile) -> None:
    engine = inn.engine(model_file("bpe"))
    agent = talked(engine)
    talker = make(engine, max_tokens=200)
    expected = agent.export_kv()

    turn = talker.start("Tell me a long story.")
    while not turn.done:
        assert agent.export_kv() == expected
    turn.result()

    other = make(inn.engine(model_file("bpe")), agent, kv=expected)
    assert next_turn(other) == next_turn(agent)
