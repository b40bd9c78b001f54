"""What characters say, in a file."""

from __future__ import annotations

import contextlib
import os
import wave
from pathlib import Path
from typing import IO

from talefold._closing import Closing
from talefold._files import draft_of, put_in_place
from talefold.errors import ErrorCode, TalefoldError
from talefold.events import AudioChunk, Event

__all__ = ["WavWriter"]


class WavWriter(Closing):
    """Writes the audio of events into a WAV file: 16 bits, one channel.

    The file appears, as a whole, when the writer is closed, if there was audio;
    until then a file of this name stays as it is. A context manager; one thread at a
    time.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = Path(path)
        self._draft = draft_of(self._path)
        self._file: IO[bytes] | None = None
        self._wav: wave.Wave_write | None = None
        self._rate = 0

    def add(self, event: Event) -> None:
        """Appends the samples of an `AudioChunk`; other events are passed over.

        Raises:
            OSError: The file cannot be written.
            TalefoldError: InvalidArgument for another sample rate than before.
        """
        if not isinstance(event, AudioChunk) or len(event.samples) == 0:
            return
        if self._wav is None:
            self._wav = self._open(event.sample_rate)
        elif event.sample_rate != self._rate:
            raise TalefoldError(
                ErrorCode.InvalidArgument,
                f"{self._path}: audio of {event.sample_rate} samples per second cannot "
                f"follow audio of {self._rate}",
                "write voices of different rates into different files",
            )
        self._wav.writeframes(event.samples.tobytes())

    def close(self) -> None:
        """Puts the file in its place. Idempotent.

        Raises:
            OSError: It cannot be put there; a file that was there stays.
        """
        if self._wav is None or self._file is None:
            return
        wav, self._wav = self._wav, None
        try:
            with self._file:
                wav.close()  # fills in the lengths, and leaves the file open
            put_in_place(self._draft, self._path)
        except BaseException:
            with contextlib.suppress(OSError):
                self._draft.unlink(missing_ok=True)
            raise

    def _open(self, rate: int) -> wave.Wave_write:
        self._file = self._draft.open("wb")
        wav = wave.open(self._file, "wb")
        wav.setnchannels(1)
        wav.setsampwidth(2)
        wav.setframerate(rate)
        self._rate = rate
        return wav
