"""A model that would rather talk calls a tool all the same, when the graph says so."""

from __future__ import annotations

import pytest

from talefold import (
    Engine,
    GraphDescription,
    SamplingOverrides,
    ToolCallFormat,
    ToolCallParams,
    ToolDescription,
    ToolParameter,
)

from .conftest import ModelFile
from .tools import FORMATS

TOOLS = [
    ToolDescription(
        name="serve",
        description="Has the kitchen bring something.",
        parameters=[
            ToolParameter(name="item", required=True, enum=["stew", "ale"]),
            ToolParameter(name="portions", type="integer"),
        ],
    ),
    ToolDescription(name="check_purse", description="Tells what the guest has left."),
]
SAID = ["Two ales, please.", "Good evening.", "What do I have left?"]


def innkeeper(format: ToolCallFormat) -> GraphDescription:
    return (
        GraphDescription()
        .add_node(
            "tools",
            ToolCallParams(
                system_prompt="You are Edric, an innkeeper.",
                context_size=1024,
                tools=TOOLS,
                tool_call_format=format,
                tool_choice="required",
                generate_on_no_tool=True,
                sampling=SamplingOverrides(max_tokens=256),
            ),
        )
        .set_start_node("tools")
    )


@pytest.mark.parametrize("format", FORMATS)
def test_every_reply_is_valid_calls_and_a_result_is_answered(
    model_file: ModelFile, format: ToolCallFormat
) -> None:
    with Engine() as engine:
        engine.load_model("m", model_file("smollm2"))
        for text in SAID:
            agent = engine.create_agent(innkeeper(format), enable_diagnostics=True)
            result = agent.send(text)
            calls = agent.dialog()[-1].tool_calls

            assert calls, text
            assert result.text == ""
            assert result.debug_info is not None
            assert "problems" not in result.debug_info["nodes"][0]["tools"]

            for call in calls[1:]:
                agent.submit_tool_result(call.id, '"done"', resume=False)
            answer = agent.submit_tool_result(calls[0].id, '{"coppers": 6}')
            assert answer.text or agent.dialog()[-1].tool_calls
