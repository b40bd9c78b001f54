"""What tests of `talefold bench` share."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from talefold.bench.report import Report
from talefold.cli import app


def bench(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["bench", *(str(each) for each in arguments)])


def measured(*arguments: str | Path) -> dict[str, Any]:
    result = bench(*arguments, "--json")
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    assert set(report) == {
        "benchmark", "settings", "figures", "bars", "notes", "charts", "machine",
    }  # fmt: skip
    assert report["benchmark"] == arguments[0]
    assert report["machine"]["versions"]["llama-cpp-python"]
    for figure in report["figures"]:
        if figure["samples"]:
            assert figure["min"] <= figure["median"] <= figure["max"]
    return report


def bars(report: dict[str, Any]) -> dict[str, Any]:
    return {bar["name"]: bar for bar in report["bars"]}


def bars_met(report: Report) -> list[bool | None]:
    return [bar.met for bar in report.bars]


def samples(report: dict[str, Any], name: str) -> list[float]:
    (found,) = (each["samples"] for each in report["figures"] if each["name"] == name)
    return found


def hide(monkeypatch: pytest.MonkeyPatch, package: str) -> None:
    """Makes a package look as if it were not installed."""
    find = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util,
        "find_spec",
        lambda name, *rest: None if name == package else find(name, *rest),
    )
