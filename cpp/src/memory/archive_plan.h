// Which messages the next base entry of a scene's memory takes in: pure arithmetic.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scene/scene_memory.h"
#include "scene/timeline.h"

namespace talefold {

enum class CloseReason {
  Nothing,  // no entry is due
  Threshold,
  TimePassage,
  PresenceChange,  // somebody became active or inactive
};

std::string_view CloseReasonName(CloseReason reason);  // "presence_change"

struct ArchivePlan {
  CloseReason reason = CloseReason::Nothing;
  IndexRange messages = {};  // what the entry covers
  // Those of them that tell the story, ascending: never empty when an entry is due.
  std::vector<std::size_t> lines = {};
  std::size_t tokens = 0;  // of the lines
};

// Tokens of the message at a position, as a summary request shows it.
using MessageTokens = std::function<std::size_t(std::size_t index)>;

// Reads on from `start`, the first message that no entry covers. The newest message may
// still be regenerated and is never taken. Closes when the lines have more tokens than
// `threshold`, before a time passage, and before a message of other people present,
// whatever comes first.
ArchivePlan PlanArchive(const Timeline& timeline, std::size_t start,
                        std::size_t threshold, const MessageTokens& tokens);

// A threshold may close an entry in the middle of an event. `reply` repeats the line
// that begins the next one; `shown` are the plan's lines as the model saw them. The
// entry then ends before that line: how many lines it keeps. nullopt when the reply is
// none of them, or too few would be kept.
std::optional<std::size_t> NaturalEnding(std::span<const std::string> shown,
                                         std::string_view reply);

// `plan` with its first `count` lines alone, 0 < count <= all.
ArchivePlan KeepLines(ArchivePlan plan, std::size_t count, const MessageTokens& tokens);

// The earlier chapters that a request shows, oldest first: the last `count` of the
// compiled gradient, or of the base when layers are not in use. `before_base`: only
// what comes before this base entry.
std::vector<std::string> PrecedingChapters(const SceneMemory& memory, std::size_t count,
                                           bool use_layers,
                                           std::optional<std::size_t> before_base = {});

// Whether the scene's introduction goes before the lines of this entry: it does before
// the first summary, when no earlier chapter says how the story began.
bool NeedsIntroduction(const SceneMemory& memory, std::size_t base_index,
                       std::span<const std::string> chapters);

}  // namespace talefold
