"""Progress of loading, and what its callback raises."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from talefold.errors import TalefoldError


@contextmanager
def reporting_progress(
    on_progress: Callable[[float], object] | None,
) -> Iterator[Callable[[float], bool]]:
    """What to call while loading; an exception of `on_progress` comes out here."""
    raised: list[BaseException] = []

    def go_on(fraction: float) -> bool:
        try:
            return on_progress is None or on_progress(fraction) is not False
        except BaseException as error:
            raised.append(error)
            return False

    try:
        yield go_on
    except TalefoldError:
        if raised:
            raise raised[0] from None
        raise
