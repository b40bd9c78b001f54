#!/usr/bin/env python3
"""Build the portable talefold_rt: one shared library with llama.cpp inside.

    pip install cmake ninja cmeel-boost        # in a virtual environment
    scripts/build_portable.py
    scripts/build_portable.py --build DIR --output DIR --jobs 2

The source of llama.cpp is that of the llama-cpp-python which pyproject.toml pins; pip
downloads it (77 MB) when the build folder does not have it. The output folder gets the
library, talefold.h, VERSION.json and the licenses of all that is linked in, or keeps
what it had when anything fails. The first build takes minutes; CMAKE_CXX_COMPILER and
the like are taken from the environment as CMake takes them (CXX, CXXFLAGS,
CMAKE_CXX_COMPILER_LAUNCHER).
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
LLAMA = "vendor/llama.cpp"  # in the sdist
CONTENTS = "VERSION.json"  # marks an output folder as ours to replace


def main() -> None:
    arguments = parse_arguments()
    build, output = arguments.build.resolve(), arguments.output.resolve()
    check_replaceable(output)
    version = pinned_version()
    sdist = fetch_sdist(version, build)
    source = unpack(sdist, build)

    commit = llama_commit(sdist, version)
    facts = compile_library(source, commit, build / "cmake", arguments.jobs)
    library = Path(facts.pop("library"))
    facts |= describe(library)
    facts |= {
        "llama_cpp_python": version,
        "llama_cpp_python_sha256": sha256(sdist),
        "llama_cpp_commit": commit,
    }
    write_output(output, library, source, facts)
    print(f"{output / library.name}: {facts['bytes'] / 1e6:.1f} MB")


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--build",
        type=Path,
        default=ROOT / "build/portable",
        help="kept between builds; default build/portable",
    )
    parser.add_argument(
        "--output",
        type=Path,
        default=ROOT / "dist/talefold_rt",
        help="replaced as a whole; default dist/talefold_rt",
    )
    parser.add_argument(
        "--jobs", type=int, help="compilers at a time; default: what Ninja chooses"
    )
    return parser.parse_args()


def check_replaceable(output: Path) -> None:
    if not output.exists() or (output / CONTENTS).is_file():
        return
    if not output.is_dir() or any(output.iterdir()):
        sys.exit(
            f"{output} exists and has no {CONTENTS}, so it is not an earlier output; "
            "name another folder with --output"
        )


def pinned_version() -> str:
    pins = set(
        re.findall(
            r'"llama-cpp-python==([\w.]+)"',
            (ROOT / "pyproject.toml").read_text("utf-8"),
        )
    )
    if len(pins) != 1:
        sys.exit(f"pyproject.toml pins llama-cpp-python to {sorted(pins)}, not to one")
    return pins.pop()


def fetch_sdist(version: str, build: Path) -> Path:
    """Pip also asks for the metadata, with which the download takes seconds longer."""
    target = build / f"llama_cpp_python-{version}.tar.gz"
    if not target.is_file():
        build.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=build) as folder:
            run(
                sys.executable, "-m", "pip", "download",
                "--disable-pip-version-check", "--no-deps",
                "--no-binary", "llama-cpp-python",
                "--dest", folder,
                f"llama-cpp-python=={version}",
            )  # fmt: skip
            (sdist,) = Path(folder).glob("*.tar.gz")
            sdist.replace(target)
    return target


def unpack(sdist: Path, build: Path) -> Path:
    """The folder of llama.cpp, without the git data that the sdist holds too."""
    target = build / f"llama.cpp-{sdist.name.removesuffix('.tar.gz')}"
    if not target.is_dir():
        with tempfile.TemporaryDirectory(dir=build) as folder:
            with tarfile.open(sdist) as tar:
                members = [
                    member
                    for member in tar.getmembers()
                    if f"/{LLAMA}/" in member.name and "/.git" not in member.name
                ]
                tar.extractall(folder, members, filter="data")
            (unpacked,) = Path(folder).glob(f"*/{LLAMA}")
            unpacked.replace(target)
    return target


def llama_commit(sdist: Path, version: str) -> str:
    """From the git data of the sdist, or shorter from its change log, or "unknown"."""
    with tarfile.open(sdist) as tar:
        for member in tar:
            if member.name.endswith(f"/.git/modules/{LLAMA}/HEAD"):
                head = read_text(tar, member).strip()
                if re.fullmatch(r"[0-9a-f]{40}", head):
                    return head
        for member in tar:
            if member.name.count("/") == 1 and member.name.endswith("/CHANGELOG.md"):
                entry = read_text(tar, member).partition(f"## [{version}]")[2]
                commits = re.findall(r"llama\.cpp@(\w+)", entry.partition("\n## ")[0])
                if commits:
                    return commits[0]  # newest first
    return "unknown"


def read_text(tar: tarfile.TarFile, member: tarfile.TarInfo) -> str:
    file = tar.extractfile(member)
    return file.read().decode() if file else ""


def compile_library(
    source: Path, commit: str, build: Path, jobs: int | None
) -> dict[str, Any]:
    """What talefold_make_portable says of the library; see cpp/cmake."""
    cmake = tool("cmake")
    flags = path_flags(source, build)
    run(
        cmake, "-S", ROOT, "-B", build, "-G", "Ninja",
        f"-DCMAKE_MAKE_PROGRAM={tool('ninja')}",
        f"-DPython_EXECUTABLE={sys.executable}",
        "-DCMAKE_BUILD_TYPE=Release",
        f"-DCMAKE_C_FLAGS={flags} {os.environ.get('CFLAGS', '')}",
        f"-DCMAKE_CXX_FLAGS={flags} {os.environ.get('CXXFLAGS', '')}",
        f"-DTALEFOLD_LLAMA_SOURCE={source}",
        f"-DTALEFOLD_LLAMA_COMMIT={commit}",
        "-DTALEFOLD_BUILD_CAPI=ON",
        "-DTALEFOLD_BUILD_TESTS=OFF",
    )  # fmt: skip
    parallel = ["--parallel", str(jobs)] if jobs else []
    run(cmake, "--build", build, "--target", "talefold_rt", *parallel)
    facts: dict[str, Any] = json.loads((build / "talefold_rt.json").read_text("utf-8"))
    return facts


def path_flags(source: Path, build: Path) -> str:
    """Flags that keep this machine's folders out of messages and assertions."""
    if os.name == "nt":
        return ""
    names = {ROOT: "talefold", build: "build", source: "llama.cpp"}
    names |= {Path(sys.prefix): "python"}  # Boost's headers
    return " ".join(  # the last that matches counts
        shlex.quote(f"-ffile-prefix-map={path}={name}") for path, name in names.items()
    )


def tool(name: str) -> str:
    beside_python = str(Path(sys.executable).parent)
    found = shutil.which(name, path=beside_python) or shutil.which(name)
    if found is None:
        sys.exit(f"there is no {name}; pip install {name}")
    return found


def run(*command: str | Path) -> None:
    words = [str(word) for word in command]
    done = subprocess.run(words, check=False)
    if done.returncode != 0:
        sys.exit(f"failed, with code {done.returncode}: {shlex.join(words)}")


def describe(library: Path) -> dict[str, Any]:
    content = library.read_bytes()
    facts = {
        "file": library.name,
        "bytes": len(content),
        "sha256": hashlib.sha256(content).hexdigest(),
    }
    glibc = re.findall(rb"\0GLIBC_(\d+)\.(\d+)[.\d]*(?=\0)", content)
    if glibc:
        newest = max((int(major), int(minor)) for major, minor in glibc)
        facts["glibc"] = "{}.{}".format(*newest)
    return facts


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def write_output(
    output: Path, library: Path, source: Path, facts: dict[str, Any]
) -> None:
    output.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=output.parent) as folder:
        new, old = Path(folder) / "new", Path(folder) / "old"
        new.mkdir()
        shutil.copy(library, new)
        shutil.copy(ROOT / "cpp/include/talefold/talefold.h", new)
        write_licenses(new / "licenses", source)
        text = json.dumps(facts, indent=2, sort_keys=True)
        (new / CONTENTS).write_text(text + "\n", "utf-8")
        if output.exists():
            output.replace(old)
        new.replace(output)


def write_licenses(folder: Path, source: Path) -> None:
    folder.mkdir()
    shutil.copy(ROOT / "LICENSE", folder / "Talefold.txt")
    for path in sorted((ROOT / "licenses").iterdir()):
        shutil.copy(path, folder)
    ours = (source / "LICENSE").read_text("utf-8")
    (folder / "llama.cpp.txt").write_text(ours, "utf-8")

    # Two parts of llama.cpp are of others, who are named in the source alone.
    cpu = source / "ggml/src/ggml-cpu"
    sgemm = (cpu / "llamafile/sgemm.cpp").read_text("utf-8")
    notice = re.match(r"// Copyright .*?SOFTWARE\.\n", sgemm, re.DOTALL)
    yarn = re.search(
        r"^// MIT licensed\. (Copyright .*)$",
        (cpu / "ops.cpp").read_text("utf-8"),
        re.MULTILINE,
    )
    if notice is None or yarn is None:
        sys.exit(
            "the notices of tinyBLAS and YaRN are not where they were in llama.cpp; "
            "see what it holds of others now, and change write_licenses"
        )
    (folder / "tinyBLAS.txt").write_text(
        re.sub(r"^// ?", "", notice[0], flags=re.MULTILINE), "utf-8"
    )
    (folder / "YaRN.txt").write_text(
        re.sub(r"^Copyright .*$", yarn[1], ours, flags=re.MULTILINE), "utf-8"
    )


if __name__ == "__main__":
    main()
