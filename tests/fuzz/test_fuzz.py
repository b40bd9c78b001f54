"""Every fuzz target holds for its seeds, and for what becomes of them in 20 seconds."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from . import (
    fuzz_filter,
    fuzz_graph,
    fuzz_scene,
    fuzz_snapshot,
    fuzz_storage,
    fuzz_template,
    fuzz_tool_calls,
)
from .harness import Check, seeds

ROOT = Path(__file__).parents[2]
SECONDS = 20
TARGETS: dict[str, Check] = {
    "filter": fuzz_filter.check,
    "graph": fuzz_graph.check,
    "scene": fuzz_scene.check,
    "snapshot": fuzz_snapshot.check,
    "storage": fuzz_storage.check,
    "template": fuzz_template.check,
    "tool_calls": fuzz_tool_calls.check,
}


@pytest.mark.parametrize(
    ("target", "seed"),
    [(target, seed) for target in TARGETS for seed in seeds(target)],
    ids=lambda value: value if isinstance(value, str) else value.name,
)
def test_a_seed_holds(target: str, seed: Path) -> None:
    TARGETS[target](seed.read_bytes())


Runs = dict[str, Future[subprocess.CompletedProcess[str]]]


def run(target: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """In a process of its own, which a native crash ends."""
    return subprocess.run(
        [
            sys.executable,
            "-m", f"tests.fuzz.fuzz_{target}",
            f"-max_total_time={SECONDS}",
            "-timeout=10",
            f"-artifact_prefix={folder}{os.sep}",
        ],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        timeout=SECONDS + 60,
        check=False,
    )  # fmt: skip


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runs]:
    """All targets, two at a time."""
    # Not imported here: it changes the process it is in.
    if not importlib.util.find_spec("atheris"):
        pytest.skip("atheris has no wheel for this machine")
    with ThreadPoolExecutor(max_workers=2) as pool:
        yield {
            target: pool.submit(run, target, tmp_path_factory.mktemp(target))
            for target in TARGETS
        }


@pytest.mark.parametrize("target", TARGETS)
def test_no_mutation_of_seeds_breaks_a_promise(runs: Runs, target: str) -> None:
    done = runs[target].result()

    if done.returncode != 0:
        pytest.fail(done.stdout[-10_000:], pytrace=False)
