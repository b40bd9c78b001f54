"""What a template can show of its turn, and what goes when it does not fit."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from talefold import (
    Engine,
    ErrorCode,
    GenerateAndSpeakParams,
    GenerateParams,
    GraphDescription,
    InstructionParams,
    RetrieveParams,
    SamplingOverrides,
    SpeechBackend,
)

from .content_nodes import documented_keys
from .helpers import Chat, control_tokens, keys_of, report

CONFIG: dict[str, Any] = {"version": 1, "fields": []}
RECORDS = [
    {"id": "room", "text": "a bed for the night"},
    {"id": "food", "text": "some bread and ale"},
]
KNOWLEDGE = "{{#knowledge}}{{#chunks}}{{text}};{{/chunks}}{{/knowledge}}"
INSTRUCTIONS = "{{#instructions}}{{text}};{{/instructions}}"
PLACEMENTS = (
    "in_place_of_user",
    "before_user_as_user",
    "before_user_as_system",
    "after_user_as_user",
    "after_user_as_system",
)


@pytest.fixture(autouse=True)
def knowledge(engine: Engine) -> None:
    engine.load_knowledge("lore", config=CONFIG, records=RECORDS)


def informed_graph(
    template: str, placement: str = "before_user_as_user", **params: Any
) -> GraphDescription:
    """retrieve -> tone -> name -> generate."""
    lore = RetrieveParams(
        embedded_string_storage="lore", source="inn", threshold=0.9,
        found_exit="tone", not_found_exit="tone",
    )  # fmt: skip
    tone = InstructionParams(instruction="Be kind.", default_exit="name")
    talk: dict[str, Any] = {
        "context_size": 4096,
        "template": template,
        "placement": placement,
    }
    return (
        GraphDescription()
        .add_node("retrieve", lore)
        .add_node("tone", tone)
        .add_node(
            "name",
            InstructionParams(
                instruction_name="greeting",
                instruction="Say hello.",
                default_exit="generate",
            ),
        )
        .add_node("generate", GenerateParams(**(talk | params)))
        .set_start_node("retrieve")
    )


def informed(engine: Engine, template: str, *args: Any, **params: Any) -> Chat:
    return Chat(engine, informed_graph(template, *args, **params))


def shown(chat: Chat) -> str:
    """What stands before the player's message."""
    return chat.last_messages()[-2][1]


# Tags ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("{{user_message}}!", "a bed!"),
        ("{{#instructions}}[{{name}}: {{text}}]{{/instructions}}",
         "[tone: Be kind.][greeting: Say hello.]"),
        ("{{instruction_greeting}} {{instruction_tone}}", "Say hello. Be kind."),
        ("{{instruction_name}}-{{instruction_none}}", "-"),
        ("{{#instruction_tone}}{{instruction_tone}}{{/instruction_tone}}", "Be kind."),
        ("{{#knowledge}}{{name}}:{{#chunks}}{{id}}={{text}}{{/chunks}}{{/knowledge}}",
         "inn:room=a bed for the night"),
        ("{{#knowledge_inn}}{{name}}:{{#chunks}}{{id}}{{/chunks}}{{/knowledge_inn}}",
         "inn:room"),
        ("{{#knowledge_inn}}{{#has_chunks}}yes{{/has_chunks}}{{/knowledge_inn}}",
         "yes"),
        ("{{^knowledge_other}}none{{/knowledge_other}}", "none"),
        ("{{knowledge_inn.name}} {{knowledge_inn.has_chunks}}", "inn true"),
    ],
)  # fmt: skip
def test_a_template_shows_what_the_turn_has(
    engine: Engine, template: str, text: str
) -> None:
    chat = informed(engine, template)

    chat.say("a bed")

    assert shown(chat) == text


def test_the_distance_of_a_chunk_is_a_number(engine: Engine) -> None:
    chat = informed(
        engine,
        "{{#knowledge_inn}}{{#chunks}}{{distance}}{{/chunks}}{{/knowledge_inn}}",
    )

    result = chat.say("a bed")

    (chunk,) = report(result, "retrieve")["knowledge"]["chunks"]
    assert float(shown(chat)) == pytest.approx(chunk["distance"])
    assert 0 <= float(shown(chat)) < 0.9


def test_nothing_found_is_a_block_without_chunks(engine: Engine) -> None:
    chat = informed(
        engine,
        "{{#knowledge_inn}}{{name}}{{^has_chunks}}: nothing{{/has_chunks}}"
        "{{#chunks}}{{text}}{{/chunks}}{{/knowledge_inn}}",
    )

    chat.say("Good evening.")

    assert shown(chat) == "inn: nothing"


def test_a_later_instruction_of_the_same_name_replaces_the_text(engine: Engine) -> None:
    first = InstructionParams(instruction_name="x", instruction="one", default_exit="b")
    second = InstructionParams(
        instruction_name="x", instruction="two", default_exit="generate"
    )
    talk = GenerateParams(template=INSTRUCTIONS, placement="before_user_as_user")
    graph = (
        GraphDescription()
        .add_node("a", first)
        .add_node("b", second)
        .add_node("generate", talk)
        .set_start_node("a")
    )
    chat = Chat(engine, graph)

    chat.say()

    assert shown(chat) == "two;"
    (instruction,) = chat.agent.dialog()[0].instructions
    assert (instruction.name, instruction.text) == ("x", "two")


@pytest.mark.parametrize(
    "text", ["{{user_message}}", "<|user|>", 'a & "b" <i>', "a\nb"]
)
def test_texts_are_neither_rendered_again_nor_escaped(
    engine: Engine, text: str
) -> None:
    chat = informed(engine, "{{instruction_tone}}")
    chat.agent.change_params("tone", {"instruction": text})

    chat.say("a bed")

    assert shown(chat) == text
    # <|user|> twice and <|assistant|>.
    assert control_tokens(chat.last_request()) == 3


def test_a_turn_without_user_text_has_an_empty_user_message(engine: Engine) -> None:
    chat = informed(engine, "({{user_message}}){{instruction_tone}}")

    chat.say(None)

    assert chat.last_messages()[-1] == ("user", "()Be kind.")


@pytest.mark.parametrize(
    ("tag", "known"),
    [
        ("{{instruction_x}}", True),
        ("{{knowledge_x}}", True),
        ("{{slot_x}}", True),
        ("{{#knowledge}}{{#chunks}}{{id}}{{distance}}{{/chunks}}{{/knowledge}}", True),
        ("{{user_mesage}}", False),
        ("{{knowlegde}}", False),
        ("{{slots}}", False),
    ],
)
def test_unknown_tags_are_warned_of(engine: Engine, tag: str, known: bool) -> None:
    problems = informed_graph(tag).validate()

    assert [problem.is_warning for problem in problems] == ([] if known else [True])


def test_exactly_the_documented_keys_of_an_instruction_are_reported(
    engine: Engine,
) -> None:
    result = informed(engine, "").say("a bed")

    assert keys_of(report(result, "name")) == documented_keys("Instruction")
    assert report(result, "name")["instruction"] == {
        "name": "greeting", "text": "Say hello.",
    }  # fmt: skip


# Placements ----------------------------------------------------------------------

FRAME = "a bed|Be kind.;Say hello.;|a bed for the night;"
WHERE: dict[str, list[tuple[str, str]]] = {
    "in_place_of_user": [("user", FRAME)],
    "before_user_as_user": [("user", FRAME), ("user", "a bed")],
    "before_user_as_system": [("system", FRAME), ("user", "a bed")],
    "after_user_as_user": [("user", "a bed"), ("user", FRAME)],
    "after_user_as_system": [("user", "a bed"), ("system", FRAME)],
}


def full_frame(engine: Engine, placement: str) -> Chat:
    return informed(
        engine, f"{{{{user_message}}}}|{INSTRUCTIONS}|{KNOWLEDGE}", placement
    )


@pytest.mark.parametrize("placement", PLACEMENTS)
def test_each_placement_shows_all_of_it(engine: Engine, placement: str) -> None:
    chat = full_frame(engine, placement)

    chat.say("a bed")

    assert chat.last_messages() == WHERE[placement]


@pytest.mark.parametrize("placement", PLACEMENTS)
def test_nothing_of_it_is_replayed(engine: Engine, placement: str) -> None:
    chat = full_frame(engine, placement)
    chat.say("a bed")
    chat.agent.change_params("tone", {"instruction": "Be short."})

    chat.say("Good evening.")

    earlier, now = chat.last_messages()[:2], chat.last_messages()[2:]
    assert earlier == [("user", "a bed"), ("assistant", "Aye.")]
    assert not any("Be kind" in text or "night" in text for _, text in now)
    assert any("Be short" in text for _, text in now)


@pytest.mark.parametrize("placement", PLACEMENTS)
def test_a_frame_that_renders_empty_adds_no_message(
    engine: Engine, placement: str
) -> None:
    template = "{{#none}}{{user_message}}{{/none}} \n"
    chat = informed(engine, template, placement)

    chat.say("a bed")

    assert chat.last_messages() == [("user", "a bed")]


# What is kept --------------------------------------------------------------------


def test_the_dialog_keeps_what_was_attached(engine: Engine) -> None:
    chat = informed(engine, "")
    chat.say("a bed")

    (interaction,) = chat.agent.dialog()
    assert [(each.name, each.text) for each in interaction.instructions] == [
        ("tone", "Be kind."),
        ("greeting", "Say hello."),
    ]
    assert [
        (each.source, [c.id for c in each.chunks]) for each in interaction.knowledge
    ] == [("inn", ["room"])]
    copy = Chat(engine, informed_graph(""), snapshot=chat.agent.export_snapshot())
    assert copy.agent.dialog() == chat.agent.dialog()


# What does not fit ---------------------------------------------------------------
#
# context_size 400, reply reserve 100 -> a prompt may have 300 tokens. A frame of n and
# a message of 5 cost n + 1 + 5 + 1 + 1.

TIGHT: dict[str, Any] = {
    "context_size": 400,
    "sampling": SamplingOverrides(max_tokens=100),
}
BOTH = "{{instruction_long}}{{#knowledge}}{{#chunks}}{{text}}{{/chunks}}{{/knowledge}}"


def crowded(
    engine: Engine, knowledge: int, instruction: int, template: str = BOTH
) -> Chat:
    """A turn that found `knowledge` characters and has `instruction` more."""
    text = "bread " + "k" * (knowledge - 6)
    engine.load_knowledge("long", config=CONFIG, records=[{"id": "a", "text": text}])
    graph = (
        GraphDescription()
        .add_node(
            "retrieve",
            RetrieveParams(
                embedded_string_storage="long", source="inn", threshold=0,
                found_exit="long",
            ),
        )
        .add_node(
            "long",
            InstructionParams(instruction="i" * instruction, default_exit="generate"),
        )
        .add_node(
            "generate",
            GenerateParams(
                template=template, placement="before_user_as_user", **TIGHT
            ),
        )
        .set_start_node("retrieve")
    )  # fmt: skip
    return Chat(engine, graph)


@pytest.mark.parametrize(
    ("knowledge", "instruction", "left_out"),
    [
        (100, 192, None),  # 300 tokens
        (100, 193, ["knowledge"]),
        (300, 100, ["knowledge"]),
        (100, 292, ["knowledge"]),
        (100, 293, ["knowledge", "instructions"]),
        (500, 500, ["knowledge", "instructions"]),
    ],
)
def test_knowledge_goes_first_then_instructions(
    engine: Engine, knowledge: int, instruction: int, left_out: list[str] | None
) -> None:
    chat = crowded(engine, knowledge, instruction)

    result = chat.say("bread")

    assert result.status == "success"
    text = chat.last_text()
    assert ("kkk" in text) == (left_out is None)
    assert ("iii" in text) == (left_out is None or "instructions" not in left_out)
    assert chat.last_messages()[-1] == ("user", "bread")
    assert report(result, "generate")["history"].get("left_out") == left_out


@pytest.mark.parametrize(
    ("knowledge", "instruction", "named"),
    [
        (100, 192, []),
        (300, 100, ["knowledge"]),
        (300, 300, ["knowledge", "instructions"]),
    ],
)
def test_the_log_tells_what_was_left_out(
    engine: Engine,
    caplog: pytest.LogCaptureFixture,
    knowledge: int,
    instruction: int,
    named: list[str],
) -> None:
    chat = crowded(engine, knowledge, instruction)
    with caplog.at_level(logging.WARNING, "talefold"):
        chat.say("bread")

    texts = [record.getMessage() for record in caplog.records]
    assert len(texts) == (1 if named else 0)
    for name in ("knowledge", "instructions"):
        assert any(name in text for text in texts) == (name in named)
    assert not any("iii" in text or "kkk" in text for text in texts)


def test_history_goes_before_knowledge(engine: Engine) -> None:
    chat = crowded(engine, 60, 60)
    for _ in range(8):
        result = chat.say("bread " + "x" * 20)
        assert "left_out" not in report(result, "generate")["history"]
        assert "kkk" in chat.last_text()
        assert "iii" in chat.last_text()

    assert "trimmed" in chat.states()


@pytest.mark.parametrize("size", [300, 5000])
def test_what_never_fits_costs_no_history(engine: Engine, size: int) -> None:
    chat = crowded(engine, size, 100)
    for text in ("one", "two", "three"):
        chat.say(text)  # nothing is found: END

    result = chat.say("bread")

    assert report(result, "generate")["history"]["left_out"] == ["knowledge"]
    assert chat.states() == ["replayed"] * 4
    assert [text for _, text in chat.last_messages()] == [
        "one", "two", "three", "i" * 100, "bread",
    ]  # fmt: skip


def test_only_instructions_are_left_out_when_there_is_no_knowledge(
    engine: Engine, caplog: pytest.LogCaptureFixture
) -> None:
    chat = crowded(engine, 10, 400, template="{{instruction_long}}")

    result = chat.say("bread")

    assert report(result, "generate")["history"]["left_out"] == ["instructions"]
    (record,) = caplog.records
    assert "instructions" in record.getMessage()
    assert "knowledge" not in record.getMessage()


def test_what_is_left_out_stays_with_the_interaction(engine: Engine) -> None:
    chat = crowded(engine, 500, 500)

    chat.say("bread")

    (interaction,) = chat.agent.dialog()
    assert len(interaction.knowledge[0].chunks[0].text) == 500
    assert len(interaction.instructions[0].text) == 500


def test_a_message_that_alone_does_not_fit_fails_the_turn(engine: Engine) -> None:
    chat = crowded(engine, 300, 300)

    result = chat.say("bread " + "x" * 400)

    assert result.status == "error"
    assert result.error is not None
    assert result.error.code == ErrorCode.ContextOverflow
    assert "400" in result.error.message
    assert chat.agent.dialog_size == 0
    assert chat.requests() == []
    assert chat.say("bread").status == "success"


def test_the_template_of_the_node_itself_is_never_left_out(engine: Engine) -> None:
    chat = crowded(engine, 10, 10, template="t" * 400)

    result = chat.say("bread")

    assert result.error is not None
    assert result.error.code == ErrorCode.ContextOverflow


def test_a_template_that_shows_neither_is_not_said_to_leave_them_out(
    engine: Engine, caplog: pytest.LogCaptureFixture
) -> None:
    """The prompt is too long by its message; nothing of the turn could be dropped."""
    chat = crowded(engine, 10, 10, template="frame")

    result = chat.say("bread " + "x" * 300)

    assert result.status == "success"
    assert "left_out" not in report(result, "generate")["history"]
    assert not caplog.records


class Mute(SpeechBackend):
    def check_voice(self, voice: str, speaker_id: int) -> None:
        pass

    def synthesize(self, request: object, stop: object) -> Any:
        return iter(())


def test_a_node_that_speaks_shows_the_same(engine: Engine) -> None:
    engine.set_speech_backend(Mute())
    template = f"{INSTRUCTIONS}|{KNOWLEDGE}"
    written = informed(engine, template)
    graph = GraphDescription()
    for name, params in informed_graph(template).nodes.items():
        if isinstance(params, GenerateParams):
            params = GenerateAndSpeakParams(
                context_size=4096, template=template, placement="before_user_as_user"
            )
        graph.add_node(name, params)
    spoken = Chat(engine, graph.set_start_node("retrieve"))

    written.say("a bed")
    spoken.say("a bed")

    assert spoken.last_messages() == written.last_messages()
