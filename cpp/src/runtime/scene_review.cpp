// What a character's next prompt shows of the story, before it is asked for.
#include "graph/params/history_fields.h"
#include "nodes/support/history_node.h"
#include "runtime/scene_impl.h"
#include "runtime/scene_overrides.h"

namespace talefold {

namespace {

// Throws InvalidParamValue.
StoryParams WithTried(StoryParams params, const std::string& history) {
  if (history.empty()) return params;
  std::vector<GraphProblem> problems;
  ReadStruct(StructDescriptorOf<HistoryParams>(),
             ParseJson(history, ErrorCode::InvalidParamValue, "history"), "", "history",
             &params.history, problems);
  ThrowIfInvalid(problems);
  return params;
}

StoryReview ReviewOf(const StoryPrompt& prompt) {
  const StoryFit& fit = prompt.fit();
  StoryReview review;
  review.tokens = static_cast<std::int64_t>(fit.tokens);
  review.budget = static_cast<std::int64_t>(prompt.budget);
  review.text = JoinStory(fit);
  for (const ShownItem& item : fit.items) {
    const auto level = static_cast<std::int64_t>(item.level);
    if (review.sections.empty() || review.sections.back().level != level) {
      StorySection& section = review.sections.emplace_back();
      section.level = level;
      section.incomplete = review.sections.size() == 1 && fit.incomplete;
      if (!fit.budgets.empty()) {
        section.budget = static_cast<std::int64_t>(fit.budgets[item.level]);
      }
    }
    StorySection& section = review.sections.back();
    const auto tokens = static_cast<std::int64_t>(item.tokens);
    section.texts.push_back({item.id, item.text, tokens});
    section.tokens += tokens;
  }
  return review;
}

}  // namespace

// Call with mutex_ held and no turn of the character's running. What one node cannot
// take does not keep the character from its turn.
void Scene::Impl::ApplyCharacterOverrides(Character& character) {
  if (character.overrides == overrides_version_) return;
  character.overrides = overrides_version_;
  for (const GraphNode& node : character.description.nodes()) {
    const auto error = CatchError([&] {
      const AnyNodeParams params = WithOverrides(node, state_.overrides);
      character.graph->CheckParams(node.name, params);
      character.graph->ChangeParams(node.name, params, {});
    });
    if (!error) continue;
    engine_->logger().Log(LogLevel::Warning, "scene",
                          "a setting of the scene is left out for node '" + node.name +
                              "' of '" + character.name + "': " + error->what());
  }
}

StoryReview Scene::Impl::Review(const std::string& name, const std::string& history) {
  CheckMessage(history, "history");
  const Lock lock = LockOpen();
  Character& character = FindCharacter(name);
  CheckIdle(character);
  ApplyCharacterOverrides(character);
  const auto past = MakeHistory(character, state_.timeline.size(), "");
  Interaction current;
  current.user = past->open_text();
  for (const auto& node : character.graph->nodes()) {
    const auto* shows = dynamic_cast<const HistoryNode*>(node.get());
    if (!shows) continue;
    const StoryParams params = WithTried(shows->prompt().story_params(), history);
    return ReviewOf(shows->prompt().Review(*past, current, params, fits_));
  }
  throw Error(ErrorCode::InvalidArgument, "no node of '" + name + "' shows the story",
              "give its graph a Generate, GenerateAndSpeak or ToolCall node");
}

StoryReview Scene::Review(const std::string& character, const std::string& history) {
  return impl_->Review(character, history);
}

}  // namespace talefold
