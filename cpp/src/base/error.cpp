#include "talefold/error.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace talefold {
namespace {

constexpr auto kErrorTable = std::to_array<ErrorInfo>({
    {ErrorCode::InternalError, "InternalError",
     "Something inside the library went wrong that no caller could have caused."},
    {ErrorCode::EngineClosed, "EngineClosed",
     "The engine has been closed and takes no further calls."},
    {ErrorCode::InvalidArgument, "InvalidArgument",
     "An argument of the call is missing, out of range or not allowed here."},
    {ErrorCode::InvalidUtf8, "InvalidUtf8", "A text is not valid UTF-8."},
    {ErrorCode::MessageTooLarge, "MessageTooLarge",
     "A text is longer than the engine's limit for one message."},
    {ErrorCode::InvalidHandle, "InvalidHandle",
     "A handle of the C interface was taken back, or is none."},
    {ErrorCode::AgentClosed, "AgentClosed",
     "The agent has been closed and takes no further calls."},
    {ErrorCode::InteractionNotFound, "InteractionNotFound",
     "The dialog has no interaction at this position."},
    {ErrorCode::GraphCompilationFailed, "GraphCompilationFailed",
     "The graph is not well formed, so no agent can be made from it."},
    {ErrorCode::AgentBusy, "AgentBusy",
     "The agent is running a turn and cannot be changed or start another one."},
    {ErrorCode::UnknownNode, "UnknownNode",
     "The graph has no node of this name that fits the call."},
    {ErrorCode::ParamNotMutable, "ParamNotMutable",
     "A structural param cannot change once the agent exists."},
    {ErrorCode::InvalidParamValue, "InvalidParamValue",
     "A param is unknown, or its value has the wrong type or is not allowed."},
    {ErrorCode::InvalidExitTarget, "InvalidExitTarget",
     "An exit names a node that the graph does not have."},
    {ErrorCode::StorageOutsideRoot, "StorageOutsideRoot",
     "A storage path leads outside the storage root."},
    {ErrorCode::StorageFileNotFound, "StorageFileNotFound",
     "A file named by a storage path does not exist."},
    {ErrorCode::StorageKindMismatch, "StorageKindMismatch",
     "A storage is of another kind than the node that uses it needs."},
    {ErrorCode::NoDecisionPending, "NoDecisionPending",
     "The turn is not waiting for a decision."},
    {ErrorCode::SummaryNotFound, "SummaryNotFound", "The dialog has no summary yet."},
    {ErrorCode::ToolCallNotFound, "ToolCallNotFound",
     "The dialog has no tool call of this id."},
    {ErrorCode::InferenceFailed, "InferenceFailed",
     "The model failed while it read the prompt or wrote the reply."},
    {ErrorCode::InferenceTimeout, "InferenceTimeout",
     "The turn was not complete within its time limit."},
    {ErrorCode::MaxStepsExceeded, "MaxStepsExceeded",
     "The turn executed as many nodes as the engine allows without reaching an end."},
    {ErrorCode::ContextOverflow, "ContextOverflow",
     "The prompt leaves no room for a reply in the model's context."},
    {ErrorCode::SpeechFailed, "SpeechFailed",
     "The speech backend failed while it voiced a sentence."},
    {ErrorCode::SpeechUnavailable, "SpeechUnavailable",
     "There is no speech backend, or what it needs is missing."},
    {ErrorCode::ModelNotFound, "ModelNotFound",
     "No model of this name has been loaded, or its file does not exist."},
    {ErrorCode::ModelLoadFailed, "ModelLoadFailed", "The model could not be loaded."},
    {ErrorCode::UnsupportedChatTemplate, "UnsupportedChatTemplate",
     "The model has no chat template, or one that cannot show these messages."},
    {ErrorCode::AdapterMismatch, "AdapterMismatch",
     "The model cannot apply this adapter."},
    {ErrorCode::MalformedStorage, "MalformedStorage",
     "The content of a string storage is not what its format asks for."},
    {ErrorCode::DuplicateStorageId, "DuplicateStorageId",
     "Two entries of a string storage of the kind map have the same id."},
    {ErrorCode::StorageTooLarge, "StorageTooLarge",
     "A storage file, or one entry of a string storage, is longer than allowed."},
    {ErrorCode::StorageNameConflict, "StorageNameConflict",
     "A storage has the name of a file under the storage root."},
    {ErrorCode::StorageFileUnreadable, "StorageFileUnreadable",
     "A storage file exists, but the system does not let it be read."},
    {ErrorCode::MalformedEmbeddedStorage, "MalformedEmbeddedStorage",
     "The config or the records of an embedded storage are malformed."},
    {ErrorCode::EmbeddedStorageVersionTooNew, "EmbeddedStorageVersionTooNew",
     "The embedded storage has a newer format version than this library reads."},
    {ErrorCode::InvalidMetadata, "InvalidMetadata",
     "The metadata of a record does not fit the fields of its embedded storage."},
    {ErrorCode::InvalidFilter, "InvalidFilter",
     "A filter is malformed, or does not fit the fields of the embedded storage."},
    {ErrorCode::EmbeddingFailed, "EmbeddingFailed",
     "An embedding model gave no vectors, or some that cannot be compared."},
    {ErrorCode::MalformedSnapshot, "MalformedSnapshot",
     "The text is not a snapshot, or it is damaged."},
    {ErrorCode::SnapshotVersionTooNew, "SnapshotVersionTooNew",
     "The snapshot was written by a newer format version than this library reads."},
    {ErrorCode::DialogUnsupportedComponent, "DialogUnsupportedComponent",
     "The snapshot requires a dialog component that this library does not know."},
    {ErrorCode::SnapshotGraphMismatch, "SnapshotGraphMismatch",
     "The graph's start node cannot go on from the snapshot."},
    {ErrorCode::KvRejected, "KvRejected",
     "The saved KV cache is damaged, of another model or setting, or has no room."},
});

}  // namespace

std::span<const ErrorInfo> ErrorTable() { return kErrorTable; }

std::string_view ErrorName(ErrorCode code) {
  const auto found = std::ranges::find(kErrorTable, code, &ErrorInfo::code);
  return found == kErrorTable.end() ? "InternalError" : found->name;
}

Error::Error(ErrorCode code, std::string message, std::string hint)
    : code_(code), message_(ToValidText(message)), hint_(ToValidText(hint)) {
  what_ = std::to_string(static_cast<int>(code));
  what_.append(" ").append(ErrorName(code)).append(": ").append(message_);
  if (!hint_.empty()) what_.append(" (").append(hint_).append(")");
}

}  // namespace talefold
