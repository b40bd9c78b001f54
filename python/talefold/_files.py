"""Files that are never half written, and conversations in them.

A saved conversation is a snapshot at a path and, perhaps, KV bytes beside it. The
snapshot is written first, each file as a whole; the KV bytes need not be of the same
moment, or be there at all. So whatever is found after any failure can be loaded.
"""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import shutil
import threading
from pathlib import Path

from talefold.errors import ErrorCode, TalefoldError

_KV_SUFFIX = ".kv"


def write_text_atomically(path: str | os.PathLike[str], text: str) -> None:
    """Writes `text` as UTF-8. A failure leaves an existing file as it was."""
    write_bytes_atomically(path, text.encode())


def write_bytes_atomically(path: str | os.PathLike[str], content: bytes) -> None:
    """Writes `content`; when this returns, it outlives a power cut.

    A failure leaves an existing file as it was, or, if only the folder could not be
    brought to the disk, the new one in its place.
    """
    draft = draft_of(path)
    try:
        _write_through(draft, content)
        put_in_place(draft, path)
    except BaseException:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)
        raise


def draft_of(path: str | os.PathLike[str]) -> Path:
    """Where this thread writes what `put_in_place` moves to `path`."""
    target = Path(path).resolve()
    return target.with_name(f".{target.name}.{os.getpid()}.{threading.get_ident()}.tmp")


def put_in_place(draft: Path, path: str | os.PathLike[str]) -> None:
    """Makes a complete draft the file at `path`, which keeps its mode."""
    target = Path(path).resolve()
    if target.exists():
        shutil.copymode(target, draft)
    os.replace(draft, target)  # noqa: PTH105 - each step is one call of os
    _sync_folder(target.parent)


def kv_path(path: str | os.PathLike[str]) -> Path:
    """Where the KV bytes of the conversation saved at `path` are."""
    target = Path(path)
    return target.with_name(target.name + _KV_SUFFIX)


def read_snapshot(path: str | os.PathLike[str]) -> str:
    """The text of a saved conversation.

    Raises:
        OSError: The file cannot be read.
        TalefoldError: MalformedSnapshot when it is not UTF-8.
    """
    try:
        return Path(path).read_text("utf-8")
    except UnicodeDecodeError as error:
        raise TalefoldError(
            ErrorCode.MalformedSnapshot,
            f"{os.fspath(path)}: not UTF-8 at byte {error.start}",
        ) from None


def read_kv(path: str | os.PathLike[str]) -> bytes | None:
    """The KV bytes beside a saved conversation; None, with a log line, without."""
    try:
        return kv_path(path).read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        logging.getLogger("talefold.agent").warning(
            "%s: %s; going on without KV bytes", error.filename, error.strerror
        )
        return None


def _write_through(path: Path, content: bytes) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0)
    descriptor = os.open(path, flags, 0o666)
    try:
        rest = memoryview(content)
        while rest:
            rest = rest[os.write(descriptor, rest) :]
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _sync_folder(folder: Path) -> None:
    if os.name == "nt":  # cannot be done there
        return
    try:
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        # Not every file system has this, not every folder may be read.
        if error.errno not in (errno.EINVAL, errno.EACCES):
            raise
