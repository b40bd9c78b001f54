#include "capi/speech.h"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

#include "capi/border.h"
#include "capi/objects.h"

namespace talefold::capi {

namespace {

// Of what a function of the host returned: it made the error the thread's newest.
void ThrowIfFailed(std::int32_t returned, std::string_view function) {
  if (returned == TALEFOLD_OK) return;
  const Error* error = State().error.get();
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
  if (sample_rate < kMinSampleRate || sample_rate > kMaxSampleRate) {
    throw Error(ErrorCode::InvalidArgument,
                "sample_rate: " + std::to_string(sample_rate) +
                    " is out of range; allowed " + std::to_string(kMinSampleRate) +
                    " to " + std::to_string(kMaxSampleRate));
  }
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

HostFunctions::HostFunctions(const talefold_speech_backend& backend)
    : backend_(backend) {
  if (!backend.synthesize) FailNull("backend.synthesize", "pass a function");
}

void HostFunctions::Enter() {
  const std::lock_guard lock(mutex_);
  if (ended_) throw Error(ErrorCode::EngineClosed, "the engine was destroyed");
  ++running_;
}

void HostFunctions::Leave(HostFunctions* functions) {
  const std::lock_guard lock(functions->mutex_);
  --functions->running_;
  functions->left_.notify_all();
}

void HostFunctions::End() {
  {
    std::unique_lock lock(mutex_);
    ended_ = true;
    left_.wait(lock, [this] { return running_ == 0; });
  }
  std::call_once(released_, [this] {
    const CallbackScope scope;
    if (backend_.release) backend_.release(backend_.user);
  });
}

void HostFunctions::Disown() { backend_.release = nullptr; }

void HostSpeech::CheckVoice(const std::string& voice, std::int32_t speaker_id) {
  functions_->Run([&](const talefold_speech_backend& backend) {
    if (!backend.check_voice) return;
    const CallbackScope scope;
    ThrowIfFailed(backend.check_voice(backend.user, View(voice), speaker_id),
                  "check_voice");
  });
}

void HostSpeech::Synthesize(const SpeechRequest& request, const AudioSink& sink,
                            const SpeechStop& stop) {
  functions_->Run([&](const talefold_speech_backend& backend) {
    const CallbackScope scope;
    const OpenCall call(sink, stop);
    const talefold_speech_request asked{.size = sizeof(talefold_speech_request),
                                        .text = View(request.text),
                                        .voice = View(request.voice),
                                        .speaker_id = request.speaker_id,
                                        .speed = request.speed};
    ThrowIfFailed(backend.synthesize(backend.user, &asked, call.handle), "synthesize");
  });
}

void SpeechBackends::Set(Engine& engine, const talefold_speech_backend* backend) {
  std::shared_ptr<HostFunctions> functions;
  std::shared_ptr<SpeechBackend> speech;
  if (backend) {
    functions = std::make_shared<HostFunctions>(*backend);
    speech = std::make_shared<HostSpeech>(functions);
  }
  try {
    // The one before may be released by its end here, which must not be under the lock.
    std::shared_ptr<SpeechBackend> before = speech;
    const std::lock_guard lock(mutex_);
    if (ended_) throw Error(ErrorCode::EngineClosed, "the engine was destroyed");
    std::erase_if(given_, [](const auto& each) { return each.expired(); });
    given_.push_back(functions);
    engine.SetSpeechBackend(speech);
    before.swap(newest_);
  } catch (...) {
    if (functions) functions->Disown();
    throw;
  }
}

void SpeechBackends::End() {
  std::shared_ptr<SpeechBackend> newest;
  std::vector<std::weak_ptr<HostFunctions>> given;
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    newest.swap(newest_);
    given.swap(given_);
  }
  for (const auto& each : given) {
    if (const auto functions = each.lock()) functions->End();
  }
}

}  // namespace talefold::capi
