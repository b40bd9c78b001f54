"""What the turns of `scene` say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from talefold.bench.report import Bar, Figure, Report, turn_chart

__all__ = ["MODES", "Mode", "SceneTurn", "prefix_shares", "scene_report"]

Mode = Literal["off", "on"]
MODES: tuple[Mode, ...] = ("off", "on")
PREFILL_BAR = 0.5


@dataclass(frozen=True, kw_only=True)
class SceneTurn:
    """A turn of one of the characters.

    Attributes:
        speaker: Whose.
        prompt: Its tokens.
        reused_tokens: Of them, found in KV memory.
        first_token_ms: From asking for the turn to its first token.
        story_went_on: The story before it is shown as in this character's prompt
            before, or as in another's, with what is new behind it.
    """

    speaker: str
    prompt: Sequence[int]
    reused_tokens: int
    first_token_ms: float
    story_went_on: bool

    @property
    def prefilled_tokens(self) -> int:
        """Tokens of the prompt that were computed."""
        return len(self.prompt) - self.reused_tokens


@dataclass(frozen=True, kw_only=True)
class PrefixShare:
    """How much of a prompt begins as an earlier one did, in tokens.

    Attributes:
        own: As the character's own latest prompt.
        others: As the latest prompt of another, the longest of them.
        from_others: Found in KV memory beyond `own`.
    """

    own: int
    others: int
    from_others: int


def prefix_shares(turns: Sequence[SceneTurn]) -> list[PrefixShare]:
    """Of each turn, in their order."""
    latest: dict[str, Sequence[int]] = {}
    shares = []
    for turn in turns:
        common = {
            speaker: _common_prefix(turn.prompt, prompt)
            for speaker, prompt in latest.items()
        }
        own = common.pop(turn.speaker, 0)
        shares.append(
            PrefixShare(
                own=own,
                others=max(common.values(), default=0),
                from_others=max(0, turn.reused_tokens - own),
            )
        )
        latest[turn.speaker] = turn.prompt
    return shares


def scene_report(
    *, settings: Mapping[str, object], turns: Mapping[Mode, Sequence[SceneTurn]]
) -> Report:
    """From the turns of each mode."""
    shares = {mode: prefix_shares(turns[mode]) for mode in MODES}
    prefilled: dict[str, list[float]] = {
        mode: [float(turn.prefilled_tokens) for turn in turns[mode]] for mode in MODES
    }
    shared: dict[str, list[float]] = {
        mode: [float(each.others) for each in shares[mode]] for mode in MODES
    }
    return Report(
        benchmark="scene",
        settings=settings,
        figures=[
            figure
            for mode in MODES
            for figure in _figures(mode, turns[mode], shares[mode])
        ],
        bars=[
            Bar(
                name="tokens prefilled, caching on / off",
                value=_ratio(sum(prefilled["on"]), sum(prefilled["off"])),
                relation="<=",
                limit=PREFILL_BAR,
            )
        ],
        charts=[
            turn_chart("tokens prefilled", prefilled),
            turn_chart("tokens as in another's prompt", shared),
        ],
    )


def _figures(
    mode: Mode, turns: Sequence[SceneTurn], shares: Sequence[PrefixShare]
) -> list[Figure]:
    samples: dict[tuple[str, str], list[float]] = {
        ("prompt", "tokens"): [len(turn.prompt) for turn in turns],
        ("prefilled", "tokens"): [turn.prefilled_tokens for turn in turns],
        ("prefilled, all turns", "tokens"): [
            sum(turn.prefilled_tokens for turn in turns)
        ],
        ("begins as its own prompt before", "tokens"): [each.own for each in shares],
        ("begins as another's prompt", "tokens"): [each.others for each in shares],
        ("found beyond its own prompt", "tokens"): [
            each.from_others for each in shares
        ],
        ("first token", "ms"): [turn.first_token_ms for turn in turns],
        ("turns whose story went on", "turns"): [
            sum(turn.story_went_on for turn in turns)
        ],
    }
    return [
        Figure(name=f"{name}, caching {mode}", unit=unit, samples=values)
        for (name, unit), values in samples.items()
    ]


def _common_prefix(a: Sequence[int], b: Sequence[int]) -> int:
    differing = (
        i for i, pair in enumerate(zip(a, b, strict=False)) if len(set(pair)) > 1
    )
    return next(differing, min(len(a), len(b)))


def _ratio(value: float, to: float) -> float | None:
    return value / to if to else None
