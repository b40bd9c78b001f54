// Text that is still being written -> audio of its sentences.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/cancel_token.h"
#include "speech/sentence_splitter.h"
#include "talefold/error.h"
#include "talefold/speech.h"

namespace talefold {

struct SpeechSettings {
  std::string voice = {};
  std::int32_t speaker_id = 0;
  double speed = 1.0;
  std::size_t min_sentence_chars = 12;
};

struct SpokenAudio {
  std::int32_t sample_rate = 0;
  std::vector<std::int16_t> samples;  // at most a second, not none
  std::string sentence;               // set on the first of a sentence
};

// What came of it.
struct SpeechReport {
  // The text up to the end of the last sentence of which something could be heard.
  std::string spoken = {};
  std::int64_t sentences = 0;  // heard, at least in part
  std::int64_t samples = 0;
  std::int32_t sample_rate = 0;
  std::optional<std::chrono::steady_clock::time_point> first_audio = {};
  std::optional<Error> error = {};  // ended the speech; a stop is none
};

// Speaks for one execution of a node. Feed, Finish and the destructor are called by the
// turn's worker; the audio goes to the sink on a thread of the pump's own, which lives
// from the first sentence to Finish or the destructor, and speaks while the worker goes
// on. A cancel of the turn ends the speech at once.
//
// A failure ends the speech, and nothing else. What waits to be spoken is never more
// than the text that was fed.
class SpeechPump {
 public:
  using Sink = std::function<void(SpokenAudio)>;

  SpeechPump(std::shared_ptr<SpeechBackend> backend, SpeechSettings settings,
             const CancelToken& cancel, Sink sink);
  ~SpeechPump();  // stops what is still spoken
  SpeechPump(const SpeechPump&) = delete;
  SpeechPump& operator=(const SpeechPump&) = delete;

  // UTF-8 that ends with a whole code point. Never waits.
  void Feed(std::string_view piece);
  // No more text comes: waits until the rest has been spoken.
  SpeechReport Finish();
  // No more speech is wanted: waits for the thread, and for no sentence.
  SpeechReport Stop();

 private:
  // Adds what one call of the backend makes.
  class Sentence;

  void Queue(std::vector<std::string> sentences);
  SpeechReport End(bool stop);
  void Speak();
  std::optional<std::string> NextSentence();
  void Voice(const std::string& sentence);
  bool Stopped() const;
  void Fail(Error error);

  const std::shared_ptr<SpeechBackend> backend_;
  const SpeechSettings settings_;
  const CancelToken& cancel_;
  const Sink sink_;
  SentenceSplitter splitter_;  // of the worker
  std::thread thread_;         // of the worker

  mutable std::mutex mutex_;  // guards everything below
  std::condition_variable changed_;
  std::deque<std::string> waiting_;
  bool ended_ = false;    // no more sentences come
  bool stopped_ = false;  // nobody wants more
  std::string unheard_;   // the text of sentences taken since the last one heard
  SpeechReport report_;
};

}  // namespace talefold
