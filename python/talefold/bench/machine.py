"""What a benchmark ran on."""

from __future__ import annotations

import os
import platform
from importlib import metadata
from pathlib import Path
from typing import Any

import llama_cpp

__all__ = ["describe_machine"]

_PACKAGES = (
    "talefold",
    "llama-cpp-python",
    "numpy",
    "langgraph",
    "langmem",
    "langchain-core",
)
_CPU_INFO = Path("/proc/cpuinfo")


def describe_machine() -> dict[str, Any]:
    """CPU, system, load and versions.

    Returns:
        "load" is the mean number of running processes in the last minute, None where
        the system does not tell; "cpu_flags" is empty there. Packages that are not
        installed have the version None.
    """
    cpu = _cpu_info()
    return {
        "cpu": cpu.get("model name") or platform.processor() or platform.machine(),
        "cpu_count": os.cpu_count(),
        "cpu_flags": cpu.get("flags", cpu.get("Features", "")).split(),
        "llama_system_info": llama_cpp.llama_print_system_info().decode(),
        "system": platform.platform(),
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
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


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None
