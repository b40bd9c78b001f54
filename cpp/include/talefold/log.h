// Where the library's log lines go: a sink per engine, never a process-wide one.
#pragma once

#include <functional>
#include <string_view>

namespace talefold {

enum class LogLevel { Debug, Info, Warning, Error };

// Called from any engine thread and from threads inside a library call, one call at a
// time per engine. Must not call back into the engine. Text a player or a model wrote
// appears at Debug level only.
using LogSink = std::function<void(LogLevel level, std::string_view category,
                                   std::string_view text)>;

}  // namespace talefold
