from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from filelock import FileLock

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


# Which take minutes to make: by them, or when a test asks for them by name.
SLOW_TO_MAKE = {"native_folder", "unreal_build", "open_surface"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A file that has things built goes first, the others of its kind go last.

    By then the build is there, which one process makes while the next runs tests.
    """

    def builds(item: pytest.Item) -> bool:
        return not SLOW_TO_MAKE.isdisjoint(getattr(item, "fixturenames", ()))

    files = {item.path: False for item in items}
    for item in items:
        files[item.path] = files[item.path] or builds(item)
    first = next((path for path, slow in files.items() if slow), None)
    items.sort(key=lambda item: 0 if item.path == first else 1 + files[item.path])


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One for all processes of the session."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


@pytest.fixture(scope="session")
def native_folder(shared_folder: Path) -> Path:
    """A build of the C++ side: takes minutes, once a session."""
    folder = native_build.kept_folder() or shared_folder / "native"
    with FileLock(shared_folder / "native.lock"):
        native_build.build(folder)  # has nothing left to do for the next process
    return folder


@pytest.fixture(scope="session")
def shared_library(native_folder: Path) -> Path:
    """libtalefold_rt, which has the C interface."""
    return native_build.find_shared_library(native_folder)


@pytest.fixture(scope="session")
def unreal_build(shared_folder: Path) -> Path:
    """The Unreal plugin on the stand-in for the engine, with sanitizers.

    What is touched after its end, or leaks, fails a test.
    """
    if sys.platform != "linux":
        pytest.skip("the stand-in for the Unreal Engine is for Linux")
    folder = shared_folder / "unreal_build"
    with FileLock(shared_folder / "unreal_build.lock"):
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
