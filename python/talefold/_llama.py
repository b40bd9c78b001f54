"""Loads llama.cpp's library when imported: the one copy this process is to have."""

from __future__ import annotations

import ctypes
import importlib.util
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path

_NAMES = {"win32": "llama.dll", "darwin": "libllama.dylib"}


def _requirement() -> str:
    """What pip is to be asked for: the version this package was built with."""
    needed = metadata.requires("talefold") or []
    return next(each for each in needed if each.startswith("llama-cpp-python"))


@contextmanager
def _threads_that_soon_sleep() -> Iterator[None]:
    """While it lasts, OpenMP is told that its threads spin for a moment, then sleep.

    llama.cpp's threads wait for each other hundreds of times a token. By default they
    spin for milliseconds, and where something else keeps the cores busy they keep each
    other from running: a reply of 2 s took more than 40. Sleeping at once is slow on
    idle cores. libgomp reads this when it is loaded; who has set one of the variables
    decides instead.
    """
    name = "GOMP_SPINCOUNT"
    if name in os.environ or "OMP_WAIT_POLICY" in os.environ:
        yield
        return
    os.environ[name] = "2000"
    try:
        yield
    finally:
        del os.environ[name]


def _load() -> None:
    """Loads the library of the installed llama-cpp-python, before `_core` needs it.

    `_core` then finds it wherever it lies, and a later `import llama_cpp` gets the same
    copy.

    Raises:
        ImportError: llama-cpp-python is not installed, or its library is missing.
    """
    spec = importlib.util.find_spec("llama_cpp")
    if spec is None or spec.origin is None:
        raise ImportError(
            "talefold needs the package llama-cpp-python, which is not installed; "
            f"install it with: pip install '{_requirement()}'"
        )
    library = Path(spec.origin).parent / "lib" / _NAMES.get(sys.platform, "libllama.so")
    try:
        with _threads_that_soon_sleep():
            ctypes.CDLL(str(library))
    except OSError as error:
        raise ImportError(f"talefold cannot load {library}: {error}") from error


_load()
