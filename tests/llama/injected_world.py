"""A character into whose prompts one text comes by every way there is."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from talefold import (
    CannedResponseParams,
    ClassifyIntentLLMParams,
    Engine,
    GenerateParams,
    GraphDescription,
    InstructionParams,
    IntentDescription,
    Placement,
    RetrieveParams,
    SamplingOverrides,
    SummarizeParams,
    ToolCallParams,
    ToolDescription,
    ToolParameter,
)

from .talk import ONE_THREAD

CONTEXT_SIZE = 1 << 15  # the texts at their longest, byte by byte

# Asked in this order, once each in a turn.
ASKING_NODES = ("act", "which", "talk", "fold")

TEMPLATE = """Told: {{user_message}}
{{#instructions}}{{name}}: {{text}}
{{/instructions}}{{#knowledge}}{{#chunks}}{{id}}: {{text}}
{{/chunks}}{{/knowledge}}Line: {{slot_line}}
"""
KNOWLEDGE = {
    "version": 1,
    "fields": [{"name": "number", "type": "int", "default": 0, "filterable": True}],
}


@dataclass(frozen=True)
class Texts:
    """What is told of one thing: as it is, inside JSON, and in a pin."""

    plain: str
    in_json: str
    pinned: str
    number: int  # of its record in the knowledge base


def load_knowledge(engine: Engine, texts: Sequence[Texts]) -> None:
    """A record for each text, under the name "lore"."""
    records = [
        {
            "id": each.plain,
            "text": f"The dragon said {each.plain} there.",
            "metadata": {"number": each.number},
        }
        for each in texts
    ]
    engine.load_knowledge("lore", config=KNOWLEDGE, records=records)


def graph_around(
    texts: Texts, tool_call_format: str, placement: Placement, *, letters: bool
) -> GraphDescription:
    text, in_json = texts.plain, texts.in_json
    after_act = "which" if letters else "said"
    one_token = SamplingOverrides(temperature=0, max_tokens=1)
    model = {"context": ONE_THREAD, "context_size": CONTEXT_SIZE}
    tool = ToolDescription(
        name="open",
        description=f"Opens {in_json}.",
        parameters=[
            ToolParameter(name="door", description=in_json, enum=[in_json, "cellar"])
        ],
    )
    this_one = {"op": "eq", "args": [{"knowledge": "number"}, {"value": texts.number}]}
    graph = (
        GraphDescription()
        .add_node(
            "line",
            CannedResponseParams(
                inline_strings=[f"Line {text}."],
                output_slot="line",
                default_exit="mood",
            ),
        )
        .add_node(
            "mood", InstructionParams(instruction=f"Say {text}.", default_exit="find")
        )
        .add_node(
            "find",
            RetrieveParams(
                embedded_string_storage="lore",
                threshold=0,
                filter=json.dumps(this_one),
                found_exit="act",
            ),
        )
        .add_node(
            "act",
            ToolCallParams(
                **model,
                system_prompt=f"Edric says {text} often.",
                tools=[tool],
                tool_call_format=tool_call_format,
                grammar=False,
                sampling=one_token,
                tool_called_exit=after_act,
                no_tool_called_exit=after_act,
            ),
        )
        .add_node(
            "said",
            CannedResponseParams(inline_strings=[f"Hm, {text}."], default_exit="talk"),
        )
        .add_node(
            "talk",
            GenerateParams(
                **model,
                system_prompt=f"Edric says {text} often.",
                template=TEMPLATE,
                placement=placement,
                output_slot="thought",  # noise, which no other prompt is to show
                sampling=one_token,
                default_exit="fold",
            ),
        )
        .add_node(
            "fold",
            SummarizeParams(
                **model,
                trigger_turns=1,
                keep_recent_turns=0,
                sampling=one_token,
            ),
        )
        .set_start_node("line")
    )
    if letters:
        graph.add_node(
            "which",
            ClassifyIntentLLMParams(
                **model,
                intents=[
                    IntentDescription(id="buy", description=f"Wants {in_json}."),
                    IntentDescription(id="leave", description="Goes."),
                ],
                found_exit="said",
                not_found_exit="said",
            ),
        )
    return graph


def snapshot_around(texts: Texts, tool_call_format: str) -> str:
    """A past with a summary, a turn with tool calls and their results, and a pin."""
    text, in_json = texts.plain, texts.in_json
    summary = {"text": f"They spoke of {text}.", "node": "fold", "covered_through": 0}
    call = {
        "node": "act",
        "tool_name": "open",
        "arguments": json.dumps({"door": in_json}),
        "format": tool_call_format,
        "result": json.dumps({"seen": [in_json], in_json: 1}),
    }
    met = {"id": 1, "user": "Hi", "assistant": "Aye.", "status": "complete"}
    acted = {"id": 2, "user": f"So {text}?", "assistant": text, "status": "complete"}
    return json.dumps(
        {
            "format": "talefold-snapshot",
            "version": 1,
            "required_components": ["summary", "tool_calls", "pins"],
            "dialog": [
                {**met, "summary": summary},
                {**acted, "tool_calls": [{**call, "id": "a"}, {**call, "id": "b"}]},
            ],
            "pins": [{"key": "fact", "text": f"The cellar is {texts.pinned}."}],
        }
    )


def speak_of(
    engine: Engine,
    model: str,
    texts: Texts,
    tool_call_format: str,
    placement: Placement,
    *,
    letters: bool,
) -> None:
    """Has the model asked by each of `ASKING_NODES`, the text in all of its prompts.

    `letters`: the vocabulary has them, without which "which" cannot ask.
    """
    with engine.create_agent(
        graph_around(texts, tool_call_format, placement, letters=letters),
        default_model_name=model,
        snapshot=snapshot_around(texts, tool_call_format),
    ) as agent:
        agent.send(f"The dragon, {texts.plain}?")
