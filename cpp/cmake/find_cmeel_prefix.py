"""Print the folder that the pip package cmeel-boost installed Boost into, if any."""

from __future__ import annotations

import sys
from pathlib import Path

for entry in sys.path:
    prefix = Path(entry) / "cmeel.prefix"
    if (prefix / "include" / "boost" / "version.hpp").is_file():
        sys.stdout.write(prefix.as_posix())
        break
