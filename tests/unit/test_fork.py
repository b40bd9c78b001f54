"""An engine stays with the process that made it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

# In a process of its own: a child of pytest would run on with pytest's threads gone.
SCRIPT = """
import gc, os
from talefold import Engine, ErrorCode, GenerateParams, GraphDescription, TalefoldError

def engine_and_agent():
    engine = Engine()
    engine.load_scripted_model("mock", replies=["Aye."])
    graph = GraphDescription()
    graph.add_node("talk", GenerateParams())
    graph.set_start_node("talk")
    return engine, engine.create_agent(graph)

engine, agent = engine_and_agent()
agent.send("Hi")
child = os.fork()
if child == 0:
    try:
        agent.send("Hi")
    except TalefoldError as error:
        assert error.code is ErrorCode.EngineClosed, error
    else:
        raise AssertionError("the turn ran")
    engine.close()
    del engine, agent
    gc.collect()
    engine, agent = engine_and_agent()
    assert agent.send("Hi").text == "Aye."
    engine.close()
else:
    _, status = os.waitpid(child, 0)
    assert status == 0, status
    assert agent.send("Hi").text == "Aye."
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the platform has no fork()")
def test_a_child_of_fork_leaves_the_engine_and_may_make_its_own() -> None:
    subprocess.run([sys.executable, "-c", SCRIPT], check=True, timeout=120)
