"""Tools of an inn, as `_core` takes them, and the formats of calls."""

from __future__ import annotations

FORMATS = ("chatml", "llama3", "mistral", "generic")
TOOLS = [
    (
        "open_door",
        "Opens a door.",
        [
            ("door", "string", "Which.", True, ["cellar", 'front "gate" \\ü']),
            ("keep_open", "boolean", "", False, []),
        ],
    ),
    (
        "pour",
        "",
        [
            ("drink", "string", "", False, []),
            ("cups", "integer", "", True, []),
            ("price", "number", "", False, []),
            ("size", "integer", "", False, ["1", "2"]),
        ],
    ),
    ("ring-bell", "", []),
]
