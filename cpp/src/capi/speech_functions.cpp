// What characters speak with.
#include <span>

#include "capi/border.h"
#include "capi/functions.h"
#include "capi/objects.h"
#include "capi/speech.h"

namespace talefold::capi {

namespace {

std::int32_t SetSpeechBackend(talefold_engine engine,
                              const talefold_speech_backend* backend) {
  return Call([&] {
    const auto object = Engines().Get(engine);
    if (backend) CheckSize(backend->size, sizeof *backend, "backend");
    object->speech.Set(object->engine, backend);
  });
}

std::int32_t Give(talefold_speech speech, std::int32_t sample_rate,
                  const std::int16_t* samples, std::size_t count,
                  std::int32_t* wanted) {
  return Call([&] {
    std::int32_t& out = Out(wanted, "wanted");
    if (!samples && count > 0) FailNull("samples", "pass where the samples are");
    out = SpeechCalls().Get(speech)->Give(sample_rate, std::span(samples, count));
  });
}

std::int32_t Stopped(talefold_speech speech, std::int32_t* stopped) {
  return Call([&] {
    std::int32_t& out = Out(stopped, "stopped");
    out = SpeechCalls().Get(speech)->stopped();
  });
}

}  // namespace

void AddSpeechFunctions(talefold_api& api) {
  api.engine_set_speech_backend = SetSpeechBackend;
  api.speech_give = Give;
  api.speech_stopped = Stopped;
}

}  // namespace talefold::capi
