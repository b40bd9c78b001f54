"""Graph files: what is valid can be written, read again and run."""

from __future__ import annotations

from functools import cache

from talefold import Engine, GraphDescription, _core

from .harness import answered, attempt, fuzz, kind_of


@cache
def engine() -> Engine:
    engine = Engine(worker_threads=1)
    engine.load_scripted_model("model", replies=["Aye."])
    return engine


def run(graph: GraphDescription) -> None:
    with engine().create_agent(graph, default_model_name="model") as agent:
        answered("turn", attempt(agent.send, "Hi") is None)


def check(data: bytes) -> None:
    text = data.decode(errors="replace")
    problems = _core.validate_graph_json(text)
    for problem in problems:
        answered(problem.code.name, problem.is_warning, kind_of(problem.message))

    graph = attempt(GraphDescription.from_json, text)

    if graph is None:
        assert any(not problem.is_warning for problem in problems)
        return
    written = graph.to_json()
    again = GraphDescription.from_json(written)
    assert again == graph
    assert again.to_json() == written
    graph.apply_strings(graph.localizable_strings())
    assert graph == again
    answered("graph", *sorted({type(node).__name__ for node in graph.nodes.values()}))
    attempt(run, graph)


if __name__ == "__main__":
    fuzz("graph", check)
