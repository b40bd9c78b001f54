from __future__ import annotations

import os
from collections.abc import Callable

import pytest

from .surface import Surface
from .surfaces import LIBRARY, SURFACES, Unavailable


@pytest.fixture(scope="session")
def open_surface(
    request: pytest.FixtureRequest,
) -> Callable[[str], Surface]:
    """Opens a surface by its name, or skips; builds the library of C."""

    def open_named(name: str) -> Surface:
        if name == "c" and LIBRARY not in os.environ:
            os.environ[LIBRARY] = str(request.getfixturevalue("shared_library"))
        try:
            return SURFACES[name]()
        except Unavailable as reason:
            pytest.skip(str(reason))

    return open_named
