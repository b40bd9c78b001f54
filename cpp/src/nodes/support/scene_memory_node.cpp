#include "nodes/support/scene_memory_node.h"

#include <algorithm>
#include <array>
#include <utility>

namespace talefold {

namespace {

constexpr std::string_view kLogCategory = "scene_memory";

}  // namespace

std::string_view WriteFailureName(WriteFailure failure) {
  constexpr std::array<std::string_view, 3> kNames = {"cancelled", "empty_output",
                                                      "model_error"};
  return kNames[static_cast<std::size_t>(failure)];
}

std::string_view SceneMemoryNode::Execute(TurnContext&) {
  throw Error(ErrorCode::InternalError,
              "node '" + name() + "' works for a scene's memory, not in a turn");
}

SceneMemoryNode::Reply SceneMemoryNode::Ask(MemoryWork& work,
                                            const std::vector<ChatMessage>& messages,
                                            std::int32_t max_tokens,
                                            std::uint64_t attempt,
                                            std::string_view begun) {
  TokenizedPrompt prompt = runner_.prompts().Build(messages);
  // What the reply begins with is data, as every text.
  const std::vector<Token> begin = runner_.model().Tokenize(begun);
  prompt.ids.insert(prompt.ids.end(), begin.begin(), begin.end());
  GenerationRequest request = runner_.RequestFor(
      {.number = static_cast<std::uint64_t>(work.committed), .attempt = attempt},
      work.cancel, messages, prompt, max_tokens);
  request.in_background = work.in_background;
  Generation generation =
      runner_.Run(request, prompt, [](std::string_view) {}, work.tokens, nullptr);
  if (generation.stop_reason == StopReason::Cancelled) work.stopped = true;
  return {std::move(generation.text), generation.stop_reason};
}

std::int32_t SceneMemoryNode::ReplyTokens(std::int32_t most) const {
  return std::min(runner_.sampling().max_tokens.value_or(most), most);
}

bool SceneMemoryNode::Fits(const std::vector<ChatMessage>& messages,
                           std::int32_t reply_tokens) const {
  return runner_.prompts().Build(messages).ids.size() +
             static_cast<std::size_t>(reply_tokens) <=
         static_cast<std::size_t>(runner_.context_size());
}

void SceneMemoryNode::TellProgress(MemoryWork& work, std::size_t layer,
                                   std::size_t done, std::size_t total) {
  work.scene.Tell({name(),
                   "memory_progress",
                   {{"layer", std::to_string(layer)},
                    {"done", std::to_string(done)},
                    {"total", std::to_string(total)}}});
}

void SceneMemoryNode::TellFailure(MemoryWork& work, std::size_t layer,
                                  const Written& written) {
  const std::string reason(WriteFailureName(*written.failure));
  work.failed = true;
  work.error = reason + (written.error.empty() ? "" : ": " + written.error);
  work.logger.Log(LogLevel::Warning, kLogCategory,
                  "node '" + name() + "': no entry of layer " + std::to_string(layer) +
                      " written (" + work.error + "); the memory stays as it was");
  work.scene.Tell({name(),
                   "memory_failed",
                   {{"layer", std::to_string(layer)},
                    {"reason", reason},
                    {"error", written.error}}});
}

NodeEvent EntryEvent(std::string_view node, std::string event_type, std::size_t layer,
                     EntryId id) {
  return {std::string(node),
          std::move(event_type),
          {{"id", std::to_string(id)}, {"layer", std::to_string(layer)}}};
}

std::string JoinParagraphs(const std::vector<std::string>& texts) {
  std::string joined;
  for (const std::string& text : texts) {
    if (!joined.empty()) joined += "\n\n";
    joined += text;
  }
  return joined;
}

}  // namespace talefold
