from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from native_build import ROOT
from talefold.cli import app

from .contents import LICENSES

Stage = Callable[..., Result]

# The first 20 bytes are those of a library for Linux on x86-64.
LIBRARY = b"\x7fELF\x02\x01\x01" + bytes(9) + b"\x03\x00\x3e\x00" + b"code of a library"


def write_facts(output: Path, **facts: object) -> None:
    content = {
        "file": "libtalefold_rt.so",
        "portable": True,
        "sha256": hashlib.sha256(LIBRARY).hexdigest(),
        "talefold": project_version(),
    }
    (output / "VERSION.json").write_text(json.dumps(content | facts), "utf-8")


def project_version() -> str:
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    (version,) = re.findall(r'^version = "(.*)"$', text, re.MULTILINE)
    return str(version)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """What the command reads of a checkout, without a library."""
    folder = tmp_path / "checkout"
    for name in ("unreal_plugin", "licenses"):
        shutil.copytree(ROOT / name, folder / name)
    for name in ("pyproject.toml", "LICENSE", "cpp/include/talefold/talefold.h"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    return folder


@pytest.fixture
def output(checkout: Path) -> Path:
    """As scripts/build_portable.py leaves it, with an idle library."""
    folder = checkout / "dist" / "talefold_rt"
    (folder / "licenses").mkdir(parents=True)
    for name in LICENSES:
        (folder / "licenses" / name).write_text(f"license of {name}\n", "utf-8")
    (folder / "libtalefold_rt.so").write_bytes(LIBRARY)
    shutil.copy(checkout / "cpp/include/talefold/talefold.h", folder)
    write_facts(folder)
    return folder


@pytest.fixture
def plugins(tmp_path: Path) -> Path:
    """Where a project has its plugins; players' folders have such names."""
    folder = tmp_path / "Łukasz's Game" / "Plugins"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def stage(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> Stage:
    """Runs the command in the checkout."""
    monkeypatch.chdir(checkout)

    def run(*arguments: str | Path) -> Result:
        return CliRunner().invoke(app, ["stage-unreal", *map(str, arguments)])

    return run


@pytest.fixture
def staged(stage: Stage, output: Path, plugins: Path) -> Path:
    """A complete plugin."""
    result = stage(plugins)
    assert result.exit_code == 0, result.output
    return plugins / "Talefold"
