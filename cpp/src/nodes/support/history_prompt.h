// The prompts of a node that replays the dialog: building them, and keeping them inside
// the node's context.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "nodes/node.h"
#include "nodes/support/model_runner.h"
#include "nodes/support/story_prompt.h"
#include "prompt/mustache.h"
#include "prompt/projection.h"
#include "prompt/template_context.h"
#include "prompt/trimmer.h"

namespace talefold {

// What a node adds to the history; from its params.
struct PromptTexts {
  std::string system_prompt = {};
  std::vector<MessagePart> tools = {};
  std::optional<MustacheTemplate> frame = {};
  Placement placement = Placement::BeforeUserAsSystem;
  StoryParams story = {};
};

// Owned by its node; same thread rule.
class HistoryPrompt {
 public:
  struct Prompt {
    Projection projection;
    TokenizedPrompt tokens;
    TemplateParts shown;                    // what the template had to show
    std::optional<StoryPrompt> story = {};  // of a scene: where the others come from

    const std::vector<ChatMessage>& messages() const {
      return story ? story->messages : projection.messages;
    }
  };

  // `runner` belongs to the same node and outlives this.
  HistoryPrompt(std::string node, ModelRunner& runner)
      : node_(std::move(node)), runner_(runner) {}

  void SetTexts(PromptTexts texts) { texts_ = std::move(texts); }

  // Tokens kept free for the reply.
  std::int32_t ReplyReserve() const;

  // The turn's prompt. Knowledge, then instructions, are not shown by the template when
  // they do not fit even without history; then history is trimmed until the prompt
  // fits, but never the turn that one without a text of the player goes on from.
  // Whether it fits is the caller's to check (CheckRoom).
  Prompt Fit(TurnContext& turn);
  // The prompt of a turn in a scene that has not begun, with `params` for the node's.
  StoryPrompt Review(const HistorySource& history, const Interaction& current,
                     const StoryParams& params, const KeptFits& kept) const;
  const StoryParams& story_params() const { return texts_.story; }
  // Tokens left for the reply, >= 1. Throws ContextOverflow when they are too few to be
  // worth a reply.
  std::int32_t CheckRoom(const TurnContext& turn, const Prompt& prompt) const;
  // Trims half of what `prompt` replays, or leaves out half of the story it shows;
  // false when that is nothing.
  bool TrimHalf(TurnContext& turn, const Prompt& prompt) const;

  // For Node's functions of these names.
  void CheckBudget(std::size_t summary_tokens, std::span<const Pin> pins) const;
  void CheckMemory(const Memory& memory, ErrorCode code) const;
  void PlanTrim(const HistorySource& history, TrimStage& trims);
  void Prepare() { runner_.sequence().Prepare(next_begin_); }

  void ReportParameters(json::object& diagnostics) const;
  void Report(TurnContext& turn, const Prompt& prompt) const;

 private:
  Preamble preamble() const { return {texts_.system_prompt, texts_.tools}; }
  TrimBudget Budget() const {
    return MakeTrimBudget(runner_.context_size(), ReplyReserve());
  }
  void ReportStory(TurnContext& turn, const Prompt& prompt) const;
  std::size_t SystemTokens(const Memory& memory) const;
  std::string Frame(const TurnContext& turn, const TemplateParts& parts) const;
  Prompt Build(const TurnContext& turn, std::size_t from,
               const TemplateParts& parts) const;
  TemplateParts PartsWithRoom(const TurnContext& turn, TemplateParts parts) const;
  StoryPrompt ShowStory(const HistorySource& history, const Interaction& current,
                        const std::string& frame, const StoryParams& params,
                        const KeptFits& kept, std::size_t most_of_story) const;
  Prompt FitStory(const TurnContext& turn, const TemplateParts& parts) const;
  Prompt FitStoryParts(TurnContext& turn) const;
  Prompt FitHistory(TurnContext& turn, const TemplateParts& parts);
  template <typename BuildFrom>
  std::size_t WindowBegin(std::size_t oldest, std::size_t end, const BuildFrom& build);

  const std::string node_;
  ModelRunner& runner_;
  PromptTexts texts_;
  std::size_t window_ = 64;  // interactions looked at first, to see what is trimmed
  std::vector<Token> next_begin_;  // of the next prompt, up to the player's text
};

}  // namespace talefold
