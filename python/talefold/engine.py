"""The engine: models, content, and the threads that run turns."""

from __future__ import annotations

import atexit
import logging
import os
import weakref
from array import array
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from talefold import _core
from talefold._closing import Closing
from talefold._content import EngineContent
from talefold._files import read_kv, read_snapshot
from talefold._json import to_json
from talefold._loading import reporting_progress
from talefold._params import SamplingOverrides
from talefold.agent import Agent
from talefold.catalogue import Catalogue
from talefold.errors import ErrorCode, TalefoldError
from talefold.graph import GraphDescription
from talefold.models import ModelInfo, RecordedRequest, ScriptedReply
from talefold.scene import Scene, SceneSettings
from talefold.speech import CoreBackend, SpeechBackend
from talefold.stats import EngineStats

__all__ = ["Engine"]


class Engine(EngineContent, Closing):
    """Owns models and worker threads; one per process is usual, several work.

    Any thread may call any method. A context manager: leaving it closes the engine. Log
    lines go to the logger "talefold" and its children, one for each category; texts
    that a player or a model wrote only at debug level. A handler must not call the
    engine. It stays with the process that made it: in a child of fork(), calls raise
    EngineClosed, and the child makes its own.
    """

    def __init__(
        self,
        *,
        worker_threads: int = 8,
        max_message_bytes: int = 65536,
        max_steps_per_turn: int = 64,
        kv_cache_bytes: int = 1 << 30,
        slots_per_pool: int = 4,
        deterministic: bool = False,
        prewarm: bool = True,
        storage_root: str | os.PathLike[str] | None = None,
    ) -> None:
        """Starts the engine.

        Args:
            worker_threads: Turns that may run at the same time.
            max_message_bytes: Longest text of one message, in UTF-8.
            max_steps_per_turn: Nodes one turn may execute.
            kv_cache_bytes: Most bytes of KV cache: allocated pools, and states that
                wait in host memory for their next turn.
            slots_per_pool: Requests of one model and context size that run at the same
                time; others wait. Each slot takes its memory from the start, and one
                more is for background work; where that is too much for
                kv_cache_bytes, there are fewer.
            deterministic: The same text whatever else runs: requests are not batched
                together, and prompts are computed in the same pieces each time. Slower.
            prewarm: Compute what next prompts begin with at the end of a turn, while no
                player waits. Off: `Agent.prewarm` does it on request.
            storage_root: The folder of string storages and knowledge bases; no path in
                a graph leads out of it. None = no files.

        Raises:
            TalefoldError: InvalidArgument for a number below 1, or a storage root that
                is no folder.
        """
        self._core = _core.Engine(
            worker_threads,
            max_message_bytes,
            max_steps_per_turn,
            kv_cache_bytes,
            slots_per_pool,
            deterministic,
            prewarm,
            os.fspath(storage_root or ""),
            _log,
        )
        _open_engines.add(self)

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
        keep_reasoning: bool = False,
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
            record_requests: Keep every request for `recorded_requests`.
            keep_reasoning: Leave what stands between <think> and </think> in replies.
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
            keep_reasoning,
            to_json(default_sampling or {}),
        )

    def load_model(
        self,
        name: str,
        path: str | Path | None = None,
        *,
        n_gpu_layers: int = 0,
        chat_template: str = "",
        default_sampling: SamplingOverrides | None = None,
        default_context_size: int | None = None,
        keep_reasoning: bool = False,
        record_requests: bool = False,
        catalogue: Catalogue | Path | str | None = None,
        on_progress: Callable[[float], object] | None = None,
    ) -> None:
        """Loads a GGUF model: the weights once, for all agents that use them.

        Args:
            name: A name not in use yet. Without a `path`, also the name of an entry of
                the catalogue, whose settings apply where none are given here.
            path: The GGUF file.
            n_gpu_layers: Layers kept on the GPU; -1 = all.
            chat_template: A template that llama.cpp knows, by name or text, in place of
                the model's own.
            default_sampling: What unset sampling params of nodes stand for.
            default_context_size: Tokens, of nodes with context_size 0; 0 = 4096.
            keep_reasoning: Leave the reasoning of a model that thinks aloud in its
                replies, tags included.
            record_requests: Keep every request with its logits for
                `recorded_requests`; needs memory.
            catalogue: Where to look for `name`, may be a catalogue file; default: the
                built-in entries.
            on_progress: Called with the fraction loaded; returning False cancels.

        Raises:
            TalefoldError: ModelNotFound (also for a catalogue file), ModelLoadFailed
                (also when cancelled), UnsupportedChatTemplate, InvalidArgument; nothing
                is loaded.
        """
        if path is None:
            entry = _catalogue(catalogue).find(name)
            path = entry.locate()
            chat_template = chat_template or entry.chat_template
            default_sampling = default_sampling or entry.default_sampling
            if default_context_size is None:
                default_context_size = entry.default_context_size
        with reporting_progress(on_progress) as go_on:
            self._core.load_model(
                name,
                str(path),
                n_gpu_layers,
                default_context_size or 0,
                chat_template,
                to_json(default_sampling or {}),
                keep_reasoning,
                record_requests,
                go_on,
            )

    def next_token_logits(self, model: str, prompt: Sequence[int]) -> array[float]:
        """Logits of the token after `prompt`, computed with an empty KV cache.

        Raises:
            TalefoldError: InvalidArgument for an empty prompt, a token outside the
                vocabulary, or a scripted model.
        """
        return self._core.next_token_logits(model, list(prompt))

    def unload_model(self, name: str) -> None:
        """Forgets a model; agents that use it keep it until they are gone."""
        self._core.unload_model(name)

    def models(self) -> list[ModelInfo]:
        """The loaded models."""
        return self._core.models()

    def stats(self) -> EngineStats:
        """What inference does and holds, as of the newest batch. Never waits."""
        return self._core.stats()

    def count_tokens(self, model: str, text: str) -> int:
        """Tokens of `text`, as data: control tokens in it are plain text."""
        return self._core.count_tokens(model, text)

    def recorded_requests(self, model: str) -> list[RecordedRequest]:
        """Requests of a model loaded with record_requests, oldest first."""
        return self._core.recorded_requests(model)

    def set_speech_backend(self, backend: SpeechBackend | None) -> None:
        """Sets what agents made from now on speak with; None = nothing.

        Agents that are there keep what they have.
        """
        self._core.set_speech_backend(None if backend is None else CoreBackend(backend))

    def create_agent(
        self,
        graph: GraphDescription,
        *,
        default_model_name: str = "",
        enable_diagnostics: bool = False,
        snapshot: str | None = None,
        kv: bytes | None = None,
    ) -> Agent:
        """Starts a conversation.

        Args:
            graph: What the character does; the agent keeps a copy.
            default_model_name: For nodes without a model_name; empty = the engine's
                only model.
            enable_diagnostics: Turns report what each node did, in `debug_info`.
            snapshot: Text of `Agent.export_snapshot` to continue from.
            kv: Bytes of `Agent.export_kv` to go on with. Bytes that do not fit are a
                warning in the log and `Agent.kv_rejection`: the agent goes on without.

        Raises:
            TalefoldError: What `GraphDescription.validate` finds, ModelNotFound,
                InvalidParamValue for sizes that do not fit the model, AdapterMismatch,
                SpeechUnavailable, what the speech backend says of a voice, or a
                snapshot error.
        """
        core = self._core.create_agent(
            graph._compiled(),
            default_model_name,
            enable_diagnostics,
            snapshot or "",
            kv or b"",
        )
        return Agent(core, self)

    def load_agent(
        self,
        graph: GraphDescription,
        path: str | os.PathLike[str],
        *,
        default_model_name: str = "",
        enable_diagnostics: bool = False,
    ) -> Agent:
        """Goes on with a conversation that `Agent.save` wrote.

        The KV bytes beside the snapshot are used if they are there and fit; if not, the
        first turn is slower, and `Agent.kv_rejection` says why.

        Args:
            graph: As in `create_agent`.
            path: The snapshot's file.
            default_model_name: As in `create_agent`.
            enable_diagnostics: As in `create_agent`.

        Raises:
            OSError: The snapshot cannot be read.
            TalefoldError: As `create_agent`.
        """
        return self.create_agent(
            graph,
            default_model_name=default_model_name,
            enable_diagnostics=enable_diagnostics,
            snapshot=read_snapshot(path),
            kv=read_kv(path),
        )

    def create_scene(
        self,
        *,
        memory_graph: GraphDescription | None = None,
        default_model_name: str = "",
        run_inline: bool = False,
        enable_diagnostics: bool = False,
        settings: SceneSettings | None = None,
        snapshot: str | None = None,
    ) -> Scene:
        """Starts a story that several characters share.

        Args:
            memory_graph: Archive and LayeredHistory nodes; None = one of each with
                their defaults.
            default_model_name: For nodes without a model_name; empty = the engine's
                only model.
            run_inline: Every message waits until the memory has taken in what is due;
                False = that goes on beside the turns.
            enable_diagnostics: Turns report what each node did, in `debug_info`.
            settings: Of the scene; a snapshot's own settings hold instead.
            snapshot: Text of `Scene.export_snapshot` to continue from.

        Raises:
            TalefoldError: As `create_agent`.
        """
        chosen = settings or SceneSettings()
        core = self._core.create_scene(
            memory_graph._compiled() if memory_graph else None,
            default_model_name,
            run_inline,
            enable_diagnostics,
            chosen.intro,
            chosen.intention,
            chosen.writing_style,
            chosen.format,
            snapshot or "",
        )
        return Scene(core, self)

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


def _catalogue(source: Catalogue | Path | str | None) -> Catalogue:
    if isinstance(source, Catalogue):
        return source
    try:
        return Catalogue() if source is None else Catalogue(source)
    except FileNotFoundError:
        raise TalefoldError(
            ErrorCode.ModelNotFound,
            f"no catalogue file at '{source}'",
            "give the path of a catalogue file",
        ) from None
