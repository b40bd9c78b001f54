// When a fold is due, which interactions it may take, and what is kept of its text.
#include "memory/fold_plan.h"

#include <boost/test/unit_test.hpp>

#include "memory/summary_text.h"

namespace talefold {
namespace {

BOOST_AUTO_TEST_SUITE(fold_plan)

// Every interaction costs 10 tokens.
FoldRequest Request(std::size_t size, std::size_t uncovered, int keep, int tokens,
                    int turns) {
  FoldRequest request;
  request.dialog_size = size;
  request.first_uncovered = uncovered;
  request.keep_recent_turns = keep;
  request.trigger_tokens = tokens;
  request.trigger_turns = turns;
  request.cost = [](std::size_t) { return std::size_t{10}; };
  return request;
}

BOOST_AUTO_TEST_CASE(the_first_reason_that_holds_decides) {
  struct Case {
    const char* name;
    FoldRequest request;
    std::optional<SkipReason> skip;
    std::size_t pending;
    bool by_turns;
  };
  const Case cases[] = {
      {"no interaction", Request(0, 0, 3, 10, 1), SkipReason::EmptyDialog, 0, false},
      {"hot window larger than the dialog", Request(2, 0, 3, 10, 1),
       SkipReason::HotWindowCoversDialog, 0, false},
      {"hot window as large as the dialog", Request(3, 0, 3, 10, 1),
       SkipReason::HotWindowCoversDialog, 0, false},
      {"all outside the window is folded", Request(8, 5, 3, 10, 1),
       SkipReason::NothingNewOutsideHotWindow, 0, false},
      {"a wider window than at the last fold", Request(8, 5, 6, 10, 1),
       SkipReason::NothingNewOutsideHotWindow, 0, false},
      {"39 of 40 tokens", Request(6, 0, 3, 40, 0), SkipReason::BelowThreshold, 3,
       false},
      {"3 of 4 turns", Request(6, 0, 3, 0, 4), SkipReason::BelowThreshold, 3, false},
      {"both off", Request(60, 0, 3, 0, 0), SkipReason::BelowThreshold, 57, false},
      {"tokens at the threshold", Request(7, 0, 3, 40, 0), {}, 4, false},
      {"turns at the threshold", Request(7, 0, 3, 0, 4), {}, 4, true},
      {"turns are checked first", Request(7, 0, 3, 40, 4), {}, 4, true},
      {"either fires: tokens", Request(7, 0, 3, 40, 9), {}, 4, false},
      {"no hot window", Request(1, 0, 0, 10, 0), {}, 1, false},
      {"only the pending range counts", Request(8, 4, 0, 50, 0),
       SkipReason::BelowThreshold, 4, false},
  };
  for (const Case& c : cases) {
    BOOST_TEST_CONTEXT(c.name) {
      const FoldPlan plan = PlanFold(c.request);
      BOOST_TEST((plan.skip == c.skip));
      BOOST_TEST(plan.pending_turns() == c.pending);
      BOOST_TEST(plan.by_turns == c.by_turns);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_running_turn_without_reply_is_hot) {
  FoldRequest request = Request(2, 0, 0, 10, 0);
  request.reply_final = false;
  BOOST_TEST(PlanFold(request).pending_turns() == 1u);
  request.reply_final = true;
  BOOST_TEST(PlanFold(request).pending_turns() == 2u);
}

BOOST_AUTO_TEST_CASE(costs_are_not_asked_for_once_the_trigger_is_reached) {
  int asked = 0;
  FoldRequest request = Request(1000, 0, 0, 30, 0);
  request.cost = [&asked](std::size_t) {
    ++asked;
    return std::size_t{10};
  };
  PlanFold(request);
  BOOST_TEST(asked == 3);
}

BOOST_AUTO_TEST_CASE(the_largest_fitting_count_is_found_from_any_guess) {
  for (std::size_t limit = 0; limit <= 6; ++limit) {
    for (std::size_t guess = 0; guess <= 8; ++guess) {
      BOOST_TEST_CONTEXT("limit " << limit << ", guess " << guess) {
        const auto fits = [limit](std::size_t count) { return count <= limit; };
        BOOST_TEST(LargestFittingCount(6, guess, fits) == limit);
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(summary_text)

BOOST_AUTO_TEST_CASE(a_cut_summary_ends_with_its_last_full_sentence) {
  struct Case {
    const char* output;
    bool cut;
    const char* stored;
  };
  const Case cases[] = {
      {"  He left. She stayed. \n", false, "He left. She stayed."},
      {"He left. She st", false, "He left. She st"},
      {"He left. She st", true, "He left."},
      {"He left at 3.5", true, "He left at 3.5"},
      {"It cost 3.50 coins, or", true, "It cost 3.50 coins, or"},
      {"\"Go!\" she said. He", true, "\"Go!\" she said."},
      {"She said \"Go!\" He", true, "She said \"Go!\""},
      {"Wait... what", true, "Wait..."},
      {"Mr. Bob promised the", true, "Mr. Bob promised the"},
      {"He came. Dr. Grey and J. Worthing were", true, "He came."},
      {"5. A grand affair.\n6.", true, "5. A grand affair."},
      {"5. A grand affair.\n  **12.** He", true, "5. A grand affair."},
      {"1. no sentence", true, "1. no sentence"},
      {"He was born in 1412. She", true, "He was born in 1412."},
      {"彼は去った。彼女は", true, "彼は去った。"},
      {"no sentence at all", true, "no sentence at all"},
      {" \n\t ", true, ""},
      {"", false, ""},
  };
  for (const Case& c : cases) {
    BOOST_TEST_CONTEXT(c.output) {
      BOOST_TEST(FinishSummary(c.output, c.cut) == c.stored);
    }
  }
}

BOOST_AUTO_TEST_CASE(head_and_tail_keep_whole_code_points) {
  BOOST_TEST(HeadAndTail("abcdefghijkl", 3) == "ab [...] l");
  BOOST_TEST(HeadAndTail("äöüßäöüßäöüß", 2) == "ä [...] ß");
  BOOST_TEST(HeadAndTail("abcdefghijkl", 0) == " [...] ");
}

BOOST_AUTO_TEST_CASE(keeping_more_never_gives_less) {
  const std::string text = "abcdefghijklmnopqrst";
  std::size_t before = 0;
  for (std::size_t kept = 0; kept <= text.size() + 1; ++kept) {
    const std::string abridged = HeadAndTail(text, kept);
    BOOST_TEST(abridged.size() >= before);
    BOOST_TEST(abridged.size() <= text.size());
    before = abridged.size();
  }
  BOOST_TEST(HeadAndTail(text, text.size()) == text);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace talefold
