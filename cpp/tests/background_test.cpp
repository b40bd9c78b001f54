// Folds beside turns, seen from C++, and from many threads.

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "runtime_fixture.h"
#include "talefold/talefold.hpp"

using namespace talefold;

namespace {

GraphDescription BackgroundGraph(int trigger_turns = 2) {
  SummarizeParams folder = RuntimeFixture::Folder(trigger_turns);
  folder.run_inline = false;
  folder.notify_client = true;
  return RuntimeFixture::Graph(RuntimeFixture::Talker(), folder);
}

}  // namespace

BOOST_AUTO_TEST_SUITE(background)

BOOST_AUTO_TEST_CASE(a_fold_shows_when_the_host_takes_notice) {
  RuntimeFixture fixture;
  Agent agent = fixture.MakeAgent(BackgroundGraph());
  agent.Send("a");
  agent.Send("b");
  BOOST_TEST(!agent.busy());
  BOOST_TEST(!agent.GetSummary());

  BOOST_TEST(agent.WaitBackground());

  BOOST_TEST(agent.GetSummary().value().text == "They met.");
  const std::vector<Event> events = agent.PollBackground();
  BOOST_REQUIRE(events.size() == 1U);
  BOOST_TEST(events[0].turn_id == 0U);
  BOOST_TEST(std::get<NodeEvent>(events[0].body).event_type == "summarized");
  const EngineStats stats = fixture.engine.Stats();
  BOOST_TEST(stats.scheduled_folds == 1);
  BOOST_TEST(stats.committed_folds == 1);
}

BOOST_AUTO_TEST_CASE(waiting_ends_with_the_agent) {
  RuntimeFixture fixture({{"Aye."}},
                         {{.text = "x", .outcome = ScriptedReply::Outcome::Stall}});
  Agent agent = fixture.MakeAgent(BackgroundGraph());
  agent.Send("a");
  agent.Send("b");
  BOOST_TEST(!agent.WaitBackground(std::chrono::milliseconds(1)));
  std::thread closer([&] { agent.Close(); });

  BOOST_TEST((CodeOf([&] { agent.WaitBackground(); }) == ErrorCode::AgentClosed));

  closer.join();
}

BOOST_AUTO_TEST_CASE(an_engine_that_closes_takes_its_folds_along) {
  for (const auto outcome :
       {ScriptedReply::Outcome::Finish, ScriptedReply::Outcome::Stall}) {
    RuntimeFixture fixture({{"Aye."}}, {{.text = "They met.", .outcome = outcome}});
    std::vector<Agent> agents;
    for (int i = 0; i < 12; ++i) {
      agents.push_back(fixture.MakeAgent(BackgroundGraph()));
      agents.back().Send("a");
      agents.back().Send("b");
    }
    fixture.engine.Close();

    for (Agent& agent : agents) {
      BOOST_TEST((CodeOf([&] { agent.PollBackground(); }) == ErrorCode::EngineClosed));
    }
  }
}

// Every host call at the same time as folds and turns: none of them may find a summary
// that is not whole, or an agent that is in the way of itself.
BOOST_AUTO_TEST_CASE(any_host_call_beside_folds_and_turns) {
  RuntimeFixture fixture({{"Aye."}, {"No."}}, {{"They met."}, {"They parted."}});
  std::atomic<int> failed = 0;
  const auto play = [&](Agent agent, unsigned seed) {
    std::thread poller([&, agent]() mutable {
      for (int i = 0; i < 60; ++i) {
        agent.PollBackground();
        agent.WaitBackground(std::chrono::milliseconds(1));
        const auto summary = agent.GetSummary();
        if (summary && summary->text.find(". ") != std::string::npos) ++failed;
        if (agent.ExportSnapshot().empty()) ++failed;
      }
    });
    for (unsigned i = 0; i < 40; ++i) {
      try {
        switch ((seed + i) % 9) {
          case 3:
            agent.UndoLastTurn();
            break;
          case 5:
            agent.StartRegenerate().Result();
            break;
          case 6:
            agent.EditInteraction(0, "edited " + std::to_string(i), std::nullopt);
            break;
          case 7:
            agent.ChangeParamsJson("summarize", R"({"trigger_turns": 1})");
            break;
          case 8:
            agent.Prewarm();
            break;
          default:
            agent.Start("line " + std::to_string(i)).Result();
        }
      } catch (const Error& error) {
        const bool is_expected = error.code() == ErrorCode::InteractionNotFound ||
                                 error.code() == ErrorCode::AgentBusy;
        if (!is_expected) ++failed;
      }
    }
    poller.join();
    agent.WaitBackground();
  };
  std::vector<std::thread> players;
  for (unsigned seed = 0; seed < 8; ++seed) {
    players.emplace_back(play, fixture.MakeAgent(BackgroundGraph(1)), seed);
  }
  for (std::thread& player : players) player.join();

  BOOST_TEST(failed == 0);
  const EngineStats stats = fixture.engine.Stats();
  BOOST_TEST(stats.committed_folds > 0);
  BOOST_TEST(stats.scheduled_folds ==
             stats.committed_folds + stats.cancelled_folds + stats.failed_folds);
}

BOOST_AUTO_TEST_SUITE_END()
