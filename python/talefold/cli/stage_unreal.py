"""`talefold stage-unreal`: the Unreal plugin, complete, as a folder for a project.

It is made from a checkout of the repository, not from this package: the library is
built in a checkout anyway, and its sources, header and library fit each other.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import shlex
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from talefold.cli.stage import fails_readably

_PLUGIN = "Talefold"
_SUMS = "SHA256SUMS"  # marks a folder as ours to replace
_FACTS = "VERSION.json"
_LIBRARIES = "Binaries/ThirdParty"
_LIBRARY_FOLDER = f"{_LIBRARIES}/TalefoldLibrary"
_HEADER = "cpp/include/talefold/talefold.h"
_STAGED_HEADER = "Source/ThirdParty/TalefoldLibrary/include/talefold/talefold.h"

# The library's names, and Unreal's of the platforms. How a file of that platform
# begins: on Linux 64 bits, lowest byte first.
_PLATFORMS = {
    "libtalefold_rt.so": ("Linux", b"\x7fELF\x02\x01"),
    "talefold_rt.dll": ("Win64", b"MZ"),
}
_ELF_MACHINE = slice(18, 20)
_X86_64 = b"\x3e\x00"

_SOURCES = {".cpp", ".cs", ".h", ".ini", ".md", ".png", ".uplugin"}
# Where Unreal writes in a plugin's folder; but for _LIBRARIES, nobody's work is there.
_BUILT = {"Binaries", "DerivedDataCache", "Intermediate", "Saved"}


class _CannotStageError(Exception):
    """Nothing was changed."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


@dataclass(frozen=True)
class _Library:
    file: Path
    platform: str
    facts: dict[str, Any]  # for VERSION.json
    licenses: Path  # a folder of texts


def stage_unreal(
    destination: Annotated[
        Path,
        typer.Argument(
            metavar="DEST",
            show_default=False,
            help="Gets a folder Talefold, e.g. the Plugins folder of a project.",
        ),
    ],
    library: Annotated[
        Path | None,
        typer.Option(
            "--library",
            metavar="FILE|DIR",
            help="The output of scripts/build_portable.py; default: dist/talefold_rt.",
        ),
    ] = None,
    dev: Annotated[
        bool,
        typer.Option(
            "--dev", help="--library is a development build, for this machine alone."
        ),
    ] = False,
    source: Annotated[
        Path | None,
        typer.Option(
            "--source",
            metavar="DIR",
            help="The checkout; default: that of the current folder.",
        ),
    ] = None,
) -> None:
    """Write the Unreal plugin with its native library to DEST/Talefold.

    Run it in a checkout of the repository. A folder that it wrote earlier and that
    nobody changed is replaced; any failure leaves what was there.
    """
    target = destination / _PLUGIN
    with fails_readably():
        try:
            checkout = _find_checkout(source)
            found = _find_library(checkout, library, dev)
            _check_replaceable(target)
            with _replacing(target) as folder:
                _write_plugin(checkout, found, folder)
        except _CannotStageError as error:
            typer.echo(f"error: {error}\n  hint: {error.hint}", err=True)
            raise typer.Exit(1) from None
    typer.echo(f"{target}: version {_version(checkout)}, for {found.platform}")
    if dev:
        typer.echo("a development library: do not ship it", err=True)


def _find_checkout(source: Path | None) -> Path:
    start = (source or Path.cwd()).resolve()
    for folder in [start] if source else [start, *start.parents]:
        if _descriptor(folder).is_file() and _is_ours(folder / "pyproject.toml"):
            return folder
    raise _CannotStageError(
        f"{start} is not in a checkout of Talefold, which has the plugin's sources",
        "git clone the repository and run this in it, or name it with --source",
    )


def _is_ours(project: Path) -> bool:
    return project.is_file() and bool(
        re.search(r'^name = "talefold"$', project.read_text("utf-8"), re.MULTILINE)
    )


def _descriptor(checkout: Path) -> Path:
    return checkout / "unreal_plugin" / _PLUGIN / f"{_PLUGIN}.uplugin"


def _version(checkout: Path) -> str:
    return str(json.loads(_descriptor(checkout).read_text("utf-8"))["VersionName"])


def _find_library(checkout: Path, place: Path | None, dev: bool) -> _Library:
    if dev:
        if place is None:
            raise _CannotStageError(
                "--dev needs --library", "name a libtalefold_rt.so that you built"
            )
        return _development_library(checkout, place)
    return _portable_library(checkout, place or checkout / "dist" / "talefold_rt")


def _development_library(checkout: Path, place: Path) -> _Library:
    file, platform = _library_file(place, "build it: docs/embedding.md says how")
    facts = {
        "bytes": file.stat().st_size,
        "file": file.name,
        "portable": False,
        "sha256": _sha256(file),
    }
    return _Library(file, platform, facts, checkout / "licenses")


def _portable_library(checkout: Path, place: Path) -> _Library:
    script = checkout / "scripts" / "build_portable.py"
    build_it = f"build it: python {shlex.quote(str(script))}"
    file, platform = _library_file(place, build_it)
    folder = file.parent
    facts = _read_facts(folder / _FACTS)
    if facts.get("portable") is not True:
        raise _CannotStageError(
            f"{file} is not a portable build: {_FACTS} beside it does not say so",
            f"{build_it}; or add --dev, for this machine alone",
        )
    if facts.get("sha256") != _sha256(file):
        raise _CannotStageError(f"{file} is not the file of its {_FACTS}", build_it)
    if facts.get("talefold") != _version(checkout):
        raise _CannotStageError(
            f"{file} is of version {facts.get('talefold')}, "
            f"the plugin of {_version(checkout)}",
            build_it,
        )
    header = folder / "talefold.h"
    if header.read_bytes() != (checkout / _HEADER).read_bytes():
        raise _CannotStageError(
            f"{file} was built with another header than {checkout / _HEADER}", build_it
        )
    return _Library(file, platform, facts, folder / "licenses")


def _library_file(place: Path, hint: str) -> tuple[Path, str]:
    files = [place / name for name in _PLATFORMS] if place.is_dir() else [place]
    file = next((each for each in files if each.is_file()), None)
    if file is None:
        raise _CannotStageError(f"there is no library in {place}", hint)
    if file.name not in _PLATFORMS:
        allowed = ", ".join(_PLATFORMS)
        raise _CannotStageError(f"{file} has not one of the names {allowed}", hint)
    platform, begin = _PLATFORMS[file.name]
    with file.open("rb") as opened:
        head = opened.read(_ELF_MACHINE.stop)
    elsewhere = platform == "Linux" and head[_ELF_MACHINE] != _X86_64
    if not head.startswith(begin) or elsewhere:
        raise _CannotStageError(f"{file} is not a library for {platform}", hint)
    return file, platform


def _read_facts(file: Path) -> dict[str, Any]:
    try:
        facts = json.loads(file.read_bytes())
    except (FileNotFoundError, ValueError):
        return {}
    return facts if isinstance(facts, dict) else {}


def _check_replaceable(target: Path) -> None:
    if not target.exists() and not target.is_symlink():
        return
    if target.is_symlink() or not (target / _SUMS).is_file():
        raise _CannotStageError(
            f"{target} exists and was not written by this command",
            "move it away, or choose another DEST",
        )
    changed = _changes(target)
    if changed:
        raise _CannotStageError(
            f"{target} was changed since it was written: {', '.join(changed[:5])}"
            + (f" and {len(changed) - 5} more" if len(changed) > 5 else ""),
            "keep what you need of it, then delete it",
        )


def _changes(folder: Path) -> list[str]:
    """What is not as it was written, but for missing files and what Unreal built."""
    lines = (folder / _SUMS).read_text("utf-8", "replace").splitlines()
    sums = {name: sha for sha, _, name in (line.partition("  ") for line in lines)}
    changed = []
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if name == _SUMS or (path.is_dir() and not path.is_symlink()):
            continue
        if name in sums:
            as_written = not path.is_symlink() and _sha256(path) == sums[name]
        else:
            built = name.partition("/")[0] in _BUILT
            as_written = built and not name.startswith(f"{_LIBRARIES}/")
        if not as_written:
            changed.append(name)
    return changed


@contextlib.contextmanager
def _replacing(target: Path) -> Iterator[Path]:
    """An empty folder that becomes `target`, which stays as it is on any failure."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(
        prefix=f".{target.name}-", dir=target.parent, ignore_cleanup_errors=True
    ) as temporary:
        new, old = Path(temporary, "new"), Path(temporary, "old")
        new.mkdir()
        yield new
        if target.exists():
            target.rename(old)
        try:
            new.rename(target)
        except BaseException:
            if old.exists():
                old.rename(target)
            raise


def _write_plugin(checkout: Path, library: _Library, folder: Path) -> None:
    plugin = _descriptor(checkout).parent
    for name in _plugin_files(plugin):
        _copy(plugin / name, folder / name)
    _copy(checkout / _HEADER, folder / _STAGED_HEADER)

    place = folder / _LIBRARY_FOLDER / library.platform
    _copy(library.file, place / library.file.name)
    facts = json.dumps(library.facts, indent=2, sort_keys=True)
    (place / _FACTS).write_text(facts + "\n", "utf-8", newline="\n")

    _copy(checkout / "LICENSE", folder / "LICENSE")
    for path in sorted(library.licenses.iterdir()):
        _copy(path, folder / "licenses" / path.name)

    files = sorted(path for path in folder.rglob("*") if path.is_file())
    sums = [
        f"{_sha256(path)}  {path.relative_to(folder).as_posix()}\n" for path in files
    ]
    (folder / _SUMS).write_text("".join(sums), "utf-8", newline="\n")


def _plugin_files(plugin: Path) -> list[Path]:
    """What belongs to the plugin, without what Unreal, editors or systems left."""
    names: list[Path] = []
    foreign: list[Path] = []
    for path in sorted(plugin.rglob("*")):
        name = path.relative_to(plugin)
        is_folder = path.is_dir() and not path.is_symlink()
        hidden = any(part.startswith(".") for part in name.parts)
        if is_folder or hidden or name.parts[0] in _BUILT:
            continue
        known = path.suffix in _SOURCES and not path.is_symlink()
        (names if known else foreign).append(name)
    if foreign:
        raise _CannotStageError(
            f"{plugin} has files that do not belong to it: "
            + ", ".join(name.as_posix() for name in foreign),
            "remove them; sources of a new kind are to be added to this command",
        )
    return names


def _copy(source: Path, target: Path) -> None:
    """The content alone: owner, mode and time are those of a new file."""
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
