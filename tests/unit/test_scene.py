"""Scenes as Python code uses them; their rules are tested natively."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from talefold import (
    ArchiveParams,
    Engine,
    ErrorCode,
    GenerateParams,
    GraphDescription,
    LayeredHistoryParams,
    Scene,
    SceneSettings,
    SummarizeParams,
    TalefoldError,
)

CHAT = SceneSettings(format="chat")


def character(name: str = "Edric") -> GraphDescription:
    return (
        GraphDescription()
        .add_node("reply", GenerateParams(system_prompt=f"You are {name}."))
        .set_start_node("reply")
    )


def memory(threshold: int = 100, *, layers: bool = True) -> GraphDescription:
    return (
        GraphDescription()
        .add_node(
            "archive", ArchiveParams(token_threshold=threshold, default_exit="layers")
        )
        .add_node(
            "layers",
            LayeredHistoryParams(
                token_threshold=threshold, enabled=layers, analyze=False
            ),
        )
        .set_start_node("archive")
    )


def load_model(engine: Engine, *summaries: str, token_delay_us: int = 0) -> None:
    engine.load_scripted_model(
        "mock",
        replies=["Aye."],
        node_replies={"archive": list(summaries or ["SUMMARY: They met at the inn."])},
        tokenizer="chars",
        token_delay_us=token_delay_us,
        record_requests=True,
    )


def make_scene(engine: Engine, **options: Any) -> Scene:
    return engine.create_scene(
        memory_graph=memory(), settings=CHAT, run_inline=True, **options
    )


def test_characters_answer_what_was_said(engine: Engine) -> None:
    load_model(engine)
    with make_scene(engine) as scene:
        scene.add_character("Edric", character())
        scene.say("Ann", "Any rooms?")

        result = scene.take_turn("Edric")

        assert result.text == "Aye."
        assert [(each.speaker, each.text) for each in scene.messages] == [
            ("Ann", "Any rooms?"),
            ("Edric", "Aye."),
        ]
        role, text = engine.recorded_requests("mock")[-1].messages[-1]
        assert role == "user"
        assert text.startswith("=====\nAnn: Any rooms?\n=====\n")


def test_every_kind_of_message_is_there_with_its_fields(engine: Engine) -> None:
    load_model(engine)
    scene = make_scene(engine)
    scene.activate("Ann")
    ids = [
        scene.say("Ann", "Hello.", source="player", meta='{"mood": 1}'),
        scene.narrate("It rains.", hidden=True),
        scene.direct("Ann", "leave"),
        scene.add_reinforcement("Mood", "calm"),
        scene.add_investigation("Who?", "A spy."),
        scene.pass_time("PT2H"),
    ]

    messages = scene.messages

    assert [each.id for each in messages] == ids
    assert [each.kind for each in messages] == [
        "character",
        "narrator",
        "director",
        "reinforcement",
        "context_investigation",
        "time",
    ]
    assert messages[0].source == "player"
    assert messages[0].meta == '{"mood": 1}'
    assert messages[1].hidden
    assert messages[3].source == "Mood"
    assert messages[5].duration == "PT2H"
    assert messages[5].text == "2 hours later."
    assert all(each.present == ["Ann"] for each in messages)
    assert scene.clock == "PT2H"


def test_a_reply_has_versions(engine: Engine) -> None:
    engine.load_scripted_model("mock", replies=["Aye.", "Nay."])
    scene = make_scene(engine)
    scene.add_character("Edric", character())
    scene.take_turn("Edric")

    scene.regenerate("Edric", "refuse")

    (reply,) = scene.messages
    assert (reply.text, reply.versions) == ("Nay.", ["Aye."])
    scene.show_version(reply.id, 0)
    assert scene.messages[0].text == "Aye."


def test_what_is_due_is_remembered_and_can_be_looked_at(engine: Engine) -> None:
    load_model(engine, "None.", "SUMMARY: They met at the inn.")
    scene = make_scene(engine)
    ids = [scene.narrate("x" * 40) for _ in range(4)]

    (entry,) = scene.entries

    assert entry.text == "They met at the inn."
    assert (entry.first, entry.last) == (ids[0], ids[2])
    assert [each.id for each in scene.inspect(entry.id).messages] == ids[:3]
    (statistics,) = scene.statistics()
    assert statistics.source_tokens == 120
    assert statistics.reduction_percent == 83
    events = scene.poll_events()
    assert [each.event_type for each in events] == [
        "memory_progress",
        "entry_committed",
    ]
    assert events[1].pairs["reason"] == "threshold"


def test_entries_are_edited_and_marked(engine: Engine) -> None:
    load_model(engine)
    scene = make_scene(engine)
    ids = [scene.narrate("x" * 40) for _ in range(4)]
    (entry,) = scene.entries

    scene.edit(ids[0], "changed")
    assert scene.entries[0].out_of_sync
    scene.edit_entry(entry.id, "By hand.")
    assert scene.entries[0].edited
    scene.regenerate_entry(entry.id)
    assert scene.entries[0].text == "They met at the inn."
    assert not scene.entries[0].out_of_sync
    assert scene.regenerate_all()
    assert scene.reset_layers()


def test_backstory_moves_the_clock(engine: Engine) -> None:
    load_model(engine)
    scene = make_scene(engine)

    id = scene.add_backstory("The war ended.", "P10D")

    assert scene.clock == "P10D"
    assert scene.time_label(scene.entries[0].ts) == "10 days ago"
    scene.remove_backstory(id)
    assert scene.entries == []


def test_settings_notes_and_overrides(engine: Engine) -> None:
    load_model(engine)
    scene = make_scene(engine)

    scene.change_settings(intro="Once.", format="narrative")
    scene.set_note("weather", "It rains.")
    scene.set_override("Archive", "token_threshold", 512)

    assert scene.settings == SceneSettings(intro="Once.", format="narrative")
    assert scene.notes == {"weather": "It rains."}
    assert scene.overrides == {"Archive": {"token_threshold": 512}}
    scene.set_override("Archive", "token_threshold", None)
    scene.set_note("weather", "")
    assert scene.overrides == {}
    assert scene.notes == {}
    with pytest.raises(TalefoldError, match="unknown format 'opera'"):
        scene.change_settings(format="opera")


def test_a_scene_goes_on_from_its_snapshot(engine: Engine, tmp_path: Path) -> None:
    load_model(engine)
    scene = make_scene(engine)
    scene.activate("Ann")
    for _ in range(5):
        scene.narrate("x" * 40)
    scene.save(tmp_path / "scene.json")

    text = (tmp_path / "scene.json").read_text("utf-8")
    other = make_scene(engine, snapshot=text)

    assert other.messages == scene.messages
    assert other.entries == scene.entries
    assert other.active == ["Ann"]
    assert other.export_snapshot() == text


def test_a_transcript_is_imported_whole_or_not_at_all(
    engine: Engine, tmp_path: Path
) -> None:
    load_model(engine)
    scene = make_scene(engine)
    lines = [
        {"kind": "presence", "activate": ["Lane"]},
        {"kind": "character", "speaker": "Lane", "text": "Yes, sir."},
    ]
    file = tmp_path / "play.jsonl"
    file.write_text("\n".join(json.dumps(each) for each in lines), "utf-8")

    assert scene.import_transcript(file) == 1
    with pytest.raises(TalefoldError, match="line 2") as caught:
        scene.import_transcript('{"kind": "narrator", "text": "a"}\n{}')

    assert caught.value.code is ErrorCode.MalformedStorage
    assert len(scene) == 1


def test_graphs_are_where_they_belong(engine: Engine) -> None:
    load_model(engine)
    scene = make_scene(engine)
    folding = character().add_node("fold", SummarizeParams())
    for wrong in (folding, memory()):
        with pytest.raises(TalefoldError) as caught:
            scene.add_character("Edric", wrong)
        assert caught.value.code is ErrorCode.GraphCompilationFailed
    with pytest.raises(TalefoldError) as caught:
        engine.create_scene(memory_graph=character())
    assert caught.value.code is ErrorCode.GraphCompilationFailed
    assert scene.characters == []


async def _both(scene: Scene) -> list[str]:
    import asyncio

    results = await asyncio.gather(
        scene.take_turn_async("Edric"), scene.take_turn_async("Rowan")
    )
    return [result.text for result in results]


def test_several_characters_generate_at_once(engine: Engine) -> None:
    import asyncio

    # Slow enough that one does not end before the other begins.
    load_model(engine, token_delay_us=200_000)
    scene = make_scene(engine)
    scene.add_character("Edric", character())
    scene.add_character("Rowan", character("Rowan"))

    assert asyncio.run(_both(scene)) == ["Aye.", "Aye."]

    first, second = scene.messages
    assert (first.speaker, second.speaker) == ("Edric", "Rowan")
    assert first.based_on == second.based_on


def test_a_closed_scene_says_so(engine: Engine) -> None:
    load_model(engine)
    scene = make_scene(engine)
    scene.close()
    with pytest.raises(TalefoldError) as caught:
        scene.narrate("It rains.")
    assert caught.value.code is ErrorCode.AgentClosed
