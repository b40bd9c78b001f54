"""talefold_rt as other programs see it."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import talefold
from native_build import ROOT, run

from .c_api import CApi, CApiError

EXAMPLES = ROOT / "docs" / "examples" / "embedding"

pytestmark = [
    pytest.mark.timeout(3600),
    pytest.mark.skipif(sys.platform == "win32", reason="not tried on Windows"),
]


def compile_c(source: Path, shared_library: Path, folder: Path) -> Path:
    if shutil.which("gcc") is None:
        pytest.skip("no gcc")
    program = folder / source.stem
    run(
        *["gcc", "-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror"],
        *["-I", ROOT / "cpp" / "include", source, "-o", program],
        *[shared_library, f"-Wl,-rpath,{shared_library.parent}"],
    )
    return program


def test_it_exports_one_symbol(shared_library: Path) -> None:
    if shutil.which("nm") is None:
        pytest.skip("no nm")
    lines = run("nm", "-D", "--defined-only", shared_library).splitlines()

    assert [line.split()[-1] for line in lines] == ["talefold_get_api"]


def test_it_tells_what_it_is(shared_library: Path) -> None:
    api = CApi(shared_library)

    info = api.json("build_info")

    assert info == {"version": talefold.__version__, "abi_version": 1, "llama": True}


def test_its_tables_are_those_of_the_python_package(shared_library: Path) -> None:
    from talefold import _core

    assert CApi(shared_library).text("descriptors") == _core.descriptors_json()


def test_it_lives_beside_the_python_module(shared_library: Path) -> None:
    api = CApi(shared_library)
    engine = api.handle("engine_create", None)
    with talefold.Engine() as other:
        other.load_scripted_model("mock", replies=["Aye."])
        api("engine_load_scripted_model", engine, "mock", '{"replies": ["Nay."]}')
        names = [model["name"] for model in api.json("engine_models", engine)]

        assert names == [model.name for model in other.models()] == ["mock"]
    api("engine_destroy", engine)

    with pytest.raises(CApiError, match="2006"):
        api("engine_destroy", engine)


def test_texts_of_any_language_come_back(shared_library: Path) -> None:
    api = CApi(shared_library)
    engine = api.handle("engine_create", None)
    text = "Grüße 🍺 \u2028 漢字"

    api("engine_add_storage", engine, text, "list", f'["{text}"]')
    with pytest.raises(CApiError, match=text):
        api("engine_add_storage", engine, text, "list", "[]")

    api("engine_destroy", engine)


def test_a_short_table_is_refused(shared_library: Path) -> None:
    library = ctypes.CDLL(str(shared_library))

    assert library.talefold_get_api(1, (ctypes.c_void_p * 1)(), 8) == 2003
    assert library.talefold_get_api(2, (ctypes.c_void_p * 99)(), 8 * 99) == 2003


def test_a_program_may_end_in_the_midst_of_turns(
    shared_library: Path, tmp_path: Path
) -> None:
    """Engine threads run on while exit handlers do, here for longer."""
    program = compile_c(Path(__file__).with_name("ends.c"), shared_library, tmp_path)

    for _ in range(10):
        done = subprocess.run([program], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")


def run_example(name: str, library: Path, folder: Path, *arguments: Path) -> str:
    """What the program says, which ends well."""
    program = compile_c(EXAMPLES / name, library, folder)
    done = subprocess.run(
        [program, *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_the_example_in_c_talks_folds_saves_and_loads(
    shared_library: Path, tmp_path: Path
) -> None:
    said = run_example("tavern.c", shared_library, tmp_path, tmp_path / "edric.json")

    assert "> Good evening, I am Rowan.\nWelcome in, Rowan!\n" in said
    assert '"text":"Rowan asked Edric for a room."' in said
    assert (tmp_path / "edric.json").is_file()
    assert not (tmp_path / "edric.json.new").exists()


def test_the_example_of_a_scene_remembers_and_goes_on(
    shared_library: Path, tmp_path: Path
) -> None:
    said = run_example("story.c", shared_library, tmp_path)

    assert "Edric: Two coppers a night, and the stew is hot.\nRowan: " in said
    assert "\n[entry_committed]\n" in said
    assert '"text":"A guest came, and Rowan offered to sing."' in said
    assert said.endswith("the clock stands at PT9H\n")


def test_the_example_of_a_tool_is_answered_and_spoken(
    shared_library: Path, tmp_path: Path
) -> None:
    said = run_example("order.c", shared_library, tmp_path)

    assert '"tool_name":"serve"' in said
    assert said.endswith(
        "Edric: One ale, friend. That is three coppers.\n"
        "(1750 ms of speech)\n2 sentences\n"
    )
