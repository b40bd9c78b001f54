"""`talefold schema`: the JSON Schema of graph files."""

from __future__ import annotations

import json
from typing import Annotated

import typer


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
