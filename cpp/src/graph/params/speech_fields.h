// The rows that nodes which speak share.
#pragma once

#include <string>
#include <vector>

#include "graph/field_builder.h"

namespace talefold {

template <typename P>
std::vector<FieldDescriptor> SpeechFields() {
  return {
      Field("tts_voice", &P::tts_voice)
          .Structural()
          .Group("Speech")
          .Doc(
              "Voice of the engine's speech backend, which says what there is. Empty = "
              "its default."),
      Field("speaker_id", &P::speaker_id)
          .Min(0)
          .Ui(0, 100)
          .Group("Speech")
          .Doc("Speaker, of a voice that has several."),
      Field("speed", &P::speed)
          .Range(0.1, 3)
          .Ui(0.5, 2)
          .Group("Speech")
          .Doc("How fast to speak; 2 = twice as fast."),
      Field("min_sentence_chars", &P::min_sentence_chars)
          .Min(1)
          .Ui(1, 100)
          .Group("Speech")
          .Doc("A sentence with fewer characters (Unicode code points) is spoken "
               "together with the next."),
  };
}

inline std::vector<KeyDescriptor> SpeechDiagnostics() {
  const std::string silent = "nothing could be heard";
  return {
      {"speech.sentences", "How many sentences could be heard, at least in part.", ""},
      {"speech.audio_ms", "Length of the audio, in milliseconds.", ""},
      {"speech.text", "The text of those sentences.", ""},
      {"speech.sample_rate", "Samples per second.", silent},
      {"speech.time_to_first_audio_ms",
       "Milliseconds from the start of the node to its first audio.", silent},
      {"speech.error", "What ended the speech early.", "nothing failed"},
  };
}

inline std::vector<EventDescriptor> SpeechEvents() {
  return {{"speech_failed",
           "The speech backend failed: the rest of the text is not spoken.",
           {
               {"code", "Number of the error.", ""},
               {"error", "What failed.", ""},
           }}};
}

inline std::vector<std::string> SpeechSideEffects() {
  return {
      "Sends audio_chunk events while it speaks, and one without samples after the "
      "last "
      "if there were any. The node ends when everything has been spoken.",
      "Speaks on a thread of its own while the turn runs.",
      "Never fails the turn because of speech: a failure ends the audio, and is a "
      "warning in the log and the event speech_failed.",
  };
}

}  // namespace talefold
