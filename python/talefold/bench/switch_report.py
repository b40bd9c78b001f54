"""What the turns of `switch` say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from talefold.bench.report import Bar, Chart, Curve, Figure, Report, median
from talefold.stats import EngineStats

__all__ = ["PARKED_BAR", "SwitchTurn", "parked_cost", "switch_report"]

PARKED_BAR = 2.0  # percent of a prefill

Kind = Literal["first", "live", "parked", "cold"]


@dataclass(frozen=True, kw_only=True)
class SwitchTurn:
    """A turn of one of the agents.

    Attributes:
        kind: Where its KV state was: "live" in a slot, "parked" in host memory, "cold"
            nowhere (also at an agent's first turn); "first" = the run's first turn.
        prompt_tokens: Of the whole prompt.
        reused_tokens: Found in KV memory, the agent's own or another's.
        first_token_ms: From the request to the first token.
    """

    kind: Kind
    prompt_tokens: int
    reused_tokens: int
    first_token_ms: float

    @property
    def decoded_tokens(self) -> int:
        """Prompt tokens computed."""
        return self.prompt_tokens - self.reused_tokens


def switch_report(
    *,
    settings: dict[str, object],
    turns: Sequence[SwitchTurn],
    prefills: Sequence[SwitchTurn],
    world_tokens: int,
    stats: EngineStats,
) -> Report:
    """From all turns, and from those in empty engines."""
    of_kind: dict[str, list[float]] = {"live": [], "parked": [], "cold": []}
    for turn in turns[1:]:
        of_kind[turn.kind].append(turn.first_token_ms)
    whole = [turn.first_token_ms for turn in prefills]
    again = [max(0, world_tokens - turn.reused_tokens) for turn in turns]
    cold = [a for a, turn in zip(again, turns, strict=True) if turn.kind == "cold"]
    cost = parked_cost(of_kind["parked"], of_kind["live"], whole)
    return Report(
        benchmark="switch",
        settings=settings,
        figures=[
            *(
                Figure(name=f"first token, {kind}", unit="ms", samples=samples)
                for kind, samples in of_kind.items()
            ),
            Figure(name="first token, empty engine", unit="ms", samples=whole),
            _total("prompt tokens", sum(turn.prompt_tokens for turn in turns)),
            _total("reused tokens", stats.reused_tokens),
            _total("shared tokens", stats.shared_tokens),
            _total(
                "prefilled tokens",
                stats.prefill_tokens - stats.background_prefill_tokens,
            ),
            _total("states parked", stats.parks, "times"),
            _total("states restored", stats.restores, "times"),
            _total("states dropped", stats.dropped_states, "times"),
            _total("states repaired", stats.repaired_states, "times"),
        ],
        bars=[
            Bar(
                name="turns that computed the world prompt or a part of it",
                value=sum(tokens > 0 for tokens in again),
                relation="<=",
                limit=1,
                unit="turns",
            ),
            Bar(
                name="a parked hit, of a prefill",
                value=cost,
                relation="<=",
                limit=PARKED_BAR,
                unit="%",
            ),
            Bar(
                name="world tokens that a cold switch computed, at most",
                value=max(cold, default=None),
                relation="<=",
                limit=0,
                unit="tokens",
            ),
            Bar(
                name="most KV bytes, of the cap",
                value=stats.kv_peak_bytes / stats.kv_cache_bytes,
                relation="<=",
                limit=1,
            ),
        ],
        charts=[_chart(turns)],
    )


def parked_cost(
    parked: Sequence[float], live: Sequence[float], whole: Sequence[float]
) -> float | None:
    """What a parked hit costs beyond a live one, in percent of a prefill's time.

    All are times to the first token in ms, of which a live hit's is nothing but the
    computing of new tokens. None when there are none of one kind.
    """
    middle = [median(each) for each in (parked, live, whole)]
    if middle[0] is None or middle[1] is None or middle[2] is None:
        return None
    return 100 * (middle[0] - middle[1]) / (middle[2] - middle[1])


def _total(name: str, count: float, unit: str = "tokens") -> Figure:
    return Figure(name=name, unit=unit, samples=[count])


def _chart(turns: Sequence[SwitchTurn]) -> Chart:
    curves = []
    for kind in ("first", "cold", "parked", "live"):
        numbered = [(i + 1, turn) for i, turn in enumerate(turns) if turn.kind == kind]
        curves.append(
            Curve(
                name=kind,
                x=[number for number, _ in numbered],
                y=[turn.first_token_ms for _, turn in numbered],
            )
        )
    return Chart(x_label="turn", y_label="ms to the first token", curves=curves)
