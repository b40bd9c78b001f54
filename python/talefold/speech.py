"""What a host supplies so that characters speak."""

from __future__ import annotations

import abc
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from talefold import _core

__all__ = ["SpeechAudio", "SpeechBackend", "SpeechRequest"]


@dataclass(frozen=True, kw_only=True)
class SpeechRequest:
    """A sentence to voice.

    Attributes:
        text: One sentence; data, never markup.
        voice: Empty = the backend's default.
        speaker_id: Of a voice with several speakers; 0 or more.
        speed: 0.1 to 3.0; 2.0 = twice as fast.
    """

    text: str
    voice: str = ""
    speaker_id: int = 0
    speed: float = 1.0


@dataclass(frozen=True, kw_only=True, eq=False)
class SpeechAudio:
    """The next samples of a sentence; one channel.

    Attributes:
        sample_rate: Samples per second, 1000 to 384000; one rate for a voice.
        samples: 16-bit integers: a numpy array of int16, `array("h")`, or their bytes.
    """

    sample_rate: int
    samples: Buffer


class SpeechBackend(abc.ABC):
    """Text to speech. Shared by the agents made while it was set.

    It must not call the engine, its agents or their turns. What a method raises becomes
    a `TalefoldError`: one that it raises itself stays as it is, another exception is
    SpeechFailed with its message.
    """

    def check_voice(self, voice: str, speaker_id: int) -> None:  # noqa: B027 - a default
        """Called when an agent is made, once for each of its nodes that speak.

        Raises:
            TalefoldError: InvalidParamValue, naming the allowed voices, or
                SpeechUnavailable, with what to install. Here: never.
        """

    @abc.abstractmethod
    def synthesize(
        self, request: SpeechRequest, stop: Callable[[], bool]
    ) -> Iterable[SpeechAudio]:
        """Voices a sentence, most simply as a generator.

        Called on a thread of the turn, one sentence at a time; the turns of several
        agents call at the same time. When no more is wanted a generator is closed at
        its `yield`: its `finally` clauses run. What it raises ends the speech of the
        node, not the turn.

        Args:
            request: The sentence and how to say it.
            stop: Whether to stop; any thread may ask. The turn waits for the backend:
                ask between pieces of work that take long.

        Returns:
            The audio, each part as soon as there is some.
        """


class CoreBackend:
    """A backend as the compiled module calls it."""

    def __init__(self, backend: SpeechBackend) -> None:
        if not isinstance(backend, SpeechBackend):
            kind = type(backend).__name__
            raise TypeError(f"expected a SpeechBackend or None, not {kind}")
        self._backend = backend

    def check_voice(self, voice: str, speaker_id: int) -> None:
        self._backend.check_voice(voice, speaker_id)

    def synthesize(
        self,
        call: _core.SpeechCall,
        text: str,
        voice: str,
        speaker_id: int,
        speed: float,
    ) -> None:
        request = SpeechRequest(
            text=text, voice=voice, speaker_id=speaker_id, speed=speed
        )
        parts = iter(self._backend.synthesize(request, call.stopped))
        try:
            for part in parts:
                if not call.give(part.sample_rate, part.samples):
                    break
        finally:
            if close := getattr(parts, "close", None):
                close()
