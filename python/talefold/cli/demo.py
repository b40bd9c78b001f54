"""`talefold demo`: a long conversation in a small context, with real weights.

A scripted guest talks to Edric the innkeeper for forty turns. The context is so small
that the beginning of the conversation does not fit: it is folded into a summary. A
second agent gets the same conversation without folds, to show what trimming alone
leaves.
"""

from __future__ import annotations

import io
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from talefold import (
    Agent,
    AnswerText,
    Engine,
    GenerateParams,
    GraphDescription,
    SamplingOverrides,
    SummarizeParams,
    TurnComplete,
)
from talefold._files import write_text_atomically
from talefold.cli.demo_script import GUESTS, Guest
from talefold.cli.figures import FoldFigures, PromptFigures, fold_of, prompt_of
from talefold.cli.stage import (
    BUILT_IN_MODEL,
    ModelOption,
    ScriptedOption,
    SeedOption,
    fails_readably,
    load_model,
)

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table

    from talefold.cli.view import Speech

_CHARACTER = "Edric"
_CONTEXT_SIZE = 768  # tokens; forty turns need about three times as many
_SYSTEM_PROMPT = (
    "You are Edric, the keeper of a small inn called the Sleepy Fox, in an old kingdom "
    "of forests and rivers. You are old, warm and talkative. You talk to a guest. "
    "Answer every question in one short sentence."
)
# The smallest models cannot follow the built-in instructions. They get a simpler job,
# and see the guest's lines alone: what a small innkeeper makes up is no memory.
_SMALL_MODEL_INSTRUCTIONS = (
    "Rewrite the text in fewer words. Keep every name, thing, promise and date. "
    "Leave out questions. Write only the new text."
)
_SMALL_MODEL_TEMPLATE = """\
{{#previous_summary}}
{{{previous_summary}}}
{{/previous_summary}}
{{#turns}}
{{{user}}}
{{/turns}}"""
_SEED = 11
_TURNS = max(len(guest.lines) for guest in GUESTS.values())
_GUEST_NAMES = ", ".join(GUESTS)
_SVG_WIDTH = 104


def demo(
    turns: Annotated[
        int,
        typer.Option("--turns", metavar="N", min=2, max=_TURNS, help="Turns to run."),
    ] = _TURNS,
    guest: Annotated[
        str,
        typer.Option(
            "--guest", metavar="NAME", help=f"Who talks to Edric: {_GUEST_NAMES}."
        ),
    ] = "rowan",
    seed: SeedOption = _SEED,
    model: ModelOption = BUILT_IN_MODEL,
    svg: Annotated[
        Path | None,
        typer.Option("--svg", metavar="FILE", help="Write a picture of the run."),
    ] = None,
    scripted: ScriptedOption = False,
) -> None:
    """Watch a character hold a long conversation in a small context."""
    from talefold.cli.view import make_console

    if guest not in GUESTS:
        raise typer.BadParameter(
            f"{guest!r} is none of {_GUEST_NAMES}", param_hint="--guest"
        )
    with fails_readably(), Engine() as engine:
        console = make_console()
        name, _ = load_model(engine, model, scripted=scripted)
        # Told first: making the agents may take seconds on a busy machine.
        console.print(_opening(GUESTS[guest], name, turns))
        show = _Show(
            engine,
            name,
            console,
            GUESTS[guest],
            seed=seed,
            small_model=model == BUILT_IN_MODEL,
        )
        try:
            for line in GUESTS[guest].lines[:turns]:
                show.turn(line)
        except KeyboardInterrupt:
            console.print("\nStopped.\n")
        if len(show.prompts) < 2:
            return
        show.ending()
        if svg is not None:
            write_text_atomically(svg, show.picture())
            console.print(f"wrote {svg}", style="dim")


class _Show:
    """Runs the turns and tells the audience."""

    def __init__(
        self,
        engine: Engine,
        model: str,
        console: Console,
        guest: Guest,
        *,
        seed: int | None,
        small_model: bool,
    ) -> None:
        self.prompts: list[PromptFigures] = []  # of each turn
        self._folds: list[FoldFigures] = []
        self._unfolded: list[int] = []  # tokens of each prompt without folds and trims
        self._scenes: list[list[RenderableType]] = []  # what was shown of each turn
        self._seconds = 0.0
        self._engine = engine
        self._model = model
        self._console = console
        self._guest = guest
        folding, trimming = (
            _graph(folds=folds, seed=seed, small_model=small_model)
            for folds in (True, False)
        )
        self._agent = self._make_agent(folding)
        # The same dialog without folds; it never generates anything.
        self._trimming = self._make_agent(trimming)
        self._trimmed_text = ""

    def turn(self, line: str) -> None:
        """One turn, shown while it runs."""
        from talefold.cli.view import CHARACTER_STYLE, PLAYER_STYLE, Speech

        begin = time.perf_counter()
        player = Speech(self._console, self._guest.name, PLAYER_STYLE)
        player.add(line)
        player.end()
        speech = Speech(self._console, _CHARACTER, CHARACTER_STYLE)
        for event in self._agent.stream(line):
            if isinstance(event, AnswerText) and event.is_delta:
                speech.add(event.text)
            elif isinstance(event, AnswerText):
                speech.flush()
            elif isinstance(event, TurnComplete):
                self._seconds += time.perf_counter() - begin
                self._finish(line, speech, event)

    def ending(self) -> None:
        """The chart, the figures, what is remembered, and what to make of it."""
        for part in (*self._results(self._console.width), _moral(self._model)):
            self._console.print(part)
            self._console.print()

    def picture(self) -> str:
        """An SVG of the beginning, the first fold and the results."""
        from rich.console import Console
        from rich.text import Text

        gap = Text("\n...\n", "dim")
        console = Console(record=True, width=_SVG_WIDTH, file=io.StringIO())
        folds = [i for i, scene in enumerate(self._scenes) if len(scene) > 3]
        for index in sorted({0, *folds[:1]}):
            console.print(*self._scenes[index], gap, sep="\n")
        for part in self._results(_SVG_WIDTH):
            console.print(part)
            console.print()
        svg = console.export_svg(title="talefold demo")
        # Without fonts from the net: the picture is the same wherever it is shown.
        svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
        return svg.replace("Fira Code, monospace", "monospace")

    def _make_agent(self, graph: GraphDescription) -> Agent:
        return self._engine.create_agent(
            graph, default_model_name=self._model, enable_diagnostics=True
        )

    def _finish(self, line: str, speech: Speech, event: TurnComplete) -> None:
        from talefold.cli.view import (
            CHARACTER_STYLE,
            PLAYER_STYLE,
            fold_panel,
            prompt_line,
            said,
        )

        prompt = prompt_of(event.debug_info)
        fold = fold_of(event.debug_info)
        if event.error is not None or prompt is None:
            speech.end(cut=True)
            raise event.error or RuntimeError("the turn made no prompt")
        speech.end(cut=prompt.cut)
        reply = self._agent.dialog()[-1].assistant
        self._count(line, prompt)
        shown: list[RenderableType] = [prompt_line(prompt)]
        if fold is not None:
            self._folds.append(fold)
            shown.append(fold_panel(fold, self._tokens(fold.summary)))
        for part in shown:
            self._console.print(part)
        self._console.print()
        mark = " …" if prompt.cut else ""
        self._scenes.append(
            [
                said(self._guest.name, line, PLAYER_STYLE),
                said(_CHARACTER, reply + mark, CHARACTER_STYLE),
                *shown,
            ]
        )
        self._trimmed_text = "\n".join(self._trimmed_prompt(line))
        self._trimming.replay_turn(user=line, assistant=reply)

    def _count(self, line: str, prompt: PromptFigures) -> None:
        """Notes the turn's prompt and what it would be with the whole dialog."""
        if len(self.prompts) < 2:  # nothing can have been left out
            self._unfolded.append(prompt.prompt_tokens)
        else:
            self._unfolded.append(self._unfolded[-1] + self._growth(line))
        self.prompts.append(prompt)

    def _growth(self, line: str) -> int:
        """Tokens that the last reply and `line` add to a prompt."""
        first, second = self.prompts[:2]
        dialog = self._agent.dialog()
        # What the chat template puts around two messages.
        glue = (second.prompt_tokens - first.prompt_tokens) - self._tokens(
            dialog[0].assistant, dialog[1].user
        )
        return glue + self._tokens(dialog[-2].assistant, line)

    def _tokens(self, *texts: str) -> int:
        return sum(self._engine.count_tokens(self._model, text) for text in texts)

    def _trimmed_prompt(self, line: str) -> Iterator[str]:
        """The texts of this turn's prompt without folds, except the replies."""
        yield _SYSTEM_PROMPT
        states = self._trimming.history_states("reply")
        for turn, state in zip(self._trimming.dialog(), states, strict=True):
            if state == "replayed":
                yield turn.user
        yield line

    def _results(self, width: int) -> list[RenderableType]:
        """The chart; then figures and memory, side by side where there is room."""
        from talefold.cli.view import bars, beside, figures_table

        used = [prompt.prompt_tokens for prompt in self.prompts]
        waits = sorted(prompt.first_token_ms or 0.0 for prompt in self.prompts)
        minutes, seconds = divmod(round(self._seconds), 60)
        rows = [
            ("turns", f"{len(used)}"),
            ("folds", f"{len(self._folds)}"),
            ("prompt, largest", f"{max(used):,} of {_CONTEXT_SIZE:,} tokens"),
            ("the last one, unfolded", f"{self._unfolded[-1]:,} tokens"),
            ("first token, median", f"{waits[len(waits) // 2] / 1000:.2f} s"),
            ("first token, longest", f"{waits[-1] / 1000:.2f} s"),
            ("time", f"{minutes} min {seconds:02} s"),
        ]
        chart = bars(used, self._unfolded, _CONTEXT_SIZE, width=width)
        tables = [figures_table(rows), self._memory()]
        return [chart, beside(*tables)] if width >= _SVG_WIDTH else [chart, *tables]

    def _memory(self) -> Table:
        """Which of the facts stand in the last prompt, replies left out.

        A reply may be a lucky guess; and the dialog without folds gets its replies from
        the one with folds.
        """
        from talefold.cli.view import marks_table

        told = [fact for fact in self._guest.facts if fact.turn < len(self.prompts)]
        prompt_text = "\n".join(
            text for role, text in self.prompts[-1].messages if role != "assistant"
        )
        return marks_table(
            "In the last prompt?",
            [fact.text for fact in told],
            {
                "with folds": [fact.stands_in(prompt_text) for fact in told],
                "trimming alone": [fact.stands_in(self._trimmed_text) for fact in told],
            },
        )


def _opening(guest: Guest, model: str, turns: int) -> str:
    return (
        f"{guest.name} talks to {_CHARACTER} the innkeeper for {turns} turns. The "
        f"model, {model}, sees at most {_CONTEXT_SIZE} tokens at a time: older turns "
        "are folded into a summary. The guest's lines are scripted, replies and "
        "summaries are the model's own.\n"
    )


def _moral(model: str) -> str:
    weak = (
        "A model of 135 million parameters writes weak replies and weak summaries: it "
        "mixes things up and invents others. Its summaries are made of the guest's "
        "lines alone, by one simple instruction. "
        if model == BUILT_IN_MODEL
        else ""
    )
    return (
        f"{weak}A fact counts above when its telling word stands in the prompt outside "
        "of the replies, whatever the sentence around it says.\n"
        "Try a model of yours: talefold demo --model FILE.gguf\n"
        "Talk to Edric yourself: talefold chat"
    )


def _graph(*, folds: bool, seed: int | None, small_model: bool) -> GraphDescription:
    reply = GenerateParams(
        system_prompt=_SYSTEM_PROMPT,
        context_size=_CONTEXT_SIZE,
        stream=True,
        sampling=SamplingOverrides(
            max_tokens=32,
            temperature=1.1,  # a colder small model repeats one reply for ever
            min_p=0.05,
            top_p=1.0,
            repeat_penalty=1.1,
            dry_multiplier=0.0,
            stop=["\n"],
            seed=seed,
        ),
        default_exit="summarize" if folds else "",
    )
    graph = GraphDescription().add_node("reply", reply).set_start_node("reply")
    if not folds:
        return graph
    fold = SummarizeParams(
        context_size=1024,
        trigger_tokens=0,
        trigger_turns=6,
        keep_recent_turns=2,
        max_summary_tokens=128,
        sampling=SamplingOverrides(
            temperature=0.0,
            repeat_penalty=1.1,
            dry_multiplier=0.8,
            dry_allowed_length=3,
            seed=seed,
        ),
    )
    if small_model:
        fold.system_prompt = _SMALL_MODEL_INSTRUCTIONS
        fold.template = _SMALL_MODEL_TEMPLATE
    return graph.add_node("summarize", fold)
