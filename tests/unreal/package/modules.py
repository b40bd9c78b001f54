"""What descriptor, folders, Build.cs files and sources of the plugin say of each other.

Every check gives a list of what is wrong, empty for a good plugin.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import jsonschema

SCHEMA = Path(__file__).with_name("uplugin.schema.json")
# The engine module of a header, from the API reference; the longest beginning counts.
ENGINE_HEADERS = {
    "Async/": "Core",
    "Containers/": "Core",
    "CoreMinimal.h": "Core",
    "Delegates/": "Core",
    "HAL/": "Core",
    "Internationalization/": "Core",
    "Logging/": "Core",
    "Misc/": "Core",
    "Modules/": "Core",
    "Templates/": "Core",
    "Misc/DataValidation.h": "CoreUObject",
    "StructUtils/InstancedStruct.h": "CoreUObject",
    "UObject/": "CoreUObject",
    "Engine/DeveloperSettings.h": "DeveloperSettings",
    "Components/": "Engine",
    "Engine/": "Engine",
    "GameFramework/": "Engine",
    "Internationalization/StringTable.h": "Engine",
    "Kismet/": "Engine",
    "Subsystems/": "Engine",
    "Dom/": "Json",
    "Policies/": "Json",
    "Serialization/Json": "Json",
    "Interfaces/IPluginManager.h": "Projects",
    "Factories/": "UnrealEd",
}
ENGINE_MODULES = set(ENGINE_HEADERS.values())
EDITOR_MODULES = {"UnrealEd"}
# Types of modules that games do not have.
NOT_IN_GAMES = {"DeveloperTool", "Editor", "EditorNoCommandlet", "UncookedOnly"}


@dataclass(frozen=True)
class Module:
    rules: Path  # its Build.cs

    @property
    def name(self) -> str:
        return self.rules.name.removesuffix(".Build.cs")

    @property
    def folder(self) -> Path:
        return self.rules.parent

    @cached_property
    def text(self) -> str:
        return self.rules.read_text("utf-8")

    @property
    def is_external(self) -> bool:
        return "Type = ModuleType.External;" in self.text

    def files(self, *suffixes: str) -> list[Path]:
        return sorted(
            path for path in self.folder.rglob("*") if path.suffix in suffixes
        )

    def dependencies(self, visibility: str) -> set[str]:
        """Those of `Public` or `Private` visibility."""
        call = rf"{visibility}DependencyModuleNames\.AddRange\(new string\[\] "
        lists = re.findall(call + "{([^}]*)}", self.text)
        return set(re.findall(r'"(\w+)"', "".join(lists)))

    def uses_private_of(self, other: str) -> bool:
        return f'"..", "{other}", "Private"' in self.text


def modules(plugin: Path) -> dict[str, Module]:
    found = [Module(path) for path in sorted(plugin.rglob("*.Build.cs"))]
    return {module.name: module for module in found}


def read_descriptor(plugin: Path) -> dict[str, Any]:
    text = (plugin / "Talefold.uplugin").read_text("utf-8")
    content: dict[str, Any] = json.loads(text)
    return content


def descriptor_problems(plugin: Path, version: str) -> list[str]:
    descriptor = read_descriptor(plugin)
    validator = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text("utf-8")))
    found = [f"{e.json_path}: {e.message}" for e in validator.iter_errors(descriptor)]
    if found:
        return found
    if not isinstance(descriptor["Version"], int):
        found.append("Version is not an integer")
    if descriptor["VersionName"] != version:
        found.append(f"VersionName is not that of pyproject.toml, {version}")
    platforms = descriptor["SupportedTargetPlatforms"]
    for entry in descriptor["Modules"]:
        if entry["PlatformAllowList"] != platforms:
            found.append(f"{entry['Name']}: another PlatformAllowList than the plugin")
    return found


def layout_problems(plugin: Path) -> list[str]:
    listed = [entry["Name"] for entry in read_descriptor(plugin)["Modules"]]
    present = modules(plugin)
    found = [f"{name} is listed twice" for name in listed if listed.count(name) > 1]
    found += [f"{name} has no Build.cs" for name in listed if name not in present]
    for name, module in present.items():
        if module.is_external == (name in listed):
            found.append(f"{name}: External modules alone are not in the descriptor")
        found += [f"{name}: {problem}" for problem in _module_problems(module)]
    return found


def _module_problems(module: Module) -> list[str]:
    name = module.name
    found = []
    if module.folder.name != name:
        found.append(f"is in a folder {module.folder.name}")
    if not re.search(
        rf"^public class {name} : ModuleRules$", module.text, re.MULTILINE
    ):
        found.append("its Build.cs has no class of its name")
    if module.is_external:
        if module.files(".cpp"):
            found.append("an External module has sources")
        return found
    folders = {path.name for path in module.folder.iterdir() if path.is_dir()}
    if not folders <= {"Public", "Private"}:
        found.append("has folders beside Public and Private")
    sources = "".join(path.read_text("utf-8") for path in module.files(".cpp"))
    implemented = re.findall(r"^IMPLEMENT_MODULE\(\w+, (\w+)\)", sources, re.MULTILINE)
    if implemented != [name]:
        found.append(f"implements {implemented}")
    for path in module.files(".h"):
        for macro in re.findall(r"\b([A-Z]+)_API\b", path.read_text("utf-8")):
            if macro != name.upper():
                found.append(f"{path.name} exports with {macro}_API")
    return found


def dependency_problems(plugin: Path) -> list[str]:
    types = {each["Name"]: each["Type"] for each in read_descriptor(plugin)["Modules"]}
    present = modules(plugin)
    found = []
    for name, module in present.items():
        private = module.dependencies("Private")
        named = module.dependencies("Public") | private
        unknown = named - ENGINE_MODULES - set(present)
        found += [f"{name} depends on {other}, unknown" for other in sorted(unknown)]
        if types.get(name) not in NOT_IN_GAMES:
            absent = {each for each in named if types.get(each) in NOT_IN_GAMES}
            found += [
                f"{name} depends on {other}, which games do not have"
                for other in sorted(absent | named & EDITOR_MODULES)
            ]
        found += _include_problems(module, named, present)
    return found


def _include_problems(
    module: Module, named: set[str], present: dict[str, Module]
) -> list[str]:
    """Headers whose modules the rules do not name; of public ones, not as Public."""
    public = module.dependencies("Public")
    found = []
    for path in module.files(".h", ".cpp"):
        is_public = (module.folder / "Public") in path.parents
        for header in includes(path):
            if header.endswith(".generated.h"):
                continue
            owner = _owner(header, present)
            wanted = public if is_public else named
            if owner is None:
                found.append(f"{path.name} includes {header}, of no known module")
            elif owner != module.name and owner not in wanted:
                kind = "Public " if is_public else ""
                found.append(
                    f"{path.name} includes {header}: "
                    f"{module.name} lacks {kind}dependency {owner}"
                )
    return found


def includes(path: Path) -> list[str]:
    return re.findall(r'^#include "([^"]+)"', path.read_text("utf-8"), re.MULTILINE)


def _owner(header: str, present: dict[str, Module]) -> str | None:
    if header == "talefold/talefold.h":
        return "TalefoldLibrary"
    for name, module in present.items():
        if any((module.folder / each / header).is_file() for each in VISIBILITIES):
            return name
    fitting = [begin for begin in ENGINE_HEADERS if header.startswith(begin)]
    return ENGINE_HEADERS[max(fitting, key=len)] if fitting else None


VISIBILITIES = ("Public", "Private")


def export_problems(plugin: Path) -> list[str]:
    """Private classes that another module uses, but its linker does not see.

    Only with the editor are modules libraries of their own, so a game links all the
    same. The stand-in for the engine links everything into one program.
    """
    present = modules(plugin)
    found = []
    for module in present.values():
        for other in present.values():
            if other is module or not module.uses_private_of(other.name):
                continue
            for path in module.files(".h", ".cpp"):
                for header in includes(path):
                    private = other.folder / "Private" / header
                    if private.is_file() and not _exports(private, other):
                        found.append(
                            f"{path.name} uses {header}, which exports nothing"
                        )
    return found


def _exports(header: Path, module: Module) -> bool:
    return f"{module.name.upper()}_API" in header.read_text("utf-8")
