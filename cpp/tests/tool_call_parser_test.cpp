#include "tools/tool_call_parser.h"

#include <boost/test/unit_test.hpp>
#include <random>
#include <string>
#include <vector>

#include "example_tools.h"

using namespace talefold;

namespace {

using Kind = ToolCallProblemKind;

constexpr ToolCallFormat kAllFormats[] = {
    ToolCallFormat::Chatml, ToolCallFormat::Llama3, ToolCallFormat::Mistral,
    ToolCallFormat::Generic};

ParsedReply Parse(std::string_view reply,
                  ToolCallFormat format = ToolCallFormat::Generic) {
  static const ToolSet tools(InnTools());
  return ParseToolCalls(reply, GetToolFormat(format), tools);
}

std::string Repeat(std::string_view text, std::size_t count) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all += text;
  return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(tool_call_parser)

BOOST_AUTO_TEST_CASE(calls_and_prose_are_told_apart) {
  using enum ToolCallFormat;
  const struct {
    ToolCallFormat format;
    const char* what;
    const char* reply;
    std::vector<std::string> calls;  // names
    const char* prose;
  } rows[] = {
      {Chatml, "prose", " Good evening, friend. ", {}, "Good evening, friend."},
      {Chatml, "nothing", "", {}, ""},
      {Chatml,
       "one call",
       "<tool_call>\n{\"name\": \"ring-bell\", \"arguments\": {}}\n</tool_call>",
       {"ring-bell"},
       ""},
      {Chatml,
       "prose around it",
       "Wait.\n<tool_call>{\"name\": \"ring-bell\"}</tool_call>\nThere.",
       {"ring-bell"},
       "Wait.\nThere."},
      {Chatml,
       "two calls",
       "<tool_call>{\"name\": \"ring-bell\"}</tool_call>\n<tool_call>\n{\"name\": "
       "\"open_door\", \"arguments\": {\"door\": \"cellar\"}}</tool_call>",
       {"ring-bell", "open_door"},
       ""},
      {Chatml,
       "no end marker",
       "<tool_call>\n{\"name\": \"ring-bell\"}",
       {"ring-bell"},
       ""},
      {Chatml,
       "markers left out as control tokens",
       "\n{\"name\": \"ring-bell\"}\n\n{\"name\": \"ring-bell\"}\n",
       {"ring-bell", "ring-bell"},
       ""},
      {Chatml,
       "JSON within prose is prose",
       "He wrote {\"name\": \"ring-bell\"}.",
       {},
       "He wrote {\"name\": \"ring-bell\"}."},
      {Chatml,
       "other JSON is prose",
       "{\"mood\": \"merry\"}",
       {},
       "{\"mood\": \"merry\"}"},
      {Chatml,
       "a marker inside a string",
       "<tool_call>{\"name\": \"pour\", \"arguments\": {\"cups\": 1, \"note\": "
       "\"</tool_call>}\"}}</tool_call>",
       {"pour"},
       ""},
      {Llama3,
       "bare",
       "{\"name\": \"ring-bell\", \"parameters\": {}}",
       {"ring-bell"},
       ""},
      {Llama3,
       "python tag",
       "<|python_tag|>{\"name\": \"ring-bell\", \"parameters\": {}}<|eom_id|>",
       {"ring-bell"},
       ""},
      {Llama3,
       "type first",
       "{\"type\": \"function\", \"name\": \"ring-bell\", \"parameters\": {}}",
       {"ring-bell"},
       ""},
      {Llama3,
       "several",
       "{\"name\": \"ring-bell\"}; {\"name\": \"ring-bell\"}",
       {"ring-bell", "ring-bell"},
       ""},
      {Mistral,
       "array",
       "[TOOL_CALLS] [{\"name\": \"ring-bell\", \"arguments\": {}}, {\"name\": "
       "\"ring-bell\", \"arguments\": {}, \"id\": \"a1b2c3d4e\"}]",
       {"ring-bell", "ring-bell"},
       ""},
      {Mistral,
       "marker left out as a control token",
       " [{\"name\": \"ring-bell\", \"arguments\": {}}]",
       {"ring-bell"},
       ""},
      {Mistral, "an aside is prose", "[sighs] {Aye}", {}, "[sighs] {Aye}"},
      {Generic,
       "within prose",
       "Hm. {\"tool\": \"ring-bell\", \"arguments\": {}} Done.",
       {"ring-bell"},
       "Hm. Done."},
      {Generic,
       "in a code fence",
       "```json\n{\"tool\": \"ring-bell\"}\n```",
       {"ring-bell"},
       "```json\n```"},
      {Generic,
       "arguments first",
       "{\"arguments\": {}, \"tool\": \"ring-bell\"}",
       {"ring-bell"},
       ""},
      {Generic,
       "the keys of another format are prose",
       "{\"name\": \"ring-bell\"}",
       {},
       "{\"name\": \"ring-bell\"}"},
  };
  for (const auto& row : rows) {
    BOOST_TEST_CONTEXT(row.what << ": " << row.reply) {
      const ParsedReply reply = Parse(row.reply, row.format);
      std::vector<std::string> names;
      for (const ToolCall& call : reply.calls) names.push_back(call.name);
      BOOST_TEST(names == row.calls);
      BOOST_TEST(reply.prose == row.prose);
      BOOST_TEST(reply.problems.empty());
    }
  }
}

BOOST_AUTO_TEST_CASE(a_call_keeps_its_arguments_on_one_line_and_its_raw_text) {
  const char* raw =
      "{\"tool\": \"pour\",\n  \"arguments\": {\"note\": \"\\u00e9\\n\", \"cups\": 2}}";

  const ParsedReply reply = Parse(raw);

  BOOST_REQUIRE_EQUAL(reply.calls.size(), 1U);
  BOOST_TEST(reply.calls[0].arguments == "{\"note\": \"\xC3\xA9\\n\", \"cups\": 2}");
  BOOST_TEST(reply.calls[0].raw == raw);
}

BOOST_AUTO_TEST_CASE(a_bad_call_is_reported_with_what_is_wrong_and_what_is_allowed) {
  const struct {
    const char* reply;
    Kind kind;
    const char* message;
  } rows[] = {
      {R"({"tool": "ring-bell")", Kind::Malformed,
       "line 1, column 21: incomplete JSON"},
      {"Hm.\n{\"tool\": \"ring-bell\",}", Kind::Malformed, "line 2, column 22: syntax"},
      {R"({"tool": 5})", Kind::Malformed, "\"tool\" with the tool's name"},
      {R"({"arguments": {}})", Kind::Malformed, "\"tool\" with the tool's name"},
      {R"({"tool": "ring-bell", "loud": true})", Kind::Malformed, "not \"loud\""},
      {R"({"tool": "ring-bell", "arguments": []})", Kind::Malformed, "type array"},
      {R"({"tool": "ring-bell", "arguments": {"a": 1, "a": 2}})", Kind::Malformed,
       "a key occurs twice"},
      {R"({"tool": "ring-bell", "arguments": {"a": 1e999}})", Kind::Malformed,
       "outside the range of a double"},
      {R"({"tool": "ring", "arguments": {}})", Kind::UnknownTool,
       "there is no tool \"ring\"; known are open_door, pour, ring-bell"},
      {R"({"tool": "open_door", "arguments": {}})", Kind::MissingArgument,
       "tool call 1 (open_door): the required argument \"door\" is missing"},
      {R"({"tool": "open_door"})", Kind::MissingArgument, "\"door\" is missing"},
      {R"({"tool": "ring-bell", "arguments": {"times": 3}})", Kind::UnknownArgument,
       "there is no argument \"times\"; known are none"},
      {R"({"tool": "open_door", "arguments": {"door": 3}})", Kind::WrongType,
       "argument \"door\" is 3, of type integer; type string is expected"},
      {R"({"tool": "open_door", "arguments": {"door": null}})", Kind::WrongType,
       "of type null"},
      {R"({"tool": "pour", "arguments": {"cups": 2.0, "note": ""}})", Kind::WrongType,
       "argument \"cups\" is 2.0, of type number; type integer is expected"},
      {R"({"tool": "pour", "arguments": {"cups": 9223372036854775808, "note": ""}})",
       Kind::WrongType, "type integer is expected"},
      {R"({"tool": "pour", "arguments": {"cups": "2", "note": ""}})", Kind::WrongType,
       "of type string; type integer"},
      {R"({"tool": "open_door", "arguments": {"door": "attic"}})", Kind::NotInEnum,
       "argument \"door\" is \"attic\"; allowed are \"cellar\", \"front "
       "\\\"gate\\\"\""},
      {R"({"tool": "pour", "arguments": {"cups": 1, "note": "", "size": 3}})",
       Kind::NotInEnum, "\"size\" is 3; allowed are 1, 2"},
  };
  for (const auto& row : rows) {
    BOOST_TEST_CONTEXT(row.reply) {
      const ParsedReply reply = Parse(row.reply);
      BOOST_TEST(reply.calls.empty());
      BOOST_REQUIRE_EQUAL(reply.problems.size(), 1U);
      BOOST_TEST_MESSAGE(reply.problems[0].message);
      BOOST_CHECK(reply.problems[0].kind == row.kind);
      BOOST_TEST(reply.problems[0].message.find(row.message) != std::string::npos);
    }
  }
}

BOOST_AUTO_TEST_CASE(whole_numbers_are_numbers_and_equal_to_an_enum_value) {
  const ParsedReply reply = Parse(
      R"({"tool": "pour", "arguments": {"cups": 1, "note": "", "price": 3, "strength": 1.0}})");

  BOOST_TEST(reply.calls.size() == 1U);
}

BOOST_AUTO_TEST_CASE(of_several_calls_the_bad_one_is_reported) {
  const std::string good = "<tool_call>{\"name\": \"ring-bell\"}</tool_call>";
  const std::string bad = "<tool_call>{\"name\": \"ring\"}</tool_call>";

  const ParsedReply reply = Parse(good + bad + good, ToolCallFormat::Chatml);

  BOOST_TEST(reply.calls.size() == 2U);
  BOOST_REQUIRE_EQUAL(reply.problems.size(), 1U);
  BOOST_TEST(reply.problems[0].message.starts_with("tool call 2: "));
  BOOST_TEST(reply.problems[0].offset == good.size() + bad.find('{'));
}

BOOST_AUTO_TEST_CASE(a_call_that_breaks_off_does_not_swallow_the_next) {
  const ParsedReply reply = Parse(
      "<tool_call>{\"name\": </tool_call><tool_call>{\"name\": \"ring-bell\"}"
      "</tool_call>",
      ToolCallFormat::Chatml);

  BOOST_TEST(reply.calls.size() == 1U);
  BOOST_TEST(reply.problems.size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_marker_without_an_object_is_a_problem) {
  const ParsedReply reply =
      Parse("<|python_tag|>pour.call(cups=2)", ToolCallFormat::Llama3);

  BOOST_REQUIRE_EQUAL(reply.problems.size(), 1U);
  BOOST_TEST(
      reply.problems[0].message ==
      "tool call 1: line 1, column 15: an object with the tool's name is expected");
}

BOOST_AUTO_TEST_CASE(calls_beyond_the_64th_are_not_looked_at) {
  const ParsedReply reply = Parse(Repeat("{\"tool\": \"ring-bell\"}\n", 10'000));

  BOOST_TEST(reply.calls.size() == 64U);
  BOOST_REQUIRE_EQUAL(reply.problems.size(), 1U);
  BOOST_CHECK(reply.problems[0].kind == Kind::TooManyCalls);
}

BOOST_AUTO_TEST_CASE(hostile_replies_are_read_to_their_end) {
  constexpr std::size_t kSize = 1 << 20;
  const std::string head = R"({"tool": "pour", "name": "pour", "arguments": )";
  const std::string texts[] = {
      Repeat("{", kSize),
      Repeat("[", kSize),
      Repeat("[ ", kSize / 2),
      Repeat("{\"tool\"", kSize / 7),
      Repeat("<tool_call>", kSize / 11),
      Repeat("<tool_call>{</tool_call>", kSize / 24),
      Repeat("[TOOL_CALLS] [", kSize / 14),
      Repeat("\"", kSize),
      Repeat("\\", kSize),
      Repeat("\xFF\xC0\x80", kSize / 3),
      std::string(kSize, '\0'),
      head + Repeat("{\"a\": ", kSize / 6),
      head + Repeat("[", kSize) + Repeat("]", kSize) + "}",
      head + "{\"cups\": " + std::string(kSize, '9') + "}}",
      head + "{\"note\": \"\xED\xA0\x80\"}}",
      head + "{\"note\": \"\\ud800\"}}",
      head + "{\"note\": \"" + std::string(kSize, 'x') + "\"}}",
      head + "{\"note\": \"",
      head + "{\"note\": \"\\",
  };
  for (const ToolCallFormat format : kAllFormats) {
    for (const std::string& text : texts) {
      BOOST_TEST_CONTEXT(GetToolFormat(format).name << ": " << text.substr(0, 60)) {
        const ParsedReply reply = Parse(text, format);
        BOOST_TEST(reply.calls.empty());
        for (const ToolCallProblem& problem : reply.problems) {
          BOOST_TEST(problem.offset <= text.size());
          BOOST_TEST(problem.message.size() < 500U);
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(random_bytes_and_random_damage_do_no_harm) {
  std::mt19937 random(11);
  for (const ToolCallFormat format : kAllFormats) {
    const std::vector<ToolCall> calls = {{"ring-bell", "{}", ""}, {"pour", "{}", ""}};
    const std::string whole =
        GetToolFormat(format).CallMessage(calls).ToChatMessage().text;
    for (int i = 0; i < 2000; ++i) {
      std::string text = whole;
      for (int changes = 0; changes < 3; ++changes) {
        text[random() % text.size()] = static_cast<char>(random());
        text.erase(random() % text.size(), random() % 3);
      }
      BOOST_REQUIRE_NO_THROW(Parse(text, format));
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
