// Generated from the core's descriptor tables by `python -m talefold._generate`; do not edit.
#pragma once

#include "CoreMinimal.h"

/**
 * Stable numbers, only ever added to: 1xxx are the plugin's, all others the same as in C and
 * Python. Blueprints have them as FTalefoldError::Code.
 */
enum class ETalefoldErrorCode : int32
{
	/** The native library is not where the plugin looks. */
	LibraryNotFound = 1001,
	/** The native library is not the plugin's. */
	LibraryIncompatible = 1002,
	/** The conversation has not begun yet. */
	NotReady = 1003,
	/** A save slot could not be read or written. */
	SaveSlotFailed = 1004,
	/** The component has no graph asset. */
	GraphAssetMissing = 1005,
	/** The load of a model was cancelled. */
	LoadCancelled = 1006,
	/** Something inside the library went wrong that no caller could have caused. */
	InternalError = 2001,
	/** The engine has been closed and takes no further calls. */
	EngineClosed = 2002,
	/** An argument of the call is missing, out of range or not allowed here. */
	InvalidArgument = 2003,
	/** A text is not valid UTF-8. */
	InvalidUtf8 = 2004,
	/** A text is longer than the engine's limit for one message. */
	MessageTooLarge = 2005,
	/** A handle of the C interface was taken back, or is none. */
	InvalidHandle = 2006,
	/** The agent has been closed and takes no further calls. */
	AgentClosed = 3001,
	/** The dialog has no interaction at this position. */
	InteractionNotFound = 3002,
	/** The graph is not well formed, so no agent can be made from it. */
	GraphCompilationFailed = 3003,
	/** The agent is running a turn and cannot be changed or start another one. */
	AgentBusy = 3004,
	/** The graph has no node of this name that fits the call. */
	UnknownNode = 3005,
	/** A structural param cannot change once the agent exists. */
	ParamNotMutable = 3006,
	/** A param is unknown, or its value has the wrong type or is not allowed. */
	InvalidParamValue = 3007,
	/** An exit names a node that the graph does not have. */
	InvalidExitTarget = 3008,
	/** A storage path leads outside the storage root. */
	StorageOutsideRoot = 3009,
	/** A file named by a storage path does not exist. */
	StorageFileNotFound = 3010,
	/** A storage is of another kind than the node that uses it needs. */
	StorageKindMismatch = 3011,
	/** The turn is not waiting for a decision. */
	NoDecisionPending = 3012,
	/** The dialog has no summary yet. */
	SummaryNotFound = 3013,
	/** The dialog has no tool call of this id. */
	ToolCallNotFound = 3014,
	/** The model failed while it read the prompt or wrote the reply. */
	InferenceFailed = 4001,
	/** The turn was not complete within its time limit. */
	InferenceTimeout = 4002,
	/** The turn executed as many nodes as the engine allows without reaching an end. */
	MaxStepsExceeded = 4003,
	/** The prompt leaves no room for a reply in the model's context. */
	ContextOverflow = 4004,
	/** The speech backend failed while it voiced a sentence. */
	SpeechFailed = 5001,
	/** There is no speech backend, or what it needs is missing. */
	SpeechUnavailable = 5002,
	/** No model of this name has been loaded, or its file does not exist. */
	ModelNotFound = 6001,
	/** The model could not be loaded. */
	ModelLoadFailed = 6002,
	/** The model has no chat template, or one that cannot show these messages. */
	UnsupportedChatTemplate = 6003,
	/** The model cannot apply this adapter. */
	AdapterMismatch = 6004,
	/** The content of a string storage is not what its format asks for. */
	MalformedStorage = 7001,
	/** Two entries of a string storage of the kind map have the same id. */
	DuplicateStorageId = 7002,
	/** A storage file, or one entry of a string storage, is longer than allowed. */
	StorageTooLarge = 7003,
	/** A storage has the name of a file under the storage root. */
	StorageNameConflict = 7004,
	/** A storage file exists, but the system does not let it be read. */
	StorageFileUnreadable = 7005,
	/** The config or the records of an embedded storage are malformed. */
	MalformedEmbeddedStorage = 8001,
	/** The embedded storage has a newer format version than this library reads. */
	EmbeddedStorageVersionTooNew = 8002,
	/** The metadata of a record does not fit the fields of its embedded storage. */
	InvalidMetadata = 8003,
	/** A filter is malformed, or does not fit the fields of the embedded storage. */
	InvalidFilter = 8004,
	/** An embedding model gave no vectors, or some that cannot be compared. */
	EmbeddingFailed = 8005,
	/** The text is not a snapshot, or it is damaged. */
	MalformedSnapshot = 9001,
	/** The snapshot was written by a newer format version than this library reads. */
	SnapshotVersionTooNew = 9002,
	/** The snapshot requires a dialog component that this library does not know. */
	DialogUnsupportedComponent = 9003,
	/** The graph's start node cannot go on from the snapshot. */
	SnapshotGraphMismatch = 9004,
	/** The saved KV cache is damaged, of another model or setting, or has no room. */
	KvRejected = 9005,
};

/** Such as `AgentBusy`; empty for 0 and numbers that are no code. */
TALEFOLD_API const TCHAR* TalefoldErrorName(int32 Code);
