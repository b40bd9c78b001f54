// Speech backends that the host wrote against the C interface.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "talefold/engine.h"
#include "talefold/speech.h"
#include "talefold/talefold.h"

namespace talefold::capi {

// A sentence being voiced, which the host has a handle of. Any thread may call it.
class SpeechCall {
 public:
  SpeechCall(const AudioSink& sink, const SpeechStop& stop)
      : sink_(&sink), stop_(&stop) {}

  // False: stop, nobody wants more. Also after End. Throws InvalidArgument for a rate
  // that no audio has.
  bool Give(std::int32_t sample_rate, std::span<const std::int16_t> samples);
  bool stopped();
  // Nothing is given from then on; waits for a Give.
  void End();

 private:
  std::mutex mutex_;
  const AudioSink* sink_;  // nullptr after End
  const SpeechStop* stop_;
};

// The functions of a host that voice sentences. Any thread may call it.
class HostFunctions {
 public:
  // Throws InvalidArgument for a backend without `synthesize`.
  explicit HostFunctions(const talefold_speech_backend& backend);

  // Runs `function(backend)`. Throws EngineClosed after End.
  template <typename Function>
  void Run(const Function& function) {
    Enter();
    const std::unique_ptr<HostFunctions, decltype(&Leave)> running(this, &Leave);
    function(backend_);
  }

  // Waits for the functions that run, then calls `release`: once, whoever calls End how
  // often. No function of the host is called afterwards.
  void End();
  // The host keeps its functions: End calls nothing.
  void Disown();

 private:
  void Enter();
  static void Leave(HostFunctions* functions);

  talefold_speech_backend backend_;
  std::once_flag released_;
  std::mutex mutex_;  // guards everything below
  std::condition_variable left_;
  int running_ = 0;
  bool ended_ = false;
};

class HostSpeech final : public SpeechBackend {
 public:
  explicit HostSpeech(std::shared_ptr<HostFunctions> functions)
      : functions_(std::move(functions)) {}
  ~HostSpeech() override { functions_->End(); }
  HostSpeech(const HostSpeech&) = delete;
  HostSpeech& operator=(const HostSpeech&) = delete;

  void CheckVoice(const std::string& voice, std::int32_t speaker_id) override;
  void Synthesize(const SpeechRequest& request, const AudioSink& sink,
                  const SpeechStop& stop) override;

 private:
  const std::shared_ptr<HostFunctions> functions_;
};

// The backends that an engine was given. Any thread may call it.
class SpeechBackends {
 public:
  // Makes `backend` that of the agents made from now on; nullptr = none.
  void Set(Engine& engine, const talefold_speech_backend* backend);
  // Ends them all. No function of the host is called afterwards.
  void End();

 private:
  std::mutex mutex_;                       // guards everything below
  std::shared_ptr<SpeechBackend> newest_;  // kept, so that its end is without a lock
  std::vector<std::weak_ptr<HostFunctions>> given_;
  bool ended_ = false;
};

}  // namespace talefold::capi
