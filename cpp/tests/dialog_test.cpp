// Dialog and TrimHistory: what undo, edits and folds leave behind.
#include "dialog/dialog.h"

#include <boost/test/unit_test.hpp>

#include "dialog/agent_state.h"
#include "dialog/history.h"

namespace talefold {
namespace {

Interaction Exchange(std::int64_t id, std::string text) {
  Interaction interaction;
  interaction.id = id;
  interaction.user = text + "?";
  interaction.assistant = text + "!";
  return interaction;
}

Interaction Carrier(std::int64_t id, std::size_t covered_through) {
  Interaction interaction = Exchange(id, "fold");
  interaction.summary = SummaryComponent{.text = "S" + std::to_string(covered_through),
                                         .node = "summarize",
                                         .covered_through = covered_through};
  return interaction;
}

// 0, 1, 2 (covers 0), 3, 4 (covers 2)
Dialog TwoFolds() {
  Dialog dialog;
  dialog.Append(Exchange(1, "a"));
  dialog.Append(Exchange(2, "b"));
  dialog.Append(Carrier(3, 0));
  dialog.Append(Exchange(4, "d"));
  dialog.Append(Carrier(5, 2));
  return dialog;
}

BOOST_AUTO_TEST_SUITE(dialog)

BOOST_AUTO_TEST_CASE(newest_carrier_is_the_last_one_below_the_end) {
  const Dialog dialog = TwoFolds();

  BOOST_TEST(*dialog.NewestCarrier(5) == 4u);
  BOOST_TEST(*dialog.NewestCarrier(4) == 2u);
  BOOST_TEST(!dialog.NewestCarrier(2).has_value());
}

BOOST_AUTO_TEST_CASE(removing_the_carrier_brings_the_earlier_summary_back) {
  Dialog dialog = TwoFolds();

  const Interaction removed = dialog.PopLast();

  BOOST_TEST(removed.id == 5);
  BOOST_TEST(*dialog.NewestCarrier(dialog.size()) == 2u);
}

BOOST_AUTO_TEST_CASE(an_edit_marks_every_summary_that_covers_it_as_stale) {
  Dialog dialog = TwoFolds();

  dialog.Edit(0, "changed", std::nullopt);
  BOOST_TEST(dialog.at(2).summary->stale);
  BOOST_TEST(dialog.at(4).summary->stale);

  Dialog later = TwoFolds();
  later.Edit(2, std::nullopt, "changed");
  BOOST_TEST(!later.at(2).summary->stale);
  BOOST_TEST(later.at(4).summary->stale);
}

BOOST_AUTO_TEST_CASE(an_edit_bumps_the_revision_and_keeps_the_rest) {
  Dialog dialog = TwoFolds();

  dialog.Edit(2, "new question", std::nullopt);

  BOOST_TEST(dialog.at(2).user == "new question");
  BOOST_TEST(dialog.at(2).assistant == "fold!");
  BOOST_TEST(dialog.at(2).revision == 1u);
  BOOST_TEST(dialog.at(2).summary.has_value());
}

BOOST_AUTO_TEST_CASE(a_copy_does_not_see_later_edits) {
  Dialog dialog = TwoFolds();
  const Dialog copy = dialog;

  dialog.Edit(1, "changed", std::nullopt);

  BOOST_TEST(copy.at(1).user == "b?");
}

BOOST_AUTO_TEST_CASE(status_names_round_trip) {
  for (const auto status : {InteractionStatus::Complete, InteractionStatus::Interrupted,
                            InteractionStatus::Cancelled, InteractionStatus::Failed}) {
    BOOST_TEST((ParseStatus(StatusName(status)) == status));
  }
  BOOST_TEST(!ParseStatus("done").has_value());
}

BOOST_AUTO_TEST_CASE(a_history_ends_with_the_running_interaction) {
  const Dialog dialog = TwoFolds();
  const Interaction current = Exchange(6, "now");

  const DialogHistory history(dialog, 4, &current);

  BOOST_TEST(history.size() == 5u);
  BOOST_TEST(history.entry(4).user == "now?");
  BOOST_TEST(history.newest_summary()->text == "S0");  // the one at 4 is not visible
  BOOST_TEST(history.first_uncovered() == 1u);
}

BOOST_AUTO_TEST_CASE(a_fold_of_the_running_turn_is_the_newest_summary) {
  const Dialog dialog = TwoFolds();
  const Interaction current = Carrier(6, 4);

  BOOST_TEST(DialogHistory(dialog, 5, &current).first_uncovered() == 5u);
}

BOOST_AUTO_TEST_CASE(trim_marks_of_removed_turns_are_forgotten) {
  TrimHistory trims;
  trims.Set(4, 2);
  trims.Set(9, 6);
  BOOST_TEST(trims.From(10) == 6u);
  BOOST_TEST(trims.From(9) == 2u);  // the mark at 9 is made by turn 9 itself
  BOOST_TEST(trims.From(4) == 0u);

  trims.Truncate(9);
  BOOST_TEST(trims.From(100) == 2u);
}

BOOST_AUTO_TEST_CASE(setting_the_same_window_again_leaves_no_mark) {
  TrimHistory trims;
  trims.Set(4, 0);
  BOOST_TEST(trims.marks().empty());
  trims.Set(5, 3);
  trims.Set(6, 3);
  BOOST_TEST(trims.marks().size() == 1u);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace talefold
