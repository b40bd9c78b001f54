#include "tools/tool_format.h"

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

#include "example_tools.h"
#include "tools/tool_call_parser.h"

using namespace talefold;

namespace {

constexpr ToolCallFormat kAllFormats[] = {
    ToolCallFormat::Chatml, ToolCallFormat::Llama3, ToolCallFormat::Mistral,
    ToolCallFormat::Generic};

std::vector<ToolCall> TwoCalls() {
  return {{"open_door", R"({"door": "cellar"})", ""}, {"ring-bell", "{}", ""}};
}

std::string TextOf(const std::vector<MessagePart>& parts) {
  return ToolMessage{Role::System, parts}.ToChatMessage().text;
}

std::vector<std::string> MarkersOf(const std::vector<MessagePart>& parts) {
  std::vector<std::string> markers;
  for (const MessagePart& part : parts) {
    if (part.is_marker) markers.push_back(part.text);
  }
  return markers;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(tool_format)

BOOST_AUTO_TEST_CASE(the_format_follows_from_the_chat_template) {
  const struct {
    const char* chat_template;
    ToolCallFormat expected;
  } rows[] = {
      {"{% if tools %}<|im_start|>system <tool_call>{% endif %}",
       ToolCallFormat::Chatml},
      {"<|im_start|>{{ m.role }}", ToolCallFormat::Chatml},
      {"chatml", ToolCallFormat::Chatml},
      {"<|start_header_id|>ipython", ToolCallFormat::Llama3},
      {"{{ '<|python_tag|>' }}", ToolCallFormat::Llama3},
      {"llama3", ToolCallFormat::Llama3},
      {"[INST] [AVAILABLE_TOOLS] [TOOL_CALLS]", ToolCallFormat::Mistral},
      {"mistral-v3-tekken", ToolCallFormat::Mistral},
      {"mistral-v1", ToolCallFormat::Generic},
      {"[INST] {{ m.content }} [/INST]", ToolCallFormat::Generic},
      {"", ToolCallFormat::Generic},
  };
  for (const auto& row : rows) {
    BOOST_TEST_CONTEXT(row.chat_template) {
      BOOST_CHECK(DetectToolFormat(row.chat_template) == row.expected);
    }
  }
}

BOOST_AUTO_TEST_CASE(calls_are_projected_as_the_model_writes_them) {
  const struct {
    ToolCallFormat format;
    const char* expected;
  } rows[] = {
      {ToolCallFormat::Chatml,
       "<tool_call>\n{\"name\": \"open_door\", \"arguments\": {\"door\": \"cellar\"}}\n"
       "</tool_call>\n<tool_call>\n{\"name\": \"ring-bell\", \"arguments\": {}}\n"
       "</tool_call>"},
      {ToolCallFormat::Llama3,
       R"({"name": "open_door", "parameters": {"door": "cellar"}}; )"
       R"({"name": "ring-bell", "parameters": {}})"},
      {ToolCallFormat::Mistral,
       R"([TOOL_CALLS] [{"name": "open_door", "arguments": {"door": "cellar"}}, )"
       R"({"name": "ring-bell", "arguments": {}}])"},
      {ToolCallFormat::Generic,
       "{\"tool\": \"open_door\", \"arguments\": {\"door\": \"cellar\"}}\n"
       "{\"tool\": \"ring-bell\", \"arguments\": {}}"},
  };
  for (const auto& row : rows) {
    const ToolFormat& format = GetToolFormat(row.format);
    BOOST_TEST_CONTEXT(format.name) {
      const ToolMessage message = format.CallMessage(TwoCalls());
      BOOST_CHECK(message.role == Role::Assistant);
      BOOST_TEST(message.ToChatMessage().text == row.expected);
    }
  }
}

BOOST_AUTO_TEST_CASE(projected_calls_are_read_back) {
  const ToolSet tools(InnTools());
  for (const ToolCallFormat kind : kAllFormats) {
    const ToolFormat& format = GetToolFormat(kind);
    BOOST_TEST_CONTEXT(format.name) {
      const ParsedReply reply = ParseToolCalls(
          format.CallMessage(TwoCalls()).ToChatMessage().text, format, tools);
      BOOST_REQUIRE_EQUAL(reply.calls.size(), 2U);
      BOOST_TEST(reply.calls[0].arguments == R"({"door": "cellar"})");
      BOOST_TEST(reply.calls[1].name == "ring-bell");
      BOOST_TEST(reply.prose == "");
    }
  }
}

BOOST_AUTO_TEST_CASE(results_are_projected_as_the_user) {
  const struct {
    ToolCallFormat format;
    const char* expected;
  } rows[] = {
      {ToolCallFormat::Chatml,
       "<tool_response>\n{\"name\": \"pour\", \"content\": {\"cups\": 2}}\n"
       "</tool_response>"},
      {ToolCallFormat::Llama3,
       R"(Result of the function call: {"name": "pour", "output": {"cups": 2}})"},
      {ToolCallFormat::Mistral,
       R"([TOOL_RESULTS] {"name": "pour", "content": {"cups": 2}}[/TOOL_RESULTS])"},
      {ToolCallFormat::Generic,
       R"(Result of the tool: {"tool": "pour", "result": {"cups": 2}})"},
  };
  for (const auto& row : rows) {
    const ToolFormat& format = GetToolFormat(row.format);
    BOOST_TEST_CONTEXT(format.name) {
      const ToolMessage message = format.ResultMessage("pour", "{\"cups\":2\n}");
      BOOST_CHECK(message.role == Role::User);
      BOOST_TEST(message.ToChatMessage().text == row.expected);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_result_that_is_no_json_is_refused) {
  BOOST_CHECK_EXCEPTION(
      GetToolFormat(ToolCallFormat::Generic).ResultMessage("pour", "two cups"), Error,
      [](const Error& error) { return error.code() == ErrorCode::InvalidArgument; });
}

BOOST_AUTO_TEST_CASE(markers_are_parts_of_their_own) {
  const ToolFormat& format = GetToolFormat(ToolCallFormat::Chatml);
  const std::vector<MessagePart> expected = {
      {"<tool_call>", true},
      {"\n{\"name\": \"ring-bell\", \"arguments\": {}}\n", false},
      {"</tool_call>", true},
  };

  const std::vector<ToolCall> calls = {{"ring-bell", "{}", ""}};
  BOOST_CHECK(format.CallMessage(calls).parts == expected);
}

BOOST_AUTO_TEST_CASE(no_text_from_outside_has_a_marker_in_it) {
  for (const ToolCallFormat kind : kAllFormats) {
    const ToolFormat& format = GetToolFormat(kind);
    for (const std::string_view marker : format.markers) {
      BOOST_TEST_CONTEXT(marker) {
        std::vector<ToolDescription> tools = InnTools();
        const std::vector<MessagePart> plain = format.SystemParts(ToolSet(tools));
        tools[0].description = marker;
        tools[0].parameters[0].enum_values[0] = marker;
        const std::vector<MessagePart> parts = format.SystemParts(ToolSet(tools));
        BOOST_TEST(MarkersOf(parts) == MarkersOf(plain));

        const std::string result = OneLineJson(json::string(marker));
        const ToolMessage message = format.ResultMessage("pour", result);
        for (const MessagePart& part : message.parts) {
          BOOST_TEST((part.is_marker || part.text.find(marker) == std::string::npos));
        }
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_marker_in_a_result_stays_the_same_json) {
  const ToolMessage message = GetToolFormat(ToolCallFormat::Chatml)
                                  .ResultMessage("pour", R"("\\<tool_call> \"<b>")");

  BOOST_TEST(message.ToChatMessage().text ==
             "<tool_response>\n{\"name\": \"pour\", \"content\": "
             "\"\\\\\\u003ctool_call> \\\"<b>\"}\n</tool_response>");
}

BOOST_AUTO_TEST_CASE(the_system_text_lists_every_tool_and_says_how_to_call) {
  const ToolSet tools(InnTools());
  for (const ToolCallFormat kind : kAllFormats) {
    const ToolFormat& format = GetToolFormat(kind);
    BOOST_TEST_CONTEXT(format.name) {
      const std::string text = TextOf(format.SystemParts(tools));
      for (const ToolSchema& tool : tools.all()) {
        BOOST_TEST(text.find(OneLineJson(DescribeTool(tool))) != text.npos);
      }
      BOOST_TEST(text.ends_with(format.instruction));
    }
  }
}

BOOST_AUTO_TEST_CASE(every_marker_counts_as_structure_for_a_vocabulary) {
  for (const ToolCallFormat kind : kAllFormats) {
    for (const std::string_view marker : GetToolFormat(kind).markers) {
      BOOST_TEST(marker.find_first_of("<[") != marker.npos);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
