"""How `talefold chat` shows a turn while it runs."""

from __future__ import annotations

from rich.console import Console

from talefold import (
    AnswerText,
    AudioChunk,
    Engine,
    Event,
    NodeEvent,
    TalefoldError,
    TurnComplete,
    WavWriter,
)
from talefold.cli.figures import fold_of, prompt_of
from talefold.cli.view import CHARACTER_STYLE, Speech, fold_panel, plain, prompt_line

__all__ = ["TurnView", "show_error"]


class TurnView:
    """Shows the events of turns."""

    def __init__(
        self,
        console: Console,
        character: str,
        engine: Engine,
        model: str,
        wav: WavWriter | None,
    ) -> None:
        self.console = console
        self.character = character
        self._engine = engine
        self._model = model
        self._wav = wav
        self._speech: Speech | None = None
        self._in_pieces = False  # the node that speaks sends deltas

    def take(self, event: Event) -> None:
        """Shows what the event says."""
        if isinstance(event, AnswerText):
            self._answer(event)
        elif isinstance(event, AudioChunk) and self._wav is not None:
            self._wav.add(event)
        elif isinstance(event, NodeEvent) and event.event_type == "speech_failed":
            failure = f"not spoken: {event.pairs['error']}"
            self.console.print(plain(failure), style="red", soft_wrap=True)
        elif isinstance(event, TurnComplete):
            self._complete(event)

    def _answer(self, event: AnswerText) -> None:
        if self._speech is None:
            self._speech = Speech(self.console, self.character, CHARACTER_STYLE)
        elif not self._in_pieces:
            self._speech.add("\n")  # another node has spoken before
        if event.is_delta or not self._in_pieces:
            self._speech.add(event.text)
        if not event.is_delta:
            self._speech.flush()
        self._in_pieces = event.is_delta

    def _complete(self, event: TurnComplete) -> None:
        figures = prompt_of(event.debug_info)
        fold = fold_of(event.debug_info)
        if self._speech is not None:
            whole = event.status == "success" and not (figures and figures.cut)
            self._speech.end(cut=not whole)
            self._speech = None
            self._in_pieces = False
        if figures is not None:
            self.console.print(prompt_line(figures))
        if fold is not None:
            tokens = self._engine.count_tokens(self._model, fold.summary)
            self.console.print(fold_panel(fold, tokens))
        if event.error is not None:
            show_error(self.console, event.error)
        self.console.print()


def show_error(console: Console, error: TalefoldError | OSError) -> None:
    """Prints what went wrong; the conversation goes on."""
    if isinstance(error, OSError):
        text = f"{error.filename}: {error.strerror}"
    else:
        text = error.message + (f" ({error.hint})" if error.hint else "")
    console.print(f"error: {plain(text)}", style="red")
