"""Params as JSON text for the core."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any


def to_json(value: object) -> str:
    """JSON text of dataclasses, mappings and plain values.

    Values are not checked here: the core does that, in one place, and names node, field
    and allowed range.
    """
    return json.dumps(_plain(value), ensure_ascii=False)


def _plain(value: object) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)  # JSON has no such number; the core refuses the string
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    return value
