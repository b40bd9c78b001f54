"""The plugin's descriptor, modules and build files agree with each other."""

from __future__ import annotations

import json
import re
from importlib.metadata import version
from pathlib import Path

import jsonschema
import pytest

from talefold._generate import descriptors

ROOT = Path(__file__).parents[2]
PLUGIN = ROOT / "unreal_plugin/Talefold"
DESCRIPTOR = json.loads((PLUGIN / "Talefold.uplugin").read_text(encoding="utf-8"))
MODULES = {module["Name"]: module for module in DESCRIPTOR["Modules"]}

_TEXT = {"type": "string"}
_FLAG = {"type": "boolean"}
# Of the documentation of plugin descriptors; a misspelt key is ignored by the engine.
SCHEMA = {
    "type": "object",
    "additionalProperties": False,
    "required": ["FileVersion", "Version", "VersionName", "Modules"],
    "properties": {
        "FileVersion": {"const": 3},
        "Version": {"type": "integer"},
        "VersionName": {"type": "string", "pattern": r"^\d+\.\d+\.\d+$"},
        **dict.fromkeys(
            [
                *("FriendlyName", "Description", "Category", "CreatedBy"),
                *("CreatedByURL", "DocsURL", "MarketplaceURL", "SupportURL"),
            ],
            _TEXT,
        ),
        **dict.fromkeys(
            ["CanContainContent", "IsBetaVersion", "IsExperimentalVersion"], _FLAG
        ),
        "Installed": {"const": False},
        "SupportedTargetPlatforms": {"type": "array", "items": {"enum": ["Linux"]}},
        "Modules": {
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["Name", "Type", "LoadingPhase", "PlatformAllowList"],
                "properties": {
                    "Name": _TEXT,
                    "Type": {"enum": ["Runtime", "Editor", "DeveloperTool"]},
                    "LoadingPhase": {"enum": ["Default", "PreDefault"]},
                    "PlatformAllowList": {"const": ["Linux"]},
                },
            },
        },
    },
}


def test_the_descriptor_has_known_keys_alone() -> None:
    jsonschema.validate(DESCRIPTOR, SCHEMA)


def test_the_version_is_that_of_the_project() -> None:
    assert DESCRIPTOR["VersionName"] == version("talefold")


def test_every_folder_of_sources_is_a_module() -> None:
    folders = {path.name for path in (PLUGIN / "Source").iterdir()}
    assert folders - {"ThirdParty"} == set(MODULES)


@pytest.mark.parametrize("name", MODULES)
def test_a_module_has_its_build_file_and_one_entry(name: str) -> None:
    folder = PLUGIN / "Source" / name
    rules = (folder / f"{name}.Build.cs").read_text(encoding="utf-8")
    assert f"public class {name} : ModuleRules" in rules
    entries = [
        match
        for path in folder.rglob("*.cpp")
        for match in re.findall(
            r"IMPLEMENT_MODULE\(\w+, (\w+)\)", path.read_text(encoding="utf-8")
        )
    ]
    assert entries == [name]


# The modules of the engine that may be depended on.
ENGINE = {
    *("Core", "CoreUObject", "Engine", "DeveloperSettings", "Json", "Projects"),
    "UnrealEd",
}


@pytest.mark.parametrize("name", MODULES)
def test_modules_depend_on_known_ones(name: str) -> None:
    rules = PLUGIN / "Source" / name / f"{name}.Build.cs"
    text = rules.read_text(encoding="utf-8")
    named = set(re.findall(r'"(\w+)"', text))
    editor = {"UnrealEd"} if MODULES[name]["Type"] == "Runtime" else set()
    assert named <= (ENGINE - editor) | {"Talefold", "TalefoldLibrary", "Private"}


def test_the_library_is_staged_file_by_file() -> None:
    path = PLUGIN / "Source/ThirdParty/TalefoldLibrary/TalefoldLibrary.Build.cs"
    text = path.read_text(encoding="utf-8")
    assert "ModuleType.External" in text
    assert "StagedFileType.NonUFS" in text
    assert "File.Exists" in text
    assert not re.search(r"Environment|Directory\.|Delete|Write\(", text)


HEADER = PLUGIN / "Source/Talefold/Public/Generated"


@pytest.mark.parametrize("node", descriptors()["nodes"], ids=lambda node: node["name"])
def test_every_param_has_its_member(node: dict[str, object]) -> None:
    params = node["params"]
    assert isinstance(params, dict)
    text = (HEADER / "TalefoldNodeParams.h").read_text(encoding="utf-8")
    body = text.split(f"struct TALEFOLD_API FTalefold{params['name']} :")[1]
    body = body.split("\n};")[0]
    members = re.findall(r"^\t[\w<>]+ (\w+)(?: = [^;]+)?;$", body, re.MULTILINE)
    words = [field["name"].replace("_", "") for field in params["fields"]]
    assert [m.lower().removeprefix("b") for m in members] == [
        word.removeprefix("b") for word in words
    ]


def test_every_error_code_is_there() -> None:
    text = (HEADER / "TalefoldErrorCode.h").read_text(encoding="utf-8")
    codes = {int(n): name for name, n in re.findall(r"^\t(\w+) = (\d+),", text, re.M)}
    core = {error["code"]: error["name"] for error in descriptors()["errors"]}
    assert {code: name for code, name in codes.items() if code >= 2000} == core
