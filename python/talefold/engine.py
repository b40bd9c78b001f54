"""The engine: models and the threads that run turns."""

from __future__ import annotations

import atexit
import logging
import weakref
from collections.abc import Mapping, Sequence
from types import TracebackType

from talefold import _core
from talefold._json import to_json
from talefold._params import SamplingOverrides
from talefold.agent import Agent
from talefold.graph import GraphDescription
from talefold.models import ModelInfo, ScriptedReply, ScriptedRequest

__all__ = ["Engine"]


class Engine:
    """Owns models and worker threads; one per process is usual, several work.

    Any thread may call any method. A context manager: leaving it closes the engine. Log
    lines go to the logger "talefold" and its children, one for each category; texts
    that a player or a model wrote only at debug level. A handler must not call the
    engine.
    """

    def __init__(
        self,
        *,
        worker_threads: int = 8,
        max_message_bytes: int = 65536,
        max_steps_per_turn: int = 64,
    ) -> None:
        """Starts the engine.

        Args:
            worker_threads: Turns that may run at the same time.
            max_message_bytes: Longest text of one message, in UTF-8.
            max_steps_per_turn: Nodes one turn may execute.

        Raises:
            TalefoldError: InvalidArgument for a number below 1.
        """
        self._core = _core.Engine(
            worker_threads, max_message_bytes, max_steps_per_turn, _log
        )
        _open_engines.add(self)

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def load_scripted_model(
        self,
        name: str,
        *,
        replies: Sequence[str | ScriptedReply] = (),
        node_replies: Mapping[str, Sequence[str | ScriptedReply]] | None = None,
        tokenizer: str = "words",
        trained_context_size: int = 131072,
        token_delay_us: int = 0,
        record_requests: bool = False,
        default_sampling: SamplingOverrides | None = None,
    ) -> None:
        """Loads a model that says what it was told to: deterministic, without weights.

        Args:
            name: A name not in use yet.
            replies: Walked in order by each node of each agent on its own, then from
                the start again.
            node_replies: Replies of nodes with these names, in place of `replies`.
            tokenizer: "chars" = a token is a code point, "words" = a word.
            trained_context_size: In tokens.
            token_delay_us: Microseconds before each token.
            record_requests: Keep every request for `scripted_requests`.
            default_sampling: What unset sampling params of nodes stand for.

        Raises:
            TalefoldError: InvalidArgument or InvalidParamValue; nothing is loaded.
        """
        self._core.load_scripted_model(
            name,
            _script(replies),
            [(node, _script(script)) for node, script in (node_replies or {}).items()],
            tokenizer,
            trained_context_size,
            token_delay_us,
            record_requests,
            to_json(default_sampling or {}),
        )

    def unload_model(self, name: str) -> None:
        """Forgets a model; agents that use it keep it until they are gone."""
        self._core.unload_model(name)

    def models(self) -> list[ModelInfo]:
        """The loaded models."""
        return self._core.models()

    def count_tokens(self, model: str, text: str) -> int:
        """Tokens of `text`, as data: control tokens in it are plain text."""
        return self._core.count_tokens(model, text)

    def scripted_requests(self, model: str) -> list[ScriptedRequest]:
        """The recorded requests of a scripted model, oldest first."""
        return self._core.scripted_requests(model)

    def create_agent(
        self,
        graph: GraphDescription,
        *,
        default_model_name: str = "",
        enable_diagnostics: bool = False,
        snapshot: str | None = None,
    ) -> Agent:
        """Starts a conversation.

        Args:
            graph: What the character does; the agent keeps a copy.
            default_model_name: For nodes without a model_name; empty = the engine's
                only model.
            enable_diagnostics: Turns report what each node did, in `debug_info`.
            snapshot: Text of `Agent.export_snapshot` to continue from.

        Raises:
            TalefoldError: What `GraphDescription.validate` finds, ModelNotFound,
                InvalidParamValue for sizes that do not fit the model, AdapterMismatch,
                or a snapshot error.
        """
        core = self._core.create_agent(
            graph._compiled(), default_model_name, enable_diagnostics, snapshot or ""
        )
        return Agent(core, self)

    def close(self) -> None:
        """Cancels every turn and waits for the workers. Idempotent.

        Agents and turns of the engine refuse calls from then on.
        """
        self._core.close()


_open_engines: weakref.WeakSet[Engine] = weakref.WeakSet()


@atexit.register
def _close_engines() -> None:
    # Workers must be gone before the interpreter is, and no thread may ask for its GIL.
    _core.begin_exit()
    for engine in list(_open_engines):
        engine.close()


def _log(level: int, category: str, text: str) -> None:
    logging.getLogger(f"talefold.{category}").log(level, "%s", text)


def _script(replies: Sequence[str | ScriptedReply]) -> list[tuple[str, str, bool]]:
    if isinstance(replies, str):
        raise TypeError("replies must be a sequence of replies, not a str")
    return [
        (reply, "finish", False)
        if isinstance(reply, str)
        else (reply.text, reply.outcome, reply.echo)
        for reply in replies
    ]
