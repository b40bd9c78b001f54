"""`talefold validate`: checks graph files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from talefold import GraphProblem, TalefoldError, _core
from talefold.graph import read_graph_file


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
        _print_problems(path, problems)
        if exit_code == 0 and any(not problem.is_warning for problem in problems):
            exit_code = 1
    raise typer.Exit(exit_code)


def _print_problems(path: Path, problems: list[GraphProblem]) -> None:
    for problem in problems:
        kind = "warning" if problem.is_warning else "error"
        typer.echo(f"{path}: {kind}: {problem.message}")
        if problem.hint:
            typer.echo(f"  hint: {problem.hint}")
    if not problems:
        typer.echo(f"{path}: ok")
