from __future__ import annotations

import ast
import importlib
import importlib.metadata
import importlib.resources
import pkgutil

import pytest

import talefold
from talefold import _core

FUNCTION = ast.FunctionDef
MODULES = [
    module.name
    for module in pkgutil.iter_modules(talefold.__path__)
    if not module.name.startswith("_")
]


def test_all_is_sorted() -> None:
    assert talefold.__all__ == sorted(talefold.__all__)


def test_all_names_what_is_public() -> None:
    public = {name for name in vars(talefold) if not name.startswith("_")}

    public -= {*MODULES, "annotations"}
    assert public == set(talefold.__all__) - {"__version__"}


@pytest.mark.parametrize("module_name", sorted(set(MODULES) - {"bench", "cli"}))
def test_modules_export_to_the_package(module_name: str) -> None:
    module = importlib.import_module(f"talefold.{module_name}")

    assert set(module.__all__) <= set(talefold.__all__)
    for name in module.__all__:
        assert getattr(talefold, name) is getattr(module, name)


def test_classes_say_they_come_from_the_package() -> None:
    classes = [value for value in vars(talefold).values() if isinstance(value, type)]

    assert classes
    assert {each.__module__ for each in classes} == {"talefold"}


def test_version_is_that_of_the_distribution() -> None:
    assert talefold.__version__ == importlib.metadata.version("talefold")


def test_the_stub_names_what_the_core_has() -> None:
    stub_text = importlib.resources.files("talefold").joinpath("_core.pyi").read_text()
    in_stub = {
        node.name: {each.name for each in ast.walk(node) if isinstance(each, FUNCTION)}
        for node in ast.parse(stub_text).body
        if isinstance(node, ast.ClassDef | FUNCTION)
    }
    in_core = {
        name: public_names(value) if isinstance(value, type) else {name}
        for name, value in vars(_core).items()
        if not name.startswith("_")
    }

    for methods in in_stub.values():
        methods.discard("__init__")
    assert in_stub == in_core


def public_names(owner: type) -> set[str]:
    return {name for name in vars(owner) if not name.startswith("_")}
