"""Measured conversations, and a file that keeps them for `reuse` and `flat`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from talefold._files import write_text_atomically
from talefold.errors import ErrorCode, TalefoldError
from talefold.stats import EngineStats, KvPoolStats

__all__ = ["ConversationRun", "ConversationTurn", "keep_runs", "read_runs"]


@dataclass(frozen=True, kw_only=True)
class ConversationTurn:
    """A turn, and the pause after it.

    Attributes:
        first_token_s: From sending the line to the first piece of the reply.
        turn_s: From sending the line to TurnComplete.
        pause_s: From there to the next line.
        prompt_tokens: Of the reply's whole prompt.
        new_tokens: Of these, the line with the template around it, and the opening of
            the reply.
        decoded_tokens: Of the prompt, computed while the player waited.
        background_tokens: Of any prompt, computed in the background in this turn and
            its pause.
        prefilled_tokens: Of any prompt, computed in this turn and its pause at all.
        after_fold: The prompt has a newer summary than the one before.
        trimmed: The prompt lacks turns that no summary covers.
        reply: What the model said.
    """

    first_token_s: float
    turn_s: float
    pause_s: float
    prompt_tokens: int
    new_tokens: int
    decoded_tokens: int
    background_tokens: int
    prefilled_tokens: int
    after_fold: bool
    trimmed: bool
    reply: str


@dataclass(frozen=True, kw_only=True)
class ConversationRun:
    """A whole conversation.

    Attributes:
        turns: All of them; the first one warms up.
        stats: Of its engine, at the end.
    """

    turns: Sequence[ConversationTurn]
    stats: EngineStats


Settings = Mapping[str, object]
Runs = dict[str, ConversationRun]


def keep_runs(path: Path, settings: Settings, runs: Runs) -> None:
    """Writes a run of each mode, and what it was made with."""
    kept = {"settings": settings, "runs": {mode: asdict(r) for mode, r in runs.items()}}
    write_text_atomically(path, json.dumps(kept, indent=1))


def read_runs(path: Path, settings: Settings) -> Runs:
    """What `keep_runs` wrote.

    Raises:
        TalefoldError: InvalidArgument when the file holds something else, or runs that
            were made with other settings.
    """
    try:
        kept = json.loads(path.read_text("utf-8"))
        if kept["settings"] != dict(settings):
            raise TalefoldError(
                ErrorCode.InvalidArgument,
                f"'{path}' holds runs made with other settings: {kept['settings']}",
                "use the same options, or another file",
            )
        return {mode: _run(run) for mode, run in kept["runs"].items()}
    except (ValueError, KeyError, TypeError) as error:
        raise TalefoldError(
            ErrorCode.InvalidArgument,
            f"'{path}' holds no kept runs: {error}",
            "delete it, or choose another file",
        ) from error


def _run(kept: dict[str, Any]) -> ConversationRun:
    stats = kept["stats"]
    pools = [KvPoolStats(**pool) for pool in stats.pop("pools")]
    return ConversationRun(
        turns=[ConversationTurn(**turn) for turn in kept["turns"]],
        stats=EngineStats(pools=pools, **stats),
    )
