"""What a player says in a long conversation, and how many tokens that is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from talefold.bench.talk import reply_graph
from talefold.bench.texts import player_lines
from talefold.engine import Engine

__all__ = [
    "REPLY_TOKENS",
    "SYSTEM_PROMPT",
    "Frames",
    "Script",
    "measure_frames",
    "write_script",
]

SYSTEM_PROMPT = "You are Edric, an innkeeper. You tell your guests long stories."
REPLY_TOKENS = 24  # most tokens of a reply

_TEXT = "the road river town"


@dataclass(frozen=True, kw_only=True)
class Frames:
    """Tokens of a prompt that belong to no text of the dialog.

    Attributes:
        system: The system message, its text included.
        message: Around the player's last message, with the opening of the reply.
        interaction: Around a message and its reply, further up.
    """

    system: int
    message: int
    interaction: int


@dataclass(frozen=True, kw_only=True)
class Script:
    """The player's lines, the same for every model.

    Attributes:
        path: The model that counted the tokens.
        lines: One a turn.
        line_tokens: Of each line, without the template.
        frames: What the template adds.
    """

    path: Path
    lines: Sequence[str]
    line_tokens: Sequence[int]
    frames: Frames

    @property
    def new_tokens(self) -> list[int]:
        """Of each prompt: the line, the template around it, the reply's opening."""
        return [tokens + self.frames.message for tokens in self.line_tokens]

    @property
    def turn_tokens(self) -> int:
        """Of a usual turn, with the longest reply."""
        numbers = range(len(self.lines))
        return sum(map(self.interaction_tokens, numbers)) // len(numbers)

    def overflow(self, context_size: int) -> int | None:
        """The first turn, from 1, whose prompt has no room for the whole dialog.

        Replies count as the longest there are. None when there is always room.
        """
        room = context_size - REPLY_TOKENS
        dialog = self.frames.system
        for number, tokens in enumerate(self.line_tokens, 1):
            if dialog + tokens + self.frames.message > room:
                return number
            dialog += self.interaction_tokens(number - 1)
        return None

    def interaction_tokens(self, number: int) -> int:
        """Of the line of that number, from 0, and the longest reply, further up."""
        return self.line_tokens[number] + REPLY_TOKENS + self.frames.interaction


def write_script(path: Path, turns: int) -> Script:
    """So many turns, counted by the model at `path`."""
    lines = player_lines(turns)
    with Engine(slots_per_pool=1) as engine:
        engine.load_model("model", path)
        return Script(
            path=path,
            lines=lines,
            line_tokens=[engine.count_tokens("model", line) for line in lines],
            frames=measure_frames(engine),
        )


def measure_frames(engine: Engine) -> Frames:
    """Of the engine's only model, which is called "model"; from three prompts."""
    text = engine.count_tokens("model", _TEXT)
    bare = _prompt_tokens(engine, "", 0)
    return Frames(
        system=_prompt_tokens(engine, SYSTEM_PROMPT, 0) - bare,
        message=bare - text,
        interaction=_prompt_tokens(engine, "", 1) - bare - 2 * text,
    )


def _prompt_tokens(engine: Engine, system_prompt: str, interactions: int) -> int:
    graph = reply_graph(
        system_prompt=system_prompt, context_size=512, max_tokens=1, threads=1
    )
    with engine.create_agent(graph, enable_diagnostics=True) as agent:
        for _ in range(interactions):
            agent.append_interaction(user=_TEXT, assistant=_TEXT)
        result = agent.send(_TEXT)
    assert result.debug_info is not None
    (node,) = result.debug_info["nodes"]
    tokens: int = node["input"]["prompt_tokens"]
    return tokens
