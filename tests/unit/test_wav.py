from __future__ import annotations

import wave
from pathlib import Path

import numpy as np
import pytest

from talefold import AnswerText, AudioChunk, ErrorCode, TalefoldError, WavWriter


def chunk(*samples: int, rate: int = 8000) -> AudioChunk:
    return AudioChunk(
        turn_id=1,
        node="speak",
        sample_rate=rate,
        samples=np.array(samples, np.int16),
        text="",
        is_final=not samples,
    )


def read(path: Path) -> tuple[int, list[int]]:
    with wave.open(str(path)) as file:
        assert (file.getnchannels(), file.getsampwidth()) == (1, 2)
        frames = file.readframes(file.getnframes())
        return file.getframerate(), np.frombuffer(frames, "<i2").tolist()


def test_chunks_follow_each_other(tmp_path: Path) -> None:
    text = AnswerText(
        turn_id=1, node="speak", text="Aye.", is_delta=False, is_final=True
    )
    with WavWriter(tmp_path / "out.wav") as wav:
        for event in (chunk(1, -2), text, chunk(), chunk(32767)):
            wav.add(event)

    assert read(tmp_path / "out.wav") == (8000, [1, -2, 32767])


def test_a_file_appears_when_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "out.wav"
    path.write_text("before")
    wav = WavWriter(path)
    wav.add(chunk(1))

    assert path.read_text() == "before"
    wav.close()
    wav.close()
    assert read(path) == (8000, [1])
    assert list(tmp_path.iterdir()) == [path]


def test_what_was_heard_before_a_failure_is_kept(tmp_path: Path) -> None:
    def fail() -> None:
        with WavWriter(tmp_path / "out.wav") as wav:
            wav.add(chunk(1))
            raise KeyError

    with pytest.raises(KeyError):
        fail()

    assert read(tmp_path / "out.wav") == (8000, [1])


def test_no_audio_is_no_file(tmp_path: Path) -> None:
    with WavWriter(tmp_path / "out.wav") as wav:
        wav.add(chunk())

    assert list(tmp_path.iterdir()) == []


def test_another_rate_is_refused(tmp_path: Path) -> None:
    with WavWriter(tmp_path / "out.wav") as wav:
        wav.add(chunk(1))
        with pytest.raises(TalefoldError) as caught:
            wav.add(chunk(2, rate=16000))

    assert caught.value.code == ErrorCode.InvalidArgument
    assert read(tmp_path / "out.wav") == (8000, [1])


def test_a_folder_that_is_not_there_is_an_os_error(tmp_path: Path) -> None:
    with (
        WavWriter(tmp_path / "none" / "out.wav") as wav,
        pytest.raises(FileNotFoundError),
    ):
        wav.add(chunk(1))
