"""The surfaces that scenarios run on, by name.

One more is one more line: its opener may raise `Unavailable`, and its tests are then
skipped where it is not there.
"""

from __future__ import annotations

from collections.abc import Callable

from .python_surface import PythonSurface
from .surface import Surface


class Unavailable(Exception):
    """This surface cannot be opened here, and why."""


SURFACES: dict[str, Callable[[], Surface]] = {
    "python": PythonSurface,
    # "c": the C ABI through ctypes
}
