#include "prompt/reasoning.h"

#include <boost/test/unit_test.hpp>
#include <random>
#include <string>
#include <vector>

#include "inference/reasoning_tags.h"

using namespace talefold;

namespace {

const ReasoningTags kThink{"<think>", "</think>"};

struct Split {
  std::string visible, reasoning;
};

Split Filter(const std::vector<std::string>& pieces, const ReasoningTags& tags) {
  ReasoningFilter filter(tags);
  std::string visible;
  for (const std::string& piece : pieces) visible += filter.Add(piece);
  visible += filter.Finish();
  return {visible, filter.reasoning()};
}

struct Case {
  std::string reply, visible, reasoning;
  bool opened_by_prompt = false;
};

const std::vector<Case> kCases = {
    {"", "", ""},
    {"  Aye.\n", "  Aye.\n", ""},
    {"\n ", "\n ", ""},
    {"<think>Who asks?</think>Aye.", "Aye.", "Who asks?"},
    {"\n<think>\nWho asks?\n</think>\n\nAye.\n", "Aye.\n", "Who asks?"},
    {"<think></think>  Aye.", "Aye.", ""},
    {"<think>a</think> <think>b</think> Aye.", "Aye.", "a\nb"},
    {"Aye. <think>Or nay?</think> Nay.", "Aye. Nay.", "Or nay?"},
    {"<think>Who", "", "Who"},
    {"<think>a < b </thin </think>Aye.", "Aye.", "a < b </thin"},
    {"<thin ice> <think", "<thin ice> <think", ""},
    {" <thin", " <thin", ""},
    {"a </think> b", "a </think> b", ""},
    {"<<think>x</think>y", "<y", "x"},
    {"Who asks?</think>\nAye.", "Aye.", "Who asks?", true},
    {"Who asks?", "", "Who asks?", true},
};

}  // namespace

BOOST_AUTO_TEST_SUITE(reasoning)

BOOST_AUTO_TEST_CASE(reasoning_is_apart_however_a_reply_is_cut) {
  std::mt19937 random(7);
  for (const Case& each : kCases) {
    BOOST_TEST_CONTEXT(each.reply) {
      const ReasoningTags tags{kThink.open, kThink.close, each.opened_by_prompt};
      for (int run = 0; run < 60; ++run) {
        // Whole, in bytes, then at random.
        const std::size_t longest = run == 0 ? each.reply.size() + 1 : run == 1 ? 1 : 9;
        std::vector<std::string> pieces;
        for (std::size_t at = 0; at < each.reply.size(); at += pieces.back().size()) {
          const std::size_t size = run == 0 ? longest : 1 + random() % longest;
          pieces.push_back(each.reply.substr(at, size));
        }
        const Split split = Filter(pieces, tags);
        BOOST_REQUIRE_EQUAL(split.visible, each.visible);
        BOOST_REQUIRE_EQUAL(split.reasoning, each.reasoning);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(text_without_a_tag_is_shown_at_once) {
  ReasoningFilter filter(kThink);
  BOOST_TEST(filter.Add("Aye, ") == "Aye, ");
  BOOST_TEST(filter.Add("friend. <t") == "friend. ");
  BOOST_TEST(filter.Add("ap>") == "<tap>");
}

BOOST_AUTO_TEST_CASE(a_whole_text_is_stripped_alike) {
  for (const Case& each : kCases) {
    if (each.opened_by_prompt) continue;
    BOOST_TEST(StripReasoning(each.reply, kThink) == each.visible);
  }
}

BOOST_AUTO_TEST_CASE(a_template_tells_its_tags) {
  const auto tags = FindReasoningTags("{{ c.split('</think>')[-1] }}", "<|user|>Hi");
  BOOST_REQUIRE(tags.has_value());
  BOOST_TEST((*tags == kThink));
  BOOST_TEST(FindReasoningTags("[THINK]..[/THINK]", "x")->open == "[THINK]");
  BOOST_TEST(!FindReasoningTags("<|im_start|>", "<think>").has_value());
}

BOOST_AUTO_TEST_CASE(a_prompt_may_end_inside_the_reasoning) {
  const auto tags = FindReasoningTags("<think></think>", "<|assistant|><think>\n");
  BOOST_TEST(tags->opened_by_prompt);
}

BOOST_AUTO_TEST_SUITE_END()
