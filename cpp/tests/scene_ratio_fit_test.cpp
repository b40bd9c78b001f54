// What a prompt shows of a story by fixed shares of its budget.
#include <boost/test/unit_test.hpp>
#include <random>

#include "fake_story.h"
#include "memory/ratio_fit.h"

namespace talefold {
namespace {

using Sizes = std::vector<std::size_t>;

struct Case {
  const char* name;
  FakeStory story;
  RatioLimits limits;
  const char* outline;
  bool incomplete = false;
};

void Check(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    BOOST_TEST_CONTEXT(c.name) {
      const StoryFit fit = RatioFit(c.story, c.limits);

      BOOST_TEST(Outline(fit) == c.outline);
      BOOST_TEST(fit.incomplete == c.incomplete);
    }
  }
}

// So many messages of 10, of which the first `summarized` are in one entry of 10.
FakeStory SummarizedUpTo(std::size_t summarized, std::size_t messages = 10) {
  FakeStory story(Sizes(messages, 10));
  return story.Sum(1, 10, {0, summarized});
}

BOOST_AUTO_TEST_SUITE(scene_ratio_fit)

BOOST_AUTO_TEST_CASE(every_level_has_its_share) {
  struct Shares {
    const char* name;
    FakeStory story;
    RatioLimits limits;
    Sizes budgets;
  };
  FakeStory no_layers(Sizes(4, 10));
  no_layers.Sum(1, 10, {0, 2});
  FakeStory empty_layers = no_layers;
  empty_layers.items.resize(4);
  const Shares cases[] = {
      {"halves", LayeredStory(), {1000}, {500, 250, 125, 125}},
      {"others", LayeredStory(), {1000, 20, 70}, {200, 560, 168, 72}},
      {"rounded down", LayeredStory(), {999, 50, 33}, {499, 165, 110, 225}},
      {"the last gets the rest", no_layers, {1000, 40, 10}, {400, 600}},
      {"empty layers get nothing", empty_layers, {1000, 40, 10}, {400, 600, 0, 0}},
      {"messages alone", FakeStory(Sizes(4, 10)), {1000}, {500}},
      {"nothing", LayeredStory(), {0}, {0, 0, 0, 0}},
  };
  for (const Shares& c : cases) {
    BOOST_TEST_CONTEXT(c.name) {
      BOOST_TEST(RatioFit(c.story, c.limits).budgets == c.budgets,
                 boost::test_tools::per_element());
    }
  }
}

BOOST_AUTO_TEST_CASE(each_level_goes_on_before_the_one_below) {
  const FakeStory story = LayeredStory();
  Check({
      {"each a part", story, {2800}, "c0 b1 a3-5 m16-29"},
      {"half as much", story, {1400}, "c1 a7 m23-29", true},
      {"nothing fits", story, {100}, "", true},
      {"messages alone", story, {200}, "m29", true},
      {"a level without room is passed over", story, {1000, 60, 10}, "c0-1 m24-29"},
  });
}

BOOST_AUTO_TEST_CASE(what_is_shown_word_for_word_needs_no_summary) {
  const FakeStory story = LayeredStory();
  FakeStory large(Sizes(10, 100));
  large.SumAll(1, 10, {{0, 5}, {5, 10}}).Sum(2, 10, {0, 2});
  Check({
      {"all messages", story, {6000}, "m0-29"},
      {"all entries", story, {5000, 20, 90}, "a0-6 m20-29"},
      {"up to the edge of an entry", large, {1000}, "a0 m5-9"},
      {"a part of an entry", large, {800}, "a0-1 m6-9"},
      {"a message of an entry is missing", large, {1800}, "a0 m1-9"},
  });
}

BOOST_AUTO_TEST_CASE(unused_shares_stay_unused) {
  FakeStory young(Sizes(4, 10));
  FakeStory short_entry(Sizes(20, 10));
  short_entry.Sum(1, 10, {0, 15});
  Check({
      {"half for summaries that there are not", young, {40}, "m2-3", true},
      {"of entries", short_entry, {150, 50}, "a0 m13-19"},
      {"of messages", short_entry, {420, 50}, "m0-19"},
      {"of a layer", LayeredStory(), {1000, 50, 90}, "a6-7 m25-29", true},
  });
}

BOOST_AUTO_TEST_CASE(a_boundary_keeps_dialogue_out_of_what_was_summarized) {
  const auto limits = [](bool enforce, std::size_t assured) {
    return RatioLimits{1000, 50, 50, enforce, assured};
  };
  FakeStory narrated = SummarizedUpTo(10);
  for (const std::size_t i : {6u, 8u}) narrated.items[0][i].speaker.clear();
  FakeStory hidden = SummarizedUpTo(10);
  for (const std::size_t i : {6u, 8u}) hidden.items[0][i].eligible = false;
  Check({
      {"the last summarized one too", SummarizedUpTo(6), limits(true, 2), "a0 m5-9"},
      {"none assured", SummarizedUpTo(9), limits(true, 0), "a0 m8-9"},
      {"assured ones", SummarizedUpTo(10), limits(true, 5), "a0 m5-9"},
      {"an entry of the first message", SummarizedUpTo(1), limits(true, 0), "m0-9"},
      {"nothing summarized", FakeStory(Sizes(10, 10)), limits(true, 0), "m0-9"},
      {"lines of characters count", narrated, limits(true, 4), "a0 m4-9"},
      {"lines nobody sees do not", hidden, limits(true, 4), "a0 m4-5 m7 m9"},
      {"no boundary", SummarizedUpTo(10), limits(false, 0), "m0-9"},
      {"assured within the share",
       SummarizedUpTo(10),
       {60, 50, 50, true, 5},
       "a0 m7-9"},
  });
}

BOOST_AUTO_TEST_CASE(what_may_not_be_shown_costs_nothing) {
  FakeStory story = LayeredStory();
  for (const std::size_t i : {24u, 28u}) story.items[0][i].eligible = false;
  story.items[1][6].eligible = false;
  FakeStory unknown(Sizes(6, 10));
  unknown.Begin(10).Sum(1, 10, {0, 4}, false);
  for (std::size_t i = 0; i < 4; ++i) unknown.items[0][i].eligible = false;
  Check({
      {"messages and entries", story, {1400}, "c1 a5 m21-23 m25-27 m29", true},
      {"no entry that is known", unknown, {40}, "intro m4-5"},
      {"a known message is missing", unknown, {20}, "intro m5", true},
  });
}

BOOST_AUTO_TEST_CASE(the_beginning_is_told_as_long_as_no_summary_is_shown) {
  FakeStory intro;
  intro.Begin(20);
  FakeStory young(Sizes(3, 10));
  young.Begin(20);
  FakeStory old = SummarizedUpTo(8);
  old.Begin(20);
  Check({
      {"nothing at all", FakeStory(), {100}, ""},
      {"an empty scene", intro, {100}, "intro"},
      {"no room for it", intro, {19}, ""},
      {"before messages", young, {60}, "intro m0-2"},
      {"messages first", young, {49, 90}, "m0-2"},
      {"a summary in its place", old, {100}, "a0 m5-9"},
      {"all messages", old, {200}, "intro m0-9"},
  });
}

BOOST_AUTO_TEST_CASE(what_no_item_tells_is_missed) {
  FakeStory gap = SummarizedUpTo(3);
  FakeStory orphans(Sizes(12, 10));
  for (std::size_t i = 0; i < 4; ++i) orphans.Sum(1, 20, {3 * i, 3 * i + 3});
  orphans.Sum(2, 10, {0, 2});
  Check({
      {"the oldest", LayeredStory(), {1000}, "a7 m25-29", true},
      {"messages before the share", gap, {60}, "a0 m7-9", true},
      {"entries before the share", orphans, {100, 60, 70}, "b0 a1 m6-11"},
      {"an entry between", orphans, {75, 20, 40}, "b0 a3 m11", true},
  });
}

BOOST_AUTO_TEST_CASE(sections_make_up_the_whole) {
  const FakeStory story = LayeredStory();
  for (std::size_t budget = 0; budget <= 6000; budget += 100) {
    BOOST_TEST_CONTEXT(budget) {
      const StoryFit fit = RatioFit(story, {budget});
      std::vector<std::int64_t> listed, shown;
      for (std::size_t level = fit.ranges.size(); level-- > 0;) {
        for (std::size_t i = fit.ranges[level].begin; i < fit.ranges[level].end; ++i) {
          listed.push_back(story.at(level, i).id);
        }
      }
      for (const ShownItem& item : fit.items) shown.push_back(item.id);
      BOOST_TEST(listed == shown, boost::test_tools::per_element());
    }
  }
}

BOOST_AUTO_TEST_CASE(any_story_keeps_to_the_shares) {
  for (unsigned seed = 0; seed < 800; ++seed) {
    std::mt19937 random(seed);
    const FakeStory story = RandomStory(random);
    const RatioLimits limits = {random() % 3000, 10 + random() % 81, 10 + random() % 81,
                                random() % 2 == 0, random() % 9};
    BOOST_TEST_CONTEXT("story " << seed) {
      const StoryFit fit = RatioFit(story, limits);

      Sizes used(story.levels());
      for (const ShownItem& item : fit.items) {
        if (item.level > 0 || IsMessage(item)) used[item.level] += item.tokens;
      }
      for (std::size_t level = 0; level < used.size(); ++level) {
        BOOST_TEST(used[level] <= fit.budgets[level]);
      }
      BOOST_TEST(fit.tokens <= limits.budget);
      StoryFit collected = fit;
      CollectItems(story, collected);
      BOOST_TEST((collected == fit));

      const Coverage coverage(story, fit);
      BOOST_TEST(coverage.is_in_order);
      bool is_all = true;
      for (std::size_t i = 0; i < story.size(0); ++i) {
        const bool counts = story.items[0][i].eligible && !IsForgotten(story, 0, i);
        is_all = is_all && (coverage.times[i] > 0 || !counts);
      }
      BOOST_TEST((is_all || fit.incomplete));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace talefold
