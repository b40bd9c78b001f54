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

EXAMPLE = ROOT / "docs" / "examples" / "embedding" / "tavern.c"

pytestmark = [
    pytest.mark.timeout(3600),
    pytest.mark.skipif(sys.platform == "win32", reason="not tried on Windows"),
]


def test_it_exports_one_symbol(shared_library: Path) -> None:
    if shutil.which("nm") is None:
        pytest.skip("no nm")
    lines = run("nm", "-D", "--defined-only", shared_library).splitlines()

    assert [line.split()[-1] for line in lines] == ["talefold_get_api"]


def test_no_static_object_is_destroyed_while_turns_may_run(
    shared_library: Path, native_folder: Path
) -> None:
    """Exit handlers run while the threads of an engine do."""
    if shutil.which("nm") is None:
        pytest.skip("no nm")
    boost = "boost_json.cpp"  # the library's own, whose objects are never freed
    objects = [
        native_folder / "libtalefold.a",
        *native_folder.glob("cpp/src/capi/CMakeFiles/talefold_capi.dir/*.o"),
    ]
    assert len(objects) > 10
    lines = [line for path in objects for line in run("nm", "-A", path).splitlines()]

    registered = [line for line in lines if line.endswith("U __cxa_atexit")]
    assert [line for line in registered if boost not in line] == []


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


def test_the_example_in_c_talks_folds_saves_and_loads(
    shared_library: Path, tmp_path: Path
) -> None:
    if shutil.which("gcc") is None:
        pytest.skip("no gcc")
    program = tmp_path / "tavern"
    run(
        *["gcc", "-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror"],
        *["-I", ROOT / "cpp" / "include", EXAMPLE, "-o", program],
        *[shared_library, f"-Wl,-rpath,{shared_library.parent}"],
    )

    done = subprocess.run(
        [program, tmp_path / "edric.json"],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")
    assert "> Good evening, I am Rowan.\nWelcome in, Rowan!\n" in done.stdout
    assert '"text":"Rowan asked Edric for a room."' in done.stdout
    assert (tmp_path / "edric.json").is_file()
    assert not (tmp_path / "edric.json.new").exists()
