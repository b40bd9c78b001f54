#include "inference/compute_lane.h"

#include <atomic>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "fake_decoder.h"
#include "talefold/error.h"
#include "test_job.h"
#include "token_lists.h"

using namespace talefold;
using talefold::testing::Answer;
using talefold::testing::Count;
using talefold::testing::FakeDevice;
using talefold::testing::FakeSpec;
using talefold::testing::Ids;
using talefold::testing::Join;
using talefold::testing::TestJob;
using talefold::testing::TestPrepare;

namespace {

std::shared_ptr<KvState> State(const std::shared_ptr<PoolSpec>& spec) {
  return std::make_shared<KvState>(spec, AdapterSet());
}

bool IsClosed(const Error& error) { return error.code() == ErrorCode::EngineClosed; }

}  // namespace

BOOST_AUTO_TEST_SUITE(compute_lane)

BOOST_AUTO_TEST_CASE(a_job_is_done_when_run_returns) {
  FakeDevice device;
  ComputeLane lane({});
  TestJob job(State(FakeSpec(device)), Count(100));
  lane.Run(job);

  BOOST_TEST(job.reply == Answer(Count(100), job.max),
             boost::test_tools::per_element());
  BOOST_TEST(lane.stats().requests == 1);
  BOOST_TEST(lane.stats().running_requests == 0);
}

BOOST_AUTO_TEST_CASE(what_a_job_failed_with_is_thrown_to_who_waits) {
  FakeDevice device;
  ComputeLane lane({});
  TestJob job(State(FakeSpec(device)), Count(10));
  job.throw_at = 1;
  BOOST_CHECK_THROW(lane.Run(job), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(a_fault_inside_a_step_fails_the_jobs_and_not_the_lane) {
  FakeDevice device;
  const auto spec = FakeSpec(device);
  const auto make = spec->make;
  bool broken = true;
  spec->make = [&](std::int32_t n_slots) {
    if (broken) throw std::bad_alloc();
    return make(n_slots);
  };
  ComputeLane lane({});
  TestJob first(State(spec), Count(10));
  BOOST_CHECK_THROW(lane.Run(first), std::bad_alloc);
  broken = false;
  TestJob second(State(spec), Count(10));
  lane.Run(second);
  BOOST_TEST(second.reply.size() == second.max);
}

BOOST_AUTO_TEST_CASE(after_close_jobs_are_refused_and_memory_is_free) {
  FakeDevice device;
  ComputeLane lane({});
  const auto spec = FakeSpec(device);
  TestJob first(State(spec), Count(10));
  lane.Run(first);
  lane.Close();
  BOOST_TEST(device.cells_bytes == 0U);
  BOOST_TEST(lane.stats().kv_used_bytes == 0);

  TestJob second(State(spec), Count(10));
  BOOST_CHECK_EXCEPTION(lane.Run(second), Error, IsClosed);
  lane.Post([](KvStore&) { BOOST_ERROR("a task ran after Close"); });
  lane.Close();
}

BOOST_AUTO_TEST_CASE(close_ends_the_jobs_there_are) {
  FakeDevice device;
  ComputeLane lane({});
  const auto spec = FakeSpec(device, 1 << 20);
  TestJob job(State(spec), Count(10), 1 << 19);
  std::thread waiting([&] { BOOST_CHECK_EXCEPTION(lane.Run(job), Error, IsClosed); });
  while (lane.stats().running_requests == 0) std::this_thread::yield();
  lane.Close();
  waiting.join();
}

// Conversations of 16 threads in few slots and little memory, with cancels, faults,
// ends of owners and readers of the statistics: every reply is what it would be alone.
BOOST_AUTO_TEST_CASE(threads_do_not_disturb_each_other) {
  constexpr unsigned kThreads = 16;
  FakeDevice device;
  for (int i = 0; i < 400; ++i) {
    device.faults.push_back({0, 999});
    if (i % 40 == 39)
      device.faults.push_back({i % 3 == 0 ? 2 : -1, std::size_t(i % 5)});
  }
  LaneOptions options;
  options.kv_cache_bytes = 12 * 2560;
  options.slots_per_pool = 4;
  ComputeLane lane(options);
  const std::vector<std::shared_ptr<PoolSpec>> specs = {FakeSpec(device, 256, 5),
                                                        FakeSpec(device, 128, 3)};
  std::atomic<int> failed = 0;
  std::atomic<bool> done = false;
  const auto talk = [&](unsigned seed) {
    std::mt19937 random(seed);
    auto state = State(specs[seed % 2]);
    Ids prompt = Count(60);  // the world
    for (int turn = 0; turn < 60; ++turn) {
      prompt = Join(prompt, Count(1 + random() % 8, static_cast<Token>(random() % 90)));
      if (prompt.size() > 110 || random() % 10 == 0) prompt.resize(61);
      TestJob job(state, prompt, 1 + random() % 8);
      job.SetBackground(random() % 8 == 0);
      std::thread canceller;
      if (random() % 4 == 0) {
        canceller = std::thread([&job] { job.stop.Request(StopCause::Cancelled); });
      }
      try {
        lane.Run(job);
        const Ids expected = Answer(prompt, job.reply.size());
        if (job.reply != expected) ++failed;
        if (job.end == LaneJob::End::Done && job.reply.size() != job.max) ++failed;
      } catch (const Error& error) {
        if (error.code() != ErrorCode::InferenceFailed) ++failed;
      }
      if (canceller.joinable()) canceller.join();
      if (random() % 2 == 0) {
        Ids next = Join(prompt, Count(random() % 8, static_cast<Token>(random() % 90)));
        next.resize(std::min<std::size_t>(next.size(), 1 + random() % 110));
        lane.Start(std::make_shared<TestPrepare>(state, std::move(next)));
      }
      if (random() % 12 == 0) {
        lane.Post([state](KvStore& store) { store.Abandon(*state); });
        state = State(specs[random() % 2]);
      }
    }
  };
  std::thread reader([&] {
    while (!done) {
      const EngineStats stats = lane.stats();
      if (stats.kv_used_bytes > stats.kv_cache_bytes) ++failed;
      std::this_thread::yield();
    }
  });
  std::vector<std::thread> talkers;
  for (unsigned seed = 0; seed < kThreads; ++seed) talkers.emplace_back(talk, seed);
  for (std::thread& talker : talkers) talker.join();
  done = true;
  reader.join();
  const EngineStats stats = lane.stats();
  BOOST_TEST(failed == 0);
  BOOST_TEST(stats.repaired_states == 0);
  BOOST_TEST(stats.requests == 16 * 60);
  BOOST_TEST(stats.kv_peak_bytes <= stats.kv_cache_bytes);
  BOOST_TEST(stats.shared_tokens > 0);
  BOOST_TEST(stats.restores > 0);
}

BOOST_AUTO_TEST_SUITE_END()
