"""python -m tests.unreal.uht emit FOLDER OUT | lint FOLDER... | pins FOLDER"""

from __future__ import annotations

import sys
from pathlib import Path

from .emit import write
from .lint import lint, pins
from .parse import parse


def emit(module: Path, output: Path) -> None:
    """Of a module's folder, which has Public and Private."""
    output.mkdir(parents=True, exist_ok=True)
    for part in ("Public", "Private"):
        for path in sorted((module / part).rglob("*.h")):
            header = parse(path)
            if header.is_reflected:
                write(header, path.relative_to(module / part).as_posix(), output)


def main(arguments: list[str]) -> int:
    command, *paths = arguments
    if command == "emit":
        emit(Path(paths[0]), Path(paths[1]))
        return 0
    if command == "pins":
        sys.stdout.write(pins(Path(paths[0])))
        return 0
    problems = [problem for path in paths for problem in lint(Path(path))]
    for problem in problems:
        sys.stdout.write(f"{problem}\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
