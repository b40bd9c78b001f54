"""Writing files that are never half written."""

from __future__ import annotations

import os
import shutil
from pathlib import Path


def write_text_atomically(path: str | os.PathLike[str], text: str) -> None:
    """Writes `text` as UTF-8. A failure leaves an existing file as it was."""
    target = Path(path).resolve()
    draft = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        with draft.open("w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            shutil.copymode(target, draft)
        draft.replace(target)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
