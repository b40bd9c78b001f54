"""A story that several characters share."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, TypeAlias

from talefold import _core
from talefold._closing import Closing
from talefold._files import write_text_atomically
from talefold._params import SceneFormat
from talefold.events import NodeEvent
from talefold.graph import GraphDescription
from talefold.turn import EventStream, Turn, TurnResult

__all__ = [
    "MessageKind",
    "Scene",
    "SceneEntry",
    "SceneLayerStats",
    "SceneMessage",
    "SceneSettings",
    "SceneSources",
    "ShownText",
    "StoryReview",
    "StorySection",
]

MessageKind: TypeAlias = Literal[
    "character",
    "narrator",
    "director",
    "time",
    "reinforcement",
    "context_investigation",
]


@dataclass(frozen=True, kw_only=True)
class SceneSettings:
    """What holds for the whole scene.

    Attributes:
        intro: How the story begins.
        intention: What it is meant to do.
        writing_style: Of the story and its summaries.
        format: How models see its messages.
    """

    intro: str = ""
    intention: str = ""
    writing_style: str = ""
    format: SceneFormat = "screenplay"


@dataclass(frozen=True, kw_only=True)
class SceneMessage:
    """One message of a scene.

    Attributes:
        id: Stays what it is whatever is inserted, edited or erased.
        kind: What it is.
        text: What is shown.
        speaker: Who speaks; of a director's message, whom it is meant for.
        source: Where it comes from; of a note, its title.
        meta: The host's own data.
        hidden: Characters do not see it; it is summarized all the same.
        present: Who was active when it was pushed; None = unknown.
        duration: Of a time passage, an ISO-8601 duration; else empty.
        versions: Texts that are not shown, oldest first.
        based_on: Of a reply, the timeline's version that it read.
    """

    id: int
    kind: MessageKind
    text: str
    speaker: str
    source: str
    meta: str
    hidden: bool
    present: list[str] | None
    duration: str
    versions: list[str]
    based_on: int


@dataclass(frozen=True, kw_only=True)
class SceneEntry:
    """One entry of a scene's memory.

    Attributes:
        id: Stays what it is.
        layer: 0 = base, made from messages; k is made from entries of k - 1.
        text: What is remembered.
        first: The first source, a message or an entry; 0 = none.
        last: The last source.
        ts: When it happened, an ISO-8601 duration since time zero.
        ts_start: When the first of its sources happened.
        ts_end: When the last of them did.
        present: Who was there; None = unknown.
        is_static: Backstory that an author wrote.
        verbatim: The text, or a part of it, is that of its sources.
        out_of_sync: A source changed after it was written.
        edited: The text was replaced by hand.
    """

    id: int
    layer: int
    text: str
    first: int
    last: int
    ts: str
    ts_start: str
    ts_end: str
    present: list[str] | None
    is_static: bool
    verbatim: bool
    out_of_sync: bool
    edited: bool


@dataclass(frozen=True, kw_only=True)
class SceneLayerStats:
    """How much one layer of a scene's memory saves.

    Attributes:
        layer: 0 = base.
        source_tokens: Tokens of what its entries were made from.
        source_count: Messages, or entries of the layer below.
        tokens: Tokens of its entries, backstory left out.
        count: Its entries.
        reduction_percent: How many of the source tokens are saved.
    """

    layer: int
    source_tokens: int
    source_count: int
    tokens: int
    count: int
    reduction_percent: int


@dataclass(frozen=True, kw_only=True)
class SceneSources:
    """What an entry was made from: messages of a base entry, else entries."""

    messages: list[SceneMessage]
    entries: list[SceneEntry]


@dataclass(frozen=True, kw_only=True)
class ShownText:
    """One text of the story in a prompt.

    Attributes:
        id: Of the message or entry; 0 = the scene's intro.
        text: As the model sees it.
        tokens: Of it.
    """

    id: int
    text: str
    tokens: int


@dataclass(frozen=True, kw_only=True)
class StorySection:
    """What a prompt shows of one level of the story.

    Attributes:
        level: 0 = messages, 1 = base entries, 2 = the first layer, and so on.
        texts: The oldest first.
        tokens: Of all of them.
        budget: Tokens this level may have; None where there is one budget for all.
        incomplete: Something older was left out.
    """

    level: int
    texts: list[ShownText]
    tokens: int
    budget: int | None
    incomplete: bool


@dataclass(frozen=True, kw_only=True)
class StoryReview:
    """What a character's next prompt shows of the story.

    Attributes:
        sections: The oldest content first.
        tokens: Of all of them.
        budget: Tokens that the story may have.
        text: All of it, as it stands in the prompt.
    """

    sections: list[StorySection]
    tokens: int
    budget: int
    text: str


class Scene(Closing):
    """A story that several characters share, made by `Engine.create_scene`.

    Any thread may call any method; calls that can block let other Python threads run.
    A method that raises has changed nothing. A context manager: leaving it closes the
    scene.
    """

    def __init__(self, core: _core.Scene, owner: object) -> None:
        self._core = core
        self._owner = owner  # keeps the engine alive

    # Characters.

    def add_character(
        self, name: str, graph: GraphDescription, *, active: bool = True
    ) -> None:
        """Adds a character that can take turns.

        Args:
            name: What its lines are said by.
            graph: What it does; Summarize nodes do not belong in it.
            active: It takes part from now on.

        Raises:
            TalefoldError: InvalidArgument for an empty or used name, and what
                `Engine.create_agent` raises.
        """
        self._core.add_character(name, graph._compiled(), active)

    @property
    def characters(self) -> list[str]:
        """The names of all characters."""
        return self._core.characters()

    def activate(self, name: str) -> bool:
        """Lets somebody take part from now on; False when that is so already."""
        return self._core.activate(name)

    def deactivate(self, name: str) -> bool:
        """Somebody takes part no longer; False when that is so already."""
        return self._core.deactivate(name)

    @property
    def active(self) -> list[str]:
        """Who takes part; new messages are stamped with it."""
        return self._core.active()

    # Messages. Each method that adds one returns its id.

    def say(
        self,
        speaker: str,
        text: str,
        *,
        source: str = "",
        meta: str = "",
        hidden: bool = False,
    ) -> int:
        """A line of a character or of the player."""
        return self._core.say(speaker, text, source, meta, hidden)

    def narrate(
        self, text: str, *, source: str = "", meta: str = "", hidden: bool = False
    ) -> int:
        """What happens, said by nobody in particular."""
        return self._core.narrate(text, source, meta, hidden)

    def direct(self, character: str, text: str) -> int:
        """An instruction to a character, seen by it alone."""
        return self._core.direct(character, text)

    def add_reinforcement(self, title: str, text: str) -> int:
        """A tracked state of a character, as a note."""
        return self._core.add_note_message(False, title, text)

    def add_investigation(self, title: str, text: str) -> int:
        """What was found about the story, as a note."""
        return self._core.add_note_message(True, title, text)

    def pass_time(self, duration: str, text: str = "") -> int:
        """Lets in-story time pass.

        Args:
            duration: ISO-8601, such as "PT2H" or "P1D".
            text: What is shown; empty = how long it was.
        """
        return self._core.pass_time(duration, text)

    def insert_time(self, before: int, duration: str, text: str = "") -> int:
        """Inserts a time passage before the message of this id."""
        return self._core.insert_time(before, duration, text)

    def edit_time(self, id: int, duration: str) -> None:
        """Changes how long a time passage is."""
        self._core.edit_time(id, duration)

    def edit(self, id: int, text: str) -> None:
        """Replaces a message's text; what summarizes it is marked out of sync."""
        self._core.edit(id, text)

    def erase(self, id: int) -> None:
        """Removes a message; what summarizes it stays, marked out of sync."""
        self._core.erase(id)

    def set_hidden(self, id: int, hidden: bool) -> None:
        """Hides a message from the characters, or shows it."""
        self._core.set_hidden(id, hidden)

    def show_version(self, id: int, version: int) -> None:
        """Shows another version of a reply, an index of `SceneMessage.versions`."""
        self._core.show_version(id, version)

    @property
    def messages(self) -> list[SceneMessage]:
        """All messages, in story order."""
        return self._core.messages()

    def __len__(self) -> int:
        return self._core.size()

    @property
    def version(self) -> int:
        """Grows with every change of the messages."""
        return self._core.version()

    @property
    def clock(self) -> str:
        """The in-story time since time zero, an ISO-8601 duration."""
        return self._core.clock()

    def time_label(self, moment: str) -> str:
        """How long ago a moment, such as `SceneEntry.ts`, was: "2 hours ago"."""
        return self._core.time_label(moment)

    def import_transcript(self, source: str | os.PathLike[str]) -> int:
        """Appends a story that was written down elsewhere, all of it or nothing.

        Args:
            source: A path, or the text itself: one JSON object a line, with `kind` and
                what belongs to it.

        Returns:
            How many messages were added.

        Raises:
            OSError: The file cannot be read.
            TalefoldError: MalformedStorage, naming the line.
        """
        text = source if isinstance(source, str) else Path(source).read_text("utf-8")
        return self._core.import_transcript(text)

    # Turns.

    def take_turn(self, character: str, *, timeout_ms: int = 0) -> TurnResult:
        """Waits for the character's next reply, which becomes a message.

        Raises:
            TalefoldError: AgentBusy while a turn of this character runs; the turn's own
                error otherwise.
        """
        return self.start_turn(character, timeout_ms=timeout_ms)._run()

    async def take_turn_async(
        self, character: str, *, timeout_ms: int = 0
    ) -> TurnResult:
        """As `take_turn`, without blocking the event loop."""
        return await self.start_turn(character, timeout_ms=timeout_ms)._run_async()

    def stream_turn(self, character: str, *, timeout_ms: int = 0) -> EventStream:
        """Starts a turn and iterates over its events."""
        return EventStream(self.start_turn(character, timeout_ms=timeout_ms))

    def start_turn(self, character: str, *, timeout_ms: int = 0) -> Turn:
        """Starts a turn and returns at once; other characters may take theirs."""
        return Turn(self._core.start_turn(character, timeout_ms), self)

    def regenerate(
        self, character: str, hint: str = "", *, timeout_ms: int = 0
    ) -> TurnResult:
        """Writes another version of the newest message, a reply of this character.

        Args:
            character: Whose reply it is.
            hint: A direction for this version.
            timeout_ms: As in `take_turn`.
        """
        turn = Turn(self._core.start_regenerate(character, hint, timeout_ms), self)
        return turn._run()

    # Settings.

    @property
    def settings(self) -> SceneSettings:
        """What holds for the whole scene."""
        return self._core.settings()

    def change_settings(self, **changes: Any) -> None:
        """Changes the given fields of `settings`."""
        new = replace(self.settings, **changes)
        self._core.set_settings(new.intro, new.intention, new.writing_style, new.format)

    def set_note(self, key: str, text: str) -> None:
        """Keeps a dynamic note in every prompt; an empty text removes it."""
        self._core.set_note(key, text)

    @property
    def notes(self) -> dict[str, str]:
        """The dynamic notes by key."""
        return dict(self._core.notes())

    def set_override(self, node_type: str, field: str, value: object) -> None:
        """A setting of this scene in place of a param of all its nodes of a type.

        Args:
            node_type: "Archive" or "LayeredHistory", whose every param a scene may set;
                or "Generate", "GenerateAndSpeak" or "ToolCall".
            field: Name of the param; of the latter types "history" or "prompt_caching".
            value: Its value, a dict for `history`, which sets only the fields it has;
                None removes the override.

        Raises:
            TalefoldError: InvalidParamValue, ParamNotMutable.
        """
        text = "" if value is None else json.dumps(value)
        self._core.set_override(node_type, field, text)

    @property
    def overrides(self) -> dict[str, dict[str, Any]]:
        """All overrides: node type -> field -> value."""
        found: dict[str, dict[str, Any]] = json.loads(self._core.overrides())
        return found

    def review(
        self, character: str, history: Mapping[str, object] | None = None
    ) -> StoryReview:
        """What the character's next prompt would show of the story.

        Args:
            character: Whose prompt, by the first of its nodes that shows the story.
            history: Fields of `HistoryParams` to try in place of the node's.

        Raises:
            TalefoldError: InvalidParamValue; AgentBusy while the character takes a
                turn; InvalidArgument when none of its nodes shows the story.
        """
        return self._core.review(character, json.dumps(history) if history else "")

    # The memory.

    @property
    def entries(self) -> list[SceneEntry]:
        """All entries, the base first, then layer upon layer."""
        return self._core.entries()

    def update_memory(self, timeout_ms: int = 3_600_000) -> bool:
        """Waits until the memory has taken in what is due.

        Returns:
            False at the time-out, after a cancel, or when the model failed.
        """
        return self._core.update_memory(timeout_ms)

    def cancel_memory(self) -> None:
        """Stops the work on the memory that runs now; what is committed stays."""
        self._core.cancel_memory()

    def poll_events(self) -> list[NodeEvent]:
        """Events of the memory since the last call, oldest first."""
        return self._core.poll_events()

    def edit_entry(self, id: int, text: str) -> None:
        """Replaces an entry's text; what was made from it is marked out of sync."""
        self._core.edit_entry(id, text)

    def regenerate_entry(self, id: int) -> None:
        """Writes one entry again.

        Raises:
            TalefoldError: InferenceFailed when nothing came of it: the old text stays.
                InvalidArgument when it has no sources.
        """
        self._core.regenerate_entry(id)

    def regenerate_all(self) -> bool:
        """Writes all summaries and layers again; backstory stays.

        Returns:
            False when it was cancelled or failed; what is done stays.

        Raises:
            TalefoldError: InvalidArgument when a node that wrote some of them is
                disabled; nothing is dropped then.
        """
        return self._core.regenerate_all()

    def reset_layers(self, count: int | None = None) -> bool:
        """Drops the topmost `count` layers, or all, and writes them again.

        Returns:
            False when it was cancelled or failed; what is done stays.

        Raises:
            TalefoldError: InvalidArgument for a count under 1, and when the node that
                writes layers is disabled; nothing is dropped then.
        """
        return self._core.reset_layers(count)

    def add_backstory(self, text: str, ago: str) -> int:
        """Adds what happened before the scene.

        Args:
            text: What happened.
            ago: How long before now, an ISO-8601 duration.

        Raises:
            TalefoldError: InvalidArgument when it is not older than the first summary,
                or, before there is one, than the first message.
        """
        return self._core.add_backstory(text, ago)

    def remove_backstory(self, id: int) -> None:
        """Removes an entry that `add_backstory` added."""
        self._core.remove_backstory(id)

    def inspect(self, id: int) -> SceneSources:
        """What an entry was made from."""
        return self._core.inspect(id)

    def statistics(self) -> list[SceneLayerStats]:
        """How much each layer saves."""
        return self._core.statistics()

    # Saving.

    def export_snapshot(self) -> str:
        """Everything but graphs and params as JSON text, for `Engine.create_scene`."""
        return self._core.export_snapshot()

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes `export_snapshot` to a file, all of it or nothing."""
        write_text_atomically(Path(path), self.export_snapshot())

    def close(self) -> None:
        """Cancels turns and memory work, and waits for them. Idempotent."""
        self._core.close()
