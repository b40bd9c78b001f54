"""The bare loop in a process of its own.

Beside the engine it would be slower, and the engine too: OpenMP's threads, which
llama.cpp computes with, wait for each other in another way in a process that has more
of them than there are CPUs.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from types import TracebackType

from talefold.bench.bare import BareLoop, BareRun

__all__ = ["BareProcess"]

_loop: BareLoop | None = None  # in the other process


class BareProcess:
    """As `BareLoop`; idle between two calls. A context manager."""

    def __init__(
        self, path: Path, *, slot_size: int, n_slots: int, threads: int
    ) -> None:
        """Starts the process; arguments are those of `BareLoop`."""
        self._process = ProcessPoolExecutor(
            1,
            mp_context=get_context("spawn"),
            initializer=_open,
            initargs=(path, slot_size, n_slots, threads),
        )

    def __enter__(self) -> BareProcess:
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._process.shutdown()

    def weight_bytes(self) -> int:
        """As `BareLoop.weight_bytes`."""
        return self._process.submit(_weight_bytes).result()

    def run(self, prompts: Sequence[Sequence[int]], count: int) -> BareRun:
        """As `BareLoop.run`."""
        return self._process.submit(_run, prompts, count).result()


def _open(path: Path, slot_size: int, n_slots: int, threads: int) -> None:
    global _loop
    _loop = BareLoop(path, slot_size=slot_size, n_slots=n_slots, threads=threads)


def _opened() -> BareLoop:
    assert _loop is not None
    return _loop


def _weight_bytes() -> int:
    return _opened().weight_bytes


def _run(prompts: Sequence[Sequence[int]], count: int) -> BareRun:
    return _opened().run(prompts, count)
