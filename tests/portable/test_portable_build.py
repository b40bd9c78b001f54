"""The portable talefold_rt: built by its script, then looked at and loaded.

TALEFOLD_PORTABLE_BUILD_DIR names a build folder to keep and use again; a first build
takes minutes.
"""

from __future__ import annotations

import importlib.util
import json
import os
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from native_build import ROOT, run
from talefold import Catalogue, TalefoldError
from tiny_models import write_tiny_model

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(7200),
    pytest.mark.skipif(sys.platform != "linux", reason="looks at ELF files"),
]

SCRIPT = ROOT / "scripts" / "build_portable.py"
# The C library in its parts, and its loader, whose name has that of the machine.
SYSTEM_LIBRARIES = r"lib(c|m|pthread|dl|rt)\.so\.\d+|ld-linux[-\w]*\.so\.\d+"


def program(*names: str) -> str:
    for name in names:
        found = shutil.which(name)
        if found is not None:
            return found
    pytest.skip(f"no program {' or '.join(names)} on this machine")


@pytest.fixture(scope="module")
def output(tmp_path_factory: pytest.TempPathFactory) -> Path:
    program("c++", "g++", "clang++")
    kept = os.environ.get("TALEFOLD_PORTABLE_BUILD_DIR")
    build = Path(kept) if kept else tmp_path_factory.mktemp("portable")
    output = tmp_path_factory.mktemp("output") / "talefold_rt"
    run(sys.executable, SCRIPT, "--build", build, "--output", output)
    return output


@pytest.fixture(scope="module")
def library(output: Path) -> Path:
    return output / "libtalefold_rt.so"


@pytest.fixture(scope="module")
def version(output: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((output / "VERSION.json").read_text("utf-8"))
    return content


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory, output: Path) -> Path:
    """The program of host.c."""
    folder = tmp_path_factory.mktemp("host")
    (folder / "talefold").mkdir()
    shutil.copy(output / "talefold.h", folder / "talefold")
    run(
        program("cc", "gcc", "clang"), "-std=c99", "-D_POSIX_C_SOURCE=200809L",
        "-Wall", "-Wextra", "-Werror", "-I", folder,
        Path(__file__).parent / "host.c",
        "-o", folder / "host", "-ldl",
    )  # fmt: skip
    return folder / "host"


def stock_llama() -> Path:
    """The library of the pip package, which is not imported: that would load it."""
    spec = importlib.util.find_spec("llama_cpp")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent / "lib" / "libllama.so"


def two_copies(library: Path, folder: Path) -> list[Path]:
    return [
        Path(shutil.copy(library, folder / f"libtalefold_{name}.so"))
        for name in ("first", "second")
    ]


def test_the_output_is_complete(output: Path) -> None:
    files = sorted(path.relative_to(output).as_posix() for path in output.rglob("*.*"))

    assert files == [
        "VERSION.json",
        "libtalefold_rt.so",
        "licenses/Boost.txt",
        "licenses/GCC-runtime.txt",
        "licenses/Talefold.txt",
        "licenses/YaRN.txt",
        "licenses/llama.cpp.txt",
        "licenses/tinyBLAS.txt",
        "talefold.h",
    ]


def test_the_version_file_tells_what_was_built(version: dict[str, Any]) -> None:
    project = (ROOT / "pyproject.toml").read_text("utf-8")

    assert version["portable"] is True
    assert f'version = "{version["talefold"]}"' in project
    assert f'"llama-cpp-python=={version["llama_cpp_python"]}"' in project
    assert re.fullmatch(r"[0-9a-f]{8,40}", version["llama_cpp_commit"])
    assert version["architecture"] == platform.machine()
    assert version["cmake_options"]["GGML_NATIVE"] == "OFF"


def test_one_symbol_is_exported(library: Path) -> None:
    lines = run(program("nm"), "-D", "--defined-only", library).splitlines()

    assert [line.split()[1:] for line in lines] == [["T", "talefold_get_api"]]


def test_only_the_c_library_is_needed(library: Path) -> None:
    dynamic = run(program("readelf"), "-d", "-W", library)

    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic)
    assert needed
    assert [name for name in needed if not re.fullmatch(SYSTEM_LIBRARIES, name)] == []
    assert re.findall(r"\(SONAME\).*\[(.*)\]", dynamic) == ["libtalefold_rt.so"]
    assert "RUNPATH" not in dynamic
    assert "RPATH" not in dynamic


def test_it_is_no_newer_than_the_c_library(
    library: Path, version: dict[str, Any]
) -> None:
    symbols = run(program("readelf"), "--version-info", "-W", library)

    versions = re.findall(r"Name: GLIBC_(\d+)\.(\d+)", symbols)
    newest = max((int(major), int(minor)) for major, minor in versions)
    here = tuple(int(part) for part in platform.libc_ver()[1].split("."))
    assert version["glibc"] == "{}.{}".format(*newest)
    assert newest <= here, f"needs glibc {newest}, this machine has {here}"


def test_its_memory_is_protected(library: Path) -> None:
    readelf = program("readelf")

    segments = run(readelf, "-l", "-W", library)
    (stack,) = re.findall(r"GNU_STACK.* (\w+) +0x\w+\n", segments)
    assert "E" not in stack
    assert "GNU_RELRO" in segments
    assert "BIND_NOW" in run(readelf, "-d", "-W", library)


def test_no_folder_of_the_builder_is_in_it(library: Path) -> None:
    content = library.read_bytes()

    assert str(ROOT).encode() not in content
    assert sys.prefix.encode() not in content
    assert b"ggml-cpu" in content  # there are names of source files


def test_it_needs_no_avx512(library: Path) -> None:
    if platform.machine() != "x86_64":
        pytest.skip("AVX-512 is of x86-64")
    code = run(program("objdump"), "-d", "--no-show-raw-insn", library)

    assert "%ymm" in code
    assert len(re.findall(r"%zmm|%k[0-7]\b|%[xy]mm(?:1[6-9]|2\d|3[01])\b", code)) == 0


@pytest.mark.parametrize("visibility", ["local", "global"])
def test_copies_and_a_stock_llama_live_in_one_process(
    host: Path, library: Path, visibility: str, tmp_path: Path
) -> None:
    copies = two_copies(library, tmp_path)

    lines = run(host, "-", f"{visibility}:{stock_llama()}", *copies).splitlines()

    infos, results = lines[::2], lines[1::2]
    assert [json.loads(info)["llama"] for info in infos] == [True, True]
    assert [json.loads(result)["text"] for result in results] == ["Aye.", "Aye."]


@pytest.mark.parametrize("visibility", ["local", "global"])
def test_copies_beside_a_stock_llama_run_a_model(
    host: Path, library: Path, visibility: str, tmp_path: Path
) -> None:
    try:
        model = Catalogue().find("smollm2-135m").locate()
    except TalefoldError as error:
        pytest.skip(str(error))
    copies = two_copies(library, tmp_path)

    lines = run(host, model, f"{visibility}:{stock_llama()}", *copies).splitlines()

    first, second = (json.loads(line) for line in lines[1::2])
    assert first["status"] == second["status"] == "success"
    assert first["text"] == second["text"] != ""


def on_cpu(model: str) -> list[str]:
    if platform.machine() != "x86_64":
        pytest.skip("the CPU is one of x86-64")
    return [program("qemu-x86_64"), "-cpu", model]


def test_the_first_cpu_with_avx2_is_enough(
    host: Path, library: Path, tmp_path: Path
) -> None:
    write_tiny_model(tmp_path / "tiny.gguf", "bpe")

    output = run(*on_cpu("Haswell"), host, tmp_path / "tiny.gguf", library)

    assert '"status":"success"' in output


def test_an_older_cpu_is_told(host: Path, library: Path) -> None:
    nehalem = on_cpu("Nehalem")

    assert '"status":"success"' in run(*nehalem, host, "-", library)
    done = subprocess.run(
        [*nehalem, host, "edric.gguf", library],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "this CPU has no AVX2" in done.stderr
