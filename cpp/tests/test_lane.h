// A scheduler that a test drives step by step.
#pragma once

#include <boost/test/unit_test.hpp>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>

#include "inference/scheduler.h"
#include "talefold/error.h"
#include "test_job.h"

namespace talefold::testing {

// A scheduler over one device; a test adds jobs and runs steps.
struct Lane {
  explicit Lane(std::size_t cap = 1 << 20, bool is_deterministic = false)
      : store(cap, is_deterministic, Scheduler::kChunk),
        scheduler(store, is_deterministic) {}

  std::shared_ptr<KvState> State(const std::shared_ptr<PoolSpec>& spec,
                                 const std::string& adapters = "") {
    return std::make_shared<KvState>(spec, AdapterSet{adapters});
  }

  // Until all jobs ended; checks the cap after each step.
  void Run(int max_steps = 10000) {
    for (int step = 0; !scheduler.idle(); ++step) {
      BOOST_REQUIRE_LT(step, max_steps);
      scheduler.Step();
      const EngineStats now = stats();
      BOOST_REQUIRE_LE(now.kv_used_bytes, now.kv_cache_bytes);
      BOOST_REQUIRE_EQUAL(now.repaired_states, 0);
    }
    scheduler.TakeEnded();
  }

  void Ask(TestJob& job) {
    scheduler.Add(job);
    Run();
  }

  EngineStats stats() const {
    EngineStats stats;
    store.AddTo(stats);
    scheduler.AddTo(stats);
    return stats;
  }

  KvStore store;
  Scheduler scheduler;
};

inline void CheckAnswer(const TestJob& job) {
  BOOST_TEST(!job.error);
  BOOST_TEST(job.reply == Answer(job.prompt(), job.max),
             boost::test_tools::per_element());
}

inline ErrorCode CodeOf(const TestJob& job) {
  try {
    if (job.error) std::rethrow_exception(job.error);
  } catch (const Error& error) {
    return error.code();
  }
  throw std::logic_error("the job did not fail");
}

}  // namespace talefold::testing
