"""Waits that Ctrl-C can end."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator

__all__ = ["wait_slices"]

_SLICE_MS = 100  # blocking calls return to Python this often


def wait_slices(timeout: float | None) -> Iterator[int]:
    """Milliseconds of each wait until `timeout` seconds are over; at least one."""
    if timeout is None:
        while True:
            yield _SLICE_MS
    end = time.monotonic() + timeout
    while (left_ms := (end - time.monotonic()) * 1000) > _SLICE_MS:
        yield _SLICE_MS
    yield max(0, math.ceil(left_ms))
