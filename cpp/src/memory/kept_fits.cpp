#include "memory/kept_fits.h"

namespace talefold {

KeptFits::Choice KeptFits::Choose(
    const SceneStory& story, const StoryLayout& layout, const BestFitLimits& limits,
    const FormattedStory::CountTokens& count_tokens) const {
  for (auto kept = fits_.rbegin(); kept != fits_.rend(); ++kept) {
    StoryLayout same = layout;
    same.labels_at = (*kept)->layout.labels_at;
    if ((*kept)->limits != limits || (*kept)->layout != same) continue;
    const FormattedStory formatted(story, same, count_tokens);
    if (auto fit = ExtendFit(formatted, limits, (*kept)->fit)) {
      return {*kept, std::make_shared<KeptFit>(KeptFit{limits, same, *std::move(fit)})};
    }
  }
  const StoryFit none;
  const FormattedStory formatted(story, layout, count_tokens);
  return {nullptr, std::make_shared<KeptFit>(
                       KeptFit{limits, layout, BestFit(formatted, limits, &none)})};
}

void KeptFits::Keep(const Choice& choice) {
  std::erase(fits_, choice.before);
  fits_.push_back(choice.chosen);
  if (fits_.size() > kMost) fits_.erase(fits_.begin());
}

}  // namespace talefold
