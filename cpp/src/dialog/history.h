// What a projection reads: an ordered past, whoever keeps it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "dialog/agent_state.h"
#include "dialog/dialog.h"
#include "dialog/pin.h"

namespace talefold {

class SceneStory;

struct HistoryEntry {
  std::int64_t id = 0;
  std::uint32_t revision = 0;
  std::string_view user = {};
  std::string_view assistant = {};
  std::span<const ToolCallComponent> tool_calls = {};
};

// Entries are indexed from 0, oldest first. The views stay valid while the source does
// and nothing is written to it.
class HistorySource {
 public:
  virtual ~HistorySource() = default;
  virtual std::size_t size() const = 0;
  virtual HistoryEntry entry(std::size_t index) const = 0;
  // nullptr when nothing was folded yet.
  virtual const SummaryComponent* newest_summary() const = 0;
  virtual std::span<const Pin> pins() const { return {}; }
  // Of a character in a scene: what prompts show in place of the entries.
  virtual const SceneStory* story() const { return nullptr; }

  // Index of the first entry no summary covers.
  std::size_t first_uncovered() const {
    const SummaryComponent* summary = newest_summary();
    return summary ? summary->covered_through + 1 : 0;
  }
};

// The dialog as a running turn sees it: the first `base_size` committed interactions,
// then the turn's own, if any.
class DialogHistory final : public HistorySource {
 public:
  // Everything passed must outlive it.
  DialogHistory(const Dialog& dialog, std::size_t base_size,
                const Interaction* current = nullptr, std::span<const Pin> pins = {})
      : dialog_(dialog), base_size_(base_size), current_(current), pins_(pins) {}

  std::size_t size() const override { return base_size_ + (current_ ? 1 : 0); }

  HistoryEntry entry(std::size_t index) const override {
    const Interaction& found = index < base_size_ ? dialog_.at(index) : *current_;
    return {found.id, found.revision, found.user, found.assistant, found.tool_calls};
  }

  std::span<const Pin> pins() const override { return pins_; }

  const SummaryComponent* newest_summary() const override {
    if (current_ && current_->summary) return &*current_->summary;
    const auto carrier = dialog_.NewestCarrier(base_size_);
    return carrier ? &*dialog_.at(*carrier).summary : nullptr;
  }

 private:
  const Dialog& dialog_;
  const std::size_t base_size_;
  const Interaction* const current_;
  const std::span<const Pin> pins_;
};

// What was said so far. Refers to `state`.
inline DialogHistory HistoryAtEnd(const AgentState& state) {
  return DialogHistory(state.dialog, state.dialog.size(), nullptr, state.pins);
}

}  // namespace talefold
