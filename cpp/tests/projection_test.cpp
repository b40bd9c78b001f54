// History -> messages.
#include "prompt/projection.h"

#include <boost/test/unit_test.hpp>
#include <ostream>

#include "prompt/default_texts.h"

namespace talefold {

std::ostream& operator<<(std::ostream& out, const ChatMessage& message) {
  return out << RoleName(message.role) << ": " << message.text;
}

namespace {

BOOST_AUTO_TEST_SUITE(projection)

Dialog ThreeExchanges() {
  Dialog dialog;
  for (int i = 0; i < 3; ++i) {
    Interaction interaction;
    interaction.id = i + 1;
    interaction.user = "u" + std::to_string(i);
    interaction.assistant = "a" + std::to_string(i);
    dialog.Append(std::move(interaction));
  }
  return dialog;
}

std::vector<ChatMessage> Frame(std::string_view user, std::string_view frame,
                               Placement placement) {
  const MustacheTemplate parsed = MustacheTemplate::Parse(frame);
  HistoryEntry entry;
  entry.user = user;
  std::vector<ChatMessage> messages;
  AppendCurrentTurn(entry, {&parsed, placement}, messages);
  return messages;
}

BOOST_AUTO_TEST_CASE(replays_entries_verbatim_after_the_system_message) {
  const Dialog dialog = ThreeExchanges();
  const DialogHistory history(dialog, 3);

  const Projection projection = ProjectHistory(history, 1, 3, "Be Edric.");

  const std::vector<ChatMessage> expected = {{Role::System, "Be Edric."},
                                             {Role::User, "u1"},
                                             {Role::Assistant, "a1"},
                                             {Role::User, "u2"},
                                             {Role::Assistant, "a2"}};
  BOOST_TEST(projection.messages == expected, boost::test_tools::per_element());
  const std::vector<std::size_t> begins = {1, 3, 5};
  BOOST_TEST(projection.entry_begin == begins, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(an_empty_text_makes_no_message) {
  Dialog dialog;
  Interaction greeting;
  greeting.assistant = "Welcome!";
  dialog.Append(greeting);

  const Projection projection = ProjectHistory(DialogHistory(dialog, 1), 0, 1, "");

  const std::vector<ChatMessage> expected = {{Role::Assistant, "Welcome!"}};
  BOOST_TEST(projection.messages == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_summary_ends_the_system_message_behind_the_guard) {
  const SummaryComponent summary{.text = "Ann paid."};
  const std::string guard(default_texts::kSummaryGuard);

  BOOST_TEST(SystemMessage("Be Edric.", &summary) ==
             "Be Edric.\n\n" + guard + "\nAnn paid.");
  BOOST_TEST(SystemMessage("", &summary) == guard + "\nAnn paid.");
  BOOST_TEST(SystemMessage("Be Edric.", nullptr) == "Be Edric.");
}

BOOST_AUTO_TEST_CASE(the_frame_goes_where_placement_says) {
  struct Case {
    const char* name;
    Placement placement;
    std::vector<ChatMessage> messages;
  };
  const ChatMessage user{Role::User, "hi"};
  const Case cases[] = {
      {"in place", Placement::InPlaceOfUser, {{Role::User, "[hi]"}}},
      {"before, user", Placement::BeforeUserAsUser, {{Role::User, "[hi]"}, user}},
      {"before, system", Placement::BeforeUserAsSystem, {{Role::System, "[hi]"}, user}},
      {"after, user", Placement::AfterUserAsUser, {user, {Role::User, "[hi]"}}},
      {"after, system", Placement::AfterUserAsSystem, {user, {Role::System, "[hi]"}}},
  };
  for (const Case& c : cases) {
    BOOST_TEST_CONTEXT(c.name) {
      const auto messages = Frame("hi", "[{{user_message}}]", c.placement);
      BOOST_TEST(messages == c.messages, boost::test_tools::per_element());
    }
  }
}

BOOST_AUTO_TEST_CASE(a_frame_that_renders_to_nothing_adds_nothing) {
  const std::vector<ChatMessage> raw = {{Role::User, "hi"}};
  for (const auto placement :
       {Placement::InPlaceOfUser, Placement::BeforeUserAsUser,
        Placement::BeforeUserAsSystem, Placement::AfterUserAsUser,
        Placement::AfterUserAsSystem}) {
    const auto messages = Frame("hi", "{{#knowledge}}x{{/knowledge}} \n", placement);
    BOOST_TEST(messages == raw, boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_CASE(player_text_is_not_rendered_as_a_template) {
  const auto messages =
      Frame("{{user_message}}", "{{user_message}}", Placement::InPlaceOfUser);
  BOOST_TEST(messages.at(0).text == "{{user_message}}");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace talefold
