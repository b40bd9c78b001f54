"""The command `python -m talefold._generate [--check]`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from talefold._generate import generated_files


def main(arguments: list[str] | None = None) -> int:
    """Writes the generated files, or with --check names those that are not current."""
    parser = argparse.ArgumentParser(
        prog="python -m talefold._generate",
        description="Write the files that are made from the descriptor tables.",
    )
    parser.add_argument(
        "--check", action="store_true", help="write nothing; 1 if stale"
    )
    parser.add_argument("--root", type=Path, default=Path(), help="of the repository")
    options = parser.parse_args(arguments)

    if not (options.root / "pyproject.toml").is_file():
        parser.error(f"{options.root.resolve()} is not the root of the repository")
    stale = [
        path
        for path, text in generated_files().items()
        if not _holds(options.root / path, text)
    ]
    if options.check:
        for path in stale:
            sys.stderr.write(
                f"{path} is not current; run python -m talefold._generate\n"
            )
        return 1 if stale else 0
    for path in stale:
        target = options.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(generated_files()[path], encoding="utf-8", newline="\n")
        sys.stdout.write(f"wrote {path}\n")
    return 0


def _holds(path: Path, text: str) -> bool:
    return path.is_file() and path.read_bytes() == text.encode()


if __name__ == "__main__":
    sys.exit(main())
