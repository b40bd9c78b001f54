"""`scene`: characters who share a story, with prompt caching off and on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from talefold.bench.play import PlayLine, most_heard, read_play
from talefold.bench.report import Report
from talefold.bench.scene_report import MODES, Mode, SceneTurn, scene_report
from talefold.bench.talk import Answer, listen, locate
from talefold.engine import Engine
from talefold.graph import (
    ArchiveParams,
    ContextOverrides,
    GenerateParams,
    GraphDescription,
    LayeredHistoryParams,
    SamplingOverrides,
)
from talefold.scene import Scene

__all__ = ["run_scene", "small_memory"]

_SEED = 7
_MEMORY_CONTEXT = 2048
_REPLY_NODE = "reply"


def run_scene(
    *,
    model: str,
    threads: int,
    context_size: int,
    tokens: int,
    characters: int,
    play: Path | None,
    lines: int,
    stay: bool,
) -> Report:
    """Tells the story twice, caching off and on.

    Every line of the characters who say most is first a turn of theirs, whose reply is
    then replaced by the line: all modes show their models the same story. Everything
    else in it, memory included, is appended between the turns.

    Args:
        model: A GGUF file or a catalogue entry.
        threads: That compute.
        context_size: Of the characters' prompts, in tokens.
        tokens: Most of each reply.
        characters: How many take turns.
        play: A transcript; None = a seeded story.
        lines: Most lines of it.
        stay: Those who take turns are there from beginning to end; False = as the
            transcript says.

    Raises:
        TalefoldError: As `locate`, `read_play` and `most_heard`; a turn's own.
        OSError: The transcript cannot be read.
    """
    path = locate(model)
    told = read_play(play, lines)
    cast = most_heard(told, characters)
    turns = {
        mode: _perform(
            path,
            told,
            {
                name: _character(name, mode, context_size, tokens, threads)
                for name in cast
            },
            small_memory(_MEMORY_CONTEXT, ContextOverrides(n_threads=threads)),
            stay=stay,
        )
        for mode in MODES
    }
    return scene_report(
        settings={
            "model": path.name,
            "threads": threads,
            "context_size": context_size,
            "tokens": tokens,
            "characters": cast,
            "play": play.name if play else "seeded",
            "lines": len(told),
            "stay": stay,
        },
        turns=turns,
    )


def small_memory(
    context_size: int, context: ContextOverrides | None = None
) -> GraphDescription:
    """Archive and LayeredHistory in sizes that the smallest models keep up with.

    Args:
        context_size: Of both, in tokens; 2048 is enough.
        context: Of both.
    """
    sampling = SamplingOverrides(repeat_penalty=1.1, seed=_SEED, max_tokens=256)
    archive = ArchiveParams(
        token_threshold=512,
        context_size=context_size,
        preceding_summaries=0,
        sampling=sampling,
        context=context or ContextOverrides(),
        default_exit="layers",
    )
    layers = LayeredHistoryParams(
        token_threshold=256,
        max_process_tokens=256,
        max_response_tokens=256,
        analyze=False,
        context_size=context_size,
        sampling=SamplingOverrides(repeat_penalty=1.1, seed=_SEED),
        context=context or ContextOverrides(),
    )
    return (
        GraphDescription()
        .add_node("archive", archive)
        .add_node("layers", layers)
        .set_start_node("archive")
    )


def _character(
    name: str, mode: Mode, context_size: int, tokens: int, threads: int
) -> GraphDescription:
    params = GenerateParams(
        system_prompt=f"You are {name}. Say your next line, and nothing else.",
        context_size=context_size,
        stream=True,
        prompt_caching=mode,
        sampling=SamplingOverrides(temperature=0.0, max_tokens=tokens),
        context=ContextOverrides(n_threads=threads),
    )
    return GraphDescription().add_node(_REPLY_NODE, params).set_start_node(_REPLY_NODE)


def _perform(
    path: Path,
    play: Sequence[PlayLine],
    cast: dict[str, GraphDescription],
    memory: GraphDescription,
    *,
    stay: bool,
) -> list[SceneTurn]:
    heard: list[tuple[str, Answer]] = []
    with Engine() as engine:
        engine.load_model("model", path, record_requests=True)
        with engine.create_scene(
            memory_graph=memory, run_inline=True, enable_diagnostics=True
        ) as scene:
            for name, graph in cast.items():
                scene.add_character(name, graph, active=stay)
            for line in play:
                if line.speaker in cast and line.speaker in scene.active:
                    heard.append((line.speaker, _say(scene, line)))
                    continue
                scene.import_transcript(line.source)
                if stay:
                    for name in cast:
                        scene.activate(name)
        requests = engine.recorded_requests("model")
    prompts = [each.prompt_tokens for each in requests if each.node == _REPLY_NODE]
    return [
        _turn(speaker, answer, prompt)
        for (speaker, answer), prompt in zip(heard, prompts, strict=True)
    ]


def _say(scene: Scene, line: PlayLine) -> Answer:
    """The turn of a line's speaker, then the line itself."""
    before = len(scene)
    answer = listen(lambda: scene.stream_turn(line.speaker))
    if len(scene) == before:  # an empty reply is no message
        scene.import_transcript(line.source)
    else:
        scene.edit(scene.messages[-1].id, line.text)
    return answer


def _turn(speaker: str, answer: Answer, prompt: list[int]) -> SceneTurn:
    return SceneTurn(
        speaker=speaker,
        prompt=prompt,
        reused_tokens=answer.node["input"]["reused_tokens"],
        first_token_ms=answer.first_token_s * 1000,
        story_went_on=answer.node["story"]["goes_on"],
    )
