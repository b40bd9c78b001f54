"""Params and error codes of the plugin are those of the core."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from talefold._generate import descriptors

ROOT = Path(__file__).parents[2]
HEADER = ROOT / "unreal_plugin/Talefold/Source/Talefold/Public/Generated"


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
