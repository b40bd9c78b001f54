"""Builds the plugin's own sources on the stand-in for the engine."""

from __future__ import annotations

import sys
from pathlib import Path

import cmake
import ninja

from native_build import ROOT, run


def build(folder: Path, *definitions: str) -> None:
    """All modules, and but for shipping builds unreal_specs and unreal_golden."""
    cmake_program = Path(cmake.CMAKE_BIN_DIR) / "cmake"
    run(
        cmake_program,
        "-S", ROOT / "tests/unreal",
        "-B", folder,
        "-G", "Ninja",
        f"-DCMAKE_MAKE_PROGRAM={Path(ninja.BIN_DIR) / 'ninja'}",
        f"-DPython_EXECUTABLE={sys.executable}",
        *(f"-D{each}" for each in definitions),
    )  # fmt: skip
    run(cmake_program, "--build", folder)
