from __future__ import annotations

import os
from collections.abc import Callable

import pytest

from .surface import Surface
from .surfaces import LIBRARY, SURFACES, UNREAL_PLUGIN, UNREAL_PROGRAM, Unavailable


@pytest.fixture(scope="session")
def open_surface(
    request: pytest.FixtureRequest,
) -> Callable[[str], Surface]:
    """Opens a surface by its name, or skips; builds what it needs."""

    def open_named(name: str) -> Surface:
        if name == "c" and LIBRARY not in os.environ:
            os.environ[LIBRARY] = str(request.getfixturevalue("shared_library"))
        if name == "unreal" and UNREAL_PROGRAM not in os.environ:
            folder = request.getfixturevalue("unreal_build")
            os.environ[UNREAL_PROGRAM] = str(folder / "unreal_golden")
            os.environ[UNREAL_PLUGIN] = str(request.getfixturevalue("plugin_folder"))
        try:
            return SURFACES[name]()
        except Unavailable as reason:
            pytest.skip(str(reason))

    return open_named
