"""The staged folder where projects, engines and packaged games have it.

The plugin's own module, compiled on the stand-in for the engine, must find and open the
library there, and characters must talk by it.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from typer.testing import CliRunner

from native_build import ROOT
from talefold.cli import app

from .build_rules import STAGED
from .contents import LIBRARY, content_problems, license_problems, sum_problems

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="a library for Linux"),
    pytest.mark.timeout(3600),  # the first of them builds the native library
]


@pytest.fixture(scope="session")
def development_plugin(
    shared_library: Path, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """Staged from this checkout, with a library that runs."""
    folder = tmp_path_factory.mktemp("staged")
    result = CliRunner().invoke(
        app,
        [
            *("stage-unreal", str(folder), "--source", str(ROOT)),
            *("--dev", "--library", str(shared_library)),
        ],
    )
    assert result.exit_code == 0, result.output
    return folder / "Talefold"


@dataclass(frozen=True)
class Layout:
    """Where things are; folders have names as players' folders have."""

    library: Path  # that is to be found
    plugin: Path | None  # as the engine tells it; None: it knows of none
    program: Path


def project_plugin(plugin: Path, root: Path) -> Layout:
    target = root / "My Gäme" / "Plugins" / "Talefold"
    shutil.copytree(plugin, target)
    return Layout(target / LIBRARY, target, root / "UE 5.5 ş/Engine/Binaries/Linux")


def engine_plugin(plugin: Path, root: Path) -> Layout:
    engine = root / "UE 5.5 ş" / "Engine"
    target = engine / "Plugins/Marketplace/Talefold"
    shutil.copytree(plugin, target)
    return Layout(target / LIBRARY, target, engine / "Binaries/Linux")


def packaged_game(plugin: Path, root: Path) -> Layout:
    """What the rules stage, at the place that it has in the project."""
    game = root / "Gäme Linux/MyGame"
    target = game / "Plugins/Talefold"
    library = _stage(plugin, target / LIBRARY)
    return Layout(library, target, game / "Binaries/Linux")


def packaged_game_without_plugins(plugin: Path, root: Path) -> Layout:
    """The same beside the program, the second place that the plugin looks at."""
    program = root / "Gäme Linux/MyGame/Binaries/Linux"
    return Layout(_stage(plugin, program / "libtalefold_rt.so"), None, program)


def _stage(plugin: Path, library: Path) -> Path:
    library.parent.mkdir(parents=True)
    for name in STAGED["Linux"]:
        shutil.copy((plugin / LIBRARY).with_name(name), library.parent)
    return library


LAYOUTS = [project_plugin, engine_plugin, packaged_game, packaged_game_without_plugins]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_plugins_module_finds_the_library_there(
    layout: Callable[[Path, Path], Layout],
    development_plugin: Path,
    unreal_build: Path,
    tmp_path: Path,
) -> None:
    places = layout(development_plugin, tmp_path)

    lines = run_specs(unreal_build, places, tmp_path, "Talefold.Library")
    talked = run_specs(unreal_build, places, tmp_path, "before it was ready")

    assert f"INFO opened {places.library}" in lines
    assert talked[0].startswith("PASS Talefold.Conversation")


def test_a_library_elsewhere_is_not_found(
    development_plugin: Path, unreal_build: Path, tmp_path: Path
) -> None:
    """So that the tests above do not pass by a library that lies about."""
    places = project_plugin(development_plugin, tmp_path)
    places.library.rename(places.library.with_name("libother.so"))

    lines = run_specs(unreal_build, places, tmp_path, "Talefold.Library")

    assert "INFO the library is not there" in lines


def run_specs(build: Path, places: Layout, project: Path, name: str) -> list[str]:
    done = subprocess.run(
        [
            *(build / "unreal_specs", places.plugin or "", project),
            *(name, places.program),
        ],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


def test_a_staged_folder_of_this_checkout_is_complete(development_plugin: Path) -> None:
    assert content_problems(development_plugin, ROOT) == []
    assert sum_problems(development_plugin) == []
    assert license_problems(development_plugin) == []


def test_a_system_checks_the_sums(development_plugin: Path) -> None:
    if shutil.which("sha256sum") is None:
        pytest.skip("no sha256sum")

    done = subprocess.run(
        ["sha256sum", "--check", "--strict", "--quiet", "SHA256SUMS"],
        cwd=development_plugin,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
