"""`talefold replay`: runs a conversation that took place through a graph."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from talefold import Agent, Engine, TalefoldError, TurnResult
from talefold._files import write_text_atomically
from talefold.cli.figures import PromptFigures, fold_of, prompt_of, skip_reason_of
from talefold.cli.scene_replay import replay_memory, statistics_table
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
from talefold.cli.transcript import TranscriptTurn, read_transcript

if TYPE_CHECKING:
    from rich.table import Table

_INTERRUPTED = 130  # what a shell reports for Ctrl-C


def replay(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            show_default=False,
            help="JSON lines: a scene, or {user, assistant} a line.",
        ),
    ],
    character: Annotated[
        str | None,
        typer.Option(
            "--character",
            metavar="NAME",
            help="Whose lines in a scene are the replies.",
        ),
    ] = None,
    teacher_forced: Annotated[
        bool,
        typer.Option(
            "--teacher-forced",
            help="Take the replies from the file; only memory nodes run.",
        ),
    ] = False,
    memory: Annotated[
        bool,
        typer.Option(
            "--memory",
            help="Run a scene's memory over the file; --graph is its memory graph.",
        ),
    ] = False,
    model: ModelOption = BUILT_IN_MODEL,
    catalogue: CatalogueOption = None,
    graph: GraphOption = None,
    storage_root: StorageRootOption = None,
    context: ContextOption = None,
    limit: Annotated[
        int | None, typer.Option("--limit", metavar="N", min=1, help="Turns to run.")
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option("--report", metavar="FILE", help="Write figures as JSON."),
    ] = None,
    scripted: ScriptedOption = False,
    seed: SeedOption = None,
) -> None:
    """Run the player's lines of a transcript through a graph, or a scene's memory.

    Exit code 1 when a turn failed; the others ran all the same.
    """
    from talefold.cli.view import make_console

    root = content_root(storage_root, graph)
    with fails_readably(), Engine(storage_root=root) as engine:
        if memory:
            found = replay_memory(
                engine,
                file,
                model=model,
                catalogue=catalogue,
                scripted=scripted,
                graph_file=graph,
                limit=limit,
            )
            _write_report(report, found)
            make_console().print(statistics_table(found["layers"]))
            if found["interrupted"]:
                raise typer.Exit(_INTERRUPTED)
            return
        engine.set_speech_backend(SilentSpeech())
        turns = read_transcript(file, character)[:limit]
        name, description = set_up(
            engine,
            model=model,
            catalogue=catalogue,
            scripted=scripted,
            graph_file=graph,
            context_size=context,
            seed=seed,
            system_prompt=None,
            default_system_prompt=f"You are {character or 'the character'}.",
        )
        node = reply_node(description)
        agent = engine.create_agent(
            description, default_model_name=name, enable_diagnostics=True
        )
        run = _Replay(engine, name, agent, node, teacher_forced)
        interrupted = _run_all(run, file, turns)
        document = {
            "file": file.name,
            "character": character,
            "teacher_forced": teacher_forced,
            "model": name,
            "turns": run.reports,
            "totals": run.totals(),
        }
        _write_report(report, document)
        make_console().print(_table(run.totals()))
        if interrupted:
            raise typer.Exit(_INTERRUPTED)
        if run.totals()["failed_turns"]:
            raise typer.Exit(1)


def _write_report(report: Path | None, document: dict[str, Any]) -> None:
    if report is None:
        return
    text = json.dumps(document, indent=2, ensure_ascii=False)
    write_text_atomically(report, text + "\n")


def _run_all(run: _Replay, file: Path, turns: list[TranscriptTurn]) -> bool:
    """Runs all turns under a progress bar; True if Ctrl-C ended it."""
    from rich.progress import MofNCompleteColumn, Progress, TimeRemainingColumn

    from talefold.cli.view import make_console

    console = make_console(stderr=True)
    columns = (*Progress.get_default_columns()[:2], MofNCompleteColumn())
    with Progress(*columns, TimeRemainingColumn(), console=console) as progress:
        task = progress.add_task(f"replaying {file.name}", total=len(turns))
        for turn in turns:
            try:
                error = run.turn(turn)
            except KeyboardInterrupt:
                return True
            if error is not None:
                hint = f" ({error.hint})" if error.hint else ""
                console.print(f"{file}:{turn.line}: {error.message}{hint}")
            progress.advance(task)
    return False


class _Replay:
    """Runs turns and keeps a report of each.

    Tokens of a history are those of its texts: what the chat template puts around them
    is left out, so that the figures with and without folds compare.
    """

    def __init__(
        self, engine: Engine, model: str, agent: Agent, node: str, teacher_forced: bool
    ) -> None:
        self.reports: list[dict[str, Any]] = []
        self._engine = engine
        self._model = model
        self._agent = agent
        self._node = node
        self._teacher_forced = teacher_forced
        self._ends = [0]  # tokens of the dialog before each interaction, and of all
        self._summary_tokens = 0
        self._covered = 0  # interactions in the summary

    def turn(self, turn: TranscriptTurn) -> TalefoldError | None:
        """Runs one turn; a failure is reported and returned."""
        begin = time.perf_counter()
        error: TalefoldError | None = None
        result: TurnResult | None
        try:
            result = self._result(turn)
        except TalefoldError as caught:
            error, result = caught, caught.result
        report: dict[str, Any] = {"line": turn.line}
        if self._agent.dialog_size == len(self._ends):  # the turn was kept
            self._ends.append(self._ends[-1] + self._tokens(turn, result, report))
        report |= self._figures(result.debug_info if result else None)
        report["covered_through"] = self._covered - 1 if self._covered else None
        report["history_tokens"] = self._ends[-1]
        report["shown_history_tokens"] = self._shown()
        report["trimmed_turns"] = self._agent.history_states(self._node).count(
            "trimmed"
        )
        report["seconds"] = round(time.perf_counter() - begin, 3)
        if error is not None:
            report["error"] = {"code": error.code.value, "message": error.message}
        self.reports.append(report)
        return error

    def totals(self) -> dict[str, Any]:
        """Over all turns run so far."""
        folds = [report["fold"] for report in self.reports if "fold" in report]
        prompts = list(self._all("prompt"))
        summarizers = list(self._all("summarizer"))
        return {
            "turns": len(self.reports),
            "failed_turns": sum("error" in report for report in self.reports),
            "folds": len(folds),
            "folded_turns": self._covered,
            "covered_through": self._covered - 1 if self._covered else None,
            "history_tokens": self._ends[-1],
            "shown_history_tokens": self._shown(),
            "largest_prompt_tokens": _largest(prompts),
            "largest_summarizer_prompt_tokens": _largest(summarizers),
            "decoded_tokens": _sum(prompts + summarizers, "decoded_tokens"),
            "generated_tokens": _sum(prompts + summarizers, "generated_tokens"),
            "seconds": round(sum(report["seconds"] for report in self.reports), 3),
        }

    def _result(self, turn: TranscriptTurn) -> TurnResult:
        if self._teacher_forced:
            return self._agent.replay_turn(user=turn.user, assistant=turn.assistant)
        return self._agent.send(turn.user or None)

    def _tokens(
        self, turn: TranscriptTurn, result: TurnResult | None, report: dict[str, Any]
    ) -> int:
        """Of both texts of a turn that was kept."""
        reply = turn.assistant
        if not self._teacher_forced:
            report["assistant"] = reply = result.text if result else ""
        report["user_tokens"] = self._count(turn.user)
        report["assistant_tokens"] = self._count(reply)
        return int(report["user_tokens"] + report["assistant_tokens"])

    def _figures(self, debug_info: dict[str, Any] | None) -> dict[str, Any]:
        report: dict[str, Any] = {}
        prompt = prompt_of(debug_info)
        if prompt is not None:
            report["prompt"] = _request(prompt)
        fold = fold_of(debug_info)
        if fold is None:
            report["skipped"] = skip_reason_of(debug_info)
            return report
        before = self._shown()
        self._covered = fold.covered_through + 1
        self._summary_tokens = self._count(fold.summary)
        report["summarizer"] = _request(fold.request)
        report["fold"] = {
            "covered_through": fold.covered_through,
            "folded_turns": fold.folded_turns,
            "abridged": fold.abridged,
            "tokens_before": before,
            "tokens_after": self._shown(),
            "summary": fold.summary,
        }
        return report

    def _shown(self) -> int:
        """Tokens of the summary and of the turns after it."""
        return self._summary_tokens + self._ends[-1] - self._ends[self._covered]

    def _count(self, text: str) -> int:
        return self._engine.count_tokens(self._model, text) if text else 0

    def _all(self, key: str) -> Iterator[dict[str, int]]:
        return (report[key] for report in self.reports if key in report)


def _request(figures: PromptFigures) -> dict[str, Any]:
    return {
        "prompt_tokens": figures.prompt_tokens,
        "context_size": figures.context_size,
        "reused_tokens": figures.reused_tokens,
        "decoded_tokens": figures.decoded_tokens,
        "generated_tokens": figures.generated_tokens,
        "first_token_ms": figures.first_token_ms,
    }


def _largest(requests: list[dict[str, int]]) -> int | None:
    return max((each["prompt_tokens"] for each in requests), default=None)


def _sum(requests: list[dict[str, int]], key: str) -> int:
    return sum(each[key] for each in requests)


def _table(totals: dict[str, Any]) -> Table:
    from talefold.cli.view import figures_table

    def largest(key: str) -> str:
        return "-" if totals[key] is None else f"{totals[key]:,} tokens"

    failed = totals["failed_turns"]
    rows = [
        ("turns", f"{totals['turns']:,}" + (f", {failed} failed" if failed else "")),
        ("folds", f"{totals['folds']:,}"),
        ("turns in the summary", f"{totals['folded_turns']:,}"),
        ("the whole dialog", f"{totals['history_tokens']:,} tokens"),
        ("summary and later turns", f"{totals['shown_history_tokens']:,} tokens"),
        ("largest prompt of a reply", largest("largest_prompt_tokens")),
        ("largest prompt of a fold", largest("largest_summarizer_prompt_tokens")),
        ("prompt tokens computed", f"{totals['decoded_tokens']:,}"),
        ("tokens generated", f"{totals['generated_tokens']:,}"),
        ("time", f"{totals['seconds']:.1f} s"),
    ]
    return figures_table(rows)
