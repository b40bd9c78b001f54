"""What a staged plugin folder must be, whoever made it."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

LIBRARY = "Binaries/ThirdParty/TalefoldLibrary/Linux/libtalefold_rt.so"
VERSION = "Binaries/ThirdParty/TalefoldLibrary/Linux/VERSION.json"
HEADER = "Source/ThirdParty/TalefoldLibrary/include/talefold/talefold.h"
NEEDED = {
    "Talefold.uplugin", "README.md", "LICENSE", "SHA256SUMS", "Config/FilterPlugin.ini",
    "Resources/Icon128.png", LIBRARY, VERSION, HEADER,
}  # fmt: skip
# Of what is linked into a portable library.
LICENSES = {
    "Boost.txt", "GCC-runtime.txt", "Talefold.txt", "YaRN.txt", "llama.cpp.txt",
    "tinyBLAS.txt",
}  # fmt: skip
SUFFIXES = {
    "", ".cpp", ".cs", ".h", ".ini", ".json", ".md", ".png", ".so", ".txt", ".uplugin",
}  # fmt: skip
# Windows ends most paths at 260 letters, and the folder of a project has some.
MAX_NAME = 120
MAX_BYTES = 2_000_000  # but for the library
LFS = b"version https://git-lfs"


def files_of(folder: Path) -> dict[str, Path]:
    """All files by name, links included."""
    return {
        path.relative_to(folder).as_posix(): path
        for path in sorted(folder.rglob("*"))
        if path.is_symlink() or not path.is_dir()
    }


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def sum_problems(folder: Path) -> list[str]:
    """As `sha256sum -c`, but what is not listed is wrong, too."""
    lines = (folder / "SHA256SUMS").read_text("utf-8").splitlines()
    sums = {name: sha for sha, _, name in (line.partition("  ") for line in lines)}
    files = files_of(folder)
    del files["SHA256SUMS"]
    found = [f"{name} is missing" for name in sums if name not in files]
    found += [f"{name} is not listed" for name in files if name not in sums]
    found += [
        f"{name} was changed"
        for name, path in files.items()
        if name in sums and sha256(path) != sums[name]
    ]
    return found


def content_problems(folder: Path, *machine: Path) -> list[str]:
    """`machine`: folders of the builder, which no text may name."""
    files = files_of(folder)
    found = [f"{name} is missing" for name in NEEDED if name not in files]
    if len({name.lower() for name in files}) != len(files):
        found.append("names differ by case alone")
    for name, path in files.items():
        found += [f"{name} {problem}" for problem in _file_problems(name, path)]
        text = b"" if path.suffix in {".so", ".png"} else path.read_bytes()
        if any(str(each).encode() in text for each in machine):
            found.append(f"{name} names a folder of the builder")
    size = sum(path.stat().st_size for name, path in files.items() if name != LIBRARY)
    if size > MAX_BYTES:
        found.append(f"has {size} bytes beside the library")
    return found


def _file_problems(name: str, path: Path) -> list[str]:
    found = []
    if path.is_symlink():
        found.append("is a link")
    if path.suffix not in SUFFIXES or any(p.startswith(".") for p in name.split("/")):
        found.append("does not belong there")
    if len(name) > MAX_NAME:
        found.append("is long")
    if not name.isascii():
        found.append("is not ASCII")
    if path.read_bytes().startswith(LFS):
        found.append("is a pointer of Git LFS")
    return found


def license_problems(folder: Path) -> list[str]:
    texts = {path.name for path in (folder / "licenses").iterdir()}
    facts = json.loads((folder / VERSION).read_text("utf-8"))
    wanted = LICENSES if facts["portable"] else {"Boost.txt", "GCC-runtime.txt"}
    return [f"licenses/{name} is missing" for name in sorted(wanted - texts)]
