"""Replies with tool calls: whatever a model says, calls in it keep to the schema."""

from __future__ import annotations

import json

from talefold import _core

from ..llama.tools import TOOLS
from .harness import answered, fuzz, kind_of

# name -> type, description, required, enum
PARAMETERS = {
    tool: {parameter[0]: parameter[1:] for parameter in parameters}
    for tool, _, parameters in TOOLS
}
TYPES = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
}
# A call as each format has it; JSON for {name} and {arguments}.
CALLS = {
    "chatml": '<tool_call>\n{{"name": {0}, "arguments": {1}}}\n</tool_call>',
    "llama3": '{{"name": {0}, "parameters": {1}}}',
    "mistral": '[TOOL_CALLS] [{{"name": {0}, "arguments": {1}}}]',
    "generic": '{{"tool": {0}, "arguments": {1}}}',
}
MAX_CALLS = 64


def check_schema(name: str, arguments: object) -> None:
    assert isinstance(arguments, dict)
    parameters = PARAMETERS[name]
    for key, value in arguments.items():
        kind, _, _, allowed = parameters[key]
        assert isinstance(value, TYPES[kind])
        assert isinstance(value, bool) == (kind == "boolean")
        assert not allowed or str(value) in allowed
    for key, (_, _, required, _) in parameters.items():
        assert key in arguments or not required


def check(data: bytes) -> None:
    reply = data.decode(errors="replace")
    for format, form in CALLS.items():
        calls, problems, prose = _core.parse_tool_calls(reply, TOOLS, format)

        answered(format, len(calls), bool(prose), *map(kind_of, problems[:2]))
        assert len(calls) <= MAX_CALLS
        assert len(calls) + len(problems) <= MAX_CALLS + 1
        rest = iter(reply)
        assert all(character in rest for character in prose)
        for name, arguments in calls:
            check_schema(name, json.loads(arguments))
            assert "\n" not in arguments
            answered(format, name, *sorted(json.loads(arguments)))
            shown = form.format(json.dumps(name), arguments)
            assert _core.parse_tool_calls(shown, TOOLS, format) == (
                [(name, arguments)],
                [],
                "",
            )


if __name__ == "__main__":
    fuzz("tool_calls", check)
