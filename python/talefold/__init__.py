"""Conversations of game characters that go on for hours without forgetting."""

from __future__ import annotations

from talefold import _llama  # noqa: F401 - first: loads what _core needs
from talefold._core import __version__
from talefold.agent import Agent
from talefold.catalogue import Catalogue, CatalogueEntry
from talefold.dialog import (
    HistoryState,
    Instruction,
    Interaction,
    InteractionStatus,
    Knowledge,
    KnowledgeChunk,
    Summary,
    ToolCall,
)
from talefold.engine import Engine
from talefold.errors import ErrorCode, TalefoldError
from talefold.espeak import EspeakBackend
from talefold.events import (
    AnswerText,
    AudioChunk,
    DecisionRequired,
    Event,
    NodeEvent,
    TurnComplete,
    TurnStatus,
)
from talefold.graph import (
    ArchiveParams,
    CannedResponseParams,
    ClassifyIntentLLMParams,
    ClassifyIntentParams,
    ContextOverrides,
    GenerateAndSpeakParams,
    GenerateParams,
    GraphDescription,
    GraphProblem,
    HumanMessageGuardrailParams,
    InstructionParams,
    IntentDescription,
    IntentToInstructionParams,
    KvType,
    LayeredHistoryParams,
    LoraAdapter,
    ModelAdaptation,
    NodeParams,
    OversizedTurn,
    Placement,
    RetrieveParams,
    SamplingOverrides,
    SelectionStrategy,
    SpeakParams,
    SummarizeParams,
    SummaryMethod,
    ToolCallFormat,
    ToolCallParams,
    ToolChoice,
    ToolDescription,
    ToolParameter,
    ToolParameterType,
)
from talefold.knowledge import FoundRecord, KnowledgeInfo
from talefold.models import (
    EmbeddingModelInfo,
    ModelInfo,
    RecordedRequest,
    ReplyOutcome,
    ScriptedReply,
)
from talefold.scene import (
    MessageKind,
    Scene,
    SceneEntry,
    SceneFormat,
    SceneLayerStats,
    SceneMessage,
    SceneSettings,
    SceneSources,
)
from talefold.speech import SpeechAudio, SpeechBackend, SpeechRequest
from talefold.stats import EngineStats, KvPoolStats
from talefold.turn import Turn, TurnResult
from talefold.wav import WavWriter

__all__ = [
    "Agent",
    "AnswerText",
    "ArchiveParams",
    "AudioChunk",
    "CannedResponseParams",
    "Catalogue",
    "CatalogueEntry",
    "ClassifyIntentLLMParams",
    "ClassifyIntentParams",
    "ContextOverrides",
    "DecisionRequired",
    "EmbeddingModelInfo",
    "Engine",
    "EngineStats",
    "ErrorCode",
    "EspeakBackend",
    "Event",
    "FoundRecord",
    "GenerateAndSpeakParams",
    "GenerateParams",
    "GraphDescription",
    "GraphProblem",
    "HistoryState",
    "HumanMessageGuardrailParams",
    "Instruction",
    "InstructionParams",
    "IntentDescription",
    "IntentToInstructionParams",
    "Interaction",
    "InteractionStatus",
    "Knowledge",
    "KnowledgeChunk",
    "KnowledgeInfo",
    "KvPoolStats",
    "KvType",
    "LayeredHistoryParams",
    "LoraAdapter",
    "MessageKind",
    "ModelAdaptation",
    "ModelInfo",
    "NodeEvent",
    "NodeParams",
    "OversizedTurn",
    "Placement",
    "RecordedRequest",
    "ReplyOutcome",
    "RetrieveParams",
    "SamplingOverrides",
    "Scene",
    "SceneEntry",
    "SceneFormat",
    "SceneLayerStats",
    "SceneMessage",
    "SceneSettings",
    "SceneSources",
    "ScriptedReply",
    "SelectionStrategy",
    "SpeakParams",
    "SpeechAudio",
    "SpeechBackend",
    "SpeechRequest",
    "SummarizeParams",
    "Summary",
    "SummaryMethod",
    "TalefoldError",
    "ToolCall",
    "ToolCallFormat",
    "ToolCallParams",
    "ToolChoice",
    "ToolDescription",
    "ToolParameter",
    "ToolParameterType",
    "Turn",
    "TurnComplete",
    "TurnResult",
    "TurnStatus",
    "WavWriter",
    "__version__",
]

# Tracebacks, reprs and pickles name classes where users import them from.
for _name in __all__:
    if isinstance(globals()[_name], type):
        globals()[_name].__module__ = __name__
del _name
