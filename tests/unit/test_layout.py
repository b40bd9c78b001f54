"""The folders mean something: who may include whom."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "cpp" / "src"
PUBLIC = ROOT / "cpp" / "include" / "talefold"

# Each folder of cpp/src and those it may include from; every folder may use itself.
MAY_INCLUDE = {
    "base": set(),
    "dialog": {"base", "storage"},
    "graph": {"base"},
    "inference": {"base"},
    "storage": {"base"},
    "guardrail": {"base"},
    "speech": {"base"},
    "scene": {"base"},
    "knowledge": {"base", "inference", "storage"},
    "tools": {"base", "inference"},
    "prompt": {"base", "dialog", "graph", "inference", "storage", "tools"},
    "memory": {
        "base", "dialog", "scene", "graph", "inference", "storage", "tools", "prompt",
    },
    "nodes": {
        "base", "dialog", "scene", "graph", "inference", "storage", "guardrail",
        "speech", "knowledge", "tools", "prompt", "memory",
    },
    "capi": {"base", "scene", "graph"},
    "runtime": {
        "base", "dialog", "scene", "graph", "inference", "storage", "guardrail",
        "speech", "knowledge", "tools", "prompt", "memory", "nodes",
    },
}  # fmt: skip


def includes(path: Path, form: str = r'["<]([^">]+)[">]') -> list[str]:
    return re.findall(rf"^\s*#\s*include\s+{form}", path.read_text("utf-8"), re.M)


def test_every_folder_is_known() -> None:
    folders = {path.name for path in SOURCES.iterdir() if path.is_dir()}

    assert folders == set(MAY_INCLUDE)


@pytest.mark.parametrize("folder", sorted(MAY_INCLUDE))
def test_includes_point_downwards(folder: str) -> None:
    allowed = MAY_INCLUDE[folder] | {folder, "talefold"}
    upward = [
        f"{path.relative_to(ROOT)}: {include}"
        for path in sorted((SOURCES / folder).rglob("*.[ch]*"))
        for include in includes(path, r'"([^"]+)"')
        if include.split("/")[0] not in allowed
    ]

    assert upward == []


def test_public_headers_need_only_the_standard_library_and_each_other() -> None:
    foreign = [
        f"{path.name}: {include}"
        for path in sorted(PUBLIC.iterdir())
        for include in includes(path)
        if not include.startswith("talefold/")
        and ("/" in include or "." in include)
        and include not in {"stddef.h", "stdint.h"}  # of the C interface
    ]

    assert foreign == []


def test_there_is_one_source_file_a_node_type() -> None:
    types = re.findall(
        r"^TALEFOLD_NODE\((\w+)", (PUBLIC / "node_types.def").read_text("utf-8"), re.M
    )
    files = sorted(path.stem for path in (SOURCES / "nodes").glob("*.cpp"))

    assert files == sorted(
        re.sub(r"(?<=[a-z])(?=[A-Z])", "_", t).lower() for t in types
    )


@pytest.mark.parametrize("header", sorted(p.name for p in PUBLIC.glob("*.h*")))
def test_each_public_header_compiles_alone(header: str, tmp_path: Path) -> None:
    compiler = shutil.which("c++")
    if compiler is None:
        pytest.skip("no program c++ on this machine")
    source = tmp_path / "alone.cpp"
    source.write_text(f'#include "talefold/{header}"\n', "utf-8")

    done = subprocess.run(
        [compiler, "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror",
         "-I", str(PUBLIC.parent), str(source)],
        capture_output=True,
        text=True,
        check=False,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
