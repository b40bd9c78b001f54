"""Characters with two tools, and how the generic format writes their calls."""

from __future__ import annotations

import json
from typing import Any

from talefold import (
    Engine,
    GenerateParams,
    GraphDescription,
    SummarizeParams,
    ToolCall,
    ToolCallParams,
    ToolDescription,
    ToolParameter,
)

from .helpers import SUMMARIZE, Chat, Script

TOOLS = [
    ToolDescription(
        name="give",
        description="Hands a thing to the player.",
        parameters=[
            ToolParameter(name="item", required=True, enum=["ale", "key"]),
            ToolParameter(name="count", type="integer"),
        ],
    ),
    ToolDescription(name="leave"),
]
GIVE_ALE = '{"tool": "give", "arguments": {"item": "ale"}}'
GIVE_KEY = '{"tool": "give", "arguments": {"item": "key"}}'
LEAVE = '{"tool": "leave", "arguments": {}}'
CALLS_NOTHING = "I call nothing."


def tool_graph(
    *, summarize: dict[str, Any] | None = None, talks: bool = True, **params: Any
) -> GraphDescription:
    """tools -> generate in either case, if it talks; then summarize, if any."""
    tools: dict[str, Any] = {"system_prompt": "T", "tools": TOOLS, "context_size": 4096}
    last = "" if summarize is None else "summarize"
    after = "generate" if talks else last
    exits = {"tool_called_exit": after, "no_tool_called_exit": after}
    graph = GraphDescription().add_node(
        "tools", ToolCallParams(**(tools | exits | params))
    )
    if talks:
        talk = GenerateParams(system_prompt="G", context_size=4096, default_exit=last)
        graph.add_node("generate", talk)
    if summarize is not None:
        graph.add_node("summarize", SummarizeParams(**(SUMMARIZE | summarize)))
    return graph.set_start_node("tools")


def tool_chat(
    engine: Engine,
    *calls: str | Any,
    graph: GraphDescription | None = None,
    replies: Script = ("Aye.",),
    **options: Any,
) -> Chat:
    """A chat whose node "tools" says `calls`, one a turn."""
    return Chat(
        engine,
        graph or tool_graph(),
        replies=replies,
        node_replies={"tools": calls or (CALLS_NOTHING,)},
        **options,
    )


def calls_of(chat: Chat, index: int = -1) -> list[ToolCall]:
    return chat.agent.dialog()[index].tool_calls


def result_message(tool: str, result: Any) -> tuple[str, str]:
    """A result as prompts show it."""
    shown = json.dumps({"tool": tool, "result": result})
    return "user", f"Result of the tool: {shown}"
