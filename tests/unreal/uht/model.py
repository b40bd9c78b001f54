"""What is reflected in a header."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Macro:
    """What stands between the parentheses of UPROPERTY(...) and the like.

    Specifiers without a value have "": {"BlueprintPure": "", "Category": "Talefold"}.
    """

    line: int
    specifiers: Mapping[str, str] = field(default_factory=dict)
    meta: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Property:
    macro: Macro
    type: str  # as written, spaces normalized
    name: str
    default: str | None
    access: str  # public, protected or private
    condition: str | None  # of an #if around it
    comment: str
    line: int


@dataclass(frozen=True)
class Parameter:
    type: str
    name: str
    default: str | None


@dataclass(frozen=True)
class Function:
    macro: Macro
    return_type: str
    name: str
    parameters: tuple[Parameter, ...]
    is_static: bool
    is_const: bool
    access: str
    condition: str | None
    comment: str
    line: int


@dataclass(frozen=True)
class Class:
    """A UCLASS or a USTRUCT."""

    macro: Macro
    kind: str  # class or struct
    name: str
    api: str  # TALEFOLD_API, or empty
    bases: tuple[str, ...]
    properties: tuple[Property, ...]
    functions: tuple[Function, ...]
    body_line: int  # of GENERATED_BODY(); 0 = there is none
    body: str  # without the braces, comments removed
    comment: str
    line: int

    @property
    def base(self) -> str:
        """The first base, which is the one that is reflected."""
        return self.bases[0] if self.bases else ""


@dataclass(frozen=True)
class Enum:
    macro: Macro
    name: str
    underlying: str
    values: tuple[str, ...]
    comment: str
    line: int


@dataclass(frozen=True)
class Delegate:
    """Of DECLARE_DYNAMIC_MULTICAST_DELEGATE_... and DECLARE_DYNAMIC_DELEGATE_..."""

    name: str
    is_multicast: bool
    parameters: tuple[Parameter, ...]
    line: int


@dataclass(frozen=True)
class Header:
    path: Path
    includes: tuple[str, ...]
    classes: tuple[Class, ...]
    enums: tuple[Enum, ...]
    delegates: tuple[Delegate, ...]
    code: str  # without comments and the content of literals; lines kept

    @property
    def is_reflected(self) -> bool:
        return bool(self.classes or self.enums or self.delegates)
