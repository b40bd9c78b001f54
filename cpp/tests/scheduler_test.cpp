#include "inference/scheduler.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <memory>
#include <string>
#include <vector>

#include "fake_decoder.h"
#include "talefold/error.h"
#include "test_job.h"
#include "test_lane.h"
#include "token_lists.h"

using namespace talefold;
using talefold::testing::Answer;
using talefold::testing::CheckAnswer;
using talefold::testing::CodeOf;
using talefold::testing::Count;
using talefold::testing::FakeDevice;
using talefold::testing::FakeSpec;
using talefold::testing::Ids;
using talefold::testing::Join;
using talefold::testing::Lane;
using talefold::testing::TestJob;

BOOST_AUTO_TEST_SUITE(scheduler)

BOOST_AUTO_TEST_CASE(a_prompt_is_computed_in_chunks_then_answered) {
  FakeDevice device;
  Lane lane;
  TestJob job(lane.State(FakeSpec(device)), Count(150));

  lane.Ask(job);

  CheckAnswer(job);
  std::vector<std::size_t> sizes;
  for (const auto& batch : device.batches) sizes.push_back(batch.size());
  BOOST_TEST(sizes == (std::vector<std::size_t>{64, 64, 22, 1, 1}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(the_next_prompt_costs_its_new_tokens) {
  FakeDevice device;
  Lane lane;
  const auto state = lane.State(FakeSpec(device));
  TestJob first(state, Count(100));
  lane.Ask(first);
  device.batches.clear();

  TestJob second(state, Join(Join(Count(100), first.reply), Count(10, 50)));
  lane.Ask(second);

  CheckAnswer(second);
  BOOST_TEST(second.reused_tokens == 102U);  // the last of the reply was not decoded
  BOOST_TEST(!second.first_changed_token);
  BOOST_TEST(device.batches[0].size() == 11U);
}

BOOST_AUTO_TEST_CASE(a_changed_prompt_keeps_the_common_prefix) {
  FakeDevice device;
  Lane lane;
  const auto state = lane.State(FakeSpec(device));
  TestJob first(state, Count(100));
  lane.Ask(first);

  TestJob second(state, Join(Count(40), Count(30, 7)));
  lane.Ask(second);

  CheckAnswer(second);
  BOOST_TEST(second.reused_tokens == 40U);
  BOOST_TEST(second.first_changed_token.value() == 40U);
}

BOOST_AUTO_TEST_CASE(the_same_prompt_again_decodes_one_token) {
  FakeDevice device;
  Lane lane;
  const auto state = lane.State(FakeSpec(device));
  for (int i = 0; i < 2; ++i) {
    TestJob job(state, Count(100));
    lane.Ask(job);
    CheckAnswer(job);
  }
  BOOST_TEST(lane.stats().reused_tokens == 99);
}

BOOST_AUTO_TEST_CASE(memory_without_a_past_is_decoded_anew_when_it_must_shrink) {
  FakeDevice device;
  device.memory = FakeDevice::Memory::KeepsNoPast;
  Lane lane;
  const auto state = lane.State(FakeSpec(device));
  TestJob first(state, Count(100));
  lane.Ask(first);
  TestJob longer(state,
                 Join(Join(Count(100), {first.reply[0], first.reply[1]}), Count(5, 9)));
  lane.Ask(longer);
  TestJob shorter(state, Count(50));
  lane.Ask(shorter);

  CheckAnswer(longer);
  CheckAnswer(shorter);
  BOOST_TEST(longer.reused_tokens == 102U);
  BOOST_TEST(shorter.reused_tokens == 0U);
}

BOOST_AUTO_TEST_CASE(jobs_that_generate_share_a_batch) {
  FakeDevice device;
  Lane lane;
  const auto spec = FakeSpec(device);
  std::vector<std::unique_ptr<TestJob>> jobs;
  for (Token i = 0; i < 4; ++i) {
    jobs.push_back(std::make_unique<TestJob>(lane.State(spec), Count(10, 10 * i), 20));
    lane.scheduler.Add(*jobs.back());
  }
  lane.Run();

  for (const auto& job : jobs) CheckAnswer(*job);
  std::size_t largest = 0;
  for (const auto& batch : device.batches) {
    if (batch.size() > 4) continue;  // a prompt
    largest = std::max(largest, batch.size());
    for (std::size_t i = 1; i < batch.size(); ++i) {
      BOOST_TEST(batch[i].slot == batch[i - 1].slot + 1);
    }
  }
  BOOST_TEST(largest == 4U);
}

BOOST_AUTO_TEST_CASE(a_gap_between_running_slots_is_closed) {
  FakeDevice device;
  Lane lane;
  const auto spec = FakeSpec(device);
  std::vector<std::unique_ptr<TestJob>> jobs;
  for (const std::size_t size : {40U, 5U, 40U}) {
    const auto first = static_cast<Token>(10 * jobs.size());
    jobs.push_back(std::make_unique<TestJob>(lane.State(spec), Count(10, first), size));
    lane.scheduler.Add(*jobs.back());
  }
  lane.Run();

  for (const auto& job : jobs) CheckAnswer(*job);
  BOOST_TEST(lane.stats().moves == 1);
  BOOST_TEST(device.batches.back().size() <= 2U);
}

BOOST_AUTO_TEST_CASE(no_batch_mixes_a_prompt_with_a_reply) {
  FakeDevice device;
  Lane lane;
  const auto spec = FakeSpec(device);
  TestJob talker(lane.State(spec), Count(10), 30);
  lane.scheduler.Add(talker);
  lane.scheduler.Step();
  TestJob newcomer(lane.State(spec), Count(200, 20), 3);
  lane.scheduler.Add(newcomer);
  lane.Run();

  CheckAnswer(talker);
  CheckAnswer(newcomer);
  for (const auto& batch : device.batches) {
    const bool of_one = std::ranges::all_of(
        batch, [&](const BatchToken& token) { return token.slot == batch[0].slot; });
    BOOST_TEST((of_one || batch.size() == 2));
  }
  // While the prompt was computed, the other went on with each chunk.
  BOOST_TEST(device.batches[1].size() == 1U);
  BOOST_TEST(device.batches[2].size() == Scheduler::kShortChunk);
  BOOST_TEST(device.batches[3].size() == 1U);
}

BOOST_AUTO_TEST_CASE(jobs_with_other_adapters_have_batches_and_prefixes_of_their_own) {
  FakeDevice device;
  Lane lane;
  const auto spec = FakeSpec(device);
  TestJob plain(lane.State(spec), Count(100), 10);
  TestJob adapted(lane.State(spec, "pirate"), Count(100), 10);
  lane.Ask(plain);
  lane.Ask(adapted);
  TestJob again(lane.State(spec, "pirate"), Count(100), 10);
  lane.Ask(again);

  BOOST_TEST(adapted.reused_tokens == 0U);
  BOOST_TEST(again.reused_tokens == 99U);
  BOOST_TEST(device.adapters.front() == "");
  BOOST_TEST(device.adapters.back() == "pirate");
}

BOOST_AUTO_TEST_CASE(adapters_that_cannot_be_applied_fail_the_job_alone) {
  FakeDevice device;
  Lane lane;
  const auto spec = FakeSpec(device);
  TestJob broken(lane.State(spec, "broken"), Count(10));
  TestJob sound(lane.State(spec), Count(10));
  lane.scheduler.Add(broken);
  lane.scheduler.Add(sound);
  lane.Run();

  BOOST_TEST((CodeOf(broken) == ErrorCode::InferenceFailed));
  CheckAnswer(sound);
}

BOOST_AUTO_TEST_CASE(a_job_beyond_the_slots_waits) {
  FakeDevice device;
  Lane lane;
  const auto spec = FakeSpec(device, 256, 3);  // two, and one for background work
  std::vector<std::unique_ptr<TestJob>> jobs;
  for (Token i = 0; i < 5; ++i) {
    jobs.push_back(std::make_unique<TestJob>(lane.State(spec), Count(10, 10 * i), 5));
    lane.scheduler.Add(*jobs.back());
  }
  lane.scheduler.Step();
  BOOST_TEST(lane.stats().running_requests == 2);
  BOOST_TEST(lane.stats().waiting_requests == 3);
  lane.Run();

  for (const auto& job : jobs) CheckAnswer(*job);
}

BOOST_AUTO_TEST_CASE(background_work_has_a_slot_and_stands_back) {
  FakeDevice device;
  Lane lane;
  const auto spec = FakeSpec(device, 256, 2);
  TestJob fold(lane.State(spec), Count(100), 50);
  fold.SetBackground(true);
  lane.scheduler.Add(fold);
  for (int i = 0; i < 10; ++i) lane.scheduler.Step();
  const std::size_t before = fold.reply.size();
  TestJob talker(lane.State(spec), Count(10, 40), 12);
  lane.scheduler.Add(talker);
  while (talker.reply.size() < talker.max) lane.scheduler.Step();

  BOOST_TEST(fold.reply.size() <= before + 1);
  lane.Run();
  CheckAnswer(fold);
  CheckAnswer(talker);
}

BOOST_AUTO_TEST_CASE(background_work_is_not_starved) {
  FakeDevice device;
  Lane lane;
  const auto spec = FakeSpec(device);
  TestJob fold(lane.State(spec), Count(100), 5);
  fold.SetBackground(true);
  TestJob talker(lane.State(spec), Count(10, 40), 200);
  lane.scheduler.Add(fold);
  lane.scheduler.Add(talker);
  while (talker.reply.size() < talker.max) lane.scheduler.Step();

  BOOST_TEST(fold.reply.size() == fold.max);
}

BOOST_AUTO_TEST_CASE(a_short_prompt_is_not_held_up_by_a_long_one) {
  FakeDevice device;
  Lane lane;
  const auto spec = FakeSpec(device, 4096);
  TestJob cold(lane.State(spec), Count(4000), 2);
  TestJob warm(lane.State(spec), Count(20, 50), 2);
  lane.scheduler.Add(cold);
  lane.scheduler.Add(warm);
  for (int i = 0; i < 4; ++i) lane.scheduler.Step();

  BOOST_TEST(warm.reply.size() == 2U);
  lane.Run();
}

BOOST_AUTO_TEST_CASE(a_prefix_under_way_is_awaited_and_copied) {
  FakeDevice device;
  Lane lane;
  const auto spec = FakeSpec(device);
  TestJob first(lane.State(spec), Count(200), 2);
  TestJob second(lane.State(spec), Join(Count(150), Count(10, 500)), 2);
  lane.scheduler.Add(first);
  lane.scheduler.Add(second);
  lane.Run();

  CheckAnswer(first);
  CheckAnswer(second);
  BOOST_TEST(second.reused_tokens == 150U);
  BOOST_TEST(lane.stats().prefill_tokens == 200 + 10);
}

BOOST_AUTO_TEST_CASE(a_prefix_that_could_not_be_copied_is_not_awaited) {
  FakeDevice device;
  Lane lane;
  // Of other slot counts; too long for the smaller slot.
  for (const auto& other : {FakeSpec(device, 512, 2), FakeSpec(device, 4096, 5)}) {
    TestJob first(lane.State(other), Count(500), 2);
    TestJob second(lane.State(FakeSpec(device, 256, 5)), Count(200), 2);
    TestJob warm_up(second.state, Count(1, 900), 1);
    lane.Ask(warm_up);
    lane.scheduler.Add(first);
    lane.scheduler.Add(second);
    lane.scheduler.Step();
    BOOST_TEST(lane.stats().running_requests == 2);
    lane.Run();
    lane.store.DropLayout("fake");
  }
}

BOOST_AUTO_TEST_CASE(a_cancelled_job_ends_at_the_next_step_and_keeps_its_tokens) {
  FakeDevice device;
  Lane lane;
  const auto state = lane.State(FakeSpec(device));
  TestJob job(state, Count(200));
  lane.scheduler.Add(job);
  lane.scheduler.Step();
  job.stop.Request(StopCause::Cancelled);
  lane.Run();
  BOOST_TEST((job.end == LaneJob::End::Cancelled));
  BOOST_TEST(job.reply.empty());

  TestJob again(state, Count(200));
  lane.Ask(again);
  CheckAnswer(again);
  BOOST_TEST(again.reused_tokens == 64U);
}

BOOST_AUTO_TEST_CASE(a_job_can_be_cancelled_while_it_waits) {
  FakeDevice device;
  Lane lane;
  const auto spec = FakeSpec(device, 256, 1);
  TestJob talker(lane.State(spec), Count(10), 100);
  TestJob waiting(lane.State(spec), Count(10, 30));
  lane.scheduler.Add(talker);
  lane.scheduler.Add(waiting);
  lane.scheduler.Step();
  waiting.stop.Request(StopCause::Cancelled);
  lane.scheduler.Step();

  BOOST_TEST(lane.stats().waiting_requests == 0);
  BOOST_TEST((waiting.end == LaneJob::End::Cancelled));
  lane.Run();
  CheckAnswer(talker);
}

BOOST_AUTO_TEST_CASE(what_a_consumer_throws_ends_its_own_job) {
  FakeDevice device;
  Lane lane;
  const auto spec = FakeSpec(device);
  const auto state = lane.State(spec);
  TestJob failing(state, Count(10), 10);
  failing.throw_at = 4;
  TestJob other(lane.State(spec), Count(10, 30), 10);
  lane.scheduler.Add(failing);
  lane.scheduler.Add(other);
  lane.Run();

  BOOST_CHECK_THROW(std::rethrow_exception(failing.error), std::runtime_error);
  CheckAnswer(other);
  TestJob again(state, Count(10), 10);
  lane.Ask(again);
  CheckAnswer(again);
}

BOOST_AUTO_TEST_CASE(a_full_context_ends_the_reply) {
  FakeDevice device;
  Lane lane;
  TestJob job(lane.State(FakeSpec(device)), Count(250), 100);
  lane.Ask(job);

  BOOST_TEST((job.end == LaneJob::End::ContextFull));
  BOOST_TEST(job.reply == Answer(Count(250), 6), boost::test_tools::per_element());
}

// Statuses of llama_decode, and how many tokens of the batch reached the cells.
BOOST_AUTO_TEST_CASE(after_a_failed_decode_mirror_and_cells_agree) {
  for (const auto memory :
       {FakeDevice::Memory::Full, FakeDevice::Memory::KeepsNoPast}) {
    for (const std::int32_t status : {1, 2, -1, -2, -3}) {
      for (const std::size_t decoded : {0U, 1U, 30U, 64U}) {
        for (const std::size_t good_calls : {0U, 1U, 3U, 4U}) {
          FakeDevice device;
          device.memory = memory;
          for (std::size_t i = 0; i < good_calls; ++i)
            device.faults.push_back({0, 999});
          device.faults.push_back({status, decoded});
          Lane lane;
          const auto state = lane.State(FakeSpec(device));
          TestJob failing(state, Count(150), 5);
          lane.Ask(failing);
          const bool generated = good_calls >= 3;
          if (status == 1 && generated) {
            BOOST_TEST((failing.end == LaneJob::End::ContextFull));
          } else {
            BOOST_TEST((CodeOf(failing) == (status == 1 ? ErrorCode::ContextOverflow
                                                        : ErrorCode::InferenceFailed)));
          }
          TestJob again(state, Count(150), 5);
          lane.Ask(again);
          CheckAnswer(again);
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_failed_batch_is_retried_one_by_one) {
  for (const auto memory :
       {FakeDevice::Memory::Full, FakeDevice::Memory::KeepsNoPast}) {
    for (const std::int32_t status : {1, 2, -1}) {
      for (const std::size_t decoded : {0U, 1U, 2U, 3U}) {
        FakeDevice device;
        device.memory = memory;
        for (int i = 0; i < 7; ++i) device.faults.push_back({0, 999});
        device.faults.push_back({status, decoded});
        Lane lane;
        const auto spec = FakeSpec(device);
        std::vector<std::unique_ptr<TestJob>> jobs;
        for (Token i = 0; i < 3; ++i) {
          jobs.push_back(
              std::make_unique<TestJob>(lane.State(spec), Count(10, 10 * i), 20));
          lane.scheduler.Add(*jobs.back());
        }
        lane.Run();
        for (const auto& job : jobs) CheckAnswer(*job);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_deterministic_engine_decodes_one_by_one_in_fixed_chunks) {
  FakeDevice device;
  Lane lane(1 << 20, /*is_deterministic=*/true);
  const auto spec = FakeSpec(device);
  const auto state = lane.State(spec);
  TestJob first(state, Count(100), 30);
  TestJob other(lane.State(spec), Count(100, 300), 30);
  lane.scheduler.Add(first);
  lane.scheduler.Add(other);
  lane.Run();
  for (const auto& batch : device.batches) {
    BOOST_TEST(std::ranges::all_of(
        batch, [&](const BatchToken& token) { return token.slot == batch[0].slot; }));
  }
  device.batches.clear();

  TestJob second(state, Join(Join(Count(100), first.reply), Count(50, 3)));
  lane.Ask(second);

  CheckAnswer(second);
  BOOST_TEST(second.reused_tokens == 64U);
  BOOST_TEST(device.batches[0].front().position == 64);
  BOOST_TEST(device.batches[0].size() == 64U);
  BOOST_TEST(device.batches[1].front().position == 128);
}

BOOST_AUTO_TEST_SUITE_END()
