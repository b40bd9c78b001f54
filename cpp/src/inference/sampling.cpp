#include <optional>

#include "inference/model.h"

namespace talefold {
namespace {

template <typename T>
void Override(std::optional<T>& value, const std::optional<T>& over) {
  if (over) value = over;
}

}  // namespace

SamplingOverrides MergeSampling(const SamplingOverrides& base,
                                const SamplingOverrides& over) {
  SamplingOverrides merged = base;
  Override(merged.temperature, over.temperature);
  Override(merged.top_p, over.top_p);
  Override(merged.top_k, over.top_k);
  Override(merged.min_p, over.min_p);
  Override(merged.max_tokens, over.max_tokens);
  Override(merged.seed, over.seed);
  Override(merged.repeat_penalty, over.repeat_penalty);
  Override(merged.repeat_last_n, over.repeat_last_n);
  Override(merged.presence_penalty, over.presence_penalty);
  Override(merged.frequency_penalty, over.frequency_penalty);
  Override(merged.dry_multiplier, over.dry_multiplier);
  Override(merged.dry_base, over.dry_base);
  Override(merged.dry_allowed_length, over.dry_allowed_length);
  Override(merged.dry_penalty_last_n, over.dry_penalty_last_n);
  Override(merged.stop, over.stop);
  return merged;
}

}  // namespace talefold
