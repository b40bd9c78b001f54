from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import native_build
import talefold
from support import AgentMaker
from talefold import Agent, Engine, GenerateParams, GraphDescription, ScriptedReply
from unreal import plugin_build

STALL = ScriptedReply("Well now", outcome="stall")


@pytest.fixture
def engine() -> Iterator[Engine]:
    with talefold.Engine() as engine:
        yield engine


@pytest.fixture
def reply_graph() -> GraphDescription:
    """One Generate node that streams."""
    return (
        GraphDescription()
        .add_node(
            "generate", GenerateParams(system_prompt="An innkeeper.", stream=True)
        )
        .set_start_node("generate")
    )


@pytest.fixture
def make_agent(engine: Engine, reply_graph: GraphDescription) -> AgentMaker:
    """Makes an agent of `reply_graph` whose model says the given replies."""
    count = 0

    def make(*replies: str | ScriptedReply, **model: object) -> Agent:
        nonlocal count
        count += 1
        engine.load_scripted_model(f"model-{count}", replies=replies, **model)
        return engine.create_agent(reply_graph, default_model_name=f"model-{count}")

    return make


@pytest.fixture
def agent(make_agent: AgentMaker) -> Agent:
    """Says "Aye, friend." to everything."""
    return make_agent("Aye, friend.")


@pytest.fixture
def stalled_agent(make_agent: AgentMaker) -> Agent:
    """Says two words, then nothing more until its turn is cancelled."""
    return make_agent(STALL)


@pytest.fixture(scope="session")
def native_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build of the C++ side: takes minutes, once a session."""
    folder = native_build.kept_folder() or tmp_path_factory.mktemp("native")
    native_build.build(folder)
    return folder


@pytest.fixture(scope="session")
def shared_library(native_folder: Path) -> Path:
    """libtalefold_rt, which has the C interface."""
    return native_build.find_shared_library(native_folder)


@pytest.fixture(scope="session")
def unreal_build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Unreal plugin on the stand-in for the engine, with sanitizers.

    What is touched after its end, or leaks, fails a test.
    """
    if sys.platform != "linux":
        pytest.skip("the stand-in for the Unreal Engine is for Linux")
    folder = tmp_path_factory.mktemp("unreal_build")
    plugin_build.build(folder, "TALEFOLD_SANITIZE=address,undefined")
    return folder


@pytest.fixture(scope="session")
def plugin_folder(
    shared_library: Path, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """What the plugin's module finds at run time: the library in its place."""
    # As players have them.
    folder = tmp_path_factory.mktemp("unreal") / "My Plügins" / "Talefold"
    place = folder / "Binaries/ThirdParty/TalefoldLibrary/Linux"
    place.mkdir(parents=True)
    shutil.copy(shared_library, place / "libtalefold_rt.so")
    (place / "VERSION.json").write_text('{"portable": false}\n')
    return folder
