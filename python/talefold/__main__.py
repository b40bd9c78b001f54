"""`python -m talefold`: the command line."""

from __future__ import annotations

from talefold.cli import app

app(prog_name="talefold")
