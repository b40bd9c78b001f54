#include "tools/tool_grammar.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <set>
#include <string>

#include "example_tools.h"
#include "gbnf_walker.h"
#include "tools/tool_call_parser.h"

using namespace talefold;

namespace {

constexpr ToolCallFormat kAllFormats[] = {
    ToolCallFormat::Chatml, ToolCallFormat::Llama3, ToolCallFormat::Mistral,
    ToolCallFormat::Generic};
constexpr int kWalks = 2000;

}  // namespace

BOOST_AUTO_TEST_SUITE(tool_grammar)

BOOST_AUTO_TEST_CASE(every_text_of_the_grammar_is_a_valid_call) {
  const ToolSet tools(InnTools());
  for (const ToolCallFormat kind : kAllFormats) {
    const ToolFormat& format = GetToolFormat(kind);
    GbnfWalker walker(ToolGrammar(tools, format), 7);
    std::set<std::string> shapes;  // names of tools and arguments
    for (int i = 0; i < kWalks; ++i) {
      const std::string text = walker.Walk();
      BOOST_TEST_CONTEXT(format.name << ": " << text) {
        const ParsedReply reply = ParseToolCalls(text, format, tools);
        BOOST_REQUIRE(reply.problems.empty());
        BOOST_REQUIRE(!reply.calls.empty());
        BOOST_REQUIRE(reply.calls.size() <= 4U);
        BOOST_REQUIRE_EQUAL(reply.prose, "");
        for (const ToolCall& call : reply.calls) {
          std::string shape = call.name;
          const json::value arguments = json::parse(call.arguments);
          for (const auto& argument : arguments.get_object()) {
            shape.append(" ").append(argument.key());
          }
          shapes.insert(shape);
        }
      }
    }
    // open_door with 1 optional argument, pour with 4, ring-bell with none.
    BOOST_TEST(shapes.size() == 2U + 16U + 1U);
  }
}

BOOST_AUTO_TEST_CASE(with_prose_allowed_a_reply_is_calls_or_plain_text) {
  const ToolSet tools(InnTools());
  for (const ToolCallFormat kind : kAllFormats) {
    const ToolFormat& format = GetToolFormat(kind);
    GbnfWalker walker(ToolGrammar(tools, format, {.allow_prose = true}), 7);
    int with_calls = 0;
    for (int i = 0; i < kWalks; ++i) {
      const std::string text = walker.Walk();
      BOOST_TEST_CONTEXT(format.name << ": " << text) {
        const ParsedReply reply = ParseToolCalls(text, format, tools);
        BOOST_REQUIRE(reply.problems.empty());
        BOOST_REQUIRE(reply.calls.empty() || reply.prose.empty());
        with_calls += reply.calls.empty() ? 0 : 1;
      }
    }
    BOOST_TEST(with_calls > kWalks / 4);
    BOOST_TEST(with_calls < kWalks * 3 / 4);
  }
}

BOOST_AUTO_TEST_CASE(calls_and_strings_are_as_many_and_as_long_as_allowed) {
  std::vector<ToolDescription> tell = {
      {.name = "tell", .parameters = {{.name = "text", .required = true}}}};
  const ToolSet tools(tell);
  const ToolFormat& format = GetToolFormat(ToolCallFormat::Generic);
  GbnfWalker walker(ToolGrammar(tools, format, {.max_calls = 1, .max_string_chars = 3}),
                    7);
  std::size_t longest = 0;
  for (int i = 0; i < 200; ++i) {
    const ParsedReply reply = ParseToolCalls(walker.Walk(), format, tools);
    BOOST_REQUIRE_EQUAL(reply.calls.size(), 1U);
    const json::value arguments = json::parse(reply.calls[0].arguments);
    std::size_t length = 0;  // code points
    for (const char c : arguments.at("text").get_string()) {
      length += (static_cast<unsigned char>(c) & 0xC0) != 0x80 ? 1 : 0;
    }
    longest = std::max(longest, length);
  }
  BOOST_TEST(longest == 3U);
}

BOOST_AUTO_TEST_CASE(the_grammar_of_one_tool_reads_as_written_here) {
  std::vector<ToolDescription> tools = {InnTools()[0]};

  const std::string grammar =
      ToolGrammar(ToolSet(tools), GetToolFormat(ToolCallFormat::Chatml),
                  {.allow_prose = true, .max_calls = 2, .max_string_chars = 9});

  BOOST_TEST(
      grammar.substr(0, grammar.find("char ::=")) ==
      R"gbnf(root ::= "<tool_call>" nl call nl "</tool_call>" (nl "<tool_call>" nl call nl "</tool_call>" ){0,1} | prose
call ::= tool-0 
tool-0-first-1 ::= "\"keep_open\":" sp boolean sp | ""
tool-0-next-1 ::= "," sp "\"keep_open\":" sp boolean sp | ""
tool-0-first-0 ::= "\"door\":" sp ("\"cellar\"" | "\"front \\\"gate\\\"\"") sp tool-0-next-1 
tool-0-next-0 ::= "," sp "\"door\":" sp ("\"cellar\"" | "\"front \\\"gate\\\"\"") sp tool-0-next-1 
tool-0 ::= "{" sp "\"name\":" sp "\"open_door\"" sp "," sp "\"arguments\":" sp "{" sp tool-0-first-0 "}" sp "}"
prose ::= [^\x00<{]+
string ::= "\"" char{0,9} "\""
)gbnf");
}

BOOST_AUTO_TEST_SUITE_END()
