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

from talefold import Engine
from talefold.bench.scene import small_memory
from talefold.cli.scene_replay import replay_memory


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
        small_memory(4096).save(graph)
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
