// What Speak and GenerateAndSpeak share: a voice, and what one turn says with it.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "nodes/node.h"
#include "speech/speech_pump.h"

namespace talefold {

// The voice of a node. Owned by it; same thread rule.
class Speaker {
 public:
  // Throws SpeechUnavailable when the host set no backend.
  Speaker(const std::string& node, const NodeEnvironment& environment);

  // Asks the backend for the voice; throws what that says of it.
  template <typename Params>
  void CheckVoice(const Params& params) const {
    VoiceCheck(params)();
  }
  // The same, to be done later; empty for the voice that the node has.
  template <typename Params>
  std::function<void()> VoiceCheck(const Params& params) const {
    return CheckOf(SettingsOf(params));
  }
  // Of a voice that was checked.
  template <typename Params>
  void UseParams(const Params& params) {
    settings_ = SettingsOf(params);
  }

 private:
  friend class Utterance;

  template <typename Params>
  static SpeechSettings SettingsOf(const Params& params) {
    return {params.tts_voice, params.speaker_id, params.speed,
            static_cast<std::size_t>(params.min_sentence_chars)};
  }
  std::function<void()> CheckOf(const SpeechSettings& settings) const;

  const std::string node_;
  const std::shared_ptr<SpeechBackend> backend_;
  std::optional<SpeechSettings> settings_;
};

// What a node says in one turn: text in, audio_chunk events out. Lives on the stack of
// the turn's worker; going away, it stops what is still spoken.
class Utterance {
 public:
  Utterance(const Speaker& speaker, TurnContext& turn);

  // Never waits.
  void Say(std::string_view piece);
  // Waits until everything has been said, or the turn is to stop.
  void Finish();
  // Says no more of it. Returns the text that could be heard, up to the end of its last
  // sentence; when that is none, another text may begin.
  std::string Cut();

 private:
  void Report(const SpeechReport& report);

  const Speaker& speaker_;
  TurnContext& turn_;
  const std::chrono::steady_clock::time_point start_;
  std::optional<SpeechPump> pump_;  // from the first piece
};

}  // namespace talefold
