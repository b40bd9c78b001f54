"""The plugin's descriptor, and what must agree with it."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from native_build import ROOT

from .conftest import project_version
from .modules import (
    dependency_problems,
    descriptor_problems,
    export_problems,
    layout_problems,
    read_descriptor,
)

PLUGIN = ROOT / "unreal_plugin" / "Talefold"


def problems(plugin: Path) -> list[str]:
    return [
        *descriptor_problems(plugin, project_version()),
        *layout_problems(plugin),
        *dependency_problems(plugin),
        *export_problems(plugin),
    ]


@pytest.mark.parametrize(
    "check",
    [layout_problems, dependency_problems, export_problems],
    ids=lambda check: check.__name__,
)
def test_the_plugin_is_consistent(check: Callable[[Path], list[str]]) -> None:
    assert check(PLUGIN) == []


def test_the_descriptor_is_as_the_engine_reads_it() -> None:
    assert descriptor_problems(PLUGIN, project_version()) == []


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    return shutil.copytree(PLUGIN, tmp_path / "Talefold")


# What is set in the descriptor, or in a module of it, and what must be said of that.
WRONG_FIELDS: dict[str, tuple[dict[str, Any], str]] = {
    "a misspelt key": ({"CanContainContents": True}, "CanContainContents"),
    "a version with a point": ({"Version": 1.6}, "Version"),
    "a version as text": ({"Version": "1"}, "Version"),
    "a whole version with a point": ({"Version": 1.0}, "Version is not an integer"),
    "another version": ({"VersionName": "9.9.9"}, "VersionName"),
    "a version that is no semver": ({"VersionName": "0.1"}, "VersionName"),
    "an older format": ({"FileVersion": 2}, "FileVersion"),
    "installed": ({"Installed": True}, "Installed"),
    "for one engine alone": ({"EngineVersion": "5.5.0"}, "EngineVersion"),
    "a platform with another spelling": (
        {"SupportedTargetPlatforms": ["Windows"]},
        "Windows",
    ),
    "more platforms than the modules": (
        {"SupportedTargetPlatforms": ["Linux", "Win64", "Mac"]},
        "another PlatformAllowList",
    ),
}
WRONG_MODULE_FIELDS: dict[str, tuple[dict[str, Any], str]] = {
    "the key of Unreal 4": ({"WhitelistPlatforms": ["Win64"]}, "WhitelistPlatforms"),
    "an unknown type": ({"Type": "RunTime"}, "RunTime"),
    "the deprecated type": ({"Type": "Developer"}, "Developer"),
    "an unknown phase": ({"LoadingPhase": "Early"}, "Early"),
    "a module that is not there": ({"Name": "TalefoldExtra"}, "has no Build.cs"),
    "a module twice": ({"Name": "TalefoldEditor"}, "listed twice"),
}


@pytest.mark.parametrize(("fields", "said"), WRONG_FIELDS.values(), ids=WRONG_FIELDS)
def test_a_wrong_field_is_caught(
    fields: dict[str, Any], said: str, plugin: Path
) -> None:
    write_descriptor(plugin, read_descriptor(plugin) | fields)

    assert said in "\n".join(problems(plugin))


@pytest.mark.parametrize(
    ("fields", "said"), WRONG_MODULE_FIELDS.values(), ids=WRONG_MODULE_FIELDS
)
def test_a_wrong_field_of_a_module_is_caught(
    fields: dict[str, Any], said: str, plugin: Path
) -> None:
    descriptor = read_descriptor(plugin)
    descriptor["Modules"][0] |= fields
    write_descriptor(plugin, descriptor)

    assert said in "\n".join(problems(plugin))


def write_descriptor(plugin: Path, descriptor: dict[str, Any]) -> None:
    (plugin / "Talefold.uplugin").write_text(json.dumps(descriptor), "utf-8")


# A file, what is replaced in it by what, and what must be said of that.
WRONG_TEXTS: dict[str, tuple[str, str, str, str]] = {
    "a class of another name": (
        "Source/Talefold/Talefold.Build.cs",
        "class Talefold ",
        "class TalefoldModule ",
        "no class of its name",
    ),
    "an implementation of another module": (
        "Source/TalefoldEditor/Private/TalefoldEditorModule.cpp",
        ", TalefoldEditor)",
        ", Talefold)",
        "implements ['Talefold']",
    ),
    "a macro of another module": (
        "Source/TalefoldEditor/Public/TalefoldGraphFactory.h",
        "TALEFOLDEDITOR_API",
        "TALEFOLD_API",
        "exports with TALEFOLD_API",
    ),
    "an unknown dependency": (
        "Source/Talefold/Talefold.Build.cs",
        '"Engine"',
        '"Engine", "Enigne"',
        "depends on Enigne, unknown",
    ),
    "the editor in games": (
        "Source/Talefold/Talefold.Build.cs",
        '"Engine"',
        '"Engine", "UnrealEd"',
        "depends on UnrealEd, which games do not have",
    ),
    "the tests in games": (
        "Source/Talefold/Talefold.Build.cs",
        '"Engine"',
        '"Engine", "TalefoldTests"',
        "depends on TalefoldTests, which games do not have",
    ),
    "a header without its dependency": (
        "Source/Talefold/Talefold.Build.cs",
        '"Json", ',
        "",
        "Talefold lacks dependency Json",
    ),
    "a public header with a private dependency": (
        "Source/Talefold/Public/TalefoldTurn.h",
        '#include "CoreMinimal.h"',
        '#include "CoreMinimal.h"\n#include "Dom/JsonObject.h"',
        "Talefold lacks Public dependency Json",
    ),
    "a header of nobody": (
        "Source/Talefold/Public/TalefoldTurn.h",
        '#include "CoreMinimal.h"',
        '#include "TalefoldCore.h"',
        "of no known module",
    ),
    "an External module with the others": (
        "Source/TalefoldTests/TalefoldTests.Build.cs",
        "PCHUsage =",
        "Type = ModuleType.External;\n\t\tPCHUsage =",
        "External modules alone",
    ),
}


@pytest.mark.parametrize(
    ("file", "old", "new", "said"), WRONG_TEXTS.values(), ids=WRONG_TEXTS
)
def test_a_wrong_text_is_caught(
    file: str, old: str, new: str, said: str, plugin: Path
) -> None:
    text = (plugin / file).read_text("utf-8")
    assert old in text
    (plugin / file).write_text(text.replace(old, new, 1), "utf-8")

    assert said in "\n".join(problems(plugin))


def test_a_private_class_that_is_not_exported_is_caught(plugin: Path) -> None:
    header = plugin / "Source/Talefold/Private/Bridge/TalefoldLibrary.h"
    header.write_text(header.read_text("utf-8").replace("TALEFOLD_API ", ""), "utf-8")

    assert "which exports nothing" in "\n".join(export_problems(plugin))


def test_a_folder_without_rules_of_its_name_is_caught(plugin: Path) -> None:
    (plugin / "Source/TalefoldEditor").rename(plugin / "Source/TalefoldEd")

    assert layout_problems(plugin) == ["TalefoldEditor: is in a folder TalefoldEd"]


def test_all_have_the_same_names_of_platforms_and_libraries() -> None:
    """Command, rules and plugin look in one place; see the rules' test for them."""
    from talefold.cli.stage_unreal import _PLATFORMS

    source = PLUGIN / "Source/Talefold/Private/Bridge/TalefoldLibrary.cpp"
    pairs = re.findall(
        r'PlatformFolder = TEXT\("(\w+)"\);\s*const TCHAR\* const FileName = '
        r'TEXT\("([\w.]+)"\)',
        source.read_text("utf-8"),
    )
    staged = {(platform, name) for name, (platform, _) in _PLATFORMS.items()}

    assert staged <= set(pairs)
    platforms = read_descriptor(PLUGIN)["SupportedTargetPlatforms"]
    assert {platform for platform, _ in staged} == set(platforms)


def test_the_icon_has_the_engines_size() -> None:
    content = (PLUGIN / "Resources/Icon128.png").read_bytes()

    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    assert [int.from_bytes(content[at : at + 4], "big") for at in (16, 20)] == [128] * 2


def test_files_that_unreal_would_leave_out_are_in_its_filter() -> None:
    lines = (PLUGIN / "Config/FilterPlugin.ini").read_text("utf-8").splitlines()

    assert lines[0] == "[FilterPlugin]"
    assert {"/LICENSE", "/README.md", "/licenses/..."} <= set(lines)
    assert "/Binaries/ThirdParty/TalefoldLibrary/..." in lines
