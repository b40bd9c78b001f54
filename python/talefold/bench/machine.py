"""What a benchmark ran on."""

from __future__ import annotations

import os
import platform
import time
from importlib import metadata
from pathlib import Path
from typing import Any

import llama_cpp

__all__ = ["describe_machine"]

_PACKAGES = (
    "talefold",
    "llama-cpp-python",
    "numpy",
    "xllamacpp",
    "nobodywho",
    "langgraph",
    "langmem",
    "langchain-core",
)
_BUSY = 0.2  # CPUs in use by others
_WAIT_SECONDS = 0.5
_CPU_INFO = Path("/proc/cpuinfo")
_CPU_TIMES = Path("/proc/stat")


def describe_machine() -> dict[str, Any]:
    """CPU, system, load and versions.

    Returns:
        "cpus_in_use" is how many CPUs other processes kept working in half a second
        before the benchmark, None where the system does not tell; "cpu_flags" is empty
        there. "busy": so many that figures are worth little. Packages that are not
        installed have the version None.
    """
    cpu = _cpu_info()
    in_use = _cpus_in_use()
    return {
        "cpu": cpu.get("model name") or platform.processor() or platform.machine(),
        "cpu_count": os.cpu_count(),
        "cpu_flags": cpu.get("flags", cpu.get("Features", "")).split(),
        "llama_system_info": llama_cpp.llama_print_system_info().decode(),
        "system": platform.platform(),
        "cpus_in_use": in_use,
        "busy": in_use is not None and in_use > _BUSY,
        "python": platform.python_version(),
        "versions": {package: _version(package) for package in _PACKAGES},
    }


def _cpu_info() -> dict[str, str]:
    """Of the first CPU."""
    if not _CPU_INFO.exists():
        return {}
    first, _, _ = _CPU_INFO.read_text("utf-8").partition("\n\n")
    pairs = (line.partition(":") for line in first.splitlines())
    return {key.strip(): value.strip() for key, _, value in pairs}


def _cpus_in_use() -> float | None:
    """While this process sleeps."""
    if not _CPU_TIMES.exists():
        return None
    before = _cpu_times()
    time.sleep(_WAIT_SECONDS)
    spent = [end - start for start, end in zip(before, _cpu_times(), strict=True)]
    idle = sum(spent[3:5])  # idle, and waiting for a disk
    return (os.cpu_count() or 1) * (1 - idle / max(1, sum(spent)))


def _cpu_times() -> list[int]:
    """Ticks since the start of the system, of all CPUs, by kind; guests left out."""
    first, _, _ = _CPU_TIMES.read_text("utf-8").partition("\n")
    return [int(ticks) for ticks in first.split()[1:9]]


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None
