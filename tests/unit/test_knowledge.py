"""Knowledge bases of an engine: where they come from, and what is found in them."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support import raises_code
from talefold import Engine, ErrorCode

CONFIG: dict[str, Any] = {
    "version": 1,
    "fields": [
        {"name": "place", "type": "string", "default": "inn", "filterable": True},
        {"name": "year", "type": "int", "optional": True, "filterable": True},
    ],
}
RECORDS: list[dict[str, Any]] = [
    {"id": "key", "text": "A silver key opens the cellar."},
    {"id": "dragon", "text": "The dragon sleeps.", "metadata": {"place": "mill"}},
    {"id": "mill", "text": "A dragon burnt the mill.", "metadata": {"year": 1201}},
]
AT_THE_MILL = {"op": "eq", "args": [{"knowledge": "place"}, {"value": "mill"}]}


def write(path: Path, config: object = CONFIG, records: object = RECORDS) -> None:
    """A config file, and its records beside it."""
    records_path = path.with_suffix(".records.json")
    if isinstance(config, dict):
        config = {"records_file": records_path.name, **config}
    path.write_text(config if isinstance(config, str) else json.dumps(config))
    records_path.write_text(
        records if isinstance(records, str) else json.dumps(records)
    )


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "content"
    folder.mkdir()
    return folder


@pytest.fixture
def engine(root: Path) -> Iterator[Engine]:
    with Engine(storage_root=root) as engine:
        yield engine


@pytest.fixture
def lore(engine: Engine) -> Engine:
    """Has the knowledge base "lore"."""
    engine.load_knowledge("lore", config=CONFIG, records=RECORDS)
    return engine


def ids(engine: Engine, text: str, **search: Any) -> list[str]:
    return [found.id for found in engine.search_knowledge("lore", text, **search)]


def test_the_nearest_records_come_first(lore: Engine) -> None:
    nearest, second = lore.search_knowledge("lore", "A dragon at the mill?")

    assert (nearest.id, second.id) == ("mill", "dragon")
    assert nearest.text == "A dragon burnt the mill."
    assert 0 <= nearest.distance < second.distance < 1


def test_metadata_has_defaults_and_no_missing_optional_fields(lore: Engine) -> None:
    found = {each.id: each.metadata for each in lore.search_knowledge("lore", "dragon")}

    assert found == {
        "dragon": {"place": "mill"},
        "mill": {"place": "inn", "year": 1201},
    }


@pytest.mark.parametrize(
    ("search", "expected"),
    [
        ({"top_k": 1}, ["dragon"]),
        ({"top_k": 1000}, ["dragon", "mill"]),
        ({"max_distance": 1e-9}, []),
        ({"max_distance": 2}, ["dragon", "mill"]),
        ({"filter": AT_THE_MILL}, ["dragon"]),
        ({"filter": {"op": "not", "args": [AT_THE_MILL]}}, ["mill"]),
    ],
    ids=str,
)
def test_a_search_is_narrowed(
    lore: Engine, search: dict[str, Any], expected: list[str]
) -> None:
    assert ids(lore, "dragon sleeping", **search) == expected


@pytest.mark.parametrize(
    ("search", "part"),
    [
        ({"top_k": 0}, "top_k: 0 is out of range; allowed 1 to 1000"),
        ({"top_k": 1001}, "top_k: 1001"),
        ({"top_k": 1 << 40}, "top_k"),
        ({"max_distance": -0.1}, "max_distance: -0.1"),
        ({"max_distance": 2.1}, "allowed 0 to 2"),
        ({"max_distance": float("nan")}, "max_distance: nan"),
    ],
    ids=str,
)
def test_a_search_out_of_range_is_refused(
    lore: Engine, search: dict[str, Any], part: str
) -> None:
    with raises_code(ErrorCode.InvalidArgument) as caught:
        lore.search_knowledge("lore", "dragon", **search)

    assert part in caught.value.message


def test_a_filter_that_does_not_fit_is_refused_with_its_path(lore: Engine) -> None:
    wrong = {"op": "eq", "args": [{"knowledge": "year"}, {"value": "old"}]}

    with raises_code(ErrorCode.InvalidFilter) as caught:
        lore.search_knowledge("lore", "dragon", filter=wrong)

    assert "filter.args[1].value" in caught.value.message


def test_a_config_file_is_a_reference_and_can_have_a_name(
    engine: Engine, root: Path
) -> None:
    (root / "deep").mkdir()
    (root / "lore.records.json").write_text(json.dumps(RECORDS))
    (root / "deep" / "lore.json").write_text(
        json.dumps({**CONFIG, "records_file": "lore.records.json"})
    )

    engine.load_knowledge("lore", "deep/lore.json")

    by_name = engine.search_knowledge("lore", "cellar key")
    assert [found.id for found in by_name] == ["key"]
    assert engine.search_knowledge("deep/lore.json", "cellar key") == by_name


def test_a_name_can_be_forgotten(lore: Engine) -> None:
    lore.unload_knowledge("lore")

    with raises_code(ErrorCode.StorageFileNotFound):
        lore.search_knowledge("lore", "dragon")
    with raises_code(ErrorCode.InvalidArgument):
        lore.unload_knowledge("lore")


def test_a_failed_load_leaves_no_name(engine: Engine) -> None:
    with raises_code(ErrorCode.InvalidMetadata):
        engine.load_knowledge(
            "lore", config=CONFIG, records=[{"id": "a", "text": "b", "metadata": 1}]
        )

    engine.load_knowledge("lore", config=CONFIG, records=RECORDS)


@pytest.mark.parametrize(
    "source",
    [{}, {"config": CONFIG}, {"records": []}, {"config_file": "a", "config": CONFIG}],
    ids=str,
)
def test_one_source_is_needed(engine: Engine, source: dict[str, Any]) -> None:
    with raises_code(ErrorCode.InvalidArgument) as caught:
        engine.load_knowledge("lore", **source)

    assert "knowledge base 'lore'" in caught.value.message


@pytest.mark.parametrize("name", ["lore", ""])
def test_a_name_is_new_and_not_empty(lore: Engine, name: str) -> None:
    with raises_code(ErrorCode.InvalidArgument):
        lore.load_knowledge(name, config=CONFIG, records=RECORDS)


def test_a_name_is_no_path_of_a_file(engine: Engine, root: Path) -> None:
    write(root / "lore.json")

    with raises_code(ErrorCode.StorageNameConflict):
        engine.load_knowledge("lore.json", config=CONFIG, records=RECORDS)


def test_a_file_that_came_after_the_name_is_a_conflict(
    lore: Engine, root: Path
) -> None:
    (root / "lore").write_text("{}")

    with raises_code(ErrorCode.StorageNameConflict):
        lore.search_knowledge("lore", "dragon")


# Whatever is wrong with files has its code, and a message that says where.
@pytest.mark.parametrize(
    ("config", "records", "code", "part"),
    [
        ("{", "[]", ErrorCode.MalformedEmbeddedStorage, "config: line 1"),
        ("[]", "[]", ErrorCode.MalformedEmbeddedStorage, "an object is expected"),
        ({**CONFIG, "a": 1}, "[]", ErrorCode.MalformedEmbeddedStorage, '"a"'),
        (CONFIG, "{}", ErrorCode.MalformedEmbeddedStorage, "records"),
        (CONFIG, [{"id": "a"}], ErrorCode.MalformedEmbeddedStorage, "records[0]"),
        (
            CONFIG,
            [{"id": "a", "text": "b"}] * 2,
            ErrorCode.MalformedEmbeddedStorage,
            "records[1].id",
        ),
        ({"version": 2}, "[]", ErrorCode.EmbeddedStorageVersionTooNew, "version 2"),
        (
            CONFIG,
            [{"id": "a", "text": "b", "metadata": {"year": "old"}}],
            ErrorCode.InvalidMetadata,
            "records[0].metadata.year",
        ),
        (
            {**CONFIG, "records_file": "../r.json"},
            "[]",
            ErrorCode.StorageOutsideRoot,
            '"../r.json"',
        ),
        (
            {**CONFIG, "records_file": "none.json"},
            "[]",
            ErrorCode.StorageFileNotFound,
            '"none.json"',
        ),
    ],
)
def test_a_bad_file_is_refused(
    engine: Engine,
    root: Path,
    config: object,
    records: object,
    code: ErrorCode,
    part: str,
) -> None:
    write(root / "lore.json", config, records)

    for use in (
        lambda: engine.load_knowledge("lore", "lore.json"),
        lambda: engine.search_knowledge("lore.json", "dragon"),
    ):
        with raises_code(code) as caught:
            use()
        assert part in caught.value.message


@pytest.mark.parametrize(
    ("reference", "code"),
    [
        ("none.json", ErrorCode.StorageFileNotFound),
        ("", ErrorCode.StorageFileNotFound),
        (".", ErrorCode.StorageFileNotFound),
        ("../lore.json", ErrorCode.StorageOutsideRoot),
        ("/etc/hostname", ErrorCode.StorageOutsideRoot),
        ("C:lore.json", ErrorCode.StorageOutsideRoot),
        ("a\0b", ErrorCode.InvalidArgument),
    ],
)
def test_a_reference_that_leads_nowhere_is_refused(
    engine: Engine, reference: str, code: ErrorCode
) -> None:
    with raises_code(code):
        engine.describe_knowledge(reference)


def test_without_a_storage_root_there_are_no_files() -> None:
    with Engine() as engine, raises_code(ErrorCode.StorageFileNotFound) as caught:
        engine.describe_knowledge("lore.json")

    assert "no storage root" in caught.value.message


def test_a_storage_root_is_a_folder(tmp_path: Path) -> None:
    with raises_code(ErrorCode.InvalidArgument) as caught:
        Engine(storage_root=tmp_path / "none")

    assert "none" in caught.value.message


@pytest.mark.parametrize(
    ("model", "level", "part"),
    [
        ("", logging.INFO, "names no embedding model"),
        ("minilm", logging.WARNING, 'the embedding model "minilm" is not loaded'),
    ],
)
def test_the_log_says_that_keywords_stand_in_for_vectors(
    engine: Engine,
    caplog: pytest.LogCaptureFixture,
    model: str,
    level: int,
    part: str,
) -> None:
    caplog.set_level(logging.INFO, "talefold")

    engine.load_knowledge(
        "lore", config={**CONFIG, "embedding_model": model}, records=RECORDS
    )

    (line,) = caplog.records
    assert line.levelno == level
    assert line.name == "talefold.knowledge"
    assert 'knowledge base "lore"' in line.message
    assert part in line.message
    info = engine.describe_knowledge("lore")
    assert (info.search_method, info.embedding_model) == ("bm25", model)
    assert (info.records, info.fields) == (3, ["place", "year"])


def test_a_closed_engine_has_no_content(root: Path) -> None:
    engine = Engine(storage_root=root)
    engine.close()

    for use in (
        lambda: engine.add_storage("lines", ["Aye."]),
        lambda: engine.remove_storage("lines"),
        lambda: engine.embedding_models(),
        lambda: engine.embed("minilm", ["a"]),
        lambda: engine.load_knowledge("lore", config=CONFIG, records=[]),
        lambda: engine.unload_knowledge("lore"),
        lambda: engine.search_knowledge("lore", "dragon"),
    ):
        with raises_code(ErrorCode.EngineClosed):
            use()
