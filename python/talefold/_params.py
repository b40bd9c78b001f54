"""Params of nodes, and the structs they contain.

Generated from the core's descriptor tables by `python -m talefold._generate`; do not
edit. A field that is None is unset. Values are checked when a graph is validated, when
an agent is created from it, and by `Agent.change_params`. "Fixed" fields cannot change
once the agent exists; "localizable" ones are part of
`GraphDescription.localizable_strings`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

__all__ = [
    "PARAMS_OF_TYPE",
    "ArchiveParams",
    "CannedResponseParams",
    "ClassifyIntentLLMParams",
    "ClassifyIntentParams",
    "ContextOverrides",
    "GenerateAndSpeakParams",
    "GenerateParams",
    "HistoryParams",
    "HumanMessageGuardrailParams",
    "InstructionParams",
    "IntentDescription",
    "IntentToInstructionParams",
    "KvType",
    "LayeredHistoryParams",
    "LoraAdapter",
    "ModelAdaptation",
    "NodeParams",
    "OversizedTurn",
    "Placement",
    "PromptCaching",
    "RetrieveParams",
    "SamplingOverrides",
    "SceneFormat",
    "SelectionStrategy",
    "SpeakParams",
    "SummarizeParams",
    "SummaryMethod",
    "ToolCallFormat",
    "ToolCallParams",
    "ToolChoice",
    "ToolDescription",
    "ToolParameter",
    "ToolParameterType",
]

# Where a rendered template goes, relative to the player's message.
#   in_place_of_user: Replaces the player's message; the template must use user_message.
#   before_user_as_user: A user message before the player's.
#   before_user_as_system: A system message before the player's.
#   after_user_as_user: A user message after the player's.
#   after_user_as_system: A system message after the player's.
Placement: TypeAlias = Literal[
    "in_place_of_user",
    "before_user_as_user",
    "before_user_as_system",
    "after_user_as_user",
    "after_user_as_system",
]

# Whether the prompts of a scene are laid out so that they begin alike.
#   auto: As the model needs it: on with llama.cpp, off with a scripted one.
#   on: The story first, then the character and whatever changes often. What is shown of
#     the story stays the same until the budget is full.
#   off: The character first, then the story, chosen anew for each reply.
PromptCaching: TypeAlias = Literal[
    "auto",
    "on",
    "off",
]

# How a model is told of tools, and how it calls them.
#   auto: By the markers in the model's chat template; generic when there are none.
#   chatml: A JSON object inside <tool_call></tool_call>, as Qwen and Hermes.
#   llama3: A JSON object of name and parameters, as Llama 3.
#   mistral: A JSON array after [TOOL_CALLS], as Mistral.
#   generic: A JSON object of tool and arguments, for models that were trained on none.
ToolCallFormat: TypeAlias = Literal[
    "auto",
    "chatml",
    "llama3",
    "mistral",
    "generic",
]

# Who decides whether a tool is called.
#   auto: The model: it calls tools, or answers with prose.
#   required: The graph: the grammar has no way but calls, so that a model of any size
#     calls. In a turn without a text of the player, such as that which a result starts,
#     the same as auto.
ToolChoice: TypeAlias = Literal[
    "auto",
    "required",
]

# Which line comes next.
#   random: Each as likely as any other, every time.
#   sequential: First to last, then again.
#   shuffle: At random, every line once before any comes again.
SelectionStrategy: TypeAlias = Literal[
    "random",
    "sequential",
    "shuffle",
]

# What happens to one interaction that alone exceeds the summarizer's context.
#   keep: Nothing is folded; the reason input_too_large is reported.
#   abridge: Its beginning and end are folded, and the summary is marked abridged.
OversizedTurn: TypeAlias = Literal[
    "keep",
    "abridge",
]

# Length and shape of the summaries of a scene.
#   short: Key points in 2 to 3 sentences.
#   balanced: A narrative of 1 to 2 paragraphs.
#   long: A detailed narrative of 1 to 3 paragraphs.
#   facts: A numbered list of events in their order, of any length.
SummaryMethod: TypeAlias = Literal[
    "short",
    "balanced",
    "long",
    "facts",
]

# Number format of a KV cache.
#   f16: 16-bit floats, the exact form.
#   q8_0: 8 bits a value, about half the memory of f16.
#   q4_0: 4 bits a value, about a quarter of the memory of f16, less exact.
KvType: TypeAlias = Literal[
    "f16",
    "q8_0",
    "q4_0",
]

# Type of an argument of a tool.
#   string: A text.
#   integer: A whole number.
#   number: Any number.
#   boolean: true or false.
ToolParameterType: TypeAlias = Literal[
    "string",
    "integer",
    "number",
    "boolean",
]

# How a model sees the messages of a scene.
#   screenplay: The name in capitals, the text below it, and a mark where it ends.
#   chat: The name, a colon and the text.
#   narrative: The text alone.
#   ai_aware: As screenplay, and the characters know that they are AI personas.
SceneFormat: TypeAlias = Literal[
    "screenplay",
    "chat",
    "narrative",
    "ai_aware",
]


@dataclass(kw_only=True)
class SamplingOverrides:
    """How the next token is chosen.

    Every field may be left unset and is then the model's own.

    Attributes:
        temperature: Randomness of the choice of tokens; 0 = always the likeliest token.
            Allowed: 0 to 5.
        top_p: Draw from the likeliest tokens that together have this probability; 1 =
            off. Allowed: 0 to 1.
        top_k: Draw from this many of the likeliest tokens; 0 = off. Allowed: at least
            0.
        min_p: Drop tokens less likely than this share of the likeliest token's
            probability; 0 = off. Allowed: 0 to 1.
        max_tokens: Longest output, in tokens; that much of context_size is kept free
            for it. Allowed: at least 1.
        seed: Seed of the random draws; 0 = a new one each turn. Allowed: 0 to
            4294967295.
        repeat_penalty: Divides the score of tokens generated lately; 1 = off. Allowed:
            0.1 to 10.
        repeat_last_n: How many of the latest generated tokens the repeat, presence and
            frequency penalties look at; 0 = none. Allowed: at least 0.
        presence_penalty: Subtracted once from the score of each token generated lately;
            0 = off. Allowed: -2 to 2.
        frequency_penalty: Subtracted from a token's score for each time it was
            generated lately; 0 = off. Allowed: -2 to 2.
        dry_multiplier: Strength of the DRY penalty on repeated sequences of tokens; 0 =
            off. Allowed: at least 0.
        dry_base: How steeply the DRY penalty grows with each further repeated token.
            Allowed: at least 1.
        dry_allowed_length: Repeated sequences up to this many tokens are not penalized
            by DRY. Allowed: at least 0.
        dry_penalty_last_n: How many of the latest generated tokens DRY searches for
            repetitions; 0 = none. Allowed: at least 0.
        stop: Texts that end the output when the model writes one; the text itself is
            left out. Allowed: not empty.
    """

    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    min_p: float | None = None
    max_tokens: int | None = None
    seed: int | None = None
    repeat_penalty: float | None = None
    repeat_last_n: int | None = None
    presence_penalty: float | None = None
    frequency_penalty: float | None = None
    dry_multiplier: float | None = None
    dry_base: float | None = None
    dry_allowed_length: int | None = None
    dry_penalty_last_n: int | None = None
    stop: list[str] | None = None


@dataclass(kw_only=True)
class ContextOverrides:
    """Memory and batching of a node's model context.

    Every field may be left unset and is then inherited from the model.

    Attributes:
        kv_type: Number format of the KV cache; the quantized ones need flash attention.
            Fixed.
        n_gpu_layers: Layers of the model kept on the GPU; 0 = none, -1 = all. Allowed:
            at least -1. Fixed.
        n_batch: Most tokens handed to the model in one call. Allowed: at least 1.
            Fixed.
        n_ubatch: Most tokens computed at the same time, at most n_batch. Allowed: at
            least 1. Fixed.
        n_threads: CPU threads that compute for this node. Allowed: at least 1. Fixed.
        flash_attention: Use the attention kernel that needs less memory. Fixed.
    """

    kv_type: KvType | None = None
    n_gpu_layers: int | None = None
    n_batch: int | None = None
    n_ubatch: int | None = None
    n_threads: int | None = None
    flash_attention: bool | None = None


@dataclass(kw_only=True)
class LoraAdapter:
    """One LoRA adapter and how strongly it is applied.

    Attributes:
        path: File of the adapter. Allowed: not empty. Fixed.
        scale: Strength of the adapter; 1 = as trained, 0 = without effect. Fixed.
    """

    path: str
    scale: float = 1.0


@dataclass(kw_only=True)
class ModelAdaptation:
    """What is applied on top of a model's weights.

    Attributes:
        loras: LoRA adapters, all applied together; empty = the base model. Fixed.
    """

    loras: list[LoraAdapter] = field(default_factory=list)


@dataclass(kw_only=True)
class ToolParameter:
    """One argument of a tool.

    Attributes:
        name: 1 to 64 letters a-z and A-Z, digits, '_' or '-'; unique in its tool.
            Allowed: not empty. Fixed.
        type: Type of its values. Fixed.
        description: What the model is told of it. Fixed.
        required: A call without it is refused. Fixed.
        enum: The only values allowed, at most 256; a value that is no string as JSON
            writes it. Empty = every value of the type. Fixed.
    """

    name: str
    type: ToolParameterType = "string"
    description: str = ""
    required: bool = False
    enum: list[str] = field(default_factory=list)


@dataclass(kw_only=True)
class ToolDescription:
    """A tool that a character may call.

    Attributes:
        name: 1 to 64 letters a-z and A-Z, digits, '_' or '-'; unique among the tools.
            Allowed: not empty. Fixed.
        description: What the model is told of it: what it does, and when to call it.
            Fixed.
        parameters: Its arguments, at most 64. Fixed.
    """

    name: str
    description: str = ""
    parameters: list[ToolParameter] = field(default_factory=list)


@dataclass(kw_only=True)
class IntentDescription:
    """Something a player may want.

    Attributes:
        id: What later nodes and the host know it by. Allowed: not empty. Fixed.
        description: What the model is told of it, beside the id. Empty = the id alone.
            Fixed.
    """

    id: str
    description: str = ""


@dataclass(kw_only=True)
class HistoryParams:
    """How much of a scene's story a node shows its model.

    Attributes:
        format: How the messages are laid out; unset = as the scene says.
        max_budget: Most tokens that the story may have; 0 = what the context has room
            for. Allowed: 0 to 262144.
        best_fit: Cover the whole story inside the budget, the older the shorter. Off:
            fixed shares, by dialogue_ratio and summary_detail_ratio.
        min_dialogue: So many of the newest messages are shown even beyond the budget; 0
            = none. Allowed: 0 to 15.
        max_dialogue: Most messages that are shown word for word; not less than
            min_dialogue. Allowed: 10 to 500.
        dialogue_ratio: Percentage of the budget for messages; best_fit does without it.
            Allowed: 10 to 90.
        summary_detail_ratio: Percentage of what is left for each layer of summaries,
            the most detailed first; best_fit does without it. Allowed: 10 to 90.
        enforce_summary_boundary: Do not show messages that were summarized, but for the
            newest five lines; best_fit does without it.
        time_labels: Say before each summary how long ago it was.
    """

    format: SceneFormat | None = None
    max_budget: int = 8192
    best_fit: bool = True
    min_dialogue: int = 5
    max_dialogue: int = 250
    dialogue_ratio: int = 50
    summary_detail_ratio: int = 50
    enforce_summary_boundary: bool = False
    time_labels: bool = True


@dataclass(kw_only=True)
class GenerateParams:
    """Params of a Generate node.

    Writes the character's reply to the player.

    Attributes:
        model_name: Model that this node asks. Empty = the agent's default model. Fixed.
        context_size: Context window of this node, in tokens, at most what the model was
            trained for. 0 = 4096, or the model's trained size if that is smaller.
            Allowed: at least 0. Fixed.
        system_prompt: Who the character is and how it talks. Empty = no system prompt.
            Localizable.
        template: Mustache template for text added to the current turn: user_message,
            and the instructions, knowledge and slots that earlier nodes of the turn
            left. Empty = nothing is added. Localizable.
        placement: Where the rendered template goes, relative to the player's message.
        stream: Send the reply piece by piece while it is written, then once more
            complete.
        output_slot: Name of a slot that takes the text in place of the reply: the
            player does not see it, and later nodes of the turn show it as slot_<name>.
            Empty = the text is the reply. Fixed.
        prompt_caching: Whether the prompts of a scene put the story before the
            character, so that all characters who know the same share its place in the
            KV cache.
        history: How much of a scene's story the prompts show.
        sampling: Sampling settings of this node; each one left unset is the model's
            own.
        context: Memory and batching of this node's model context; unset = inherited.
            Fixed.
        adaptation: LoRA adapters this node runs the model with; none = the base model.
            Fixed.
        default_exit: Node that runs after the reply. Empty = the turn ends. Fixed.
    """

    model_name: str = ""
    context_size: int = 0
    system_prompt: str = ""
    template: str = ""
    placement: Placement = "before_user_as_system"
    stream: bool = False
    output_slot: str = ""
    prompt_caching: PromptCaching = "auto"
    history: HistoryParams = field(default_factory=HistoryParams)
    sampling: SamplingOverrides = field(default_factory=SamplingOverrides)
    context: ContextOverrides = field(default_factory=ContextOverrides)
    adaptation: ModelAdaptation = field(default_factory=ModelAdaptation)
    default_exit: str = ""


@dataclass(kw_only=True)
class GenerateAndSpeakParams:
    """Params of a GenerateAndSpeak node.

    Writes the character's reply, and voices it while it is written.

    Attributes:
        model_name: Model that this node asks. Empty = the agent's default model. Fixed.
        context_size: Context window of this node, in tokens, at most what the model was
            trained for. 0 = 4096, or the model's trained size if that is smaller.
            Allowed: at least 0. Fixed.
        system_prompt: Who the character is and how it talks. Empty = no system prompt.
            Localizable.
        template: Mustache template for text added to the current turn: user_message,
            and the instructions, knowledge and slots that earlier nodes of the turn
            left. Empty = nothing is added. Localizable.
        placement: Where the rendered template goes, relative to the player's message.
        stream: Send the reply piece by piece while it is written, then once more
            complete.
        tts_voice: Voice of the engine's speech backend, which says what there is. Empty
            = its default. Fixed.
        speaker_id: Speaker, of a voice that has several. Allowed: at least 0.
        speed: How fast to speak; 2 = twice as fast. Allowed: 0.1 to 3.
        min_sentence_chars: A sentence with fewer characters (Unicode code points) is
            spoken together with the next. Allowed: at least 1.
        prompt_caching: Whether the prompts of a scene put the story before the
            character, so that all characters who know the same share its place in the
            KV cache.
        history: How much of a scene's story the prompts show.
        sampling: Sampling settings of this node; each one left unset is the model's
            own.
        context: Memory and batching of this node's model context; unset = inherited.
            Fixed.
        adaptation: LoRA adapters this node runs the model with; none = the base model.
            Fixed.
        default_exit: Node that runs when the reply has been spoken. Empty = the turn
            ends. Fixed.
    """

    model_name: str = ""
    context_size: int = 0
    system_prompt: str = ""
    template: str = ""
    placement: Placement = "before_user_as_system"
    stream: bool = False
    tts_voice: str = ""
    speaker_id: int = 0
    speed: float = 1.0
    min_sentence_chars: int = 12
    prompt_caching: PromptCaching = "auto"
    history: HistoryParams = field(default_factory=HistoryParams)
    sampling: SamplingOverrides = field(default_factory=SamplingOverrides)
    context: ContextOverrides = field(default_factory=ContextOverrides)
    adaptation: ModelAdaptation = field(default_factory=ModelAdaptation)
    default_exit: str = ""


@dataclass(kw_only=True)
class SpeakParams:
    """Params of a Speak node.

    Voices what the character said last in this turn.

    Attributes:
        tts_voice: Voice of the engine's speech backend, which says what there is. Empty
            = its default. Fixed.
        speaker_id: Speaker, of a voice that has several. Allowed: at least 0.
        speed: How fast to speak; 2 = twice as fast. Allowed: 0.1 to 3.
        min_sentence_chars: A sentence with fewer characters (Unicode code points) is
            spoken together with the next. Allowed: at least 1.
        default_exit: Node that runs next. Empty = the turn ends. Fixed.
    """

    tts_voice: str = ""
    speaker_id: int = 0
    speed: float = 1.0
    min_sentence_chars: int = 12
    default_exit: str = ""


@dataclass(kw_only=True)
class ToolCallParams:
    """Params of a ToolCall node.

    Lets the character call tools of the game.

    Attributes:
        model_name: Model that this node asks. Empty = the agent's default model. Fixed.
        context_size: Context window of this node, in tokens, at most what the model was
            trained for. 0 = 4096, or the model's trained size if that is smaller.
            Allowed: at least 0. Fixed.
        system_prompt: Who the character is, and when it should use its tools; the tools
            themselves are described after it. Empty = the tools alone. Localizable.
        tools: What the character can call, 1 to 64 tools. Fixed.
        tool_call_format: How the model is told of tools, and how it calls them. Fixed.
        tool_choice: Whether the model may answer with prose. required needs grammar.
        grammar: Leave the model no way to write a call but a valid one: of a tool there
            is, with arguments of the schema's names, types and values. With tool_choice
            auto it is free to answer with prose instead.
        generate_on_no_tool: What the model writes when it calls no tool is the
            character's reply. Off = it is dropped, for another node to reply.
        notify_client: Send an event for each call.
        output_slot: Name of a slot that takes the text in place of the reply: the
            player does not see it, and later nodes of the turn show it as slot_<name>.
            Empty = the text is the reply. Fixed.
        prompt_caching: Whether the prompts of a scene put the story before the
            character, so that all characters who know the same share its place in the
            KV cache.
        history: How much of a scene's story the prompts show.
        sampling: Sampling settings of this node; each one left unset is the model's
            own.
        context: Memory and batching of this node's model context; unset = inherited.
            Fixed.
        adaptation: LoRA adapters this node runs the model with; none = the base model.
            Fixed.
        tool_called_exit: Node that runs when a tool was called. Empty = the turn ends.
            Fixed.
        no_tool_called_exit: Node that runs when none was. Empty = the turn ends. Fixed.
    """

    model_name: str = ""
    context_size: int = 0
    system_prompt: str = ""
    tools: list[ToolDescription] = field(default_factory=list)
    tool_call_format: ToolCallFormat = "auto"
    tool_choice: ToolChoice = "auto"
    grammar: bool = True
    generate_on_no_tool: bool = False
    notify_client: bool = False
    output_slot: str = ""
    prompt_caching: PromptCaching = "auto"
    history: HistoryParams = field(default_factory=HistoryParams)
    sampling: SamplingOverrides = field(default_factory=SamplingOverrides)
    context: ContextOverrides = field(default_factory=ContextOverrides)
    adaptation: ModelAdaptation = field(default_factory=ModelAdaptation)
    tool_called_exit: str = ""
    no_tool_called_exit: str = ""


@dataclass(kw_only=True)
class InstructionParams:
    """Params of an Instruction node.

    Attaches an instruction that templates of later nodes can show.

    Attributes:
        instruction_name: Name under which templates find it: instruction_<name>. Empty
            = the node's name.
        instruction: The text, shown as it stands. Localizable.
        default_exit: Node that runs next. Empty = the turn ends. Fixed.
    """

    instruction_name: str = ""
    instruction: str = ""
    default_exit: str = ""


@dataclass(kw_only=True)
class RetrieveParams:
    """Params of a Retrieve node.

    Attaches the records of a knowledge base that are nearest to the player's text.

    Attributes:
        embedded_string_storage: The knowledge base: a name, or the path of a config
            file under the engine's storage root. Allowed: not empty. Fixed.
        top_k: Records that are attached at most. Allowed: 1 to 1000.
        threshold: Largest distance of a record from the text, 1 - cosine; of a search
            by keywords, the share of the text's words that it lacks. 0 = any. Allowed:
            0 to 1.
        source: Name under which templates find it: knowledge_<source>. Empty = the
            node's name.
        filter: Which records are looked at, by their metadata: JSON text, such as
            {"op": "eq", "args": [{"knowledge": "place"}, {"value": "inn"}]}. Empty =
            all.
        found_exit: Node that runs when records were found. Empty = the turn ends.
            Fixed.
        not_found_exit: Node that runs when there were none. Empty = the turn ends.
            Fixed.
    """

    embedded_string_storage: str
    top_k: int = 2
    threshold: float = 0.5
    source: str = ""
    filter: str = ""
    found_exit: str = ""
    not_found_exit: str = ""


@dataclass(kw_only=True)
class ClassifyIntentParams:
    """Params of a ClassifyIntent node.

    Finds what the player wants: the label of the nearest record of a knowledge base.

    Attributes:
        embedded_string_storage: The knowledge base of things players say: a name, or
            the path of a config file under the engine's storage root. Allowed: not
            empty. Fixed.
        metadata_field: Field of its records that holds the label. Allowed: not empty.
        threshold: Largest distance of the record from the text, 1 - cosine; of a search
            by keywords, the share of the text's words that it lacks. 0 = any. Allowed:
            0 to 1.
        filter: Which records are looked at, by their metadata: JSON text, as of a
            Retrieve node. Empty = all.
        notify_client: Send an event when an intention was found.
        diagnostic_topk: Records that the diagnostics list. Allowed: 1 to 64.
        found_exit: Node that runs when an intention was found. Empty = the turn ends.
            Fixed.
        not_found_exit: Node that runs when none was. Empty = the turn ends. Fixed.
    """

    embedded_string_storage: str
    metadata_field: str
    threshold: float = 0.25
    filter: str = ""
    notify_client: bool = False
    diagnostic_topk: int = 5
    found_exit: str = ""
    not_found_exit: str = ""


@dataclass(kw_only=True)
class ClassifyIntentLLMParams:
    """Params of a ClassifyIntentLLM node.

    Finds what the player wants: asks the model which of a list of intents fits, and
    compares the probabilities of the answers without generating one.

    Attributes:
        model_name: Model that this node asks. Empty = the agent's default model. Fixed.
        context_size: Context window of this node, in tokens, at most what the model was
            trained for. 0 = 4096, or the model's trained size if that is smaller.
            Allowed: at least 0. Fixed.
        system_prompt: How to classify; the list of intents follows it. Empty = the
            built-in instructions. Localizable.
        intents: What the player may want: 1 to 26, each with an id of its own. The
            model knows them by the letters A, B, C ... Fixed.
        history_turns: How many of the newest earlier interactions the model is shown;
            fewer where they do not fit. Allowed: 0 to 64.
        threshold: Least probability of the likeliest intent; those of all intents
            together are 1. Allowed: 0 to 1.
        margin: Least lead of the likeliest intent over the second. Allowed: 0 to 1.
        not_found_intent: Intention that is attached when none was found. Empty = none.
        notify_client: Send an event when an intention was found.
        sampling: Without effect: no text is generated, and probabilities are the
            model's own.
        context: Memory and batching of this node's model context; unset = inherited.
            Fixed.
        adaptation: LoRA adapters this node runs the model with; none = the base model.
            Fixed.
        found_exit: Node that runs when an intention was found. Empty = the turn ends.
            Fixed.
        not_found_exit: Node that runs when none was. Empty = the turn ends. Fixed.
    """

    model_name: str = ""
    context_size: int = 0
    system_prompt: str = ""
    intents: list[IntentDescription] = field(default_factory=list)
    history_turns: int = 2
    threshold: float = 0.5
    margin: float = 0.15
    not_found_intent: str = ""
    notify_client: bool = False
    sampling: SamplingOverrides = field(default_factory=SamplingOverrides)
    context: ContextOverrides = field(default_factory=ContextOverrides)
    adaptation: ModelAdaptation = field(default_factory=ModelAdaptation)
    found_exit: str = ""
    not_found_exit: str = ""


@dataclass(kw_only=True)
class IntentToInstructionParams:
    """Params of an IntentToInstruction node.

    Attaches the instruction that belongs to what the player wants.

    Attributes:
        string_storage: A Map of intentions to instructions: a name, or the path of a
            .json file under the engine's storage root. Empty = inline_keys and
            inline_values. Fixed.
        inline_keys: Intentions, in place of string_storage. Allowed: not empty. Fixed.
        inline_values: Their instructions, in the same order. Fixed.
        instruction_name: Name under which templates find it: instruction_<name>. Empty
            = the node's name.
        default_exit: Node that runs next. Empty = the turn ends. Fixed.
    """

    string_storage: str = ""
    inline_keys: list[str] = field(default_factory=list)
    inline_values: list[str] = field(default_factory=list)
    instruction_name: str = ""
    default_exit: str = ""


@dataclass(kw_only=True)
class CannedResponseParams:
    """Params of a CannedResponse node.

    Says one of several fixed lines; asks no model.

    Attributes:
        string_storage: A List of lines: a name, or the path of a .txt file under the
            engine's storage root. Empty = inline_strings. Fixed.
        inline_strings: Lines, in place of string_storage. Allowed: not empty. Fixed.
        selection_strategy: Which line comes next.
        output_slot: Name of a slot that takes the text in place of the reply: the
            player does not see it, and later nodes of the turn show it as slot_<name>.
            Empty = the text is the reply. Fixed.
        default_exit: Node that runs next. Empty = the turn ends. Fixed.
    """

    string_storage: str = ""
    inline_strings: list[str] = field(default_factory=list)
    selection_strategy: SelectionStrategy = "shuffle"
    output_slot: str = ""
    default_exit: str = ""


@dataclass(kw_only=True)
class HumanMessageGuardrailParams:
    """Params of a HumanMessageGuardrail node.

    Looks for forbidden patterns in the player's text.

    Attributes:
        string_storage: A List of patterns: a name, or the path of a .txt file under the
            engine's storage root. Empty = inline_strings. Fixed.
        inline_strings: Patterns, in place of string_storage: ECMAScript regular
            expressions, which are searched for without regard to case. Allowed: not
            empty. Fixed.
        triggered_exit: Node that runs when a pattern was found. Empty = the turn ends.
            Fixed.
        not_triggered_exit: Node that runs when none was. Empty = the turn ends. Fixed.
    """

    string_storage: str = ""
    inline_strings: list[str] = field(default_factory=list)
    triggered_exit: str = ""
    not_triggered_exit: str = ""


@dataclass(kw_only=True)
class SummarizeParams:
    """Params of a Summarize node.

    Folds the older turns of a long conversation into a rolling summary.

    Attributes:
        model_name: Model that writes the summary; a general instruction model does
            better than one tuned for roleplay. Empty = the agent's default model.
            Fixed.
        context_size: Context window of this node, in tokens, at most what the model was
            trained for. 0 = 2048, or the model's trained size if that is smaller.
            Allowed: at least 0. Fixed.
        system_prompt: How to summarize. Empty = the built-in instructions: third
            person, speakers by name, nothing invented. Localizable.
        template: Mustache template of the request; tags: previous_summary,
            max_summary_tokens, and the section turns with index, user and assistant.
            Empty = the built-in request. Localizable.
        trigger_tokens: Fold when the turns waiting outside the hot window have at least
            this many tokens; keep it well below what the reply node can show. 0 = off.
            Allowed: at least 0.
        trigger_turns: Fold when at least this many turns wait outside the hot window;
            checked before trigger_tokens. 0 = off. With both off the node does nothing.
            Allowed: at least 0.
        keep_recent_turns: The hot window: this many of the latest turns are never
            folded. Allowed: 0 to 512.
        max_summary_tokens: Longest summary, in tokens; at least 64 tokens of
            context_size must stay free beside it. Allowed: at least 16.
        oversized_turn: What to do with one turn that alone exceeds this node's context.
        notify_client: Send the game a `summarized` event after each fold.
        sampling: Sampling settings of this node; each one left unset is the model's
            own.
        run_inline: Fold inside the turn that triggered it, which lasts that much
            longer. Off: beside the next turns, which go first.
        context: Memory and batching of this node's model context; unset = inherited.
            Fixed.
        adaptation: LoRA adapters this node runs the model with; none = the base model.
            Fixed.
        default_exit: Node that runs next, folded or not. Empty = the turn ends. Fixed.
    """

    model_name: str = ""
    context_size: int = 0
    system_prompt: str = ""
    template: str = ""
    trigger_tokens: int = 1024
    trigger_turns: int = 0
    keep_recent_turns: int = 3
    max_summary_tokens: int = 256
    oversized_turn: OversizedTurn = "keep"
    notify_client: bool = False
    sampling: SamplingOverrides = field(default_factory=SamplingOverrides)
    run_inline: bool = True
    context: ContextOverrides = field(default_factory=ContextOverrides)
    adaptation: ModelAdaptation = field(default_factory=ModelAdaptation)
    default_exit: str = ""


@dataclass(kw_only=True)
class ArchiveParams:
    """Params of an Archive node.

    Summarizes the older messages of a scene, entry after entry.

    Attributes:
        model_name: Model that writes the summaries. Empty = the scene's default model.
            Fixed.
        context_size: Context window of this node, in tokens, at most what the model was
            trained for. 0 = 8192, or the model's trained size if that is smaller.
            Allowed: at least 0. Fixed.
        enabled: Off: no entries are written; those that are there are still used.
        token_threshold: An entry ends when its messages have more tokens than this; a
            time passage, or a character that comes or goes, ends it earlier. Allowed:
            at least 1.
        method: Length and shape of a summary; layers above are not affected.
        preceding_summaries: How many of the newest summaries are shown as earlier
            chapters. 0 helps with a model that copies them into the new one. Allowed:
            at least 0.
        custom_instructions: Added to the task: style, focus or form of the summaries.
            Localizable.
        sampling: Sampling settings of this node; each one left unset is the model's
            own.
        context: Memory and batching of this node's model context; unset = inherited.
            Fixed.
        adaptation: LoRA adapters this node runs the model with; none = the base model.
            Fixed.
        default_exit: Node of the memory graph that runs next. Empty = it ends. Fixed.
    """

    model_name: str = ""
    context_size: int = 0
    enabled: bool = True
    token_threshold: int = 1536
    method: SummaryMethod = "balanced"
    preceding_summaries: int = 6
    custom_instructions: str = ""
    sampling: SamplingOverrides = field(default_factory=SamplingOverrides)
    context: ContextOverrides = field(default_factory=ContextOverrides)
    adaptation: ModelAdaptation = field(default_factory=ModelAdaptation)
    default_exit: str = ""


@dataclass(kw_only=True)
class LayeredHistoryParams:
    """Params of a LayeredHistory node.

    Summarizes the summaries of a scene, layer upon layer.

    Attributes:
        model_name: Model that writes the summaries. Empty = the scene's default model.
            Fixed.
        context_size: Context window of this node, in tokens, at most what the model was
            trained for. 0 = 8192, or the model's trained size if that is smaller.
            Allowed: at least 0. Fixed.
        enabled: Off: layers are neither written nor used. Turned on late, the next run
            takes in the whole story.
        token_threshold: Tokens of one list that become one entry of the next layer.
            Allowed: at least 1.
        max_layers: Most layers above the base entries. Beyond 3 little is left to gain.
            Allowed: at least 1.
        max_process_tokens: A group is summarized in parts of about this many tokens,
            which are joined. Above token_threshold it has no effect; set it there for
            strong models. Allowed: at least 1.
        chunk_chars: A request shows its text in chunks of about this many characters,
            and asks for a summary of each. Allowed: at least 1.
        analyze: The model writes an analysis of each chunk first, which is thrown away.
            Better summaries, longer replies.
        max_response_tokens: Longest reply, in tokens: the summaries of all chunks of a
            request, with their analysis if there is one. Allowed: at least 1.
        sampling: Sampling settings of this node; each one left unset is the model's
            own.
        context: Memory and batching of this node's model context; unset = inherited.
            Fixed.
        adaptation: LoRA adapters this node runs the model with; none = the base model.
            Fixed.
        default_exit: Node of the memory graph that runs next. Empty = it ends. Fixed.
    """

    model_name: str = ""
    context_size: int = 0
    enabled: bool = True
    token_threshold: int = 1536
    max_layers: int = 3
    max_process_tokens: int = 768
    chunk_chars: int = 1280
    analyze: bool = True
    max_response_tokens: int = 2048
    sampling: SamplingOverrides = field(default_factory=SamplingOverrides)
    context: ContextOverrides = field(default_factory=ContextOverrides)
    adaptation: ModelAdaptation = field(default_factory=ModelAdaptation)
    default_exit: str = ""


NodeParams: TypeAlias = (
    GenerateParams
    | GenerateAndSpeakParams
    | SpeakParams
    | ToolCallParams
    | InstructionParams
    | RetrieveParams
    | ClassifyIntentParams
    | ClassifyIntentLLMParams
    | IntentToInstructionParams
    | CannedResponseParams
    | HumanMessageGuardrailParams
    | SummarizeParams
    | ArchiveParams
    | LayeredHistoryParams
)

# By the name of the node type.
PARAMS_OF_TYPE: dict[str, type[NodeParams]] = {
    "Generate": GenerateParams,
    "GenerateAndSpeak": GenerateAndSpeakParams,
    "Speak": SpeakParams,
    "ToolCall": ToolCallParams,
    "Instruction": InstructionParams,
    "Retrieve": RetrieveParams,
    "ClassifyIntent": ClassifyIntentParams,
    "ClassifyIntentLLM": ClassifyIntentLLMParams,
    "IntentToInstruction": IntentToInstructionParams,
    "CannedResponse": CannedResponseParams,
    "HumanMessageGuardrail": HumanMessageGuardrailParams,
    "Summarize": SummarizeParams,
    "Archive": ArchiveParams,
    "LayeredHistory": LayeredHistoryParams,
}
