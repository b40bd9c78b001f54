"""Waiting threads of llama.cpp soon sleep, so that busy cores do not stop them."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

VARIABLES = ("GOMP_SPINCOUNT", "OMP_WAIT_POLICY")
SHOW = f"import os, talefold; print([os.environ.get(name) for name in {VARIABLES}])"


def import_talefold(**variables: str) -> tuple[str, str]:
    """The variables after the import, and what OpenMP says as it is loaded."""
    environment = {
        name: value for name, value in os.environ.items() if name not in VARIABLES
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


def test_waiting_threads_soon_sleep_and_the_environment_stays_as_it_was() -> None:
    variables, display = import_talefold()

    assert variables == "[None, None]"
    assert "GOMP_SPINCOUNT = '2000'" in display


def test_who_sets_the_policy_decides() -> None:
    variables, display = import_talefold(OMP_WAIT_POLICY="active")

    assert variables == "[None, 'active']"
    assert "OMP_WAIT_POLICY = 'ACTIVE'" in display


def test_who_sets_the_spinning_decides() -> None:
    variables, display = import_talefold(GOMP_SPINCOUNT="1000")

    assert variables == "['1000', None]"
    assert "GOMP_SPINCOUNT = '1000'" in display
