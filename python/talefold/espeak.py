"""Speech through the program espeak-ng."""

from __future__ import annotations

import contextlib
import re
import struct
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator
from typing import IO

from talefold.errors import ErrorCode, TalefoldError
from talefold.speech import SpeechAudio, SpeechBackend, SpeechRequest

__all__ = ["EspeakBackend"]

_WORDS_PER_MINUTE = 175  # at speed 1.0, the program's own
_READ_BYTES = 8192  # of audio at most at once: 0.2 s at 22050 samples per second
_LOOK_S = 0.02  # how often a stop is looked for
_LIST_TIMEOUT_S = 20
_NO_WINDOW: int = getattr(subprocess, "CREATE_NO_WINDOW", 0)  # of Windows
_INSTALL = (
    "install it: apt install espeak-ng, dnf install espeak-ng, brew install espeak-ng, "
    "or on Windows winget install eSpeak-NG.eSpeak-NG; or pass its path as program="
)


class EspeakBackend(SpeechBackend):
    """Voices sentences with espeak-ng: small, fast, many languages, a robot's voice.

    A voice is a language of `espeak-ng --voices` ("en-gb"), alone or with a variant of
    `espeak-ng --voices=variant` ("en-gb+f3"); empty = the program's default. Each has
    one speaker. Speed 1.0 is 175 words per minute; the program says no less than 80.
    The text goes to the program as plain text: neither its phoneme markup nor SSML is
    understood.
    """

    def __init__(self, program: str = "espeak-ng") -> None:
        """Starts nothing yet.

        Args:
            program: Its name, or its path.
        """
        self._program = program
        self._lock = threading.Lock()
        self._voices: set[str] | None = None  # both guarded by _lock
        self._variants: set[str] = set()

    def voices(self) -> list[str]:
        """The voices there are, without variants.

        Raises:
            TalefoldError: SpeechUnavailable.
        """
        return sorted(self._list()[0])

    def check_voice(self, voice: str, speaker_id: int) -> None:
        """Whether the program is there and has the voice."""
        voices, variants = self._list()
        name, plus, variant = voice.partition("+")
        if voice and name not in voices:
            allowed = ", ".join(sorted(voices))
            raise _bad_param(f"tts_voice '{voice}' is no voice of espeak-ng", allowed)
        if plus and variant not in variants:
            allowed = ", ".join(sorted(variants))
            raise _bad_param(f"tts_voice '{voice}': '{variant}' is no variant", allowed)
        if speaker_id != 0:
            what = f"speaker_id {speaker_id}: voices of espeak-ng have one speaker"
            raise _bad_param(what, "0")

    def synthesize(
        self, request: SpeechRequest, stop: Callable[[], bool]
    ) -> Iterator[SpeechAudio]:
        """Runs the program for the sentence, and reads its audio as it comes."""
        arguments = ["--stdin", "--stdout", "-b", "1"]
        arguments += ["-s", str(round(_WORDS_PER_MINUTE * request.speed))]
        if request.voice:
            arguments += ["-v", request.voice]
        with tempfile.TemporaryFile() as text, tempfile.TemporaryFile() as complaints:
            text.write(_plain(request.text).encode())
            text.seek(0)
            process = self._start(arguments, text, complaints)
            with process, _killed_at_end(process, stop):
                assert process.stdout is not None
                yield from _audio(process.stdout)
                status = process.wait()
            if status != 0 and not stop():
                complaints.seek(0)
                said = complaints.read().decode(errors="replace").strip()
                raise TalefoldError(
                    ErrorCode.SpeechFailed,
                    f"'{self._program}' ended with status {status}: {said[-500:]}",
                )

    def _start(
        self, arguments: list[str], text: IO[bytes], complaints: IO[bytes]
    ) -> subprocess.Popen[bytes]:
        try:
            return subprocess.Popen(
                [self._program, *arguments],
                stdin=text,
                stdout=subprocess.PIPE,
                stderr=complaints,
                creationflags=_NO_WINDOW,
            )
        except OSError as error:
            raise self._unavailable(error.strerror or str(error)) from None

    def _list(self) -> tuple[set[str], set[str]]:
        with self._lock:
            if self._voices is None:
                self._variants = {
                    file.removeprefix("!v/")
                    for _, file, _ in self._listed("--voices=variant")
                }
                self._voices = set()
                for language, _, others in self._listed("--voices"):
                    self._voices |= {language, *others}
            return self._voices, self._variants

    def _listed(self, argument: str) -> Iterator[tuple[str, str, list[str]]]:
        """Language, file and other languages of each voice of a list."""
        try:
            done = subprocess.run(
                [self._program, argument],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                check=True,
                timeout=_LIST_TIMEOUT_S,
                creationflags=_NO_WINDOW,
            )
        except OSError as error:
            raise self._unavailable(error.strerror or str(error)) from None
        except subprocess.SubprocessError as error:
            raise self._unavailable(str(error)) from None
        for line in done.stdout.decode(errors="replace").splitlines()[1:]:
            columns = line.split(maxsplit=5)
            if len(columns) >= 5:
                others = columns[5] if len(columns) > 5 else ""
                yield columns[1], columns[4], re.findall(r"\((\S+) \d+\)", others)

    def _unavailable(self, why: str) -> TalefoldError:
        return TalefoldError(
            ErrorCode.SpeechUnavailable,
            f"the program '{self._program}' cannot be run: {why}",
            _INSTALL,
        )


def _bad_param(what: str, allowed: str) -> TalefoldError:
    return TalefoldError(ErrorCode.InvalidParamValue, f"{what}; allowed: {allowed}")


def _plain(text: str) -> str:
    """Text in which the program finds no phonemes, which it reads between [[ and ]]."""
    return re.sub(r"\[(?=\[)", "[ ", text)


@contextlib.contextmanager
def _killed_at_end(
    process: subprocess.Popen[bytes], stop: Callable[[], bool]
) -> Iterator[None]:
    """Kills the process on a stop, which ends a read of its output, and on leaving."""
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(_LOOK_S):
            if stop():
                process.kill()
                return

    watcher = threading.Thread(target=watch, name="talefold-espeak", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()
        process.kill()


def _audio(stream: IO[bytes]) -> Iterator[SpeechAudio]:
    """The audio of a WAV file that is still being written; none of an empty one."""
    rate = _read_header(stream)
    held = b""  # half a sample
    while rate and (piece := stream.read1(_READ_BYTES)):  # type: ignore[attr-defined]
        samples = held + piece
        whole = len(samples) // 2 * 2
        held = samples[whole:]
        if whole:
            yield SpeechAudio(sample_rate=rate, samples=samples[:whole])


def _read_header(stream: IO[bytes]) -> int:
    """Reads up to the samples; their rate, or 0 when the file ends before."""
    form, rate = stream.read(12), 0
    if len(form) == 12 and not (form.startswith(b"RIFF") and form.endswith(b"WAVE")):
        raise _not_wav("no RIFF WAVE header")
    while len(head := stream.read(8)) == 8:
        name, size = struct.unpack("<4sI", head)
        if name == b"data":
            return rate
        body = stream.read(size + size % 2)
        if name == b"fmt " and len(body) >= 16:
            kind, channels, rate, _, _, bits = struct.unpack_from("<HHIIHH", body)
            if (kind, channels, bits) != (1, 1, 16):
                raise _not_wav(f"format {kind}, {channels} channels, {bits} bits")
    return 0


def _not_wav(found: str) -> TalefoldError:
    return TalefoldError(
        ErrorCode.SpeechFailed,
        f"the program's output is not 16-bit PCM of one channel: {found}",
    )
