"""Error codes of the plugin: Public/Generated/TalefoldErrorCode.h and its names."""

from __future__ import annotations

from typing import Any

from talefold._generate.unreal import HEADER, comment

# The plugin's own, which the core does not have.
_PLUGIN_ERRORS = [
    (1001, "LibraryNotFound", "The native library is not where the plugin looks."),
    (1002, "LibraryIncompatible", "The native library is not the plugin's."),
    (1003, "NotReady", "The conversation has not begun yet."),
    (1004, "SaveSlotFailed", "A save slot could not be read or written."),
    (1005, "GraphAssetMissing", "The component has no graph asset."),
    (1006, "LoadCancelled", "The load of a model was cancelled."),
]


def _errors(document: dict[str, Any]) -> list[tuple[int, str, str]]:
    core = [
        (each["code"], each["name"], each["meaning"]) for each in document["errors"]
    ]
    return _PLUGIN_ERRORS + core


def error_code_header(document: dict[str, Any]) -> str:
    """The text of the header."""
    lines = [HEADER + "#pragma once", "", '#include "CoreMinimal.h"', ""]
    lines += comment(
        "Stable numbers, only ever added to: 1xxx are the plugin's, all others the "
        "same as in C and Python. Blueprints have them as FTalefoldError::Code",
        "",
    )
    lines += ["enum class ETalefoldErrorCode : int32", "{"]
    for code, name, meaning in _errors(document):
        lines += [*comment(meaning), f"\t{name} = {code},"]
    lines += [
        "};",
        "",
        "/** Such as `AgentBusy`; empty for 0 and numbers that are no code. */",
    ]
    return "\n".join(
        [*lines, "TALEFOLD_API const TCHAR* TalefoldErrorName(int32 Code);", ""]
    )


def error_code_names(document: dict[str, Any]) -> str:
    """The text of its .cpp file."""
    lines = [HEADER + '#include "Generated/TalefoldErrorCode.h"', ""]
    lines += ["const TCHAR* TalefoldErrorName(int32 Code)", "{"]
    lines += ["\tswitch (static_cast<ETalefoldErrorCode>(Code))", "\t{"]
    for _, name, _ in _errors(document):
        lines += [f"\tcase ETalefoldErrorCode::{name}:", f'\t\treturn TEXT("{name}");']
    lines += ["\tdefault:", '\t\treturn TEXT("");', "\t}", "}", ""]
    return "\n".join(lines)
