// Speech backends for tests.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "talefold/speech.h"

namespace talefold {

// Remembers what it was asked, and does what it is told: by default it gives one sample
// for each byte of the text.
class FakeSpeech final : public SpeechBackend {
 public:
  using Script =
      std::function<void(const SpeechRequest&, const AudioSink&, const SpeechStop&)>;

  explicit FakeSpeech(Script script = GiveLength) : script_(std::move(script)) {}

  static void GiveLength(const SpeechRequest& request, const AudioSink& sink,
                         const SpeechStop&) {
    sink(8000, std::vector<std::int16_t>(request.text.size(), 1));
  }

  void CheckVoice(const std::string&, std::int32_t) override {}

  void Synthesize(const SpeechRequest& request, const AudioSink& sink,
                  const SpeechStop& stop) override {
    {
      std::lock_guard lock(mutex_);
      requests_.push_back(request);
    }
    script_(request, sink, stop);
  }

  std::vector<SpeechRequest> requests() const {
    std::lock_guard lock(mutex_);
    return requests_;
  }

 private:
  const Script script_;
  mutable std::mutex mutex_;
  std::vector<SpeechRequest> requests_;
};

}  // namespace talefold
