"""The Build.cs files, compiled and run on a stand-in for Unreal's build tool."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from native_build import ROOT

from .build_rules import (
    CONFIGURATIONS,
    PLATFORMS,
    STAGED,
    TARGET_TYPES,
    RulesError,
    library_rules,
    rules_problems,
    run_rules,
    text_problems,
)
from .contents import HEADER, LIBRARY
from .modules import modules

PLUGIN = ROOT / "unreal_plugin" / "Talefold"
LIBRARY_RULES = "Source/ThirdParty/TalefoldLibrary/TalefoldLibrary.Build.cs"
TARGETS = len(PLATFORMS) * len(TARGET_TYPES) * len(CONFIGURATIONS)


def test_they_do_nothing_that_depends_on_the_machine() -> None:
    assert text_problems(PLUGIN) == []


@pytest.mark.parametrize("is_staged", [True, False], ids=["staged", "checkout"])
def test_they_run_for_every_target(
    is_staged: bool, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    plugin: Path = request.getfixturevalue("staged") if is_staged else PLUGIN

    results = run_rules(plugin, tmp_path)

    assert len(results) == TARGETS * len(modules(plugin))
    assert rules_problems(plugin, results) == []


# Where there is a library for the platform, where there could be one, where not.
SAID = {
    "Linux": "",
    "Win64": "talefold_rt.dll; characters will not talk\n",
    "Mac": "there is no native library for Mac; characters will not talk\n",
}


@pytest.mark.parametrize("platform", PLATFORMS)
def test_a_library_is_staged_where_it_is(
    platform: str, staged: Path, tmp_path: Path
) -> None:
    rules = library_rules(run_rules(staged, tmp_path), platform)

    assert len(rules) == TARGETS // len(PLATFORMS)
    has_library = platform == "Linux"
    for each in rules:
        names = {Path(file["Path"]).name for file in each["RuntimeDependencies"]}
        assert names == (STAGED[platform] if has_library else set())
        assert each["Said"].endswith(SAID[platform])
        assert bool(each["Said"]) == bool(SAID[platform])


def test_a_checkout_has_no_library_and_says_what_to_do(tmp_path: Path) -> None:
    for each in library_rules(run_rules(PLUGIN, tmp_path), "Linux"):
        assert each["RuntimeDependencies"] == []
        assert "talefold stage-unreal" in each["Said"]
        assert "libtalefold_rt.so; characters will not talk" in each["Said"]


def test_a_library_of_windows_would_be_staged(staged: Path, tmp_path: Path) -> None:
    """Nobody builds one yet; the rules wait for it."""
    folder = staged / "Binaries/ThirdParty/TalefoldLibrary/Win64"
    folder.mkdir()
    for name in STAGED["Win64"]:
        (folder / name).write_bytes(b"MZ")

    results = run_rules(staged, tmp_path)

    assert rules_problems(staged, results) == []
    (first, *_) = library_rules(results, "Win64")
    assert {Path(file["Path"]) for file in first["RuntimeDependencies"]} == {
        folder / name for name in STAGED["Win64"]
    }


def test_a_missing_version_file_is_not_staged(staged: Path, tmp_path: Path) -> None:
    (staged / LIBRARY).with_name("VERSION.json").unlink()

    results = run_rules(staged, tmp_path)

    assert rules_problems(staged, results) == []
    (first, *_) = library_rules(results, "Linux")
    assert len(first["RuntimeDependencies"]) == 1


def test_the_header_is_found_as_the_sources_include_it(
    staged: Path, tmp_path: Path
) -> None:
    (rules, *_) = library_rules(run_rules(staged, tmp_path), "Linux")

    (folder,) = rules["PublicSystemIncludePaths"]
    assert Path(folder, "talefold/talefold.h") == staged / HEADER


def test_they_do_not_depend_on_kind_and_configuration(
    staged: Path, tmp_path: Path
) -> None:
    """A game that is packaged gets what the editor had."""
    seen: dict[tuple[str, str], dict[str, Any]] = {}
    for rules in run_rules(staged, tmp_path):
        del rules["TargetType"], rules["Configuration"]
        key = rules["Module"], rules["Platform"]
        assert seen.setdefault(key, rules) == rules


@pytest.mark.parametrize("engine", ["5.6", "6.0"])
def test_newer_engines_are_taken(engine: str, tmp_path: Path) -> None:
    assert rules_problems(PLUGIN, run_rules(PLUGIN, tmp_path, engine)) == []


@pytest.mark.parametrize("engine", ["4.27", "5.4"])
def test_an_engine_that_is_too_old_is_told(engine: str, tmp_path: Path) -> None:
    (first, *_) = library_rules(run_rules(PLUGIN, tmp_path, engine), "Linux")
    assert first["Error"] == (
        f"Talefold needs Unreal Engine 5.5 or newer; this is {engine}"
    )


# What is replaced in the rules of the library by what, and what must be said of that.
ANYWHERE = "string IncludePath ="
WRONG_RULES = {
    "a file that does not exist": (
        'Path.Combine(Folder, "VERSION.json");',
        'Path.Combine(Folder, "VERSION.txt"); RuntimeDependencies.Add(Version);',
        "which does not exist",
    ),
    "a file in an archive": (
        "RuntimeDependencies.Add(Library, StagedFileType.NonUFS)",
        "RuntimeDependencies.Add(Library, StagedFileType.UFS)",
        "as UFS",
    ),
    "a file of nobody": (
        "RuntimeDependencies.Add(Library, StagedFileType.NonUFS);",
        "RuntimeDependencies.Add(Library, StagedFileType.NonUFS);"
        ' RuntimeDependencies.Add(Path.Combine(PluginDirectory, "LICENSE"));',
        "stages LICENSE",
    ),
    "a file that the build copies": (
        "RuntimeDependencies.Add(Library, StagedFileType.NonUFS)",
        'RuntimeDependencies.Add("$(BinaryOutputDir)/" + FileName, Library)',
        "outside of the plugin",
    ),
    "a library that is linked": (
        ANYWHERE,
        f'PublicAdditionalLibraries.Add("libtalefold_rt.so"); {ANYWHERE}',
        "PublicAdditionalLibraries has libtalefold_rt.so",
    ),
    "a definition that nothing reads": (
        ANYWHERE,
        f'PublicDefinitions.Add("WITH_TALEFOLD=1"); {ANYWHERE}',
        "defines WITH_TALEFOLD, which no source reads",
    ),
    "exceptions": (ANYWHERE, f"bEnableExceptions = true; {ANYWHERE}", "bEnableExcept"),
    "a platform that stops": (
        ANYWHERE,
        f"if (Target.Platform == UnrealTargetPlatform.Mac) {{ throw new "
        f'Exception("no Mac"); }} {ANYWHERE}',
        "Mac Game: fails: no Mac",
    ),
    "a class of another name": (
        "class TalefoldLibrary : ModuleRules\n{\n\tpublic TalefoldLibrary(",
        "class Library : ModuleRules\n{\n\tpublic Library(",
        "no class TalefoldLibrary",
    ),
}


@pytest.mark.parametrize(("old", "new", "said"), WRONG_RULES.values(), ids=WRONG_RULES)
def test_wrong_rules_are_caught(
    old: str, new: str, said: str, staged: Path, tmp_path: Path
) -> None:
    change_rules(staged, old, new)

    found = rules_problems(staged, run_rules(staged, tmp_path))

    assert said in "\n".join(found)


RULES_THAT_DO_NOT_COMPILE = {
    "an unknown property": ("bEnableExcpetions = false;", "bEnableExcpetions"),
    "a property of Unreal 4": ('Definitions.Add("A=1");', "Definitions"),
    "a platform in a switch": (
        "switch (Target.Platform) { case UnrealTargetPlatform.Linux: break; }",
        "error CS",
    ),
    "a property for reading": ('PluginDirectory = "/";', "PluginDirectory"),
    "a newer C#": ('string Kind = Target.Platform switch { _ => "a" };', "error CS"),
}


@pytest.mark.parametrize(
    ("code", "said"), RULES_THAT_DO_NOT_COMPILE.values(), ids=RULES_THAT_DO_NOT_COMPILE
)
def test_rules_that_the_build_tool_would_refuse_do_not_compile(
    code: str, said: str, staged: Path, tmp_path: Path
) -> None:
    change_rules(staged, ANYWHERE, f"{code} {ANYWHERE}")

    with pytest.raises(RulesError, match=said):
        run_rules(staged, tmp_path)


RULES_OF_ONE_MACHINE = {
    "environment": 'string Home = Environment.GetEnvironmentVariable("HOME");',
    "write": 'File.Delete("talefold_rt.dll");',
    "folder": 'foreach (string Each in Directory.GetFiles(".")) {}',
    "program": 'System.Diagnostics.Process.Start("cmake");',
    "clock": "var Now = DateTime.Now;",
}


@pytest.mark.parametrize(
    "code", RULES_OF_ONE_MACHINE.values(), ids=RULES_OF_ONE_MACHINE
)
def test_rules_that_depend_on_the_machine_are_caught(code: str, tmp_path: Path) -> None:
    plugin = shutil.copytree(PLUGIN, tmp_path / "Talefold")
    change_rules(plugin, ANYWHERE, f"{code} {ANYWHERE}")

    (problem,) = text_problems(plugin)
    assert problem.startswith("TalefoldLibrary.Build.cs uses ")


def change_rules(plugin: Path, old: str, new: str) -> None:
    path = plugin / LIBRARY_RULES
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")
