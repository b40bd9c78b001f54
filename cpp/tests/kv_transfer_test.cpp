#include <boost/test/unit_test.hpp>
#include <memory>
#include <stdexcept>
#include <vector>

#include "fake_decoder.h"
#include "inference/compute_lane.h"
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

namespace {

struct Moved {
  KvStore::Contents contents;
  Ids tokens;
  std::vector<std::byte> bytes;
};

// A lane, and states moved out of it and in.
struct Lane {
  explicit Lane(std::size_t cap = 1 << 20) : lane({.kv_cache_bytes = cap}) {}

  static std::shared_ptr<KvState> State(const std::shared_ptr<PoolSpec>& spec) {
    return std::make_shared<KvState>(spec, AdapterSet());
  }

  // Tokens reused.
  std::size_t Ask(const std::shared_ptr<KvState>& state, const Ids& prompt) {
    TestJob job(state, prompt);
    lane.Run(job);
    BOOST_TEST(job.reply == Answer(prompt, job.max), boost::test_tools::per_element());
    BOOST_TEST(lane.stats().kv_peak_bytes <= lane.stats().kv_cache_bytes);
    return job.reused_tokens;
  }

  std::optional<Moved> Out(const std::shared_ptr<KvState>& state) {
    std::optional<Moved> moved;
    lane.Call([&](KvStore& store) {
      if (const auto contents = store.Describe(*state)) {
        moved = Moved{*contents, state->mirror, store.CopyBytes(*state)};
      }
    });
    return moved;
  }

  bool In(const std::shared_ptr<KvState>& state, const Moved& moved) {
    bool done = false;
    lane.Call([&](KvStore& store) {
      KvPool* pool = store.PoolFor(state->spec);
      done = pool && pool->n_slots() == moved.contents.slots &&
             pool->Accepts(moved.bytes, moved.tokens.size()) &&
             store.Adopt(state, moved.contents, moved.tokens, moved.bytes);
    });
    return done;
  }

  ComputeLane lane;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(kv_transfer)

BOOST_AUTO_TEST_CASE(a_state_goes_on_in_another_engine) {
  FakeDevice device;
  const auto spec = FakeSpec(device);
  Lane first;
  const auto talked = Lane::State(spec);
  first.Ask(talked, Count(100));
  const auto moved = first.Out(talked);
  BOOST_REQUIRE(moved);
  BOOST_TEST(moved->contents.tokens == moved->tokens.size());
  BOOST_TEST(moved->contents.bytes == moved->bytes.size());
  BOOST_TEST(moved->contents.in_whole_chunks == 64U);

  Lane second;
  const auto going_on = Lane::State(spec);
  BOOST_REQUIRE(second.In(going_on, *moved));
  BOOST_TEST(second.lane.stats().parked_bytes == std::int64_t(moved->bytes.size()));
  BOOST_TEST(second.Ask(going_on, Join(moved->tokens, Count(9))) ==
             moved->tokens.size());
}

BOOST_AUTO_TEST_CASE(a_parked_state_is_copied_as_it_is) {
  FakeDevice device;
  const auto spec = FakeSpec(device, 256, 1);
  Lane lane;
  const auto parked = Lane::State(spec);
  lane.Ask(parked, Count(100));
  const auto live = lane.Out(parked);
  lane.Ask(Lane::State(spec), Count(50, 500));

  const auto moved = lane.Out(parked);
  BOOST_REQUIRE(moved);
  BOOST_TEST((moved->bytes == live->bytes));
  BOOST_TEST((moved->tokens == live->tokens));
  BOOST_TEST(moved->contents.slots == 1);
}

BOOST_AUTO_TEST_CASE(a_cold_state_has_nothing_to_copy) {
  FakeDevice device;
  Lane lane;
  BOOST_TEST(!lane.Out(Lane::State(FakeSpec(device))));
}

BOOST_AUTO_TEST_CASE(a_copy_leaves_the_state_as_it_was) {
  FakeDevice device;
  Lane lane;
  const auto state = Lane::State(FakeSpec(device));
  lane.Ask(state, Count(100));
  lane.Out(state);
  BOOST_TEST(lane.Ask(state, Join(Count(100), Count(9))) == 100U);
}

BOOST_AUTO_TEST_CASE(what_is_loaded_replaces_what_was_there) {
  FakeDevice device;
  const auto spec = FakeSpec(device);
  Lane lane;
  const auto one = Lane::State(spec);
  const auto other = Lane::State(spec);
  lane.Ask(one, Count(100));
  lane.Ask(other, Count(80, 500));
  const auto moved = lane.Out(one);

  BOOST_REQUIRE(lane.In(other, *moved));
  BOOST_TEST(!other->live());
  BOOST_TEST(lane.Ask(other, Count(102)) == 100U);
}

// The prompt decides, not the file: another dialog's cells are no mistake.
BOOST_AUTO_TEST_CASE(of_another_dialog_the_common_beginning_is_used) {
  FakeDevice device;
  const auto spec = FakeSpec(device);
  Lane first;
  const auto talked = Lane::State(spec);
  first.Ask(talked, Count(100));

  Lane second;
  const auto state = Lane::State(spec);
  BOOST_REQUIRE(second.In(state, *first.Out(talked)));
  BOOST_TEST(second.Ask(state, Join(Count(60), Count(40, 900))) == 60U);
}

BOOST_AUTO_TEST_CASE(bytes_that_are_no_cells_of_so_many_tokens_are_not_loaded) {
  FakeDevice device;
  const auto spec = FakeSpec(device);
  Lane lane;
  const auto state = Lane::State(spec);
  lane.Ask(state, Count(100));
  const Moved right = *lane.Out(state);
  Moved longer = right;
  longer.bytes.push_back({});
  Moved shorter = right;
  shorter.bytes.pop_back();
  Moved fewer = right;
  fewer.tokens.pop_back();
  Moved too_many = right;
  too_many.tokens.resize(257);
  too_many.bytes.resize(257 * device.bytes_per_token);
  for (const Moved* wrong : {&longer, &shorter, &fewer, &too_many}) {
    BOOST_TEST(!lane.In(Lane::State(spec), *wrong));
  }
  device.refuses_restores = true;
  BOOST_TEST(!lane.In(Lane::State(spec), right));
}

BOOST_AUTO_TEST_CASE(what_has_no_room_is_not_loaded) {
  FakeDevice device;
  const auto spec = FakeSpec(device, 256, 1);
  Lane first;
  const auto talked = Lane::State(spec);
  first.Ask(talked, Count(100));

  Lane small(2560 + 900);  // a slot, and less than 100 tokens
  const auto state = Lane::State(spec);
  BOOST_TEST(!small.In(state, *first.Out(talked)));
  BOOST_TEST(small.Ask(state, Count(101)) == 0U);
}

BOOST_AUTO_TEST_CASE(what_is_loaded_pushes_out_the_oldest) {
  FakeDevice device;
  const auto spec = FakeSpec(device, 256, 1);
  Lane first;
  const auto talked = Lane::State(spec);
  first.Ask(talked, Count(100));
  const auto moved = first.Out(talked);

  Lane small(2560 + 1500);  // a slot, and one state of 102 tokens
  const auto older = Lane::State(spec);
  const auto newer = Lane::State(spec);
  BOOST_REQUIRE(small.In(older, *moved));
  BOOST_REQUIRE(small.In(newer, *moved));
  BOOST_TEST(!small.Out(older));
  BOOST_TEST(small.Ask(newer, Count(101)) == 100U);
}

BOOST_AUTO_TEST_CASE(a_call_throws_what_its_task_throws_and_the_lane_goes_on) {
  FakeDevice device;
  Lane lane;
  BOOST_CHECK_THROW(lane.lane.Call([](KvStore&) { throw std::runtime_error("task"); }),
                    std::runtime_error);
  lane.Ask(Lane::State(FakeSpec(device)), Count(10));
}

BOOST_AUTO_TEST_CASE(after_close_a_call_is_refused) {
  Lane lane;
  lane.lane.Close();
  BOOST_CHECK_EXCEPTION(
      lane.lane.Call([](KvStore&) { BOOST_ERROR("a task ran after Close"); }), Error,
      [](const Error& error) { return error.code() == ErrorCode::EngineClosed; });
}

BOOST_AUTO_TEST_SUITE_END()
