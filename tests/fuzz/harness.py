"""Runs fuzz targets: mutates seeds until one breaks a promise of the library.

A target is a module with a function `check`, which takes the bytes of an input and
raises when something is not as it should be. Atheris mutates, and keeps the inputs that
reach something new. It sees Python code alone, so that targets tell it what the library
answered: each new answer counts as a new place reached.
"""

from __future__ import annotations

import logging
import re
import sys
import tempfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from talefold import ErrorCode, TalefoldError

Check = Callable[[bytes], None]
Result = TypeVar("Result")

CORPUS = Path(__file__).with_name("corpus")
_MARKS = 4096
# Messages of one kind differ in what they quote and in numbers, and begin alike.
_DETAILS = re.compile(r"""(?<=nodes\.)\S+|'[^']*'?|"(?:[^"\\]|\\.)*"?|[^a-zA-Z ]+""")
_KIND_LENGTH = 60

_marks: list[Callable[[], None]] = []


def seeds(target: str) -> list[Path]:
    return sorted((CORPUS / target).iterdir())


def answered(*answer: object) -> None:
    """Tells the fuzzer what came of an input, in few different words."""
    if _marks:
        text = " ".join(map(str, answer))
        _marks[zlib.crc32(text.encode(errors="replace")) % _MARKS]()


def kind_of(message: str) -> str:
    """A message without its details."""
    return _DETAILS.sub("", message)[:_KIND_LENGTH]


def attempt(
    call: Callable[..., Result], *args: object, **options: object
) -> Result | None:
    """What a call returns; None when it throws the only thing it may."""
    try:
        return call(*args, **options)
    except TalefoldError as error:
        if error.code is ErrorCode.InternalError:
            raise
        answered(error.code.name, kind_of(error.message))
        return None


def fuzz(target: str, check: Check) -> None:
    """Runs until an input fails, or as long as libFuzzer's options say.

    `python -m tests.fuzz.fuzz_graph [OPTIONS] [FOLDER] [FILE]`, e.g. -max_total_time=9;
    a folder keeps the inputs found, files are tried and nothing else is.
    """
    import atheris  # not everywhere

    logging.disable()
    for _ in range(_MARKS):

        def mark() -> None:
            pass

        _marks.append(atheris.instrument_func(mark))
    options = [argument for argument in sys.argv[1:] if argument.startswith("-")]
    paths = [argument for argument in sys.argv[1:] if not argument.startswith("-")]
    with tempfile.TemporaryDirectory() as folder:
        if not any(Path(path).is_file() for path in paths):
            paths = [*(paths or [folder]), str(CORPUS / target)]
            options.insert(0, f"-dict={CORPUS / target}.dict")
        atheris.Setup([sys.argv[0], *options, *paths], check)
        atheris.Fuzz()
