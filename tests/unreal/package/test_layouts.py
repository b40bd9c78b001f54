"""The staged folder where projects, engines and packaged games have it.

What the plugin looks for is opened there, as it is opened: by its absolute path, in a
process of its own. That the plugin's own code finds it there is for test_plugin.py.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
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

OPEN = """
import ctypes, sys
get_api = ctypes.CDLL(sys.argv[1]).talefold_get_api
table = (ctypes.c_void_p * 512)()
sys.exit(get_api(1, table, ctypes.c_size_t(ctypes.sizeof(table))))
"""


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


def project_plugin(plugin: Path, root: Path) -> Path:
    target = root / "My Gäme" / "Plugins" / "Talefold"
    shutil.copytree(plugin, target)
    return target / LIBRARY


def engine_plugin(plugin: Path, root: Path) -> Path:
    target = root / "UE 5.5 ş" / "Engine/Plugins/Marketplace/Talefold"
    shutil.copytree(plugin, target)
    return target / LIBRARY


def packaged_game(plugin: Path, root: Path) -> Path:
    """What the rules stage, at the place that it has in the project."""
    return _stage(plugin, root / "Gäme Linux/MyGame/Plugins/Talefold" / LIBRARY)


def packaged_game_without_plugins(plugin: Path, root: Path) -> Path:
    """The same beside the program, the second place that the plugin looks at."""
    return _stage(plugin, root / "Gäme Linux/MyGame/Binaries/Linux/libtalefold_rt.so")


def _stage(plugin: Path, library: Path) -> Path:
    library.parent.mkdir(parents=True)
    for name in STAGED["Linux"]:
        shutil.copy((plugin / LIBRARY).with_name(name), library.parent)
    return library


LAYOUTS = [project_plugin, engine_plugin, packaged_game, packaged_game_without_plugins]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_library_opens_there(
    layout: Callable[[Path, Path], Path], development_plugin: Path, tmp_path: Path
) -> None:
    library = layout(development_plugin, tmp_path)

    done = subprocess.run(
        [sys.executable, "-c", OPEN, library],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=120,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")


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
