"""`talefold stage-unreal`: what it writes, what it replaces, and what it refuses."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from native_build import ROOT

from .conftest import LIBRARY as LIBRARY_CODE
from .conftest import Stage, write_facts
from .contents import (
    HEADER,
    LIBRARY,
    VERSION,
    content_problems,
    files_of,
    license_problems,
    sha256,
    sum_problems,
)


def contents(folder: Path) -> dict[str, bytes]:
    return {name: path.read_bytes() for name, path in files_of(folder).items()}


# What it writes.


def test_the_folder_is_complete_and_nothing_else(
    staged: Path, checkout: Path, tmp_path: Path
) -> None:
    assert content_problems(staged, ROOT, checkout, tmp_path, Path.home()) == []
    assert sum_problems(staged) == []
    assert license_problems(staged) == []


def test_the_sources_are_those_of_the_checkout(staged: Path) -> None:
    plugin = contents(ROOT / "unreal_plugin/Talefold")
    written = contents(staged)

    assert {name: written[name] for name in plugin} == plugin
    assert written[HEADER] == (ROOT / "cpp/include/talefold/talefold.h").read_bytes()
    assert written["LICENSE"] == (ROOT / "LICENSE").read_bytes()


def test_library_and_facts_are_those_of_the_build(staged: Path, output: Path) -> None:
    facts = json.loads((staged / VERSION).read_text("utf-8"))

    assert sha256(staged / LIBRARY) == facts["sha256"]
    assert facts == json.loads((output / "VERSION.json").read_text("utf-8"))


def test_the_same_inputs_give_the_same_bytes(
    staged: Path, stage: Stage, tmp_path: Path
) -> None:
    stage(tmp_path / "elsewhere")

    assert contents(tmp_path / "elsewhere/Talefold") == contents(staged)


def test_nothing_is_left_beside_it(staged: Path) -> None:
    assert list(staged.parent.iterdir()) == [staged]


def test_it_says_what_it_wrote(stage: Stage, output: Path, plugins: Path) -> None:
    result = stage(plugins)

    assert result.stdout.startswith(f"{plugins / 'Talefold'}: version 0.1.0, for Linux")
    assert result.stderr == ""


@pytest.mark.parametrize("name", ["", "libtalefold_rt.so"], ids=["folder", "file"])
def test_another_library_is_named(
    name: str, stage: Stage, output: Path, plugins: Path, tmp_path: Path
) -> None:
    output.rename(tmp_path / "other")

    assert stage(plugins, "--library", tmp_path / "other" / name).exit_code == 0
    assert sum_problems(plugins / "Talefold") == []


def test_it_runs_anywhere_in_a_checkout_or_with_its_name(
    stage: Stage, output: Path, checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(checkout / "cpp")
    assert stage("made").exit_code == 0

    monkeypatch.chdir(checkout.parent)
    assert stage("made", "--source", checkout).exit_code == 0
    assert contents(Path("made")) == contents(checkout / "cpp/made")


def test_what_tools_leave_in_the_plugin_stays_out(
    stage: Stage, output: Path, checkout: Path, plugins: Path
) -> None:
    plugin = checkout / "unreal_plugin/Talefold"
    for name in ("Intermediate/Build/a.o", "Binaries/Linux/a.so", ".idea/a.xml"):
        (plugin / name).parent.mkdir(parents=True)
        (plugin / name).write_text("left")
    (plugin / "Source/.DS_Store").write_text("left")

    assert stage(plugins).exit_code == 0
    assert content_problems(plugins / "Talefold") == []


def test_a_development_library_is_marked(
    stage: Stage, checkout: Path, plugins: Path, tmp_path: Path
) -> None:
    library = tmp_path / "libtalefold_rt.so"
    library.write_bytes(LIBRARY_CODE)

    result = stage(plugins, "--dev", "--library", library)

    assert result.exit_code == 0
    assert result.stderr == "a development library: do not ship it\n"
    facts = json.loads((plugins / "Talefold" / VERSION).read_text("utf-8"))
    assert facts == {
        "bytes": len(LIBRARY_CODE),
        "file": "libtalefold_rt.so",
        "portable": False,
        "sha256": sha256(library),
    }
    assert content_problems(plugins / "Talefold", tmp_path) == []
    assert sum_problems(plugins / "Talefold") == []
    assert license_problems(plugins / "Talefold") == []


# What it replaces.


def built_by_unreal(folder: Path) -> None:
    for name in ("Binaries/Linux/libUnrealEditor-Talefold.so", "Intermediate/a.json"):
        (folder / name).parent.mkdir(parents=True)
        (folder / name).write_text("built")


def removed_in_part(folder: Path) -> None:
    shutil.rmtree(folder / "Source")


def as_it_was(folder: Path) -> None:
    pass


@pytest.mark.parametrize("happened", [as_it_was, built_by_unreal, removed_in_part])
def test_what_nobody_changed_is_replaced(
    happened: Callable[[Path], None],
    staged: Path,
    stage: Stage,
    checkout: Path,
) -> None:
    happened(staged)
    (checkout / "LICENSE").write_text("newer\n", "utf-8")

    assert stage(staged.parent).exit_code == 0
    assert (staged / "LICENSE").read_text("utf-8") == "newer\n"
    assert sum_problems(staged) == []
    assert list(staged.parent.iterdir()) == [staged]


def changed(folder: Path) -> None:
    (folder / "Talefold.uplugin").write_text("{}")


def changed_by_a_bit(folder: Path) -> None:
    code = bytearray((folder / LIBRARY).read_bytes())
    code[-1] ^= 1
    (folder / LIBRARY).write_bytes(code)


def added(folder: Path) -> None:
    (folder / "Content").mkdir()
    (folder / "Content/Edric.uasset").write_text("a week's work")


def another_library(folder: Path) -> None:
    name = "Binaries/ThirdParty/TalefoldLibrary/Win64/talefold_rt.dll"
    (folder / name).parent.mkdir()
    (folder / name).write_text("built by hand")


def swapped_for_a_link(folder: Path) -> None:
    (folder / "LICENSE").rename(folder.parent / "LICENSE")
    (folder / "LICENSE").symlink_to(folder.parent / "LICENSE")


def without_sums(folder: Path) -> None:
    (folder / "SHA256SUMS").unlink()


def with_broken_sums(folder: Path) -> None:
    (folder / "SHA256SUMS").write_bytes(b"\xff\n\n")


def another_plugin(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.mkdir()
    (folder / "Talefold.uplugin").write_text("{}")


def a_file(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.write_text("notes")


def a_link(folder: Path) -> None:
    folder.rename(folder.parent / "elsewhere")
    folder.symlink_to(folder.parent / "elsewhere")


def a_link_to_nothing(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.symlink_to(folder.parent / "nowhere")


NOT_OURS = "was not written by this command"
FOREIGN = {
    changed: "was changed since it was written: Talefold.uplugin\n",
    changed_by_a_bit: f"was changed since it was written: {LIBRARY}\n",
    added: "was changed since it was written: Content/Edric.uasset\n",
    another_library: "TalefoldLibrary/Win64/talefold_rt.dll\n",
    swapped_for_a_link: "was changed since it was written: LICENSE\n",
    without_sums: NOT_OURS,
    with_broken_sums: "Config/FilterPlugin.ini, LICENSE, README.md and ",
    another_plugin: NOT_OURS,
    a_file: NOT_OURS,
    a_link: NOT_OURS,
    a_link_to_nothing: NOT_OURS,
}


@pytest.mark.parametrize(("happened", "said"), FOREIGN.items())
def test_what_somebody_made_is_kept(
    happened: Callable[[Path], None], said: str, staged: Path, stage: Stage
) -> None:
    happened(staged)
    before = sorted(staged.parent.rglob("*")), sha_of_all(staged.parent)

    result = stage(staged.parent)

    assert result.exit_code == 1
    assert said in result.stderr
    assert "\n  hint: " in result.stderr
    assert (sorted(staged.parent.rglob("*")), sha_of_all(staged.parent)) == before


def sha_of_all(folder: Path) -> dict[str, str]:
    return {
        name: sha256(path) for name, path in files_of(folder).items() if path.is_file()
    }


# What it refuses.


def no_library(output: Path) -> None:
    shutil.rmtree(output)


def no_facts(output: Path) -> None:
    (output / "VERSION.json").unlink()


def broken_facts(output: Path) -> None:
    (output / "VERSION.json").write_text('{"portable": tr')


def a_list_of_facts(output: Path) -> None:
    (output / "VERSION.json").write_text("[]")


def a_development_build(output: Path) -> None:
    write_facts(output, portable=False)


def another_version(output: Path) -> None:
    write_facts(output, talefold="0.0.9")


def another_file(output: Path) -> None:
    write_facts(output, sha256="00")


def another_header(output: Path) -> None:
    with (output / "talefold.h").open("a") as file:
        file.write("/* older */\n")


def another_name(output: Path) -> None:
    (output / "libtalefold_rt.so").rename(output / "libtalefold_rt.so.1")


def a_pointer(output: Path) -> None:
    (output / "libtalefold_rt.so").write_text("version https://git-lfs.github.com/v1\n")


def an_empty_file(output: Path) -> None:
    (output / "libtalefold_rt.so").write_bytes(b"")


def another_machine(output: Path) -> None:
    arm = LIBRARY_CODE[:18] + b"\xb7" + LIBRARY_CODE[19:]
    (output / "libtalefold_rt.so").write_bytes(arm)


UNFIT = {
    no_library: "there is no library in ",
    no_facts: "is not a portable build",
    broken_facts: "is not a portable build",
    a_list_of_facts: "is not a portable build",
    a_development_build: "is not a portable build",
    another_version: "is of version 0.0.9, the plugin of 0.1.0",
    another_file: "is not the file of its VERSION.json",
    another_header: "was built with another header than ",
    another_name: "there is no library in ",
    a_pointer: "is not a library for Linux",
    an_empty_file: "is not a library for Linux",
    another_machine: "is not a library for Linux",
}


@pytest.mark.parametrize(("happened", "said"), UNFIT.items())
@pytest.mark.parametrize("is_there", [True, False], ids=["again", "first"])
def test_an_unfit_library_changes_nothing(
    happened: Callable[[Path], None],
    said: str,
    is_there: bool,
    stage: Stage,
    output: Path,
    checkout: Path,
    plugins: Path,
) -> None:
    if is_there:
        stage(plugins)
    before = contents(plugins)
    happened(output)

    result = stage(plugins)

    assert result.exit_code == 1
    assert said in result.stderr
    assert f"  hint: build it: python {checkout / 'scripts'}" in result.stderr
    assert contents(plugins) == before


# Arguments behind DEST, and what must be said.
WRONG_ARGUMENTS = {
    "dev without a library": (["--dev"], "--dev needs --library"),
    "a library that is not there": (["--library", "gone.so"], "no library in gone.so"),
    "a library of another name": (["--library", "LICENSE"], "has not one of the names"),
    "a source that is no checkout": (["--source", "cpp"], "is not in a checkout"),
}


@pytest.mark.parametrize(
    ("arguments", "said"), WRONG_ARGUMENTS.values(), ids=WRONG_ARGUMENTS
)
def test_wrong_arguments_change_nothing(
    arguments: list[str], said: str, stage: Stage, output: Path, plugins: Path
) -> None:
    result = stage(plugins, *arguments)

    assert result.exit_code == 1
    assert said in result.stderr
    assert list(plugins.iterdir()) == []


def test_it_needs_a_checkout(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An installed package has no plugin in it, and says where one is."""
    monkeypatch.chdir(tmp_path)

    result = stage("plugins")

    assert result.exit_code == 1
    assert "is not in a checkout of Talefold" in result.stderr
    assert "git clone" in result.stderr


@pytest.mark.parametrize("name", ["Content/Edric.uasset", "Source/a.orig", "notes.txt"])
def test_an_unknown_file_of_the_plugin_is_neither_shipped_nor_lost(
    name: str, stage: Stage, output: Path, checkout: Path, plugins: Path
) -> None:
    path = checkout / "unreal_plugin/Talefold" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text("?")

    result = stage(plugins)

    assert result.exit_code == 1
    assert name in result.stderr
    assert list(plugins.iterdir()) == []


# Failures on the way.


def disk_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    fail_late(monkeypatch, OSError(28, "No space left on device", "LICENSE"))


def interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    fail_late(monkeypatch, KeyboardInterrupt())


def fail_late(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    """When most of the new folder is written."""
    copy = shutil.copyfile

    def fail(source: Path, target: Path) -> Path:
        if source.name == "LICENSE":
            raise error
        return copy(source, target)

    monkeypatch.setattr("shutil.copyfile", fail)


def refuses_the_new_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    rename = Path.rename

    def fail(path: Path, target: Path) -> Path:
        if path.name == "new":
            raise OSError(13, "Permission denied", str(target))
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", fail)


@pytest.mark.parametrize("fails", [disk_is_full, interrupted, refuses_the_new_folder])
def test_a_failure_keeps_what_was_there(
    fails: Callable[[pytest.MonkeyPatch], None],
    staged: Path,
    stage: Stage,
    checkout: Path,
) -> None:
    before = contents(staged)
    (checkout / "LICENSE").write_text("newer\n", "utf-8")

    with pytest.MonkeyPatch.context() as patch:
        fails(patch)
        result = stage(staged.parent)

    assert result.exit_code not in (0, None)
    assert contents(staged) == before
    assert list(staged.parent.iterdir()) == [staged]
