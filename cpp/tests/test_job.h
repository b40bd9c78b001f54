// A job of the compute lane that takes the likeliest tokens of a fake decoder.
#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <stdexcept>
#include <utility>

#include "fake_decoder.h"
#include "inference/lane_job.h"
#include "token_lists.h"

namespace talefold::testing {

// What any request must answer, whatever else happened.
inline Ids Answer(Ids prompt, std::size_t size) {
  Ids reply;
  for (; reply.size() < size; prompt.push_back(reply.back())) {
    reply.push_back(FakeDecoder::NextToken(prompt));
  }
  return reply;
}

struct TestJob final : LaneJob {
  TestJob(std::shared_ptr<KvState> kv, Ids prompt, std::size_t reply_size = 3)
      : max(reply_size) {
    node = "talk";
    state = std::move(kv);
    tokens = std::move(prompt);
    prompt_size = tokens.size();
    context_size = static_cast<std::size_t>(state->spec->slot_size);
    cancel = &stop;
  }

  std::optional<Token> Next(std::span<const float> logits) override {
    if (reply.size() == throw_at) throw std::runtime_error("sink");
    const auto likeliest = std::ranges::max_element(logits);
    reply.push_back(static_cast<Token>(likeliest - logits.begin()));
    if (reply.size() == max) return std::nullopt;
    return reply.back();
  }

  Ids prompt() const {
    return {tokens.begin(), tokens.begin() + std::ptrdiff_t(prompt_size)};
  }

  void SetBackground(bool background) {
    waits_for_nobody = background;
    in_background = &waits_for_nobody;
  }

  CancelToken stop;
  std::atomic<bool> waits_for_nobody = false;
  std::size_t max;
  std::size_t throw_at = 1000000;
  Ids reply;
};

// Makes a state begin with `prompt`, in the background.
struct TestPrepare final : LaneJob {
  TestPrepare(std::shared_ptr<KvState> kv, Ids prompt) {
    node = "talk";
    spare = std::make_shared<KvState>(kv->spec, kv->adapters);
    state = std::move(kv);
    tokens = std::move(prompt);
    prompt_size = tokens.size();
    context_size = static_cast<std::size_t>(state->spec->slot_size);
    cancel = &stop;
    in_background = &waits_for_nobody;
  }

  std::optional<Token> Next(std::span<const float>) override { return std::nullopt; }

  CancelToken stop;
  std::atomic<bool> waits_for_nobody = true;
};

}  // namespace talefold::testing
