"""`talefold chat`: talk to a character in the terminal."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from talefold import (
    Agent,
    Engine,
    ErrorCode,
    EspeakBackend,
    TalefoldError,
    ToolCall,
    Turn,
    WavWriter,
)
from talefold._files import read_kv, read_snapshot
from talefold.cli.stage import (
    BUILT_IN_MODEL,
    CatalogueOption,
    ContextOption,
    GraphOption,
    ModelOption,
    ScriptedOption,
    SeedOption,
    SilentSpeech,
    StorageRootOption,
    content_root,
    fails_readably,
    reply_node,
    set_up,
)

if TYPE_CHECKING:
    from talefold.cli.turn_view import TurnView

_SYSTEM_PROMPT = (
    "You are {character}, the keeper of a small inn called the Sleepy Fox, in an old "
    "kingdom of forests and rivers. You talk to a guest. Stay in your role and answer "
    "in one or two short sentences."
)
_NO_SNAPSHOT = "this is no snapshot; for a log use `talefold replay`"
_COMMANDS = (
    ("/undo", "take the last turn back"),
    ("/regenerate", "another reply to your last line"),
    ("/summary", "what the character remembers of the folded turns"),
    ("/history", "all turns: folded, trimmed or replayed word for word"),
    ("/save FILE", "write a snapshot, for --load"),
    ("/help", "this list"),
    ("/quit", "leave; so do Ctrl-C and Ctrl-D at the prompt"),
)


def chat(
    model: ModelOption = BUILT_IN_MODEL,
    catalogue: CatalogueOption = None,
    graph: GraphOption = None,
    storage_root: StorageRootOption = None,
    character: Annotated[
        str, typer.Option("--character", metavar="NAME", help="Who answers.")
    ] = "Edric",
    system: Annotated[
        str | None,
        typer.Option("--system", metavar="TEXT", help="Who the character is."),
    ] = None,
    context: ContextOption = None,
    save: Annotated[
        Path | None,
        typer.Option(
            "--save",
            metavar="FILE",
            help="Write a snapshot each turn, and the KV cache to FILE.kv at the end.",
        ),
    ] = None,
    load: Annotated[
        Path | None,
        typer.Option("--load", metavar="FILE", help="Go on from a snapshot."),
    ] = None,
    speak: Annotated[
        Path | None,
        typer.Option(
            "--speak",
            metavar="FILE",
            help="Have espeak-ng voice the replies, and write the audio to FILE (WAV) "
            "at the end.",
        ),
    ] = None,
    scripted: ScriptedOption = False,
    seed: SeedOption = None,
) -> None:
    """Talk to a character. Inside, /help lists what you can do."""
    from talefold.cli.turn_view import TurnView
    from talefold.cli.view import make_console

    root = content_root(storage_root, graph)
    with fails_readably(), Engine(storage_root=root) as engine:
        snapshot = None if load is None else _read(load)
        own_files = {path.resolve() for path in (load,) if path}
        if save is not None:
            _refuse_to_overwrite(save, own_files)
            _refuse_missing_folder(save)
        if speak is not None:
            if speak.exists():
                what = f"{speak} exists, so it is not written over"
                raise TalefoldError(
                    ErrorCode.InvalidArgument, what, "choose another file"
                )
            _refuse_missing_folder(speak)
        engine.set_speech_backend(SilentSpeech() if speak is None else EspeakBackend())
        name, description = set_up(
            engine,
            model=model,
            catalogue=catalogue,
            scripted=scripted,
            graph_file=graph,
            context_size=context,
            seed=seed,
            system_prompt=system,
            default_system_prompt=_SYSTEM_PROMPT.format(character=character),
            speak=speak is not None,
        )
        node = reply_node(description)
        with _names_snapshot(load, snapshot):
            agent = engine.create_agent(
                description,
                default_model_name=name,
                enable_diagnostics=True,
                snapshot=snapshot,
                kv=None if load is None else read_kv(load),
            )
        console = make_console()
        console.print(f"{name}: {character} listens. /help lists the commands.\n")
        with _wav_writer(speak) as wav:
            view = TurnView(console, character, engine, name, wav)
            conversation = _Conversation(agent, view, node, save, own_files)
            if load is not None:
                conversation.go_on(load)
            conversation.run()


class _Conversation:
    """Reads lines until the end of the input or /quit."""

    def __init__(
        self,
        agent: Agent,
        view: TurnView,
        reply_node: str,
        save: Path | None,
        own_files: set[Path],
    ) -> None:
        self._agent = agent
        self._view = view
        self._console = view.console
        self._reply_node = reply_node
        self._save = save
        self._own_files = own_files  # may be written over
        self._talked = False
        self._asked_calls: set[str] = set()

    def go_on(self, loaded: Path) -> None:
        """Shows the last turn, and says when nothing will be saved."""
        from talefold.cli.view import CHARACTER_STYLE, plain, said

        if self._save is None:
            note = f"Nothing will be saved; --save {loaded} would save each turn.\n"
            self._console.print(note, style="dim", soft_wrap=True)
        for turn in self._agent.dialog()[-1:]:
            if turn.user:
                self._console.print(f"You> {plain(turn.user)}", soft_wrap=True)
            if turn.assistant:
                speaker = self._view.character
                self._console.print(said(speaker, turn.assistant, CHARACTER_STYLE))
            self._console.print()

    def run(self) -> None:
        """Every line is a command or what the player says."""
        for line in self._lines():
            if line == "/quit":
                break
            with self._shows_errors():
                if line.startswith("/"):
                    self._command(line)
                else:
                    self._turn(self._agent.start(line))
        if self._talked:
            with self._shows_errors():
                self._write_save(kv=True)

    @contextlib.contextmanager
    def _shows_errors(self) -> Iterator[None]:
        try:
            yield
        except (TalefoldError, OSError) as error:
            from talefold.cli.turn_view import show_error

            show_error(self._console, error)

    def _lines(self) -> Iterator[str]:
        if sys.stdin.isatty():
            with contextlib.suppress(ImportError):
                import readline  # noqa: F401 - gives input() its history
        while (line := self._read_line("You> ")) is not None:
            if line:
                yield line

    def _read_line(self, prompt: str) -> str | None:
        """None at the end of the input, and after Ctrl-C."""
        terminal = sys.stdin.isatty()
        try:
            line = input(prompt if terminal else "").strip()
        except (EOFError, KeyboardInterrupt):
            self._console.print()
            return None
        if line and not terminal:
            from talefold.cli.view import plain

            self._console.print(prompt + plain(line), soft_wrap=True)
        return line

    def _command(self, line: str) -> None:
        name, _, argument = line.partition(" ")
        argument = argument.strip()
        if name == "/undo":
            undone = self._agent.undo_last_turn()
            self._show("undone", undone.user or undone.assistant)
            self._write_save()
        elif name == "/regenerate":
            self._turn(self._agent.start_regenerate())
        elif name == "/summary":
            self._show_summary()
        elif name == "/history":
            self._show_history()
        elif name == "/save" and argument:
            _refuse_to_overwrite(Path(argument), self._own_files)
            self._write(Path(argument), kv=True)
            self._console.print(f"saved {argument}", style="dim")
        elif name == "/help":
            self._show_help()
        else:
            self._console.print(f"no command '{line}'; there are:")
            self._show_help()

    def _turn(self, turn: Turn) -> None:
        """Shows a turn to its end, and those that go on with results of tools."""
        self._show_turn(turn)
        while self._answer_tool_calls():
            self._show_turn(self._agent.start(None))

    def _show_turn(self, turn: Turn) -> None:
        """Ctrl-C cancels the turn; what was said stays."""
        while True:
            try:
                for event in turn:
                    self._view.take(event)
                break
            except KeyboardInterrupt:
                turn.cancel()
        self._talked = True
        self._write_save()

    def _answer_tool_calls(self) -> bool:
        """Asks for a result of each call of the last turn; whether there was any."""
        calls = [call for turn in self._agent.dialog()[-1:] for call in turn.tool_calls]
        new = [call for call in calls if call.id not in self._asked_calls]
        self._asked_calls.update(call.id for call in new)
        return any([self._answer_tool_call(call) for call in new])

    def _answer_tool_call(self, call: ToolCall) -> bool:
        self._show("tool call", f"{call.tool_name} {call.arguments}")
        while result := self._read_line("its result (JSON, Enter = none)> "):
            with self._shows_errors():
                self._agent.submit_tool_result(call.id, result, resume=False)
                return True
        return False

    def _show_summary(self) -> None:
        from rich.panel import Panel
        from rich.text import Text

        from talefold.cli.view import plain

        summary = self._agent.get_summary()
        if summary is None:
            self._console.print("nothing has been folded yet")
            return
        self._console.print(
            Panel(
                Text(plain(summary.text)),
                title=f"turns 1 to {summary.covered_through + 1}",
                title_align="left",
            )
        )

    def _show_history(self) -> None:
        from rich.table import Table
        from rich.text import Text

        from talefold.cli.view import plain

        table = Table(box=None, expand=True)  # else the texts take all the room
        table.add_column("turn", justify="right", no_wrap=True)
        table.add_column("prompt", no_wrap=True)
        table.add_column("you", overflow="ellipsis", no_wrap=True, ratio=1)
        table.add_column(
            self._view.character, overflow="ellipsis", no_wrap=True, ratio=1
        )
        states = self._agent.history_states(self._reply_node)
        for turn, state in zip(self._agent.dialog(), states, strict=True):
            texts = (turn.user, turn.assistant)
            lines = (Text(" ".join(plain(text).split())) for text in texts)
            table.add_row(str(turn.index + 1), state, *lines)
        self._console.print(table)

    def _show_help(self) -> None:
        for name, text in _COMMANDS:
            self._console.print(f"  {name:<12} {text}")

    def _show(self, label: str, text: str) -> None:
        from talefold.cli.view import plain

        self._console.print(f"{label}: {plain(text)}", style="dim")

    def _write_save(self, *, kv: bool = False) -> None:
        if self._save is not None:
            self._write(self._save, kv=kv)

    def _write(self, path: Path, *, kv: bool) -> None:
        self._agent.save(path, kv=kv)
        self._own_files.add(path.resolve())


def _refuse_to_overwrite(path: Path, own_files: set[Path]) -> None:
    if path.exists() and path.resolve() not in own_files:
        raise TalefoldError(
            ErrorCode.InvalidArgument,
            f"{path} exists and was not loaded, so it is not written over",
            f"go on from it with --load {path}, or choose another file",
        )


def _refuse_missing_folder(path: Path) -> None:
    if not path.parent.is_dir():
        raise TalefoldError(
            ErrorCode.InvalidArgument,
            f"{path} cannot be written: there is no folder {path.parent}",
            "create the folder, or choose another file",
        )


def _wav_writer(
    path: Path | None,
) -> contextlib.AbstractContextManager[WavWriter | None]:
    return contextlib.nullcontext() if path is None else WavWriter(path)


@contextlib.contextmanager
def _names_snapshot(path: Path | None, text: str | None) -> Iterator[None]:
    """Adds the file's name to an error of the snapshot in it."""
    try:
        yield
    except TalefoldError as error:
        if text is None or error.code != ErrorCode.MalformedSnapshot:
            raise
        hint = error.hint if '"talefold-snapshot"' in text else _NO_SNAPSHOT
        raise TalefoldError(error.code, f"{path}: {error.message}", hint) from None


def _read(path: Path) -> str:
    try:
        return read_snapshot(path)
    except TalefoldError as error:
        raise TalefoldError(error.code, error.message, _NO_SNAPSHOT) from None
