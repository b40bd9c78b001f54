"""Builds and runs the native tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from native_build import run


@pytest.mark.timeout(3600)
def test_native_tests_pass(native_folder: Path) -> None:
    (program,) = native_folder.rglob(
        "talefold_tests*.exe" if os.name == "nt" else "talefold_tests"
    )
    output = run(program)

    assert "No errors detected" in output
