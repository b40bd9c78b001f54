"""LoRA adapters of a node: applied as trained, kept apart, refused when foreign."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from support import raises_code
from talefold import Agent, Engine, ErrorCode, LoraAdapter, ModelAdaptation

from .conftest import Load, ModelFile
from .lora_files import random_pairs, write_adapter, write_merged
from .talk import asked, open_talk

WEIGHTS = {"blk.0.attn_q.weight": (64, 64), "blk.1.ffn_up.weight": (128, 64)}
PIRATE = random_pairs(WEIGHTS, seed=1)
NOBLE = random_pairs(WEIGHTS, seed=2)
LINES = ("Good evening.", "Any rooms?", "Who is that man?")

AdapterFile = Callable[[str], Path]


@pytest.fixture(scope="module")
def adapter_file(tmp_path_factory: pytest.TempPathFactory) -> AdapterFile:
    folder = tmp_path_factory.mktemp("adapters")
    for name, pairs in {"pirate": PIRATE, "noble": NOBLE}.items():
        write_adapter(folder / f"{name}.gguf", pairs)
    return lambda name: folder / f"{name}.gguf"


def adapted(*loras: tuple[Path, float]) -> ModelAdaptation:
    return ModelAdaptation(
        loras=[LoraAdapter(path=str(path), scale=scale) for path, scale in loras]
    )


def open_adapted(
    engine: Engine, model: str, *loras: tuple[Path, float], **params: object
) -> Agent:
    params = {"max_tokens": 8, "context_size": 512} | params
    return open_talk(engine, model, adaptation=adapted(*loras), **params)


def replies(agent: Agent) -> list[str]:
    return [agent.send(line).text for line in LINES]


@pytest.mark.parametrize("scale", [1.0, 0.5, -2.0])
def test_an_adapter_does_what_its_sum_with_the_weights_does(
    engine: Engine,
    load: Load,
    model_file: ModelFile,
    adapter_file: AdapterFile,
    tmp_path: Path,
    scale: float,
) -> None:
    merged = write_merged(tmp_path / "sum.gguf", model_file("bpe"), PIRATE, scale)
    engine.load_model("sum", merged, record_requests=True)
    model = load("bpe")

    with open_adapted(engine, model, (adapter_file("pirate"), scale)) as agent:
        agent.send("Good evening.")
    with open_adapted(engine, "sum") as agent:
        agent.send("Good evening.")

    [with_adapter], [with_sum] = asked(engine, model), asked(engine, "sum")
    assert with_adapter.prompt_tokens == with_sum.prompt_tokens
    difference = np.abs(
        np.array(with_adapter.next_logits) - np.array(with_sum.next_logits)
    )
    assert difference.max() < 0.05


def test_two_adapters_add_up(
    engine: Engine,
    load: Load,
    model_file: ModelFile,
    adapter_file: AdapterFile,
    tmp_path: Path,
) -> None:
    half = write_merged(tmp_path / "half.gguf", model_file("bpe"), PIRATE, 1.0)
    merged = write_merged(tmp_path / "sum.gguf", half, NOBLE, 0.5)
    engine.load_model("sum", merged)
    model = load("bpe")
    both = ((adapter_file("pirate"), 1.0), (adapter_file("noble"), 0.5))

    with (
        open_adapted(engine, model, *both) as agent,
        open_adapted(engine, "sum") as other,
    ):
        assert replies(agent) == replies(other)


def test_an_adapter_named_twice_adds_up(
    engine: Engine, load: Load, adapter_file: AdapterFile
) -> None:
    model = load("bpe")
    path = adapter_file("pirate")
    with open_adapted(engine, model, (path, 1.5)) as agent:
        expected = replies(agent)
    with open_adapted(engine, model, (path, 1.0), (path, 0.5)) as agent:
        assert replies(agent) == expected


def test_a_relative_path_means_the_file_it_named_then(
    engine: Engine,
    load: Load,
    adapter_file: AdapterFile,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model = load("bpe")
    expected = []
    for name in ("pirate", "noble"):
        with open_adapted(engine, model, (adapter_file(name), 1.0)) as agent:
            expected.append(replies(agent))
    assert expected[0] != expected[1]

    said = []
    for name in ("pirate", "noble"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "voice.gguf").write_bytes(adapter_file(name).read_bytes())
        monkeypatch.chdir(folder)
        with open_adapted(engine, model, (Path("voice.gguf"), 1.0)) as agent:
            said.append(replies(agent))

    assert said == expected


def test_a_scale_of_0_is_the_base_model(
    engine: Engine, load: Load, adapter_file: AdapterFile
) -> None:
    model = load("bpe")
    with open_adapted(engine, model) as agent:
        expected = replies(agent)
    with open_adapted(engine, model, (adapter_file("pirate"), 0.0)) as agent:
        assert replies(agent) == expected


def test_nodes_with_other_adapters_share_no_cells(
    engine: Engine, load: Load, adapter_file: AdapterFile
) -> None:
    model = load("bpe")
    sets = [(), ((adapter_file("pirate"), 1.0),), ((adapter_file("pirate"), 0.5),)]
    for loras in sets:
        with open_adapted(engine, model, *loras, system_prompt="Dorn. " * 30) as agent:
            agent.send("Hi")
    assert engine.stats().shared_tokens == 0

    with open_adapted(engine, model, *sets[1], system_prompt="Dorn. " * 30) as agent:
        agent.send("Hi")
    assert engine.stats().shared_tokens > 30


def test_agents_at_once_each_speak_with_their_own_adapter(
    engine: Engine, load: Load, adapter_file: AdapterFile
) -> None:
    model = load("bpe")
    sets = [(), ((adapter_file("pirate"), 1.0),), ((adapter_file("noble"), 1.0),)]

    def talk(place: int) -> list[str]:
        with open_adapted(engine, model, *sets[place % 3]) as agent:
            return replies(agent)

    alone = [talk(place) for place in range(3)]
    assert alone[0] != alone[1] != alone[2]
    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(talk, range(6))) == alone * 2


def wrong_rank(path: Path) -> Path:
    a, b = PIRATE["blk.0.attn_q.weight"]
    return write_adapter(path, {"blk.0.attn_q.weight": (a[:2], b)})


def doubles(path: Path) -> Path:
    [(a, b)] = random_pairs({"blk.0.attn_q.weight": (64, 64)}, 1).values()
    return write_adapter(
        path, {"blk.0.attn_q.weight": (a.astype(np.float64), b.astype(np.float64))}
    )


BAD = {
    "missing": (lambda path: path, "no adapter file"),
    "folder": (lambda path: path.mkdir(), "no adapter file"),
    "text": (lambda path: path.write_text("a pirate"), "no GGUF"),
    "model": (
        lambda path: write_adapter(path, PIRATE, general_type="model"),
        "general.type is 'model'",
    ),
    "control vector": (
        lambda path: write_adapter(path, PIRATE, adapter_type="controlvector"),
        "adapter.type is 'controlvector'",
    ),
    "architecture": (
        lambda path: write_adapter(path, PIRATE, architecture="qwen2"),
        "'qwen2'",
    ),
    "doubles": (doubles, "f64"),
    "rank": (wrong_rank, "ranks"),
    "size": (
        lambda path: write_adapter(
            path, random_pairs({"blk.0.attn_q.weight": (96, 64)}, 1)
        ),
        "64 x 96",
    ),
    "unknown tensor": (
        lambda path: write_adapter(
            path, random_pairs({"blk.9.attn_q.weight": (64, 64)}, 1)
        ),
        "blk.9.attn_q.weight",
    ),
    "empty": (lambda path: write_adapter(path, {}), "no tensors"),
}


@pytest.mark.parametrize(("write", "words"), BAD.values(), ids=BAD)
def test_a_file_that_does_not_fit_is_refused_when_the_agent_is_made(
    engine: Engine,
    load: Load,
    adapter_file: AdapterFile,
    tmp_path: Path,
    write: Callable[[Path], object],
    words: str,
) -> None:
    model = load("bpe")
    path = tmp_path / "bad.gguf"
    write(path)

    with raises_code(ErrorCode.AdapterMismatch) as caught:
        open_adapted(engine, model, (adapter_file("pirate"), 1.0), (path, 1.0))

    assert words in caught.value.message
    assert "adaptation.loras[1].path" in caught.value.message
    with open_adapted(engine, model, (adapter_file("pirate"), 1.0)) as agent:
        assert agent.send("Hi").tokens_generated == 8


def test_a_truncated_adapter_is_refused(
    engine: Engine, load: Load, adapter_file: AdapterFile, tmp_path: Path
) -> None:
    whole = adapter_file("pirate").read_bytes()
    for kept in (0.1, 0.5, 0.999):
        path = tmp_path / f"{kept}.gguf"
        path.write_bytes(whole[: int(len(whole) * kept)])
        with raises_code(ErrorCode.AdapterMismatch):
            open_adapted(engine, load("bpe"), (path, 1.0))
