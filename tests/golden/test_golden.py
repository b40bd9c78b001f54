"""The same scenario gives the same transcript on every surface.

Transcripts are committed: `python -m tests.golden --write [NAME...]` writes them.
"""

from __future__ import annotations

import difflib
import json
import logging
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from talefold import Catalogue, TalefoldError

from .files import read_scenario, read_transcript, scenario_names, transcript_names
from .readable import dump_sorted
from .runner import has_scene, run, unexpected, uses_weights
from .surface import Plain, Surface
from .surfaces import SURFACES, WITHOUT_SCENES

# Building the C interface takes minutes.
pytestmark = pytest.mark.timeout(3600)

SCRIPTED = [n for n in scenario_names() if not uses_weights(read_scenario(n))]
WEIGHTED = [n for n in scenario_names() if uses_weights(read_scenario(n))]


# What cannot be compared, and why.
OTHER_MOMENTS = {
    ("folds-beside-turns", "unreal"): "the plugin takes folds in every frame",
}


@pytest.fixture(autouse=True, scope="module")
def _quiet() -> Iterator[None]:
    """Much fails here on purpose, with warnings."""
    logger = logging.getLogger("talefold")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    yield
    logger.setLevel(level)


@pytest.fixture(scope="module")
def weights() -> str:
    """The file of SmolLM2."""
    try:
        return str(Catalogue().find("smollm2-135m").locate())
    except TalefoldError as error:
        pytest.skip(error.message)


def assert_same(expected: Plain, found: Plain, names: tuple[str, str]) -> None:
    # As text, for to Python 1, 1.0 and True are equal.
    texts = dump_sorted(expected), dump_sorted(found)
    if texts[0] == texts[1]:
        return
    before, after = (text.splitlines() for text in texts)
    lines = difflib.unified_diff(before, after, *names, lineterm="", n=4)
    pytest.fail("\n".join(lines), pytrace=False)


@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize("name", SCRIPTED)
def test_a_scenario_gives_its_transcript(
    name: str, surface: str, open_surface: Callable[[str], Surface]
) -> None:
    if (name, surface) in OTHER_MOMENTS:
        pytest.skip(OTHER_MOMENTS[name, surface])
    scenario = read_scenario(name)
    if has_scene(scenario) and surface in WITHOUT_SCENES:
        pytest.skip(WITHOUT_SCENES[surface])
    golden = read_transcript(name)
    if golden is None:
        pytest.fail(f"write it: python -m tests.golden --write {name}", pytrace=False)

    transcript = run(scenario, open_surface(surface))

    assert_same(golden, transcript, (f"transcripts/{name}.json", surface))
    assert unexpected(scenario, transcript) == []


def test_every_transcript_has_a_scenario() -> None:
    assert transcript_names() == SCRIPTED


# What weights say depends on the machine and on the build of llama.cpp. There is no
# file of it: all surfaces say the same in one run, and each says it twice.


@pytest.fixture(scope="module")
def said(weights: str) -> Callable[[str], Plain]:
    """What the Python package says with weights, run once."""

    @cache
    def say(name: str) -> Plain:
        return run(read_scenario(name), SURFACES["python"](), weights)

    return say


def run_apart(name: str, surface: str, weights: str) -> Plain:
    """In a process of its own: the log of llama.cpp has one taker in a process."""
    done = subprocess.run(
        [
            *(sys.executable, "-m", "tests.golden", name),
            *("--surface", surface, "--weights", weights),
        ],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize("name", WEIGHTED)
def test_weights_say_the_same_on_every_surface(
    name: str,
    surface: str,
    weights: str,
    said: Callable[[str], Plain],
    open_surface: Callable[[str], Surface],
) -> None:
    open_surface(surface)

    transcript = run_apart(name, surface, weights)

    assert_same(said(name), transcript, ("python", f"{surface}, again"))
    assert unexpected(read_scenario(name), transcript) == []
