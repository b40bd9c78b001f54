"""Several agents at once; one llama.cpp in the process; nothing on stderr."""

from __future__ import annotations

import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from talefold import Engine

from .conftest import Load, ModelFile
from .talk import open_talk

LINES = ("Good evening.", "Any rooms?", "And stew?", "Who is that man?")


def conversation(engine: Engine, model: str, place: int, *, cancels: bool) -> list[str]:
    """Replies to all lines, from another one on for each place."""
    texts = []
    with open_talk(engine, model, context_size=512, max_tokens=6) as agent:
        for line in LINES[place:] + LINES[:place]:
            if cancels:
                turn = agent.start(line)
                turn.cancel()
                if turn.result(timeout=60).text:
                    agent.undo_last_turn()
            texts.append(agent.send(line).text)
    return texts


@pytest.mark.parametrize("kind", ["bpe", "sliding", "hybrid", "smollm2"])
def test_agents_at_once_say_what_each_says_alone(
    engine: Engine, load: Load, kind: str
) -> None:
    """Each has a context of its own, so that no batch mixes them."""
    model = load(kind)
    alone = [conversation(engine, model, i, cancels=False) for i in range(4)]

    with ThreadPoolExecutor(4) as pool:
        together = list(
            pool.map(lambda i: conversation(engine, model, i, cancels=False), range(4))
        )

    assert together == alone


def test_cancels_disturb_no_other_agent(engine: Engine, load: Load) -> None:
    model = load("bpe")
    alone = conversation(engine, model, 0, cancels=False)
    done = threading.Event()

    def disturb() -> int:
        count = 0
        while not done.is_set():
            conversation(engine, model, 1, cancels=True)
            count += 1
        return count

    with ThreadPoolExecutor(3) as pool:
        others = [pool.submit(disturb) for _ in range(3)]
        try:
            texts = [conversation(engine, model, 0, cancels=False) for _ in range(10)]
        finally:
            done.set()
        assert all(other.result(timeout=60) for other in others)

    assert texts == [alone] * 10


IMPORTS = {
    "before": "import llama_cpp, talefold",
    "after": "import talefold, llama_cpp",
    "not": "import talefold",
}
USE = """
import sys
engine = talefold.Engine()
engine.load_model("model", sys.argv[1])
graph = talefold.GraphDescription().add_node(
    "talk", talefold.GenerateParams(
        sampling=talefold.SamplingOverrides(max_tokens=2, temperature=0.0)
    )
).set_start_node("talk")
with engine.create_agent(graph) as agent:
    assert agent.send("Hi").tokens_generated == 2
try:
    engine.load_model("bad", sys.executable)
except talefold.TalefoldError as error:
    assert "magic" in error.message, error
maps = open("/proc/self/maps").read().splitlines()
print(len({line.split()[-1] for line in maps if "libllama." in line}))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("order", IMPORTS)
def test_there_is_one_llama_in_a_process_and_it_is_quiet(
    model_file: ModelFile, order: str
) -> None:
    process = subprocess.run(
        [sys.executable, "-c", IMPORTS[order] + USE, model_file("bpe")],
        capture_output=True,
        text=True,
        check=False,
    )

    assert process.returncode == 0, process.stderr
    assert process.stdout == "1\n"
    assert process.stderr == ""
