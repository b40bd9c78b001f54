"""The header alone: plain C, and current."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from native_build import ROOT
from talefold import ErrorCode

from .c_api import HEADER, functions_of_header

COMPILERS = [
    ["gcc", "-std=c99", "-x", "c"],
    ["gcc", "-std=c17", "-x", "c"],
    ["g++", "-std=c++11", "-x", "c++"],
    ["g++", "-std=c++20", "-x", "c++"],
    ["clang", "-std=c99", "-x", "c"],
]


@pytest.mark.parametrize("compiler", COMPILERS, ids=" ".join)
def test_the_header_compiles_alone_without_a_warning(
    compiler: list[str], tmp_path: Path
) -> None:
    if shutil.which(compiler[0]) is None:
        pytest.skip(f"no {compiler[0]}")
    source = tmp_path / "alone.c"
    source.write_text('#include "talefold/talefold.h"\n')
    strict = ["-pedantic", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]

    done = subprocess.run(
        [*compiler, *strict, "-I", ROOT / "cpp" / "include", source],
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")


def test_the_error_codes_are_those_of_the_core() -> None:
    found = re.findall(r"TALEFOLD_([A-Z0-9_]+) = (\d{4})", HEADER.read_text())

    expected = {
        re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", code.name).upper(): code.value
        for code in ErrorCode
    }
    assert {name: int(number) for name, number in found} == expected


def test_every_function_is_declared_on_one_level() -> None:
    functions = functions_of_header()

    assert len(functions) > 60
    assert next(iter(functions)) == "last_error"
    assert functions["task_poll"] == ["talefold_task task", "talefold_event* event"]
