"""Retrieve, ClassifyIntent, IntentToInstruction: what they attach, where they lead."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pytest

from support import raises_code
from talefold import (
    Agent,
    ClassifyIntentParams,
    Engine,
    ErrorCode,
    IntentToInstructionParams,
    NodeEvent,
    RetrieveParams,
    SummarizeParams,
)

from .content_nodes import (
    branches,
    documented_keys,
    exit_of,
    graph_of,
    open_agent,
    say,
    shown,
    teller,
)
from .helpers import keys_of, report

CONFIG: dict[str, Any] = {
    "version": 1,
    "fields": [
        {"name": "intent", "type": "string", "optional": True, "filterable": True},
        {"name": "level", "type": "int", "default": 3},
        {"name": "tags", "type": "set<string>", "default": []},
    ],
}
RECORDS = [
    {"id": "room", "text": "a bed for the night", "metadata": {"intent": "lodging"}},
    {"id": "food", "text": "some bread and ale", "metadata": {"intent": "meal"}},
    {"id": "lore", "text": "the dragon of the mill"},
]
MEALS = '{"op": "eq", "args": [{"knowledge": "intent"}, {"value": "meal"}]}'


@pytest.fixture(autouse=True)
def knowledge(engine: Engine) -> None:
    engine.load_knowledge("lore", config=CONFIG, records=RECORDS)


def retrieve(engine: Engine, template: str = "", **params: Any) -> Agent:
    """Retrieve -> (found) generate, with a template; (not_found) a canned line."""
    node = RetrieveParams(
        embedded_string_storage="lore",
        found_exit="generate",
        not_found_exit="not_found",
        **params,
    )
    return open_agent(
        engine,
        graph_of(("retrieve", node), teller(template), *branches(not_found="Hm?")),
    )


def classify(engine: Engine, **params: Any) -> Agent:
    node = {
        "embedded_string_storage": "lore",
        "metadata_field": "intent",
        "found_exit": "found",
        "not_found_exit": "not_found",
        "threshold": 0.9,
    }
    return open_agent(
        engine,
        graph_of(
            ("classify", ClassifyIntentParams(**(node | params))),
            *branches(found="I see.", not_found="Hm?"),
        ),
    )


# Retrieve


def test_what_is_found_is_shown_by_templates(engine: Engine) -> None:
    agent = retrieve(
        engine,
        "{{#knowledge_retrieve}}{{name}}:{{#chunks}} {{id}}={{text}}{{/chunks}}"
        "{{/knowledge_retrieve}}",
        threshold=0.9,
    )

    result = say(agent, "a bed, some bread")

    assert exit_of(result, "retrieve") == "found"
    assert shown(engine) == "retrieve: food=some bread and ale room=a bed for the night"


def test_a_source_has_a_name_of_its_own(engine: Engine) -> None:
    agent = retrieve(
        engine, "{{#knowledge}}{{name}}{{/knowledge}}", source="world-lore", top_k=1
    )

    say(agent, "a bed")

    assert shown(engine) == "world-lore"


@pytest.mark.parametrize(
    ("params", "text", "found"),
    [
        ({}, "a bed, some bread", ["food"]),
        ({"threshold": 0.9}, "a bed, some bread", ["food", "room"]),
        ({"top_k": 1, "threshold": 0}, "a bed, some bread", ["food"]),
        ({"top_k": 3, "threshold": 0}, "a bed, some bread, dragon",
         ["room", "food", "lore"]),
        ({"threshold": 0.01}, "a bed, some bread", []),
        ({"filter": MEALS}, "a bed, some bread", ["food"]),
        ({}, "Good evening.", []),
        ({}, " ", []),
        ({"threshold": 0}, None, []),
    ],
)  # fmt: skip
def test_near_records_are_found(
    engine: Engine, params: dict[str, Any], text: str | None, found: list[str]
) -> None:
    result = say(retrieve(engine, **params), text)

    seen = report(result, "retrieve")["knowledge"]
    assert sorted(chunk["id"] for chunk in seen["chunks"]) == sorted(found)
    assert seen["source"] == "retrieve"
    assert seen["search_method"] == "bm25"
    assert exit_of(result, "retrieve") == ("found" if found else "not_found")


def test_nothing_found_attaches_an_empty_block(engine: Engine) -> None:
    node = RetrieveParams(embedded_string_storage="lore", not_found_exit="generate")
    template = (
        "{{#knowledge}}{{name}}{{^has_chunks}} has nothing{{/has_chunks}}{{/knowledge}}"
    )
    agent = open_agent(engine, graph_of(("retrieve", node), teller(template)))

    say(agent, "Good evening.")

    assert shown(engine) == "retrieve has nothing"


def test_a_later_search_replaces_its_source_and_keeps_the_others(
    engine: Engine,
) -> None:
    graph = graph_of(
        ("a", RetrieveParams(embedded_string_storage="lore", found_exit="b")),
        (
            "b",
            RetrieveParams(
                embedded_string_storage="lore", source="a", filter=MEALS,
                found_exit="c", threshold=0,
            ),
        ),
        ("c", RetrieveParams(
            embedded_string_storage="lore", found_exit="generate", threshold=0
        )),
        teller("{{#knowledge}}{{name}}({{#chunks}}{{id}}{{/chunks}}){{/knowledge}}"),
    )  # fmt: skip

    say(open_agent(engine, graph), "some bed, some bread")

    assert shown(engine) == "a(food)c(foodroom)"


def test_knowledge_of_earlier_turns_is_not_replayed(engine: Engine) -> None:
    agent = retrieve(
        engine, "{{#knowledge}}{{#chunks}}{{text}}{{/chunks}}{{/knowledge}}"
    )
    say(agent, "a bed")

    say(agent, "some bread")

    messages = engine.recorded_requests("model")[-1].messages
    assert not any("bed for the night" in text for _, text in messages)


def test_retrieve_diagnostics_are_documented(engine: Engine) -> None:
    result = say(retrieve(engine), "a bed")

    assert keys_of(report(result, "retrieve")) == documented_keys("Retrieve")


# ClassifyIntent


@pytest.mark.parametrize(
    ("params", "text", "intent"),
    [
        ({}, "a bed", "lodging"),
        ({"threshold": 0.01}, "a bed and a horse or two, and ale", None),
        ({"threshold": 0}, "ale", "meal"),
        ({"filter": MEALS}, "a bed, some bread", "meal"),
        ({"metadata_field": "level"}, "a bed", "3"),
        ({}, "the dragon", None),
        ({}, "Good evening.", None),
        ({}, None, None),
    ],
)
def test_the_nearest_record_has_the_label(
    engine: Engine, params: dict[str, Any], text: str | None, intent: str | None
) -> None:
    result = say(classify(engine, **params), text)

    assert report(result, "classify")["intention"].get("intent") == intent
    assert exit_of(result, "classify") == ("found" if intent else "not_found")
    assert result.text == ("I see." if intent else "Hm?")


@pytest.mark.parametrize("notify_client", [False, True])
def test_the_client_is_told_of_an_intention(
    engine: Engine, notify_client: bool
) -> None:
    result = say(classify(engine, notify_client=notify_client), "a bed")

    events = [event for event in result.events if isinstance(event, NodeEvent)]
    assert [(event.event_type, event.pairs) for event in events] == (
        [("intent", {"intent": "lodging", "record": "room"})] if notify_client else []
    )


@pytest.mark.parametrize(("topk", "listed"), [(1, 1), (2, 2), (64, 2)])
def test_diagnostics_list_the_nearest_records_however_far(
    engine: Engine, topk: int, listed: int
) -> None:
    agent = classify(engine, diagnostic_topk=topk, threshold=0.001)

    seen = report(say(agent, "some bed, a bread"), "classify")["intention"]

    assert len(seen["nearest"]) == listed
    assert seen["nearest"][0].keys() == {"id", "label", "distance"}
    assert seen["search_method"] == "bm25"


def test_classify_diagnostics_are_documented(engine: Engine) -> None:
    result = say(classify(engine), "a bed")

    assert keys_of(report(result, "classify")) == documented_keys("ClassifyIntent")


@pytest.mark.parametrize(
    ("field", "part"),
    [
        ("intents", "'intents' is no field of the knowledge base"),
        ("tags", "'tags' is a set of strings, which is no label"),
    ],
)
def test_a_field_without_labels_is_refused(
    engine: Engine, field: str, part: str
) -> None:
    with raises_code(ErrorCode.InvalidParamValue) as caught:
        classify(engine, metadata_field=field)

    assert "node 'classify', field 'metadata_field'" in caught.value.message
    assert part in caught.value.message
    assert "'intent', 'level'" in caught.value.message


# Both: filters, references, changes


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("{", "filter: line 1, column 2"),
        ('{"op": "equals", "args": []}', "filter.op"),
        (MEALS.replace("intent", "place"), "filter.args[0].knowledge"),
        (MEALS.replace('"meal"', "1"), "filter.args[1].value"),
        (MEALS.replace("intent", "level"), "filter.args[0]"),
    ],
)
@pytest.mark.parametrize("make", [retrieve, classify], ids=["retrieve", "classify"])
def test_a_bad_filter_is_refused_and_changes_nothing(
    engine: Engine, make: Any, text: str, path: str
) -> None:
    with raises_code(ErrorCode.InvalidParamValue) as caught:
        make(engine, filter=text)
    assert f"node '{make.__name__}', field 'filter': " in caught.value.message
    assert path in caught.value.message

    agent = make(engine, filter=MEALS)
    before = agent.graph.to_json()
    with raises_code(ErrorCode.InvalidParamValue) as caught:
        agent.change_params(make.__name__, {"threshold": 1.0, "filter": text})

    assert path in caught.value.message
    assert agent.graph.to_json() == before
    assert exit_of(say(agent, "bread"), make.__name__) == "found"
    assert exit_of(say(agent, "bed"), make.__name__) == "not_found"


@pytest.mark.parametrize("make", [retrieve, classify], ids=["retrieve", "classify"])
def test_params_change_together(engine: Engine, make: Any) -> None:
    agent = make(engine)

    agent.change_params(make.__name__, {"filter": MEALS, "threshold": 0.0})

    assert exit_of(say(agent, "bread"), make.__name__) == "found"
    assert exit_of(say(agent, "bed"), make.__name__) == "not_found"


def test_a_label_field_that_is_none_changes_nothing(engine: Engine) -> None:
    agent = classify(engine)

    with raises_code(ErrorCode.InvalidParamValue):
        agent.change_params("classify", {"metadata_field": "x", "filter": MEALS})

    assert say(agent, "a bed").text == "I see."


@pytest.mark.parametrize("make", [retrieve, classify], ids=["retrieve", "classify"])
@pytest.mark.parametrize("field", ["embedded_string_storage", "found_exit"])
def test_structural_params_stay(engine: Engine, make: Any, field: str) -> None:
    agent = make(engine)

    with raises_code(ErrorCode.ParamNotMutable):
        agent.change_params(make.__name__, {field: "" if "exit" in field else "other"})


@pytest.mark.parametrize(
    ("make", "params"),
    [
        (retrieve, {"top_k": 0}),
        (retrieve, {"top_k": 1001}),
        (retrieve, {"threshold": -0.1}),
        (retrieve, {"threshold": 1.1}),
        (retrieve, {"source": "two words"}),
        (classify, {"threshold": 1.1}),
        (classify, {"diagnostic_topk": 0}),
        (classify, {"diagnostic_topk": 65}),
        (classify, {"metadata_field": ""}),
        (classify, {"embedded_string_storage": ""}),
    ],
    ids=lambda value: getattr(value, "__name__", str(value)),
)
def test_params_out_of_range_are_refused(
    engine: Engine, make: Any, params: dict[str, Any]
) -> None:
    with raises_code(ErrorCode.InvalidParamValue) as caught:
        make(engine, **params)

    (field,) = params
    assert f"node '{make.__name__}', field '{field}'" in caught.value.message


@pytest.mark.parametrize(
    ("reference", "code"),
    [
        ("none.json", ErrorCode.StorageFileNotFound),
        ("../lore.json", ErrorCode.StorageOutsideRoot),
        ("broken.json", ErrorCode.MalformedEmbeddedStorage),
        ("newer.json", ErrorCode.EmbeddedStorageVersionTooNew),
        ("metadata.json", ErrorCode.InvalidMetadata),
    ],
)
def test_a_bad_reference_names_node_and_field(
    tmp_path: Path, reference: str, code: ErrorCode
) -> None:
    (tmp_path / "broken.json").write_text("[]")
    (tmp_path / "newer.json").write_text('{"version": 2}')
    (tmp_path / "metadata.json").write_text(
        json.dumps({"version": 1, "records_file": "r.json"})
    )
    (tmp_path / "r.json").write_text('[{"id": "a", "text": "b", "metadata": {"c": 1}}]')
    node = RetrieveParams(embedded_string_storage=reference)

    with Engine(storage_root=tmp_path) as engine, raises_code(code) as caught:
        open_agent(engine, graph_of(("retrieve", node)))

    assert "node 'retrieve', field 'embedded_string_storage': " in caught.value.message


def test_an_agent_keeps_its_knowledge(engine: Engine) -> None:
    agent = retrieve(engine)

    engine.unload_knowledge("lore")

    assert exit_of(say(agent, "a bed"), "retrieve") == "found"


def test_a_replayed_turn_searches_nothing(engine: Engine) -> None:
    graph = graph_of(
        (
            "retrieve",
            RetrieveParams(embedded_string_storage="lore", not_found_exit="classify"),
        ),
        (
            "classify",
            ClassifyIntentParams(
                embedded_string_storage="lore", metadata_field="intent",
                not_found_exit="summarize",
            ),
        ),
        ("summarize", SummarizeParams()),
    )  # fmt: skip

    result = open_agent(engine, graph).replay_turn(user="a bed", assistant="Upstairs.")

    assert result.debug_info is not None
    assert [node["name"] for node in result.debug_info["nodes"]] == ["summarize"]


# IntentToInstruction

WAYS = {"lodging": "Offer the attic.", "meal": "Offer stew."}


def instruct(engine: Engine, **params: Any) -> Agent:
    """ClassifyIntent -> IntentToInstruction -> generate."""
    source = {"inline_keys": list(WAYS), "inline_values": list(WAYS.values())}
    node = (source if "string_storage" not in params else {}) | params
    graph = graph_of(
        (
            "classify",
            ClassifyIntentParams(
                embedded_string_storage="lore", metadata_field="intent", threshold=0,
                found_exit="instruct", not_found_exit="instruct",
            ),
        ),
        ("instruct", IntentToInstructionParams(default_exit="generate", **node)),
        teller("{{#instructions}}{{name}}: {{text}}{{/instructions}}"),
    )  # fmt: skip
    return open_agent(engine, graph)


@pytest.mark.parametrize("source", ["inline", "named"])
def test_an_intention_becomes_an_instruction(engine: Engine, source: str) -> None:
    engine.add_storage("ways", WAYS)
    params = {"string_storage": "ways"} if source == "named" else {}

    result = say(instruct(engine, **params), "bread")

    assert shown(engine) == "instruct: Offer stew."
    assert report(result, "instruct")["instruction"] == {
        "name": "instruct",
        "text": "Offer stew.",
    }


def test_an_instruction_has_a_name_of_its_own(engine: Engine) -> None:
    agent = instruct(engine, instruction_name="way")
    say(agent, "bread")
    assert shown(engine) == "way: Offer stew."

    agent.change_params("instruct", {"instruction_name": "manner"})

    say(agent, "bread")
    assert shown(engine) == "manner: Offer stew."


@pytest.mark.parametrize(
    ("keys", "text", "reason", "part"),
    [
        (["lodging"], "Good evening.", "no_intention", "found an intention"),
        (["lodging"], "bread", "unknown_intent", "no instruction for 'meal'"),
    ],
)
def test_without_an_instruction_the_turn_goes_on(
    engine: Engine,
    caplog: pytest.LogCaptureFixture,
    keys: list[str],
    text: str,
    reason: str,
    part: str,
) -> None:
    agent = instruct(engine, inline_keys=keys, inline_values=["x"] * len(keys))

    result = say(agent, text)

    assert result.text == "Aye."
    assert report(result, "instruct")["skip_reason"] == reason
    (line,) = [each for each in caplog.records if each.levelno == logging.WARNING]
    assert "node 'instruct'" in line.message
    assert part in line.message


@pytest.mark.parametrize(
    ("params", "field"),
    [
        ({"inline_keys": [], "inline_values": []}, "string_storage"),
        ({"string_storage": "ways", "inline_keys": ["a"], "inline_values": ["b"]},
         "string_storage"),
        ({"inline_keys": ["a"], "inline_values": []}, "inline_values"),
        ({"inline_keys": [""], "inline_values": ["b"]}, "inline_keys[0]"),
        ({"instruction_name": "two words"}, "instruction_name"),
    ],
    ids=str,
)  # fmt: skip
def test_bad_params_are_refused(
    engine: Engine, params: dict[str, Any], field: str
) -> None:
    with raises_code(ErrorCode.InvalidParamValue) as caught:
        instruct(engine, **params)

    assert f"node 'instruct', field '{field}'" in caught.value.message


def test_a_key_is_given_once(engine: Engine) -> None:
    with raises_code(ErrorCode.DuplicateStorageId) as caught:
        instruct(engine, inline_keys=["a", "a"], inline_values=["b", "c"])

    assert "node 'instruct'" in caught.value.message


def test_instructions_come_from_a_map(engine: Engine) -> None:
    engine.add_storage("ways", ["Offer stew."])

    with raises_code(ErrorCode.StorageKindMismatch) as caught:
        instruct(engine, string_storage="ways")

    assert "node 'instruct', field 'string_storage'" in caught.value.message
    assert "is a list; expected a map" in caught.value.message


def test_instruct_diagnostics_are_documented(engine: Engine) -> None:
    agent = instruct(engine)

    seen = [keys_of(report(say(agent, text), "instruct")) for text in ("bread", "Hm")]

    assert set().union(*seen) == documented_keys("IntentToInstruction")
