"""The stand-in for the engine: what it refuses, and what it does."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from .uht.emit import generated_header, generated_source
from .uht.parse import parse

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="the stand-in is for Linux"),
    pytest.mark.timeout(3600),  # the first of them builds it
]

INCLUDE = Path(__file__).parent / "shim/include"
FLAGS = "-std=c++20 -fno-exceptions -fno-rtti -Wall -Wextra -Werror -fsyntax-only"


def compile_text(text: str, *folders: Path) -> str:
    """What the compiler has against it; empty = nothing."""
    done = subprocess.run(
        [
            os.environ.get("CXX", "c++"),
            *FLAGS.split(),
            *(f"-I{folder}" for folder in (INCLUDE, *folders)),
            *("-x", "c++", "-"),
        ],
        input=text,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    return done.stderr if done.returncode != 0 else ""


def in_function(body: str, *includes: str) -> str:
    lines = [f'#include "{each}"' for each in ("CoreMinimal.h", *includes)]
    return "\n".join([*lines, "void Sample() {", body, "}"])


GOOD = [
    in_function('const FString Text = TEXT("a");'),
    in_function(
        "FTSTicker::FDelegateHandle Handle = "
        "FTSTicker::GetCoreTicker().AddTicker(FTickerDelegate());"
        "FTSTicker::GetCoreTicker().RemoveTicker(Handle);",
        "Containers/Ticker.h",
    ),
]


@pytest.mark.parametrize("text", GOOD)
def test_what_is_right_compiles(text: str) -> None:
    assert compile_text(text) == ""


BAD = {
    "no TEXT": in_function('const FString Text = "a";'),
    **{
        f"a format with {name}": in_function(f"FString::Printf({arguments});")
        for name, arguments in {
            "an FString": 'TEXT("%s"), FString(TEXT("a"))',
            "a char* as %s": 'TEXT("%s"), "a"',
            "64 bits as %d": 'TEXT("%d"), int64(1)',
            "too few arguments": 'TEXT("%d %d"), 1',
            "too many arguments": 'TEXT("%d"), 1, 2',
            "no literal": '*FString(TEXT("%d")), 1',
        }.items()
    },
    "a pointer to int64 as one to int64_t": in_function(
        "int64 Number = 0; int64_t* Other = &Number; (void)Other;"
    ),
    "try": in_function("try { } catch (...) { }"),
    "dynamic_cast": in_function(
        "UObject* Object = nullptr; (void)dynamic_cast<UClass*>(Object);",
        "UObject/Object.h",
    ),
    "a ticker's handle as another": in_function(
        "FDelegateHandle Handle = "
        "FTSTicker::GetCoreTicker().AddTicker(FTickerDelegate());",
        "Containers/Ticker.h",
    ),
    "MoveTemp of a const": in_function(
        "const FString Text; FString Moved = MoveTemp(Text);"
    ),
    "an unknown function": in_function("FString Text; Text.ToUpper();"),
    "no include": in_function("FPaths::ProjectDir();"),
    "a verbosity that is none": in_function(
        'UE_LOG(LogSample, Loud, TEXT("a"));'.replace("LogSample", "FLogCategoryBase{}")
    ),
}


@pytest.mark.parametrize("text", BAD.values(), ids=BAD.keys())
def test_what_is_wrong_does_not_compile(text: str) -> None:
    assert "error:" in compile_text(text)


def compile_class(tmp_path: Path, members: str, use: str = "") -> str:
    """A class with these members, with its tables, and a function with `use`."""
    header = tmp_path / "SampleThing.h"
    header.write_text(
        "#pragma once\n"
        '#include "CoreMinimal.h"\n#include "UObject/Object.h"\n#include <vector>\n'
        '#include "SampleThing.generated.h"\n'
        "UCLASS()\nclass USampleThing : public UObject\n"
        "{\n\tGENERATED_BODY()\n" + members + "\n};\n"
    )
    model = parse(header)
    (tmp_path / "SampleThing.generated.h").write_text(generated_header(model))
    source = generated_source(model, header.name)
    return compile_text(
        f"{source}\nvoid Sample(USampleThing& Thing) {{ {use} }}", tmp_path
    )


def test_a_class_is_reflected(tmp_path: Path) -> None:
    members = "public:\nUPROPERTY()\nTArray<FString> Texts;"
    assert compile_class(tmp_path, members, "Thing.Texts.Empty();") == ""


def test_members_behind_generated_body_are_private(tmp_path: Path) -> None:
    problem = compile_class(tmp_path, "FString Text;", "Thing.Text += Thing.Text;")
    assert "private" in problem


@pytest.mark.parametrize("kind", ["std::vector<int32>", "FDelegateHandle"])
def test_a_property_of_an_unreflected_type_does_not_compile(
    kind: str, tmp_path: Path
) -> None:
    members = f"public:\nUPROPERTY()\n{kind} Member;"
    assert "error:" in compile_class(tmp_path, members, "(void)Thing;")


def run_specs(build: Path, folder: Path, name: str) -> tuple[int, list[str]]:
    done = subprocess.run(
        [build / "shim_specs", folder, folder, name],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    return done.returncode, [*done.stdout.splitlines(), *done.stderr.splitlines()]


NAMES = ["Core", "Game", "Json", "Objects"]


@pytest.mark.parametrize("name", NAMES)
def test_its_specs_pass(name: str, unreal_build: Path, tmp_path: Path) -> None:
    code, lines = run_specs(unreal_build, tmp_path, f"Shim.{name}")
    assert code == 0, "\n".join(line for line in lines if "PASS" not in line)
    assert f"PASS Shim.{name}" in lines[0]


def test_every_spec_is_run() -> None:
    files = (Path(__file__).parent / "shim/sample/Private").glob("*.spec.cpp")
    found = sorted(path.name.removesuffix(".spec.cpp") for path in files)
    assert found == sorted([*NAMES, "Fails"])


def test_what_must_fail_fails(unreal_build: Path, tmp_path: Path) -> None:
    code, lines = run_specs(unreal_build, tmp_path, "Fails")
    assert code == 1
    assert not [line for line in lines if line.startswith("PASS")]
    assert len([line for line in lines if line.startswith("FAIL")]) == 4
    assert "     log: broken 1" in lines
