#!/usr/bin/env python
"""Runs a scene's memory over a whole play, with SmolLM2, and reports what it saves.

    scripts/play_memory.py ../shared/data/earnest.jsonl play.json

Small sizes, so that a small model keeps up: 512 tokens an entry of the base, 256 a
group of the layers above, no analysis. Takes long; Ctrl-C ends it with what is done.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path

from talefold import (
    ArchiveParams,
    Engine,
    GraphDescription,
    LayeredHistoryParams,
    SamplingOverrides,
)
from talefold.cli.scene_replay import replay_memory

SEED = 7


def memory_graph() -> GraphDescription:
    """Archive and LayeredHistory, as small as SmolLM2 needs them."""
    sampling = SamplingOverrides(repeat_penalty=1.1, seed=SEED)
    archive = ArchiveParams(
        token_threshold=512,
        context_size=4096,
        preceding_summaries=0,
        sampling=SamplingOverrides(repeat_penalty=1.1, seed=SEED, max_tokens=256),
        default_exit="layers",
    )
    layers = LayeredHistoryParams(
        token_threshold=256,
        max_process_tokens=256,
        max_response_tokens=256,
        analyze=False,
        context_size=4096,
        sampling=sampling,
    )
    return (
        GraphDescription()
        .add_node("archive", archive)
        .add_node("layers", layers)
        .set_start_node("archive")
    )


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("play", type=Path, help="JSON lines")
    parser.add_argument("report", type=Path, help="where the figures go, as JSON")
    parser.add_argument("--limit", type=int, help="lines to run")
    options = parser.parse_args()
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, Engine() as engine:
        graph = Path(folder) / "memory.json"
        memory_graph().save(graph)
        found = replay_memory(
            engine, options.play, graph_file=graph, limit=options.limit
        )
    found["seconds"] = round(time.monotonic() - start, 1)
    options.report.write_text(
        json.dumps(found, indent=2, ensure_ascii=False) + "\n", "utf-8"
    )
    for each in found["layers"]:
        sys.stdout.write(
            f"layer {each['layer']}: {each['source_tokens']} tokens of "
            f"{each['source_count']} sources became {each['tokens']} in "
            f"{each['count']} entries ({each['reduction_percent']} % less)\n"
        )
    failures = len(found["failures"])
    sys.stdout.write(f"{failures} failures, {found['seconds']} s\n")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
