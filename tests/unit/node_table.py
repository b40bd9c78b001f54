"""What each node type was promised to have, written by hand."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Param:
    """A param: its default, whether it is (S)tructural or (L)ocalizable, its range.

    `valid` is what the agents of these tests have, `other` another valid value.
    """

    default: Any
    flags: str = ""
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    valid: Any = None
    other: Any = None

    @property
    def structural(self) -> bool:
        return "S" in self.flags


@dataclass(frozen=True)
class NodeType:
    number: int
    exits: tuple[str, ...]
    params: dict[str, Param] = field(default_factory=dict)


UNSET_SAMPLING = dict.fromkeys(
    (
        "temperature", "top_p", "top_k", "min_p", "max_tokens", "seed",
        "repeat_penalty", "repeat_last_n", "presence_penalty", "frequency_penalty",
        "dry_multiplier", "dry_base", "dry_allowed_length", "dry_penalty_last_n",
        "stop",
    )
)  # fmt: skip
UNSET_CONTEXT = dict.fromkeys(
    ("kv_type", "n_gpu_layers", "n_batch", "n_ubatch", "n_threads", "flash_attention")
)
MODEL = {
    "model_name": Param("", "S", other="mock-2"),
    "context_size": Param(0, "S", 0, valid=4096, other=2048),
    "sampling": Param(UNSET_SAMPLING, other={"temperature": 0.5}),
    "context": Param(UNSET_CONTEXT, "S", other={"n_threads": 1}),
    "adaptation": Param({"loras": []}, "S", other={"loras": [{"path": "x.gguf"}]}),
}
PLACEMENTS = (
    "in_place_of_user", "before_user_as_user", "before_user_as_system",
    "after_user_as_user", "after_user_as_system",
)  # fmt: skip
HISTORY = {
    "format": None,
    "max_budget": 8192,
    "best_fit": True,
    "min_dialogue": 5,
    "max_dialogue": 250,
    "dialogue_ratio": 50,
    "summary_detail_ratio": 50,
    "enforce_summary_boundary": False,
    "time_labels": True,
}
STORY = {
    "prompt_caching": Param("auto", choices=("auto", "on", "off"), other="on"),
    "history": Param(HISTORY, other=HISTORY | {"max_budget": 0}),
}
TALK = (
    MODEL
    | STORY
    | {
        "system_prompt": Param("", "L", other="Be kind."),
        "template": Param("", "L", other="({{user_message}})"),
        "placement": Param(
            "before_user_as_system", choices=PLACEMENTS, other="after_user_as_user"
        ),
        "stream": Param(False, other=True),
    }
)
SPEECH = {
    "tts_voice": Param("", "S", other="en"),
    "speaker_id": Param(0, "", 0, other=2),
    "speed": Param(1.0, "", 0.1, 3, other=1.5),
    "min_sentence_chars": Param(12, "", 1, other=1),
}
SLOT = Param("", "S", other="mood")
NOTIFY = Param(False, other=True)
KNOWLEDGE = Param("", "S", valid="lore", other="lore-2")
FILTER = Param(
    "", other='{"op": "eq", "args": [{"knowledge": "kind"}, {"value": "x"}]}'
)
LINES = Param([], "S", valid=["x"], other=["x", "y"])
STORAGE = Param("", "S", other="lines")

CATALOGUE = {
    "Generate": NodeType(1, ("default",), TALK | {"output_slot": SLOT}),
    "GenerateAndSpeak": NodeType(2, ("default",), TALK | SPEECH),
    "Speak": NodeType(3, ("default",), SPEECH),
    "ToolCall": NodeType(4, ("tool_called", "no_tool_called"), MODEL | STORY | {
        "system_prompt": Param("", "L", other="Be kind."),
        "tools": Param([], "S", valid=[{"name": "leave"}], other=[{"name": "stay"}]),
        "tool_call_format": Param(
            "auto", "S", choices=("auto", "chatml", "llama3", "mistral", "generic"),
            other="chatml",
        ),
        "tool_choice": Param(
            "auto", choices=("auto", "required"), other="required"
        ),
        "grammar": Param(True, other=False),
        "generate_on_no_tool": Param(False, other=True),
        "notify_client": NOTIFY,
        "output_slot": SLOT,
    }),
    "Instruction": NodeType(5, ("default",), {
        "instruction_name": Param("", other="tone"),
        "instruction": Param("", "L", other="Be kind."),
    }),
    "Retrieve": NodeType(6, ("found", "not_found"), {
        "embedded_string_storage": KNOWLEDGE,
        "top_k": Param(2, "", 1, 1000, other=3),
        "threshold": Param(0.5, "", 0, 1, other=0.25),
        "source": Param("", other="inn"),
        "filter": FILTER,
    }),
    "ClassifyIntent": NodeType(7, ("found", "not_found"), {
        "embedded_string_storage": KNOWLEDGE,
        "metadata_field": Param("", valid="kind", other="mood"),
        "threshold": Param(0.25, "", 0, 1, other=0.5),
        "filter": FILTER,
        "notify_client": NOTIFY,
        "diagnostic_topk": Param(5, "", 1, 64, other=6),
    }),
    "ClassifyIntentLLM": NodeType(8, ("found", "not_found"), MODEL | {
        "intents": Param([], "S", valid=[{"id": "room"}, {"id": "ale"}],
                         other=[{"id": "room"}, {"id": "bed"}]),
        "system_prompt": Param("", "L", other="Sort it."),
        "history_turns": Param(2, "", 0, 64, other=3),
        "threshold": Param(0.5, "", 0, 1, other=0.25),
        "margin": Param(0.15, "", 0, 1, other=0.25),
        "not_found_intent": Param("", other="chat"),
        "notify_client": NOTIFY,
    }),
    "IntentToInstruction": NodeType(9, ("default",), {
        "string_storage": STORAGE,
        "inline_keys": Param([], "S", valid=["room"], other=["ale"]),
        "inline_values": Param([], "S", valid=["Offer one."], other=["Pour one."]),
        "instruction_name": Param("", other="tone"),
    }),
    "CannedResponse": NodeType(10, ("default",), {
        "string_storage": STORAGE,
        "inline_strings": LINES,
        "selection_strategy": Param(
            "shuffle", choices=("random", "sequential", "shuffle"), other="random"
        ),
        "output_slot": SLOT,
    }),
    "HumanMessageGuardrail": NodeType(11, ("triggered", "not_triggered"), {
        "string_storage": STORAGE,
        "inline_strings": LINES,
    }),
    "Summarize": NodeType(16, ("default",), MODEL | {
        "system_prompt": Param("", "L", other="Be short."),
        "template": Param("", "L", other="{{#turns}}{{user}}{{/turns}}"),
        "trigger_tokens": Param(1024, "", 0, other=512),
        "trigger_turns": Param(0, "", 0, other=4),
        "keep_recent_turns": Param(3, "", 0, 512, other=2),
        "max_summary_tokens": Param(256, "", 16, other=128),
        "oversized_turn": Param("keep", choices=("keep", "abridge"), other="abridge"),
        "notify_client": NOTIFY,
        "run_inline": Param(True, other=False),
    }),
    "Archive": NodeType(17, ("default",), MODEL | {
        "enabled": Param(True, other=False),
        "token_threshold": Param(1536, "", 1, other=512),
        "method": Param(
            "balanced", choices=("short", "balanced", "long", "facts"), other="facts"
        ),
        "preceding_summaries": Param(6, "", 0, other=0),
        "custom_instructions": Param("", "L", other="Mind the weather."),
    }),
    "LayeredHistory": NodeType(18, ("default",), MODEL | {
        "enabled": Param(True, other=False),
        "token_threshold": Param(1536, "", 1, other=512),
        "max_layers": Param(3, "", 1, other=1),
        "max_process_tokens": Param(768, "", 1, other=512),
        "chunk_chars": Param(1280, "", 1, other=512),
        "analyze": Param(True, other=False),
        "max_response_tokens": Param(2048, "", 1, other=256),
    }),
}  # fmt: skip
MEMORY_TYPES = ("Archive", "LayeredHistory")  # they work in a scene, not in an agent
SAMPLING_RANGES: dict[str, tuple[float, float | None]] = {
    "temperature": (0, 5), "top_p": (0, 1), "top_k": (0, None), "min_p": (0, 1),
    "max_tokens": (1, None), "seed": (0, 2**32 - 1), "repeat_penalty": (0.1, 10),
    "repeat_last_n": (0, None), "presence_penalty": (-2, 2),
    "frequency_penalty": (-2, 2), "dry_multiplier": (0, None), "dry_base": (1, None),
    "dry_allowed_length": (0, None), "dry_penalty_last_n": (0, None),
}  # fmt: skip


def params_of(node_type: str) -> dict[str, Param]:
    """The params of the table, and one for each exit."""
    row = CATALOGUE[node_type]
    exit = Param("", "S", valid="end", other="")
    return row.params | {f"{name}_exit": exit for name in row.exits}
