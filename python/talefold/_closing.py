"""What is closed at the end of a `with` block."""

from __future__ import annotations

from abc import ABC, abstractmethod
from types import TracebackType
from typing import TypeVar

Owner = TypeVar("Owner", bound="Closing")


class Closing(ABC):
    """A context manager: leaving it closes the object."""

    @abstractmethod
    def close(self) -> None:
        """Ends its work; more calls do nothing."""

    def __enter__(self: Owner) -> Owner:
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
