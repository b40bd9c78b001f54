"""GenerateAndSpeak and Speak, over speech backends written in Python."""

from __future__ import annotations

import array
import logging
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from support import raises_code
from talefold import (
    AnswerText,
    AudioChunk,
    Engine,
    ErrorCode,
    GenerateAndSpeakParams,
    GenerateParams,
    GraphDescription,
    InstructionParams,
    NodeEvent,
    NodeParams,
    SpeakParams,
    SpeechAudio,
    SpeechBackend,
    SpeechRequest,
    SummarizeParams,
    TalefoldError,
    TurnResult,
)

from .content_nodes import documented_keys
from .helpers import SUMMARIZE, Chat, fails, finish, keys_of, overflows, report, stalls

Script = Callable[[SpeechRequest, Callable[[], bool]], Iterator[SpeechAudio]]


def audio(*samples: int, rate: int = 8000) -> SpeechAudio:
    return SpeechAudio(sample_rate=rate, samples=array.array("h", samples))


class FakeVoice(SpeechBackend):
    """Says one sample, the length of the sentence, or does as it is told."""

    def __init__(self, script: Script | None = None) -> None:
        self.requests: list[SpeechRequest] = []
        self.checked: list[tuple[str, int]] = []
        self.refuses: BaseException | None = None
        self._script = script

    def check_voice(self, voice: str, speaker_id: int) -> None:
        self.checked.append((voice, speaker_id))
        if self.refuses is not None:
            raise self.refuses

    def synthesize(
        self, request: SpeechRequest, stop: Callable[[], bool]
    ) -> Iterator[SpeechAudio]:
        self.requests.append(request)
        if self._script is None:
            yield audio(len(request.text))
        else:
            yield from self._script(request, stop)

    @property
    def texts(self) -> list[str]:
        return [request.text for request in self.requests]


def graph_of(**nodes: NodeParams) -> GraphDescription:
    """The nodes in a row."""
    graph = GraphDescription()
    for name, params in nodes.items():
        graph.add_node(name, params)
    return graph.set_start_node(next(iter(nodes)))


def talker(**params: Any) -> GraphDescription:
    return graph_of(generate=GenerateAndSpeakParams(min_sentence_chars=1, **params))


def talk_then_speak(**params: Any) -> GraphDescription:
    speak = SpeakParams(**{"min_sentence_chars": 1, **params})
    return graph_of(generate=GenerateParams(default_exit="speak"), speak=speak)


@pytest.fixture
def voice(engine: Engine) -> FakeVoice:
    voice = FakeVoice()
    engine.set_speech_backend(voice)
    return voice


@pytest.fixture
def speaking(engine: Engine) -> Callable[..., Chat]:
    """Opens a chat whose backend runs `script`."""

    def open_chat(script: Script, graph: GraphDescription, **options: Any) -> Chat:
        engine.set_speech_backend(FakeVoice(script))
        return Chat(engine, graph, **options)

    return open_chat


def chunks(result: TurnResult) -> list[tuple[str, list[int], bool]]:
    return [
        (event.text, event.samples.tolist(), event.is_final)
        for event in result.events
        if isinstance(event, AudioChunk)
    ]


def speech_failures(result: TurnResult) -> list[NodeEvent]:
    return [
        event
        for event in result.events
        if isinstance(event, NodeEvent) and event.event_type == "speech_failed"
    ]


def until_stopped(stop: Callable[[], bool]) -> None:
    pause = threading.Event()
    while not stop():
        pause.wait(0.001)


BOTH = pytest.mark.parametrize(
    "graph", [talker(), talk_then_speak()], ids=["one", "two"]
)


@BOTH
def test_each_sentence_is_voiced(
    engine: Engine, voice: FakeVoice, graph: GraphDescription
) -> None:
    result = Chat(engine, graph, replies=["Aye. Two rooms!\nSit"]).say()

    assert result.text == "Aye. Two rooms!\nSit"
    assert voice.texts == ["Aye.", "Two rooms!", "Sit"]
    assert chunks(result) == [
        ("Aye.", [4], False),
        ("Two rooms!", [10], False),
        ("Sit", [3], False),
        ("", [], True),
    ]


def test_a_chunk_is_a_numpy_array_of_a_node(engine: Engine, voice: FakeVoice) -> None:
    events = Chat(engine, talker()).say().events
    chunk = next(event for event in events if isinstance(event, AudioChunk))

    assert chunk.samples.dtype == np.int16
    assert (chunk.node, chunk.turn_id, chunk.sample_rate) == ("generate", 1, 8000)


@pytest.mark.parametrize(
    "graph",
    [
        talker(tts_voice="edric", speaker_id=3, speed=1.5),
        talk_then_speak(tts_voice="edric", speaker_id=3, speed=1.5),
    ],
    ids=["one", "two"],
)
def test_the_params_reach_the_backend(
    engine: Engine, voice: FakeVoice, graph: GraphDescription
) -> None:
    Chat(engine, graph).say()

    assert voice.checked == [("edric", 3)]
    assert voice.requests == [
        SpeechRequest(text="Aye.", voice="edric", speaker_id=3, speed=1.5)
    ]


def test_short_sentences_are_voiced_together(engine: Engine, voice: FakeVoice) -> None:
    graph = graph_of(generate=GenerateAndSpeakParams(min_sentence_chars=6))
    Chat(engine, graph, replies=["Aye. No. Maybe so."]).say()

    assert voice.texts == ["Aye. No.", "Maybe so."]


@BOTH
@pytest.mark.parametrize("reply", ["🙂", "...", "\n"])
def test_what_cannot_be_pronounced_is_not_voiced(
    engine: Engine, voice: FakeVoice, graph: GraphDescription, reply: str
) -> None:
    result = Chat(engine, graph, replies=[reply]).say()

    assert voice.requests == []
    assert chunks(result) == []


def test_a_sentence_is_heard_before_the_next_is_written(
    engine: Engine, voice: FakeVoice
) -> None:
    chat = Chat(engine, talker(), replies=[stalls("Aye. So")])
    turn = chat.agent.start("Hi")
    event = turn.wait_event(timeout=30)  # the model says no more until it is cancelled

    assert isinstance(event, AudioChunk)
    assert event.text == "Aye."
    turn.cancel()
    finish(turn)


def test_the_complete_text_comes_before_the_speech_ends(
    speaking: Callable[..., Chat],
) -> None:
    text_is_there = threading.Event()

    def wait(request: SpeechRequest, stop: object) -> Iterator[SpeechAudio]:
        assert text_is_there.wait(30)
        yield audio(1)

    turn = speaking(wait, talker()).agent.start("Hi")
    event = turn.wait_event(timeout=30)
    assert isinstance(event, AnswerText)
    assert event.is_final
    text_is_there.set()

    assert len(chunks(finish(turn))) == 2


# --- an end that comes early


@pytest.mark.parametrize(
    ("stream", "kept"), [(False, "Aye."), (True, "Aye. So")], ids=["heard", "shown"]
)
def test_a_cancel_keeps_what_the_player_has_had(
    engine: Engine, voice: FakeVoice, stream: bool, kept: str
) -> None:
    chat = Chat(engine, talker(stream=stream), replies=[stalls("Aye. So")])
    turn = chat.agent.start("Hi")
    shown, heard = "", False
    while not heard or (stream and shown != kept):
        event = turn.wait_event(timeout=30)
        heard = heard or isinstance(event, AudioChunk)
        shown += event.text if isinstance(event, AnswerText) else ""
    turn.cancel()
    result = finish(turn)

    assert result.status == "cancelled"
    assert result.text == kept
    (turn_kept,) = chat.agent.dialog()
    assert (turn_kept.assistant, turn_kept.status) == (kept, "interrupted")
    assert chunks(result)[-1] == ("", [], True)


def test_a_cancel_before_anything_is_heard_leaves_the_dialog_as_it_was(
    speaking: Callable[..., Chat],
) -> None:
    speaks = threading.Event()

    def wait(request: SpeechRequest, stop: Callable[[], bool]) -> Iterator[SpeechAudio]:
        speaks.set()
        until_stopped(stop)
        yield audio(1)

    chat = speaking(wait, talker(), replies=[stalls("Aye. So")])
    turn = chat.agent.start("Hi")
    assert speaks.wait(30)
    turn.cancel()
    result = finish(turn)

    assert (result.status, chunks(result)) == ("cancelled", [])
    assert chat.agent.dialog() == []


@BOTH
def test_a_cancel_while_the_rest_is_spoken_keeps_the_reply(
    speaking: Callable[..., Chat], graph: GraphDescription
) -> None:
    closed, pause = threading.Event(), threading.Event()

    def go_on(request: SpeechRequest, stop: object) -> Iterator[SpeechAudio]:
        try:
            while True:
                yield audio(1)
                pause.wait(0.001)
        finally:
            closed.set()

    chat = speaking(go_on, graph, replies=["Aye. So it is."])
    turn = chat.agent.start("Hi")
    complete = False
    for event in turn:
        complete = complete or isinstance(event, AnswerText)
        if complete and isinstance(event, AudioChunk):
            turn.cancel()
    result = finish(turn)

    assert result.status == "cancelled"
    assert result.text == "Aye. So it is."
    assert chat.agent.dialog()[0].status == "cancelled"
    assert closed.is_set()
    assert speech_failures(result) == []


def test_a_model_that_fails_keeps_what_was_heard(speaking: Callable[..., Chat]) -> None:
    """Or nothing: whichever was first, the text and the audio agree."""
    chat = speaking(
        lambda request, stop: iter([audio(1)]), talker(), replies=[fails("Aye. So")]
    )
    result = chat.say()

    assert result.error is not None
    assert result.error.code == ErrorCode.InferenceFailed
    heard = "Aye." if chunks(result) else ""
    assert [turn.assistant for turn in chat.agent.dialog()] == [heard] * bool(heard)


def test_a_prompt_that_was_too_long_is_spoken_once(
    engine: Engine, voice: FakeVoice
) -> None:
    chat = Chat(engine, talker(), replies=[overflows(), "Aye."])
    chat.append(("One", "1"), ("Two", "2"))
    result = chat.say()

    assert result.text == "Aye."
    assert voice.texts == ["Aye."]


# --- Speak


def test_the_newest_text_of_the_turn_is_voiced(
    engine: Engine, voice: FakeVoice
) -> None:
    graph = graph_of(
        first=GenerateParams(default_exit="second"),
        second=GenerateParams(default_exit="speak"),
        speak=SpeakParams(),
    )
    engine.load_scripted_model(
        "m", node_replies={"first": ["One."], "second": ["Two."]}
    )
    engine.create_agent(graph).send("Hi")

    assert voice.texts == ["Two."]


def test_without_a_text_of_this_turn_nothing_is_voiced(
    engine: Engine, voice: FakeVoice
) -> None:
    chat = Chat(engine, graph_of(speak=SpeakParams()))
    chat.append(("Hi", "An older text."))
    result = chat.say()

    assert voice.requests == []
    assert result.events[:-1] == []
    assert keys_of(report(result, "speak")) == {
        "parameters.*", "speech.sentences", "speech.audio_ms", "speech.text",
    }  # fmt: skip


def test_a_slot_is_not_voiced(engine: Engine, voice: FakeVoice) -> None:
    graph = graph_of(
        generate=GenerateParams(output_slot="mood", default_exit="speak"),
        speak=SpeakParams(),
    )
    Chat(engine, graph).say()

    assert voice.requests == []


@BOTH
def test_a_given_reply_is_not_voiced(
    engine: Engine, voice: FakeVoice, graph: GraphDescription
) -> None:
    Chat(engine, graph).agent.replay_turn(user="Hi", assistant="Aye.")

    assert voice.requests == []


def test_speech_goes_to_the_exit(engine: Engine, voice: FakeVoice) -> None:
    graph = graph_of(
        generate=GenerateAndSpeakParams(default_exit="speak"),
        speak=SpeakParams(default_exit="last"),
        last=SpeakParams(),
    )
    result = Chat(engine, graph).say()

    assert voice.texts == ["Aye."] * 3
    assert result.debug_info is not None
    exits = [(node["name"], node["exit"]) for node in result.debug_info["nodes"]]
    assert exits == [(name, "default") for name in ("generate", "speak", "last")]


# --- agents and backends


@BOTH
def test_without_a_backend_there_is_no_agent(
    engine: Engine, graph: GraphDescription
) -> None:
    with raises_code(ErrorCode.SpeechUnavailable) as caught:
        Chat(engine, graph)

    assert "it speaks, but the engine has no speech backend" in caught.value.message
    assert "set a speech backend" in caught.value.hint


@BOTH
def test_an_agent_keeps_its_backend(
    engine: Engine, voice: FakeVoice, graph: GraphDescription
) -> None:
    chat = Chat(engine, graph)
    engine.set_speech_backend(None)
    chat.say()

    assert voice.texts == ["Aye."]
    with raises_code(ErrorCode.SpeechUnavailable):
        Chat(engine, graph)


@pytest.mark.parametrize(
    ("raised", "code", "message"),
    [
        (
            TalefoldError(ErrorCode.InvalidParamValue, "no voice 'x'; allowed: edric"),
            ErrorCode.InvalidParamValue,
            "no voice 'x'; allowed: edric",
        ),
        (
            TalefoldError(ErrorCode.SpeechUnavailable, "nothing installed"),
            ErrorCode.SpeechUnavailable,
            "nothing installed",
        ),
        (KeyError("x"), ErrorCode.SpeechFailed, "KeyError: 'x'"),
        (ValueError("\ud800"), ErrorCode.SpeechFailed, "ValueError: ?"),
    ],
)
def test_a_voice_that_is_refused_is_no_agent(
    engine: Engine, voice: FakeVoice, raised: Exception, code: ErrorCode, message: str
) -> None:
    voice.refuses = raised
    with raises_code(code) as caught:
        Chat(engine, talker())

    assert caught.value.message == f"node 'generate': {message}"


def test_an_interrupt_of_the_check_is_an_interrupt(
    engine: Engine, voice: FakeVoice
) -> None:
    voice.refuses = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        Chat(engine, talker())


def test_a_backend_is_one(engine: Engine) -> None:
    with pytest.raises(TypeError, match="expected a SpeechBackend or None, not str"):
        engine.set_speech_backend("espeak-ng")  # type: ignore[arg-type]


def test_a_closed_engine_takes_no_backend(engine: Engine) -> None:
    engine.close()
    with raises_code(ErrorCode.EngineClosed):
        engine.set_speech_backend(FakeVoice())


# --- failures of speech


def raises_on(sentence: str, error: Exception) -> Script:
    def script(request: SpeechRequest, stop: object) -> Iterator[SpeechAudio]:
        if request.text == sentence:
            raise error
        yield audio(1)

    return script


@BOTH
def test_a_failure_ends_the_speech_and_nothing_else(
    speaking: Callable[..., Chat],
    graph: GraphDescription,
    caplog: pytest.LogCaptureFixture,
) -> None:
    script = raises_on("Two.", RuntimeError("no breath"))
    with caplog.at_level(logging.WARNING, "talefold"):
        result = speaking(script, graph, replies=["One. Two. Three."]).say()

    assert (result.status, result.text) == ("success", "One. Two. Three.")
    assert chunks(result) == [("One.", [1], False), ("", [], True)]
    (failure,) = speech_failures(result)
    assert failure.pairs == {"code": "5001", "error": "RuntimeError: no breath"}
    (record,) = caplog.records
    assert (record.name, record.levelno) == ("talefold.speech", logging.WARNING)
    assert "RuntimeError: no breath" in record.message
    speech = report(result, failure.node)["speech"]
    assert speech["error"] == "5001 SpeechFailed: RuntimeError: no breath"
    assert speech["text"] == "One."


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (None, "NoneType"),
        ([3], "'int' object has no attribute 'sample_rate'"),
        ([SpeechAudio(sample_rate=8000, samples=b"\0")], "16-bit integers"),
        ([SpeechAudio(sample_rate=8000, samples=np.zeros(2))], '1 dimension(s) of "d"'),
        ([SpeechAudio(sample_rate=8000, samples=np.zeros(2, np.int8))], 'of "b"'),
        ([SpeechAudio(sample_rate=8000, samples=np.zeros(2, bool))], 'of "?"'),
        (
            [SpeechAudio(sample_rate=8000, samples=np.zeros((2, 2), np.int16))],
            "2 dimension(s)",
        ),
        (
            [SpeechAudio(sample_rate=8000, samples=np.zeros(4, np.int16)[::2])],
            "contiguous",
        ),
        ([SpeechAudio(sample_rate=0, samples=b"\0\0")], "0 samples per second"),
        ([SpeechAudio(sample_rate=2**40, samples=b"\0\0")], "sample_rate is"),
        ([audio(1), audio(2, rate=16000)], "from 8000 to 16000"),
    ],
)
def test_what_is_no_audio_says_so(engine: Engine, given: object, message: str) -> None:
    class Odd(SpeechBackend):
        def synthesize(self, request: object, stop: object) -> Any:
            return given

    engine.set_speech_backend(Odd())
    result = Chat(engine, talker()).say()

    (failure,) = speech_failures(result)
    assert message in failure.pairs["error"]
    assert result.text == "Aye."


@pytest.mark.parametrize(
    "samples",
    [
        b"\1\0\2\0",
        bytearray(b"\1\0\2\0"),
        memoryview(b"x\1\0\2\0")[1:],
        array.array("h", [1, 2]),
        np.array([1, 2], np.int16),
    ],
    ids=lambda samples: type(samples).__name__,
)
def test_samples_are_any_buffer_of_16_bits(
    speaking: Callable[..., Chat], samples: Any
) -> None:
    part = SpeechAudio(sample_rate=8000, samples=samples)
    result = speaking(lambda request, stop: iter([part]), talker()).say()

    assert chunks(result)[0] == ("Aye.", [1, 2], False)


@pytest.mark.parametrize(
    "wait",
    [
        lambda engine, agent: engine.close(),
        lambda engine, agent: agent.close(),
        lambda engine, agent: agent.wait_background(),
        lambda engine, agent: agent.send("Well?"),
    ],
    ids=["Engine.close", "Agent.close", "wait_background", "send"],
)
def test_a_backend_cannot_wait_for_its_own_turn(
    engine: Engine, wait: Callable[[Engine, Any], object]
) -> None:
    refused = []

    def try_to_wait(request: SpeechRequest, stop: object) -> Iterator[SpeechAudio]:
        with raises_code(ErrorCode.AgentBusy) as caught:
            wait(engine, chat.agent)
        refused.append(caught.value)
        yield audio(1)

    engine.set_speech_backend(FakeVoice(try_to_wait))
    chat = Chat(engine, talker())
    result = chat.say()

    assert len(refused) == 1
    assert speech_failures(result) == []


def test_what_python_keeps_of_a_call_is_stopped(speaking: Callable[..., Chat]) -> None:
    kept: list[Callable[[], bool]] = []

    def keep(request: SpeechRequest, stop: Callable[[], bool]) -> Iterator[SpeechAudio]:
        kept.append(stop)
        assert not stop()
        yield audio(1)

    result = speaking(keep, talker()).say()

    assert speech_failures(result) == []
    assert kept[0]()


# --- params and diagnostics


@pytest.mark.parametrize("params", [GenerateAndSpeakParams, SpeakParams])
@pytest.mark.parametrize(
    ("field", "value", "allowed"),
    [
        ("speaker_id", -1, "allowed 0 or more"),
        ("speed", 0.09, "0.1 to 3"),
        ("speed", 3.1, "0.1 to 3"),
        ("min_sentence_chars", 0, "allowed 1 or more"),
    ],
)
def test_a_param_out_of_range_is_refused(
    params: type[NodeParams], field: str, value: float, allowed: str
) -> None:
    (problem,) = graph_of(node=params(**{field: value})).validate()

    assert problem.code == ErrorCode.InvalidParamValue
    assert problem.field == field
    assert allowed in problem.message


@BOTH
def test_the_voice_is_frozen(
    engine: Engine, voice: FakeVoice, graph: GraphDescription
) -> None:
    node = list(graph.nodes)[-1]
    chat = Chat(engine, graph)
    with raises_code(ErrorCode.ParamNotMutable):
        chat.agent.change_params(node, {"tts_voice": "mara"})


@BOTH
def test_the_rest_can_change(
    engine: Engine, voice: FakeVoice, graph: GraphDescription
) -> None:
    node = list(graph.nodes)[-1]
    chat = Chat(engine, graph, replies=["Aye. No."])
    changes = {"speaker_id": 2, "speed": 0.5, "min_sentence_chars": 50}
    chat.agent.change_params(node, changes)
    chat.say()

    assert voice.checked == [("", 0), ("", 2)]
    assert voice.requests == [SpeechRequest(text="Aye. No.", speaker_id=2, speed=0.5)]


@BOTH
def test_a_speaker_that_is_refused_changes_nothing(
    engine: Engine, voice: FakeVoice, graph: GraphDescription
) -> None:
    node = list(graph.nodes)[-1]
    chat = Chat(engine, graph)
    voice.refuses = TalefoldError(ErrorCode.InvalidParamValue, "no speaker 2")
    with raises_code(ErrorCode.InvalidParamValue):
        chat.agent.change_params(node, {"speaker_id": 2, "speed": 0.5})
    chat.say()

    assert voice.requests == [SpeechRequest(text="Aye.")]


def test_a_change_that_is_taken_back_asks_for_no_voice(
    engine: Engine, voice: FakeVoice
) -> None:
    chat = Chat(engine, talker(context_size=512))
    with raises_code(ErrorCode.InvalidParamValue):
        chat.agent.change_params(
            "generate", {"speaker_id": 2, "system_prompt": "word " * 512}
        )
    chat.say()

    assert voice.checked == [("", 0), ("", 2)]
    assert voice.requests == [SpeechRequest(text="Aye.")]


def test_the_diagnostics_tell_what_could_be_heard(
    engine: Engine, voice: FakeVoice
) -> None:
    result = Chat(engine, talk_then_speak(), replies=["Aye. No."]).say()
    speech = report(result, "speak")["speech"]

    assert speech.pop("time_to_first_audio_ms") > 0
    assert speech == {
        "sentences": 2, "audio_ms": 2 * 1000 / 8000, "text": "Aye. No.",
        "sample_rate": 8000,
    }  # fmt: skip


def test_generate_and_speak_reports_as_generate_does(
    engine: Engine, voice: FakeVoice
) -> None:
    both = keys_of(report(Chat(engine, talker()).say(), "generate"))
    plain = keys_of(
        report(Chat(engine, graph_of(generate=GenerateParams())).say(), "generate")
    )

    assert both - plain == {
        "speech.sentences", "speech.audio_ms", "speech.text", "speech.sample_rate",
        "speech.time_to_first_audio_ms",
    }  # fmt: skip
    assert plain <= both


def fails_after_a_sentence(
    request: SpeechRequest, stop: Callable[[], bool]
) -> Iterator[SpeechAudio]:
    if "No" in request.text:
        raise RuntimeError("no voice left")
    yield audio(1)


def test_every_documented_key_of_speech_is_reported_in_some_state(
    speaking: Callable[..., Chat],
) -> None:
    spoken = speaking(fails_after_a_sentence, talk_then_speak(), replies=["Aye. No."])

    assert keys_of(report(spoken.say(), "speak")) == documented_keys("Speak")


def test_every_documented_key_of_a_spoken_reply_is_reported_in_some_state(
    speaking: Callable[..., Chat], engine: Engine
) -> None:
    spoken = speaking(
        fails_after_a_sentence,
        graph_of(
            generate=GenerateAndSpeakParams(
                min_sentence_chars=1, context_size=400, default_exit="fold"
            ),
            fold=SummarizeParams(**(SUMMARIZE | {"trigger_turns": 4})),
        ),
        replies=["Aye. No.", "<think>Hm</think>Aye."],
    )
    seen = set()
    for text in ("a", "b", "c" * 250, "d" * 250, "e", "f"):
        seen |= keys_of(report(spoken.say(text), "generate"))
    spoken.agent.edit_interaction(spoken.agent.dialog_size - 1, user="Well?")
    seen |= keys_of(report(spoken.say(), "generate"))
    long = InstructionParams(instruction="x" * 400, default_exit="generate")
    node = GenerateAndSpeakParams(context_size=400, template="{{instruction_long}}")
    crowded = Chat(engine, graph_of(long=long, generate=node))
    seen |= keys_of(report(crowded.say(), "generate"))

    assert seen == documented_keys("GenerateAndSpeak")


def test_many_agents_share_a_backend(engine: Engine, voice: FakeVoice) -> None:
    graph = talker()
    engine.load_scripted_model("m", replies=["Aye. No. So."])
    turns = [engine.create_agent(graph).start("Hi") for _ in range(8)]

    assert all(len(chunks(finish(turn))) == 4 for turn in turns)
    assert len(voice.requests) == 24
