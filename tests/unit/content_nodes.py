"""Graphs of nodes that use content, and what turns of them did."""

from __future__ import annotations

import json
from typing import Any

from talefold import (
    Agent,
    CannedResponseParams,
    Engine,
    GenerateParams,
    GraphDescription,
    NodeParams,
    TurnResult,
    _core,
)

from .helpers import finish, report


def graph_of(*nodes: tuple[str, NodeParams]) -> GraphDescription:
    """The nodes, the first of them at the start."""
    graph = GraphDescription()
    for name, params in nodes:
        graph.add_node(name, params)
    return graph.set_start_node(nodes[0][0])


def branches(**lines: str) -> list[tuple[str, NodeParams]]:
    """A node for each exit, of its name, that says its line."""
    return [
        (name, CannedResponseParams(inline_strings=[text]))
        for name, text in lines.items()
    ]


def teller(template: str) -> tuple[str, NodeParams]:
    """A node whose prompt shows the template in place of the player's text."""
    params = GenerateParams(
        template=template, placement="before_user_as_user", context_size=4096
    )
    return "generate", params


def open_agent(engine: Engine, graph: GraphDescription, **options: Any) -> Agent:
    """An agent with a model that says "Aye." and records its requests."""
    if not engine.models():
        engine.load_scripted_model("model", replies=["Aye."], record_requests=True)
    return engine.create_agent(graph, enable_diagnostics=True, **options)


def shown(engine: Engine) -> str:
    """What the newest prompt has before the player's text."""
    return engine.recorded_requests("model")[-1].messages[-2][1]


def say(agent: Agent, text: str | None) -> TurnResult:
    return finish(agent.start(text))


def exit_of(result: TurnResult, node: str) -> str:
    return str(report(result, node)["exit"])


def documented_keys(node_type: str) -> set[str]:
    """Diagnostics keys of a node type that its descriptor lists for agents."""
    nodes = json.loads(_core.descriptors_json())["nodes"]
    (found,) = [node for node in nodes if node["name"] == node_type]
    return {
        row["key"]
        for row in found["diagnostics"]
        if row["absent_when"] != "the turn is not of a scene"
    }
