#include "memory/archive_plan.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.h"
#include "memory/gradient.h"

namespace talefold {

namespace {

// A natural ending that leaves this many lines or fewer is no ending.
constexpr std::size_t kFewLines = 4;

// White space of any length as one blank, so that a repeated line is found however it
// was wrapped.
std::string CollapseWhitespace(std::string_view text) {
  std::string collapsed;
  for (const char c : TrimWhitespace(text)) {
    const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!blank) {
      collapsed += c;
    } else if (!collapsed.ends_with(' ')) {
      collapsed += ' ';
    }
  }
  return collapsed;
}

ArchivePlan Closed(ArchivePlan plan, CloseReason reason, std::size_t end) {
  plan.reason = reason;
  plan.messages.end = end;
  return plan;
}

}  // namespace

std::string_view CloseReasonName(CloseReason reason) {
  constexpr std::array<std::string_view, 4> kNames = {
      "nothing", "threshold", "time_passage", "presence_change"};
  return kNames[static_cast<std::size_t>(reason)];
}

ArchivePlan PlanArchive(const Timeline& timeline, std::size_t start,
                        std::size_t threshold, const MessageTokens& tokens) {
  ArchivePlan plan;
  for (std::size_t i = start; i + 1 < timeline.size(); ++i) {
    const Message& message = timeline.at(i);
    if (plan.lines.empty()) {
      plan.messages.begin = i;
    } else if (message.kind == MessageKind::Time) {
      return Closed(std::move(plan), CloseReason::TimePassage, i);
    } else if (message.present != timeline.at(plan.lines.front()).present) {
      return Closed(std::move(plan), CloseReason::PresenceChange, i);
    }
    if (message.kind == MessageKind::Time || !TellsStory(message.kind)) continue;
    plan.lines.push_back(i);
    plan.tokens += tokens(i);
    if (plan.tokens > threshold) {
      return Closed(std::move(plan), CloseReason::Threshold, i + 1);
    }
  }
  return {};
}

std::optional<std::size_t> NaturalEnding(std::span<const std::string> shown,
                                         std::string_view reply) {
  const std::string said = CollapseWhitespace(reply.substr(0, reply.find('#')));
  if (said.empty()) return std::nullopt;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const std::string line = CollapseWhitespace(shown[i]);
    if (line.empty() || said.find(line) == said.npos) continue;
    if (i > kFewLines) return i;
    return std::nullopt;
  }
  return std::nullopt;
}

ArchivePlan KeepLines(ArchivePlan plan, std::size_t count,
                      const MessageTokens& tokens) {
  if (count == plan.lines.size()) return plan;
  plan.lines.resize(count);
  plan.messages.end = plan.lines.back() + 1;
  plan.tokens = 0;
  for (const std::size_t line : plan.lines) plan.tokens += tokens(line);
  return plan;
}

std::vector<std::string> PrecedingChapters(const SceneMemory& memory, std::size_t count,
                                           bool use_layers,
                                           std::optional<std::size_t> before_base) {
  std::vector<EntryPlace> places;
  if (use_layers) {
    places = CompileGradient(memory, {.before_base = before_base});
  } else {
    const std::size_t end = before_base.value_or(memory.base.size());
    for (std::size_t i = 0; i < end; ++i) places.push_back({0, i});
  }
  const std::size_t left_out = places.size() - std::min(count, places.size());
  places.erase(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(left_out));
  return TextsOf(memory, places);
}

bool NeedsIntroduction(const SceneMemory& memory, std::size_t base_index,
                       std::span<const std::string> chapters) {
  return chapters.empty() && base_index <= StaticCount(memory);
}

}  // namespace talefold
