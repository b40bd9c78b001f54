#include "speech/speech_pump.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/text.h"
#include "base/unicode.h"

namespace talefold {
namespace {

constexpr std::int64_t kLongestSentence = 600;  // seconds; a backend went astray

// There is something to pronounce; not so for white space, emoji and lone marks.
bool IsSpeakable(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    if (IsWordCharacter(NextCodePoint(text, at))) return true;
  }
  return false;
}

// What a backend throws, as an error of speech.
std::optional<Error> CatchSpeechError(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    const bool known = error.code() == ErrorCode::SpeechFailed ||
                       error.code() == ErrorCode::SpeechUnavailable;
    return Error(known ? error.code() : ErrorCode::SpeechFailed, error.message(),
                 error.hint());
  } catch (const std::exception& error) {
    return Error(ErrorCode::SpeechFailed,
                 std::string("the speech backend threw: ") + error.what());
  } catch (...) {
    return Error(ErrorCode::SpeechFailed,
                 "the speech backend threw an exception of unknown type");
  }
  return std::nullopt;
}

Error BadRate(std::int32_t rate) {
  return Error(ErrorCode::SpeechFailed,
               "the speech backend gave audio of " + std::to_string(rate) +
                   " samples per second; allowed " + std::to_string(kMinSampleRate) +
                   " to " + std::to_string(kMaxSampleRate));
}

Error ChangedRate(std::int32_t before, std::int32_t after) {
  return Error(ErrorCode::SpeechFailed,
               "the speech backend changed from " + std::to_string(before) + " to " +
                   std::to_string(after) +
                   " samples per second; allowed is one rate for a voice");
}

Error EndlessSentence() {
  return Error(ErrorCode::SpeechFailed, "the speech backend gave more than " +
                                            std::to_string(kLongestSentence) +
                                            " seconds of audio for one sentence");
}

}  // namespace

// On the pump's thread.
class SpeechPump::Sentence {
 public:
  Sentence(SpeechPump& pump, std::string text) : pump_(pump), text_(std::move(text)) {}

  // False when the backend must stop. Throws nothing at it: its code need not be
  // prepared for that.
  bool Add(std::int32_t rate, std::span<const std::int16_t> samples) {
    const std::optional<Error> error = CatchSpeechError([&] {
      CheckRate(rate);
      const auto second = static_cast<std::size_t>(rate);
      while (!samples.empty() && !pump_.Stopped()) {
        Give(rate, samples.first(std::min(second, samples.size())));
        samples = samples.subspan(std::min(second, samples.size()));
      }
    });
    if (error) pump_.Fail(*error);
    return !pump_.Stopped();
  }

 private:
  void CheckRate(std::int32_t rate) {
    if (rate < kMinSampleRate || rate > kMaxSampleRate) throw BadRate(rate);
    std::lock_guard lock(pump_.mutex_);
    std::int32_t& known = pump_.report_.sample_rate;
    if (known != 0 && known != rate) throw ChangedRate(known, rate);
    known = rate;
  }

  void Give(std::int32_t rate, std::span<const std::int16_t> samples) {
    const auto length = static_cast<std::int64_t>(samples.size());
    if (samples_ + length > kLongestSentence * rate) throw EndlessSentence();
    SpokenAudio audio{rate, {samples.begin(), samples.end()}, {}};
    {
      std::lock_guard lock(pump_.mutex_);
      SpeechReport& report = pump_.report_;
      if (!report.first_audio) report.first_audio = std::chrono::steady_clock::now();
      report.samples += length;
      report.spoken += std::exchange(pump_.unheard_, {});
      if (samples_ == 0) ++report.sentences;
    }
    if (samples_ == 0) audio.sentence = text_;
    samples_ += length;
    pump_.sink_(std::move(audio));
  }

  SpeechPump& pump_;
  const std::string text_;
  std::int64_t samples_ = 0;
};

SpeechPump::SpeechPump(std::shared_ptr<SpeechBackend> backend, SpeechSettings settings,
                       const CancelToken& cancel, Sink sink)
    : backend_(std::move(backend)),
      settings_(std::move(settings)),
      cancel_(cancel),
      sink_(std::move(sink)),
      splitter_(settings_.min_sentence_chars) {}

SpeechPump::~SpeechPump() { Stop(); }

void SpeechPump::Feed(std::string_view piece) { Queue(splitter_.Feed(piece)); }

SpeechReport SpeechPump::Finish() {
  Queue(splitter_.Flush());
  return End(/*stop=*/false);
}

SpeechReport SpeechPump::Stop() { return End(/*stop=*/true); }

void SpeechPump::Queue(std::vector<std::string> sentences) {
  if (sentences.empty()) return;
  {
    std::lock_guard lock(mutex_);
    if (report_.error) return;
    std::ranges::move(sentences, std::back_inserter(waiting_));
    changed_.notify_one();
  }
  if (thread_.joinable()) return;
  const auto error =
      CatchSpeechError([this] { thread_ = std::thread([this] { Speak(); }); });
  if (error) Fail(*error);
}

SpeechReport SpeechPump::End(bool stop) {
  {
    std::lock_guard lock(mutex_);
    ended_ = true;
    stopped_ = stopped_ || stop;
    changed_.notify_one();
  }
  if (thread_.joinable()) thread_.join();
  std::lock_guard lock(mutex_);
  return report_;
}

void SpeechPump::Speak() {
  while (const std::optional<std::string> sentence = NextSentence()) {
    const std::string text(TrimWhitespace(*sentence));
    if (IsSpeakable(text)) Voice(text);
  }
}

// Waits for one; nothing when there will be none.
std::optional<std::string> SpeechPump::NextSentence() {
  if (Stopped()) return std::nullopt;
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return ended_ || !waiting_.empty(); });
  if (waiting_.empty() || stopped_) return std::nullopt;
  std::string sentence = std::move(waiting_.front());
  waiting_.pop_front();
  unheard_ += sentence;
  return sentence;
}

void SpeechPump::Voice(const std::string& sentence) {
  const SpeechRequest request{sentence, settings_.voice, settings_.speaker_id,
                              settings_.speed};
  Sentence audio(*this, sentence);
  const auto error = CatchSpeechError([&] {
    backend_->Synthesize(
        request,
        [&audio](std::int32_t rate, std::span<const std::int16_t> samples) {
          return audio.Add(rate, samples);
        },
        [this] { return Stopped(); });
  });
  if (error) Fail(*error);
}

bool SpeechPump::Stopped() const {
  if (cancel_.requested()) return true;
  std::lock_guard lock(mutex_);
  return stopped_ || report_.error;
}

// What fails because it was stopped has not failed.
void SpeechPump::Fail(Error error) {
  if (Stopped()) return;
  std::lock_guard lock(mutex_);
  report_.error = std::move(error);
  waiting_.clear();
}

}  // namespace talefold
