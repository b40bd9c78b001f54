"""One character's conversation."""

from __future__ import annotations

import os
from collections.abc import Mapping

from talefold import _core
from talefold._closing import Closing
from talefold._files import kv_path, write_bytes_atomically, write_text_atomically
from talefold._json import to_json
from talefold._waiting import wait_slices
from talefold.dialog import HistoryState, Interaction, Summary
from talefold.errors import TalefoldError
from talefold.events import Event
from talefold.graph import GraphDescription, NodeParams, type_of_params
from talefold.turn import AsyncEventStream, EventStream, Turn, TurnResult

__all__ = ["Agent"]


class Agent(Closing):
    """One character's conversation, made by `Engine.create_agent`.

    Any thread may call any method; calls that can block let other Python threads run.
    While a turn runs, methods that change the agent raise AgentBusy, and those that
    read see the last committed state. A method that raises has changed nothing. A
    context manager: leaving it closes the agent.
    """

    def __init__(self, core: _core.Agent, owner: object) -> None:
        self._core = core
        self._owner = owner  # keeps the engine alive

    # Turns. `timeout_ms` counts from the call to the end of the turn, waiting included;
    # 0 = none.

    def send(self, text: str | None, *, timeout_ms: int = 0) -> TurnResult:
        """Runs a turn and waits for its end. Ctrl-C cancels the turn.

        Args:
            text: What the player said; None = the character speaks first.
            timeout_ms: The turn fails with InferenceTimeout after so long; 0 = never.

        Raises:
            TalefoldError: AgentBusy, InvalidArgument, InvalidUtf8 or MessageTooLarge
                when no turn was started; the turn's own error otherwise, whose `result`
                holds what was emitted.
        """
        return self.start(text, timeout_ms=timeout_ms)._run()

    def stream(self, text: str | None, *, timeout_ms: int = 0) -> EventStream:
        """Starts a turn and iterates over its events.

        The last one is TurnComplete, which carries status and error. Closing or
        dropping the iterator earlier cancels the turn and waits until it has stopped.
        """
        return EventStream(self.start(text, timeout_ms=timeout_ms))

    def start(self, text: str | None, *, timeout_ms: int = 0) -> Turn:
        """Starts a turn and returns at once."""
        return Turn(self._core.start(text, timeout_ms), self)

    async def send_async(self, text: str | None, *, timeout_ms: int = 0) -> TurnResult:
        """`send` for asyncio; no thread waits. Cancelling the task cancels the turn."""
        return await self.start(text, timeout_ms=timeout_ms)._run_async()

    def stream_async(
        self, text: str | None, *, timeout_ms: int = 0
    ) -> AsyncEventStream:
        """`stream` for asyncio.

        A dropped iterator cancels the turn without waiting; use `contextlib.aclosing`
        to know that the agent is idle after leaving the loop early.
        """
        return AsyncEventStream(self.start(text, timeout_ms=timeout_ms))

    def regenerate(self, *, timeout_ms: int = 0) -> TurnResult:
        """Replaces the last interaction by a new reply to the same user text.

        If the turn ends with nothing emitted, the old interaction stays.
        """
        return self.start_regenerate(timeout_ms=timeout_ms)._run()

    async def regenerate_async(self, *, timeout_ms: int = 0) -> TurnResult:
        """As `regenerate`, without blocking the event loop."""
        return await self.start_regenerate(timeout_ms=timeout_ms)._run_async()

    def start_regenerate(self, *, timeout_ms: int = 0) -> Turn:
        """Starts what `regenerate` waits for."""
        return Turn(self._core.start_regenerate(timeout_ms), self)

    def replay_turn(
        self, *, user: str = "", assistant: str = "", timeout_ms: int = 0
    ) -> TurnResult:
        """Runs a turn whose reply is known: only memory nodes do their work.

        Both texts are appended as in `append_interaction`; then the graph is walked
        without the nodes that write replies. The interaction stays even if the turn is
        cancelled.

        Raises:
            TalefoldError: InvalidArgument when both texts are empty.
        """
        return self.start_replay(
            user=user, assistant=assistant, timeout_ms=timeout_ms
        )._run()

    def start_replay(
        self, *, user: str = "", assistant: str = "", timeout_ms: int = 0
    ) -> Turn:
        """Starts what `replay_turn` waits for."""
        return Turn(self._core.start_replay(user, assistant, timeout_ms), self)

    def refold(self, *, timeout_ms: int = 0) -> Summary:
        """Rebuilds the newest summary from its source turns.

        Raises:
            TalefoldError: SummaryNotFound when there is none, UnknownNode when its
                Summarize node is gone, or the model's error; the summary stays.
        """
        self.start_refold(timeout_ms=timeout_ms)._run()
        summary = self.get_summary()
        assert summary is not None
        return summary

    async def refold_async(self, *, timeout_ms: int = 0) -> Summary:
        """As `refold`, without blocking the event loop."""
        await self.start_refold(timeout_ms=timeout_ms)._run_async()
        summary = self.get_summary()
        assert summary is not None
        return summary

    def start_refold(self, *, timeout_ms: int = 0) -> Turn:
        """Starts what `refold` waits for."""
        return Turn(self._core.start_refold(timeout_ms), self)

    # Tools.

    def submit_tool_result(
        self, call_id: str, json: str, resume: bool = True, *, timeout_ms: int = 0
    ) -> TurnResult | None:
        """Gives a tool call its result, and lets the character go on with it.

        Prompts show call and result as long as they replay the call's interaction.

        Args:
            call_id: `ToolCall.id`, or `call_id` of the event tool_call.
            json: The result as JSON text; a text is a string in quotation marks.
            resume: Runs a turn without a text of the player, as `send` does; it is
                returned. False = only keeps the result, and returns None. The result
                stays, whatever becomes of the turn.
            timeout_ms: Of that turn.

        Raises:
            TalefoldError: AgentBusy, ToolCallNotFound, or InvalidArgument when `json`
                is none or when the call has a result and a turn has followed (until
                then it is replaced); the turn's own error otherwise.
        """
        if not resume:
            self._core.submit_tool_result(call_id, json)
            return None
        return self.start_tool_result(call_id, json, timeout_ms=timeout_ms)._run()

    async def submit_tool_result_async(
        self, call_id: str, json: str, *, timeout_ms: int = 0
    ) -> TurnResult:
        """As `submit_tool_result` with a turn, without blocking the event loop."""
        turn = self.start_tool_result(call_id, json, timeout_ms=timeout_ms)
        return await turn._run_async()

    def start_tool_result(
        self, call_id: str, json: str, *, timeout_ms: int = 0
    ) -> Turn:
        """Gives a tool call its result and starts the turn that uses it."""
        return Turn(self._core.start_tool_result(call_id, json, timeout_ms), self)

    # Pins.

    def pin(self, key: str, text: str) -> None:
        """Makes `text` part of every prompt of the agent, until `unpin`.

        It stands after the system prompt and before the summary, is never trimmed or
        folded, and is saved in snapshots. A pin of the same key is replaced.

        Raises:
            TalefoldError: InvalidArgument for an empty key or text; InvalidParamValue
                when a node's context has no room for it.
        """
        self._core.pin(key, text)

    def unpin(self, key: str) -> bool:
        """Removes a pin; False when there is none of this key."""
        return self._core.unpin(key)

    def pins(self) -> dict[str, str]:
        """The pinned texts by key, in the order of pinning."""
        return self._core.pins()

    # The dialog.

    def append_interaction(self, *, user: str = "", assistant: str = "") -> None:
        """Appends a finished interaction, not both texts empty; runs no model."""
        self._core.append_interaction(user, assistant)

    def edit_interaction(
        self, index: int, *, user: str | None = None, assistant: str | None = None
    ) -> None:
        """Replaces the given texts of the interaction at `index`, counted from 0.

        A summary that covers it is marked stale.
        """
        self._core.edit_interaction(index, user, assistant)

    def undo_last_turn(self) -> Interaction:
        """Removes the last interaction with its summary and returns it."""
        return self._core.undo_last_turn()

    def dialog(self) -> list[Interaction]:
        """All interactions, oldest first."""
        return self._core.dialog()

    @property
    def dialog_size(self) -> int:
        """Number of interactions."""
        return self._core.dialog_size()

    def history_states(self, node: str) -> list[HistoryState]:
        """What the next prompt of `node` will show of each interaction.

        Raises:
            TalefoldError: UnknownNode for a name that is no node that replays history.
        """
        return self._core.history_states(node)

    # Summaries.

    def get_summary(self) -> Summary | None:
        """The newest summary, if any."""
        return self._core.get_summary()

    def set_summary(self, text: str) -> None:
        """Replaces the text of the newest summary and marks it edited.

        Raises:
            TalefoldError: SummaryNotFound without one; InvalidParamValue when longer
                than max_summary_tokens of its node.
        """
        self._core.set_summary(text)

    # Params.

    @property
    def graph(self) -> GraphDescription:
        """A copy of the graph with its present params."""
        return GraphDescription._from_core(self._core.graph())

    def change_params(
        self, node: str, params: NodeParams | Mapping[str, object]
    ) -> None:
        """Changes mutable params of a node, all or none.

        Args:
            node: Its name.
            params: All params of the node, or a mapping of only those to change.

        Raises:
            TalefoldError: UnknownNode, ParamNotMutable or InvalidParamValue.
        """
        if isinstance(params, Mapping):
            self._core.change_params_json(node, to_json(params))
        else:
            self._core.change_params(node, type_of_params(params), to_json(params))

    # Saving.

    def export_snapshot(self) -> str:
        """The last committed state as JSON text; never waits for a turn."""
        return self._core.export_snapshot()

    def import_snapshot(self, text: str) -> None:
        """Replaces dialog and node states; the graph and its params stay."""
        self._core.import_snapshot(text)

    def export_kv(self) -> bytes:
        """The KV states of the nodes that replay history, for `import_kv`.

        A copy of what the next turn would find, so that it need not be computed again.
        Disposable: without it, or with one of another moment, the next turn is slower
        and says the same.

        Raises:
            TalefoldError: AgentBusy while a turn, or another KV call, runs;
                InferenceFailed when a model's file, which tells whose states these are,
                can no longer be read.
        """
        return self._core.export_kv()

    @property
    def kv_export_size(self) -> int:
        """The length of what `export_kv` would return now, in bytes; costs no copy.

        Raises:
            TalefoldError: AgentBusy.
        """
        return self._core.kv_export_size()

    def import_kv(self, kv: bytes) -> None:
        """Goes on from states that `export_kv` wrote, here or in another process.

        The dialog is not touched.

        Raises:
            TalefoldError: KvRejected, and nothing has changed, when the bytes are
                damaged, or were written with another model, setting or llama.cpp; the
                message names node, field and both values. KvRejected also for a lack of
                room under kv_cache_bytes: the KV states are then empty. AgentBusy.
        """
        self._core.import_kv(kv)

    @property
    def kv_rejection(self) -> TalefoldError | None:
        """Why `create_agent` or `load_agent` did not use the KV bytes; None if it did.

        None, too, when there were none.
        """
        return self._core.kv_rejection()

    def save(self, path: str | os.PathLike[str], *, kv: bool = False) -> None:
        """Writes a snapshot to `path`, for `Engine.load_agent`.

        A file that was there is replaced as a whole; whenever the process or the
        machine stops, the old or the new conversation can be loaded.

        Args:
            path: The file.
            kv: Also write the KV bytes, to `path` + ".kv"; `kv_export_size` tells how
                many. Without, such a file is left as it is: it fits as far as it goes.

        Raises:
            TalefoldError: AgentBusy while a turn runs, with `kv` only; nothing is
                written.
            OSError: A file cannot be written. The snapshot is written first, so a lack
                of room for the KV bytes does not lose the conversation.
        """
        states = self.export_kv() if kv else None
        write_text_atomically(path, self.export_snapshot())
        if states is not None:
            write_bytes_atomically(kv_path(path), states)

    # Life.

    @property
    def busy(self) -> bool:
        """Whether a turn, or a call that copies KV states, is running."""
        return self._core.busy()

    # Folds of Summarize nodes with run_inline off are written beside turns, and so are
    # the KV states of next prompts made ready. A written fold is committed by the next
    # two, or by a turn that would trim what it covers; until then nothing shows of it.

    def poll_background(self) -> list[Event]:
        """Commits the folds that are written, unless a turn runs. Never waits.

        Returns:
            What happened in the background since the last call, at most 256 events,
            all with turn id 0.
        """
        return self._core.poll_background()

    def wait_background(self, *, timeout_ms: int = 0) -> bool:
        """Waits until nothing is left to do in the background, and commits the folds.

        Waits for a running turn, too.

        Args:
            timeout_ms: The longest wait; 0 = no limit.

        Returns:
            False at the time-out.
        """
        limit = timeout_ms / 1000 if timeout_ms > 0 else None
        return any(self._core.wait_background(max(1, ms)) for ms in wait_slices(limit))

    def prewarm(self) -> None:
        """Makes what the next prompt begins with ready, in the background.

        The end of a turn does so by itself; this is for an agent that was just made,
        loaded or edited. Returns at once.

        Raises:
            TalefoldError: AgentBusy while a turn runs.
        """
        self._core.prewarm()

    def close(self) -> None:
        """Cancels a running turn, waits for its end, refuses further calls.

        Idempotent.
        """
        self._core.close()
