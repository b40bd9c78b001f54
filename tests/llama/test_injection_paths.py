"""No way into a prompt makes structure of a text.

A hostile text is in pins, summary, system prompt, instruction, canned lines, knowledge,
tools, their past calls and results, intents, and in what the player and the character
said. What each node asks its model must then have the same structural tokens in the
same places as with a harmless word, and the text must come through.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from talefold import Engine, Placement, RecordedRequest

from .conftest import Load, Reference
from .injected_world import ASKING_NODES, Texts, load_knowledge, speak_of
from .injection import (
    CORPUS,
    HARMLESS,
    PROMPTS,
    READ,
    TOOLS,
    parts,
    structural_tokens,
)
from .reference import ReferenceModel
from .tools import FORMATS

WITHOUT_LETTERS = "spm_markup"
HARMLESS_IN_JSON = "papaya"
HARMLESS_PIN = "cherry"
PLACEMENTS: Sequence[Placement] = (
    "in_place_of_user",
    "before_user_as_user",
    "before_user_as_system",
    "after_user_as_user",
    "after_user_as_system",
)
# What each format escapes in JSON, so that its markers cannot be imitated.
MARKERS = {
    "chatml": [
        f"<{slash}{name}>"
        for name in ("tool_call", "tools", "tool_response")
        for slash in ("", "/")
    ],
    "llama3": ["<|python_tag|>", "<|eom_id|>"],
    "mistral": [
        "[TOOL_CALLS]",
        "[AVAILABLE_TOOLS]",
        "[/AVAILABLE_TOOLS]",
        "[TOOL_RESULTS]",
        "[/TOOL_RESULTS]",
    ],
    "generic": [],
}


def quoted(text: str, markers: Sequence[str] = ()) -> str:
    """What stands of a text between the quotation marks of JSON."""
    found = json.dumps(text, ensure_ascii=False)[1:-1]
    for marker in markers:
        found = found.replace(marker, f"\\u{ord(marker[0]):04x}{marker[1:]}")
    return found


def in_place(shown: str, text: str, node: str, format: str) -> str:
    """What a prompt shows of harmless words, with a hostile text in their place."""
    in_json = quoted(text, MARKERS[format])
    pinned = text.replace("\n", "\n  ")  # further lines of an item are indented
    if node == "which":  # it quotes what was said, and only that
        text, in_json = quoted(text), text
    return (
        shown.replace(HARMLESS, text)
        .replace(HARMLESS_IN_JSON, in_json)
        .replace(HARMLESS_PIN, pinned)
    )


def by_node(engine: Engine, model: str) -> dict[str, list[RecordedRequest]]:
    requests = engine.recorded_requests(model)
    return {
        node: [request for request in requests if request.node == node]
        for node in ASKING_NODES
    }


def forging(model: ReferenceModel, kind: str) -> list[str]:
    """Texts about tools, and those that hold tokens of structure as they are."""
    structural = structural_tokens(model, PROMPTS[kind])
    return [
        text
        for text in CORPUS
        if text in TOOLS or structural & set(model.tokenize(text, special=True))
    ]


class Comparison:
    """The prompts of one node: those of texts against those of harmless words."""

    def __init__(
        self, model: ReferenceModel, kind: str, node: str, format: str
    ) -> None:
        self._model = model
        self._structural = structural_tokens(model, PROMPTS[kind])
        self._read = READ.get(kind, str)
        self._node, self._format = node, format
        self.forged: dict[str, list[str]] = {}
        self.damaged: dict[str, list[tuple[str, str]]] = {}  # shown, wanted

    def compare(
        self, text: str, harmless: RecordedRequest, hostile: RecordedRequest
    ) -> None:
        expected, around = parts(harmless.prompt_tokens, self._structural)
        found, between = parts(hostile.prompt_tokens, self._structural)
        if found != expected:
            self.forged[text] = [self._model.token_text(token) for token in found]
            return
        wanted = [
            self._read(
                in_place(self._model.text(tokens), text, self._node, self._format)
            )
            for tokens in around
        ]
        shown = [self._read(self._model.text(tokens)) for tokens in between]
        if shown != wanted:
            self.damaged[text] = [
                (one, other)
                for one, other in zip(shown, wanted, strict=True)
                if one != other
            ]


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("kind", PROMPTS)
def test_no_way_into_a_prompt_makes_structure(
    engine: Engine, load: Load, reference: Reference, kind: str, format: str
) -> None:
    model = load(kind, chat_template=PROMPTS[kind])
    harmless = Texts(HARMLESS, HARMLESS_IN_JSON, HARMLESS_PIN, 0)
    corpus = CORPUS if format == FORMATS[0] else forging(reference(kind), kind)
    hostile = [Texts(text, text, text, i) for i, text in enumerate(corpus, 1)]
    load_knowledge(engine, [harmless, *hostile])
    letters = kind != WITHOUT_LETTERS
    for placement in PLACEMENTS:
        speak_of(engine, model, harmless, format, placement, letters=letters)
    for texts in hostile:
        placement = PLACEMENTS[texts.number % len(PLACEMENTS)]
        speak_of(engine, model, texts, format, placement, letters=letters)

    requests_of = by_node(engine, model)
    if not letters:
        assert requests_of.pop("which") == []
    for node, requests in requests_of.items():
        assert len(requests) == len(PLACEMENTS) + len(corpus), node
        comparison = Comparison(reference(kind), kind, node, format)
        for texts, request in zip(hostile, requests[len(PLACEMENTS) :], strict=True):
            baseline = requests[texts.number % len(PLACEMENTS)]
            comparison.compare(texts.plain, baseline, request)
        assert not comparison.forged, node
        assert not comparison.damaged, node
