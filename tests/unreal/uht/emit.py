"""<Stem>.generated.h and <Stem>.gen.cpp: reflection tables for the shim.

As with the engine's tool, GENERATED_BODY() becomes a macro of its file and line. What
it declares in a class is defined in the .gen.cpp, for which members are accessible.
"""

from __future__ import annotations

import re
from pathlib import Path

from .model import Class, Header, Property

_VISIT_PARAMETERS = "void* Object, ue_shim::FPropertyVisitor& Visitor"


def generated_header(header: Header) -> str:
    file_id = "FID_" + re.sub(r"\W", "_", header.path.stem)
    lines = [
        f"// The reflection of {header.path.name}, for the shim.",
        '#include "UObject/ObjectMacros.h"',
        f"#ifdef {file_id}_ONCE",
        '#error "included twice: a #pragma once is missing"',
        "#endif",
        f"#define {file_id}_ONCE",
    ]
    for each in header.classes:
        body = _class_body(each) if each.kind == "class" else _struct_body(each)
        lines.append(f"#define {file_id}_{each.body_line}_GENERATED_BODY {body}")
    lines += ["#undef CURRENT_FILE_ID", f"#define CURRENT_FILE_ID {file_id}"]
    return "\n".join(lines) + "\n"


def _class_body(each: Class) -> str:
    return (
        f"public: using Super = {each.base}; using ThisClass = {each.name}; "
        "static UClass* StaticClass(); "
        f"static void ShimVisit({_VISIT_PARAMETERS}); private:"
    )


def _struct_body(each: Class) -> str:
    base = f"using Super = {each.base}; " if each.base else ""
    return (
        f"public: {base}static UScriptStruct* StaticStruct(); "
        f"static void ShimVisit({_VISIT_PARAMETERS});"
    )


def generated_source(header: Header, include: str) -> str:
    lines = [f'#include "{include}"', '#include "UObject/Object.h"', ""]
    for each in header.classes:
        lines += _visit(each)
        lines += _static_class(each) if each.kind == "class" else _static_struct(each)
    return "\n".join(lines) + "\n"


def _visit(each: Class) -> list[str]:
    lines = [
        f"void {each.name}::ShimVisit({_VISIT_PARAMETERS})",
        "{",
        f"\t{each.name}& Self = *static_cast<{each.name}*>(Object);",
    ]
    if each.base:
        lines.append(
            f"\t{each.base}::ShimVisit(static_cast<{each.base}*>(&Self), Visitor);"
        )
    for member in each.properties:
        lines += _guarded(
            member, f"\tVisitor.Visit({_table(member)}, Self.{member.name});"
        )
    return [*lines, "\t(void)Self; (void)Visitor;", "}", ""]


def _guarded(member: Property, line: str) -> list[str]:
    return [f"#if {member.condition}", line, "#endif"] if member.condition else [line]


def _table(member: Property) -> str:
    saved, transient = (
        str(flag in member.macro.specifiers).lower()
        for flag in ("SaveGame", "Transient")
    )
    return f'{{TEXT("{member.name}"), {saved}, {transient}}}'


def _static_class(each: Class) -> list[str]:
    lines = [
        f"UClass* {each.name}::StaticClass()",
        "{",
        f"\tstatic UClass* const Class = ue_shim::MakeClass<{each.name}>("
        f'TEXT("{each.name[1:]}"), {_functions(each)}, {_is_abstract(each)});',
        "\treturn Class;",
        "}",
        f"static const ue_shim::FRegisterClass Register{each.name}"
        f"(&{each.name}::StaticClass);",
    ]
    return [*lines, ""]


def _is_abstract(each: Class) -> str:
    return str("Abstract" in each.macro.specifiers).lower()


def _functions(each: Class) -> str:
    names = [f'TEXT("{f.name}")' for f in each.functions if f.condition is None]
    return "{" + ", ".join(names) + "}"


def _static_struct(each: Class) -> list[str]:
    super_struct = f"{each.base}::StaticStruct()" if each.base else "nullptr"
    return [
        f"UScriptStruct* {each.name}::StaticStruct()",
        "{",
        f"\tstatic UScriptStruct* const Struct = ue_shim::MakeStruct<{each.name}>("
        f'TEXT("{each.name[1:]}"), {super_struct});',
        "\treturn Struct;",
        "}",
        "",
    ]


def write(header: Header, include: str, folder: Path) -> None:
    """Writes both files, if they have changed."""
    texts = {
        f"{header.path.stem}.generated.h": generated_header(header),
        f"{header.path.stem}.gen.cpp": generated_source(header, include),
    }
    for name, text in texts.items():
        path = folder / name
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
