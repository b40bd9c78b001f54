"""Builds the C++ side without the Python module: the native tests and talefold_rt."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import cmake
import ninja
import pytest

ROOT = Path(__file__).parents[1]
CMAKE = Path(cmake.CMAKE_BIN_DIR) / "cmake"
TARGETS = ["talefold_tests", "talefold_rt"]


def run(*command: str | Path | Sequence[str]) -> str:
    """The output of a command that succeeds; otherwise the test fails with it."""
    done = subprocess.run(
        [str(each) for each in command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        pytest.fail(f"{command[0]} failed:\n{done.stdout[-20_000:]}", pytrace=False)
    return done.stdout


def configure(source: Path, folder: Path, *definitions: str) -> None:
    """With CMake and Ninja of this environment."""
    run(
        CMAKE,
        "-S", source,
        "-B", folder,
        "-G", "Ninja",
        f"-DCMAKE_MAKE_PROGRAM={Path(ninja.BIN_DIR) / 'ninja'}",
        f"-DPython_EXECUTABLE={sys.executable}",
        *(f"-D{each}" for each in definitions),
    )  # fmt: skip


def build(folder: Path) -> None:
    configure(
        ROOT,
        folder,
        "CMAKE_BUILD_TYPE=Debug",
        "CMAKE_CXX_FLAGS_DEBUG=",  # no debug information: a fifth of the time
        "TALEFOLD_PRECOMPILE=ON",
        "TALEFOLD_BUILD_TESTS=ON",
        "TALEFOLD_BUILD_CAPI=ON",
    )
    for target in TARGETS:
        run(CMAKE, "--build", folder, "--target", target)


def kept_folder() -> Path | None:
    """Where a build is kept and used again, if the environment says so."""
    kept = os.environ.get("TALEFOLD_NATIVE_BUILD_DIR")
    return Path(kept) if kept else None


def find_shared_library(folder: Path) -> Path:
    names = {"nt": "talefold_rt.dll"}.get(os.name, "libtalefold_rt.*")
    (library,) = (
        path for path in folder.rglob(names) if path.suffix in {".dll", ".so", ".dylib"}
    )
    return library
