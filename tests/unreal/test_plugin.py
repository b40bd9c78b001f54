"""The Unreal plugin, compiled and run without Unreal: tests/unreal/README.md."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from llama.embedding_models import write_embedding_model

from .plugin_build import build

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="the stand-in is for Linux"),
    pytest.mark.timeout(3600),  # the first of them builds the native library
]

# Every file apart is the row that runs, below.
ROWS = ["editor", "game", "shipping"]


@pytest.mark.parametrize("target", ROWS)
def test_it_compiles_and_links_in_one_piece(target: str, tmp_path: Path) -> None:
    build(
        tmp_path,
        f"TALEFOLD_UNREAL_TARGET={target}",
        "TALEFOLD_UNREAL_UNITY=ON",
        target="plugin",
    )


def run_specs(build_folder: Path, plugin: Path, project: Path, name: str) -> str:
    done = subprocess.run(
        [build_folder / "unreal_specs", plugin, project, name],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
    if done.returncode != 0:
        lines = [line for line in done.stdout.splitlines() if "PASS" not in line]
        pytest.fail("\n".join([*lines, done.stderr[-8000:]]), pytrace=False)
    return done.stdout


NAMES = [
    "Conversation",
    "Graph",
    "Knowledge",
    "Library",
    "Save",
    "Speech",
    "Teardown",
    "Tools",
]


@pytest.mark.parametrize("name", NAMES)
def test_its_specs_pass(
    name: str, unreal_build: Path, plugin_folder: Path, tmp_path: Path
) -> None:
    if name == "Knowledge":
        (tmp_path / "Models").mkdir()
        write_embedding_model(tmp_path / "Models/tiny.gguf")
    assert "PASS" in run_specs(
        unreal_build, plugin_folder, tmp_path, f"Talefold.{name}"
    )


def test_every_spec_is_run() -> None:
    root = Path(__file__).parents[2]
    files = root.glob("unreal_plugin/Talefold/Source/TalefoldTests/Private/*.spec.cpp")
    assert [f"Talefold{name}" for name in NAMES] == sorted(
        path.name.removesuffix(".spec.cpp") for path in files
    )


def test_no_spec_is_for_one_platform() -> None:
    """The bridge alone knows what the library is called where."""
    root = Path(__file__).parents[2] / "unreal_plugin/Talefold/Source"
    named = [
        path.name
        for path in sorted(root.rglob("*.cpp"))
        if re.search(r"\.(so|dll|dylib)\b", path.read_text("utf-8"))
    ]
    assert named == ["TalefoldLibrary.cpp"]


def test_a_game_without_the_library_says_so(unreal_build: Path, tmp_path: Path) -> None:
    passed = run_specs(unreal_build, tmp_path / "nothing", tmp_path, "Talefold.Library")
    assert "PASS Talefold.Library A game without the library runs" in passed
