"""What chat, replay and demo share: their model, their graph, their way to fail."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Annotated

import typer

from talefold import (
    Catalogue,
    Engine,
    ErrorCode,
    GenerateAndSpeakParams,
    GenerateParams,
    GraphDescription,
    NodeParams,
    SamplingOverrides,
    SpeakParams,
    SpeechAudio,
    SpeechBackend,
    SpeechRequest,
    SummarizeParams,
    TalefoldError,
    ToolCallParams,
)
from talefold.catalogue import BUILT_IN_MODEL

__all__ = [
    "BUILT_IN_MODEL",
    "CatalogueOption",
    "ContextOption",
    "GraphOption",
    "ModelOption",
    "ScriptedOption",
    "SeedOption",
    "SilentSpeech",
    "StorageRootOption",
    "built_in_graph",
    "content_root",
    "fails_readably",
    "load_model",
    "reply_node",
    "set_up",
]

ModelOption = Annotated[
    str,
    typer.Option(
        "--model", metavar="FILE.gguf|NAME", help="A GGUF file or a catalogue entry."
    ),
]
CatalogueOption = Annotated[
    Path | None,
    typer.Option(
        "--catalogue", metavar="FILE", help="A catalogue file to find NAME in."
    ),
]
GraphOption = Annotated[
    Path | None,
    typer.Option(
        "--graph",
        metavar="FILE",
        help="A graph file; default: a reply node and a summary node.",
    ),
]
StorageRootOption = Annotated[
    Path | None,
    typer.Option(
        "--storage-root",
        metavar="DIR",
        help="The folder of the files that the graph names; default: the graph's own.",
    ),
]
ContextOption = Annotated[
    int | None,
    typer.Option(
        "--context",
        metavar="TOKENS",
        min=256,
        help="Context size of the nodes that write replies.",
    ),
]
ScriptedOption = Annotated[
    bool,
    typer.Option(
        "--scripted", help="The built-in scripted model: canned replies, no weights."
    ),
]
SeedOption = Annotated[
    int | None,
    typer.Option("--seed", min=1, max=2**32 - 1, help="Seed of the random draws."),
]

_SCRIPTED_MODEL = "scripted"
_SCRIPTED_REPLIES = (
    "Aye, so it is.",
    "Two coppers a night, and supper is on the house.",
    "I would not walk there after dark, friend.",
    "My father told me the same when I was a boy.",
    "Sit down by the fire and tell me more.",
)
_SCRIPTED_SUMMARY = "The guest and the innkeeper talked of the road and of the night."
_DEFAULT_CONTEXT_SIZE = 4096
_REPLY_PARAMS = (GenerateParams, GenerateAndSpeakParams)
_SPEECH_PARAMS = (GenerateAndSpeakParams, SpeakParams)


class SilentSpeech(SpeechBackend):
    """Lets a graph that speaks be read."""

    def synthesize(self, request: SpeechRequest, stop: object) -> list[SpeechAudio]:
        """Nothing is heard."""
        return []


@contextlib.contextmanager
def fails_readably() -> Iterator[None]:
    """Turns a failure into a message and an exit code: 1, or 2 for a file."""
    try:
        yield
    except TalefoldError as error:
        typer.echo(f"error: {error.message}", err=True)
        if error.hint:
            typer.echo(f"  hint: {error.hint}", err=True)
        raise typer.Exit(1) from None
    except OSError as error:
        typer.echo(f"error: {error.filename}: {error.strerror}", err=True)
        raise typer.Exit(2) from None


def content_root(storage_root: Path | None, graph_file: Path | None) -> Path | None:
    """The folder that a graph's references to files start from."""
    if storage_root is None and graph_file is not None:
        return graph_file.parent
    return storage_root


def set_up(
    engine: Engine,
    *,
    model: str,
    catalogue: Path | None,
    scripted: bool,
    graph_file: Path | None,
    context_size: int | None,
    seed: int | None,
    system_prompt: str | None,
    default_system_prompt: str,
    speak: bool = False,
) -> tuple[str, GraphDescription]:
    """Loads the model and makes the graph that the options ask for.

    Returns:
        The model's name in the engine, and the graph.
    """
    graph = None if graph_file is None else GraphDescription.load(graph_file)
    name, usual_size = load_model(
        engine,
        model,
        catalogue,
        scripted=scripted,
        summary_nodes=_names(graph, SummarizeParams) if graph else ("summarize",),
    )
    if graph is None:
        prompt = default_system_prompt if system_prompt is None else system_prompt
        graph = built_in_graph(prompt, context_size or usual_size)
    if speak:
        graph = _voiced(graph)
    _adapt(graph, system_prompt=system_prompt, context_size=context_size, seed=seed)
    return name, graph


def load_model(
    engine: Engine,
    model: str,
    catalogue: Path | None = None,
    *,
    scripted: bool = False,
    summary_nodes: Sequence[str] = ("summarize",),
) -> tuple[str, int]:
    """Loads the model of the command line, with a progress bar on stderr.

    Returns:
        Its name in the engine, and the context size it is meant for.
    """
    if scripted:
        engine.load_scripted_model(
            _SCRIPTED_MODEL,
            replies=_SCRIPTED_REPLIES,
            node_replies={node: [_SCRIPTED_SUMMARY] for node in summary_nodes},
        )
        return _SCRIPTED_MODEL, _DEFAULT_CONTEXT_SIZE
    wanted_size = 0
    entries: Catalogue | None = None
    path: str | None = model
    name = Path(model).stem
    if not _is_file(model):
        entries = Catalogue(*([catalogue] if catalogue else []))
        name, path = model, None
        wanted_size = entries.find(name).default_context_size
    with _progress_bar(f"loading {Path(model).name}") as show:
        engine.load_model(name, path, catalogue=entries, on_progress=show)
    (info,) = (each for each in engine.models() if each.name == name)
    return name, min(wanted_size or _DEFAULT_CONTEXT_SIZE, info.trained_context_size)


@contextlib.contextmanager
def _progress_bar(label: str) -> Iterator[Callable[[float], None]]:
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(
        console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task(label, total=1.0)
        yield lambda fraction: bar.update(task, completed=fraction)


def _is_file(model: str) -> bool:
    return model.endswith(".gguf") or "/" in model or Path(model).is_file()


def built_in_graph(system_prompt: str, context_size: int) -> GraphDescription:
    """Reply, then fold; the sizes follow from the context of the replies."""
    reply = GenerateParams(
        system_prompt=system_prompt,
        context_size=context_size,
        sampling=SamplingOverrides(max_tokens=min(256, context_size // 8)),
        default_exit="summarize",
    )
    fold = SummarizeParams(
        context_size=max(1024, context_size),
        trigger_tokens=context_size // 6,
        keep_recent_turns=2 if context_size < 1024 else 3,
        max_summary_tokens=min(256, context_size // 8),
        oversized_turn="abridge",
    )
    return (
        GraphDescription()
        .add_node("reply", reply)
        .add_node("summarize", fold)
        .set_start_node("reply")
    )


def _adapt(
    graph: GraphDescription,
    *,
    system_prompt: str | None,
    context_size: int | None,
    seed: int | None,
) -> None:
    """Lets the options win over the graph; the one model runs all nodes."""
    for params in graph.nodes.values():
        if hasattr(params, "model_name"):
            params.model_name = ""
        if seed is not None and hasattr(params, "sampling"):
            params.sampling.seed = seed
        if isinstance(params, _REPLY_PARAMS):
            params.stream = True
            if system_prompt is not None:
                params.system_prompt = system_prompt
            if context_size is not None:
                params.context_size = context_size


def _voiced(graph: GraphDescription) -> GraphDescription:
    """The graph, or if nothing in it speaks one whose replies are spoken."""
    if any(isinstance(each, _SPEECH_PARAMS) for each in graph.nodes.values()):
        return graph
    voiced = GraphDescription()
    for name, params in graph.nodes.items():
        if isinstance(params, GenerateParams) and not params.output_slot:
            shared = {each.name: getattr(params, each.name) for each in fields(params)}
            del shared["output_slot"]
            params = GenerateAndSpeakParams(**shared)
        voiced.add_node(name, params)
    return voiced.set_start_node(graph.start_node)


def reply_node(graph: GraphDescription) -> str:
    """Name of the first node that writes replies.

    Raises:
        TalefoldError: There is none.
    """
    for name, params in graph.nodes.items():
        if _writes_replies(params):
            return name
    raise TalefoldError(
        ErrorCode.GraphCompilationFailed,
        "the graph has no Generate node, so nothing would answer",
        "add one, and lead an exit to it",
    )


def _writes_replies(params: NodeParams) -> bool:
    if getattr(params, "output_slot", ""):
        return False
    if isinstance(params, ToolCallParams):
        return params.generate_on_no_tool
    return isinstance(params, _REPLY_PARAMS)


def _names(graph: GraphDescription, *params: type[NodeParams]) -> list[str]:
    return [name for name, each in graph.nodes.items() if isinstance(each, params)]
