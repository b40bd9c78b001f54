// The prompt of a scene's character: its story inside the room that the rest leaves.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "memory/kept_fits.h"
#include "memory/scene_projection.h"
#include "nodes/support/model_runner.h"

namespace talefold {

// How a node shows a scene's story; from its params.
struct StoryParams {
  HistoryParams history = {};
  PromptCaching prompt_caching = PromptCaching::Auto;
};

bool PutsStoryFirst(const StoryParams& params, const Model& model);

struct StoryPrompt {
  std::vector<ChatMessage> messages;
  TokenizedPrompt tokens;
  KeptFits::Choice choice;  // what it shows; to be kept once the reply is there
  bool keeps_choice = false;
  std::size_t budget = 0;  // tokens
  SceneFormat format = SceneFormat::Screenplay;
  bool story_first = false;

  const StoryFit& fit() const { return choice.chosen->fit; }
};

struct StoryRequest {
  const SceneStory& story;
  ScenePromptParts parts;  // `story`, `format` and `story_first` are filled in
  StoryParams params;
  const KeptFits& kept;
  std::size_t most_tokens = 0;    // of the prompt
  std::size_t most_of_story = 0;  // tokens; 0 = no limit beside the others
};

// As much of the story as its params and `most_tokens` allow; the guaranteed messages
// too may go beyond the budget, not beyond `most_tokens`. Too long all the same when
// the rest is.
StoryPrompt FitStory(ModelRunner& runner, const StoryRequest& request);

}  // namespace talefold
