"""The command line: `talefold`. One module a command."""

from __future__ import annotations

from typing import Annotated

import typer

from talefold import __version__
from talefold.cli.bench import bench
from talefold.cli.chat import chat
from talefold.cli.demo import demo
from talefold.cli.history import history
from talefold.cli.replay import replay
from talefold.cli.schema import schema
from talefold.cli.stage_unreal import stage_unreal
from talefold.cli.validate import validate

__all__ = ["app"]

app = typer.Typer(
    help="Conversations of game characters, on the command line.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
for _command in (demo, chat, replay, history, validate, schema, stage_unreal):
    app.command()(_command)
app.add_typer(bench, name="bench")


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"talefold {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_print_version,
            is_eager=True,
            help="Show the version.",
        ),
    ] = False,
) -> None:
    """Conversations of game characters, on the command line."""
