"""What a turn tells its host while it runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from talefold.errors import TalefoldError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = [
    "AnswerText",
    "AudioChunk",
    "DecisionRequired",
    "Event",
    "NodeEvent",
    "TurnComplete",
    "TurnStatus",
]

TurnStatus: TypeAlias = Literal["success", "cancelled", "error"]


@dataclass(frozen=True, kw_only=True)
class AnswerText:
    """Text for the player.

    A streaming node sends deltas, then one final event with the complete reply; a node
    that does not stream sends the final one only.
    """

    turn_id: int
    node: str
    text: str
    is_delta: bool
    is_final: bool


@dataclass(frozen=True, kw_only=True, eq=False)
class AudioChunk:
    """Speech for the player, as it is made; one channel.

    Chunks of one node follow each other without a gap and have the same rate. The last
    one has no samples and closes them; a node that voices nothing sends none.

    Attributes:
        turn_id: The turn, counted from 1 within its agent.
        node: The node that speaks.
        sample_rate: Samples per second.
        samples: A numpy array of int16; at most a second.
        text: The sentence that begins with this chunk; empty if none does.
        is_final: The last chunk of the node.
    """

    turn_id: int
    node: str
    sample_rate: int
    samples: npt.NDArray[np.int16]
    text: str
    is_final: bool


@dataclass(frozen=True, kw_only=True)
class NodeEvent:
    """A node reports something to the game, e.g. event_type "summarized"."""

    turn_id: int
    node: str
    event_type: str
    pairs: dict[str, str]


@dataclass(frozen=True, kw_only=True)
class DecisionRequired:
    """The turn waits for `Turn.resolve` with one of `options`."""

    turn_id: int
    node: str
    options: list[str]


@dataclass(frozen=True, kw_only=True)
class TurnComplete:
    """The last event of a turn; there is exactly one.

    Attributes:
        turn_id: The turn, counted from 1 within its agent.
        status: How the turn ended.
        tokens_generated: By all nodes of the turn.
        error: Set when status is "error".
        debug_info: What each node did; None unless diagnostics are enabled.
    """

    turn_id: int
    status: TurnStatus
    tokens_generated: int
    error: TalefoldError | None
    debug_info: dict[str, Any] | None


Event: TypeAlias = AnswerText | AudioChunk | NodeEvent | DecisionRequired | TurnComplete
