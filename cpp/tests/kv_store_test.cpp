#include "inference/kv/kv_store.h"

#include <boost/test/unit_test.hpp>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "fake_decoder.h"
#include "talefold/error.h"
#include "token_lists.h"

using namespace talefold;
using talefold::testing::Count;
using talefold::testing::FakeDevice;
using talefold::testing::FakeSpec;
using talefold::testing::Ids;
using talefold::testing::Join;

namespace {

constexpr std::size_t kSlotBytes = 2560;  // 256 tokens of 10 bytes

// A store whose requests prefill their prompt and end.
struct Store {
  explicit Store(std::size_t cap) : kv(cap, false, 64) {}

  std::shared_ptr<KvState> State(const std::shared_ptr<PoolSpec>& spec) {
    return std::make_shared<KvState>(spec, AdapterSet());
  }

  std::optional<KvStore::Found> Begin(const std::shared_ptr<KvState>& state,
                                      const Ids& prompt, bool background = false) {
    const auto found = kv.Acquire(state, prompt, {.background = background});
    if (!found) return found;
    const std::size_t kept = state->mirror.size();
    const KvPool::Input input{state.get(), std::span(prompt).subspan(kept), true};
    BOOST_REQUIRE_EQUAL(state->pool->Decode({&input, 1}), 0);
    BOOST_REQUIRE(state->mirror == prompt);
    CheckCap();
    return found;
  }

  KvStore::Found Use(const std::shared_ptr<KvState>& state, const Ids& prompt) {
    const auto found = Begin(state, prompt);
    BOOST_REQUIRE(found);
    kv.Release(*state);
    CheckCap();
    return *found;
  }

  void CheckCap() const {
    const EngineStats now = stats();
    BOOST_REQUIRE_LE(now.kv_used_bytes, now.kv_cache_bytes);
    BOOST_REQUIRE_LE(now.kv_peak_bytes, now.kv_cache_bytes);
    BOOST_REQUIRE_EQUAL(now.repaired_states, 0);
  }

  EngineStats stats() const {
    EngineStats stats;
    kv.AddTo(stats);
    return stats;
  }

  KvStore kv;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(kv_store)

BOOST_AUTO_TEST_CASE(a_state_without_a_slot_is_parked_and_comes_back) {
  FakeDevice device;
  Store store(100 * kSlotBytes);
  const auto spec = FakeSpec(device, 256, 1);
  const auto first = store.State(spec);
  const auto second = store.State(spec);
  store.Use(first, Count(100));
  store.Use(second, Count(50, 500));
  BOOST_TEST(first->parked());
  BOOST_TEST(store.stats().parked_bytes == 1000);

  BOOST_TEST(store.Use(first, Count(120)).own == 100U);
  BOOST_TEST(second->parked());
  BOOST_TEST(store.stats().restores == 1);
  BOOST_TEST(store.stats().parks == 2);
}

BOOST_AUTO_TEST_CASE(the_least_recently_used_state_leaves_its_slot) {
  FakeDevice device;
  Store store(100 * kSlotBytes);
  const auto spec = FakeSpec(device, 256, 4);  // three, and one for background work
  std::vector<std::shared_ptr<KvState>> states;
  for (Token i = 0; i < 3; ++i) {
    states.push_back(store.State(spec));
    store.Use(states.back(), Count(10, 100 * i));
  }
  store.Use(states[0], Count(11));
  store.Use(store.State(spec), Count(10, 900));

  BOOST_TEST(states[0]->live());
  BOOST_TEST(states[1]->parked());
  BOOST_TEST(states[2]->live());
}

BOOST_AUTO_TEST_CASE(the_oldest_parked_state_is_dropped_at_the_cap) {
  FakeDevice device;
  // A pool takes at most half: one slot, and room for two parked states of 100 tokens.
  Store store(2 * kSlotBytes - 300);
  const auto spec = FakeSpec(device, 256, 4);
  std::vector<std::shared_ptr<KvState>> states;
  for (Token i = 0; i < 4; ++i) {
    states.push_back(store.State(spec));
    store.Use(states.back(), Count(100, 200 * i));
  }
  BOOST_TEST(store.stats().pools[0].slots == 1);
  BOOST_TEST(!states[0]->parked());
  BOOST_TEST(states[0]->mirror.empty());
  BOOST_TEST(states[1]->parked());
  BOOST_TEST(states[2]->parked());
  BOOST_TEST(store.stats().dropped_states == 1);
}

BOOST_AUTO_TEST_CASE(a_single_state_larger_than_what_is_left_is_not_parked) {
  FakeDevice device;
  Store store(kSlotBytes + 500);
  const auto spec = FakeSpec(device, 256, 4);
  const auto first = store.State(spec);
  store.Use(first, Count(100));
  store.Use(store.State(spec), Count(100, 300));

  BOOST_TEST(!first->parked());
  BOOST_TEST(store.stats().kv_used_bytes == std::int64_t(kSlotBytes));
}

BOOST_AUTO_TEST_CASE(a_pool_that_does_not_fit_gets_fewer_slots) {
  FakeDevice device;
  Store store(6 * kSlotBytes);
  store.Use(store.State(FakeSpec(device, 256, 5)), Count(10));
  BOOST_TEST(store.stats().pools[0].slots == 3);
}

BOOST_AUTO_TEST_CASE(a_slot_larger_than_the_cap_is_an_error_that_names_it) {
  FakeDevice device;
  Store store(kSlotBytes - 1);
  const auto state = store.State(FakeSpec(device));
  BOOST_CHECK_EXCEPTION(store.Begin(state, Count(10)), Error, [](const Error& error) {
    return error.code() == ErrorCode::InferenceFailed &&
           error.message().find("kv_cache_bytes is 2559") != std::string::npos;
  });
}

BOOST_AUTO_TEST_CASE(an_idle_pool_makes_room_for_another) {
  FakeDevice device;
  Store store(3 * kSlotBytes / 2);
  const auto first = store.State(FakeSpec(device, 256, 1, "one"));
  const auto second = store.State(FakeSpec(device, 256, 1, "two"));
  store.Use(first, Count(50));
  store.Use(second, Count(50));

  BOOST_TEST(store.stats().pools.size() == 1U);
  BOOST_TEST(device.cells_bytes == kSlotBytes);
  BOOST_TEST(device.peak_cells_bytes == kSlotBytes);
  BOOST_TEST(store.Use(first, Count(60)).own == 50U);  // it was parked meanwhile
}

BOOST_AUTO_TEST_CASE(a_running_pool_makes_others_wait) {
  FakeDevice device;
  Store store(3 * kSlotBytes / 2);
  const auto first = store.State(FakeSpec(device, 256, 1, "one"));
  const auto second = store.State(FakeSpec(device, 256, 1, "two"));
  BOOST_TEST(store.Begin(first, Count(50)).has_value());
  BOOST_TEST(!store.Begin(second, Count(50)).has_value());
  store.kv.Release(*first);
  BOOST_TEST(store.Begin(second, Count(50)).has_value());
}

BOOST_AUTO_TEST_CASE(an_idle_pool_stays_when_its_memory_would_not_be_enough) {
  FakeDevice device;
  Store store(2 * kSlotBytes + 100);
  const auto running = store.State(FakeSpec(device, 256, 1, "one"));
  const auto idle = store.State(FakeSpec(device, 256, 1, "two"));
  store.Begin(running, Count(50));
  store.Use(idle, Count(50));

  BOOST_TEST(!store.Begin(store.State(FakeSpec(device, 512, 1)), Count(50)));
  BOOST_TEST(idle->live());
  BOOST_TEST(store.Use(idle, Count(60)).own == 50U);
}

BOOST_AUTO_TEST_CASE(a_prefix_is_copied_from_a_live_state) {
  FakeDevice device;
  Store store(100 * kSlotBytes);
  const auto spec = FakeSpec(device);
  store.Use(store.State(spec), Count(100));

  const auto found = store.Use(store.State(spec), Join(Count(80), Count(20, 500)));
  BOOST_TEST(found.shared == 80U);
  BOOST_TEST(found.own == 0U);
}

BOOST_AUTO_TEST_CASE(a_prefix_is_copied_from_a_running_state) {
  FakeDevice device;
  Store store(100 * kSlotBytes);
  const auto spec = FakeSpec(device);
  store.Begin(store.State(spec), Count(100));
  BOOST_TEST(store.Use(store.State(spec), Count(100)).shared == 99U);
}

BOOST_AUTO_TEST_CASE(a_prefix_is_copied_from_a_parked_state) {
  FakeDevice device;
  Store store(100 * kSlotBytes);
  const auto spec = FakeSpec(device, 256, 2);
  const auto donor = store.State(spec);
  store.Use(donor, Count(100));
  store.Use(store.State(spec), Count(40, 500));
  BOOST_TEST(donor->parked());

  BOOST_TEST(store.Use(store.State(spec), Count(90)).shared == 89U);
  BOOST_TEST(donor->parked());
}

// Its bytes are the oldest, and would make the room that the slot's state needs.
BOOST_AUTO_TEST_CASE(a_parked_donor_is_not_dropped_for_whom_it_gives_to) {
  for (const bool abandoned : {false, true}) {
    FakeDevice device;
    Store store(kSlotBytes + 1000);
    const auto spec = FakeSpec(device, 256, 1);
    auto donor = store.State(spec);
    store.Use(donor, Count(100));
    store.Use(store.State(spec), Count(40, 500));
    BOOST_TEST(donor->parked());
    if (abandoned) {
      store.kv.Abandon(*donor);
      donor.reset();
    }

    BOOST_TEST(store.Use(store.State(spec), Count(100)).shared == 99U);
  }
}

BOOST_AUTO_TEST_CASE(a_short_prefix_is_not_worth_a_copy) {
  FakeDevice device;
  Store store(100 * kSlotBytes);
  const auto spec = FakeSpec(device);
  store.Use(store.State(spec), Count(100));
  const std::size_t short_of_it = KvStore::kWorthSharing - 1;
  const Ids prompt = Join(Count(short_of_it), Count(50, 500));
  BOOST_TEST(store.Use(store.State(spec), prompt).shared == 0U);
}

BOOST_AUTO_TEST_CASE(the_only_slot_hands_its_cells_over_when_they_cannot_be_parked) {
  FakeDevice device;
  Store store(kSlotBytes + 100);
  const auto spec = FakeSpec(device, 256, 1);
  store.Use(store.State(spec), Count(100));
  BOOST_TEST(store.Use(store.State(spec), Count(100)).shared == 99U);
}

BOOST_AUTO_TEST_CASE(an_abandoned_state_still_shares_and_is_the_first_to_go) {
  FakeDevice device;
  Store store(100 * kSlotBytes);
  const auto spec = FakeSpec(device, 256, 3);
  const auto gone = store.State(spec);
  const auto kept = store.State(spec);
  store.Use(kept, Count(40, 300));
  store.Use(gone, Count(100));
  store.kv.Abandon(*gone);

  BOOST_TEST(store.Use(store.State(spec), Count(100)).shared == 99U);
  BOOST_TEST(kept->live());
  BOOST_TEST(store.stats().parks == 0);
}

BOOST_AUTO_TEST_CASE(states_of_other_layouts_share_nothing) {
  FakeDevice device;
  Store store(100 * kSlotBytes);
  store.Use(store.State(FakeSpec(device, 256, 5, "f16")), Count(100));
  BOOST_TEST(
      store.Use(store.State(FakeSpec(device, 256, 5, "q8")), Count(100)).shared == 0U);
}

BOOST_AUTO_TEST_CASE(pools_of_one_layout_share_across_their_context_sizes) {
  FakeDevice device;
  Store store(100 * kSlotBytes);
  store.Use(store.State(FakeSpec(device, 512)), Count(300));
  store.Use(store.State(FakeSpec(device, 512)), Count(200, 600));
  const auto small = store.State(FakeSpec(device, 256));
  BOOST_TEST(store.Use(small, Count(220, 600)).shared == 200U);
  // 300 tokens do not fit into a slot of 256.
  BOOST_TEST(store.Use(store.State(FakeSpec(device, 256)), Count(100)).shared == 0U);
}

BOOST_AUTO_TEST_CASE(memory_without_a_past_shares_only_what_is_all_prefix) {
  FakeDevice device;
  device.memory = FakeDevice::Memory::KeepsNoPast;
  Store store(100 * kSlotBytes);
  const auto spec = FakeSpec(device);
  store.Use(store.State(spec), Count(100));
  BOOST_TEST(store.Use(store.State(spec), Count(50)).shared == 0U);
  BOOST_TEST(store.Use(store.State(spec), Count(120)).shared == 100U);
}

BOOST_AUTO_TEST_CASE(refused_bytes_cost_a_prefill_and_nothing_else) {
  FakeDevice device;
  Store store(100 * kSlotBytes);
  const auto spec = FakeSpec(device, 256, 1);
  const auto first = store.State(spec);
  store.Use(first, Count(100));
  store.Use(store.State(spec), Count(50, 500));
  device.refuses_restores = true;

  BOOST_TEST(store.Use(first, Count(120)).own == 0U);
  BOOST_TEST(store.stats().restores == 0);
}

BOOST_AUTO_TEST_CASE(a_dropped_layout_frees_its_memory) {
  FakeDevice device;
  Store store(100 * kSlotBytes);
  const auto spec = FakeSpec(device, 256, 1);
  store.Use(store.State(spec), Count(100));
  store.Use(store.State(spec), Count(50, 500));
  store.kv.DropLayout("fake");

  BOOST_TEST(store.stats().kv_used_bytes == 0);
  BOOST_TEST(device.cells_bytes == 0U);
}

// Any mix of prompts, sizes and ends of owners: cells are what they should be (Use
// checks it), the cap holds, and no memory is lost.
BOOST_AUTO_TEST_CASE(random_use_keeps_the_cap_and_the_mirrors) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](std::size_t n) { return random() % n; };
    FakeDevice device;
    if (seed % 3 == 0) device.memory = FakeDevice::Memory::KeepsNoPast;
    const std::size_t cap = (1 + below(8)) * kSlotBytes + below(kSlotBytes);
    Store store(cap);
    const std::vector<std::shared_ptr<PoolSpec>> specs = {
        FakeSpec(device, 256, 1 + static_cast<std::int32_t>(below(4))),
        FakeSpec(device, 128, 1 + static_cast<std::int32_t>(below(4))),
        FakeSpec(device, 256, 2, "other")};
    std::vector<std::shared_ptr<KvState>> states(12);
    for (int step = 0; step < 400; ++step) {
      auto& state = states[below(states.size())];
      if (!state) state = store.State(specs[below(specs.size())]);
      const std::size_t prefix = below(60);
      const Ids prompt =
          Join(Count(prefix), Count(1 + below(60), Token(100 * below(3))));
      store.Use(state, prompt);
      device.refuses_restores = below(10) == 0;
      if (below(10) == 0) {
        store.kv.Abandon(*state);
        state.reset();
      }
      BOOST_REQUIRE_LE(device.cells_bytes, cap);
    }
    for (const char* layout : {"fake", "other"}) store.kv.DropLayout(layout);
    BOOST_REQUIRE_EQUAL(store.stats().kv_used_bytes, 0);
    BOOST_REQUIRE_EQUAL(device.cells_bytes, 0U);
  }
}

BOOST_AUTO_TEST_SUITE_END()
