"""What several tests use."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from talefold import Agent, AnswerText, ErrorCode, TalefoldError, Turn

AgentMaker = Callable[..., Agent]


@contextmanager
def raises_code(code: ErrorCode) -> Iterator[pytest.ExceptionInfo[TalefoldError]]:
    """Expects a TalefoldError with this code."""
    with pytest.raises(TalefoldError) as caught:
        yield caught
    assert caught.value.code is code, caught.value


def wait_for_text(turn: Turn, end: str) -> None:
    """Takes events up to the piece of text that ends so."""
    for event in turn:
        if isinstance(event, AnswerText) and event.text.endswith(end):
            return
    pytest.fail(f"no text ended in {end!r}")
