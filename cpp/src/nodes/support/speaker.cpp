#include "nodes/support/speaker.h"

#include <utility>

#include "base/error_place.h"
#include "base/field_prefix.h"
#include "nodes/support/diagnostics.h"

namespace talefold {

namespace {

bool IsSameVoice(const SpeechSettings& a, const SpeechSettings& b) {
  return a.voice == b.voice && a.speaker_id == b.speaker_id;
}

double Milliseconds(std::chrono::steady_clock::duration duration) {
  return std::chrono::duration<double, std::milli>(duration).count();
}

double DurationMs(const SpeechReport& report) {
  if (report.sample_rate == 0) return 0;
  return 1000.0 * static_cast<double>(report.samples) / report.sample_rate;
}

}  // namespace

Speaker::Speaker(const std::string& node, const NodeEnvironment& environment)
    : node_(node), backend_(environment.speech) {
  if (backend_) return;
  throw Error(ErrorCode::SpeechUnavailable,
              FieldPrefix(node, "") + "it speaks, but the engine has no speech backend",
              "set a speech backend of the engine before agents are made");
}

std::function<void()> Speaker::CheckOf(const SpeechSettings& settings) const {
  if (settings_ && IsSameVoice(*settings_, settings)) return {};
  return [node = node_, backend = backend_, settings] {
    AtPlace(FieldPrefix(node, ""),
            [&] { backend->CheckVoice(settings.voice, settings.speaker_id); });
  };
}

Utterance::Utterance(const Speaker& speaker, TurnContext& turn)
    : speaker_(speaker), turn_(turn), start_(std::chrono::steady_clock::now()) {}

void Utterance::Say(std::string_view piece) {
  if (!pump_) {
    pump_.emplace(speaker_.backend_, *speaker_.settings_, turn_.cancel,
                  [this](SpokenAudio audio) {
                    turn_.output.Emit(AudioChunk{speaker_.node_, audio.sample_rate,
                                                 std::move(audio.samples),
                                                 std::move(audio.sentence)});
                  });
  }
  pump_->Feed(piece);
}

void Utterance::Finish() {
  Report(pump_ ? pump_->Finish() : SpeechReport{});
  turn_.stopped = turn_.stopped || turn_.cancel.requested();
}

std::string Utterance::Cut() {
  const SpeechReport report = pump_ ? pump_->Stop() : SpeechReport{};
  pump_.reset();
  Report(report);
  return report.spoken;
}

void Utterance::Report(const SpeechReport& report) {
  if (report.first_audio) {
    turn_.output.Emit(AudioChunk{speaker_.node_, report.sample_rate, {}, {}, true});
  }
  if (turn_.diagnostics) {
    json::object speech{{"sentences", report.sentences},
                        {"audio_ms", DurationMs(report)},
                        {"text", report.spoken}};
    if (report.first_audio) {
      speech["sample_rate"] = report.sample_rate;
      speech["time_to_first_audio_ms"] = Milliseconds(*report.first_audio - start_);
    }
    if (report.error) speech["error"] = report.error->what();
    Section(*turn_.diagnostics, "speech") = std::move(speech);
  }
  if (!report.error) return;
  turn_.logger.Log(
      LogLevel::Warning, "speech",
      "node '" + speaker_.node_ + "': the rest is not spoken: " + report.error->what());
  turn_.output.EmitAtCommit(
      {speaker_.node_,
       "speech_failed",
       {{"code", std::to_string(static_cast<int>(report.error->code()))},
        {"error", report.error->message()}}});
}

}  // namespace talefold
