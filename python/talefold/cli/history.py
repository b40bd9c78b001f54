"""`talefold history`: looks at the memory of a saved scene."""

from __future__ import annotations

from dataclasses import asdict
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from talefold import Engine, ErrorCode, Scene, SceneEntry, TalefoldError
from talefold.cli.scene_replay import statistics_table
from talefold.cli.stage import CatalogueOption, fails_readably, load_model


class Action(str, Enum):
    """What is shown."""

    show = "show"
    stats = "stats"
    inspect = "inspect"


def history(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE", show_default=False, help="A scene that Scene.save wrote."
        ),
    ],
    action: Annotated[
        Action,
        typer.Argument(
            help="All entries, what each layer saves, or the sources of one entry."
        ),
    ] = Action.show,
    entry: Annotated[
        int | None,
        typer.Argument(
            metavar="[ID]", help="The entry to inspect.", show_default=False
        ),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            "--model",
            metavar="FILE.gguf|NAME",
            help="Count in tokens of this model; default: in words.",
        ),
    ] = None,
    catalogue: CatalogueOption = None,
) -> None:
    """Show what a saved scene remembers; runs no model."""
    with fails_readably(), Engine() as engine:
        text = file.read_text("utf-8")
        if model is None:
            engine.load_scripted_model("words", replies=[], tokenizer="words")
            name = "words"
        else:
            name, _ = load_model(engine, model, catalogue)
        with engine.create_scene(default_model_name=name, snapshot=text) as scene:
            if action is Action.stats:
                _show_statistics(scene)
            elif action is Action.inspect:
                _inspect(scene, entry)
            else:
                _show(scene)


def _show(scene: Scene) -> None:
    for layer in range(max((each.layer for each in scene.entries), default=-1), -1, -1):
        typer.echo("base" if layer == 0 else f"layer {layer}")
        for entry in scene.entries:
            if entry.layer == layer:
                typer.echo(_headline(scene, entry))
                typer.echo(_indented(entry.text))
        typer.echo()
    messages = "1 message" if len(scene) == 1 else f"{len(scene)} messages"
    typer.echo(f"{messages}, clock {scene.clock}")


def _headline(scene: Scene, entry: SceneEntry) -> str:
    flags = [
        name
        for name in ("is_static", "verbatim", "out_of_sync", "edited")
        if getattr(entry, name)
    ]
    kind = "messages" if entry.layer == 0 else "entries"
    sources = f", {kind} {entry.first} to {entry.last}" if entry.first else ""
    marks = f" [{', '.join(flags)}]" if flags else ""
    return f"  #{entry.id}, {scene.time_label(entry.ts)}{sources}{marks}"


def _indented(text: str) -> str:
    from talefold.cli.view import plain

    return "\n".join(f"    {line}" for line in plain(text).splitlines())


def _show_statistics(scene: Scene) -> None:
    from talefold.cli.view import make_console

    make_console().print(
        statistics_table([asdict(each) for each in scene.statistics()])
    )


def _inspect(scene: Scene, id: int | None) -> None:
    known = [each.id for each in scene.entries]
    if id not in known:
        listed = ", ".join(str(each) for each in known) or "none"
        what = "needs the id of an entry" if id is None else f"finds no entry {id}"
        raise TalefoldError(
            ErrorCode.InvalidArgument,
            f"inspect {what}; there are: {listed}",
            f"talefold history FILE inspect {known[0] if known else 'ID'}",
        )
    sources = scene.inspect(id)
    for message in sources.messages:
        speaker = f"{message.speaker}: " if message.speaker else ""
        typer.echo(f"  #{message.id} {message.kind}")
        typer.echo(_indented(speaker + message.text))
    for entry in sources.entries:
        typer.echo(_headline(scene, entry))
        typer.echo(_indented(entry.text))
    if not sources.messages and not sources.entries:
        typer.echo(f"entry {id} has no sources")
