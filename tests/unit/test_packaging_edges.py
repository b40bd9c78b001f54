"""What only shows in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap

import pytest

SETUP = """
import talefold
from talefold import GenerateParams, GraphDescription, ScriptedReply

graph = GraphDescription().add_node("a", GenerateParams(stream=True))
graph.set_start_node("a")
engine = talefold.Engine()
stall = ScriptedReply("Well now", outcome="stall")
engine.load_scripted_model("mock", replies=[stall])
agent = engine.create_agent(graph)
"""


def run(program: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-X", "dev", "-W", "error", "-c", textwrap.dedent(program)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_import_needs_nothing_but_the_standard_library() -> None:
    done = run(
        """
        import sys
        import talefold
        names = {name.partition(".")[0] for name in sys.modules}
        print(sorted(names - set(sys.stdlib_module_names) - {"__main__"}))
        """
    )

    assert done.stderr == ""
    assert "typer" not in done.stdout
    assert "talefold" in done.stdout


@pytest.mark.parametrize(
    "ending",
    [
        "",
        "turn = agent.start('Hello.')",
        "turn = agent.start('Hello.'); print(turn.wait_event().text)",
        "stream = agent.stream('Hello.'); next(stream)",
        "import threading, time\n"
        "threading.Thread(target=agent.send, args=('Hello.',), daemon=True).start()\n"
        "while not agent.busy: time.sleep(0.01)",
        "cycle = [engine]; cycle.append(cycle); del engine, agent",
        "import sys; agent.start('Hello.'); sys.exit(0)",
        "import logging, sys; logging.basicConfig(level=1, stream=sys.stdout)\n"
        "agent.start('Hello.')",
        "import asyncio\n"
        "async def main():\n"
        "    asyncio.create_task(agent.send_async('Hello.'))\n"
        "    await asyncio.sleep(0.05)\n"
        "asyncio.run(main())",
    ],
    ids=[
        "engine",
        "turn",
        "event",
        "stream",
        "daemon_thread",
        "cycle",
        "exit",
        "logging",
        "asyncio",
    ],
)
def test_the_process_ends_with_an_open_engine(ending: str) -> None:
    done = run(SETUP + ending)

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for one process")
@pytest.mark.parametrize(
    "call",
    [
        "agent.send('Hello.')",
        "agent.start('Hello.').result()",
        "list(agent.stream('Hello.'))",
        "list(agent.start('Hello.'))",
    ],
    ids=["send", "result", "stream", "turn"],
)
def test_ctrl_c_interrupts_a_waiting_call(call: str) -> None:
    program = f"""
import os, signal, threading
{SETUP}
interrupt = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
try:
    interrupt.start()
    {call}
except KeyboardInterrupt:
    print("interrupted")
"""

    done = run(program)

    assert (done.returncode, done.stdout, done.stderr) == (0, "interrupted\n", "")


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for one process")
def test_an_interrupted_send_leaves_the_agent_idle() -> None:
    done = run(
        f"""
import os, signal, threading
{SETUP}
interrupt = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
try:
    interrupt.start()
    agent.send("Hello.")
except KeyboardInterrupt:
    print(agent.busy, agent.dialog()[0].status)
"""
    )

    assert done.stdout == "False interrupted\n"


def test_the_child_of_a_fork_can_make_its_own_engine() -> None:
    if not hasattr(os, "fork"):
        pytest.skip("no fork")
    done = run(
        """
        import multiprocessing

        def talk():
            import talefold
            with talefold.Engine() as engine:
                engine.load_scripted_model("mock")
                print(engine.count_tokens("mock", "one two"))

        import talefold
        child = multiprocessing.get_context("fork").Process(target=talk)
        child.start()
        child.join()
        """
    )

    assert (done.stdout, done.stderr) == ("2\n", "")


def test_daemon_threads_that_send_do_not_disturb_the_exit() -> None:
    program = """
        import threading, time
        import talefold
        from talefold.graph import GenerateParams, GraphDescription

        engine = talefold.Engine()
        engine.load_scripted_model("mock", replies=["a b c"])
        graph = GraphDescription().add_node("g", GenerateParams()).set_start_node("g")

        def talk():
            agent = engine.create_agent(graph)
            while True:
                agent.send("x")

        for _ in range(8):
            threading.Thread(target=talk, daemon=True).start()
        time.sleep(0.05)
    """
    for _ in range(8):
        done = run(program)
        assert done.returncode == 0, done.stderr


def test_the_process_ends_while_a_backend_in_python_speaks() -> None:
    done = run(
        """
import array, threading, time
from talefold import *

class Endless(SpeechBackend):
    def synthesize(self, request, stop):
        samples = array.array("h", [0])
        while True:
            yield SpeechAudio(sample_rate=8000, samples=samples)
            time.sleep(0.001)

engine = Engine()
engine.load_scripted_model("mock", replies=["Aye."])
engine.set_speech_backend(Endless())
graph = GraphDescription().add_node("g", GenerateAndSpeakParams()).set_start_node("g")
turns = [engine.create_agent(graph).start("Hi") for _ in range(4)]
for turn in turns:
    while not isinstance(turn.wait_event(), AudioChunk):
        pass
"""
    )

    assert (done.returncode, done.stderr) == (0, "")
