"""llama.cpp's threads sleep while they wait, so that busy cores do not stop them."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

SHOW = "import os, talefold; print(os.environ.get('OMP_WAIT_POLICY'))"


def import_talefold(**variables: str) -> tuple[str, str]:
    """The variable after the import, and what OpenMP says of itself as it is loaded."""
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT")
    }
    process = subprocess.run(
        [sys.executable, "-c", SHOW],
        env=environment | {"OMP_DISPLAY_ENV": "VERBOSE"} | variables,
        capture_output=True,
        text=True,
        check=True,
    )
    if "GOMP_SPINCOUNT" not in process.stderr:
        pytest.skip("this llama.cpp is built without libgomp")
    return process.stdout.strip(), process.stderr


def test_waiting_threads_sleep_and_the_environment_stays_as_it_was() -> None:
    variable, display = import_talefold()

    assert variable == "None"
    assert "OMP_WAIT_POLICY = 'PASSIVE'" in display


def test_who_sets_the_policy_decides() -> None:
    variable, display = import_talefold(OMP_WAIT_POLICY="active")

    assert variable == "active"
    assert "OMP_WAIT_POLICY = 'ACTIVE'" in display


def test_who_sets_the_spinning_decides() -> None:
    _, display = import_talefold(GOMP_SPINCOUNT="1000")

    assert "GOMP_SPINCOUNT = '1000'" in display
