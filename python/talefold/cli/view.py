"""How the commands show a conversation: speech, folds, tables, bars."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.console import Console
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from talefold.cli.figures import FoldFigures, PromptFigures

__all__ = [
    "CHARACTER_STYLE",
    "PLAYER_STYLE",
    "Speech",
    "bars",
    "beside",
    "figures_table",
    "fold_panel",
    "make_console",
    "marks_table",
    "plain",
    "prompt_line",
    "said",
]

PLAYER_STYLE = "bold cyan"
CHARACTER_STYLE = "bold yellow"
FOLD_STYLE = "green"
UNFOLDED_STYLE = "bright_black"

# Neither a player nor a model gets to steer the terminal.
_CONTROL_CODES = {
    code: "\ufffd" for code in (*range(32), *range(127, 160)) if chr(code) not in "\n\t"
}
_PIECE = re.compile(r"\n|[^\S\n]*\S+|[^\S\n]+")
_WIDEST_INDENT = 12
_EIGHTHS = " ▁▂▃▄▅▆▇█"


def make_console(*, stderr: bool = False) -> Console:
    """A console that shows texts as they are, without markup."""
    return Console(stderr=stderr, markup=False, highlight=False, emoji=False)


def plain(text: str) -> str:
    """The text without what would steer a terminal."""
    return text.translate(_CONTROL_CODES)


class Speech:
    """What somebody says, shown as it comes and wrapped between words."""

    def __init__(self, console: Console, speaker: str, style: str) -> None:
        self._console = console
        label = f"{plain(speaker)}  "
        self._indent = min(cell_len(label), _WIDEST_INDENT)
        self._column = cell_len(label)
        self._pending = ""  # white space and a word that may still grow
        console.print(Text(label, style), end="")

    def add(self, text: str) -> None:
        """Shows all but the last word, which may still grow."""
        *complete, self._pending = _PIECE.findall(self._pending + plain(text)) or [""]
        for piece in complete:
            self._show(piece)

    def flush(self) -> None:
        """Shows the last word."""
        self._show(self._pending.rstrip())
        self._pending = ""

    def end(self, *, cut: bool = False) -> None:
        """Shows the rest; `cut` marks a reply that was not finished."""
        self.flush()
        self._console.print(" …" if cut else "")

    def _show(self, piece: str) -> None:
        if piece == "\n":
            self._break()
            return
        at_start = self._column == self._indent
        if self._column + cell_len(piece) > self._console.width and not at_start:
            self._break()
            at_start = True
        piece = piece.lstrip() if at_start else piece
        self._console.print(Text(piece), end="", soft_wrap=True)
        self._column += cell_len(piece)

    def _break(self) -> None:
        self._console.print(Text("\n" + " " * self._indent), end="", soft_wrap=True)
        self._column = self._indent


def prompt_line(figures: PromptFigures) -> Text:
    """One dim line: what the prompt cost."""
    wait = figures.first_token_ms
    parts = [
        f"prompt {figures.prompt_tokens:,} / {figures.context_size:,} tokens",
        f"reused {figures.reused_tokens:,}, decoded {figures.decoded_tokens:,}",
        "no token" if wait is None else f"first token {wait / 1000:.2f} s",
    ]
    return Text("  ".join(parts), "dim")


def fold_panel(fold: FoldFigures, summary_tokens: int) -> Panel:
    """The new summary, and what it stands for."""
    # Turns are counted from 1 for people, from 0 in the library.
    title = f"folded: turns 1 to {fold.covered_through + 1} are now this summary"
    size = (
        f"{fold.folded_turns} turns of {fold.folded_tokens:,} tokens folded in; "
        f"the summary has {summary_tokens:,}"
    )
    return Panel(
        Text(plain(fold.summary)),
        title=Text(title, "bold"),
        subtitle=Text(size, "dim"),
        title_align="left",
        subtitle_align="right",
        border_style=FOLD_STYLE,
    )


def bars(
    used: Sequence[int],
    unfolded: Sequence[int],
    budget: int,
    *,
    width: int,
    height: int = 12,
) -> Text:
    """A column a turn: its prompt, and behind it what the whole dialog would need."""
    top = max(*used, *unfolded, budget)
    label_width = len(f"{top:,}")
    column = 2 if label_width + 2 + 2 * len(used) <= width else 1
    step = top / height
    chart = Text()
    for row in reversed(range(height)):
        floor = row * step
        marks_budget = row == min(height - 1, int(budget / step))
        label = f"{top:,}" if row == height - 1 else ""
        label = f"{budget:,}" if marks_budget else label
        chart.append(f"{label:>{label_width}} │", "dim")
        for mine, whole in zip(used, unfolded, strict=True):
            part = max(0, min(8, round((mine - floor) / step * 8)))
            if part:
                behind = " on grey23" if whole >= floor + step else ""
                chart.append(_EIGHTHS[part] * column, FOLD_STYLE + behind)
            elif whole >= floor + step / 2:
                chart.append("░" * column, UNFOLDED_STYLE)
            else:
                chart.append(("╌" if marks_budget else " ") * column, "dim")
        chart.append("\n")
    chart.append(f"{'0':>{label_width}} └{'─' * column * len(used)}\n", "dim")
    last = f"turn {len(used)}"
    middle = column * len(used) - len("turn 1") - len(last)
    chart.append(" " * (label_width + 2) + "turn 1", "dim")
    chart.append(f"{' ' * max(1, middle)}{last}\n", "dim")
    chart.append(" " * (label_width + 2))
    chart.append("█", FOLD_STYLE)
    chart.append(" tokens of the prompt  ", "dim")
    chart.append("░", UNFOLDED_STYLE)
    chart.append(" of the whole dialog  ╌ the context", "dim")
    return chart


def said(speaker: str, text: str, style: str) -> Table:
    """What somebody said, as `Speech` leaves it."""
    grid = Table.grid(padding=(0, 2))
    grid.add_row(Text(plain(speaker), style), Text(plain(text)))
    return grid


def figures_table(rows: Sequence[tuple[str, str]]) -> Table:
    """Names on the left, figures on the right."""
    table = Table.grid(padding=(0, 3))
    table.add_column(style="dim")
    table.add_column(justify="right")
    for row in rows:
        table.add_row(*row)
    return table


def marks_table(
    title: str, rows: Sequence[str], columns: Mapping[str, Sequence[bool]]
) -> Table:
    """A mark for each row and column, and their numbers below."""
    table = Table(box=SIMPLE_HEAD, show_footer=True, padding=(0, 1))
    table.add_column(title, footer=Text(f"{len(rows)} facts", "dim"), no_wrap=True)
    for name, marks in columns.items():
        footer = f"{sum(marks)} of {len(marks)}"
        table.add_column(name, footer=footer, justify="center")
    for index, row in enumerate(rows):
        table.add_row(Text(row), *(_mark(marks[index]) for marks in columns.values()))
    return table


def beside(left: Table, right: Table) -> Table:
    """Two tables in one row."""
    grid = Table.grid(padding=(0, 4))
    grid.add_row(left, right)
    return grid


def _mark(yes: bool) -> Text:
    return Text("✓", FOLD_STYLE) if yes else Text("·", UNFOLDED_STYLE)
