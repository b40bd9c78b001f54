"""`talefold history` and `talefold replay --memory`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from talefold import ArchiveParams, Engine, GraphDescription, SceneSettings
from talefold.cli import app

LINES = [
    {"kind": "presence", "activate": ["Ann", "Bob"]},
    {"kind": "character", "speaker": "Ann", "text": "I have come a long way today."},
    {"kind": "character", "speaker": "Bob", "text": "Sit down by the fire, then."},
    {"kind": "time_passage", "duration": "PT2H"},
    {"kind": "character", "speaker": "Ann", "text": "It is late."},
    {"kind": "character", "speaker": "Bob", "text": "Good night."},
]


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(each) for each in arguments])


@pytest.fixture
def play(tmp_path: Path) -> Path:
    path = tmp_path / "play.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in LINES), "utf-8")
    return path


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """A scene of one summary and one backstory."""
    with Engine() as engine:
        engine.load_scripted_model("mock", replies=[])
        graph = (
            GraphDescription()
            .add_node("archive", ArchiveParams())
            .set_start_node("archive")
        )
        scene = engine.create_scene(
            memory_graph=graph, run_inline=True, settings=SceneSettings(format="chat")
        )
        scene.add_backstory("The war \x1b[31mended.", "P10D")
        scene.import_transcript("\n".join(json.dumps(each) for each in LINES))
        scene.save(tmp_path / "scene.json")
    return tmp_path / "scene.json"


def test_all_entries_are_shown(saved: Path) -> None:
    result = run("history", saved)

    assert result.exit_code == 0
    assert "#1, 10 days ago [is_static]" in result.stdout
    assert "#2, 2 hours ago, messages 1 to 2 [verbatim]" in result.stdout
    assert "    Ann: I have come a long way today." in result.stdout
    assert "5 messages, clock P10DT2H" in result.stdout


def test_entries_do_not_steer_the_terminal(saved: Path) -> None:
    assert "\x1b" not in run("history", saved).stdout


def test_statistics_are_a_table(saved: Path) -> None:
    result = run("history", saved, "stats")

    assert result.exit_code == 0
    assert "2 messages" in result.stdout


def test_the_sources_of_an_entry_are_shown(saved: Path) -> None:
    result = run("history", saved, "inspect", 2)

    assert result.exit_code == 0
    assert "#1 character\n    Ann: I have come a long way today." in result.stdout
    assert "entry 1 has no sources" in run("history", saved, "inspect", 1).stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("inspect",), "inspect needs the id of an entry; there are: 1, 2"),
        (("inspect", 9), "no entry 9"),
    ],
)
def test_a_wrong_id_is_an_error(
    saved: Path, arguments: tuple[Any, ...], message: str
) -> None:
    result = run("history", saved, *arguments)

    assert result.exit_code == 1
    assert message in result.stderr


def test_a_file_that_is_no_scene_is_an_error(play: Path, tmp_path: Path) -> None:
    assert run("history", play).exit_code == 1
    assert run("history", tmp_path / "missing.json").exit_code == 2


def test_a_replay_of_the_memory_reports_the_layers(play: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.json"

    result = run("replay", play, "--memory", "--scripted", "--report", report)

    assert result.exit_code == 0, result.output
    found = json.loads(report.read_text("utf-8"))
    assert found["messages"] == 5
    assert found["clock"] == "PT2H"
    assert found["failures"] == []
    assert found["layers"][0]["count"] == 1
    assert found["over_time"][0]["line"] == 5
    assert found["entries"][0]["verbatim"]


def test_a_bad_line_is_named_by_file_and_number(play: Path) -> None:
    with play.open("a", encoding="utf-8") as file:
        file.write('{"kind": "song"}\n')

    result = run("replay", play, "--memory", "--scripted")

    assert result.exit_code == 1
    assert f"{play}:7: unknown kind 'song'" in result.stderr.replace("\n", "")
