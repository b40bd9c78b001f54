// What a prompt shows of a long story: 1 token is 1 character, sizes stand for texts.
#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "memory/best_fit.h"
#include "memory/ratio_fit.h"

namespace talefold {
namespace {

struct FakeItem {
  std::size_t tokens = 0;
  IndexRange sources = {};
  bool eligible = true;
  std::string speaker = "Ann";
};

// Levels of items of given sizes; an item's id is its place, counted from 1.
class FakeStory final : public Story {
 public:
  explicit FakeStory(std::vector<std::vector<FakeItem>> levels, std::size_t intro = 0)
      : levels_(std::move(levels)), intro_(intro, 'i') {}

  std::size_t levels() const override { return levels_.size(); }
  std::size_t size(std::size_t level) const override { return levels_[level].size(); }
  StoryItem at(std::size_t level, std::size_t index) const override {
    const FakeItem& item = levels_[level][index];
    return {.id = static_cast<std::int64_t>(index) + 1,
            .text = "x",
            .tokens = item.tokens,
            .eligible = item.eligible,
            .speaker = item.speaker,
            .sources = item.sources};
  }
  StoryItem intro() const override { return {.text = intro_, .tokens = intro_.size()}; }
  std::vector<FakeItem>& level(std::size_t level) { return levels_[level]; }

 private:
  std::vector<std::vector<FakeItem>> levels_;
  std::string intro_;
};

// So many items, each over `step` items of the level below.
std::vector<FakeItem> Items(std::size_t count, std::size_t tokens,
                            std::size_t step = 0) {
  std::vector<FakeItem> items;
  for (std::size_t i = 0; i < count; ++i) {
    items.push_back({tokens, {i * step, (i + 1) * step}});
  }
  return items;
}

// 30 messages of 100; A0-A7 of 200 over three each; L0 4 x 300 over A[0-1]...; L1 2 x
// 150 over L0[0-1], [2-3].
FakeStory Fixture() {
  return FakeStory(
      {Items(30, 100), Items(8, 200, 3), Items(4, 300, 2), Items(2, 150, 2)});
}

// "L1:0 L0:2-3 A:6 M:24-29", and i for the intro.
std::string Shown(const StoryFit& fit) {
  const char* names[] = {"M", "A", "L0", "L1", "L2"};
  std::string shown;
  for (std::size_t i = 0; i < fit.items.size();) {
    const ShownItem& first = fit.items[i];
    std::size_t end = i + 1;
    while (end < fit.items.size() && fit.items[end].level == first.level &&
           fit.items[end].id == fit.items[end - 1].id + 1) {
      ++end;
    }
    if (!shown.empty()) shown += ' ';
    if (first.level == 0 && first.id == 0) {
      shown += 'i';
      end = i + 1;
    } else {
      shown += std::string(names[first.level]) + ':' + std::to_string(first.id - 1);
      if (end - i > 1) shown += '-' + std::to_string(fit.items[end - 1].id - 1);
    }
    i = end;
  }
  return shown;
}

BOOST_AUTO_TEST_SUITE(scene_fit)

BOOST_AUTO_TEST_CASE(best_fit_covers_the_story_at_falling_detail) {
  struct Case {
    std::size_t budget;
    const char* shown;
  };
  const Case cases[] = {
      {3000, "M:0-29"},
      {2999, "A:0 M:3-29"},
      {2500, "A:0-4 M:15-29"},
      {2000, "L0:0-1 A:4-7 M:24-29"},
      {1500, "L1:0 L0:2 A:6-7 M:24-29"},
      {300, "M:25-29"},
      {50, "M:25-29"},
      {0, "M:25-29"},
  };
  for (const Case& c : cases) {
    BOOST_TEST_CONTEXT("budget " << c.budget) {
      const StoryFit fit = BestFit(Fixture(), {.budget = c.budget});
      BOOST_TEST(Shown(fit) == c.shown);
      BOOST_TEST(fit.incomplete == (c.budget <= 300));
    }
  }
}

BOOST_AUTO_TEST_CASE(ranges_of_a_level_stay_in_one_piece) {
  // Upper 3 x 50 over [0-2], [3-4], [6-8] of ten lower ones: the last is in none.
  std::vector<FakeItem> upper = {{50, {0, 3}}, {50, {3, 5}}, {50, {6, 9}}};
  const FakeStory story({Items(30, 1000), Items(10, 100, 3), upper});
  const StoryFit fit = BestFit(story, {.budget = 550, .min_messages = 0});
  BOOST_TEST(Shown(fit) == "L0:0-1 A:6-9");
  BOOST_TEST(fit.tokens == 500u);
}

BOOST_AUTO_TEST_CASE(what_fits_decides_between_summaries_and_messages) {
  // Base 3 x 50 over pairs of six messages of 40.
  struct Case {
    std::size_t budget;
    const char* shown;
    bool incomplete;
  };
  const Case cases[] = {{240, "M:0-5", false},
                        {180, "A:0-1 M:4-5", false},
                        {179, "A:0-2", false},
                        {100, "A:1-2", true},
                        {40, "", true}};
  const FakeStory story({Items(6, 40), Items(3, 50, 2)});
  for (const Case& c : cases) {
    BOOST_TEST_CONTEXT("budget " << c.budget) {
      const StoryFit fit = BestFit(story, {.budget = c.budget, .min_messages = 0});
      BOOST_TEST(Shown(fit) == c.shown);
      BOOST_TEST(fit.incomplete == c.incomplete);
    }
  }
}

BOOST_AUTO_TEST_CASE(entries_that_no_layer_tells_of_are_always_there) {
  // 12 base entries, L0 covers 0-9, L1 covers L0 0-3 of five.
  const FakeStory story(
      {Items(36, 100), Items(12, 200, 3), Items(5, 300, 2), {{150, {0, 4}}}});
  for (const std::size_t budget : {850u, 1200u, 2000u, 3000u}) {
    const StoryFit fit = BestFit(story, {.budget = budget, .min_messages = 0});
    BOOST_TEST_CONTEXT("budget " << budget << ": " << Shown(fit)) {
      BOOST_TEST(fit.tokens <= budget);
      const IndexRange base = fit.ranges[1];
      BOOST_TEST((base.end == 12u || fit.ranges[0].begin <= 30u));
    }
  }
}

BOOST_AUTO_TEST_CASE(more_messages_than_allowed_are_never_shown) {
  struct Case {
    const char* name;
    BestFitLimits limits;
    const char* shown;
  };
  const Case cases[] = {
      {"expansion stops at the cap", {3000, 5, 10}, "A:0-6 M:21-29"},
      {"a cap below the least is raised", {3000, 8, 2}, "A:0-7 M:22-29"},
      {"the tail is cut, summaries stay", {3000, 2, 4}, "A:0-7 M:26-29"},
  };
  for (const Case& c : cases) {
    BOOST_TEST_CONTEXT(c.name) {
      BOOST_TEST(Shown(BestFit(Fixture(), c.limits)) == c.shown);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_tail_without_room_stands_alone) {
  const FakeStory story({Items(10, 100), Items(1, 20, 2)});
  BOOST_TEST(Shown(BestFit(story, {.budget = 450, .min_messages = 2})) == "M:6-9");
}

BOOST_AUTO_TEST_CASE(what_is_not_eligible_is_no_matter) {
  FakeStory story({Items(4, 10), Items(1, 5, 2)});
  story.level(0)[0].eligible = false;
  BOOST_TEST(Shown(BestFit(story, {.budget = 30})) == "M:1-3");
  story.level(1)[0].eligible = false;
  BOOST_TEST(Shown(BestFit(story, {.budget = 25, .min_messages = 0})) == "M:2-3");
}

BOOST_AUTO_TEST_CASE(the_beginning_is_told_while_no_summary_does) {
  const std::pair<std::size_t, const char*> cases[] = {
      {100, "i M:0-3"}, {50, "i M:0-3"}, {49, "M:0-3"}};
  for (const auto& [budget, shown] : cases) {
    BOOST_TEST(Shown(BestFit(FakeStory({Items(4, 10), Items(1, 5, 2)}, 10),
                             {.budget = budget, .min_messages = 0})) == shown);
  }
  BOOST_TEST(Shown(BestFit(FakeStory({{}}, 10), {.budget = 10})) == "i");
  BOOST_TEST(Shown(BestFit(FakeStory({{}}, 10), {.budget = 9})) == "");
}

BOOST_AUTO_TEST_CASE(a_summary_whose_messages_are_gone_stays) {
  FakeStory story({Items(6, 10), {{15, {0, 2}}, {15, {2, 2}}, {15, {2, 4}}}});
  BOOST_TEST(Shown(BestFit(story, {.budget = 70, .min_messages = 0})) == "A:0-1 M:2-5");
}

// --- Going on from an earlier prompt ---

BOOST_AUTO_TEST_CASE(a_fit_goes_on_until_its_budget_is_full) {
  FakeStory story = Fixture();
  const BestFitLimits limits{.budget = 2500};
  const StoryFit none;
  StoryFit fit = BestFit(story, limits, &none);
  BOOST_TEST(fit.tokens <= 2000u);
  int refits = 0;
  for (int i = 0; i < 30; ++i) {
    story.level(0).push_back({100});
    const StoryFit next = BestFit(story, limits, &fit);
    const bool goes_on =
        next.items.size() > fit.items.size() &&
        std::equal(fit.items.begin(), fit.items.end(), next.items.begin());
    BOOST_TEST(goes_on == ExtendFit(story, limits, fit).has_value());
    BOOST_TEST(next.tokens <= limits.budget);
    if (!goes_on) {
      ++refits;
      BOOST_TEST(next.tokens <= 2000u);
    }
    fit = next;
  }
  BOOST_TEST(refits > 0);
  BOOST_TEST(refits <= 7);
}

BOOST_AUTO_TEST_CASE(what_changed_is_chosen_anew) {
  const BestFitLimits limits{.budget = 2500};
  const StoryFit none;
  const auto goes_on_after = [&](auto change) {
    FakeStory story = Fixture();
    const StoryFit fit = BestFit(story, limits, &none);
    change(story);
    return ExtendFit(story, limits, fit).has_value();
  };
  BOOST_TEST(goes_on_after([](FakeStory& s) { s.level(0).push_back({10}); }));
  BOOST_TEST(goes_on_after([](FakeStory& s) { s.level(1).push_back({10, {24, 27}}); }));
  BOOST_TEST(!goes_on_after([](FakeStory& s) { s.level(0)[29].tokens = 99; }));
  BOOST_TEST(!goes_on_after([](FakeStory& s) { s.level(0)[28].eligible = false; }));
  BOOST_TEST(!goes_on_after([](FakeStory& s) { s.level(0).pop_back(); }));
  BOOST_TEST(!goes_on_after([](FakeStory& s) { s.level(2)[0].tokens = 1; }));
}

// --- Shares ---

BOOST_AUTO_TEST_CASE(shares_that_are_not_used_go_to_no_other) {
  const StoryFit fit = RatioFit(Fixture(), {.budget = 2000});
  BOOST_TEST(fit.budgets[0] == 1000u);
  BOOST_TEST(fit.budgets[1] == 500u);
  BOOST_TEST(fit.budgets[2] == 250u);
  BOOST_TEST(fit.budgets[3] == 250u);
  // L0 has no room for one of 300, L1 tells all that is before A5.
  BOOST_TEST(Shown(fit) == "L1:1 A:5-6 M:20-29");
  BOOST_TEST(fit.incomplete);
}

BOOST_AUTO_TEST_CASE(what_is_shown_in_whole_is_not_told_again) {
  const FakeStory story({Items(6, 10), Items(2, 10, 3), Items(1, 10, 2)});
  BOOST_TEST(Shown(RatioFit(story, {.budget = 120, .dialogue_percent = 90})) ==
             "M:0-5");
  BOOST_TEST(Shown(RatioFit(story, {.budget = 80, .dialogue_percent = 50})) ==
             "A:0 M:2-5");
}

BOOST_AUTO_TEST_CASE(the_summary_boundary_holds_but_for_the_assured_lines) {
  struct Case {
    std::size_t end;  // the last summarized message
    std::size_t assured;
    const char* shown;
  };
  for (const Case& c :
       {Case{5, 2, "M:5-9"}, Case{8, 0, "M:8-9"}, Case{9, 5, "M:5-9"}}) {
    const FakeStory story({Items(10, 10), {{1000, {0, c.end + 1}}}});
    BOOST_TEST(Shown(RatioFit(story, {.budget = 400,
                                      .enforce_boundary = true,
                                      .assured_dialogue = c.assured})) == c.shown);
  }
}

// --- Any story ---

FakeStory RandomStory(std::mt19937& random) {
  const auto below = [&](std::size_t limit) { return random() % limit; };
  std::vector<std::vector<FakeItem>> levels(1);
  for (std::size_t i = below(80); i > 0; --i) {
    levels[0].push_back({1 + below(60), {}, below(8) != 0});
  }
  for (std::size_t level = 0; level < below(4); ++level) {
    std::vector<FakeItem> made;
    for (std::size_t at = below(2);;) {
      const std::size_t end = at + 2 + below(4);
      if (end + below(6) > levels[level].size()) break;
      made.push_back({1 + below(50), {at, end}, below(15) != 0});
      at = end + (below(6) == 0 ? 1 : 0);
    }
    levels.push_back(std::move(made));
  }
  return FakeStory(std::move(levels), below(3) == 0 ? 10 : 0);
}

BOOST_AUTO_TEST_CASE(no_story_is_shown_out_of_order_or_beyond_its_budget) {
  std::mt19937 random(20);
  for (int round = 0; round < 2000; ++round) {
    FakeStory story = RandomStory(random);
    const BestFitLimits limits{random() % 2500, random() % 16, 10 + random() % 60};
    const StoryFit none;
    for (const StoryFit& fit : {BestFit(story, limits), BestFit(story, limits, &none),
                                RatioFit(story, {.budget = limits.budget})}) {
      std::size_t messages = 0, tokens = 0, newest = 0;
      for (auto item = fit.items.rbegin(); item != fit.items.rend(); ++item) {
        if (!IsMessage(*item)) continue;
        ++messages;
        if (messages <= limits.min_messages) newest += item->tokens;
      }
      for (std::size_t i = 0; i < fit.items.size(); ++i) {
        tokens += fit.items[i].tokens;
        if (i == 0) continue;
        const ShownItem& before = fit.items[i - 1];
        BOOST_REQUIRE(
            (before.level > fit.items[i].level ||
             (before.level == fit.items[i].level && before.id < fit.items[i].id)));
      }
      BOOST_REQUIRE(tokens == fit.tokens);
      BOOST_REQUIRE(tokens <= std::max(limits.budget, newest));
      if (fit.budgets.empty()) {
        BOOST_REQUIRE(messages <= std::max(limits.max_messages, limits.min_messages));
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace talefold
