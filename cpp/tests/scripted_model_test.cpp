#include "inference/scripted/scripted_model.h"

#include <boost/test/unit_test.hpp>
#include <chrono>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "talefold/error.h"

using namespace talefold;

namespace {

using Outcome = ScriptedReply::Outcome;
using Ids = std::vector<Token>;
using Pieces = std::vector<std::string>;

std::shared_ptr<ScriptedModel> MakeModel(std::string tokenizer,
                                         std::vector<ScriptedReply> replies = {}) {
  ScriptedModelOptions options;
  options.tokenizer = std::move(tokenizer);
  options.replies = std::move(replies);
  return std::make_shared<ScriptedModel>(options);
}

struct Run {
  GenerationReport report;
  Pieces pieces;
  std::string text;
};

// A sequence with a request that a test changes before it runs it.
struct Talker {
  explicit Talker(std::shared_ptr<ScriptedModel> model, std::string node = "generate",
                  std::int32_t context_size = 4096)
      : sequence(model->CreateSequence(node, context_size, {}, {})),
        node_name(std::move(node)) {
    request.max_tokens = 100;
  }

  Run Generate(const Ids& prompt = {3}) {
    Run run;
    request.node = node_name;
    request.messages = messages;
    request.prompt = prompt;
    request.cancel = &*cancel;
    run.report = sequence->Generate(request, [&](std::string_view piece) {
      run.pieces.emplace_back(piece);
      run.text += piece;
      if (run.pieces.size() == cancel_after) cancel->Request(StopCause::Cancelled);
      if (run.pieces.size() == throw_after) throw std::runtime_error("sink");
    });
    return run;
  }

  std::unique_ptr<Sequence> sequence;
  std::string node_name;
  std::vector<ChatMessage> messages;
  GenerationRequest request;
  std::optional<CancelToken> cancel{std::in_place};
  std::size_t cancel_after = 0, throw_after = 0;  // pieces; 0 = never
};

void CheckStop(const Run& run, StopReason reason, std::string_view text) {
  BOOST_TEST(StopReasonName(run.report.stop_reason) == StopReasonName(reason));
  BOOST_TEST(run.text == text);
}

ErrorCode CodeOf(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    BOOST_TEST_MESSAGE(error.what());
    return error.code();
  }
  return ErrorCode::InternalError;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(scripted_model)

BOOST_AUTO_TEST_CASE(chars_makes_one_token_of_each_code_point) {
  const auto model = MakeModel("chars");

  const Ids ids = model->Tokenize("a\xC3\xBC\xE2\x82\xAC\xF0\x9F\x97\xA1");

  const Ids expected = {16 + 'a', 16 + 0xFC, 16 + 0x20AC, 16 + 0x1F5E1};
  BOOST_TEST(ids == expected, boost::test_tools::per_element());
  BOOST_TEST(model->Tokenize("").empty());
}

BOOST_AUTO_TEST_CASE(words_keep_the_white_space_before_them) {
  const struct {
    const char* text;
    Pieces pieces;
  } rows[] = {
      {"", {}},
      {"one", {"one"}},
      {"one two", {"one", " two"}},
      {" \n one\t\ttwo", {" \n one", "\t\ttwo"}},
      {"one two \n", {"one", " two \n"}},
      {" \t\n", {" \t\n"}},
      {"\xC3\xBC"
       "ber \xE2\x82\xAC",
       {"\xC3\xBC"
        "ber",
        " \xE2\x82\xAC"}},
      {"a\xC2\xA0"
       "b",
       {"a\xC2\xA0"
        "b"}},
  };
  for (const auto& row : rows) {
    BOOST_TEST_CONTEXT(row.text) {
      const auto model = MakeModel("words", {{.text = row.text}});

      const Run run = Talker(model).Generate();

      BOOST_TEST(model->Tokenize(row.text).size() == row.pieces.size());
      BOOST_TEST(run.pieces == row.pieces, boost::test_tools::per_element());
      BOOST_TEST(run.text == row.text);
    }
  }
}

BOOST_AUTO_TEST_CASE(word_ids_depend_on_the_text_alone) {
  const auto model = MakeModel("words");

  const Ids ids = model->Tokenize("aye aye aye nay");

  BOOST_TEST(ids[1] == ids[2]);
  BOOST_TEST(ids[0] != ids[1]);
  BOOST_TEST(ids[2] != ids[3]);
  BOOST_TEST(ids[0] == model->Tokenize("aye")[0]);
  // FNV-1a of "a" is 0xE40C292C.
  BOOST_TEST(model->Tokenize("a")[0] == 16 + 0x640C292C);
}

BOOST_AUTO_TEST_CASE(text_of_special_tokens_is_tokenized_as_text) {
  for (const char* tokenizer : {"chars", "words"}) {
    for (const Token id : MakeModel(tokenizer)->Tokenize("<|user|> <|system|>")) {
      BOOST_TEST(id >= 16);
    }
  }
}

BOOST_AUTO_TEST_CASE(template_is_a_role_token_before_each_text_and_for_the_reply) {
  const auto model = MakeModel("chars");
  const std::vector<ChatMessage> messages = {
      {Role::System, "S"}, {Role::User, "U"}, {Role::Assistant, "A"}};

  BOOST_TEST(model->RenderTemplate(messages) ==
             "<|system|>S<|user|>U<|assistant|>A<|assistant|>");
  BOOST_TEST(model->RenderTemplate({}) == "<|assistant|>");
}

BOOST_AUTO_TEST_CASE(replies_are_walked_in_order_and_start_again) {
  const auto model = MakeModel("words", {{.text = "one"}, {.text = "two"}});
  Talker edric(model), brenna(model);

  BOOST_TEST(edric.Generate().text == "one");
  BOOST_TEST(edric.Generate().text == "two");
  BOOST_TEST(brenna.Generate().text == "one");
  BOOST_TEST(edric.Generate().text == "one");
}

BOOST_AUTO_TEST_CASE(replies_of_a_node_take_the_place_of_the_general_ones) {
  ScriptedModelOptions options;
  options.replies = {{.text = "Aye."}};
  options.node_replies = {{"summarize", {{.text = "They met."}}}, {"mute", {}}};
  const auto model = std::make_shared<ScriptedModel>(options);

  BOOST_TEST(Talker(model, "summarize").Generate().text == "They met.");
  BOOST_TEST(Talker(model, "generate").Generate().text == "Aye.");
  BOOST_TEST(Talker(model, "mute").Generate().text == "");
}

BOOST_AUTO_TEST_CASE(no_replies_make_an_empty_reply) {
  CheckStop(Talker(MakeModel("words")).Generate(), StopReason::EndOfReply, "");
}

BOOST_AUTO_TEST_CASE(echo_repeats_the_last_message) {
  Talker talker(MakeModel("words", {{.text = "unused", .echo = true}}));
  BOOST_TEST(talker.Generate().text == "");

  talker.messages = {{Role::System, "S"}, {Role::User, "Say this."}};

  BOOST_TEST(talker.Generate().text == "Say this.");
}

BOOST_AUTO_TEST_CASE(max_tokens_cuts_only_longer_replies) {
  const struct {
    std::int32_t max_tokens;
    StopReason reason;
    const char* text;
  } rows[] = {{1, StopReason::MaxTokens, "a"},
              {2, StopReason::MaxTokens, "ab"},
              {3, StopReason::EndOfReply, "abc"},
              {4, StopReason::EndOfReply, "abc"}};
  for (const auto& row : rows) {
    BOOST_TEST_CONTEXT(row.max_tokens) {
      Talker talker(MakeModel("chars", {{.text = "abc"}}));
      talker.request.max_tokens = row.max_tokens;

      CheckStop(talker.Generate(), row.reason, row.text);
    }
  }
}

BOOST_AUTO_TEST_CASE(reply_stops_where_the_context_is_full) {
  Talker talker(MakeModel("chars", {{.text = "abc"}}), "generate", 5);

  CheckStop(talker.Generate({1, 2, 3}), StopReason::ContextFull, "ab");
  CheckStop(talker.Generate({1, 2}), StopReason::EndOfReply, "abc");
}

BOOST_AUTO_TEST_CASE(prompt_without_room_for_a_reply_is_a_context_overflow) {
  Talker talker(MakeModel("chars", {{.text = "abc"}}), "generate", 5);

  BOOST_CHECK_EXCEPTION(
      talker.Generate({1, 2, 3, 4, 5}), Error, [](const Error& error) {
        return error.code() == ErrorCode::ContextOverflow &&
               error.message().find("generate") != std::string::npos &&
               error.message().find("5 of 5") != std::string::npos;
      });
  CheckStop(talker.Generate({1, 2, 3, 4}), StopReason::ContextFull, "a");
}

BOOST_AUTO_TEST_CASE(reply_is_cut_before_the_first_stop_string) {
  const struct {
    std::vector<std::string> stop;
    const char* text;
  } rows[] = {{{"\n"}, "One two."},
              {{"three", "two"}, "One "},
              {{"missing"}, "One two.\nthree"},
              {{""}, "One two.\nthree"},
              {{}, "One two.\nthree"},
              {{"One"}, ""}};
  for (const auto& row : rows) {
    Talker talker(MakeModel("words", {{.text = "One two.\nthree"}}));
    talker.request.sampling.stop = row.stop;

    CheckStop(talker.Generate(), StopReason::EndOfReply, row.text);
  }
}

BOOST_AUTO_TEST_CASE(a_stop_string_comes_before_the_outcome) {
  Talker talker(MakeModel("words", {{.text = "a\nb", .outcome = Outcome::Fail}}));
  talker.request.sampling.stop = {"\n"};

  CheckStop(talker.Generate(), StopReason::EndOfReply, "a");
}

BOOST_AUTO_TEST_CASE(fail_throws_after_the_text) {
  Talker talker(MakeModel("chars", {{.text = "ab", .outcome = Outcome::Fail}, {"c"}}));

  BOOST_TEST((CodeOf([&] { talker.Generate(); }) == ErrorCode::InferenceFailed));
  BOOST_TEST(talker.Generate().text == "c");
}

BOOST_AUTO_TEST_CASE(out_of_context_throws_only_before_the_first_token) {
  Talker talker(MakeModel("chars", {{.text = "", .outcome = Outcome::OutOfContext},
                                    {.text = "ab", .outcome = Outcome::OutOfContext}}));

  BOOST_TEST((CodeOf([&] { talker.Generate(); }) == ErrorCode::ContextOverflow));
  CheckStop(talker.Generate(), StopReason::ContextFull, "ab");
}

BOOST_AUTO_TEST_CASE(stall_waits_for_the_cancel) {
  Talker talker(MakeModel("chars", {{.text = "ab", .outcome = Outcome::Stall}}));
  std::thread canceller([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    talker.cancel->Request(StopCause::TimedOut);
  });

  const Run run = talker.Generate();
  canceller.join();

  CheckStop(run, StopReason::Cancelled, "ab");
}

BOOST_AUTO_TEST_CASE(cancel_takes_effect_before_the_next_token) {
  Talker talker(MakeModel("chars", {{.text = "abcd"}}));
  talker.cancel_after = 2;

  CheckStop(talker.Generate(), StopReason::Cancelled, "ab");
}

BOOST_AUTO_TEST_CASE(cancel_after_the_last_token_leaves_a_complete_reply) {
  Talker talker(MakeModel("chars", {{.text = "ab"}}));
  talker.cancel_after = 2;

  CheckStop(talker.Generate(), StopReason::EndOfReply, "ab");
}

BOOST_AUTO_TEST_CASE(cancel_at_entry_touches_nothing) {
  ScriptedModelOptions options;
  options.replies = {{.text = "ab"}};
  options.record_requests = true;
  const auto model = std::make_shared<ScriptedModel>(options);
  Talker talker(model);
  talker.cancel->Request(StopCause::Cancelled);

  const Run run = talker.Generate({1, 2});

  CheckStop(run, StopReason::Cancelled, "");
  BOOST_TEST(run.report.decoded_tokens == 0u);
  BOOST_TEST(model->recorded_requests().empty());
}

BOOST_AUTO_TEST_CASE(token_delay_passes_before_each_token_and_ends_at_a_cancel) {
  ScriptedModelOptions options;
  options.tokenizer = "chars";
  options.replies = {{.text = "abc"}};
  options.token_delay_us = 5000;
  Talker talker(std::make_shared<ScriptedModel>(options));
  const auto start = std::chrono::steady_clock::now();
  talker.Generate();
  BOOST_TEST(
      (std::chrono::steady_clock::now() - start >= std::chrono::milliseconds(15)));

  options.token_delay_us = 2000000000;
  Talker slow(std::make_shared<ScriptedModel>(options));
  std::thread canceller([&] { slow.cancel->Request(StopCause::Cancelled); });
  const Run run = slow.Generate();
  canceller.join();

  CheckStop(run, StopReason::Cancelled, "");
}

BOOST_AUTO_TEST_CASE(prompt_prefix_and_own_reply_are_reused) {
  const auto model = MakeModel("chars", {{.text = "ab"}});
  Talker talker(model);
  const Token a = model->Tokenize("a")[0], b = model->Tokenize("b")[0];
  const struct {
    const char* what;
    Ids prompt;
    std::size_t reused, decoded;
    std::optional<std::size_t> first_changed = std::nullopt;
  } rows[] = {
      {"first", {1, 20, 21, 3}, 0, 4},
      {"reply kept, more said", {1, 20, 21, 3, a, b, 2, 30, 3}, 6, 3},
      {"the same again decodes its last token", {1, 20, 21, 3, a, b, 2, 30, 3}, 8, 1},
      {"cut back", {1, 20, 40}, 2, 1, 2},
      {"nothing in common", {9, 8}, 0, 2, 0},
      {"shorter prefix", {9}, 0, 1},
  };
  for (const auto& row : rows) {
    BOOST_TEST_CONTEXT(row.what) {
      const GenerationReport report = talker.Generate(row.prompt).report;

      BOOST_TEST(report.reused_tokens == row.reused);
      BOOST_TEST(report.decoded_tokens == row.decoded);
      BOOST_TEST((report.first_changed_token == row.first_changed));
    }
  }
}

BOOST_AUTO_TEST_CASE(mirror_is_exact_after_a_failure_and_an_overflow) {
  const auto model = MakeModel("chars", {{.text = "ab", .outcome = Outcome::Fail}});
  const Token a = model->Tokenize("a")[0], b = model->Tokenize("b")[0];
  Talker talker(model, "generate", 10);
  BOOST_CHECK_THROW(talker.Generate({1, 2, 3}), Error);
  BOOST_CHECK_THROW(talker.Generate(Ids(10, 7)), Error);
  talker.request.sampling.stop = {"b"};

  const GenerationReport report = talker.Generate({1, 2, 3, a, b, 5}).report;

  BOOST_TEST(report.reused_tokens == 5u);
}

BOOST_AUTO_TEST_CASE(mirror_holds_what_was_emitted_before_a_cut_or_cancel) {
  const auto model = MakeModel("chars", {{.text = "aaaa"}});
  const Token a = model->Tokenize("a")[0];
  Talker talker(model);
  talker.request.max_tokens = 1;
  talker.Generate({1, 2});
  BOOST_TEST(talker.Generate({1, 2, a, a, a}).report.reused_tokens == 3u);

  talker.request.max_tokens = 100;
  talker.cancel_after = 2;
  talker.Generate({1, 2});
  talker.cancel.emplace();
  BOOST_TEST(talker.Generate({1, 2, a, a, a, a}).report.reused_tokens == 4u);
}

BOOST_AUTO_TEST_CASE(a_throwing_sink_leaves_the_sequence_usable) {
  Talker talker(MakeModel("chars", {{.text = "ab"}}));
  talker.throw_after = 1;
  BOOST_CHECK_THROW(talker.Generate(), std::runtime_error);
  talker.throw_after = 0;

  BOOST_TEST(talker.Generate().text == "ab");
}

BOOST_AUTO_TEST_CASE(requests_are_recorded_on_demand) {
  ScriptedModelOptions options;
  options.record_requests = true;
  const auto model = std::make_shared<ScriptedModel>(options);
  Talker talker(model, "summarize");
  talker.messages = {{Role::System, "S"}, {Role::User, "U"}};
  talker.request.seed = 42;
  talker.request.max_tokens = 7;
  talker.request.sampling.temperature = 0.5;

  talker.Generate({1, 2});
  talker.Generate({4});

  const std::vector<RecordedRequest> requests = model->recorded_requests();
  BOOST_REQUIRE(requests.size() == 2u);
  BOOST_TEST(requests[0].node == "summarize");
  BOOST_TEST((requests[0].messages == std::vector<std::pair<std::string, std::string>>{
                                          {"system", "S"}, {"user", "U"}}));
  BOOST_TEST((requests[0].prompt_tokens == Ids{1, 2}));
  BOOST_TEST((requests[1].prompt_tokens == Ids{4}));
  BOOST_TEST(requests[0].max_tokens == 7);
  BOOST_TEST(requests[0].seed == 42u);
  BOOST_TEST((requests[0].sampling == talker.request.sampling));

  const auto silent = MakeModel("words");
  Talker(silent).Generate();
  BOOST_TEST(silent->recorded_requests().empty());
}

BOOST_AUTO_TEST_CASE(sequence_keeps_its_model_alive) {
  auto model = MakeModel("words", {{.text = "still here"}});
  Talker talker(model);

  model.reset();

  BOOST_TEST(talker.Generate().text == "still here");
}

BOOST_AUTO_TEST_CASE(bad_options_are_refused) {
  const struct {
    const char* what;
    ErrorCode code;
    std::function<void(ScriptedModelOptions&)> change;
  } rows[] = {
      {"tokenizer", ErrorCode::InvalidArgument, [](auto& o) { o.tokenizer = "bpe"; }},
      {"context", ErrorCode::InvalidArgument,
       [](auto& o) { o.trained_context_size = 0; }},
      {"delay", ErrorCode::InvalidArgument, [](auto& o) { o.token_delay_us = -1; }},
      {"reply", ErrorCode::InvalidUtf8,
       [](auto& o) { o.replies = {{.text = "\xFF"}}; }},
      {"reply of a node", ErrorCode::InvalidUtf8,
       [](auto& o) { o.node_replies["n"] = {{.text = "\xC3"}}; }},
  };
  for (const auto& row : rows) {
    BOOST_TEST_CONTEXT(row.what) {
      ScriptedModelOptions options;
      row.change(options);

      BOOST_TEST((CodeOf([&] { ScriptedModel model(options); }) == row.code));
    }
  }
}

BOOST_AUTO_TEST_CASE(adapters_are_refused_and_context_overrides_accepted) {
  const auto model = MakeModel("words");
  ContextOverrides context;
  context.n_gpu_layers = 99;

  BOOST_CHECK_NO_THROW(model->CreateSequence("generate", 100, context, {}));
  BOOST_TEST((CodeOf([&] {
                model->CreateSequence("generate", 100, {},
                                      {.loras = {{.path = "edric.gguf"}}});
              }) == ErrorCode::AdapterMismatch));
  BOOST_TEST((CodeOf([&] { model->CreateSequence("generate", 0, {}, {}); }) ==
              ErrorCode::InvalidArgument));
}

namespace {

const std::vector<Candidate> kLetters = {{"A", {1}}, {"B", {2}}, {"C", {3}}};

std::vector<double> Scores(ScriptedReply reply, bool cancelled = false) {
  Talker talker(MakeModel("words", {std::move(reply)}));
  const Ids prompt = {3, 4};
  talker.request.prompt = prompt;
  talker.request.cancel = &*talker.cancel;
  if (cancelled) talker.cancel->Request(StopCause::Cancelled);
  std::vector<double> scores;
  const ScoreReport report = talker.sequence->Score(talker.request, kLetters);
  for (const double score : report.log_probabilities) scores.push_back(std::exp(score));
  return scores;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_reply_decides_how_likely_candidates_are) {
  const struct {
    std::string reply;
    std::vector<double> scores;
  } cases[] = {
      {"B", {0, 1, 0}},
      {" B\n", {0, 1, 0}},
      {"Aye.", {0, 0, 0}},
      {"", {0, 0, 0}},
      {R"({"A": 0.5, "C": 0.25})", {0.5, 0, 0.25}},
      {R"({"A": "much", "B": -1, "D": 1})", {0, 0, 0}},
      {R"(["A"])", {0, 0, 0}},
  };
  for (const auto& each : cases) {
    BOOST_TEST_CONTEXT(each.reply) {
      const auto scores = Scores({.text = each.reply});
      BOOST_TEST(scores == each.scores, boost::test_tools::per_element());
    }
  }
}

BOOST_AUTO_TEST_CASE(scoring_takes_a_reply_and_leaves_the_prompt_in_the_cache) {
  Talker talker(MakeModel("words", {{.text = "A"}, {.text = "Aye."}}));
  const Ids prompt = {3, 4, 5};
  talker.request.prompt = prompt;
  talker.request.cancel = &*talker.cancel;

  const ScoreReport report = talker.sequence->Score(talker.request, kLetters);

  BOOST_TEST(report.reused_tokens == 0U);
  BOOST_TEST(report.decoded_tokens == 3U);
  const Run run = talker.Generate({3, 4, 5, 6});
  BOOST_TEST(run.report.reused_tokens == 3U);
  BOOST_TEST(run.text == "Aye.");
}

BOOST_AUTO_TEST_CASE(scoring_fails_as_a_reply_does) {
  BOOST_TEST((CodeOf([] { Scores({.outcome = Outcome::Fail}); }) ==
              ErrorCode::InferenceFailed));
  BOOST_TEST((CodeOf([] { Scores({.outcome = Outcome::OutOfContext}); }) ==
              ErrorCode::ContextOverflow));
  Talker talker(MakeModel("words"), "generate", 2);
  const Ids prompt = {3, 4};
  talker.request.prompt = prompt;
  talker.request.cancel = &*talker.cancel;
  BOOST_TEST((CodeOf([&] { talker.sequence->Score(talker.request, kLetters); }) ==
              ErrorCode::ContextOverflow));
}

BOOST_AUTO_TEST_CASE(a_cancelled_scoring_has_no_result) {
  BOOST_TEST(Scores({.text = "A"}, /*cancelled=*/true).empty());
}

BOOST_AUTO_TEST_CASE(a_grammar_is_recorded_and_not_enforced) {
  ScriptedModelOptions options;
  options.replies = {{.text = "nay"}};
  options.record_requests = true;
  const auto model = std::make_shared<ScriptedModel>(options);
  Talker talker(model);
  talker.request.grammar = "root ::= \"aye\"";

  BOOST_TEST(talker.Generate().text == "nay");

  BOOST_TEST(model->recorded_requests()[0].grammar == "root ::= \"aye\"");
}

BOOST_AUTO_TEST_SUITE_END()
