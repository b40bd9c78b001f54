"""CannedResponse: which line comes, where it goes, what is remembered.

And where its lines come from: every way to refer to a string storage.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from support import raises_code
from talefold import (
    Agent,
    AnswerText,
    CannedResponseParams,
    Engine,
    ErrorCode,
    GenerateParams,
    IntentToInstructionParams,
    ScriptedReply,
)

from .content_nodes import documented_keys, graph_of, open_agent, say, shown, teller
from .helpers import finish, keys_of, report

LINES = ["Aye.", "Nay.", "Hm.", "Perhaps.", "Ask me later."]


def canned(engine: Engine, **params: Any) -> Agent:
    if not {"string_storage", "inline_strings"} & params.keys():
        params["inline_strings"] = LINES
    return open_agent(engine, graph_of(("canned", CannedResponseParams(**params))))


def texts(agent: Agent, turns: int) -> list[str]:
    return [say(agent, "Hi").text for _ in range(turns)]


def test_sequential_lines_come_in_order_and_again(engine: Engine) -> None:
    agent = canned(engine, selection_strategy="sequential")

    assert texts(agent, 7) == [*LINES, *LINES[:2]]


def test_shuffled_lines_all_come_before_one_comes_again(engine: Engine) -> None:
    said = texts(canned(engine), 10)

    assert sorted(said[:5]) == sorted(said[5:]) == sorted(LINES)


def test_random_lines_are_lines(engine: Engine) -> None:
    agent = canned(engine, selection_strategy="random", inline_strings=["a", "b"])

    assert set(texts(agent, 64)) == {"a", "b"}


def test_agents_are_shuffled_apart(engine: Engine) -> None:
    lines = [str(number) for number in range(40)]

    first, second = (texts(canned(engine, inline_strings=lines), 40) for _ in "ab")

    assert first != second


def test_the_line_is_the_reply(engine: Engine) -> None:
    result = say(canned(engine, inline_strings=["Aye."]), None)

    assert result.text == "Aye."
    (answer,) = [event for event in result.events if isinstance(event, AnswerText)]
    assert (answer.node, answer.text) == ("canned", "Aye.")
    assert (answer.is_delta, answer.is_final) == (False, True)
    assert result.tokens_generated == 0


def test_a_slot_takes_the_line_in_place_of_the_reply(engine: Engine) -> None:
    node = CannedResponseParams(
        inline_strings=["a yawn"], output_slot="mood", default_exit="generate"
    )
    agent = open_agent(engine, graph_of(("canned", node), teller("{{slot_mood}}")))

    result = say(agent, "Hi")

    assert shown(engine) == "a yawn"
    assert result.text == "Aye."
    assert report(result, "canned")["output"]["slot"] == "a yawn"
    assert [each.node for each in result.events if isinstance(each, AnswerText)] == [
        "generate"
    ]


def test_the_strategy_can_change(engine: Engine) -> None:
    agent = canned(engine, selection_strategy="sequential")
    texts(agent, 2)

    agent.change_params("canned", {"selection_strategy": "shuffle"})
    agent.change_params("canned", {"selection_strategy": "sequential"})

    assert texts(agent, 1) == LINES[2:3]


@pytest.mark.parametrize("field", ["string_storage", "inline_strings", "output_slot"])
def test_structural_params_stay(engine: Engine, field: str) -> None:
    agent = canned(engine)

    with raises_code(ErrorCode.ParamNotMutable):
        agent.change_params("canned", {field: ["x"] if "inline" in field else "x"})


def test_a_turn_that_is_not_committed_says_no_line(engine: Engine) -> None:
    engine.load_scripted_model(
        "model", replies=[ScriptedReply(outcome="fail"), "Aye.", "Aye."]
    )
    node = CannedResponseParams(
        inline_strings=LINES, selection_strategy="sequential", output_slot="line",
        default_exit="generate",
    )  # fmt: skip
    generate = GenerateParams(context_size=4096)
    agent = engine.create_agent(
        graph_of(("canned", node), ("generate", generate)), enable_diagnostics=True
    )
    lines = []

    for _ in range(3):
        result = say(agent, "Hi")
        lines.append(report(result, "canned")["output"]["text"])

    assert lines == ["Aye.", "Aye.", "Nay."]


@pytest.mark.parametrize("strategy", ["sequential", "shuffle"])
def test_a_snapshot_goes_on_with_the_next_line(engine: Engine, strategy: str) -> None:
    params = CannedResponseParams(inline_strings=LINES, selection_strategy=strategy)
    graph = graph_of(("canned", params))
    agent = open_agent(engine, graph)
    texts(agent, 2)
    snapshot = agent.export_snapshot()

    expected = texts(agent, 6)

    assert texts(open_agent(engine, graph, snapshot=snapshot), 6) == expected


def test_a_regenerated_turn_says_the_next_line(engine: Engine) -> None:
    agent = canned(engine, selection_strategy="sequential")
    say(agent, "Hi")

    assert finish(agent.start_regenerate()).text == "Nay."


def test_diagnostics_are_documented(engine: Engine) -> None:
    seen = [
        keys_of(report(say(canned(engine, **params), "Hi"), "canned"))
        for params in ({}, {"output_slot": "a"})
    ]

    assert set().union(*seen) == documented_keys("CannedResponse")


def test_diagnostics_say_which_line(engine: Engine) -> None:
    agent = canned(engine, selection_strategy="sequential")
    say(agent, "Hi")

    assert report(say(agent, "Hi"), "canned")["output"] == {"line": 1, "text": "Nay."}


@pytest.mark.parametrize(
    ("params", "field"),
    [
        ({"inline_strings": []}, "string_storage"),
        ({"inline_strings": ["a"], "string_storage": "b"}, "string_storage"),
        ({"inline_strings": ["a", ""]}, "inline_strings[1]"),
        ({"selection_strategy": "best"}, "selection_strategy"),
        ({"output_slot": "two words"}, "output_slot"),
        ({"string_storage": "empty"}, "string_storage"),
    ],
    ids=str,
)
def test_bad_params_are_refused(
    engine: Engine, params: dict[str, Any], field: str
) -> None:
    engine.add_storage("empty", [])

    with raises_code(ErrorCode.InvalidParamValue) as caught:
        canned(engine, **params)

    assert f"node 'canned', field '{field}'" in caught.value.message


# Storages


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name, text in {
        "lines.txt": "# greetings\n\n  Aye.  \nNay.\n",
        "deep/lines.txt": "Deep.",
        "map.json": '[{"id": "a", "text": "b"}]',
        "twice.json": '[{"id": "a", "text": "b"}, {"id": "a", "text": "c"}]',
        "many.mm.json": "[]",
        "broken.json": "[",
        "lines.csv": "a",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    (tmp_path / "nul.txt").write_bytes(b"a\0b")
    (tmp_path / "latin.txt").write_bytes(b"caf\xe9")
    (tmp_path / "long.txt").write_text("a" * (64 * 1024 + 1))
    (tmp_path / "large.txt").write_text("a\n" * (8 * 1024 * 1024 + 1))
    (tmp_path / "link.txt").symlink_to("/etc/hostname")
    return tmp_path


@pytest.mark.parametrize(
    ("reference", "said"),
    [("lines.txt", ["Aye.", "Nay."]), ("deep/lines.txt", ["Deep.", "Deep."])],
)
def test_lines_come_from_a_file(root: Path, reference: str, said: list[str]) -> None:
    with Engine(storage_root=root) as engine:
        agent = canned(
            engine, string_storage=reference, selection_strategy="sequential"
        )

        assert texts(agent, 2) == said


def test_lines_come_from_a_named_storage(engine: Engine) -> None:
    engine.add_storage("lines", ["Aye.", "Nay."])
    agent = canned(engine, string_storage="lines", selection_strategy="sequential")

    engine.remove_storage("lines")

    assert texts(agent, 2) == ["Aye.", "Nay."]


@pytest.mark.parametrize(
    ("reference", "code", "part"),
    [
        ("/etc/hostname", ErrorCode.StorageOutsideRoot, "is absolute"),
        ("../lines.txt", ErrorCode.StorageOutsideRoot, "leads upwards"),
        ("deep/../lines.txt", ErrorCode.StorageOutsideRoot, "leads upwards"),
        ("C:lines.txt", ErrorCode.StorageOutsideRoot, "colon"),
        ("link.txt", ErrorCode.StorageOutsideRoot, "link"),
        ("none.txt", ErrorCode.StorageFileNotFound, "none.txt"),
        ("deep", ErrorCode.StorageFileNotFound, "not a file"),
        ("map.json", ErrorCode.StorageKindMismatch, "expected a list"),
        ("many.mm.json", ErrorCode.StorageKindMismatch, "is a multimap"),
        ("lines.csv", ErrorCode.StorageKindMismatch, "unknown ending"),
        ("nul.txt", ErrorCode.MalformedStorage, "nul.txt"),
        ("latin.txt", ErrorCode.MalformedStorage, "latin.txt"),
        ("long.txt", ErrorCode.StorageTooLarge, "long.txt"),
        ("large.txt", ErrorCode.StorageTooLarge, "large.txt"),
        ("map", ErrorCode.StorageKindMismatch, "is a map; expected a list"),
    ],
)
def test_a_bad_reference_is_refused(
    root: Path, reference: str, code: ErrorCode, part: str
) -> None:
    with Engine(storage_root=root) as engine:
        engine.add_storage("map", {"a": "b"})

        with raises_code(code) as caught:
            canned(engine, string_storage=reference)

    assert "node 'canned', field 'string_storage': " in caught.value.message
    assert part in caught.value.message


@pytest.mark.parametrize(
    ("reference", "code"),
    [
        ("twice.json", ErrorCode.DuplicateStorageId),
        ("broken.json", ErrorCode.MalformedStorage),
    ],
)
def test_a_bad_map_is_refused(root: Path, reference: str, code: ErrorCode) -> None:
    node = IntentToInstructionParams(string_storage=reference)

    with Engine(storage_root=root) as engine, raises_code(code) as caught:
        open_agent(engine, graph_of(("instruct", node)))

    assert "node 'instruct', field 'string_storage': " in caught.value.message


@pytest.mark.skipif(sys.platform != "linux", reason="needs a file that fails to read")
def test_a_file_that_cannot_be_read_is_refused() -> None:
    with Engine(storage_root="/proc/self") as engine:
        with raises_code(ErrorCode.StorageFileUnreadable) as caught:
            canned(engine, string_storage="mem")

    assert "node 'canned', field 'string_storage': " in caught.value.message


def test_a_name_that_is_a_file_is_a_conflict(root: Path) -> None:
    with Engine(storage_root=root) as engine:
        with raises_code(ErrorCode.StorageNameConflict):
            engine.add_storage("lines.txt", ["Aye."])

        engine.add_storage("later.txt", ["Aye."])
        (root / "later.txt").write_text("Nay.")
        with raises_code(ErrorCode.StorageNameConflict):
            canned(engine, string_storage="later.txt")


@pytest.mark.parametrize(
    ("name", "entries", "code"),
    [
        ("taken", ["a"], ErrorCode.InvalidArgument),
        ("", ["a"], ErrorCode.InvalidArgument),
        ("a\0b", ["a"], ErrorCode.InvalidArgument),
        ("new", ["a\0b"], ErrorCode.MalformedStorage),
        ("new", {"": "a"}, ErrorCode.MalformedStorage),
        ("new", [("", "a")], ErrorCode.MalformedStorage),
        ("new", ["a" * (64 * 1024 + 1)], ErrorCode.StorageTooLarge),
        ("new", ["\ud800"], ErrorCode.InvalidUtf8),
    ],
)
def test_a_bad_storage_is_refused(
    engine: Engine, name: str, entries: Any, code: ErrorCode
) -> None:
    engine.add_storage("taken", [("a", "b"), ("a", "c")])

    with raises_code(code):
        engine.add_storage(name, entries)

    engine.add_storage("new", ["Aye."])


def test_what_is_no_storage_cannot_be_removed(engine: Engine) -> None:
    with raises_code(ErrorCode.InvalidArgument) as caught:
        engine.remove_storage("none")

    assert '"none"' in caught.value.message


def test_entries_are_several(engine: Engine) -> None:
    with pytest.raises(TypeError):
        engine.add_storage("lines", "Aye.")
