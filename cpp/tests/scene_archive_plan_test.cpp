// Which messages a base entry takes, where it ends, and what it is shown with.
#include <boost/test/unit_test.hpp>

#include "memory/archive_plan.h"
#include "memory/gradient.h"
#include "scene_fixture.h"

namespace talefold {
namespace {

BOOST_AUTO_TEST_SUITE(scene_archive_plan)

ArchivePlan Plan(const Timeline& timeline, std::size_t start = 0,
                 std::size_t threshold = 100) {
  return PlanArchive(timeline, start, threshold,
                     [&](std::size_t index) { return timeline.at(index).text.size(); });
}

BOOST_AUTO_TEST_CASE(an_entry_ends_where_the_first_reason_says) {
  struct Case {
    const char* name;
    std::vector<Message> messages;
    CloseReason reason;
    IndexRange range;
  };
  const PresentSet more = {"Alice", "Bob", "Carol"};
  const auto nothing = CloseReason::Nothing;
  const Case cases[] = {
      {"no messages", {}, nothing, {}},
      {"one message", {Line(500)}, nothing, {}},
      {"over the threshold",
       {Line(40), Line(40), Line(40), Line(40)},
       CloseReason::Threshold,
       {0, 3}},
      {"at the threshold", {Line(50), Line(50), Line(50)}, nothing, {}},
      {"one long message", {Line(101), Line(1)}, CloseReason::Threshold, {0, 1}},
      {"time passes",
       {Passage(1), Line(9), Passage(1), Line(9), Line(9)},
       CloseReason::TimePassage,
       {1, 2}},
      {"several passages lead",
       {Passage(1), Passage(1), Line(9), Passage(1), Line(9)},
       CloseReason::TimePassage,
       {2, 3}},
      {"the newest is a passage", {Line(9), Line(9), Passage(1)}, nothing, {}},
      {"only passages", {Passage(1), Passage(1), Passage(1)}, nothing, {}},
      {"somebody came silently",
       {Line(9), Line(9), Line(9), Line(9, more), Line(9, more)},
       CloseReason::PresenceChange,
       {0, 3}},
      {"somebody left",
       {Line(9, more), Line(9), Line(9)},
       CloseReason::PresenceChange,
       {0, 1}},
      {"only the newest has others present",
       {Line(9), Line(9), Line(9, more)},
       nothing,
       {}},
      {"others present from the first line on",
       {Passage(1), Line(60, more), Line(60, more), Line(9, more)},
       CloseReason::Threshold,
       {1, 3}},
      {"directions count nothing",
       {Direction(500), Line(40), Direction(500), Line(40), Line(40), Line(40)},
       CloseReason::Threshold,
       {1, 5}},
      {"a direction before a passage belongs to the entry",
       {Line(9), Direction(9), Passage(1), Line(9)},
       CloseReason::TimePassage,
       {0, 2}},
      {"only directions", {Direction(500), Direction(500), Line(9)}, nothing, {}},
  };
  for (const Case& c : cases) {
    BOOST_TEST_CONTEXT(c.name) {
      const ArchivePlan plan = Plan(MakeTimeline(c.messages));
      BOOST_TEST(CloseReasonName(plan.reason) == CloseReasonName(c.reason));
      BOOST_TEST((plan.messages == c.range));
    }
  }
}

BOOST_AUTO_TEST_CASE(hidden_messages_are_summarized_too) {
  Message hidden = Line(60);
  hidden.hidden = true;
  const ArchivePlan plan = Plan(MakeTimeline({hidden, hidden, Line(1)}));
  BOOST_TEST((plan.lines == std::vector<std::size_t>{0, 1}));
}

BOOST_AUTO_TEST_CASE(messages_of_unknown_presence_are_apart_from_others) {
  Message unknown = Line(9);
  unknown.present.reset();
  const ArchivePlan plan = Plan(MakeTimeline({unknown, unknown, Line(9), Line(9)}));
  BOOST_TEST((plan.reason == CloseReason::PresenceChange));
  BOOST_TEST((plan.messages == IndexRange{0, 2}));
}

BOOST_AUTO_TEST_CASE(reading_goes_on_after_the_last_entry) {
  const Timeline timeline = MakeTimeline(std::vector<Message>(7, Line(51)));
  BOOST_TEST((Plan(timeline, 0).messages == IndexRange{0, 2}));
  BOOST_TEST((Plan(timeline, 2).messages == IndexRange{2, 4}));
  BOOST_TEST((Plan(timeline, 4).messages == IndexRange{4, 6}));
  BOOST_TEST((Plan(timeline, 6).reason == CloseReason::Nothing));
  BOOST_TEST((Plan(timeline, 7).reason == CloseReason::Nothing));
}

std::vector<std::string> Numbered(std::size_t count) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < count; ++i) {
    lines.push_back("Bob: this is line " + std::to_string(i) + ".");
  }
  return lines;
}

BOOST_AUTO_TEST_CASE(a_natural_ending_is_a_line_the_reply_repeats) {
  struct Case {
    const char* name;
    const char* reply;
    std::optional<std::size_t> kept;
  };
  const Case cases[] = {
      {"alone", "Bob: this is line 6.", 6},
      {"quoted", "The line is \"Bob: this is line 5.\"", 5},
      {"wrapped", "Bob: this\n  is line 6.", 6},
      {"the earlier of two", "Bob: this is line 7.\nBob: this is line 5.", 5},
      {"too early", "Bob: this is line 4.", {}},
      {"the first decides", "Bob: this is line 6.\nBob: this is line 0.", {}},
      {"half a line", "Bob: this is", {}},
      {"of none", "Ann: this is line 6.", {}},
      {"empty", "", {}},
      {"behind a remark", "None. # Bob: this is line 6.", {}},
  };
  for (const Case& c : cases) {
    BOOST_TEST_CONTEXT(c.name) {
      BOOST_TEST((NaturalEnding(Numbered(8), c.reply) == c.kept));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_natural_ending_counts_positions_not_lines) {
  const Timeline timeline =
      MakeTimeline({Line(20), Direction(9), Line(20), Line(20), Direction(9), Line(20),
                    Line(20), Direction(9), Line(20), Line(20)});
  const ArchivePlan plan = Plan(timeline);
  BOOST_TEST((plan.messages == IndexRange{0, 9}));

  const ArchivePlan kept = KeepLines(
      plan, 5, [&](std::size_t index) { return timeline.at(index).text.size(); });

  BOOST_TEST((kept.messages == IndexRange{0, 7}));
  BOOST_TEST(kept.tokens == 100u);
  BOOST_TEST((kept.lines == std::vector<std::size_t>{0, 2, 3, 5, 6}));
}

BOOST_AUTO_TEST_CASE(preceding_chapters_are_the_newest_of_the_gradient) {
  LayeredScene scene;
  scene.memory.layers[1].pop_back();  // L1-0, then L0-2, L0-3
  scene.memory.layers[0].pop_back();  // then A6, A7
  const std::string a(200, 'a'), b(300, 'b'), c(150, 'c');
  using Texts = std::vector<std::string>;
  BOOST_TEST((PrecedingChapters(scene.memory, 6, true) == Texts{c, b, a, a}));
  BOOST_TEST((PrecedingChapters(scene.memory, 2, true) == Texts{a, a}));
  BOOST_TEST((PrecedingChapters(scene.memory, 6, false) == Texts(6, a)));
  BOOST_TEST(PrecedingChapters(scene.memory, 0, true).empty());
  BOOST_TEST(PrecedingChapters({}, 6, true).empty());
}

BOOST_AUTO_TEST_CASE(a_regenerated_entry_sees_earlier_chapters_alone) {
  LayeredScene scene;
  for (std::size_t i = 0; i < scene.memory.base.size(); ++i) {
    scene.memory.base[i].text = "A" + std::to_string(i);
  }
  using Texts = std::vector<std::string>;
  BOOST_TEST((PrecedingChapters(scene.memory, 2, false, 3) == Texts{"A1", "A2"}));
  BOOST_TEST(PrecedingChapters(scene.memory, 2, false, 0).empty());
  BOOST_TEST((PrecedingChapters(scene.memory, 9, true, 3) ==
              Texts{std::string(300, 'b'), "A2"}));
}

BOOST_AUTO_TEST_CASE(the_introduction_goes_before_the_first_summary_alone) {
  SceneMemory memory;
  BOOST_TEST(NeedsIntroduction(memory, 0, {}));
  memory.base.resize(2);
  memory.base[0].is_static = true;
  BOOST_TEST(NeedsIntroduction(memory, 1, {}));
  BOOST_TEST(!NeedsIntroduction(memory, 2, {}));
  BOOST_TEST(!NeedsIntroduction(memory, 1, std::vector<std::string>{"The war."}));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(scene_gradient)

using Places = std::vector<EntryPlace>;

BOOST_AUTO_TEST_CASE(each_stretch_is_shown_once_at_its_highest_layer) {
  struct Case {
    const char* name;
    std::size_t upper;   // entries of layers[1]
    std::size_t middle;  // entries of layers[0]
    GradientOptions options;
    Places places;
  };
  const Case cases[] = {
      {"all covered at the top", 2, 4, {}, {{2, 0}, {2, 1}}},
      {"layers only", 1, 3, {1}, {{2, 0}, {1, 2}}},
      {"with the base", 1, 3, {}, {{2, 0}, {1, 2}, {0, 6}, {0, 7}}},
      {"an empty layer is skipped",
       0,
       2,
       {},
       {{1, 0}, {1, 1}, {0, 4}, {0, 5}, {0, 6}, {0, 7}}},
      {"from the top layer alone", 1, 4, {2}, {{2, 0}}},
      {"before an entry below the top", 2, 4, {0, 5}, {{2, 0}, {0, 4}}},
      {"before the first of a group", 2, 4, {0, 4}, {{2, 0}}},
      {"before the first of all", 2, 4, {0, 0}, {}},
      {"before the second", 2, 4, {0, 1}, {{0, 0}}},
  };
  for (const Case& c : cases) {
    BOOST_TEST_CONTEXT(c.name) {
      LayeredScene scene;
      scene.memory.layers[1].resize(c.upper);
      scene.memory.layers[0].resize(c.middle);
      BOOST_TEST((CompileGradient(scene.memory, c.options) == c.places));
    }
  }
}

BOOST_AUTO_TEST_CASE(backstory_comes_first_and_is_in_no_layer) {
  LayeredScene scene;
  MemoryEntry entry;
  entry.id = scene.memory.next_id++;
  entry.is_static = true;
  scene.memory.base.insert(scene.memory.base.begin(), entry);
  BOOST_TEST((CompileGradient(scene.memory) == Places{{0, 0}, {2, 0}, {2, 1}}));
  BOOST_TEST((CompileGradient(scene.memory, {1}) == Places{{2, 0}, {2, 1}}));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace talefold
