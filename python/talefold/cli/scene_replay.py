"""`talefold replay --memory`: runs the memory of a scene over a written story."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from talefold import Engine, GraphDescription, Scene, TalefoldError
from talefold.catalogue import BUILT_IN_MODEL
from talefold.cli.stage import load_model

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.table import Table

__all__ = ["replay_memory", "statistics_table"]


def replay_memory(
    engine: Engine,
    file: Path,
    *,
    model: str = BUILT_IN_MODEL,
    catalogue: Path | None = None,
    scripted: bool = False,
    graph_file: Path | None = None,
    limit: int | None = None,
) -> dict[str, Any]:
    """Appends the story line by line, the memory keeping up with it.

    Returns:
        What `--report` writes: the figures of each layer whenever they changed, the
        entries, and the reasons of failures.
    """
    name, _ = load_model(
        engine,
        model,
        catalogue,
        scripted=scripted,
        summary_nodes=("archive", "layers"),
    )
    graph = None if graph_file is None else GraphDescription.load(graph_file)
    scene = engine.create_scene(
        memory_graph=graph, default_model_name=name, run_inline=True
    )
    over_time: list[dict[str, Any]] = []
    failures: list[dict[str, str]] = []
    interrupted = False
    try:
        for number, line in _lines(file, limit):
            _append(scene, file, number, line)
            for event in scene.poll_events():
                if event.event_type == "memory_failed":
                    failures.append({"line": str(number), **event.pairs})
                elif event.event_type == "entry_committed":
                    over_time.append(_figures(scene, number))
    except KeyboardInterrupt:
        interrupted = True
    return {
        "file": file.name,
        "model": name,
        "messages": len(scene),
        "clock": scene.clock,
        "interrupted": interrupted,
        "failures": failures,
        "over_time": over_time,
        "layers": [asdict(each) for each in scene.statistics()],
        "entries": [asdict(each) for each in scene.entries],
        "snapshot": json.loads(scene.export_snapshot()),
    }


def statistics_table(layers: list[dict[str, Any]]) -> Table:
    """One row a layer."""
    from rich.table import Table

    table = Table("layer", "entries", "tokens", "made from", "tokens", "saved")
    for each in layers:
        name = "base" if each["layer"] == 0 else str(each["layer"])
        what = "messages" if each["layer"] == 0 else "entries"
        table.add_row(
            name,
            f"{each['count']:,}",
            f"{each['tokens']:,}",
            f"{each['source_count']:,} {what}",
            f"{each['source_tokens']:,}",
            f"{each['reduction_percent']} %",
        )
    return table


def _lines(file: Path, limit: int | None) -> Iterator[tuple[int, str]]:
    lines = file.read_text("utf-8").splitlines()
    yield from list(enumerate(lines, 1))[:limit]


def _append(scene: Scene, file: Path, number: int, line: str) -> None:
    try:
        scene.import_transcript(line)
    except TalefoldError as error:
        message = error.message.removeprefix("transcript, line 1: ")
        raise TalefoldError(
            error.code, f"{file}:{number}: {message}", error.hint
        ) from None


def _figures(scene: Scene, number: int) -> dict[str, Any]:
    return {
        "line": number,
        "messages": len(scene),
        "layers": [asdict(each) for each in scene.statistics()],
    }
