"""Random scenes: no message is ever lost from the memory, told twice, or stuck."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from talefold import (
    ArchiveParams,
    Engine,
    GraphDescription,
    LayeredHistoryParams,
    Scene,
    SceneSettings,
    ScriptedReply,
)

NAMES = ("Ann", "Bob", "Cid")
REPLIES: dict[str, list[str | ScriptedReply]] = {
    "good": ["ANALYSIS: it is told.\nSUMMARY: The story went on for a while."],
    "blank": ["", "SUMMARY: The story went on for a while.", ""],
    "failing": [
        ScriptedReply("", outcome="fail"),
        "SUMMARY: The story went on for a while.",
        ScriptedReply("half", outcome="out_of_context"),
    ],
    "no marker": ["It went on and on, as it always does."],
    "never": [""],
}

operations = st.lists(
    st.tuples(
        st.sampled_from(
            [
                "say",
                "say",
                "say",
                "narrate",
                "direct",
                "time",
                "presence",
                "edit",
                "erase",
                "hide",
                "insert",
                "cancel",
                "snapshot",
                "regenerate",
            ]
        ),
        st.integers(0, 2**16),
    ),
    max_size=60,
)


def memory() -> GraphDescription:
    return (
        GraphDescription()
        .add_node("archive", ArchiveParams(token_threshold=150, default_exit="layers"))
        .add_node(
            "layers",
            LayeredHistoryParams(token_threshold=90, max_layers=2, chunk_chars=64),
        )
        .set_start_node("archive")
    )


def open_scene(engine: Engine, *, inline: bool, snapshot: str | None = None) -> Scene:
    return engine.create_scene(
        memory_graph=memory(),
        settings=SceneSettings(format="chat"),
        run_inline=inline,
        snapshot=snapshot,
    )


def apply(scene: Scene, operation: str, number: int) -> None:
    """One operation; `number` decides what of it is free."""
    dice = random.Random(number)
    messages = scene.messages
    text = " ".join(["word"] * dice.randint(1, 20)) + "."
    if operation == "say":
        scene.say(dice.choice(NAMES), text)
    elif operation == "narrate":
        scene.narrate(text)
    elif operation == "direct":
        scene.direct(dice.choice(NAMES), text)
    elif operation == "time":
        scene.pass_time(f"PT{dice.randint(1, 50)}H")
    elif operation == "presence":
        name = dice.choice(NAMES)
        if not scene.activate(name):
            scene.deactivate(name)
    elif operation == "cancel":
        scene.cancel_memory()
    elif operation == "regenerate" and scene.entries:
        scene.regenerate_all()
    elif messages:
        chosen = dice.choice(messages)
        if operation == "edit":
            scene.edit(chosen.id, text)
        elif operation == "erase":
            scene.erase(chosen.id)
        elif operation == "hide":
            scene.set_hidden(chosen.id, not chosen.hidden)
        elif operation == "insert":
            scene.insert_time(chosen.id, "PT1H")


def check(scene: Scene) -> None:
    """What holds of every scene at every time."""
    messages = scene.messages
    place = {message.id: i for i, message in enumerate(messages)}
    assert len(place) == len(messages)
    entries = scene.entries
    assert len({entry.id for entry in entries}) == len(entries)
    base = [entry for entry in entries if entry.layer == 0]
    check_base(base, place, [message.kind for message in messages])
    below = base
    for layer in range(1, 1 + max((entry.layer for entry in entries), default=0)):
        above = [entry for entry in entries if entry.layer == layer]
        position = {entry.id: i for i, entry in enumerate(below)}
        end = 0
        for entry in above:
            assert position[entry.first] == end  # no gap, nothing told twice
            end = position[entry.last] + 1
            assert end - position[entry.first] >= 2
        below = above


def check_base(base: list, place: dict[int, int], kinds: list[str]) -> None:
    end = 0
    clock = None
    for entry in base:
        assert entry.text
        assert (entry.first == 0) == (entry.last == 0)
        if entry.first == 0:
            continue
        first, last = place[entry.first], place[entry.last]
        assert end <= first <= last
        # What lies between two entries tells nothing.
        assert not {"character", "narrator"} & set(kinds[end:first])
        end = last + 1
        assert clock is None or clock <= seconds(entry.ts)
        clock = seconds(entry.ts)


def seconds(duration: str) -> int:
    total = number = 0
    in_time = False
    for c in duration[1:]:
        if c == "T":
            in_time = True
        elif c.isdigit():
            number = 10 * number + int(c)
        else:
            unit = {"D": 86400, "H": 3600, "M": 60, "S": 1}[c]
            total, number = total + number * unit, 0
    assert in_time or total % 86400 == 0
    return total


@settings(max_examples=60, deadline=None)
@given(operations, st.sampled_from(sorted(REPLIES)), st.booleans())
def test_the_memory_stays_whole(
    steps: list[tuple[str, int]], model: str, inline: bool
) -> None:
    with Engine() as engine:
        engine.load_scripted_model("mock", replies=REPLIES[model], tokenizer="chars")
        scene = open_scene(engine, inline=inline)
        for operation, number in steps:
            if operation == "snapshot":
                text = scene.export_snapshot()
                scene.close()
                scene = open_scene(engine, inline=inline, snapshot=text)
                assert scene.export_snapshot() == text or not inline
            else:
                apply(scene, operation, number)
            check(scene)
        scene.update_memory()
        check(scene)


@settings(max_examples=20, deadline=None)
@given(operations)
def test_a_model_that_comes_back_catches_up(steps: list[tuple[str, int]]) -> None:
    """With a good model nothing that is due waits."""
    with Engine() as engine:
        engine.load_scripted_model("mock", replies=REPLIES["never"], tokenizer="chars")
        scene = open_scene(engine, inline=True)
        for operation, number in steps:
            if operation != "snapshot":
                apply(scene, operation, number)
        text = scene.export_snapshot()
        scene.close()
        engine.unload_model("mock")
        engine.load_scripted_model("mock", replies=REPLIES["good"], tokenizer="chars")
        scene = open_scene(engine, inline=True, snapshot=text)

        assert scene.update_memory()

        check(scene)
        messages = scene.messages
        covered = [each.last for each in scene.entries if each.layer == 0 and each.last]
        begin = 1 + max(
            (i for i, each in enumerate(messages) if each.id in covered), default=-1
        )
        waiting = [
            each
            for each in messages[begin:-1]
            if each.kind in ("character", "narrator")
        ]
        shown = sum(len(f"{each.speaker}: {each.text}") for each in waiting)
        # At most the threshold, counted without the speaker of a narrator's line.
        assert shown <= 150 + 2 * len(waiting)
