// The engine: models, options, many threads, an end at any time.
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <memory>
#include <thread>

#include "in_child.h"
#include "runtime_fixture.h"

namespace talefold {
namespace {

using Outcome = ScriptedReply::Outcome;

BOOST_AUTO_TEST_SUITE(engine)

BOOST_AUTO_TEST_CASE(options_out_of_range_are_refused) {
  BOOST_TEST((CodeOf([] { Engine engine({.worker_threads = 0}); }) ==
              ErrorCode::InvalidArgument));
  BOOST_TEST((CodeOf([] { Engine engine({.max_message_bytes = 0}); }) ==
              ErrorCode::InvalidArgument));
  BOOST_TEST((CodeOf([] { Engine engine({.max_steps_per_turn = -1}); }) ==
              ErrorCode::InvalidArgument));
}

BOOST_AUTO_TEST_CASE(models_are_found_by_name_or_by_being_the_only_one) {
  Engine engine;
  GraphDescription graph;
  graph.AddGenerate("generate", {}).SetStartNode("generate");
  BOOST_TEST((CodeOf([&] { engine.CreateAgent(graph); }) == ErrorCode::ModelNotFound));
  engine.LoadScriptedModel("one");
  engine.CreateAgent(graph);
  engine.LoadScriptedModel("two");
  BOOST_TEST((CodeOf([&] { engine.CreateAgent(graph); }) == ErrorCode::ModelNotFound));
  engine.CreateAgent(graph, {.default_model_name = "two"});
  BOOST_TEST((CodeOf([&] {
                engine.CreateAgent(graph, {.default_model_name = "six"});
              }) == ErrorCode::ModelNotFound));
  BOOST_TEST(
      (CodeOf([&] { engine.LoadScriptedModel("one"); }) == ErrorCode::InvalidArgument));
}

BOOST_AUTO_TEST_CASE(an_agent_keeps_its_model_when_it_is_unloaded) {
  RuntimeFixture fixture;
  Agent agent = fixture.MakeAgent();
  fixture.engine.UnloadModel("talker");

  BOOST_TEST(agent.Send("Hi").text == "Aye.");
  BOOST_TEST((CodeOf([&] { fixture.MakeAgent(); }) == ErrorCode::ModelNotFound));
}

BOOST_AUTO_TEST_CASE(adapters_need_a_model_with_weights) {
  RuntimeFixture fixture;
  GenerateParams talker = fixture.Talker();
  talker.adaptation.loras = {{"edric.gguf", 0.5}};
  BOOST_TEST((CodeOf([&] { fixture.MakeAgent(fixture.Graph(talker)); }) ==
              ErrorCode::AdapterMismatch));
}

BOOST_AUTO_TEST_CASE(a_context_beyond_the_models_own_is_refused) {
  RuntimeFixture fixture;
  GenerateParams talker = fixture.Talker();
  talker.context_size = 131073;
  BOOST_TEST((CodeOf([&] { fixture.MakeAgent(fixture.Graph(talker)); }) ==
              ErrorCode::InvalidParamValue));
}

BOOST_AUTO_TEST_CASE(many_agents_talk_from_many_threads) {
  RuntimeFixture fixture({{"one"}, {"two"}, {"three"}}, {{"S"}}, {.worker_threads = 4});
  std::atomic<int> right = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      Agent agent = fixture.MakeAgent(fixture.Graph(fixture.Talker(true)));
      const char* expected[] = {"one", "two", "three"};
      for (int turn = 0; turn < 30; ++turn) {
        if (agent.Send("Hi").text == expected[turn % 3]) ++right;
        if (turn % 7 == 6) agent.ExportSnapshot();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  BOOST_TEST(right == 8 * 30);
}

BOOST_AUTO_TEST_CASE(readers_see_committed_states_while_turns_run) {
  RuntimeFixture fixture;
  Agent agent = fixture.MakeAgent();
  std::atomic<bool> done = false;
  std::thread reader([&] {
    while (!done) {
      const auto states = agent.HistoryStates("generate");
      const auto dialog = agent.Dialog();
      agent.GetSummary();
      agent.ExportSnapshot();
    }
  });
  for (int i = 0; i < 50; ++i) agent.Send("Hi");
  done = true;
  reader.join();
  BOOST_TEST(agent.dialog_size() == 50);
}

BOOST_AUTO_TEST_CASE(random_cancels_leave_whole_turns_only) {
  RuntimeFixture fixture({{"a long enough reply"}});
  Agent agent = fixture.MakeAgent();  // does not stream: all or nothing
  std::int64_t committed = 0;
  for (int i = 0; i < 60; ++i) {
    Turn turn = agent.Start("Hi");
    std::thread canceller([turn]() mutable { turn.Cancel(); });
    const TurnResult result = turn.Result();
    canceller.join();
    if (!result.text.empty()) ++committed;
  }
  BOOST_TEST(agent.dialog_size() == committed);
  for (const InteractionInfo& interaction : agent.Dialog()) {
    BOOST_TEST(interaction.assistant == "a long enough reply");
  }
}

BOOST_AUTO_TEST_CASE(closing_ends_running_and_waiting_turns) {
  RuntimeFixture fixture({{"", Outcome::Stall}}, {}, {.worker_threads = 1});
  Agent first = fixture.MakeAgent();
  Agent second = fixture.MakeAgent();
  Turn running = first.Start("Hi");
  Turn waiting = second.Start("Hi", {.timeout_ms = 60000});

  fixture.engine.Close();

  BOOST_TEST((running.Result().status == TurnStatus::Cancelled));
  BOOST_TEST((waiting.Result().status == TurnStatus::Cancelled));
}

BOOST_AUTO_TEST_CASE(handles_may_outlive_the_engine) {
  std::optional<Agent> agent;
  std::optional<Turn> turn;
  {
    RuntimeFixture fixture({{"", Outcome::Stall}});
    agent = fixture.MakeAgent();
    turn = agent->Start("Hi");
  }
  BOOST_TEST((turn->Result().status == TurnStatus::Cancelled));
  BOOST_TEST((CodeOf([&] { agent->Send("Hi"); }) == ErrorCode::EngineClosed));
}

BOOST_AUTO_TEST_CASE(two_engines_do_not_know_of_each_other) {
  RuntimeFixture one({{"one"}});
  RuntimeFixture two({{"two"}});
  BOOST_TEST(one.MakeAgent().Send("Hi").text == "one");
  BOOST_TEST(two.MakeAgent().Send("Hi").text == "two");
}

BOOST_AUTO_TEST_CASE(bad_messages_are_refused_by_name) {
  struct Case {
    const char* name;
    std::string text;
    ErrorCode code;
  };
  const Case cases[] = {
      {"empty", "", ErrorCode::InvalidArgument},
      {"NUL byte", std::string("a\0b", 3), ErrorCode::InvalidArgument},
      {"invalid UTF-8", "a\xC3(", ErrorCode::InvalidUtf8},
      {"10 MB", std::string(10'000'000, 'x'), ErrorCode::MessageTooLarge},
  };
  RuntimeFixture fixture;
  Agent agent = fixture.MakeAgent();
  agent.Send("Hi");
  for (const Case& c : cases) {
    BOOST_TEST_CONTEXT(c.name) {
      BOOST_TEST((CodeOf([&] { agent.Send(c.text); }) == c.code));
    }
  }
  BOOST_TEST(agent.dialog_size() == 1);
  BOOST_TEST(agent.Send("Hi").text == "Aye.");
}

#ifdef TALEFOLD_TESTS_FORK
BOOST_AUTO_TEST_CASE(an_engine_does_not_follow_into_a_child_of_fork) {
  auto fixture = std::make_unique<RuntimeFixture>();
  auto agent = std::make_unique<Agent>(fixture->MakeAgent());
  agent->Send("Hi");
  const Turn running = agent->Start("Hi");
  auto scene = std::make_unique<Scene>(
      fixture->engine.CreateScene({.default_model_name = "folder"}));

  const int failed_step = ResultInChild([&] {
    if (CodeOf([&] { agent->Send("Hi"); }) != ErrorCode::EngineClosed) return 1;
    if (CodeOf([&] { agent->ExportSnapshot(); }) != ErrorCode::EngineClosed) return 2;
    if (CodeOf([&] { fixture->MakeAgent(); }) != ErrorCode::EngineClosed) return 3;
    if (CodeOf([&] { scene->Narrate("Hi"); }) != ErrorCode::EngineClosed) return 5;
    scene->Close();
    scene.reset();
    agent->Close();
    agent.reset();
    fixture.reset();
    RuntimeFixture own;
    return own.MakeAgent().Send("Hi").text == "Aye." ? 0 : 4;
  });

  BOOST_TEST(failed_step == 0);
}
#endif

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace talefold
