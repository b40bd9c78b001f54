"""EspeakBackend, over a program that stands in for espeak-ng, and over the real one."""

from __future__ import annotations

import array
import json
import shutil
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from talefold import (
    ErrorCode,
    EspeakBackend,
    SpeechAudio,
    SpeechRequest,
    TalefoldError,
)

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="the stand-in program is a script with a #! line"
)

VOICES = """\
Pty Language       Age/Gender VoiceName          File                 Other Languages
 2  en-gb           --/M      English_(Great_Britain) gmw/en               (en 2)
 5  cmn             --/M      Chinese_(Mandarin)  sit/cmn              (zh-cmn 5)(zh 5)
"""
VARIANTS = """\
Pty Language       Age/Gender VoiceName          File                 Other Languages
 5  variant         --/F      female3            !v/f3
"""
HEADER = (
    b"RIFF\x24\xf0\xff\x7fWAVEfmt \x10\0\0\0\x01\0\x01\0\x22\x56\0\0\x44\xac\0\0"
    b"\x02\0\x10\0data\0\xf0\xff\x7f"
)


@pytest.fixture
def make_program(tmp_path: Path) -> Callable[[str], Path]:
    """Makes a program that lists VOICES and otherwise runs `body`.

    There `text` is its input, and `write` gives bytes away at once.
    """

    def make(body: str) -> Path:
        program = tmp_path / "espeak-ng"
        head = f"""\
            #!{sys.executable}
            import json, pathlib, sys, time
            call = pathlib.Path({str(tmp_path / "call.json")!r})
            def write(data):
                sys.stdout.buffer.write(data)
                sys.stdout.buffer.flush()
            HEADER = {HEADER!r}
            if "--voices" in sys.argv:
                print({VOICES!r})
                sys.exit()
            if "--voices=variant" in sys.argv:
                print({VARIANTS!r})
                sys.exit()
            text = sys.stdin.buffer.read().decode()
            call.write_text(json.dumps([sys.argv[1:], text]))
            """
        program.write_text(textwrap.dedent(head) + textwrap.dedent(body))
        program.chmod(0o755)
        return program

    return make


def spoken(backend: EspeakBackend, request: SpeechRequest) -> list[int]:
    samples = array.array("h")
    for part in backend.synthesize(request, lambda: False):
        samples.frombytes(bytes(part.samples))
    return samples.tolist()


def error_of(call: Callable[[], object]) -> TalefoldError:
    with pytest.raises(TalefoldError) as caught:
        call()
    return caught.value


def test_the_audio_is_that_of_the_program(make_program) -> None:
    program = make_program("write(HEADER + bytes([1, 0, 2, 0, 255, 255]))")
    parts = list(
        EspeakBackend(str(program)).synthesize(
            SpeechRequest(text="Aye."), lambda: False
        )
    )

    assert [part.sample_rate for part in parts] == [22050]
    assert spoken(EspeakBackend(str(program)), SpeechRequest(text="Aye.")) == [1, 2, -1]


def test_audio_comes_before_the_program_ends(make_program, tmp_path: Path) -> None:
    program = make_program(
        """
        write(HEADER + bytes(2))
        while not (call.parent / "heard").exists():
            time.sleep(0.01)
        write(bytes(4))
        """
    )
    parts = EspeakBackend(str(program)).synthesize(
        SpeechRequest(text="Aye."), lambda: False
    )

    assert len(next(iter(parts)).samples) == 2
    (tmp_path / "heard").touch()
    assert sum(len(part.samples) for part in parts) == 4


def test_a_sample_cut_in_two_is_put_together(make_program, tmp_path: Path) -> None:
    program = make_program(
        """
        write(HEADER + bytes([1, 0, 2]))
        while not (call.parent / "heard").exists():
            time.sleep(0.01)
        write(bytes([0, 3, 0]))
        """
    )
    samples = array.array("h")
    for part in EspeakBackend(str(program)).synthesize(
        SpeechRequest(text="Aye."), lambda: False
    ):
        samples.frombytes(bytes(part.samples))
        (tmp_path / "heard").touch()

    assert samples.tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        (SpeechRequest(text="Aye."), ["-s", "175"]),
        (SpeechRequest(text="Aye.", speed=0.1), ["-s", "18"]),
        (SpeechRequest(text="Aye.", speed=3.0), ["-s", "525"]),
        (SpeechRequest(text="Aye.", voice="en-gb"), ["-s", "175", "-v", "en-gb"]),
        (SpeechRequest(text="Aye.", voice="zh+f3"), ["-s", "175", "-v", "zh+f3"]),
    ],
)
def test_voice_and_speed_are_arguments(
    make_program, tmp_path: Path, request_: SpeechRequest, expected: list[str]
) -> None:
    spoken(EspeakBackend(str(make_program("write(HEADER)"))), request_)

    arguments, _ = json.loads((tmp_path / "call.json").read_text())
    assert arguments == ["--stdin", "--stdout", "-b", "1", *expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("-v en --help", "-v en --help"),
        ("<speak>Hi</speak>", "<speak>Hi</speak>"),
        ("[[h@l'oU]]", "[ [h@l'oU]]"),
        ("[[[x]]]", "[ [ [x]]]"),
        ("One,\ntwo.", "One,\ntwo."),
        ("Grüße, 世界! 🙂", "Grüße, 世界! 🙂"),
        ("x" * 200_000, "x" * 200_000),  # more than a pipe takes at once
    ],
)
def test_text_is_data(make_program, tmp_path: Path, text: str, expected: str) -> None:
    program = make_program("write(HEADER)")
    spoken(EspeakBackend(str(program)), SpeechRequest(text=text))

    arguments, given = json.loads((tmp_path / "call.json").read_text())
    assert given == expected
    assert text not in arguments


def test_a_stop_ends_a_program_that_says_nothing(make_program) -> None:
    program = make_program("write(HEADER + bytes(2))\ntime.sleep(600)")
    heard: list[SpeechAudio] = []
    for part in EspeakBackend(str(program)).synthesize(
        SpeechRequest(text="Aye."), lambda: len(heard) > 0
    ):
        heard.append(part)

    assert len(heard) == 1


def test_closing_the_generator_ends_the_program(make_program) -> None:
    program = make_program("write(HEADER + bytes(2))\ntime.sleep(600)")
    parts = EspeakBackend(str(program)).synthesize(
        SpeechRequest(text="Aye."), lambda: False
    )
    next(iter(parts))

    parts.close()


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("sys.stderr.write('no data'); sys.exit(3)", "ended with status 3: no data"),
        ("write(b'Usage: espeak')", "no RIFF WAVE header"),
        ("write(HEADER[:22] + b'\\2' + HEADER[23:])", "format 1, 2 channels, 16 bits"),
    ],
)
def test_what_fails_says_so(make_program, body: str, message: str) -> None:
    backend = EspeakBackend(str(make_program(body)))
    error = error_of(lambda: spoken(backend, SpeechRequest(text="Aye.")))

    assert error.code == ErrorCode.SpeechFailed
    assert message in error.message


@pytest.mark.parametrize("body", ["", "write(HEADER[:8])", "write(HEADER)"])
def test_a_file_without_samples_is_silence(make_program, body: str) -> None:
    backend = EspeakBackend(str(make_program(body)))

    assert spoken(backend, SpeechRequest(text="Aye.")) == []


def test_a_missing_program_says_what_to_install(tmp_path: Path) -> None:
    backend = EspeakBackend(str(tmp_path / "none"))
    for call in (
        lambda: backend.check_voice("", 0),
        lambda: spoken(backend, SpeechRequest(text="Aye.")),
    ):
        error = error_of(call)
        assert error.code == ErrorCode.SpeechUnavailable
        assert "apt install espeak-ng" in error.hint


def test_voices_are_languages_of_the_program(make_program) -> None:
    backend = EspeakBackend(str(make_program("")))

    assert backend.voices() == ["cmn", "en", "en-gb", "zh", "zh-cmn"]
    for voice in ("", *backend.voices(), "en-gb+f3"):
        backend.check_voice(voice, 0)


@pytest.mark.parametrize(
    ("voice", "speaker_id", "message"),
    [
        (
            "klingon",
            0,
            "'klingon' is no voice of espeak-ng; allowed: cmn, en, en-gb, zh",
        ),
        ("-f/etc/passwd", 0, "is no voice"),
        ("+f3", 0, "is no voice"),
        ("en+f9", 0, "'f9' is no variant; allowed: f3"),
        ("en+", 0, "'' is no variant"),
        ("en", 1, "speaker_id 1: voices of espeak-ng have one speaker; allowed: 0"),
    ],
)
def test_a_voice_that_is_not_there_is_refused(
    make_program, voice: str, speaker_id: int, message: str
) -> None:
    backend = EspeakBackend(str(make_program("")))
    error = error_of(lambda: backend.check_voice(voice, speaker_id))

    assert error.code == ErrorCode.InvalidParamValue
    assert message in error.message


@pytest.fixture
def espeak() -> EspeakBackend:
    if shutil.which("espeak-ng") is None:
        pytest.skip("espeak-ng is not installed")
    return EspeakBackend()


def test_the_real_program_speaks(espeak: EspeakBackend) -> None:
    espeak.check_voice("en-gb+f3", 0)
    samples = spoken(espeak, SpeechRequest(text="Good evening.", voice="en-gb+f3"))

    assert len(samples) > 22050 // 4
    assert max(samples) > 1000


def test_the_real_program_is_faster_on_request(espeak: EspeakBackend) -> None:
    slow, fast = (
        len(spoken(espeak, SpeechRequest(text="Any rooms for the night?", speed=speed)))
        for speed in (1.0, 2.0)
    )

    assert fast < slow


@pytest.mark.parametrize(
    ("text", "plain"),
    [("[[_]]", "[ [_]]"), ("-q", " -q"), ("<break time='9s'/>", "<break time='9s'/> ")],
)
def test_the_real_program_reads_markup_as_text(
    espeak: EspeakBackend, text: str, plain: str
) -> None:
    assert spoken(espeak, SpeechRequest(text=text)) == spoken(
        espeak, SpeechRequest(text=plain)
    )
