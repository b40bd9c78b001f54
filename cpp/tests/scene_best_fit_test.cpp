// What a prompt shows of a story in one budget: all of it at falling detail.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <random>
#include <span>

#include "fake_story.h"
#include "memory/best_fit.h"

namespace talefold {
namespace {

using Sizes = std::vector<std::size_t>;

struct Case {
  const char* name;
  FakeStory story;
  BestFitLimits limits;
  const char* outline;
  std::size_t tokens;
  bool incomplete = false;
};

void Check(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    BOOST_TEST_CONTEXT(c.name) {
      const StoryFit fit = BestFit(c.story, c.limits);

      BOOST_TEST(Outline(fit) == c.outline);
      BOOST_TEST(fit.tokens == c.tokens);
      BOOST_TEST(fit.incomplete == c.incomplete);
    }
  }
}

// Six messages of 40, entries of 50 over two each.
FakeStory ShortStory() {
  FakeStory story(Sizes(6, 40));
  return story.SumAll(1, 50, {{0, 2}, {2, 4}, {4, 6}});
}

// Ten messages of 10; the first six are summarized.
FakeStory HalfSummarized() {
  FakeStory story(Sizes(10, 10));
  return story.SumAll(1, 5, {{0, 3}, {3, 6}});
}

BOOST_AUTO_TEST_SUITE(scene_best_fit)

BOOST_AUTO_TEST_CASE(a_layered_story_is_shown_at_falling_detail) {
  const FakeStory story = LayeredStory();
  Check({
      {"all", story, {3000}, "m0-29", 3000},
      {"one token less", story, {2999}, "a0 m3-29", 2900},
      {"2500", story, {2500}, "a0-4 m15-29", 2500},
      {"2000", story, {2000}, "b0-1 a4-7 m24-29", 2000},
      {"1500", story, {1500}, "c0 b2 a6-7 m24-29", 1450},
      {"two summaries", story, {900}, "c0-1 m24-29", 900},
      {"the newest of the highest layer", story, {750}, "c1 m24-29", 750, true},
      {"no room for a summary", story, {749}, "m24-29", 600, true},
  });
}

BOOST_AUTO_TEST_CASE(the_newest_messages_are_shown_whatever_the_budget) {
  const FakeStory story = LayeredStory();
  Check({
      {"300", story, {300}, "m25-29", 500, true},
      {"50", story, {50}, "m25-29", 500, true},
      {"nothing", story, {0}, "m25-29", 500, true},
      {"all that there are", FakeStory(Sizes(3, 100)), {50}, "m0-2", 300},
      {"none", story, {300, 0}, "m27-29", 300, true},
      {"none and no budget", story, {0, 0}, "", 0, true},
      {"into what was summarized", story, {1500, 8}, "c0-1 m22-29", 1100},
      {"all of an entry", HalfSummarized(), {75, 7}, "a0 m3-9", 75},
  });
}

BOOST_AUTO_TEST_CASE(an_entry_becomes_what_it_stands_for_when_that_fits) {
  const FakeStory story = ShortStory();
  Check({
      {"one token short", story, {179, 0}, "a0-2", 150},
      {"the newest", story, {180, 0}, "a0-1 m4-5", 180},
      {"all", story, {240, 0}, "m0-5", 240},
      {"the newest entries", story, {100, 0}, "a1-2", 100, true},
      {"one entry", story, {79, 0}, "a2", 50, true},
      {"its messages", story, {80, 0}, "m4-5", 80, true},
      {"no entry", story, {49, 0}, "", 0, true},
  });
}

BOOST_AUTO_TEST_CASE(what_no_layer_stands_for_yet_is_always_shown) {
  FakeStory story(Sizes(10, 1000));
  for (std::size_t i = 0; i < 10; ++i) story.Sum(1, 100, {i, i + 1});
  story.SumAll(2, 50, {{0, 3}, {3, 5}, {6, 9}});
  const StoryFit fit = BestFit(story, {550, 0});
  BOOST_TEST(Outline(fit) == "b0-1 a6-9");

  FakeStory deep(Sizes(36, 100));
  for (std::size_t i = 0; i < 12; ++i) deep.Sum(1, 100, {3 * i, 3 * i + 3});
  for (std::size_t i = 0; i < 5; ++i) deep.Sum(2, 60, {2 * i, 2 * i + 2});
  deep.Sum(3, 50, {0, 4});
  for (std::size_t budget = 200; budget < 3600; budget += 50) {
    BOOST_TEST_CONTEXT(budget) {
      const std::string outline = Outline(BestFit(deep, {budget, 0}));
      BOOST_TEST((outline.ends_with("-11") || outline.ends_with("-35")));
    }
  }
}

BOOST_AUTO_TEST_CASE(what_may_not_be_shown_costs_nothing) {
  FakeStory hidden_first(Sizes(4, 10));
  hidden_first.items[0][0].eligible = false;
  FakeStory hidden_between = LayeredStory();
  for (const std::size_t i : {26u, 28u}) hidden_between.items[0][i].eligible = false;
  FakeStory unknown_entry = LayeredStory();
  unknown_entry.items[1][5].eligible = false;
  unknown_entry.items[2][0].eligible = false;
  unknown_entry.items[3][0].eligible = false;
  FakeStory only_unknown(Sizes(6, 10));
  only_unknown.Begin(10).Sum(1, 10, {0, 4}, false);
  for (std::size_t i = 0; i < 4; ++i) only_unknown.items[0][i].eligible = false;
  Check({
      {"a first message", hidden_first, {30}, "m1-3", 30},
      {"messages of the tail", hidden_between, {300}, "m23-25 m27 m29", 500, true},
      {"entries", unknown_entry, {2000}, "a0-4 a6-7 m24-29", 2000},
      {"the only entry", only_unknown, {20}, "m4-5", 20},
      {"the only entry, and a maximum", only_unknown, {30, 0, 1}, "intro m5", 20, true},
  });
}

BOOST_AUTO_TEST_CASE(a_maximum_counts_every_message_that_is_shown) {
  const FakeStory story = LayeredStory();
  const FakeStory half = HalfSummarized();
  const FakeStory plain(Sizes(20, 10));
  Check({
      {"not reached", story, {3000, 5, 30}, "m0-29", 3000},
      {"not for the last entry", story, {3000, 5, 29}, "a0 m3-29", 2900},
      {"whole entries alone", story, {3000, 5, 26}, "a0-1 m6-29", 2800},
      {"no slot left", story, {3000, 5, 6}, "a0-7 m24-29", 2200},
      {"a slot left", story, {3000, 5, 8}, "a0-7 m24-29", 2200},
      {"the tail is cut, summaries stay", half, {100, 0, 3}, "a0-1 m7-9", 40, true},
      {"the minimum goes first", half, {1000, 5, 3}, "a0-1 m5-9", 60},
      {"without summaries", plain, {1000, 0, 10}, "m10-19", 100, true},
  });
}

BOOST_AUTO_TEST_CASE(a_gap_between_entries_is_paid_for) {
  FakeStory story(Sizes(10, 10));
  story.SumAll(1, 5, {{0, 3}, {5, 8}});
  Check({
      {"all", story, {100, 0}, "m0-9", 100},
      {"without room for the gap", story, {74, 0}, "a0 m5-9", 55},
      {"with room for what it costs", story, {99, 0}, "a0 m5-9", 55},
  });
}

BOOST_AUTO_TEST_CASE(messages_that_say_the_same_are_all_shown) {
  FakeStory story;
  for (int i = 0; i < 8; ++i) story.Say(10);
  story.Sum(1, 10, {0, 2});
  BOOST_TEST(Outline(BestFit(story, {70, 5})) == "a0 m2-7");
}

BOOST_AUTO_TEST_CASE(the_beginning_is_told_as_long_as_no_summary_does) {
  const FakeStory empty;
  FakeStory intro;
  intro.Begin(20);
  FakeStory young(Sizes(3, 10));
  young.Begin(20);
  FakeStory old = HalfSummarized();
  old.Begin(20);
  Check({
      {"nothing at all", empty, {100}, "", 0},
      {"an empty scene", intro, {100}, "intro", 20},
      {"no room for it", intro, {19}, "", 0},
      {"before all messages", young, {50}, "intro m0-2", 50},
      {"messages first", young, {49}, "m0-2", 30},
      {"all fits", old, {120}, "intro m0-9", 120},
      {"messages instead of it", old, {119}, "m0-9", 100},
      {"a summary in its place", old, {99, 4}, "a0 m3-9", 75},
      {"neither", old, {40, 4}, "m6-9", 40, true},
  });
}

BOOST_AUTO_TEST_CASE(sections_make_up_the_whole) {
  const FakeStory story = LayeredStory();
  for (std::size_t budget = 0; budget <= 3000; budget += 100) {
    BOOST_TEST_CONTEXT(budget) {
      const StoryFit fit = BestFit(story, {budget});
      std::vector<std::int64_t> listed, shown;
      for (std::size_t level = fit.ranges.size(); level-- > 0;) {
        for (std::size_t i = fit.ranges[level].begin; i < fit.ranges[level].end; ++i) {
          listed.push_back(story.at(level, i).id);
        }
      }
      for (const ShownItem& item : fit.items) shown.push_back(item.id);
      BOOST_TEST(listed == shown, boost::test_tools::per_element());
      BOOST_TEST(fit.budgets.empty());
    }
  }
}

BOOST_AUTO_TEST_CASE(a_longer_story_takes_no_longer) {
  Sizes reads;
  for (const std::size_t length : {3000u, 30000u}) {
    FakeStory story(Sizes(length, 10));
    for (std::size_t i = 0; i + 30 < length; i += 30) story.Sum(1, 50, {i, i + 30});
    for (std::size_t i = 0; i + 6 < story.size(1); i += 6) story.Sum(2, 50, {i, i + 6});
    BestFit(story, {2000});
    reads.push_back(story.reads);
  }
  BOOST_TEST(reads[1] <= reads[0] + reads[0] / 10);
}

// Stories at random.

constexpr unsigned kStories = 800;

BestFitLimits RandomLimits(const FakeStory& story, std::mt19937& random) {
  std::size_t all = 1;
  for (const FakeStory::Item& message : story.items[0]) all += message.text.size();
  return {random() % (all + all / 4), random() % 9, 1 + random() % 50};
}

// The newest messages, which are shown whatever the budget.
struct Guaranteed {
  Guaranteed(const FakeStory& story, std::size_t min_messages) : begin(story.size(0)) {
    for (std::size_t i = begin; i-- > 0 && count < min_messages;) {
      if (!story.items[0][i].eligible) continue;
      begin = i;
      ++count;
      tokens += story.items[0][i].text.size();
    }
  }
  std::size_t begin;
  std::size_t count = 0;
  std::size_t tokens = 0;
};

void CheckSums(const FakeStory& story, const BestFitLimits& limits,
               const StoryFit& fit) {
  std::size_t tokens = 0;
  std::int64_t newest = 0;
  for (const ShownItem& item : fit.items) {
    tokens += item.tokens;
    if (!IsMessage(item)) continue;
    BOOST_TEST(item.id > newest);
    newest = item.id;
  }
  BOOST_TEST(fit.tokens == tokens);
  const Guaranteed guaranteed(story, limits.min_messages);
  BOOST_TEST(tokens <= std::max(limits.budget, guaranteed.tokens));
  StoryFit collected = fit;
  CollectItems(story, collected);
  BOOST_TEST((collected == fit));
  BOOST_TEST(fit.ranges.size() == story.levels());
  BOOST_TEST(fit.ranges[0].end == story.size(0));
}

void CheckCoverage(const FakeStory& story, const BestFitLimits& limits,
                   const StoryFit& fit) {
  const Guaranteed guaranteed(story, limits.min_messages);
  const std::size_t max = std::max(limits.max_messages, limits.min_messages);
  const Coverage coverage(story, fit);
  BOOST_TEST(coverage.raw <= max);
  BOOST_TEST(coverage.raw >= guaranteed.count);
  BOOST_TEST(coverage.is_in_order);
  BOOST_TEST(coverage.straddling() <= 1u);
  bool is_all = true;
  for (std::size_t i = 0; i < story.size(0); ++i) {
    if (!story.items[0][i].eligible || IsForgotten(story, 0, i)) continue;
    BOOST_TEST(coverage.times[i] <= (i >= guaranteed.begin ? 2u : 1u));
    if (coverage.times[i] > 0) continue;
    is_all = false;
    const bool is_cut = coverage.raw == max && i >= SummarizedEnd(story);
    BOOST_TEST((i < coverage.oldest || is_cut), "message " << i << " is not shown");
  }
  BOOST_TEST((is_all || fit.incomplete));
}

BOOST_AUTO_TEST_CASE(any_story_keeps_to_the_limits_and_leaves_nothing_out) {
  for (unsigned seed = 0; seed < kStories; ++seed) {
    std::mt19937 random(seed);
    const FakeStory story = RandomStory(random);
    const BestFitLimits limits = RandomLimits(story, random);
    BOOST_TEST_CONTEXT("story " << seed) {
      const StoryFit fit = BestFit(story, limits);

      CheckSums(story, limits, fit);
      CheckCoverage(story, limits, fit);
      BOOST_TEST((fit == BestFit(story, limits)));
    }
  }
}

BOOST_AUTO_TEST_CASE(any_conversation_goes_on_or_is_chosen_anew) {
  std::size_t kept = 0, chosen = 0;
  for (unsigned seed = 0; seed < kStories; ++seed) {
    std::mt19937 random(seed);
    FakeStory story = RandomStory(random);
    const BestFitLimits limits = RandomLimits(story, random);
    BestFitLimits room = limits;
    room.budget -= room.budget / 5;
    room.max_messages =
        std::max(room.max_messages - room.max_messages / 5, room.min_messages);
    const std::size_t max = std::max(limits.max_messages, limits.min_messages);
    StoryFit fit;
    for (int turn = 0; turn < 8; ++turn) {
      BOOST_TEST_CONTEXT("story " << seed << ", turn " << turn) {
        const StoryFit before = fit;
        fit = BestFit(story, limits, &before);

        CheckSums(story, limits, fit);
        if (ExtendFit(story, limits, before)) {
          ++kept;
          BOOST_TEST_REQUIRE(fit.items.size() >= before.items.size());
          BOOST_TEST(Coverage(story, fit).raw <= max);
          BOOST_TEST(std::ranges::equal(
              before.items, std::span(fit.items).first(before.items.size())));
        } else {
          ++chosen;
          CheckCoverage(story, room, fit);
          BOOST_TEST((fit == BestFit(story, room)));
        }
        SayAtRandom(story, 4, random);
      }
    }
  }
  BOOST_TEST(kept > kStories);
  BOOST_TEST(chosen > kStories);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(scene_sticky_fit)

const StoryFit kNothing;

BOOST_AUTO_TEST_CASE(a_first_choice_leaves_a_fifth_of_the_limits) {
  const FakeStory story = LayeredStory();
  BOOST_TEST((BestFit(story, {2500}, &kNothing) == BestFit(story, {2000})));
  BOOST_TEST(
      (BestFit(story, {9999, 5, 20}, &kNothing) == BestFit(story, {8000, 5, 16})));
  BOOST_TEST(Outline(BestFit(story, {550}, &kNothing)) == "m25-29");
}

BOOST_AUTO_TEST_CASE(a_choice_is_kept_until_the_budget_is_full) {
  FakeStory story = LayeredStory();
  StoryFit fit = BestFit(story, {2500}, &kNothing);
  for (int turn = 0; turn < 5; ++turn) fit = BestFit(story.Say(100), {2500}, &fit);
  BOOST_TEST(Outline(fit) == "b0-1 a4-7 m24-34");
  BOOST_TEST(fit.tokens == 2500u);

  story.Say(1);
  BOOST_TEST(!ExtendFit(story, {2500}, fit).has_value());
  fit = BestFit(story, {2500}, &fit);
  BOOST_TEST(fit.tokens <= 2000u);
  BOOST_TEST((fit == BestFit(story, {2000})));
}

BOOST_AUTO_TEST_CASE(a_choice_is_kept_up_to_the_maximum_of_messages) {
  FakeStory story = LayeredStory();
  StoryFit fit = BestFit(story, {9999, 5, 10}, &kNothing);
  BOOST_TEST(Outline(fit) == "a0-7 m24-29");
  for (int turn = 0; turn < 4; ++turn) fit = BestFit(story.Say(9), {9999, 5, 10}, &fit);
  BOOST_TEST(Outline(fit) == "a0-7 m24-33");
  BOOST_TEST(!ExtendFit(story.Say(9), {9999, 5, 10}, fit).has_value());
}

BOOST_AUTO_TEST_CASE(a_choice_is_kept_while_what_it_shows_is_there) {
  struct Change {
    const char* name;
    void (*make)(FakeStory& story);
    bool keeps;
  };
  // Shown are b0-1 a4-7 m24-29.
  const Change changes[] = {
      {"nothing", [](FakeStory&) {}, true},
      {"a message is said", [](FakeStory& s) { s.Say(10); }, true},
      {"a message nobody sees", [](FakeStory& s) { s.Say(10, false); }, true},
      {"a new entry", [](FakeStory& s) { s.Sum(1, 9, {24, 28}); }, true},
      {"a new entry of a layer", [](FakeStory& s) { s.Sum(3, 9, {4, 4}); }, true},
      {"a new layer", [](FakeStory& s) { s.Sum(4, 9, {0, 2}); }, true},
      {"an old message", [](FakeStory& s) { s.items[0][3].text = "new"; }, true},
      {"an entry out of view", [](FakeStory& s) { s.items[1][3].text = "new"; }, true},
      {"a shown message", [](FakeStory& s) { s.items[0][25].text = "new"; }, false},
      {"a shown entry", [](FakeStory& s) { s.items[1][5].text = "new"; }, false},
      {"same size", [](FakeStory& s) { s.items[2][0].text[7] = '!'; }, false},
      {"a message is hidden", [](FakeStory& s) { s.items[0][26].eligible = false; },
       false},
      {"an entry is unknown", [](FakeStory& s) { s.items[2][1].eligible = false; },
       false},
      {"a message is erased",
       [](FakeStory& s) { s.items[0].erase(s.items[0].begin() + 24); }, false},
      {"the newest is erased", [](FakeStory& s) { s.items[0].pop_back(); }, false},
      {"the newest is said anew",
       [](FakeStory& s) {
         s.items[0].pop_back();
         s.Say(100);
       },
       false},
      {"the newest entry is gone", [](FakeStory& s) { s.items[1].pop_back(); }, false},
      {"summaries are made anew", [](FakeStory& s) { s.items[1].clear(); }, false},
      {"a layer is gone", [](FakeStory& s) { s.items.pop_back(); }, false},
  };
  for (const Change& change : changes) {
    BOOST_TEST_CONTEXT(change.name) {
      FakeStory story = LayeredStory();
      const StoryFit before = BestFit(story, {2500}, &kNothing);
      change.make(story);

      const StoryFit fit = BestFit(story, {2500}, &before);

      BOOST_TEST(ExtendFit(story, {2500}, before).has_value() == change.keeps);
      BOOST_TEST(fit.ranges.size() == story.levels());
      if (!change.keeps) BOOST_TEST((fit == BestFit(story, {2000})));
    }
  }
}

BOOST_AUTO_TEST_CASE(the_beginning_goes_when_it_changes) {
  FakeStory story(Sizes(3, 10));
  const StoryFit before = BestFit(story.Begin(20), {100}, &kNothing);
  BOOST_TEST(Outline(before) == "intro m0-2");
  BOOST_TEST(ExtendFit(story.Say(10), {100}, before).has_value());
  BOOST_TEST(!ExtendFit(story.Begin(21), {100}, before).has_value());
  BOOST_TEST(!ExtendFit(story.Begin(0), {100}, before).has_value());
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace talefold
