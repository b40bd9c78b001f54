"""The surfaces that scenarios run on, by name.

One more is one more line: its opener may raise `Unavailable`, and its tests are then
skipped where it is not there.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from .c_surface import CSurface
from .python_surface import PythonSurface
from .surface import Surface

# Where libtalefold_rt is; the tests build it when this is not set.
LIBRARY = "TALEFOLD_RT"


class Unavailable(Exception):
    """This surface cannot be opened here, and why."""


def open_c() -> CSurface:
    if LIBRARY not in os.environ:
        raise Unavailable(f"{LIBRARY} does not say where libtalefold_rt is")
    return CSurface(Path(os.environ[LIBRARY]))


SURFACES: dict[str, Callable[[], Surface]] = {"python": PythonSurface, "c": open_c}
