"""How fast this machine's memory is copied, and how much of it a process takes."""

from __future__ import annotations

import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

__all__ = ["copy_bandwidth", "peak_bytes", "resident_bytes"]

_STATUS = Path("/proc/self/status")


def copy_bandwidth(threads: int, *, array_bytes: int = 1 << 28) -> float:
    """Best of five copies of a large array, each thread with its part.

    Args:
        threads: That copy.
        array_bytes: Much more than caches hold.

    Returns:
        GB/s, bytes read and bytes written together.
    """
    source = np.ones(array_bytes, np.uint8)
    target = np.zeros_like(source)
    parts = list(
        zip(
            np.array_split(target, threads),
            np.array_split(source, threads),
            strict=True,
        )
    )
    seconds = []
    with ThreadPoolExecutor(threads) as pool:
        for _ in range(5):
            start = time.perf_counter()
            list(pool.map(lambda part: np.copyto(*part), parts))
            seconds.append(time.perf_counter() - start)
    return 2 * array_bytes / min(seconds) / 1e9


def resident_bytes() -> int:
    """Memory of this process in RAM; where the system does not tell, its peak."""
    return _status_bytes("VmRSS") or _peak_of_usage()


def peak_bytes() -> int:
    """The most memory of this process that ever was in RAM.

    Linux's ru_maxrss is not used: a child process inherits its parent's.
    """
    return _status_bytes("VmHWM") or _peak_of_usage()


def _status_bytes(key: str) -> int | None:
    if not _STATUS.exists():
        return None
    for line in _STATUS.read_text("utf-8").splitlines():
        if line.startswith(f"{key}:"):
            return int(line.split()[1]) * 1024
    return None


def _peak_of_usage() -> int:
    if sys.platform == "win32":
        raise OSError(0, "no way to read a process's memory", "resource usage")
    import resource

    usage = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return usage if sys.platform == "darwin" else usage * 1024
