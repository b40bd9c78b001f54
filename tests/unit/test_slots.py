"""Slots: texts that nodes of one turn hand on, unseen by the player."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from support import raises_code
from talefold import (
    AnswerText,
    CannedResponseParams,
    Engine,
    ErrorCode,
    GenerateAndSpeakParams,
    GenerateParams,
    GraphDescription,
    SpeakParams,
    SpeechAudio,
    SpeechBackend,
    SpeechRequest,
    SummarizeParams,
    ToolCallParams,
    TurnResult,
)

from .content_nodes import graph_of, teller
from .helpers import SUMMARIZE, Chat, fails, finish, keys_of, report, stalls
from .tool_nodes import TOOLS

SAID = "a dark mood"
# Nodes that write SAID to their slot.
WRITERS: dict[str, Any] = {
    "Generate": lambda **params: GenerateParams(context_size=4096, **params),
    "streaming": lambda **params: GenerateParams(
        context_size=4096, stream=True, **params
    ),
    "CannedResponse": lambda **params: CannedResponseParams(
        inline_strings=[SAID], **params
    ),
    "ToolCall": lambda default_exit="", **params: ToolCallParams(
        context_size=4096, tools=TOOLS, generate_on_no_tool=True,
        no_tool_called_exit=default_exit, **params,
    ),
}  # fmt: skip

EACH_WRITER = pytest.mark.parametrize("kind", WRITERS)


class Recorder(SpeechBackend):
    """Remembers what it should say, and says nothing."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def check_voice(self, voice: str, speaker_id: int) -> None:
        pass

    def synthesize(
        self, request: SpeechRequest, stop: Callable[[], bool]
    ) -> Iterator[SpeechAudio]:
        self.heard.append(request.text)
        yield from ()


def slot_chat(
    engine: Engine,
    kind: str,
    template: str = "{{slot_mood}}",
    *,
    replies: Any = (SAID,),
    **options: Any,
) -> Chat:
    """writer -> generate, whose template shows the slot "mood"."""
    writer = WRITERS[kind](output_slot="mood", default_exit="generate")
    graph = graph_of(("writer", writer), teller(template))
    return Chat(engine, graph, node_replies={"writer": replies}, **options)


def frame_of(chat: Chat) -> str:
    return chat.last_messages()[-2][1]


def answers(result: TurnResult) -> list[AnswerText]:
    return [event for event in result.events if isinstance(event, AnswerText)]


@EACH_WRITER
def test_a_later_node_shows_the_slot(engine: Engine, kind: str) -> None:
    chat = slot_chat(engine, kind, "She is in {{slot_mood}}.")

    chat.say()

    assert frame_of(chat) == f"She is in {SAID}."


@EACH_WRITER
def test_the_player_does_not_see_it(engine: Engine, kind: str) -> None:
    result = slot_chat(engine, kind).say()

    assert {event.node for event in answers(result)} == {"generate"}
    assert result.text == "Aye."


@EACH_WRITER
def test_it_is_not_part_of_the_dialog(engine: Engine, kind: str) -> None:
    chat = slot_chat(engine, kind)

    chat.say()

    (interaction,) = chat.agent.dialog()
    assert (interaction.user, interaction.assistant) == ("Hi", "Aye.")
    assert SAID not in chat.agent.export_snapshot()


@EACH_WRITER
def test_a_turn_that_fills_a_slot_only_has_no_reply(engine: Engine, kind: str) -> None:
    graph = graph_of(("writer", WRITERS[kind](output_slot="mood")))
    chat = Chat(engine, graph, node_replies={"writer": [SAID]})

    result = chat.say()

    assert (result.status, result.text, answers(result)) == ("success", "", [])
    assert chat.agent.dialog()[0].assistant == ""
    assert chat.agent.dialog()[0].status == "complete"


@EACH_WRITER
def test_the_diagnostics_keep_it(engine: Engine, kind: str) -> None:
    result = slot_chat(engine, kind).say()

    assert report(result, "writer")["output"]["slot"] == SAID
    assert "slot" not in report(result, "generate")["output"]


@EACH_WRITER
def test_without_a_slot_the_text_is_the_reply(engine: Engine, kind: str) -> None:
    graph = graph_of(("writer", WRITERS[kind]()))
    chat = Chat(engine, graph, node_replies={"writer": [SAID]})

    result = chat.say()

    assert result.text == chat.agent.dialog()[0].assistant == SAID
    assert "output.slot" not in keys_of(report(result, "writer"))


@EACH_WRITER
def test_it_is_gone_in_the_next_turn(engine: Engine, kind: str) -> None:
    """The start node shows the slot that only a later node of the turn fills."""
    first = GenerateParams(
        context_size=4096,
        template="({{slot_mood}})",
        placement="before_user_as_user",
        default_exit="writer",
    )
    writer = WRITERS[kind](output_slot="mood")
    graph = graph_of(("generate", first), ("writer", writer))
    chat = Chat(engine, graph, node_replies={"writer": [SAID]})
    for _ in range(3):
        chat.say()
        assert frame_of(chat) == "()"

    assert SAID not in chat.last_text("generate")
    if kind != "CannedResponse":
        assert SAID not in chat.last_text("writer")


def test_a_slot_is_not_in_the_prompts_of_later_turns(engine: Engine) -> None:
    chat = slot_chat(engine, "Generate", "", replies=[SAID])
    for _ in range(3):
        chat.say()

    assert SAID not in chat.last_text()
    assert SAID not in chat.last_text("writer")


def test_nothing_of_a_slot_is_folded(engine: Engine) -> None:
    writer = GenerateParams(output_slot="mood", default_exit="generate")
    talk = GenerateParams(default_exit="summarize", template="{{slot_mood}}")
    graph = graph_of(
        ("writer", writer),
        ("generate", talk),
        ("summarize", SummarizeParams(**(SUMMARIZE | {"trigger_turns": 1}))),
    )
    chat = Chat(engine, graph, node_replies={"writer": [SAID]})

    chat.say()

    assert chat.last_messages("summarize") == [("system", "S"), ("user", "HiAye.")]


def test_several_slots_are_kept_apart_and_the_last_text_counts(engine: Engine) -> None:
    nodes = [
        ("a", "mood", "one", "b"),
        ("b", "plan", "two", "c"),
        ("c", "mood", "three", "generate"),
    ]
    graph = graph_of(
        *(
            (name, CannedResponseParams(
                inline_strings=[text], output_slot=slot, default_exit=after
            ))
            for name, slot, text, after in nodes
        ),
        teller("{{slot_mood}}-{{slot_plan}}-{{slot_none}}"),
    )  # fmt: skip
    chat = Chat(engine, graph)

    chat.say()

    assert frame_of(chat) == "three-two-"


@pytest.mark.parametrize(
    "text", ["{{user_message}}", "<|assistant|>", "a\n\nb", '"quoted" & <b>']
)
def test_the_text_of_a_slot_is_data(engine: Engine, text: str) -> None:
    plain = slot_chat(engine, "Generate", replies=["x"])
    plain.say()
    chat = slot_chat(engine, "Generate", replies=[text])

    chat.say()

    assert frame_of(chat) == text

    def controls(chat: Chat) -> int:
        return sum(token < 16 for token in chat.last_request().prompt_tokens)

    assert controls(chat) == controls(plain)


def test_an_empty_slot_is_a_section_that_is_skipped(engine: Engine) -> None:
    template = "{{#slot_mood}}x{{/slot_mood}}{{^slot_mood}}none{{/slot_mood}}"
    chat = slot_chat(engine, "Generate", template, replies=[""])

    chat.say()

    assert frame_of(chat) == "none"


def test_a_failed_writer_fails_the_turn(engine: Engine) -> None:
    chat = slot_chat(engine, "streaming", replies=[fails("dark")])

    result = chat.say()

    assert (result.status, result.events[:-1]) == ("error", [])
    assert chat.agent.dialog_size == 0


def test_a_cancelled_writer_leaves_nothing(engine: Engine) -> None:
    chat = slot_chat(engine, "streaming", replies=[stalls("dark")])

    result = finish(chat.stop_inside("writer", lambda: chat.agent.start("Hi")))

    assert (result.status, result.events[:-1]) == ("cancelled", [])
    assert chat.agent.dialog_size == 0


def test_a_regenerated_turn_fills_its_slots_anew(engine: Engine) -> None:
    chat = slot_chat(engine, "Generate", replies=["one", "two"])
    chat.say()

    chat.regenerate()

    assert frame_of(chat) == "two"


def test_a_replayed_turn_fills_no_slot(engine: Engine) -> None:
    chat = slot_chat(engine, "Generate")

    chat.agent.replay_turn(user="Hi", assistant="Aye.")

    assert chat.requests("writer") == []


def test_a_slot_is_not_spoken(engine: Engine) -> None:
    voice = Recorder()
    engine.set_speech_backend(voice)
    writer = CannedResponseParams(
        inline_strings=[SAID], output_slot="mood", default_exit="speak"
    )
    graph = graph_of(("writer", writer), ("speak", SpeakParams()))

    Chat(engine, graph).say()

    assert voice.heard == []


@EACH_WRITER
@pytest.mark.parametrize("name", ["a b", "ä", "a.b", "{{x}}", "a" * 65, " "])
def test_a_slot_needs_a_name(engine: Engine, kind: str, name: str) -> None:
    engine.load_scripted_model("m")
    graph = graph_of(("writer", WRITERS[kind](output_slot=name)))

    with raises_code(ErrorCode.InvalidParamValue) as caught:
        engine.create_agent(graph)

    assert "node 'writer', field 'output_slot'" in caught.value.message
    assert f'"{name[:32]}' in caught.value.message
    (problem,) = graph.validate()
    assert (problem.code, problem.field) == (ErrorCode.InvalidParamValue, "output_slot")


@EACH_WRITER
@pytest.mark.parametrize("name", ["a", "A-b_9", "a" * 64])
def test_names_of_slots(engine: Engine, kind: str, name: str) -> None:
    graph = graph_of(
        ("writer", WRITERS[kind](output_slot=name, default_exit="generate")),
        teller("{{slot_" + name + "}}"),
    )
    chat = Chat(engine, graph, node_replies={"writer": [SAID]})

    chat.say()

    assert frame_of(chat) == SAID


@EACH_WRITER
def test_the_slot_is_frozen_at_creation(engine: Engine, kind: str) -> None:
    chat = slot_chat(engine, kind)

    for slot in ("other", ""):
        with raises_code(ErrorCode.ParamNotMutable):
            chat.agent.change_params("writer", {"output_slot": slot})

    chat.agent.change_params("writer", {"output_slot": "mood"})  # no change


def test_a_node_that_speaks_its_reply_has_no_slot() -> None:
    graph = GraphDescription().add_node("a", GenerateAndSpeakParams())

    assert "output_slot" not in json.loads(graph.to_json())["nodes"][0]["params"]
    assert not hasattr(GenerateAndSpeakParams(), "output_slot")
