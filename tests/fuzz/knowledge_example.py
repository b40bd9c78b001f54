"""A knowledge base with fields of every type."""

from __future__ import annotations

from typing import Any

CONFIG: dict[str, Any] = {
    "version": 1,
    "fields": [
        {"name": "year", "type": "int", "optional": True, "filterable": True},
        {"name": "weight", "type": "float", "default": 2, "filterable": True},
        {"name": "place", "type": "string", "default": "inn", "filterable": True},
        {"name": "secret", "type": "bool", "optional": True, "filterable": True},
        {"name": "tags", "type": "set<string>", "optional": True, "filterable": True},
        {"name": "hidden", "type": "int", "default": 0},
    ],
}
RECORDS: list[dict[str, Any]] = [
    {"id": "bare", "text": "the dragon"},
    {
        "id": "full",
        "text": "the mill",
        "metadata": {
            "year": 1201,
            "weight": 1.5,
            "place": "mill",
            "secret": True,
            "tags": ["old", "dark"],
            "hidden": 3,
        },
    },
    {
        "id": "big",
        "text": "the key",
        "metadata": {
            "year": 9007199254740993,
            "weight": -1e300,
            "place": "",
            "secret": False,
            "tags": [],
        },
    },
]
