// What a host supplies so that characters speak.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace talefold {

struct SpeechRequest {
  std::string text;             // one sentence, UTF-8; data, never markup
  std::string voice = {};       // empty = the backend's default
  std::int32_t speaker_id = 0;  // of a voice with several speakers; >= 0
  double speed = 1.0;           // 0.1 to 3.0; 2.0 = twice as fast
};

// Samples per second.
inline constexpr std::int32_t kMinSampleRate = 1000;
inline constexpr std::int32_t kMaxSampleRate = 384'000;

// Takes the next samples of a sentence: one channel, `sample_rate` a second, the same
// for all sentences of a voice. False: stop, nobody wants more.
using AudioSink =
    std::function<bool(std::int32_t sample_rate, std::span<const std::int16_t>)>;

// Whether synthesis must stop. Any thread may ask, until Synthesize has returned.
using SpeechStop = std::function<bool()>;

// Text to speech. Shared by the engine and the agents made while it was set, and
// destroyed by whichever of them goes last, on that one's thread. Must not call the
// engine, its agents or their turns.
class SpeechBackend {
 public:
  virtual ~SpeechBackend() = default;

  // Called when an agent is made, once for each of its nodes that speak, on the thread
  // that makes it. Throws InvalidParamValue, naming the allowed voices, or
  // SpeechUnavailable, with what to install.
  virtual void CheckVoice(const std::string& voice, std::int32_t speaker_id) = 0;

  // Voices a sentence: hands its audio to `sink` as soon as there is some, and returns
  // at its end. Returns soon after `sink` returned false or `stop` is true: the turn
  // waits for it. Called on a thread of the turn, one sentence at a time; the turns of
  // several agents call at the same time. What it throws ends the speech of the node,
  // not the turn.
  virtual void Synthesize(const SpeechRequest& request, const AudioSink& sink,
                          const SpeechStop& stop) = 0;
};

}  // namespace talefold
