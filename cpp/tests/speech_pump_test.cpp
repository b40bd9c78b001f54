// Sentences are spoken in order, while text still comes, and a failure or a stop ends
// the speech alone.
#include "speech/speech_pump.h"

#include <boost/test/unit_test.hpp>
#include <latch>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "fake_speech.h"

using namespace talefold;

namespace {

// A pump and what came out of it.
struct Stage {
  explicit Stage(FakeSpeech::Script script = FakeSpeech::GiveLength,
                 SpeechSettings settings = {.min_sentence_chars = 1})
      : backend(std::make_shared<FakeSpeech>(std::move(script))),
        pump(backend, std::move(settings), cancel, [this](SpokenAudio piece) {
          audio.push_back(std::move(piece));
          if (on_audio) on_audio();
        }) {}

  std::vector<std::string> Texts() const {
    std::vector<std::string> texts;
    for (const SpeechRequest& request : backend->requests()) {
      texts.push_back(request.text);
    }
    return texts;
  }

  CancelToken cancel;
  std::shared_ptr<FakeSpeech> backend;
  std::vector<SpokenAudio> audio;  // read after Finish or Stop
  std::function<void()> on_audio = {};
  SpeechPump pump;
};

using Texts = std::vector<std::string>;

// Blocks until the pump wants no more.
void AwaitStop(const SpeechStop& stop) {
  while (!stop()) std::this_thread::yield();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(speech_pump)

BOOST_AUTO_TEST_CASE(sentences_are_spoken_in_order) {
  Stage stage;
  for (const char* piece : {"On", "e. Tw", "o.", " Thr", "ee"}) stage.pump.Feed(piece);
  const SpeechReport report = stage.pump.Finish();

  BOOST_TEST(stage.Texts() == (Texts{"One.", "Two.", "Three"}));
  BOOST_REQUIRE(stage.audio.size() == 3);
  BOOST_TEST(stage.audio[1].sentence == "Two.");
  BOOST_TEST(stage.audio[1].sample_rate == 8000);
  BOOST_TEST(stage.audio[2].samples.size() == 5);
  BOOST_TEST(report.sentences == 3);
  BOOST_TEST(report.samples == 13);
  BOOST_TEST(report.sample_rate == 8000);
  BOOST_TEST(report.spoken == "One. Two. Three");
  BOOST_TEST(report.first_audio.has_value());
  BOOST_TEST(!report.error);
}

BOOST_AUTO_TEST_CASE(a_sentence_is_heard_while_the_next_is_still_written) {
  std::latch heard(1);
  Stage stage;
  stage.on_audio = [&] {
    if (stage.audio.size() == 1) heard.count_down();
  };
  stage.pump.Feed("One. T");
  heard.wait();  // no more text comes before
  stage.pump.Feed("wo.");
  stage.pump.Finish();

  BOOST_TEST(stage.Texts() == (Texts{"One.", "Two."}));
}

BOOST_AUTO_TEST_CASE(text_is_taken_while_a_sentence_is_spoken) {
  std::latch go_on(1);
  Stage stage([&](const auto& request, const auto& sink, const auto& stop) {
    go_on.wait();
    FakeSpeech::GiveLength(request, sink, stop);
  });
  stage.pump.Feed("One. Two. Three. ");  // returns though none was spoken
  go_on.count_down();
  const SpeechReport report = stage.pump.Finish();

  BOOST_TEST(report.sentences == 3);
}

BOOST_AUTO_TEST_CASE(settings_reach_the_backend) {
  Stage stage(
      FakeSpeech::GiveLength,
      {.voice = "edric", .speaker_id = 3, .speed = 1.5, .min_sentence_chars = 12});
  stage.pump.Feed("Aye. So it is, and so it was.");
  stage.pump.Finish();

  BOOST_TEST(stage.Texts() == (Texts{"Aye. So it is, and so it was."}));
  const SpeechRequest request = stage.backend->requests().at(0);
  BOOST_TEST(request.voice == "edric");
  BOOST_TEST(request.speaker_id == 3);
  BOOST_TEST(request.speed == 1.5);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_pronounced_is_no_request) {
  for (const char* text : {"", " \n\t", "...", "🙂", "🙂🙂 ♥", "- - -"}) {
    BOOST_TEST_CONTEXT(text) {
      Stage stage;
      stage.pump.Feed(text);
      const SpeechReport report = stage.pump.Finish();

      BOOST_TEST(stage.Texts() == Texts{});
      BOOST_TEST(stage.audio.empty());
      BOOST_TEST(report.spoken == "");
      BOOST_TEST(!report.first_audio);
    }
  }
}

BOOST_AUTO_TEST_CASE(silent_text_between_two_sentences_counts_as_spoken) {
  Stage stage;
  stage.pump.Feed("One.\n🙂\nTwo.\n...");

  BOOST_TEST(stage.pump.Finish().spoken == "One.\n🙂\nTwo.");
}

BOOST_AUTO_TEST_CASE(markup_is_data) {
  for (const char* text :
       {"-v en", "<speak>Hi</speak>", "[[h@]] x", "a\nb", "$(ls) `x`"}) {
    Stage stage(FakeSpeech::GiveLength, {.min_sentence_chars = 100});
    stage.pump.Feed(text);
    stage.pump.Finish();

    BOOST_TEST(stage.Texts() == Texts{text});
  }
}

BOOST_AUTO_TEST_CASE(long_audio_is_given_a_second_at_a_time) {
  Stage stage([](const auto&, const AudioSink& sink, const auto&) {
    sink(1000, std::vector<std::int16_t>(2500));
    sink(1000, {});
  });
  stage.pump.Feed("One.");
  const SpeechReport report = stage.pump.Finish();

  BOOST_REQUIRE(stage.audio.size() == 3);
  BOOST_TEST(stage.audio[0].sentence == "One.");
  BOOST_TEST(stage.audio[1].sentence == "");
  BOOST_TEST(stage.audio[2].samples.size() == 500);
  BOOST_TEST(report.sentences == 1);
}

BOOST_AUTO_TEST_CASE(a_failure_ends_the_speech_and_nothing_else) {
  struct Case {
    const char* what;
    FakeSpeech::Script fail;
    ErrorCode code;
    const char* message;
  };
  const Case cases[] = {
      {"an error of speech",
       [](const auto&, const auto&, const auto&) {
         throw Error(ErrorCode::SpeechUnavailable, "gone");
       },
       ErrorCode::SpeechUnavailable, "gone"},
      {"another error",
       [](const auto&, const auto&, const auto&) {
         throw Error(ErrorCode::InvalidArgument, "odd");
       },
       ErrorCode::SpeechFailed, "odd"},
      {"an exception",
       [](const auto&, const auto&, const auto&) {
         throw std::runtime_error("broken");
       },
       ErrorCode::SpeechFailed, "broken"},
      {"anything", [](const auto&, const auto&, const auto&) { throw 3; },
       ErrorCode::SpeechFailed, "unknown type"},
      {"a rate of nothing",
       [](const auto&, const AudioSink& sink, const auto&) {
         BOOST_TEST(!sink(0, std::vector<std::int16_t>(1)));
       },
       ErrorCode::SpeechFailed, "0 samples per second; allowed 1000 to 384000"},
      {"another rate",
       [](const auto&, const AudioSink& sink, const auto&) {
         sink(8000, std::vector<std::int16_t>(1));
         BOOST_TEST(!sink(16000, std::vector<std::int16_t>(1)));
       },
       ErrorCode::SpeechFailed, "from 8000 to 16000"},
      {"no end",
       [](const auto&, const AudioSink& sink, const auto&) {
         while (sink(1000, std::vector<std::int16_t>(1000))) {
         }
       },
       ErrorCode::SpeechFailed, "more than 600 seconds"},
  };
  for (const Case& test : cases) {
    BOOST_TEST_CONTEXT(test.what) {
      Stage stage(test.fail);
      stage.pump.Feed("One. Two. ");
      stage.pump.Feed("Three.");
      const SpeechReport report = stage.pump.Finish();

      BOOST_TEST(stage.Texts() == Texts{"One."});
      BOOST_REQUIRE(report.error.has_value());
      BOOST_TEST((report.error->code() == test.code));
      BOOST_TEST(report.error->message().find(test.message) != std::string::npos);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_cancel_ends_a_sentence_in_its_middle) {
  Stage stage([](const auto&, const AudioSink& sink, const SpeechStop& stop) {
    BOOST_TEST(!sink(8000, std::vector<std::int16_t>(1)));
    AwaitStop(stop);
    BOOST_TEST(!sink(8000, std::vector<std::int16_t>(1)));
  });
  stage.on_audio = [&] { stage.cancel.Request(StopCause::Cancelled); };
  stage.pump.Feed("One. Two. ");
  const SpeechReport report = stage.pump.Finish();

  BOOST_TEST(stage.Texts() == Texts{"One."});
  BOOST_TEST(stage.audio.size() == 1);
  BOOST_TEST(report.spoken == "One.");
  BOOST_TEST(!report.error);
}

BOOST_AUTO_TEST_CASE(a_stop_ends_a_sentence_in_its_middle) {
  std::latch speaks(1);
  Stage stage([&](const auto&, const auto&, const SpeechStop& stop) {
    speaks.count_down();
    AwaitStop(stop);
    throw std::runtime_error("killed");  // as it was stopped: no failure
  });
  stage.pump.Feed("One. Two. ");
  speaks.wait();
  const SpeechReport report = stage.pump.Stop();

  BOOST_TEST(stage.Texts() == Texts{"One."});
  BOOST_TEST(report.spoken == "");
  BOOST_TEST(!report.error);
}

BOOST_AUTO_TEST_CASE(a_pump_that_goes_takes_its_thread_along) {
  std::latch speaks(1);
  bool returned = false;
  {
    Stage stage([&](const auto&, const auto&, const SpeechStop& stop) {
      speaks.count_down();
      AwaitStop(stop);
      returned = true;
    });
    stage.pump.Feed("One. Two. ");
    speaks.wait();
  }
  BOOST_TEST(returned);
}

BOOST_AUTO_TEST_CASE(pumps_share_a_backend) {
  const auto backend = std::make_shared<FakeSpeech>(
      [both = std::make_shared<std::latch>(2)](const auto& request, const auto& sink,
                                               const auto& stop) {
        both->arrive_and_wait();  // each is inside Synthesize
        FakeSpeech::GiveLength(request, sink, stop);
      });
  const CancelToken cancel;
  const auto drop = [](SpokenAudio) {};
  SpeechPump first(backend, {}, cancel, drop), second(backend, {}, cancel, drop);
  first.Feed("One of two sentences. ");
  second.Feed("The other sentence. ");

  BOOST_TEST(first.Finish().sentences == 1);
  BOOST_TEST(second.Finish().sentences == 1);
}

BOOST_AUTO_TEST_SUITE_END()
