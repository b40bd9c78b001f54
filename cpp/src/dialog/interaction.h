// One exchange of a dialog and the components attached to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

// A call of a tool that the character made, and what came of it.
struct ToolCallComponent {
  std::string id = {};    // unique within the agent
  std::string node = {};  // the ToolCall node that detected it
  std::string tool_name = {};
  std::string arguments = {};  // a JSON object, on one line
  std::string format = {};     // ToolFormat::name of the prompts that replay it
  std::optional<std::string> result = {};  // JSON on one line; unset = none yet

  bool operator==(const ToolCallComponent&) const = default;
};

struct KnowledgeChunk {
  std::string id = {};
  std::string text = {};
  double distance = 0;  // from the player's text: 0 = the same, 1 = unrelated

  bool operator==(const KnowledgeChunk&) const = default;
};

// What a Retrieve node found for the player's text; nothing when it has no chunks.
struct KnowledgeComponent {
  std::string source = {};
  std::vector<KnowledgeChunk> chunks = {};  // nearest first

  bool operator==(const KnowledgeComponent&) const = default;
};

// A text that templates of later nodes can show.
struct InstructionComponent {
  std::string name = {};
  std::string text = {};

  bool operator==(const InstructionComponent&) const = default;
};

// What the player wants, as a classifying node found.
struct IntentionComponent {
  std::string intent = {};
  std::string node = {};

  bool operator==(const IntentionComponent&) const = default;
};

enum class InteractionStatus {
  Complete,
  Interrupted,  // the reply itself was cut by a cancel, a time-out or a failure
  Cancelled,    // the reply is whole; the turn was cancelled after it
  Failed,       // the reply is whole; the turn failed after it
};

std::string_view StatusName(InteractionStatus status);
std::optional<InteractionStatus> ParseStatus(std::string_view name);

// Of an interaction that a snapshot can hold: exact as a double, too.
inline constexpr std::int64_t kMaxInteractionId = std::int64_t{1} << 53;

// Either text may be empty: the character speaks first, or has not answered.
struct Interaction {
  std::int64_t id = 0;         // unique within the agent, never used twice
  std::uint32_t revision = 0;  // another one with every change of a text
  std::string user = {};
  std::string assistant = {};
  InteractionStatus status = InteractionStatus::Complete;
  std::uint32_t attempt = 0;  // how often the reply was regenerated
  std::optional<SummaryComponent> summary = {};
  std::vector<ToolCallComponent> tool_calls = {};       // in the order they were made
  std::vector<KnowledgeComponent> knowledge = {};       // one of each source
  std::vector<InstructionComponent> instructions = {};  // one of each name
  std::optional<IntentionComponent> intention = {};

  bool operator==(const Interaction&) const = default;
};

}  // namespace talefold
