"""Builds the plugin's own sources on the stand-in for the engine."""

from __future__ import annotations

from pathlib import Path

from native_build import CMAKE, ROOT, configure, run


def build(folder: Path, *definitions: str, target: str = "all") -> None:
    """All modules, and but for shipping builds the programs of this folder."""
    configure(ROOT / "tests/unreal", folder, *definitions)
    run(CMAKE, "--build", folder, "--target", target)
