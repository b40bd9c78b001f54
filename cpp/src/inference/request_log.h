// The requests a model records.
#pragma once

#include <mutex>
#include <utility>
#include <vector>

#include "inference/model.h"

namespace talefold {

// Any thread. Owned by a model.
class RequestLog {
 public:
  void Add(const GenerationRequest& request, std::vector<Token> cached_tokens,
           std::vector<float> next_logits = {}) {
    RecordedRequest record;
    record.node = request.node;
    for (const ChatMessage& message : request.messages) {
      record.messages.emplace_back(RoleName(message.role), message.text);
    }
    record.prompt_tokens.assign(request.prompt.begin(), request.prompt.end());
    record.cached_tokens = std::move(cached_tokens);
    record.next_logits = std::move(next_logits);
    record.max_tokens = request.max_tokens;
    record.seed = request.seed;
    record.sampling = request.sampling;
    record.grammar = request.grammar;
    std::lock_guard lock(mutex_);
    records_.push_back(std::move(record));
  }

  std::vector<RecordedRequest> all() const {
    std::lock_guard lock(mutex_);
    return records_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<RecordedRequest> records_;  // guarded by mutex_
};

}  // namespace talefold
