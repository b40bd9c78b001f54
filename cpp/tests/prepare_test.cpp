// What is computed before anybody waits for it: the beginnings of next prompts, and
// background jobs that give way.

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <memory>
#include <random>
#include <vector>

#include "fake_decoder.h"
#include "inference/scheduler.h"
#include "test_job.h"
#include "test_lane.h"
#include "token_lists.h"

using namespace talefold;
using talefold::testing::CheckAnswer;
using talefold::testing::Count;
using talefold::testing::FakeDevice;
using talefold::testing::FakeSpec;
using talefold::testing::Ids;
using talefold::testing::Join;
using talefold::testing::Lane;
using talefold::testing::TestJob;
using talefold::testing::TestPrepare;

namespace {

std::size_t DecodedTokens(const FakeDevice& device) {
  std::size_t tokens = 0;
  for (const auto& batch : device.batches) tokens += batch.size();
  return tokens;
}

void Prepare(Lane& lane, TestPrepare& job) {
  lane.scheduler.Add(job);
  lane.Run();
}

// The world of all prompts here, then something of its own.
Ids Prompt(Token own, std::size_t size = 100) {
  return Join(Count(50), Count(size, own));
}

}  // namespace

BOOST_AUTO_TEST_SUITE(prepare)

BOOST_AUTO_TEST_CASE(the_next_prompt_computes_only_what_was_not_prepared) {
  FakeDevice device;
  Lane lane;
  const auto state = lane.State(FakeSpec(device));
  TestPrepare ahead(state, Prompt(60));
  Prepare(lane, ahead);
  BOOST_TEST(lane.stats().background_prefill_tokens == 150);
  BOOST_TEST(lane.stats().requests == 0);
  device.batches.clear();

  TestJob job(state, Join(Prompt(60), Count(7, 80)), 1);
  lane.Ask(job);

  CheckAnswer(job);
  BOOST_TEST(job.reused_tokens == 150U);
  BOOST_TEST(!job.first_changed_token);
  BOOST_TEST(DecodedTokens(device) == 7U);
  BOOST_TEST(lane.stats().prefill_tokens - lane.stats().background_prefill_tokens == 7);
}

BOOST_AUTO_TEST_CASE(nothing_is_computed_for_what_is_there) {
  FakeDevice device;
  Lane lane;
  const auto state = lane.State(FakeSpec(device));
  TestJob job(state, Prompt(60), 5);
  lane.Ask(job);
  device.batches.clear();

  for (const std::size_t size : {1U, 40U, 150U}) {
    Ids beginning = Prompt(60);
    beginning.resize(size);
    TestPrepare ahead(state, beginning);
    Prepare(lane, ahead);
  }

  BOOST_TEST(device.batches.empty());
  BOOST_TEST(state->mirror.size() == 154U);
}

BOOST_AUTO_TEST_CASE(what_a_state_holds_stays_until_the_new_tokens_are_complete) {
  FakeDevice device;
  Lane lane;
  const auto state = lane.State(FakeSpec(device));
  TestJob before(state, Prompt(60), 1);
  lane.Ask(before);

  TestPrepare ahead(state, Prompt(70));
  lane.scheduler.Add(ahead);
  lane.scheduler.Step();
  BOOST_TEST(state->mirror == Prompt(60), boost::test_tools::per_element());
  lane.Run();

  BOOST_TEST(state->mirror == Prompt(70), boost::test_tools::per_element());
  // A turn taken back finds the old tokens, which nobody owns any more.
  device.batches.clear();
  TestJob back(state, Join(Prompt(60), Count(3, 90)), 1);
  lane.Ask(back);
  CheckAnswer(back);
  BOOST_TEST(back.reused_tokens == 150U);
  BOOST_TEST(DecodedTokens(device) == 3U);
}

BOOST_AUTO_TEST_CASE(a_state_of_few_tokens_to_lose_is_changed_in_place) {
  FakeDevice device;
  Lane lane;
  const auto state = lane.State(FakeSpec(device));
  TestJob before(state, Prompt(60), 20);  // a reply that is tokenized otherwise
  lane.Ask(before);

  TestPrepare ahead(state, Join(Prompt(60), Count(25, 90)));
  Prepare(lane, ahead);

  BOOST_TEST(!ahead.beside);
  BOOST_TEST(state->mirror.size() == 175U);
}

BOOST_AUTO_TEST_CASE(a_request_ends_it_and_goes_on_from_where_it_was) {
  for (const bool beside : {false, true}) {
    FakeDevice device;
    Lane lane;
    const auto state = lane.State(FakeSpec(device, 512));
    TestJob before(state, Prompt(60), 1);
    if (beside) lane.Ask(before);
    TestPrepare ahead(state, Prompt(70, 300));
    lane.scheduler.Add(ahead);
    lane.scheduler.Step();
    lane.scheduler.Step();

    TestJob job(state, Join(Prompt(70, 300), Count(5, 10)), 2);
    lane.Ask(job);

    CheckAnswer(job);
    BOOST_TEST((ahead.end == LaneJob::End::Cancelled));
    BOOST_TEST(ahead.beside == beside);
    BOOST_TEST(job.reused_tokens >= 64U);
    BOOST_TEST(job.reused_tokens < 350U);
  }
}

BOOST_AUTO_TEST_CASE(a_later_prepare_takes_its_place) {
  FakeDevice device;
  Lane lane;
  const auto state = lane.State(FakeSpec(device, 512));
  TestPrepare first(state, Prompt(60, 300));
  TestPrepare second(state, Prompt(70, 300));
  lane.scheduler.Add(first);
  lane.scheduler.Step();
  lane.scheduler.Add(second);
  lane.Run();

  BOOST_TEST((first.end == LaneJob::End::Cancelled));
  BOOST_TEST(state->mirror == Prompt(70, 300), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(it_stands_back_for_players) {
  FakeDevice device;
  Lane lane;
  const auto spec = FakeSpec(device, 512);
  const auto state = lane.State(spec);
  TestPrepare ahead(state, Count(400));
  TestJob talker(lane.State(spec), Count(10, 40), 30);
  lane.scheduler.Add(ahead);
  lane.scheduler.Add(talker);
  while (talker.reply.size() < talker.max) lane.scheduler.Step();

  BOOST_TEST(state->mirror.size() <= 3 * Scheduler::kShortChunk);
  lane.Run();
  CheckAnswer(talker);
  BOOST_TEST(state->mirror.size() == 400U);
}

BOOST_AUTO_TEST_CASE(a_deterministic_engine_prepares_whole_chunks) {
  FakeDevice device;
  Lane lane(1 << 20, /*is_deterministic=*/true);
  const auto state = lane.State(FakeSpec(device));
  TestPrepare ahead(state, Prompt(60));
  Prepare(lane, ahead);
  BOOST_TEST(state->mirror.size() == 128U);
  device.batches.clear();

  TestJob job(state, Join(Prompt(60), Count(5, 80)), 1);
  lane.Ask(job);

  CheckAnswer(job);
  BOOST_TEST(job.reused_tokens == 128U);
  BOOST_TEST(device.batches[0].front().position == 128);
}

BOOST_AUTO_TEST_CASE(memory_without_a_past_is_prepared_too) {
  FakeDevice device;
  device.memory = FakeDevice::Memory::KeepsNoPast;
  Lane lane;
  const auto state = lane.State(FakeSpec(device));
  TestJob before(state, Prompt(60), 3);
  lane.Ask(before);
  TestPrepare ahead(state, Prompt(70));
  Prepare(lane, ahead);
  device.batches.clear();

  TestJob job(state, Join(Prompt(70), Count(5, 80)), 1);
  lane.Ask(job);

  CheckAnswer(job);
  BOOST_TEST(DecodedTokens(device) == 5U);
}

BOOST_AUTO_TEST_CASE(a_fault_at_any_call_costs_a_prefill_and_nothing_else) {
  for (std::size_t call = 0; call < 6; ++call) {
    for (const std::size_t decoded : {0U, 5U, 999U}) {
      FakeDevice device;
      Lane lane;
      const auto state = lane.State(FakeSpec(device));
      TestJob before(state, Prompt(60), 1);
      lane.Ask(before);
      for (std::size_t i = 0; i < call; ++i) device.faults.push_back({0, 999});
      device.faults.push_back({-1, decoded});
      TestPrepare ahead(state, Prompt(70));
      Prepare(lane, ahead);
      device.faults.clear();

      TestJob job(state, Join(Prompt(70), Count(5, 80)), 3);
      lane.Ask(job);

      CheckAnswer(job);
    }
  }
}

BOOST_AUTO_TEST_CASE(copies_that_are_refused_cost_a_prefill_and_nothing_else) {
  FakeDevice device;
  Lane lane;
  const auto state = lane.State(FakeSpec(device));
  TestJob before(state, Prompt(60), 1);
  lane.Ask(before);
  device.refuses_restores = true;
  TestPrepare ahead(state, Prompt(70));
  Prepare(lane, ahead);

  TestJob job(state, Join(Prompt(70), Count(5, 80)), 3);
  lane.Ask(job);

  CheckAnswer(job);
}

BOOST_AUTO_TEST_CASE(an_owner_that_goes_leaves_nothing_that_is_used) {
  FakeDevice device;
  Lane lane;
  const auto spec = FakeSpec(device, 256, 2);
  {
    const auto state = lane.State(spec);
    TestJob before(state, Prompt(60), 1);
    lane.Ask(before);
    TestPrepare ahead(state, Prompt(70));
    lane.scheduler.Add(ahead);
    lane.scheduler.Step();
    lane.store.Abandon(*state);
    ahead.stop.Request(StopCause::Cancelled);
    lane.Run();
  }
  for (Token own = 0; own < 5; ++own) {
    TestJob other(lane.State(spec), Count(100, own), 3);
    lane.Ask(other);
    CheckAnswer(other);
  }
}

BOOST_AUTO_TEST_CASE(a_background_job_in_the_only_slot_gives_way_and_goes_on) {
  FakeDevice device;
  Lane lane;
  const auto spec = FakeSpec(device, 256, 1);
  TestJob fold(lane.State(spec), Count(100), 40);
  fold.SetBackground(true);
  lane.scheduler.Add(fold);
  for (int i = 0; i < 12; ++i) lane.scheduler.Step();
  const std::size_t before = fold.reply.size();
  BOOST_REQUIRE(before > 0 && before < fold.max);
  TestJob talker(lane.State(spec), Count(10, 40), 12);
  lane.scheduler.Add(talker);
  while (talker.reply.size() < talker.max) lane.scheduler.Step();

  BOOST_TEST(fold.reply.size() == before);
  lane.Run();
  CheckAnswer(fold);
  CheckAnswer(talker);
  BOOST_TEST(lane.stats().requests == 2);
}

BOOST_AUTO_TEST_CASE(a_background_job_gives_way_where_its_pool_takes_the_memory) {
  FakeDevice device;
  Lane lane(2560);  // one slot of one pool
  TestJob fold(lane.State(FakeSpec(device, 256, 1, "folds")), Count(100), 40);
  fold.SetBackground(true);
  lane.scheduler.Add(fold);
  for (int i = 0; i < 12; ++i) lane.scheduler.Step();
  TestJob talker(lane.State(FakeSpec(device, 128, 1, "talks")), Count(10, 40), 12);
  lane.scheduler.Add(talker);
  for (int i = 0; i < 14; ++i) lane.scheduler.Step();

  CheckAnswer(talker);
  lane.Run();
  CheckAnswer(fold);
}

BOOST_AUTO_TEST_CASE(a_deterministic_engine_lets_a_summary_be_written_to_its_end) {
  FakeDevice device;
  Lane lane(1 << 20, /*is_deterministic=*/true);
  const auto spec = FakeSpec(device, 256, 1);
  TestJob fold(lane.State(spec), Count(100), 20);
  fold.SetBackground(true);
  lane.scheduler.Add(fold);
  while (fold.reply.empty()) lane.scheduler.Step();
  TestJob talker(lane.State(spec), Count(10, 40), 5);
  lane.scheduler.Add(talker);
  while (talker.reply.empty()) lane.scheduler.Step();

  BOOST_TEST(fold.reply.size() == fold.max);
  lane.Run();
  CheckAnswer(fold);
  CheckAnswer(talker);
}

BOOST_AUTO_TEST_CASE(a_job_that_somebody_waits_for_now_is_no_background_job) {
  FakeDevice device;
  Lane lane;
  const auto spec = FakeSpec(device, 512, 3);
  TestJob fold(lane.State(spec), Count(300), 3);
  fold.SetBackground(true);
  TestJob talker(lane.State(spec), Count(10, 40), 60);
  lane.scheduler.Add(fold);
  lane.scheduler.Add(talker);
  lane.scheduler.Step();
  fold.waits_for_nobody = false;
  for (int i = 0; i < 15; ++i) lane.scheduler.Step();

  CheckAnswer(fold);
  BOOST_TEST(talker.reply.size() < talker.max);
  lane.Run();
}

BOOST_AUTO_TEST_CASE(any_mix_of_requests_and_preparations_answers_right) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    std::mt19937 random(seed);
    FakeDevice device;
    if (seed % 3 == 0) device.memory = FakeDevice::Memory::KeepsNoPast;
    Lane lane(2560 * (1 + random() % 8), seed % 4 == 1);
    const auto spec = FakeSpec(device, 256, 1 + std::int32_t(random() % 4));
    std::vector<std::shared_ptr<KvState>> states;
    for (int i = 0; i < 4; ++i) states.push_back(lane.State(spec));
    std::vector<std::unique_ptr<TestJob>> jobs;
    std::vector<std::unique_ptr<TestPrepare>> preparations;
    for (int step = 0; step < 120; ++step) {
      const auto& state = states[random() % states.size()];
      const Ids prompt = Prompt(static_cast<Token>(random() % 5), 20 + random() % 100);
      const bool is_busy = std::ranges::any_of(jobs, [&](const auto& job) {
        return job->state == state && !job->error && job->reply.size() < job->max;
      });
      if (!is_busy && random() % 2 == 0) {
        preparations.push_back(std::make_unique<TestPrepare>(state, prompt));
        lane.scheduler.Add(*preparations.back());
      } else if (!is_busy) {
        jobs.push_back(std::make_unique<TestJob>(state, prompt, 1 + random() % 9));
        jobs.back()->SetBackground(random() % 3 == 0);
        lane.scheduler.Add(*jobs.back());
      }
      for (unsigned i = random() % 4; i > 0; --i) lane.scheduler.Step();
    }
    lane.Run();
    for (const auto& job : jobs) CheckAnswer(*job);
  }
}

BOOST_AUTO_TEST_SUITE_END()
