"""One walk of an agent's graph, running on an engine worker."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from typing import Any

from talefold import _core
from talefold._waiting import wait_slices
from talefold.errors import TalefoldError
from talefold.events import Event, TurnComplete, TurnStatus

__all__ = ["Turn", "TurnResult"]

# A stream that is dropped waits so long for its turn to stop. Bounded, because the
# garbage collector may drop it on the very thread that runs the turn.
_DROP_MS = 2000


@dataclass(frozen=True, kw_only=True)
class TurnResult:
    """How a turn ended.

    Attributes:
        text: What was emitted as answer text, complete or cut short.
        status: "success", "cancelled" or "error".
        tokens_generated: By all nodes of the turn.
        debug_info: What each node did; None unless diagnostics are enabled.
        events: Every event of the turn, in order.
        error: Set when status is "error".
    """

    text: str
    status: TurnStatus
    tokens_generated: int
    debug_info: dict[str, Any] | None = field(repr=False)
    events: list[Event] = field(repr=False)
    error: TalefoldError | None


class Turn:
    """A running or finished turn, made by `Agent.start`.

    Any thread may call any method. Each event is taken once: by `poll`, `wait_event` or
    iteration. Dropping the object does not stop the turn.
    """

    def __init__(self, core: _core.Turn, owner: object) -> None:
        self._core = core
        self._owner = owner  # keeps the engine alive while the turn is in use
        self._sleepers: set[_Sleeper] = set()  # tasks that wait for something queued

    @property
    def id(self) -> int:
        """Counted from 1 within the agent."""
        return self._core.id()

    @property
    def done(self) -> bool:
        """True once the turn is complete; the agent is idle by then."""
        return self._core.done()

    def poll(self) -> Event | None:
        """The next event not yet taken; None when there is none now."""
        return self._core.poll()

    def wait_event(self, timeout: float | None = None) -> Event | None:
        """Waits for the next event, at most `timeout` seconds.

        Returns:
            None at the time-out, or when all events have been taken.
        """
        for slice_ms in wait_slices(timeout):
            event = self._core.wait_event(slice_ms)
            if event is not None:
                return event
            if self._core.done():
                return self._core.poll()
        return None

    def __iter__(self) -> Iterator[Event]:
        """Events not yet taken, as they come, up to TurnComplete."""
        while (event := self.wait_event()) is not None:
            yield event

    def cancel(self) -> None:
        """Asks the turn to stop, at its next token. Returns at once; idempotent."""
        self._core.cancel()

    def resolve(self, option: str) -> None:
        """Answers a pending DecisionRequired.

        Raises:
            TalefoldError: NoDecisionPending, or InvalidArgument for an option that was
                not offered.
        """
        self._core.resolve(option)

    def result(self, timeout: float | None = None) -> TurnResult:
        """Waits for the end, at most `timeout` seconds. Takes no events.

        Raises:
            TalefoldError: The turn failed; `result` of the exception is its result.
            TimeoutError: The turn is still running.
        """
        for slice_ms in wait_slices(timeout):
            if self._core.wait(slice_ms):
                return self._finished()
        raise TimeoutError(f"turn {self.id} is still running after {timeout} seconds")

    def _finished(self) -> TurnResult:
        result = self._core.result()
        if result.error is not None:
            result.error.result = result
            raise result.error
        return result

    def _run(self) -> TurnResult:
        """The result; an interrupt cancels the turn and waits for its end."""
        try:
            return self.result()
        except TalefoldError:
            raise
        except BaseException:
            self._stop()
            raise

    async def _run_async(self) -> TurnResult:
        try:
            await self._wait_done()
        except asyncio.CancelledError:
            await self._stop_async()
            raise
        return self._finished()

    def _stop(self, timeout: float | None = None) -> None:
        self._core.cancel()
        for slice_ms in wait_slices(timeout):
            if self._core.wait(slice_ms):
                return

    async def _stop_async(self) -> None:
        self._core.cancel()
        await self._wait_done()

    async def _wait_done(self) -> None:
        with self._sleeper() as sleeper:
            while not self._core.done():
                await sleeper.wait()

    @contextlib.contextmanager
    def _sleeper(self) -> Iterator[_Sleeper]:
        """Wakes when the turn queues something; any number of tasks may have one."""
        sleeper = _Sleeper()
        self._sleepers.add(sleeper)
        self._core.set_listener(self._wake_all)
        try:
            yield sleeper
        finally:
            self._sleepers.discard(sleeper)

    def _wake_all(self) -> None:
        for sleeper in list(self._sleepers):
            sleeper.wake()


class EventStream(Iterator[Event]):
    """The events of a turn; closing or dropping it early cancels the turn."""

    def __init__(self, turn: Turn) -> None:
        self._turn = turn
        self._over = False

    def __next__(self) -> Event:
        if self._over:
            raise StopIteration
        try:
            event = self._turn.wait_event()
        except BaseException:
            self.close()
            raise
        if event is None or isinstance(event, TurnComplete):
            self._over = True
        if event is None:
            raise StopIteration
        return event

    def close(self) -> None:
        """Cancels the turn if it is running and waits for its end."""
        self._over = True
        self._turn._stop()

    def __del__(self) -> None:
        if not self._over:
            self._turn._stop(_DROP_MS / 1000)


class AsyncEventStream(AsyncIterator[Event]):
    """The same for asyncio; dropping it cancels the turn without waiting."""

    def __init__(self, turn: Turn) -> None:
        self._turn = turn
        self._over = False

    async def __anext__(self) -> Event:
        if self._over:
            raise StopAsyncIteration
        try:
            event = await self._next()
        except asyncio.CancelledError:
            await self.aclose()
            raise
        if event is None or isinstance(event, TurnComplete):
            self._over = True
        if event is None:
            raise StopAsyncIteration
        return event

    async def aclose(self) -> None:
        """Cancels the turn if it is running and waits for its end."""
        self._over = True
        await self._turn._stop_async()

    def __del__(self) -> None:
        if not self._over:
            self._turn.cancel()

    async def _next(self) -> Event | None:
        core = self._turn._core
        with self._turn._sleeper() as sleeper:
            while (event := core.poll()) is None and not core.done():
                await sleeper.wait()
        return event if event is not None else core.poll()


class _Sleeper:
    """One asyncio task that waits; woken from any thread."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._event = asyncio.Event()

    async def wait(self) -> None:
        await self._event.wait()
        self._event.clear()

    def wake(self) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(self._event.set)
