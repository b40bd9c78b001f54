// A speech backend written in Python.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "convert.h"
#include "talefold/speech.h"

namespace talefold::python {

// What Python sees of one call of Synthesize. Used with the GIL held; once the call has
// returned it is stopped, and takes nothing.
class SpeechCall {
 public:
  SpeechCall(const AudioSink& sink, const SpeechStop& stop)
      : sink_(&sink), stop_(&stop) {}

  // `samples`: a buffer of 16-bit integers, or of bytes that make up such. TypeError
  // for anything else. False when the backend must stop. On the thread of the call.
  bool Give(std::int64_t sample_rate, const py::buffer& samples);
  // Any Python thread.
  bool stopped() const { return !stop_ || (*stop_)(); }
  void End() { sink_ = nullptr, stop_ = nullptr; }

 private:
  const AudioSink* sink_;
  const SpeechStop* stop_;
};

// Calls an object with the methods check_voice(voice, speaker_id) and synthesize(call,
// text, voice, speaker_id, speed). What they raise becomes an Error: a TalefoldError
// itself, SpeechFailed for the rest; what is no Exception, such as KeyboardInterrupt,
// leaves CheckVoice as it is.
class PythonSpeech final : public SpeechBackend {
 public:
  // With the GIL held.
  explicit PythonSpeech(py::object backend) : backend_(std::move(backend)) {}

  void CheckVoice(const std::string& voice, std::int32_t speaker_id) override;
  void Synthesize(const SpeechRequest& request, const AudioSink& sink,
                  const SpeechStop& stop) override;

 private:
  HeldObject backend_;
};

}  // namespace talefold::python
