"""The one exception of the library and its codes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from talefold._error_codes import ErrorCode

if TYPE_CHECKING:
    from talefold.turn import TurnResult

__all__ = ["ErrorCode", "TalefoldError"]


class TalefoldError(Exception):
    """A call failed; unless it says otherwise, nothing has changed.

    Attributes:
        code: What kind of failure; match on this, never on the message.
        message: What was wrong, where, and what is allowed.
        hint: What to do about it; may be empty.
        result: The turn that failed, with the text it emitted; None for other calls.
    """

    code: ErrorCode
    message: str
    hint: str
    result: TurnResult | None

    def __init__(self, code: int, message: str, hint: str = "") -> None:
        super().__init__(code, message, hint)
        self.code = ErrorCode(code)
        self.message = message
        self.hint = hint
        self.result = None

    def __str__(self) -> str:
        text = f"{self.code.value} {self.code.name}: {self.message}"
        return f"{text} ({self.hint})" if self.hint else text
