from __future__ import annotations

import re
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "scripts/generate_unicode_tables.py"
TABLES = ROOT / "cpp/src/base/unicode_tables.h"


def test_the_tables_are_what_their_script_writes(tmp_path: Path) -> None:
    committed = TABLES.read_text("utf-8")
    version = re.search(r"Unicode (\S+);", committed)
    if version is None or version[1] != unicodedata.unidata_version:
        pytest.skip("this Python knows another version of Unicode")
    written = tmp_path / "tables.h"

    subprocess.run([sys.executable, str(SCRIPT), str(written)], check=True)

    assert written.read_text("utf-8") == committed
