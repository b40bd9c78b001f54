"""Reads a conversation that took place: the input of `talefold replay`.

Both formats are JSON lines. A scene:

    {"kind": "character", "speaker": "Jack", "text": "How are you, Algy?"}

with lines of the kinds narrator, presence and time_passage between, which nobody says
and which are left out. One character's lines are the replies; everybody else's become
the player's. Or, plainly, a turn a line:

    {"user": "Any rooms?", "assistant": "Aye, two coppers a night."}
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from talefold import ErrorCode, TalefoldError

__all__ = ["TranscriptTurn", "read_transcript"]

_SILENT_KINDS = ("narrator", "presence", "time_passage", "time")
_KINDS = ("character", *_SILENT_KINDS)
_PLAIN_KEYS = ("user", "assistant")
_ALLOWED = (
    'allowed: {"kind": "character", "speaker": ..., "text": ...} and lines of the '
    'kinds narrator, presence and time_passage, or {"user": ..., "assistant": ...}'
)


@dataclass(frozen=True, kw_only=True)
class TranscriptTurn:
    """One turn; either text may be empty, not both.

    Attributes:
        line: Where it begins in the file, counted from 1.
        user: What the player, or everybody else, said.
        assistant: What the character said.
    """

    line: int
    user: str
    assistant: str


def read_transcript(path: Path, character: str | None) -> list[TranscriptTurn]:
    """The turns of a file.

    Args:
        path: The file.
        character: Whose lines are the replies; needed for a scene.

    Raises:
        OSError: The file cannot be read.
        TalefoldError: InvalidArgument naming file, line and what is allowed.
    """
    items = list(_items(path))
    if not items:
        raise _error(path, 1, "the file is empty", _ALLOWED)
    if "kind" in items[0][1]:
        turns = _scene_turns(path, items, character)
    else:
        turns = [_plain_turn(path, line, item) for line, item in items]
    if not turns:
        raise _error(path, 1, "nobody says anything", _ALLOWED)
    return turns


def _items(path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Line number and content of each line that is not blank."""
    data = path.read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise _error(path, line, "not UTF-8", "save the file as UTF-8") from None
    for number, line_text in enumerate(text.split("\n"), 1):
        if not line_text.strip():
            continue
        try:
            item = json.loads(line_text)
        except (ValueError, RecursionError) as error:
            raise _error(path, number, f"not JSON: {error}", _ALLOWED) from None
        if not isinstance(item, Mapping):
            raise _error(path, number, "not a JSON object", _ALLOWED)
        yield number, item


def _plain_turn(path: Path, line: int, item: Mapping[str, Any]) -> TranscriptTurn:
    for key, value in item.items():
        if key not in _PLAIN_KEYS:
            raise _error(path, line, f"unknown key '{key}'", _ALLOWED)
        if not isinstance(value, str):
            raise _error(path, line, f"'{key}' must be a string", _ALLOWED)
    turn = TranscriptTurn(
        line=line, user=item.get("user", ""), assistant=item.get("assistant", "")
    )
    if not turn.user and not turn.assistant:
        raise _error(path, line, "'user' and 'assistant' are both empty", _ALLOWED)
    return turn


def _scene_turns(
    path: Path, items: list[tuple[int, Mapping[str, Any]]], character: str | None
) -> list[TranscriptTurn]:
    lines = [_scene_line(path, number, item) for number, item in items]
    said = [line for line in lines if line is not None]
    speakers = sorted({speaker for _, speaker, _ in said})
    if character not in speakers:
        problem = (
            "a scene needs --character NAME: whose lines are the replies"
            if character is None
            else f"'{character}' says nothing here"
        )
        raise _error(path, 1, problem, f"there are {', '.join(speakers)}")

    turns: list[TranscriptTurn] = []
    begin = 0
    user: list[str] = []
    assistant: list[str] = []
    for line, speaker, text in said:
        if speaker != character and assistant:  # the reply is over
            turns.append(_joined(begin, user, assistant))
            user, assistant = [], []
        if not user and not assistant:
            begin = line
        if speaker == character:
            assistant.append(text)
        else:
            user.append(f"{speaker}: {text}")
    if user or assistant:
        turns.append(_joined(begin, user, assistant))
    return turns


def _joined(line: int, user: list[str], assistant: list[str]) -> TranscriptTurn:
    return TranscriptTurn(
        line=line, user="\n".join(user), assistant="\n".join(assistant)
    )


def _scene_line(
    path: Path, line: int, item: Mapping[str, Any]
) -> tuple[int, str, str] | None:
    """Line number, speaker and text; None for a line that nobody says."""
    kind = item.get("kind")
    if kind in _SILENT_KINDS:
        return None
    if kind != "character":
        reason = "'kind' is missing" if kind is None else f"unknown kind {kind!r}"
        raise _error(path, line, reason, f"kinds: {', '.join(_KINDS)}")
    for key in ("speaker", "text"):
        if not isinstance(item.get(key), str) or not item[key]:
            raise _error(path, line, f"'{key}' must be a text", _ALLOWED)
    return line, item["speaker"], item["text"]


def _error(path: Path, line: int, reason: str, hint: str) -> TalefoldError:
    return TalefoldError(ErrorCode.InvalidArgument, f"{path}:{line}: {reason}", hint)
