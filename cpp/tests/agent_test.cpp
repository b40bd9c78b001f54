// An agent's conversation: what each operation does to it, and what it refuses.
#include <boost/test/unit_test.hpp>
#include <map>

#include "prompt/default_texts.h"
#include "runtime_fixture.h"

namespace talefold {
namespace {

using Outcome = ScriptedReply::Outcome;

BOOST_AUTO_TEST_SUITE(agent)

const std::string kGuard(default_texts::kSummaryGuard);

BOOST_AUTO_TEST_CASE(a_prompt_is_the_system_message_the_past_and_the_message) {
  RuntimeFixture fixture;
  Agent agent = fixture.MakeAgent();
  agent.Send("Hi");

  agent.Send("Rooms?");

  BOOST_TEST(fixture.LastPrompt() ==
             "system: Be Edric.\nuser: Hi\nassistant: Aye.\nuser: Rooms?\n");
}

BOOST_AUTO_TEST_CASE(after_a_fold_the_summary_stands_for_what_it_covers) {
  RuntimeFixture fixture;
  Agent agent = fixture.MakeAgent();
  agent.Send("Hi");
  agent.Send("Rooms?");  // folds 0 and 1

  agent.Send("And food?");

  BOOST_TEST(fixture.LastPrompt() ==
             "system: Be Edric.\n\n" + kGuard + "\nThey met.\nuser: And food?\n");
  BOOST_TEST(agent.GetSummary()->covered_through == 1);
  BOOST_TEST(agent.GetSummary()->carrier == 1);
}

BOOST_AUTO_TEST_CASE(a_reply_that_can_still_grow_is_not_folded) {
  RuntimeFixture fixture({{"Aye."}});
  GenerateParams first = fixture.Talker();
  SummarizeParams folder = fixture.Folder(1, 0);
  folder.default_exit = "second";
  GenerateParams second = fixture.Talker();
  second.default_exit = "";
  GraphDescription graph;
  graph.AddGenerate("first", first)
      .AddSummarize("summarize", folder)
      .AddGenerate("second", second)
      .SetStartNode("first");
  Agent agent = fixture.MakeAgent(graph);

  agent.Send("Hi");
  BOOST_TEST(!agent.GetSummary().has_value());
  agent.Send("Rooms?");

  BOOST_TEST(agent.GetSummary()->covered_through == 0);
  BOOST_TEST(agent.Dialog().at(1).assistant == "Aye.\n\nAye.");
}

BOOST_AUTO_TEST_CASE(a_summary_no_reply_node_has_room_for_is_not_written) {
  RuntimeFixture fixture;
  ScriptedModelOptions words;  // 40 of its tokens are 400 of the talker's
  words.replies = {{[] {
    std::string text;
    for (int i = 0; i < 40; ++i) text += "wonderful ";
    return text;
  }()}};
  fixture.engine.LoadScriptedModel("words", words);
  GenerateParams talker = fixture.Talker();
  talker.context_size = 512;
  SummarizeParams folder = fixture.Folder(1, 0);
  folder.model_name = "words";
  folder.max_summary_tokens = 64;
  Agent agent = fixture.MakeAgent(fixture.Graph(talker, folder));

  for (int i = 0; i < 3; ++i) BOOST_TEST(agent.Send("Hi").text == "Aye.");

  BOOST_TEST(!agent.GetSummary().has_value());
}

BOOST_AUTO_TEST_CASE(an_edit_that_changes_nothing_leaves_the_summary_fresh) {
  RuntimeFixture fixture;
  Agent agent = fixture.MakeAgent();
  agent.Send("Hi");
  agent.Send("Rooms?");

  agent.EditInteraction(0, "Hi", std::nullopt);
  agent.EditInteraction(0, std::nullopt, std::nullopt);

  BOOST_TEST(!agent.GetSummary()->stale);
}

BOOST_AUTO_TEST_CASE(the_tokens_of_a_fold_count_in_the_turn) {
  RuntimeFixture fixture;
  Agent agent = fixture.MakeAgent();
  BOOST_TEST(agent.Send("Hi").tokens_generated == 4);
  BOOST_TEST(agent.Send("Hi").tokens_generated == 4 + 9);
}

BOOST_AUTO_TEST_CASE(the_character_may_speak_first) {
  RuntimeFixture fixture({{"Welcome!"}});
  Agent agent = fixture.MakeAgent();

  agent.Send(std::nullopt);

  BOOST_TEST(fixture.LastPrompt() == "system: Be Edric.\n");
  BOOST_TEST(agent.Dialog().at(0).assistant == "Welcome!");
}

BOOST_AUTO_TEST_CASE(undo_brings_back_the_dialog_before_the_turn) {
  RuntimeFixture fixture;
  Agent agent = fixture.MakeAgent();
  agent.Send("Hi");
  const auto before = agent.Dialog();
  agent.Send("Rooms?");
  BOOST_TEST(agent.GetSummary().has_value());

  const InteractionInfo undone = agent.UndoLastTurn();

  BOOST_TEST(undone.user == "Rooms?");
  BOOST_TEST(undone.summary.has_value());
  BOOST_TEST(agent.dialog_size() == 1);
  BOOST_TEST(!agent.GetSummary().has_value());
}

BOOST_AUTO_TEST_CASE(regenerate_replaces_the_reply_and_its_fold) {
  RuntimeFixture fixture({{"one"}, {"two"}, {"three"}}, {{"S1"}, {"S2"}});
  Agent agent = fixture.MakeAgent();
  agent.Send("Hi");
  agent.Send("Rooms?");
  BOOST_TEST(agent.GetSummary()->text == "S1");

  BOOST_TEST(agent.StartRegenerate().Result().text == "three");

  BOOST_TEST(agent.dialog_size() == 2);
  BOOST_TEST(agent.Dialog().at(1).user == "Rooms?");
  BOOST_TEST(agent.GetSummary()->text == "S2");
}

BOOST_AUTO_TEST_CASE(a_failed_regenerate_keeps_the_old_reply_and_its_fold) {
  RuntimeFixture fixture({{"one"}, {"two"}, {"", Outcome::Fail}}, {{"S1"}});
  Agent agent = fixture.MakeAgent();
  agent.Send("Hi");
  agent.Send("Rooms?");
  const std::string before = agent.ExportSnapshot();

  BOOST_TEST((agent.StartRegenerate().Result().status == TurnStatus::Error));

  BOOST_TEST(agent.Dialog().at(1).assistant == "two");
  BOOST_TEST(agent.GetSummary()->text == "S1");
}

BOOST_AUTO_TEST_CASE(attempts_of_one_turn_have_different_seeds) {
  RuntimeFixture fixture;
  GenerateParams talker = fixture.Talker();
  talker.sampling.seed = 7;
  Agent agent = fixture.MakeAgent(fixture.Graph(talker));
  agent.Send("Hi");
  agent.StartRegenerate().Result();
  agent.UndoLastTurn();
  agent.Send("Hi");

  const auto requests = fixture.engine.RecordedRequests("talker");
  BOOST_TEST(requests.at(0).seed != requests.at(1).seed);
  BOOST_TEST(requests.at(0).seed == requests.at(2).seed);
}

BOOST_AUTO_TEST_CASE(a_replayed_turn_runs_the_memory_nodes_only) {
  RuntimeFixture fixture;
  Agent agent = fixture.MakeAgent();

  agent.StartReplay("Hi", "Good evening.").Result();
  const TurnResult second = agent.StartReplay("Rooms?", "Two.").Result();

  BOOST_TEST(fixture.engine.RecordedRequests("talker").empty());
  BOOST_TEST(second.text == "Two.");
  BOOST_TEST(second.tokens_generated == 9);  // the summary's
  BOOST_TEST(agent.GetSummary()->covered_through == 1);
  BOOST_TEST(agent.Dialog().at(0).assistant == "Good evening.");
  BOOST_TEST(
      (CodeOf([&] { agent.StartReplay("", ""); }) == ErrorCode::InvalidArgument));
}

BOOST_AUTO_TEST_CASE(editing_what_a_summary_covers_marks_it_stale_until_refolded) {
  RuntimeFixture fixture({{"Aye."}}, {{"They met."}, {"They met at noon."}});
  Agent agent = fixture.MakeAgent();
  agent.Send("Hi");
  agent.Send("Rooms?");

  agent.EditInteraction(0, "Hi at noon", std::nullopt);
  BOOST_TEST(agent.GetSummary()->stale);
  BOOST_TEST(agent.GetSummary()->text == "They met.");

  BOOST_TEST(agent.StartRefold().Result().text == "They met at noon.");
  BOOST_TEST(!agent.GetSummary()->stale);
  BOOST_TEST(agent.GetSummary()->covered_through == 1);
  BOOST_TEST(agent.GetSummary()->carrier == 1);
}

BOOST_AUTO_TEST_CASE(a_failed_refold_keeps_the_summary) {
  RuntimeFixture fixture(
      {{"Aye."}}, {{"They met."}, {"", Outcome::Fail}, {" "}, {"", Outcome::Stall}});
  Agent agent = fixture.MakeAgent();
  agent.Send("Hi");
  agent.Send("Rooms?");
  agent.EditInteraction(0, "Hi at noon", std::nullopt);

  BOOST_TEST(
      (agent.StartRefold().Result().error->code() == ErrorCode::InferenceFailed));
  BOOST_TEST(
      (agent.StartRefold().Result().error->code() == ErrorCode::InferenceFailed));
  Turn stalled = agent.StartRefold();
  stalled.Cancel();
  BOOST_TEST((stalled.Result().status == TurnStatus::Cancelled));

  BOOST_TEST(agent.GetSummary()->text == "They met.");
  BOOST_TEST(agent.GetSummary()->stale);
}

BOOST_AUTO_TEST_CASE(set_summary_replaces_the_text_within_the_limit) {
  RuntimeFixture fixture;
  SummarizeParams folder = fixture.Folder();
  folder.max_summary_tokens = 16;
  Agent agent = fixture.MakeAgent(fixture.Graph(fixture.Talker(), folder));
  BOOST_TEST((CodeOf([&] { agent.SetSummary("x"); }) == ErrorCode::SummaryNotFound));
  agent.Send("Hi");
  agent.Send("Rooms?");

  agent.SetSummary("Ann came.");

  BOOST_TEST(agent.GetSummary()->text == "Ann came.");
  BOOST_TEST(agent.GetSummary()->edited);
  BOOST_TEST((CodeOf([&] { agent.SetSummary("seventeen letters"); }) ==
              ErrorCode::InvalidParamValue));
  BOOST_TEST((CodeOf([&] { agent.SetSummary(" \n"); }) == ErrorCode::InvalidArgument));
  BOOST_TEST(agent.GetSummary()->text == "Ann came.");
}

BOOST_AUTO_TEST_CASE(every_change_is_refused_while_a_turn_runs) {
  RuntimeFixture fixture({{"Aye."}, {"Aye."}, {"", Outcome::Stall}});
  Agent agent = fixture.MakeAgent();
  agent.Send("Hi");
  agent.Send("Rooms?");
  const std::string snapshot = agent.ExportSnapshot();
  Turn running = agent.Start("wait");

  const std::map<std::string, std::function<void()>> calls = {
      {"start", [&] { agent.Start("x"); }},
      {"regenerate", [&] { agent.StartRegenerate(); }},
      {"refold", [&] { agent.StartRefold(); }},
      {"append", [&] { agent.AppendInteraction("a", "b"); }},
      {"edit", [&] { agent.EditInteraction(0, "a", {}); }},
      {"undo", [&] { agent.UndoLastTurn(); }},
      {"set_summary", [&] { agent.SetSummary("x"); }},
      {"change_params", [&] { agent.ChangeParamsJson("generate", "{}"); }},
      {"import", [&] { agent.ImportSnapshot(snapshot); }},
  };
  for (const auto& [name, call] : calls) {
    BOOST_TEST_CONTEXT(name) { BOOST_TEST((CodeOf(call) == ErrorCode::AgentBusy)); }
  }
  BOOST_TEST(agent.ExportSnapshot().size() > 0);  // the last committed state
  running.Cancel();
  running.Result();
  BOOST_TEST(agent.dialog_size() == 2);
}

BOOST_AUTO_TEST_CASE(a_closed_agent_and_a_closed_engine_say_so) {
  RuntimeFixture fixture;
  Agent agent = fixture.MakeAgent();
  agent.Close();
  agent.Close();
  BOOST_TEST((CodeOf([&] { agent.Send("Hi"); }) == ErrorCode::AgentClosed));
  BOOST_TEST((CodeOf([&] { agent.Dialog(); }) == ErrorCode::AgentClosed));

  Agent other = fixture.MakeAgent();
  fixture.engine.Close();
  BOOST_TEST((CodeOf([&] { other.Send("Hi"); }) == ErrorCode::EngineClosed));
  BOOST_TEST((CodeOf([&] { fixture.MakeAgent(); }) == ErrorCode::EngineClosed));
}

BOOST_AUTO_TEST_CASE(a_cycle_ends_after_max_steps_and_keeps_what_was_said) {
  RuntimeFixture fixture({{"Aye."}}, {}, {.max_steps_per_turn = 3});
  GenerateParams talker = fixture.Talker();
  talker.default_exit = "generate";
  GraphDescription graph;
  graph.AddGenerate("generate", talker).SetStartNode("generate");
  Agent agent = fixture.MakeAgent(graph);

  const TurnResult result = agent.Start("Hi").Result();

  BOOST_TEST((result.error->code() == ErrorCode::MaxStepsExceeded));
  BOOST_TEST(agent.Dialog().at(0).assistant == "Aye.\n\nAye.\n\nAye.");
  BOOST_TEST(agent.Dialog().at(0).status == "failed");
}

BOOST_AUTO_TEST_CASE(structural_params_are_frozen_and_nothing_half_applies) {
  RuntimeFixture fixture;
  Agent agent = fixture.MakeAgent();

  BOOST_TEST((CodeOf([&] {
                agent.ChangeParamsJson(
                    "generate",
                    R"({"system_prompt": "Be Ann.", "context_size": 2048})");
              }) == ErrorCode::ParamNotMutable));
  BOOST_TEST((CodeOf([&] {
                agent.ChangeParamsJson("generate",
                                       R"({"system_prompt": "Be Ann.", "stream": 3})");
              }) == ErrorCode::InvalidParamValue));
  BOOST_TEST((CodeOf([&] { agent.ChangeParamsJson("generat", "{}"); }) ==
              ErrorCode::UnknownNode));
  const GraphDescription graph = agent.graph();
  const auto& params = std::get<GenerateParams>(graph.FindNode("generate")->params);
  BOOST_TEST(params.system_prompt == "Be Edric.");

  agent.ChangeParamsJson("generate", R"({"system_prompt": "Be Ann."})");
  agent.Send("Hi");
  BOOST_TEST(fixture.LastPrompt() == "system: Be Ann.\nuser: Hi\n");
}

BOOST_AUTO_TEST_CASE(a_change_that_no_longer_fits_the_context_is_refused) {
  RuntimeFixture fixture;
  Agent agent = fixture.MakeAgent();
  GenerateParams longer = fixture.Talker();
  longer.system_prompt = std::string(1000, 'x');

  BOOST_TEST((CodeOf([&] { agent.ChangeParams("generate", longer); }) ==
              ErrorCode::InvalidParamValue));
  agent.Send("Hi");
  BOOST_TEST(fixture.LastPrompt() == "system: Be Edric.\nuser: Hi\n");
}

BOOST_AUTO_TEST_CASE(a_change_that_leaves_no_room_for_the_summary_there_is_is_refused) {
  RuntimeFixture fixture({{"Aye."}}, {{std::string(200, 's')}});
  GenerateParams talker = fixture.Talker();
  talker.sampling.max_tokens = 64;
  Agent agent = fixture.MakeAgent(fixture.Graph(talker));
  agent.Send("Hi");
  agent.Send("Hi");
  agent.ChangeParamsJson("summarize", R"({"max_summary_tokens": 16})");
  const std::string grown = R"({"system_prompt": ")" + std::string(700, 'x') + R"("})";

  BOOST_TEST((CodeOf([&] { agent.ChangeParamsJson("generate", grown); }) ==
              ErrorCode::InvalidParamValue));
  BOOST_TEST(agent.Send("Hi").text == "Aye.");
}

BOOST_AUTO_TEST_CASE(an_imported_snapshot_goes_on_where_the_exported_agent_was) {
  RuntimeFixture fixture;
  Agent agent = fixture.MakeAgent();
  for (int i = 0; i < 5; ++i) agent.Send("message " + std::to_string(i));
  const std::string snapshot = agent.ExportSnapshot();
  agent.Send("next");
  const std::string expected = fixture.LastPrompt();

  AgentOptions options;
  options.snapshot = snapshot;
  fixture.engine.CreateAgent(fixture.Graph(), options).Send("next");
  BOOST_TEST(fixture.LastPrompt() == expected);

  agent.ImportSnapshot(snapshot);
  agent.Send("next");
  BOOST_TEST(fixture.LastPrompt() == expected);
}

BOOST_AUTO_TEST_CASE(what_goes_on_from_the_highest_counters_can_be_saved) {
  RuntimeFixture fixture;
  Agent agent = fixture.MakeAgent();
  agent.ImportSnapshot(R"({"format": "talefold-snapshot", "version": 1, "dialog": [
      {"id": 9007199254740990, "revision": 4294967295, "user": "Hi",
       "assistant": "Aye.", "status": "complete", "attempt": 4294967295}]})");

  agent.EditInteraction(0, "Ho", std::nullopt);
  agent.StartRegenerate().Result();
  agent.Send("Hi");  // the last id there is

  const std::string saved = agent.ExportSnapshot();
  agent.ImportSnapshot(saved);
  BOOST_TEST(agent.ExportSnapshot() == saved);
  BOOST_TEST((CodeOf([&] { agent.Send("Hi"); }) == ErrorCode::InvalidArgument));
  BOOST_TEST((CodeOf([&] { agent.AppendInteraction("a", "b"); }) ==
              ErrorCode::InvalidArgument));
  BOOST_TEST(agent.dialog_size() == 2);
}

BOOST_AUTO_TEST_CASE(a_bad_snapshot_leaves_the_agent_untouched) {
  RuntimeFixture fixture;
  Agent agent = fixture.MakeAgent();
  agent.Send("Hi");
  const std::string before = agent.ExportSnapshot();

  BOOST_TEST(
      (CodeOf([&] { agent.ImportSnapshot("{}"); }) == ErrorCode::MalformedSnapshot));
  BOOST_TEST(agent.ExportSnapshot() == before);
}

BOOST_AUTO_TEST_CASE(a_start_node_too_small_for_the_summary_refuses_the_snapshot) {
  RuntimeFixture fixture({{"Aye."}}, {{std::string(200, 's')}});
  Agent agent = fixture.MakeAgent();
  agent.Send("Hi");
  agent.Send("Hi");
  GenerateParams small = fixture.Talker();
  small.context_size = 256;
  small.default_exit = "";
  GraphDescription graph;
  graph.AddGenerate("generate", small).SetStartNode("generate");
  AgentOptions options;
  options.snapshot = agent.ExportSnapshot();

  BOOST_TEST((CodeOf([&] { fixture.engine.CreateAgent(graph, options); }) ==
              ErrorCode::SnapshotGraphMismatch));
}

BOOST_AUTO_TEST_CASE(state_of_a_node_that_is_gone_is_dropped_with_a_warning) {
  std::vector<std::string> warnings;
  EngineOptions options;
  options.log_sink = [&](LogLevel level, std::string_view, std::string_view text) {
    if (level == LogLevel::Warning) warnings.emplace_back(text);
  };
  RuntimeFixture fixture({{"Aye."}}, {}, options);
  Agent agent = fixture.MakeAgent();
  std::string snapshot = agent.ExportSnapshot();
  snapshot = R"({"format": "talefold-snapshot", "version": 1, "dialog": [
    {"id": 1, "user": "a", "assistant": "b", "status": "complete"},
    {"id": 2, "user": "a", "assistant": "b", "status": "complete"}],
    "nodes": {"gone": {"trims": [{"at": 1, "from": 1}]}}})";

  agent.ImportSnapshot(snapshot);

  BOOST_TEST(agent.dialog_size() == 2);
  BOOST_REQUIRE(warnings.size() == 1u);
  BOOST_TEST(warnings[0].find("'gone'") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace talefold
