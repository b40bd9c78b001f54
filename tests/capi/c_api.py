"""The C interface through ctypes, its table read from the header."""

from __future__ import annotations

import ctypes
import functools
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

HEADER = Path(__file__).parents[2] / "cpp" / "include" / "talefold" / "talefold.h"


class Text(ctypes.Structure):
    _fields_ = (("data", ctypes.c_char_p), ("size", ctypes.c_size_t))


class TextView(ctypes.Structure):
    """A text that the library returns: an address, not a Python bytes."""

    _fields_ = (("data", ctypes.c_void_p), ("size", ctypes.c_size_t))

    def __str__(self) -> str:
        return bytes(self).decode()

    def __bytes__(self) -> bytes:
        return ctypes.string_at(self.data, self.size) if self.size else b""


class Floats(ctypes.Structure):
    _fields_ = (("data", ctypes.POINTER(ctypes.c_float)), ("count", ctypes.c_size_t))


class CError(ctypes.Structure):
    _fields_ = (
        ("size", ctypes.c_size_t),
        ("code", ctypes.c_int32),
        ("message", TextView),
        ("hint", TextView),
    )


class LogLine(ctypes.Structure):
    _fields_ = (
        ("size", ctypes.c_size_t),
        ("level", ctypes.c_int32),
        ("category", TextView),
        ("text", TextView),
        ("dropped", ctypes.c_uint64),
    )


class Event(ctypes.Structure):
    _fields_ = (
        ("size", ctypes.c_size_t),
        ("kind", ctypes.c_int32),
        ("status", ctypes.c_int32),
        ("turn_id", ctypes.c_uint64),
        ("node", TextView),
        ("text", TextView),
        ("json", TextView),
        ("is_delta", ctypes.c_int32),
        ("is_final", ctypes.c_int32),
        ("sample_rate", ctypes.c_int32),
        ("error_code", ctypes.c_int32),
        ("samples", ctypes.POINTER(ctypes.c_int16)),
        ("sample_count", ctypes.c_size_t),
        ("error_message", TextView),
        ("error_hint", TextView),
        ("tokens_generated", ctypes.c_int64),
        ("progress", ctypes.c_double),
    )


# By value, as the header declares them.
_ARGUMENTS = {
    "talefold_engine": ctypes.c_uint64,
    "talefold_agent": ctypes.c_uint64,
    "talefold_task": ctypes.c_uint64,
    "talefold_speech": ctypes.c_uint64,
    "talefold_scene": ctypes.c_uint64,
    "talefold_text": Text,
    "talefold_bytes": Text,
    "int32_t": ctypes.c_int32,
    "int64_t": ctypes.c_int64,
    "size_t": ctypes.c_size_t,
}


def _argument_type(declaration: str) -> Any:
    name, _, _ = declaration.replace("const ", "").strip().rpartition(" ")
    if "*" in declaration:
        return ctypes.c_void_p
    return _ARGUMENTS[name.strip()]


@functools.cache
def functions_of_header() -> dict[str, list[str]]:
    """The functions of the table in their order, with their parameters."""
    header = re.sub(r"/\*.*?\*/", "", HEADER.read_text(encoding="utf-8"), flags=re.S)
    (table,) = re.findall(
        r"typedef struct talefold_api \{(.*?)\} talefold_api;", header, re.S
    )
    return {
        name: [" ".join(each.split()) for each in parameters.split(",")]
        for name, parameters in re.findall(
            r"(?:int32_t|void) \(\*(\w+)\)\((.*?)\);", table, re.S
        )
    }


class CApiError(Exception):
    def __init__(self, code: int, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code


class CApi:
    """The functions of the table: a code that is not 0 is raised as CApiError."""

    def __init__(self, library: Path) -> None:
        self._library = ctypes.CDLL(str(library))
        names = functions_of_header()
        table = (ctypes.c_void_p * (1 + len(names)))()
        code = self._library.talefold_get_api(
            ctypes.c_uint32(1), table, ctypes.c_size_t(ctypes.sizeof(table))
        )
        assert code == 0
        assert table[0] == ctypes.sizeof(table), "header and library differ"
        self._functions = {
            name: ctypes.CFUNCTYPE(
                None if name == "last_error" else ctypes.c_int32,
                *([] if parameters == ["void"] else map(_argument_type, parameters)),
            )(address)
            for (name, parameters), address in zip(
                names.items(), table[1:], strict=True
            )
        }

    def raw(self, name: str) -> Callable[..., int]:
        return self._functions[name]

    def __call__(self, name: str, *arguments: Any) -> None:
        passed = [
            text_argument(each)
            if each is None or isinstance(each, str | bytes)
            else each
            for each in arguments
        ]
        code = self._functions[name](*passed)
        if code != 0:
            error = CError(size=ctypes.sizeof(CError))
            self._functions["last_error"](ctypes.byref(error))
            assert error.code == code
            raise CApiError(code, str(error.message))

    def text(self, name: str, *arguments: Any) -> str:
        """The text that a function returns as its last parameter."""
        view = TextView()
        self(name, *arguments, ctypes.byref(view))
        return str(view)

    def json(self, name: str, *arguments: Any) -> Any:
        return json.loads(self.text(name, *arguments))

    def handle(self, name: str, *arguments: Any) -> int:
        handle = ctypes.c_uint64()
        self(name, *arguments, ctypes.byref(handle))
        return handle.value

    def flag(self, name: str, *arguments: Any) -> bool:
        flag = ctypes.c_int32()
        self(name, *arguments, ctypes.byref(flag))
        return bool(flag.value)

    def event(self, name: str, *arguments: Any) -> Event:
        event = Event(size=ctypes.sizeof(Event))
        self(name, *arguments, ctypes.byref(event))
        return event


def text_argument(text: str | bytes | None) -> Text:
    """A text for the library; None is no text."""
    data = text.encode() if isinstance(text, str) else text
    return Text(data, len(data or b""))
