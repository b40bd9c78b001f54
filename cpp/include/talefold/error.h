// Error codes and the one exception type of the library.
#pragma once

#include <exception>
#include <span>
#include <string>
#include <string_view>

namespace talefold {

// Stable numbers, the same in C++, Python, C and Unreal. Only ever added to.
enum class ErrorCode : int {
  // 2xxx engine
  InternalError = 2001,
  EngineClosed = 2002,
  InvalidArgument = 2003,
  InvalidUtf8 = 2004,
  MessageTooLarge = 2005,
  InvalidHandle = 2006,
  // 3xxx agent and graph
  AgentClosed = 3001,
  InteractionNotFound = 3002,
  GraphCompilationFailed = 3003,
  AgentBusy = 3004,
  UnknownNode = 3005,
  ParamNotMutable = 3006,
  InvalidParamValue = 3007,
  InvalidExitTarget = 3008,
  StorageOutsideRoot = 3009,
  StorageFileNotFound = 3010,
  StorageKindMismatch = 3011,
  NoDecisionPending = 3012,
  SummaryNotFound = 3013,
  ToolCallNotFound = 3014,
  // 4xxx inference
  InferenceFailed = 4001,
  InferenceTimeout = 4002,
  MaxStepsExceeded = 4003,
  ContextOverflow = 4004,
  // 5xxx speech
  SpeechFailed = 5001,
  SpeechUnavailable = 5002,
  // 6xxx models
  ModelNotFound = 6001,
  ModelLoadFailed = 6002,
  UnsupportedChatTemplate = 6003,
  AdapterMismatch = 6004,
  // 7xxx string storage
  MalformedStorage = 7001,
  DuplicateStorageId = 7002,
  StorageTooLarge = 7003,
  StorageNameConflict = 7004,
  StorageFileUnreadable = 7005,
  // 8xxx embedded storage
  MalformedEmbeddedStorage = 8001,
  EmbeddedStorageVersionTooNew = 8002,
  InvalidMetadata = 8003,
  InvalidFilter = 8004,
  EmbeddingFailed = 8005,
  // 9xxx snapshots
  MalformedSnapshot = 9001,
  SnapshotVersionTooNew = 9002,
  DialogUnsupportedComponent = 9003,
  SnapshotGraphMismatch = 9004,
  KvRejected = 9005,
};

struct ErrorInfo {
  ErrorCode code;
  std::string_view name;     // the enumerator's name
  std::string_view meaning;  // one sentence, shown in the documentation
};

// Every error code, ascending by number.
std::span<const ErrorInfo> ErrorTable();

// The enumerator's name; "InternalError" for a number that is no ErrorCode.
std::string_view ErrorName(ErrorCode code);

// The only exception that leaves this library. Immutable; copies are cheap enough.
class Error : public std::exception {
 public:
  // `message` says what was wrong, where, and what is allowed; `hint` what to do (may
  // be empty). They may quote what is broken: bytes that are no text become U+FFFD.
  Error(ErrorCode code, std::string message, std::string hint = {});

  ErrorCode code() const noexcept { return code_; }
  const std::string& message() const noexcept { return message_; }
  const std::string& hint() const noexcept { return hint_; }
  // "3004 AgentBusy: message (hint)"
  const char* what() const noexcept override { return what_.c_str(); }

 private:
  ErrorCode code_;
  std::string message_;
  std::string hint_;
  std::string what_;
};

}  // namespace talefold
