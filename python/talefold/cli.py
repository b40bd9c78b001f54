"""The command line: `talefold`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from talefold import GraphProblem, TalefoldError, __version__, _core
from talefold.graph import read_graph_file

__all__ = ["app"]

app = typer.Typer(
    help="Tools for Talefold graphs.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


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
    """Tools for Talefold graphs."""


@app.command()
def validate(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", show_default=False)],
) -> None:
    """Check graph files.

    Exit code 1 when a file has errors, 2 when one cannot be read.
    """
    exit_code = 0
    for path in files:
        try:
            problems = _core.validate_graph_json(read_graph_file(path))
        except (OSError, TalefoldError) as error:
            reason = error.strerror if isinstance(error, OSError) else error.message
            typer.echo(f"{path}: cannot be read: {reason}", err=True)
            exit_code = 2
            continue
        if len(files) > 1:
            typer.echo(f"{path}:")
        _print_problems(problems)
        if exit_code == 0 and any(not problem.is_warning for problem in problems):
            exit_code = 1
    raise typer.Exit(exit_code)


def _print_problems(problems: list[GraphProblem]) -> None:
    for problem in problems:
        kind = "warning" if problem.is_warning else "error"
        typer.echo(f"{kind}: {problem.message}")
        if problem.hint:
            typer.echo(f"  hint: {problem.hint}")
    if not problems:
        typer.echo("ok")


@app.command()
def schema(
    descriptors: Annotated[
        bool,
        typer.Option(
            "--descriptors", help="Print the descriptor tables instead of the schema."
        ),
    ] = False,
) -> None:
    """Print the JSON Schema (draft 2020-12) of graph files."""
    from talefold._generate import descriptors as read_descriptors
    from talefold._generate.schema import graph_schema

    document = read_descriptors()
    shown = document if descriptors else graph_schema(document)
    typer.echo(json.dumps(shown, indent=2, ensure_ascii=False))
