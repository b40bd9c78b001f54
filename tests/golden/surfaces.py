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
from .unreal_surface import UnrealSurface

# Where libtalefold_rt is; the tests build it when this is not set.
LIBRARY = "TALEFOLD_RT"
# Where unreal_golden and the plugin's folder are; the tests build them.
UNREAL_PROGRAM, UNREAL_PLUGIN = "TALEFOLD_UNREAL_GOLDEN", "TALEFOLD_UNREAL_PLUGIN"


class Unavailable(Exception):
    """This surface cannot be opened here, and why."""


def open_c() -> CSurface:
    if LIBRARY not in os.environ:
        raise Unavailable(f"{LIBRARY} does not say where libtalefold_rt is")
    return CSurface(Path(os.environ[LIBRARY]))


def open_unreal() -> UnrealSurface:
    if UNREAL_PROGRAM not in os.environ:
        raise Unavailable(f"{UNREAL_PROGRAM} does not say where unreal_golden is")
    program, plugin = os.environ[UNREAL_PROGRAM], os.environ[UNREAL_PLUGIN]
    return UnrealSurface(Path(program), Path(plugin))


SURFACES: dict[str, Callable[[], Surface]] = {
    "python": PythonSurface,
    "c": open_c,
    "unreal": open_unreal,
}

# Which have no scenes, and why.
WITHOUT_SCENES = {"unreal": "the plugin has agents, not scenes"}
