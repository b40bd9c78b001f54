// A turn as its host sees it: events, decisions, cancelling, time-outs.
#include <boost/test/unit_test.hpp>
#include <limits>
#include <memory>
#include <stdexcept>
#include <thread>

#include "runtime/turn_impl.h"
#include "runtime/worker_pool.h"
#include "runtime_fixture.h"

namespace talefold {
namespace {

using Outcome = ScriptedReply::Outcome;
using std::chrono::milliseconds;

BOOST_AUTO_TEST_SUITE(turn)

// Waits for the first event of type Body.
template <typename Body>
Body WaitFor(Turn& turn) {
  for (;;) {
    const auto event = turn.WaitEvent(milliseconds(10000));
    BOOST_REQUIRE(event.has_value());
    if (const Body* body = std::get_if<Body>(&event->body)) return *body;
  }
}

BOOST_AUTO_TEST_CASE(a_streaming_reply_is_deltas_then_the_whole_then_complete) {
  RuntimeFixture fixture;
  Agent agent = fixture.MakeAgent(fixture.Graph(fixture.Talker(true)));

  const TurnResult result = agent.Send("Hi");

  BOOST_REQUIRE(result.events.size() == 6u);  // 4 characters, the whole, complete
  for (std::size_t i = 0; i < 4; ++i) {
    const auto& delta = std::get<AnswerText>(result.events[i].body);
    BOOST_TEST(delta.is_delta);
    BOOST_TEST(!delta.is_final);
  }
  const auto& whole = std::get<AnswerText>(result.events[4].body);
  BOOST_TEST(whole.text == "Aye.");
  BOOST_TEST(!whole.is_delta);
  BOOST_TEST(whole.is_final);
  BOOST_TEST(std::holds_alternative<TurnComplete>(result.events[5].body));
  BOOST_TEST(result.events[5].turn_id == 1u);
}

BOOST_AUTO_TEST_CASE(without_streaming_there_is_one_final_text) {
  RuntimeFixture fixture;
  const TurnResult result = fixture.MakeAgent().Send("Hi");
  BOOST_TEST(result.events.size() == 2u);
  BOOST_TEST(result.text == "Aye.");
}

BOOST_AUTO_TEST_CASE(result_does_not_take_events_from_poll) {
  RuntimeFixture fixture;
  Agent agent = fixture.MakeAgent();
  Turn turn = agent.Start("Hi");

  turn.Result();

  BOOST_TEST(turn.done());
  BOOST_TEST(turn.Poll().has_value());
  BOOST_TEST(turn.Poll().has_value());
  BOOST_TEST(!turn.Poll().has_value());
  BOOST_TEST(!turn.WaitEvent(milliseconds(0)).has_value());
}

BOOST_AUTO_TEST_CASE(a_cancel_before_any_text_leaves_the_dialog_as_it_was) {
  RuntimeFixture fixture({{"Aye.", Outcome::Stall}});
  Agent agent = fixture.MakeAgent();  // does not stream: nothing is emitted
  Turn turn = agent.Start("Hi");

  turn.Cancel();
  turn.Cancel();  // idempotent

  const TurnResult result = turn.Result();
  BOOST_TEST((result.status == TurnStatus::Cancelled));
  BOOST_TEST(result.text == "");
  BOOST_TEST(agent.dialog_size() == 0);
  BOOST_TEST(!agent.busy());
}

BOOST_AUTO_TEST_CASE(text_the_player_read_is_never_taken_back) {
  RuntimeFixture fixture({{"Aye", Outcome::Stall}});
  Agent agent = fixture.MakeAgent(fixture.Graph(fixture.Talker(true)));
  Turn turn = agent.Start("Hi");
  for (int i = 0; i < 3; ++i) WaitFor<AnswerText>(turn);

  turn.Cancel();

  BOOST_TEST((turn.Result().status == TurnStatus::Cancelled));
  BOOST_REQUIRE(agent.dialog_size() == 1);
  BOOST_TEST(agent.Dialog()[0].assistant == "Aye");
  BOOST_TEST(agent.Dialog()[0].status == "interrupted");
}

BOOST_AUTO_TEST_CASE(a_failure_after_text_keeps_the_text_and_reports_the_error) {
  RuntimeFixture fixture({{"Ay", Outcome::Fail}});
  Agent agent = fixture.MakeAgent(fixture.Graph(fixture.Talker(true)));

  const TurnResult result = agent.Start("Hi").Result();

  BOOST_TEST((result.status == TurnStatus::Error));
  BOOST_TEST((result.error->code() == ErrorCode::InferenceFailed));
  BOOST_TEST(agent.Dialog().at(0).assistant == "Ay");
  BOOST_TEST(agent.Dialog().at(0).status == "interrupted");
}

BOOST_AUTO_TEST_CASE(a_failure_before_text_leaves_the_dialog_as_it_was) {
  RuntimeFixture fixture({{"", Outcome::Fail}, {"Aye."}});
  Agent agent = fixture.MakeAgent();

  BOOST_TEST((CodeOf([&] { agent.Send("Hi"); }) == ErrorCode::InferenceFailed));
  BOOST_TEST(agent.dialog_size() == 0);
  BOOST_TEST(agent.Send("Hi").text == "Aye.");
}

BOOST_AUTO_TEST_CASE(a_time_out_is_an_error_of_its_own) {
  RuntimeFixture fixture({{"", Outcome::Stall}});
  Agent agent = fixture.MakeAgent();

  const TurnResult result = agent.Start("Hi", {.timeout_ms = 20}).Result();

  BOOST_TEST((result.error->code() == ErrorCode::InferenceTimeout));
  BOOST_TEST(agent.dialog_size() == 0);
}

BOOST_AUTO_TEST_CASE(turns_that_wait_for_a_worker_can_be_cancelled_and_time_out) {
  RuntimeFixture fixture({{"", Outcome::Stall}}, {}, {.worker_threads = 1});
  Agent first = fixture.MakeAgent();
  Agent second = fixture.MakeAgent();
  Agent third = fixture.MakeAgent();
  Turn running = first.Start("Hi");
  Turn cancelled = second.Start("Hi");
  Turn late = third.Start("Hi", {.timeout_ms = 20});

  cancelled.Cancel();

  BOOST_TEST((cancelled.Result().status == TurnStatus::Cancelled));
  BOOST_TEST((late.Result().error->code() == ErrorCode::InferenceTimeout));
  BOOST_TEST(!running.done());
  running.Cancel();
}

BOOST_AUTO_TEST_CASE(the_listener_hears_of_events_queued_before_and_after) {
  RuntimeFixture fixture({{"Aye", Outcome::Stall}});
  Agent agent = fixture.MakeAgent(fixture.Graph(fixture.Talker(true)));
  Turn turn = agent.Start("Hi");
  WaitFor<AnswerText>(turn);
  WaitFor<AnswerText>(turn);
  std::atomic<int> calls = 0;

  turn.SetListener([&calls] { ++calls; });
  turn.Cancel();
  turn.Result();
  turn.SetListener(nullptr);

  BOOST_TEST(calls >= 1);
}

BOOST_AUTO_TEST_CASE(what_a_listener_throws_does_not_reach_the_turn) {
  RuntimeFixture fixture;
  Agent agent = fixture.MakeAgent(fixture.Graph(fixture.Talker(true)));
  for (int i = 0; i < 5; ++i) {
    Turn turn = agent.Start("Hi");
    turn.SetListener([] { throw std::runtime_error("host"); });
    BOOST_TEST(turn.Result().text == "Aye.");
  }
}

BOOST_AUTO_TEST_CASE(a_listener_may_own_what_owns_the_turn) {
  auto fixture = std::make_shared<RuntimeFixture>();
  Agent agent = fixture->MakeAgent();
  Turn turn = agent.Start("Hi");
  turn.SetListener([turn]() mutable { turn.id(); });

  BOOST_TEST(turn.Result().text == "Aye.");
}

BOOST_AUTO_TEST_CASE(what_a_log_sink_throws_does_not_reach_the_turn) {
  EngineOptions options;
  options.log_sink = [](LogLevel, std::string_view, std::string_view) {
    throw std::runtime_error("host");
  };
  RuntimeFixture fixture({{"Aye."}}, {{"", Outcome::Fail}}, options);
  Agent agent =
      fixture.MakeAgent(fixture.Graph(fixture.Talker(), fixture.Folder(1, 0)));

  BOOST_TEST((agent.Start("Hi").Result().status == TurnStatus::Success));
}

BOOST_AUTO_TEST_CASE(a_time_out_beyond_the_clock_never_expires) {
  RuntimeFixture fixture;
  Agent agent = fixture.MakeAgent();
  for (const std::int64_t timeout_ms :
       {std::numeric_limits<std::int64_t>::max(), std::int64_t{1} << 62}) {
    BOOST_TEST(agent.Send("Hi", {.timeout_ms = timeout_ms}).text == "Aye.");
  }
  Turn turn = agent.Start("Hi");
  BOOST_TEST(turn.Wait(milliseconds::max()));
}

BOOST_AUTO_TEST_CASE(a_decision_pauses_until_it_is_resolved) {
  Turn::Impl turn(1, {});
  std::string chosen;
  std::thread worker(
      [&] { chosen = turn.AwaitDecision({"choose", {"fight", "flee"}}); });
  const auto event = turn.WaitEvent(milliseconds(10000));

  const auto& decision = std::get<DecisionRequired>(event->body);
  BOOST_TEST(decision.options.size() == 2u);
  BOOST_TEST((CodeOf([&] { turn.Resolve("sing"); }) == ErrorCode::InvalidArgument));
  turn.Resolve("flee");
  worker.join();

  BOOST_TEST(chosen == "flee");
  BOOST_TEST((CodeOf([&] { turn.Resolve("flee"); }) == ErrorCode::NoDecisionPending));
}

BOOST_AUTO_TEST_CASE(a_cancel_ends_a_pending_decision) {
  Turn::Impl turn(1, {});
  std::string chosen = "unset";
  std::thread worker([&] { chosen = turn.AwaitDecision({"choose", {"fight"}}); });
  turn.WaitEvent(milliseconds(10000));

  turn.Stop(StopCause::Cancelled);
  worker.join();

  BOOST_TEST(chosen == "");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace talefold
