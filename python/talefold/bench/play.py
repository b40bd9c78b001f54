"""A story that was written down, line by line."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from talefold.bench.texts import scene_transcript
from talefold.engine import Engine
from talefold.errors import ErrorCode, TalefoldError

__all__ = ["PlayLine", "most_heard", "read_play"]

_SPEAKERS = ("Anna", "Ben", "Clara")


@dataclass(frozen=True, kw_only=True)
class PlayLine:
    """One line of a transcript.

    Attributes:
        source: What `Scene.import_transcript` takes.
        speaker: Whose line it is; empty = it is no character's.
        text: What a character says.
    """

    source: str
    speaker: str
    text: str


def read_play(file: Path | None, lines: int) -> list[PlayLine]:
    """The first lines of a story.

    Args:
        file: A transcript as `Scene.import_transcript` reads it; None = a seeded scene
            of three characters.
        lines: Most lines to read.

    Raises:
        OSError: The file cannot be read.
        TalefoldError: MalformedStorage, naming file and line.
    """
    if file is None:
        sources = scene_transcript(_SPEAKERS, lines).splitlines()[:lines]
    else:
        sources = file.read_text("utf-8").splitlines()[:lines]
        _check(file, "\n".join(sources))
    return [_line(source) for source in sources if source.strip()]


def most_heard(play: Sequence[PlayLine], count: int) -> list[str]:
    """Who says most, in the order of their first lines.

    Raises:
        TalefoldError: InvalidArgument when fewer than `count` characters speak.
    """
    lines = Counter(line.speaker for line in play if line.speaker)
    if len(lines) < count:
        raise TalefoldError(
            ErrorCode.InvalidArgument,
            f"{count} characters are to be measured, but {len(lines)} speak in the "
            f"{len(play)} lines",
            "read more lines, or measure fewer characters",
        )
    chosen = {speaker for speaker, _ in lines.most_common(count)}
    return [speaker for speaker in lines if speaker in chosen]


def _check(file: Path, text: str) -> None:
    with Engine() as engine:
        engine.load_scripted_model("reader")
        with engine.create_scene() as scene:
            try:
                scene.import_transcript(text)
            except TalefoldError as error:
                raise TalefoldError(
                    error.code, f"{file}: {error.message}", error.hint
                ) from None


def _line(source: str) -> PlayLine:
    told = json.loads(source)
    if told["kind"] != "character":
        return PlayLine(source=source, speaker="", text="")
    return PlayLine(source=source, speaker=told["speaker"], text=told["text"])
