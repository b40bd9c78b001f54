// An engine that is destroyed in the midst of whatever it does.
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "capi/objects.h"
#include "capi_fixture.h"

using namespace talefold;
using namespace talefold::capi;

namespace {

constexpr std::string_view kStallsTalking =
    R"({"replies": [{"text": "Well now", "outcome": "stall"}]})";
constexpr std::string_view kStallsFolding =
    R"({"replies": ["Aye."], "node_replies": {"fold": [{"outcome": "stall"}]}})";

// The handles that the process has given out and not taken back.
std::size_t OpenHandles() {
  return Engines().size() + Agents().size() + Tasks().size() + SpeechCalls().size();
}

void WaitForText(talefold_task turn) {
  talefold_event event = NoEvent();
  while (event.kind != TALEFOLD_EVENT_ANSWER_TEXT) {
    Ok(Api().task_wait_event(turn, 60'000, &event));
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(capi_teardown)

BOOST_AUTO_TEST_CASE(nothing_is_left_whatever_was_going_on) {
  const struct {
    const char* phase;
    std::string_view model;
    std::function<void(CapiFixture&)> begin;
  } rows[] = {
      {"idle", kStallsTalking, [](CapiFixture&) {}},
      {"just started", kStallsTalking, [](CapiFixture& chat) { chat.Start("Hi"); }},
      {"streaming", kStallsTalking,
       [](CapiFixture& chat) { WaitForText(chat.Start("Hi")); }},
      {"streaming, cancelled", kStallsTalking,
       [](CapiFixture& chat) {
         const talefold_task turn = chat.Start("Hi");
         WaitForText(turn);
         Ok(Api().task_cancel(turn));
       }},
      {"streaming, task released", kStallsTalking,
       [](CapiFixture& chat) {
         const talefold_task turn = chat.Start("Hi");
         WaitForText(turn);
         Ok(Api().task_release(turn));
       }},
      {"folding in a turn", kStallsFolding,
       [](CapiFixture& chat) {
         chat.Say("a");
         WaitForText(chat.Start("b"));
       }},
      {"loading a model", kStallsTalking,
       [](CapiFixture& chat) {
         talefold_task load = 0;
         Ok(Api().engine_load_model(chat.engine, Text("edric"),
                                    Text(R"({"path": "none.gguf"})"), &load));
       }},
      {"loading knowledge", kStallsTalking,
       [](CapiFixture& chat) {
         talefold_task load = 0;
         Ok(Api().engine_load_knowledge(chat.engine, Text("lore"),
                                        Text(R"({"config": "{\"version\": 1}"})"),
                                        &load));
       }},
  };
  const std::size_t before = OpenHandles();
  for (const auto& row : rows) {
    BOOST_TEST_CONTEXT(row.phase) {
      CapiFixture chat(row.model);
      row.begin(chat);
      Ok(Api().engine_destroy(chat.engine));
      chat.engine = 0;
      BOOST_TEST(OpenHandles() == before);
    }
  }
}

BOOST_AUTO_TEST_CASE(other_threads_may_be_in_the_midst_of_calls) {
  for (int round = 0; round < 20; ++round) {
    CapiFixture chat(R"({"replies": ["Well now"], "token_delay_us": 50})");
    std::atomic<bool> stop = false;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&chat, &stop, i, engine = chat.engine, agent = chat.agent] {
        while (!stop) {
          talefold_task task = 0;
          talefold_agent made = 0;
          talefold_event event = NoEvent();
          talefold_text text{};
          if (i == 0) Api().agent_start(agent, Text("Hi"), 0, &task);
          if (i == 1) Api().agent_export_snapshot(agent, &text);
          if (i == 2) {
            Api().engine_create_agent(engine, Text(kTalkAndFold), kNoText, kNoText,
                                      kNoBytes, &made);
          }
          if (i == 3) Api().agent_poll_background(agent, &event);
          if (task != 0) Api().task_wait_event(task, 1, &event);
        }
      });
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(round % 5));
    Ok(Api().engine_destroy(chat.engine));
    chat.engine = 0;
    stop = true;
    for (std::thread& thread : threads) thread.join();
    BOOST_TEST(OpenHandles() == 0u);
  }
}

BOOST_AUTO_TEST_CASE(two_engines_live_apart) {
  const CapiFixture one;
  CapiFixture other(kStallsTalking);
  other.Start("Hi");

  Ok(Api().engine_destroy(other.engine));
  other.engine = 0;

  BOOST_TEST(one.Say("Hi") == "Aye.");
}

BOOST_AUTO_TEST_SUITE_END()
