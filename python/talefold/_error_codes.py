"""Error codes.

Generated from the core's error table by `python -m talefold._generate`; do not edit.
"""

from __future__ import annotations

from enum import IntEnum


class ErrorCode(IntEnum):
    """What kind of failure; stable numbers, the same in every language."""

    InternalError = 2001
    """Something inside the library went wrong that no caller could have caused."""
    EngineClosed = 2002
    """The engine has been closed and takes no further calls."""
    InvalidArgument = 2003
    """An argument of the call is missing, out of range or not allowed here."""
    InvalidUtf8 = 2004
    """A text is not valid UTF-8."""
    MessageTooLarge = 2005
    """A text is longer than the engine's limit for one message."""
    InvalidHandle = 2006
    """A handle of the C interface was taken back, or is none."""
    AgentClosed = 3001
    """The agent has been closed and takes no further calls."""
    InteractionNotFound = 3002
    """The dialog has no interaction at this position."""
    GraphCompilationFailed = 3003
    """The graph is not well formed, so no agent can be made from it."""
    AgentBusy = 3004
    """The agent is running a turn and cannot be changed or start another one."""
    UnknownNode = 3005
    """The graph has no node of this name that fits the call."""
    ParamNotMutable = 3006
    """A structural param cannot change once the agent exists."""
    InvalidParamValue = 3007
    """A param is unknown, or its value has the wrong type or is not allowed."""
    InvalidExitTarget = 3008
    """An exit names a node that the graph does not have."""
    StorageOutsideRoot = 3009
    """A storage path leads outside the storage root."""
    StorageFileNotFound = 3010
    """A file named by a storage path does not exist."""
    StorageKindMismatch = 3011
    """A storage is of another kind than the node that uses it needs."""
    NoDecisionPending = 3012
    """The turn is not waiting for a decision."""
    SummaryNotFound = 3013
    """The dialog has no summary yet."""
    ToolCallNotFound = 3014
    """The dialog has no tool call of this id."""
    InferenceFailed = 4001
    """The model failed while it read the prompt or wrote the reply."""
    InferenceTimeout = 4002
    """The turn was not complete within its time limit."""
    MaxStepsExceeded = 4003
    """The turn executed as many nodes as the engine allows without reaching an end."""
    ContextOverflow = 4004
    """The prompt leaves no room for a reply in the model's context."""
    SpeechFailed = 5001
    """The speech backend failed while it voiced a sentence."""
    SpeechUnavailable = 5002
    """There is no speech backend, or what it needs is missing."""
    ModelNotFound = 6001
    """No model of this name has been loaded, or its file does not exist."""
    ModelLoadFailed = 6002
    """The model could not be loaded."""
    UnsupportedChatTemplate = 6003
    """The model has no chat template, or one that cannot show these messages."""
    AdapterMismatch = 6004
    """The model cannot apply this adapter."""
    MalformedStorage = 7001
    """The content of a string storage is not what its format asks for."""
    DuplicateStorageId = 7002
    """Two entries of a string storage of the kind map have the same id."""
    StorageTooLarge = 7003
    """A storage file, or one entry of a string storage, is longer than allowed."""
    StorageNameConflict = 7004
    """A storage has the name of a file under the storage root."""
    StorageFileUnreadable = 7005
    """A storage file exists, but the system does not let it be read."""
    MalformedEmbeddedStorage = 8001
    """The config or the records of an embedded storage are malformed."""
    EmbeddedStorageVersionTooNew = 8002
    """The embedded storage has a newer format version than this library reads."""
    InvalidMetadata = 8003
    """The metadata of a record does not fit the fields of its embedded storage."""
    InvalidFilter = 8004
    """A filter is malformed, or does not fit the fields of the embedded storage."""
    EmbeddingFailed = 8005
    """An embedding model gave no vectors, or some that cannot be compared."""
    MalformedSnapshot = 9001
    """The text is not a snapshot, or it is damaged."""
    SnapshotVersionTooNew = 9002
    """The snapshot was written by a newer format version than this library reads."""
    DialogUnsupportedComponent = 9003
    """The snapshot requires a dialog component that this library does not know."""
    SnapshotGraphMismatch = 9004
    """The graph's start node cannot go on from the snapshot."""
    KvRejected = 9005
    """The saved KV cache is damaged, of another model or setting, or has no room."""
