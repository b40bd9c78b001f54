// How entries become entries of the layer above, and what is kept of a model's answer.
#include <boost/test/unit_test.hpp>

#include "memory/layer_plan.h"
#include "memory/memory_inspection.h"
#include "memory/summary_reply.h"
#include "runtime_fixture.h"
#include "scene_fixture.h"

namespace talefold {
namespace {

using Ranges = std::vector<IndexRange>;
using Sizes = std::vector<std::size_t>;
using Texts = std::vector<std::string>;

BOOST_AUTO_TEST_SUITE(scene_layer_plan)

BOOST_AUTO_TEST_CASE(groups_have_two_entries_and_the_threshold) {
  struct Case {
    const char* name;
    Sizes tokens;
    std::size_t start;
    Ranges groups;
  };
  const Case cases[] = {
      {"nothing", {}, 0, {}},
      {"six of 55", Sizes(6, 55), 0, {{0, 2}, {2, 4}, {4, 6}}},
      {"two of 40 wait", Sizes(2, 40), 0, {}},
      {"four of 40", Sizes(4, 40), 0, {{0, 2}}},
      {"three of 55", Sizes(3, 55), 0, {{0, 2}}},
      {"three of 55, then one more", Sizes(4, 55), 2, {{2, 4}}},
      {"a large one takes in the next", {120, 30, 30}, 0, {{0, 2}}},
      {"a large one alone waits", {120}, 0, {}},
      {"two large ones", {120, 120}, 0, {{0, 2}}},
      {"exactly the threshold", {50, 50}, 0, {{0, 2}}},
      {"read on in the middle", {500, 500, 60, 60}, 2, {{2, 4}}},
      {"nothing after the start", {60, 60}, 2, {}},
  };
  for (const Case& c : cases) {
    BOOST_TEST_CONTEXT(c.name) {
      BOOST_TEST((PlanGroups(c.tokens, c.start, 100) == c.groups));
    }
  }
}

BOOST_AUTO_TEST_CASE(entries_that_come_one_by_one_never_make_a_group_of_one) {
  Sizes tokens;
  std::size_t start = 0;
  for (std::size_t i = 0; i < 200; ++i) {
    tokens.push_back((i * 37) % 130 + 1);
    for (const IndexRange group : PlanGroups(tokens, start, 100)) {
      BOOST_TEST(group.size() >= 2u);
      BOOST_TEST(group.begin == start);
      start = group.end;
    }
  }
  BOOST_TEST(start > 150u);
}

BOOST_AUTO_TEST_CASE(a_group_is_split_into_parts_of_about_the_given_size) {
  BOOST_TEST((SplitGroup(Sizes(12, 40), 50) ==
              Ranges{{0, 2}, {2, 4}, {4, 6}, {6, 8}, {8, 10}, {10, 12}}));
  BOOST_TEST((SplitGroup(Sizes(3, 300), 768) == Ranges{{0, 3}}));
  BOOST_TEST((SplitGroup(Sizes(3, 300), 300) == Ranges{{0, 1}, {1, 2}, {2, 3}}));
  BOOST_TEST((SplitGroup(Sizes{900, 10, 10}, 100) == Ranges{{0, 1}, {1, 3}}));
}

BOOST_AUTO_TEST_CASE(chunks_break_at_lines) {
  BOOST_TEST((SplitChunks("aaaa\nbbbb\ncccc", 11) == Texts{"aaaa\nbbbb", "cccc"}));
  BOOST_TEST((SplitChunks("\n\n  \naaaa", 11) == Texts{"aaaa"}));
  BOOST_TEST((SplitChunks("aaaa\n\nbbbb", 100) == Texts{"aaaa\n\nbbbb"}));
  BOOST_TEST((SplitChunks("aaaaaaaaaaaaaaaa\nb", 8) == Texts{"aaaaaaaaaaaaaaaa", "b"}));
  BOOST_TEST((SplitChunks("ääää\nöööö", 11) == Texts{"ääää\nöööö"}));
  BOOST_TEST(SplitChunks("\n \n", 8).empty());
}

BOOST_AUTO_TEST_CASE(every_line_is_in_exactly_one_chunk) {
  std::string text;
  for (int i = 0; i < 60; ++i) {
    text += std::string(static_cast<std::size_t>(i % 17), 'a') + std::to_string(i) +
            (i % 5 == 0 ? "\n\n" : "\n");
  }
  std::string joined;
  for (const std::string& chunk : SplitChunks(text, 64)) {
    BOOST_TEST(chunk.size() <= 64u);
    joined += chunk + "\n";
  }
  std::erase(text, '\n');
  std::erase(joined, '\n');
  BOOST_TEST(joined == text);
}

BOOST_AUTO_TEST_CASE(a_layer_reads_on_where_its_newest_entry_ends) {
  LayeredScene scene;
  BOOST_TEST(NextSource(scene.memory, 1) == 8u);
  scene.memory.layers[0].pop_back();
  scene.memory.layers[1].clear();
  BOOST_TEST(NextSource(scene.memory, 1) == 6u);
  BOOST_TEST(NextSource(scene.memory, 2) == 0u);
  scene.memory.layers[0].clear();
  scene.memory.base.front().is_static = true;
  BOOST_TEST(NextSource(scene.memory, 1) == 1u);
}

BOOST_AUTO_TEST_CASE(an_entry_of_a_layer_takes_after_its_sources) {
  LayeredScene scene;
  EntryList& base = scene.memory.base;
  base[2].ts = base[2].ts_start = {10};
  base[3].ts_end = {30};
  base[3].present = PresentSet{"Carol"};
  base[3].out_of_sync = true;
  const MemoryEntry entry = MakeLayerEntry(scene.memory, 1, {2, 4}, "text");
  BOOST_TEST(entry.first == base[2].id);
  BOOST_TEST(entry.last == base[3].id);
  BOOST_TEST(entry.ts.seconds == 10);
  BOOST_TEST(entry.ts_start.seconds == 10);
  BOOST_TEST(entry.ts_end.seconds == 30);
  BOOST_TEST((entry.present == PresentSet{"Alice", "Bob", "Carol"}));
  BOOST_TEST(entry.out_of_sync);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(scene_summary_reply)

BOOST_AUTO_TEST_CASE(the_summary_is_what_follows_the_marker) {
  struct Case {
    const char* reply;
    const char* text;  // nullptr = no marker
  };
  const Case cases[] = {
      {"ANALYSIS: much.\nSUMMARY: He left.", "He left."},
      {"analysis\nsummary:\nHe left.", "He left."},
      {"## SUMMARY\nHe left.", "\nHe left."},
      {"**Summary:** He left.", "He left."},
      {"**Summary**: *He leaves.*", "*He leaves.*"},
      {"SUMMARY: *He leaves.*", "*He leaves.*"},
      {"ANALYSIS: x SUMMARY: He left.", "He left."},
      {"SUMMARY:", ""},
      {"The summary: short.\nSUMMARY: He left.", "He left."},
      {"The summary: short.", "short."},
      {"He left.", nullptr},
      {"In summary he left.", nullptr},
      {"Summary of it all.", nullptr},
      {"MYSUMMARY: no", nullptr},
      {"", nullptr},
  };
  for (const Case& c : cases) {
    BOOST_TEST_CONTEXT(c.reply) {
      const auto text = AfterSummaryMarker(c.reply);
      BOOST_TEST(text.has_value() == (c.text != nullptr));
      if (text && c.text) BOOST_TEST(*text == c.text);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_summary_is_cleaned) {
  struct Case {
    const char* text;
    const char* stored;
  };
  const Case cases[] = {
      {"he left. # note", "He left."},
      {"She won. And then he", "She won."},
      {"  she won!  ", "She won!"},
      {"éva won.", "Éva won."},
      {"He said \"go\"", "He said \"go\""},
      {"He said. \"go", "He said."},
      {"She left (at last)", "She left (at last)"},
      {"She left. (at last", "She left."},
      {"*She sighs*", "*She sighs*"},
      {"no sentence at all", "No sentence at all"},
      {"1. He came.\n2. She left.", "1. He came.\n2. She left."},
      {"1. He came.\n2.", "1. He came."},
      {"# only a remark", ""},
      {".", ""},
      {"```", ""},
      {"\x01\x02", ""},
      {"\u200b", ""},
      {" \n ", ""},
      {"", ""},
  };
  for (const Case& c : cases) {
    BOOST_TEST_CONTEXT(c.text) { BOOST_TEST(CleanSummary(c.text) == c.stored); }
  }
}

constexpr const char* kFirst = "Bob came to the inn at night.";
constexpr const char* kSecond = "Alice gave him the letter of the king.";

BOOST_AUTO_TEST_CASE(short_lines_and_analysis_go_and_blank_lines_stay) {
  const std::string reply =
      std::string("ANALYSIS OF CHUNK 1: Bob arrives somewhere.\n") + "CHUNK 1: \"" +
      kFirst + "\"\nno content\n\n" + "Chapter 2: " + kSecond;
  BOOST_TEST(CleanChunkLines(reply, true) == std::string(kFirst) + "\n\n" + kSecond);
  BOOST_TEST(CleanChunkLines("Nineteen characters", false) == "");
  BOOST_TEST(CleanChunkLines("Twenty characters at.", false) ==
             "Twenty characters at.");
}

BOOST_AUTO_TEST_CASE(analysis_is_text_when_none_was_asked_for) {
  BOOST_TEST(CleanChunkLines("Analysis of the crime filled the evening.", false) ==
             "Analysis of the crime filled the evening.");
}

BOOST_AUTO_TEST_CASE(each_chunk_gets_its_answer) {
  struct Case {
    const char* name;
    std::string reply;
    std::size_t first;
    Texts answers;
  };
  const std::string one = kFirst, two = kSecond;
  const Case cases[] = {
      {"numbered", "CHUNK 1: " + one + "\nCHUNK 2: " + two, 1, {one, two}},
      {"over several lines",
       "CHUNK 1: " + one + "\n" + two + "\nCHUNK 2: " + two,
       1,
       {one + "\n" + two, two}},
      {"numbered from four", "CHUNK 4: " + one + "\nCHUNK 5: " + two, 4, {one, two}},
      {"with analysis",
       "ANALYSIS OF CHUNK 1: a\nSUMMARY OF CHUNK 1: " + one,
       1,
       {one, ""}},
      {"the second is missing", "CHUNK 1: " + one, 1, {one, ""}},
      {"the first is missing", "CHUNK 2: " + two, 1, {"", two}},
      {"numbers of others", "CHUNK 9: " + two + "\nCHUNK 0: " + one, 1, {"", ""}},
      {"without numbers", one + "\n\n" + two, 1, {one, two}},
      {"more lines than chunks",
       one + "\n" + two + "\n" + one,
       1,
       {one, two + "\n" + one}},
      {"nothing", "", 1, {"", ""}},
  };
  for (const Case& c : cases) {
    BOOST_TEST_CONTEXT(c.name) {
      BOOST_TEST((ReadChunkAnswers(c.reply, c.first, 2, true) == c.answers));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(scene_inspection)

LayerStatistics Statistics(const LayeredScene& scene, std::size_t layer) {
  return CompressionOf(
      scene.timeline, scene.memory, layer,
      [](const Message& message) { return message.text.size(); }, Chars);
}

BOOST_AUTO_TEST_CASE(each_layer_is_measured_against_the_one_below) {
  struct Case {
    std::size_t layer, source_count, source_tokens, count, tokens;
    int reduction_percent;
  };
  const Case cases[] = {
      {0, 24, 2400, 8, 1600, 33},
      {1, 8, 1600, 4, 1200, 25},
      {2, 4, 1200, 2, 300, 75},
  };
  const LayeredScene scene;
  for (const Case& c : cases) {
    BOOST_TEST_CONTEXT("layer " << c.layer) {
      const LayerStatistics statistics = Statistics(scene, c.layer);
      BOOST_TEST(statistics.source_count == c.source_count);
      BOOST_TEST(statistics.source_tokens == c.source_tokens);
      BOOST_TEST(statistics.count == c.count);
      BOOST_TEST(statistics.tokens == c.tokens);
      BOOST_TEST(statistics.reduction_percent == c.reduction_percent);
    }
  }
  BOOST_TEST((CodeOf([&] { Statistics(scene, 3); }) == ErrorCode::InvalidArgument));
}

BOOST_AUTO_TEST_CASE(backstory_counts_on_neither_side) {
  LayeredScene scene;
  const LayerStatistics before = Statistics(scene, 0);
  MemoryEntry backstory;
  backstory.id = 99;
  backstory.text = std::string(5000, 's');
  backstory.is_static = true;
  scene.memory.base.insert(scene.memory.base.begin(), backstory);
  BOOST_TEST(Statistics(scene, 0).tokens == before.tokens);
  BOOST_TEST(Statistics(scene, 0).count == before.count);
}

BOOST_AUTO_TEST_CASE(the_reduction_is_a_rounded_percentage) {
  BOOST_TEST(ReductionPercent(1000, 250) == 75);
  BOOST_TEST(ReductionPercent(0, 0) == 0);
  BOOST_TEST(ReductionPercent(0, 50) == 0);
  BOOST_TEST(ReductionPercent(3, 2) == 33);
  BOOST_TEST(ReductionPercent(100, 150) == -50);
}

BOOST_AUTO_TEST_CASE(the_sources_of_a_base_entry_are_the_messages_that_tell_the_story) {
  Timeline timeline = MakeTimeline({Line(1), Direction(1), Line(1), Line(1)});
  SceneMemory memory;
  memory.base.push_back(BaseEntry(memory, timeline, 0, 3));
  BOOST_TEST((SourceMessages(timeline, memory.base[0]) == Sizes{0, 2}));
  BOOST_TEST(SourceMessages(timeline, MemoryEntry{}).empty());
}

BOOST_AUTO_TEST_CASE(a_layer_is_made_from_the_list_right_below_it) {
  const LayeredScene scene;
  BOOST_TEST((SourceRange(scene.memory, {1, 1}) == IndexRange{2, 4}));
  BOOST_TEST((SourceRange(scene.memory, {2, 1}) == IndexRange{2, 4}));
  BOOST_TEST((BaseRange(scene.memory, {2, 1}) == IndexRange{4, 8}));
  BOOST_TEST((BaseRange(scene.memory, {0, 5}) == IndexRange{5, 6}));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace talefold
