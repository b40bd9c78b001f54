#include "nodes/support/story_prompt.h"

#include <algorithm>

#include "memory/ratio_fit.h"
#include "scene/message_format.h"

namespace talefold {

namespace {

// What comes after a story that stands first is given room in steps of so large a part
// of the context: memories and notes that grow or shrink do not change the story's.
constexpr std::size_t kReserveSteps = 8;

std::size_t Less(std::size_t a, std::size_t b) { return a - std::min(a, b); }

class StoryFitter {
 public:
  StoryFitter(ModelRunner& runner, const StoryRequest& request)
      : runner_(runner), request_(request), history_(request.params.history) {
    prompt_.format = history_.format.value_or(request.story.settings().format);
    prompt_.story_first = PutsStoryFirst(request.params, runner.model());
    prompt_.keeps_choice = prompt_.story_first && history_.best_fit;
  }

  StoryPrompt Fit() {
    prompt_.budget = Budget();
    auto min = static_cast<std::size_t>(history_.min_dialogue);
    for (std::size_t budget = prompt_.budget;;) {
      prompt_.choice = Choose(budget, min);
      Build(JoinStory(prompt_.fit()));
      const std::size_t over = Less(prompt_.tokens.ids.size(), request_.most_tokens);
      if (over == 0 || prompt_.fit().items.empty()) return std::move(prompt_);
      if (budget > 0) {
        budget = Less(std::min(budget, prompt_.fit().tokens), over);
      } else if (min > 1) {
        --min;
      } else {
        return std::move(prompt_);
      }
    }
  }

 private:
  void Build(std::string_view story) {
    ScenePromptParts parts = request_.parts;
    parts.story = story;
    parts.format = prompt_.format;
    parts.story_first = prompt_.story_first;
    prompt_.messages = ProjectScene(request_.story, parts);
    prompt_.tokens = runner_.prompts().Build(prompt_.messages);
  }

  // What the rest of the prompt leaves, and the params allow.
  std::size_t Budget() {
    Build("\n");
    const std::size_t rest = prompt_.tokens.ids.size();
    std::size_t room = Less(request_.most_tokens, rest);
    if (prompt_.story_first) {
      const std::size_t before = prompt_.tokens.message_begin.at(1);
      const std::size_t step = std::max<std::size_t>(
          static_cast<std::size_t>(runner_.context_size()) / kReserveSteps, 1);
      const std::size_t steps = (rest - before + step - 1) / step;
      const std::size_t reserved = before + steps * step;
      if (reserved < request_.most_tokens) room = request_.most_tokens - reserved;
    }
    if (request_.most_of_story > 0) room = std::min(room, request_.most_of_story);
    const auto most = static_cast<std::size_t>(history_.max_budget);
    return most > 0 ? std::min(most, room) : room;
  }

  KeptFits::Choice Choose(std::size_t budget, std::size_t min) {
    const StoryLayout layout{prompt_.format, history_.time_labels,
                             request_.story.now()};
    const auto count_tokens = [this](const std::string& text) {
      return runner_.prompts().CountTokens(text);
    };
    const BestFitLimits limits{budget, min,
                               static_cast<std::size_t>(history_.max_dialogue)};
    if (prompt_.keeps_choice) {
      return request_.kept.Choose(request_.story, layout, limits, count_tokens);
    }
    const FormattedStory story(request_.story, layout, count_tokens);
    KeptFit chosen{limits, layout, {}};
    if (history_.best_fit) {
      chosen.fit = BestFit(story, limits);
    } else {
      chosen.fit = RatioFit(
          story,
          {.budget = budget,
           .dialogue_percent = static_cast<std::size_t>(history_.dialogue_ratio),
           .detail_percent = static_cast<std::size_t>(history_.summary_detail_ratio),
           .enforce_boundary = history_.enforce_summary_boundary});
    }
    return {nullptr, std::make_shared<KeptFit>(std::move(chosen))};
  }

  ModelRunner& runner_;
  const StoryRequest& request_;
  const HistoryParams& history_;
  StoryPrompt prompt_;
};

}  // namespace

bool PutsStoryFirst(const StoryParams& params, const Model& model) {
  if (params.prompt_caching == PromptCaching::Auto) return model.caches_prompts();
  return params.prompt_caching == PromptCaching::On;
}

StoryPrompt FitStory(ModelRunner& runner, const StoryRequest& request) {
  return StoryFitter(runner, request).Fit();
}

}  // namespace talefold
