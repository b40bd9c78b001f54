"""Runs the Build.cs files on a stand-in for the build tool, ubt_stub."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from .modules import EDITOR_MODULES

STUB = Path(__file__).with_name("ubt_stub")
PLATFORMS = ("Linux", "Win64", "Mac")
TARGET_TYPES = ("Editor", "Game", "Server")
CONFIGURATIONS = ("Development", "Shipping")
# What the rules stage: they read nothing else, and write nothing.
STAGED = {
    "Linux": {"libtalefold_rt.so", "VERSION.json"},
    "Win64": {"talefold_rt.dll", "VERSION.json"},
}
FORBIDDEN = {
    "the environment": r"\bEnvironment\b",
    "more of files than Exists": r"\bFile\.(?!Exists\()|\bDirectory\b|(Info|Stream)\b",
    "other programs": r"\bProcess\b",
    "the network": r"\b(Http|Web)Client\b|System\.Net\b",
    "the clock or the machine": r"\bDateTime\b|\bRuntimeInformation\b|\bRegistry\b",
}  # fmt: skip


class RulesError(Exception):
    """What the compiler said."""


def run_rules(plugin: Path, folder: Path, engine: str = "5.5") -> list[dict[str, Any]]:
    """The rules of all modules for all targets."""
    compiler, runtime = shutil.which("mcs"), shutil.which("mono")
    if compiler is None or runtime is None:
        pytest.skip("no mcs and mono, of the packages mono-mcs and mono-runtime")
    program = folder / "rules.exe"
    sources = [*sorted(STUB.glob("*.cs")), *sorted(plugin.rglob("*.Build.cs"))]
    compiled = subprocess.run(
        [compiler, "-langversion:7", "-warnaserror", f"-out:{program}", *sources],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    if compiled.returncode != 0:
        raise RulesError(compiled.stdout + compiled.stderr)
    ran = subprocess.run(
        [runtime, program, plugin, engine], capture_output=True, timeout=120, check=True
    )
    results: list[dict[str, Any]] = json.loads(ran.stdout)
    return results


def library_rules(results: list[dict[str, Any]], platform: str) -> list[dict[str, Any]]:
    return [
        each
        for each in results
        if each["Module"] == "TalefoldLibrary" and each["Platform"] == platform
    ]


def rules_problems(plugin: Path, results: list[dict[str, Any]]) -> list[str]:
    return [
        f"{each['Module']} {each['Platform']} {each['TargetType']}: {problem}"
        for each in results
        for problem in _target_problems(plugin, each)
    ]


def _target_problems(plugin: Path, rules: dict[str, Any]) -> list[str]:
    if "Error" in rules:
        return [f"fails: {rules['Error']}"]
    found = []
    for staged in rules["RuntimeDependencies"]:
        path = Path(staged["Path"])
        if not path.is_file():
            found.append(f"stages {path}, which does not exist")
        if staged["Type"] != "NonUFS":
            found.append(f"stages {path.name} as {staged['Type']}")
        if path.name not in STAGED.get(rules["Platform"], set()):
            found.append(f"stages {path.name}")
        if plugin not in path.parents or staged["SourcePath"] is not None:
            found.append(f"stages {path} to or from outside of the plugin")
    for kind in LINKED:
        found += [f"{kind} has {each}" for each in rules[kind]]
    for kind in ("bEnableExceptions", "bUseRTTI"):
        found += [f"sets {kind}"] if rules[kind] else []
    for definition in rules["PublicDefinitions"]:
        name = definition.partition("=")[0]
        if not _is_read(plugin, name):
            found.append(f"defines {name}, which no source reads")
    dependencies = {*rules["PublicDependencyModuleNames"]}
    dependencies |= {*rules["PrivateDependencyModuleNames"]}
    if dependencies & EDITOR_MODULES and rules["Module"] != "TalefoldEditor":
        found.append("depends on the editor")
    return found


def _is_read(plugin: Path, name: str) -> bool:
    sources = [*plugin.rglob("*.h"), *plugin.rglob("*.cpp")]
    return any(name in path.read_text("utf-8") for path in sources)


# Nothing is resolved by linkers: the library is opened at run time.
LINKED = (
    "PublicAdditionalLibraries",
    "PublicRuntimeLibraryPaths",
    "PublicDelayLoadDLLs",
    "DynamicallyLoadedModuleNames",
)


def text_problems(plugin: Path) -> list[str]:
    """Calls that make a build depend on the machine it runs on."""
    found = []
    for path in sorted(plugin.rglob("*.Build.cs")):
        code = re.sub(r'//.*|"(\\.|[^"\\])*"', "", path.read_text("utf-8"))
        for what, pattern in FORBIDDEN.items():
            if re.search(pattern, code):
                found.append(f"{path.name} uses {what}")
    return found
