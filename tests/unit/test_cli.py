from __future__ import annotations

import json
import subprocess
import sysconfig
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import talefold
from talefold import GenerateParams, GraphDescription, SummarizeParams, _core
from talefold.cli import app


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture
def good(tmp_path: Path) -> Path:
    path = tmp_path / "good.json"
    GraphDescription().add_node("a", GenerateParams()).set_start_node("a").save(path)
    return path


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    path = tmp_path / "bad.json"
    path.write_text(
        json.dumps(
            {
                "format": "talefold-graph",
                "version": 1,
                "start_node": "a",
                "nodes": [
                    {"name": "a", "type": "Generate", "params": {"contxt_size": 1}},
                ],
            }
        )
    )
    return path


def test_a_good_file_is_ok(good: Path) -> None:
    result = run("validate", good)

    assert result.exit_code == 0
    assert result.stdout == f"{good}: ok\n"


def test_problems_are_printed_with_their_place_and_hint(bad: Path) -> None:
    result = run("validate", bad)

    assert result.exit_code == 1
    first, hint = result.stdout.splitlines()
    assert first.startswith(f"{bad}: error: node 'a', field 'contxt_size': ")
    assert hint.startswith("  hint: did you mean ")


def test_warnings_alone_are_no_failure(tmp_path: Path) -> None:
    path = tmp_path / "island.json"
    graph = GraphDescription().add_node("a", GenerateParams())
    graph.add_node("island", SummarizeParams()).set_start_node("a").save(path)

    result = run("validate", path)

    assert result.exit_code == 0
    assert result.stdout.startswith(f"{path}: warning: node 'island' ")


def test_an_unreadable_file_is_exit_code_2(tmp_path: Path, good: Path) -> None:
    missing = tmp_path / "missing.json"

    result = run("validate", missing, good)

    assert result.exit_code == 2
    assert "cannot be read" in result.stderr
    assert str(missing) in result.stderr
    assert result.stdout == f"{good}: ok\n"


def test_a_file_of_another_encoding_is_exit_code_2(tmp_path: Path) -> None:
    path = tmp_path / "latin.json"
    path.write_bytes(b"\xff")

    result = run("validate", path)

    assert result.exit_code == 2
    assert "not UTF-8" in result.stderr


def test_text_that_is_no_json_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "text.json"
    path.write_text("Once upon a time")

    result = run("validate", path)

    assert result.exit_code == 1
    assert result.stdout.startswith(f"{path}: error: ")


def test_validate_needs_a_file() -> None:
    result = run("validate")

    assert result.exit_code == 2
    assert "FILE" in result.stderr


def test_the_schema_is_printed() -> None:
    result = run("schema")

    assert result.exit_code == 0
    schema = json.loads(result.stdout)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"


def test_the_descriptors_are_printed() -> None:
    result = run("schema", "--descriptors")

    assert json.loads(result.stdout) == json.loads(_core.descriptors_json())


def test_the_version_is_printed() -> None:
    assert run("--version").stdout == f"talefold {talefold.__version__}\n"


def test_the_command_is_installed(bad: Path) -> None:
    command = Path(sysconfig.get_path("scripts")) / "talefold"

    done = subprocess.run(
        [command, "validate", bad], capture_output=True, text=True, check=False
    )

    assert done.returncode == 1
    assert done.stdout.startswith(f"{bad}: error: node 'a', field 'contxt_size': ")
    assert done.stderr == ""
