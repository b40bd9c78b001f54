#include "inference/reasoning_tags.h"

#include "base/text.h"

namespace talefold {

namespace {

struct KnownTags {
  std::string_view open, close;
};

constexpr KnownTags kKnownTags[] = {
    {"<think>", "</think>"},      // DeepSeek-R1, QwQ, Qwen3, GLM-4.5, SmolLM3, ...
    {"[THINK]", "[/THINK]"},      // Magistral 1.2; control tokens
    {"<thought>", "</thought>"},  // EXAONE Deep
    {"<seed:think>", "</seed:think>"},            // Seed-OSS
    {"<|START_THINKING|>", "<|END_THINKING|>"},   // Command A Reasoning; control
    {"<|inner_prefix|>", "<|inner_suffix|>"},     // Apertus; control
    {"\u25C1think\u25B7", "\u25C1/think\u25B7"},  // Kimi-VL Thinking
    {"<reasoning>", "</reasoning>"},              // GRPO tutorials
};

}  // namespace

// By the closing tag: it is what templates cut the reasoning of earlier turns off with,
// also those that never write the opening one.
std::optional<ReasoningTags> FindReasoningTags(std::string_view chat_template,
                                               std::string_view prompt) {
  for (const KnownTags& tags : kKnownTags) {
    if (chat_template.find(tags.close) == chat_template.npos) continue;
    return ReasoningTags{std::string(tags.open), std::string(tags.close),
                         TrimWhitespace(prompt).ends_with(tags.open)};
  }
  return std::nullopt;
}

}  // namespace talefold
