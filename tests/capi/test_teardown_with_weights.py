"""An engine with real weights that ends in the midst of its work."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from native_build import ROOT
from talefold import Catalogue, TalefoldError

from .teardown import ENDINGS, PHASES

pytestmark = pytest.mark.timeout(3600)


@pytest.fixture(scope="module")
def weights() -> str:
    try:
        return str(Catalogue().find("smollm2-135m").locate())
    except TalefoldError as error:
        pytest.skip(error.message)


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("phase", PHASES)
def test_nothing_is_left(
    shared_library: Path, weights: str, phase: str, ending: str
) -> None:
    done = subprocess.run(
        [
            *(sys.executable, "-m", "tests.capi.teardown"),
            *(str(shared_library), weights, phase, ending),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )

    assert (done.returncode, done.stderr) == (0, "")
