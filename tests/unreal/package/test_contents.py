"""That the checks of a staged folder see what they are for."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from .contents import (
    LIBRARY,
    content_problems,
    license_problems,
    sha256,
    sum_problems,
)


def write(folder: Path, name: str, content: bytes = b"?") -> None:
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content)


def link(folder: Path) -> None:
    (folder / "LICENSE").unlink()
    (folder / "LICENSE").symlink_to("licenses/Talefold.txt")


# What happened to the folder, and what must be said of that.
DAMAGE: dict[str, tuple[Callable[[Path], object], str]] = {
    "changed": (lambda f: write(f, "LICENSE"), "LICENSE was changed"),
    "a changed library": (lambda f: write(f, LIBRARY), f"{LIBRARY} was changed"),
    "added": (lambda f: write(f, "a.txt"), "a.txt is not listed"),
    "removed": (lambda f: (f / LIBRARY).unlink(), f"{LIBRARY} is missing"),
    "a link": (link, "LICENSE is a link"),
    "a pointer": (
        lambda f: write(f, LIBRARY, b"version https://git-lfs.github.com/spec/v1\n"),
        "is a pointer of Git LFS",
    ),
    "debug symbols": (lambda f: write(f, "a.pdb"), "a.pdb does not belong there"),
    "a cache": (lambda f: write(f, ".cache/a.txt"), "does not belong there"),
    "test data": (lambda f: write(f, "Content/a.wav"), "does not belong there"),
    "a long name": (lambda f: write(f, "Source/" + "a" * 120 + ".h"), "is long"),
    "another case": (lambda f: write(f, "license"), "differ by case alone"),
    "other letters": (lambda f: write(f, "ş.txt"), "is not ASCII"),
    "much": (lambda f: write(f, "a.txt", bytes(2_000_000)), "bytes beside the library"),
    "a folder of the builder": (
        lambda f: write(f, "README.md", b"see /builder/talefold"),
        "README.md names a folder of the builder",
    ),
    "a license less": (
        lambda f: (f / "licenses/YaRN.txt").unlink(),
        "licenses/YaRN.txt is missing",
    ),
}


def problems(folder: Path) -> list[str]:
    return [
        *sum_problems(folder),
        *content_problems(folder, Path("/builder")),
        *license_problems(folder),
    ]


@pytest.mark.parametrize(("damage", "said"), DAMAGE.values(), ids=DAMAGE)
def test_damage_is_seen(
    damage: Callable[[Path], object], said: str, staged: Path
) -> None:
    assert problems(staged) == []

    damage(staged)

    assert said in "\n".join(problems(staged))


def test_a_copy_is_as_good(staged: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(staged, tmp_path / "a b" / "ş")

    assert problems(copy) == []
    assert sha256(copy / "SHA256SUMS") == sha256(staged / "SHA256SUMS")
