"""Builds and runs the native tests."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import cmake
import ninja
import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def build_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Set TALEFOLD_NATIVE_BUILD_DIR to keep and reuse a build."""
    kept = os.environ.get("TALEFOLD_NATIVE_BUILD_DIR")
    return Path(kept) if kept else tmp_path_factory.mktemp("native")


def run(*command: str | Path | Sequence[str]) -> str:
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


@pytest.mark.timeout(3600)
def test_native_tests_pass(build_dir: Path) -> None:
    cmake_program = Path(cmake.CMAKE_BIN_DIR) / "cmake"
    run(
        cmake_program,
        "-S", ROOT,
        "-B", build_dir,
        "-G", "Ninja",
        f"-DCMAKE_MAKE_PROGRAM={Path(ninja.BIN_DIR) / 'ninja'}",
        f"-DPython_EXECUTABLE={sys.executable}",
        "-DCMAKE_BUILD_TYPE=Debug",
        "-DTALEFOLD_BUILD_TESTS=ON",
    )  # fmt: skip
    run(cmake_program, "--build", build_dir, "--target", "talefold_tests")

    (program,) = build_dir.rglob(
        "talefold_tests*.exe" if os.name == "nt" else "talefold_tests"
    )
    output = run(program)

    assert "No errors detected" in output
