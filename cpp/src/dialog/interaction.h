// One exchange of a dialog and the components attached to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace talefold {

// A rolling summary of the interactions [0, covered_through], written by a fold and
// attached to the interaction of the turn that triggered it.
struct SummaryComponent {
  std::string text = {};
  std::string node = {};            // the Summarize node that wrote it
  std::size_t covered_through = 0;  // index of the last interaction folded in
  bool stale = false;               // a covered interaction was edited since
  bool edited = false;              // the text was replaced by hand
  bool abridged = false;            // one folded turn was cut to its head and tail

  bool operator==(const SummaryComponent&) const = default;
};

enum class InteractionStatus {
  Complete,
  Interrupted,  // the reply itself was cut by a cancel, a time-out or a failure
  Cancelled,    // the reply is whole; the turn was cancelled after it
  Failed,       // the reply is whole; the turn failed after it
};

std::string_view StatusName(InteractionStatus status);
std::optional<InteractionStatus> ParseStatus(std::string_view name);

// Either text may be empty: the character speaks first, or has not answered.
struct Interaction {
  std::int64_t id = 0;         // unique within the agent, never used twice
  std::uint32_t revision = 0;  // grows with every change of a text
  std::string user = {};
  std::string assistant = {};
  InteractionStatus status = InteractionStatus::Complete;
  std::uint32_t attempt = 0;  // how often the reply was regenerated
  std::optional<SummaryComponent> summary = {};

  bool operator==(const Interaction&) const = default;
};

}  // namespace talefold
