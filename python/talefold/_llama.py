"""Loads llama.cpp's library when imported: the one copy this process is to have."""

from __future__ import annotations

import ctypes
import importlib.util
import sys
from pathlib import Path

_NAMES = {"win32": "llama.dll", "darwin": "libllama.dylib"}


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
            "reinstall with: pip install talefold"
        )
    library = Path(spec.origin).parent / "lib" / _NAMES.get(sys.platform, "libllama.so")
    try:
        ctypes.CDLL(str(library))
    except OSError as error:
        raise ImportError(f"talefold cannot load {library}: {error}") from error


_load()
