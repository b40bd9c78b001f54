#include "capi/speech.h"

#include <algorithm>
#include <memory>

#include "capi/border.h"
#include "capi/objects.h"

namespace talefold::capi {

namespace {

// Of what a function of the host returned: it made the error the thread's newest.
void ThrowIfFailed(std::int32_t returned, std::string_view function) {
  if (returned == TALEFOLD_OK) return;
  const std::optional<Error>& error = LastFailure().error;
  if (error && static_cast<std::int32_t>(error->code()) == returned) throw *error;
  throw Error(ErrorCode::SpeechFailed,
              std::string(function) + " of the speech backend returned " +
                  std::to_string(returned),
              "return what `fail` returns, to say why");
}

// A call that the host has a handle of, until it returns.
struct OpenCall {
  OpenCall(const AudioSink& sink, const SpeechStop& stop)
      : call(std::make_shared<SpeechCall>(sink, stop)),
        handle(SpeechCalls().Add(call)) {}
  ~OpenCall() {
    call->End();
    SpeechCalls().Take(handle);
  }
  OpenCall(const OpenCall&) = delete;
  OpenCall& operator=(const OpenCall&) = delete;

  const std::shared_ptr<SpeechCall> call;
  const talefold_speech handle;
};

}  // namespace

bool SpeechCall::Give(std::int32_t sample_rate, std::span<const std::int16_t> samples) {
  const std::lock_guard lock(mutex_);
  return sink_ && (*sink_)(sample_rate, samples);
}

bool SpeechCall::stopped() {
  const std::lock_guard lock(mutex_);
  return !stop_ || (*stop_)();
}

void SpeechCall::End() {
  const std::lock_guard lock(mutex_);
  sink_ = nullptr;
  stop_ = nullptr;
}

HostSpeech::HostSpeech(const talefold_speech_backend& backend) : backend_(backend) {
  if (!backend.synthesize) FailNull("backend.synthesize");
}

HostSpeech::~HostSpeech() {
  const CallbackScope scope;
  if (backend_.release) backend_.release(backend_.user);
}

void HostSpeech::CheckVoice(const std::string& voice, std::int32_t speaker_id) {
  if (!backend_.check_voice) return;
  const CallbackScope scope;
  LastFailure() = {};
  ThrowIfFailed(backend_.check_voice(backend_.user, View(voice), speaker_id),
                "check_voice");
}

void HostSpeech::Synthesize(const SpeechRequest& request, const AudioSink& sink,
                            const SpeechStop& stop) {
  const CallbackScope scope;
  const OpenCall call(sink, stop);
  const talefold_speech_request asked{.size = sizeof(talefold_speech_request),
                                      .text = View(request.text),
                                      .voice = View(request.voice),
                                      .speaker_id = request.speaker_id,
                                      .speed = request.speed};
  LastFailure() = {};
  const std::int32_t returned = backend_.synthesize(backend_.user, &asked, call.handle);
  ThrowIfFailed(returned, "synthesize");
}

}  // namespace talefold::capi
