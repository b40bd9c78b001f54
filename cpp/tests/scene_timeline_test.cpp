// Messages, their ids and the clock, and how entries stay true to them.
#include <boost/test/unit_test.hpp>

#include "runtime_fixture.h"
#include "scene/backstory.h"
#include "scene/message_format.h"
#include "scene_fixture.h"

namespace talefold {
namespace {

BOOST_AUTO_TEST_SUITE(scene_timeline)

BOOST_AUTO_TEST_CASE(ids_stay_whatever_is_inserted_or_erased) {
  Timeline timeline = MakeTimeline({Line(1), Line(2), Line(3)});
  timeline.Insert(1, Passage(2));
  timeline.Erase(0);

  BOOST_TEST(timeline.size() == 3u);
  BOOST_TEST(timeline.Find(4) == 0u);
  BOOST_TEST(timeline.at(timeline.Find(2)).text == "xx");
  BOOST_TEST(timeline.at(timeline.Find(3)).text == "xxx");
  BOOST_TEST(!timeline.IndexOf(1).has_value());
  BOOST_TEST((timeline.Append(Line(1)) == 5));
  BOOST_TEST((CodeOf([&] { timeline.Find(1); }) == ErrorCode::InteractionNotFound));
}

BOOST_AUTO_TEST_CASE(every_change_is_another_version) {
  Timeline timeline = MakeTimeline({Line(1), Passage(1)});
  std::uint64_t before = timeline.version();
  const auto changed = [&] {
    return std::exchange(before, timeline.version()) != before;
  };
  timeline.EditText(0, "new");
  BOOST_TEST(changed());
  timeline.SetDuration(1, {60});
  BOOST_TEST(changed());
  timeline.SetHidden(0, true);
  BOOST_TEST(changed());
  timeline.AddVersion(0, "newer");
  BOOST_TEST(changed());
  timeline.ShowVersion(0, 0);
  BOOST_TEST(changed());
  timeline.Erase(0);
  BOOST_TEST(changed());
}

BOOST_AUTO_TEST_CASE(who_shares_a_message_keeps_what_it_read) {
  Timeline timeline = MakeTimeline({Line(3)});
  const std::shared_ptr<const Message> read = timeline.share(0);
  timeline.EditText(0, "new");
  BOOST_TEST(read->text == "xxx");
  BOOST_TEST(read->revision == 0u);
  BOOST_TEST(timeline.at(0).revision == 1u);
}

BOOST_AUTO_TEST_CASE(versions_of_a_reply_trade_places) {
  Timeline timeline = MakeTimeline({Line(1)});
  timeline.EditText(0, "first");
  timeline.AddVersion(0, "second");
  timeline.AddVersion(0, "third");
  BOOST_TEST((timeline.at(0).versions == std::vector<std::string>{"first", "second"}));
  timeline.ShowVersion(0, 0);
  BOOST_TEST(timeline.at(0).text == "first");
  BOOST_TEST((timeline.at(0).versions == std::vector<std::string>{"third", "second"}));
}

BOOST_AUTO_TEST_CASE(the_clock_is_the_sum_of_the_passages) {
  Timeline timeline = MakeTimeline({Line(1), Passage(2), Line(1), Passage(3)});
  timeline.SetStart({3600});
  BOOST_TEST(timeline.clock().seconds == 6 * 3600);
  BOOST_TEST(timeline.ClockBefore(0).seconds == 3600);
  BOOST_TEST(timeline.ClockBefore(1).seconds == 3600);
  BOOST_TEST(timeline.ClockBefore(3).seconds == 3 * 3600);
  timeline.SetDuration(1, {3600});
  BOOST_TEST(timeline.clock().seconds == 5 * 3600);
  timeline.Erase(3);
  BOOST_TEST(timeline.clock().seconds == 2 * 3600);
}

BOOST_AUTO_TEST_CASE(a_clock_out_of_range_changes_nothing) {
  Timeline timeline = MakeTimeline({Passage(1)});
  Message eternity = Passage(1);
  eternity.duration = kMaxStoryTime;
  BOOST_TEST(
      (CodeOf([&] { timeline.Append(eternity); }) == ErrorCode::InvalidArgument));
  BOOST_TEST(timeline.size() == 1u);
  BOOST_TEST(timeline.next_id() == 2);
}

BOOST_AUTO_TEST_CASE(a_restored_message_keeps_its_id) {
  Timeline timeline;
  Message message = Line(1);
  message.id = 7;
  timeline.Restore(message);
  BOOST_TEST(timeline.Find(7) == 0u);
  BOOST_TEST(timeline.Append(Line(1)) == 8);
}

BOOST_AUTO_TEST_CASE(kinds_have_names_that_are_read_back) {
  for (const MessageKind kind :
       {MessageKind::Character, MessageKind::Narrator, MessageKind::Director,
        MessageKind::Time, MessageKind::Reinforcement,
        MessageKind::ContextInvestigation}) {
    BOOST_TEST((ParseKind(KindName(kind)) == kind));
  }
  BOOST_TEST(!ParseKind("presence").has_value());
}

BOOST_AUTO_TEST_CASE(presence_is_sorted_and_without_repeats) {
  BOOST_TEST((MakePresentSet({"Bob", "Alice", "Bob"}) == PresentSet{"Alice", "Bob"}));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(scene_memory)

using Positions = std::vector<std::pair<std::size_t, std::size_t>>;

Positions RangesOf(const Timeline& timeline, const SceneMemory& memory) {
  Positions ranges;
  for (const MemoryEntry& entry : memory.base) {
    const IndexRange range = MessageRange(timeline, entry);
    ranges.emplace_back(range.begin, range.end);
  }
  return ranges;
}

BOOST_AUTO_TEST_CASE(a_range_follows_its_messages_through_inserts) {
  LayeredScene scene;
  scene.timeline.Insert(3, Passage(1));  // before the second entry
  BOOST_TEST((MessageRange(scene.timeline, scene.memory.base[0]) == IndexRange{0, 3}));
  BOOST_TEST((MessageRange(scene.timeline, scene.memory.base[1]) == IndexRange{4, 7}));
  scene.timeline.Erase(3);
  BOOST_TEST((MessageRange(scene.timeline, scene.memory.base[1]) == IndexRange{3, 6}));
}

BOOST_AUTO_TEST_CASE(erasing_messages_shrinks_the_range_that_held_them) {
  struct Case {
    const char* name;
    std::size_t erased;
    Positions left;
  };
  const Case cases[] = {
      {"the first of an entry", 0, {{0, 2}, {2, 5}}},
      {"one inside", 1, {{0, 2}, {2, 5}}},
      {"the last of an entry", 2, {{0, 2}, {2, 5}}},
      {"of the next entry", 3, {{0, 3}, {3, 5}}},
      {"one that is not covered", 6, {{0, 3}, {3, 6}}},
  };
  for (const Case& c : cases) {
    BOOST_TEST_CONTEXT(c.name) {
      Timeline timeline = MakeTimeline(std::vector<Message>(8, Line(1)));
      SceneMemory memory;
      memory.base.push_back(BaseEntry(memory, timeline, 0, 3));
      memory.base.push_back(BaseEntry(memory, timeline, 3, 6));
      BeforeErase(timeline, c.erased, memory);
      timeline.Erase(c.erased);
      BOOST_TEST((RangesOf(timeline, memory) == c.left));
      BOOST_TEST(memory.base[c.erased / 3 % 2].out_of_sync == (c.erased < 6));
      BOOST_TEST(FirstUncovered(timeline, memory) == c.left.back().second);
    }
  }
}

BOOST_AUTO_TEST_CASE(an_entry_outlives_all_its_messages) {
  Timeline timeline = MakeTimeline(std::vector<Message>(5, Line(1)));
  SceneMemory memory;
  memory.base.push_back(BaseEntry(memory, timeline, 0, 2));
  memory.base.push_back(BaseEntry(memory, timeline, 2, 4));
  for (int i = 0; i < 4; ++i) {
    BeforeErase(timeline, 0, memory);
    timeline.Erase(0);
  }
  BOOST_TEST(memory.base.size() == 2u);
  BOOST_TEST(!memory.base[1].has_sources());
  BOOST_TEST(MessageRange(timeline, memory.base[1]).size() == 0u);
  BOOST_TEST(FirstUncovered(timeline, memory) == 0u);
}

BOOST_AUTO_TEST_CASE(an_entry_without_messages_happened_when_the_one_before_did) {
  Timeline timeline =
      MakeTimeline({Line(1), Passage(24), Line(1), Passage(24), Line(1)});
  SceneMemory memory;
  memory.base.push_back(BaseEntry(memory, timeline, 0, 1));
  memory.base.push_back(BaseEntry(memory, timeline, 2, 3));
  Restamp(timeline, memory);
  BOOST_TEST(memory.base[1].ts.seconds == 24 * 3600);
  for (const std::size_t erased : {2, 1, 1}) {  // its message, and both passages
    BeforeErase(timeline, erased, memory);
    timeline.Erase(erased);
    Restamp(timeline, memory);
  }
  BOOST_TEST(memory.base[1].ts.seconds == 0);
  BOOST_TEST(timeline.clock().seconds == 0);
}

BOOST_AUTO_TEST_CASE(an_edit_marks_the_entry_and_what_was_made_from_it) {
  LayeredScene scene;
  OnMessageChanged(scene.timeline, 7, scene.memory);  // of A2, in L0-1, in L1-0

  std::vector<EntryPlace> marked;
  for (std::size_t layer = 0; layer <= 2; ++layer) {
    for (std::size_t i = 0; i < ListOf(scene.memory, layer).size(); ++i) {
      if (EntryAt(scene.memory, {layer, i}).out_of_sync) marked.push_back({layer, i});
    }
  }
  BOOST_TEST((marked == std::vector<EntryPlace>{{0, 2}, {1, 1}, {2, 0}}));
}

BOOST_AUTO_TEST_CASE(a_message_that_tells_nothing_marks_nothing) {
  Timeline timeline = MakeTimeline({Line(1), Direction(1), Line(1), Line(1)});
  SceneMemory memory;
  memory.base.push_back(BaseEntry(memory, timeline, 0, 3));
  OnMessageChanged(timeline, 1, memory);
  BOOST_TEST(!memory.base[0].out_of_sync);
}

BOOST_AUTO_TEST_CASE(an_entry_happened_before_the_passage_that_closed_it) {
  Timeline timeline = MakeTimeline({Line(1), Line(1), Passage(2), Line(1), Line(1)});
  SceneMemory memory;
  memory.base.push_back(BaseEntry(memory, timeline, 0, 2));
  memory.base.push_back(BaseEntry(memory, timeline, 3, 4));
  memory.layers.resize(1);
  memory.layers[0].push_back(LayerEntry(memory, 1, 0, 2));
  Restamp(timeline, memory);
  BOOST_TEST(memory.base[0].ts.seconds == 0);
  BOOST_TEST(memory.base[1].ts.seconds == 2 * 3600);
  BOOST_TEST(memory.layers[0][0].ts.seconds == 0);
  BOOST_TEST(memory.layers[0][0].ts_end.seconds == 2 * 3600);
}

BOOST_AUTO_TEST_CASE(presence_of_a_layer_is_the_union) {
  std::vector<MemoryEntry> sources(2);
  sources[0].present = PresentSet{"Alice", "Bob"};
  sources[1].present = PresentSet{"Bob", "Carol"};
  BOOST_TEST((UnionOfPresence(sources) == PresentSet{"Alice", "Bob", "Carol"}));
  sources[1].present.reset();
  BOOST_TEST(!UnionOfPresence(sources).has_value());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(scene_backstory)

constexpr std::int64_t kDay = 86400;

std::vector<std::int64_t> DaysOfBackstory(const SceneMemory& memory) {
  std::vector<std::int64_t> days;
  for (std::size_t i = 0; i < StaticCount(memory); ++i) {
    days.push_back(memory.base[i].ts.seconds / kDay);
  }
  return days;
}

using Days = std::vector<std::int64_t>;

BOOST_AUTO_TEST_CASE(the_first_entry_lands_on_zero_and_moves_the_clock) {
  Timeline timeline;
  SceneMemory memory;
  AddBackstory(timeline, memory, "The war ended.", {10 * kDay});
  BOOST_TEST((DaysOfBackstory(memory) == Days{0}));
  BOOST_TEST(timeline.clock().seconds == 10 * kDay);
}

BOOST_AUTO_TEST_CASE(entries_stay_in_order_and_the_oldest_moves_the_story) {
  Timeline timeline;
  SceneMemory memory;
  AddBackstory(timeline, memory, "b", {10 * kDay});
  AddBackstory(timeline, memory, "c", {4 * kDay});
  AddBackstory(timeline, memory, "a", {15 * kDay});
  BOOST_TEST((DaysOfBackstory(memory) == Days{0, 5, 11}));
  BOOST_TEST(timeline.clock().seconds == 15 * kDay);
  BOOST_TEST(memory.base[0].text == "a");
}

BOOST_AUTO_TEST_CASE(what_is_not_older_than_the_first_summary_is_refused) {
  Timeline timeline = MakeTimeline({Passage(24), Line(1), Line(1), Passage(24)});
  SceneMemory memory;
  memory.base.push_back(BaseEntry(memory, timeline, 1, 2));
  Restamp(timeline, memory);
  for (const std::int64_t ago : {std::int64_t{0}, kDay}) {
    BOOST_TEST((CodeOf([&] { AddBackstory(timeline, memory, "late", {ago}); }) ==
                ErrorCode::InvalidArgument));
  }
  BOOST_TEST(memory.base.size() == 1u);
  AddBackstory(timeline, memory, "early", {kDay + 1});
  BOOST_TEST(memory.base.size() == 2u);
  BOOST_TEST(memory.base[0].is_static);
}

BOOST_AUTO_TEST_CASE(what_is_not_older_than_the_first_message_is_refused) {
  Timeline timeline = MakeTimeline({Passage(24), Line(1), Passage(24)});
  SceneMemory memory;
  for (const std::int64_t ago : {std::int64_t{0}, kDay}) {
    BOOST_TEST((CodeOf([&] { AddBackstory(timeline, memory, "late", {ago}); }) ==
                ErrorCode::InvalidArgument));
  }
  AddBackstory(timeline, memory, "early", {kDay + 1});
  BOOST_TEST(memory.base.size() == 1u);
}

BOOST_AUTO_TEST_CASE(removing_the_oldest_moves_the_story_back) {
  Timeline timeline;
  SceneMemory memory;
  const EntryId first = AddBackstory(timeline, memory, "a", {10 * kDay});
  const EntryId second = AddBackstory(timeline, memory, "b", {4 * kDay});
  RemoveBackstory(timeline, memory, *PlaceOf(memory, first));
  BOOST_TEST((DaysOfBackstory(memory) == Days{0}));
  BOOST_TEST(timeline.clock().seconds == 4 * kDay);
  RemoveBackstory(timeline, memory, *PlaceOf(memory, second));
  BOOST_TEST(timeline.clock().seconds == 0);
}

BOOST_AUTO_TEST_CASE(a_summary_is_no_backstory) {
  LayeredScene scene;
  for (const EntryPlace place : {EntryPlace{0, 0}, EntryPlace{1, 0}}) {
    BOOST_TEST((CodeOf([&] { RemoveBackstory(scene.timeline, scene.memory, place); }) ==
                ErrorCode::InvalidArgument));
  }
  BOOST_TEST(scene.memory.base.size() == 8u);
}

BOOST_AUTO_TEST_CASE(a_shift_by_nothing_changes_nothing) {
  LayeredScene scene;
  const SceneMemory before = scene.memory;
  const std::uint64_t version = scene.timeline.version();
  ShiftStory(scene.timeline, scene.memory, {});
  BOOST_TEST((scene.memory == before));
  BOOST_TEST(scene.timeline.version() == version);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(scene_format)

Message Make(MessageKind kind, std::string text, std::string speaker = "",
             std::string source = "") {
  Message message;
  message.kind = kind;
  message.text = std::move(text);
  message.speaker = std::move(speaker);
  message.source = std::move(source);
  return message;
}

BOOST_AUTO_TEST_CASE(each_kind_reads_as_its_format_says) {
  struct Case {
    const char* name;
    Message message;
    const char* screenplay;
    const char* chat;
    const char* narrative;
  };
  const Case cases[] = {
      {"character", Make(MessageKind::Character, "hi", "Bob"),
       "\nBOB\nhi\nEND-OF-LINE\n", "Bob: hi", "hi"},
      {"name beyond ASCII", Make(MessageKind::Character, "hi", "Zoë Ødegård"),
       "\nZOË ØDEGÅRD\nhi\nEND-OF-LINE\n", "Zoë Ødegård: hi", "hi"},
      {"no speaker", Make(MessageKind::Character, " hi "), "hi", "hi", "hi"},
      {"narrator", Make(MessageKind::Narrator, " It rains. "), " It rains. \n",
       " It rains. ", "It rains."},
      {"time", Make(MessageKind::Time, "A day later."), "A day later.\n",
       "A day later.", "A day later."},
      {"director", Make(MessageKind::Director, "leave", "Bob"),
       "(Bob's next action: leave)", "# (Bob's next action: leave)",
       "(Bob's next action: leave)"},
      {"empty director", Make(MessageKind::Director, "  ", "Bob"), "", "", ""},
      {"reinforcement", Make(MessageKind::Reinforcement, "calm", "Bob", "Mood"),
       "(Mood: calm)", "calm", "(Mood: calm)"},
      {"investigation", Make(MessageKind::ContextInvestigation, "He is a spy."),
       "(He is a spy.)", "He is a spy.", "(He is a spy.)"},
  };
  for (const Case& c : cases) {
    BOOST_TEST_CONTEXT(c.name) {
      BOOST_TEST(FormatMessage(c.message, SceneFormat::Screenplay) == c.screenplay);
      BOOST_TEST(FormatMessage(c.message, SceneFormat::Chat) == c.chat);
      BOOST_TEST(FormatMessage(c.message, SceneFormat::Narrative) == c.narrative);
      BOOST_TEST(FormatMessage(c.message, SceneFormat::AiAware) == c.screenplay);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_direction_can_be_a_thought) {
  const Message message = Make(
      MessageKind::Director, "hide yourself; you lost your sword. Young yours", "Bob");
  BOOST_TEST(
      FormatMessage(message, SceneFormat::Narrative, DirectorMode::InnerMonologue) ==
      "(Bob thinks: I should hide myself; i lost my sword. Young yours)");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace talefold
