"""Print the folders of llama.h and libllama of the pip package llama-cpp-python.

Nothing is printed when this Python does not have the package. It is not imported: that
would load the library.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

spec = importlib.util.find_spec("llama_cpp")
if spec is not None and spec.origin is not None:
    package = Path(spec.origin).parent
    include, lib = package.parent / "include", package / "lib"
    if (include / "llama.h").is_file() and lib.is_dir():
        sys.stdout.write(f"{include.as_posix()};{lib.as_posix()}")
