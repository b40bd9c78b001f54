"""Rules about code, of headers and sources."""

from __future__ import annotations

import re

from ..model import Header
from ..text import closing
from .problem import Found

FORBIDDEN = {
    r"\bTCHAR_TO_ANSI\b": "texts are UTF-8 at the border",
    r"\b(try|catch|throw)\b": "exceptions are off",
    r"\bdynamic_cast\b": "RTTI is off",
    r"\bFPlatformProcess::Sleep\b": "nothing blocks the game thread",
    r"\bstd::(string|vector|map|function|shared_ptr)\b": "containers are the engine's",
    r"\b((Send|Post|Get)Message|GetObject|DrawText)\b": "a macro of Windows",
    r"\bGENERATED_(USTRUCT|UCLASS)_BODY\b": "GENERATED_BODY replaced it",
    r"\bTAtomic\b": "std::atomic replaced it",
    r"\bIsDataValid\(TArray<": "a FDataValidationContext replaced its argument",
    r"\bLogTemp\b": "the plugin has a log category of its own",
    r"\bFText::FromString\(TEXT\(": "authored texts are LOCTEXT",
}


def forbidden_words(header: Header) -> Found:
    for pattern, why in FORBIDDEN.items():
        for match in re.finditer(pattern, header.code):
            yield _line(header, match.start()), f"{match[0]}: {why}"


def constructors(header: Header) -> Found:
    """They run for class defaults too, at load: no threads, files or objects."""
    work = re.compile(
        r"\b(FRunnableThread|FPlatformProcess|FFileHelper|IFileManager|FPaths|NewObject|"
        r"LoadObject|AddTicker|Async\w*|GetSubsystem|GetLibrary|GetRuntime)\b"
    )
    for match in re.finditer(r"\b([UA][A-Z]\w*[a-z]\w*)(?:::\1)?\s*\(\)", header.code):
        opening = re.match(r"[^;{}]*\{", header.code[match.end() :])
        if opening is None:
            continue
        start = match.end() + opening.end() - 1
        found = work.search(header.code, start, closing(header.code, start))
        if found:
            yield _line(header, found.start()), f"{found[0]} in a constructor"


def json_values(header: Header) -> Found:
    """AsString of what is no text logs an error: TryGetString, or ask for the type."""
    for number, line in enumerate(header.code.splitlines(), 1):
        for match in re.finditer(r"\bAs(String|Number|Bool|Object|Array)\(\)", line):
            if "EJson::" not in line:
                yield number, f"{match[0]} of a value whose type is not known here"


def third_party(header: Header) -> Found:
    """The engine's warnings are errors in headers that are not the engine's too."""
    positions = re.finditer(r'^\s*#\s*include\s+"', header.code, re.MULTILINE)
    for name, match in zip(header.includes, positions, strict=True):
        before = header.code[: match.start()]
        is_wrapped = before.count("_INCLUDES_START") > before.count("_INCLUDES_END")
        if name.startswith("talefold/") and not is_wrapped:
            yield (
                _line(header, match.end()),
                f"{name} must stand between THIRD_PARTY_INCLUDES_START and _END",
            )


def _line(header: Header, position: int) -> int:
    return header.code.count("\n", 0, position) + 1
