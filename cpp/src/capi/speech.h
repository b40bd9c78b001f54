// Speech backends that the host wrote against the C interface.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <string>

#include "talefold/speech.h"
#include "talefold/talefold.h"

namespace talefold::capi {

// A sentence being voiced, which the host has a handle of. Any thread may call it.
class SpeechCall {
 public:
  SpeechCall(const AudioSink& sink, const SpeechStop& stop)
      : sink_(&sink), stop_(&stop) {}

  // False: stop, nobody wants more. Also after End.
  bool Give(std::int32_t sample_rate, std::span<const std::int16_t> samples);
  bool stopped();
  // Nothing is given from then on; waits for a Give.
  void End();

 private:
  std::mutex mutex_;
  const AudioSink* sink_;  // nullptr after End
  const SpeechStop* stop_;
};

class HostSpeech final : public SpeechBackend {
 public:
  // Throws InvalidArgument for a backend without `synthesize`.
  explicit HostSpeech(const talefold_speech_backend& backend);
  ~HostSpeech() override;
  HostSpeech(const HostSpeech&) = delete;
  HostSpeech& operator=(const HostSpeech&) = delete;

  void CheckVoice(const std::string& voice, std::int32_t speaker_id) override;
  void Synthesize(const SpeechRequest& request, const AudioSink& sink,
                  const SpeechStop& stop) override;

 private:
  const talefold_speech_backend backend_;
};

}  // namespace talefold::capi
