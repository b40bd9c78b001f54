#include "tools/tool_format.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/json.h"

namespace talefold {
namespace {

constexpr std::string_view kChatmlMarkers[] = {"<tool_call>",     "</tool_call>",
                                               "<tools>",         "</tools>",
                                               "<tool_response>", "</tool_response>"};
constexpr std::string_view kLlama3Markers[] = {"<|python_tag|>", "<|eom_id|>"};
constexpr std::string_view kMistralMarkers[] = {"[TOOL_CALLS]", "[AVAILABLE_TOOLS]",
                                                "[/AVAILABLE_TOOLS]", "[TOOL_RESULTS]",
                                                "[/TOOL_RESULTS]"};

constexpr std::array<ToolFormat, 4> kFormats = {{
    {.format = ToolCallFormat::Chatml,
     .name = "chatml",
     .name_key = "name",
     .arguments_key = "arguments",
     .calls_open = "",
     .call_open = "<tool_call>\n",
     .call_close = "\n</tool_call>",
     .separator = "\n",
     .calls_close = "",
     .result_key = "content",
     .result_open = "<tool_response>\n",
     .result_close = "\n</tool_response>",
     .introduction = "# Tools\n\nThese are the functions you can call, as JSON inside "
                     "<tools></tools>:\n",
     .list_open = "<tools>\n",
     .list_separator = "\n",
     .list_close = "\n</tools>\n\n",
     .instruction = "To call one, answer with its name and arguments as a JSON object "
                    "inside <tool_call></tool_call>:\n<tool_call>\n{\"name\": "
                    "\"the function\", \"arguments\": {\"an argument\": \"its "
                    "value\"}}\n</tool_call>",
     .call_marker = "<tool_call>",
     .call_end_marker = "</tool_call>",
     .calls_anywhere = false,
     .markers = kChatmlMarkers},
    {.format = ToolCallFormat::Llama3,
     .name = "llama3",
     .name_key = "name",
     .arguments_key = "parameters",
     .calls_open = "",
     .call_open = "",
     .call_close = "",
     .separator = "; ",
     .calls_close = "",
     .result_key = "output",
     .result_open = "Result of the function call: ",
     .result_close = "",
     .introduction = "You can call these functions, given as JSON:\n\n",
     .list_open = "",
     .list_separator = "\n\n",
     .list_close = "\n\n",
     .instruction =
         "To call one, answer with nothing but a JSON object of its name and "
         "its parameters, never with variables: {\"name\": \"the function\", "
         "\"parameters\": {\"a parameter\": \"its value\"}}",
     .call_marker = "<|python_tag|>",
     .call_end_marker = "<|eom_id|>",
     .calls_anywhere = true,
     .markers = kLlama3Markers},
    {.format = ToolCallFormat::Mistral,
     .name = "mistral",
     .name_key = "name",
     .arguments_key = "arguments",
     .calls_open = "[TOOL_CALLS] [",
     .call_open = "",
     .call_close = "",
     .separator = ", ",
     .calls_close = "]",
     .result_key = "content",
     .result_open = "[TOOL_RESULTS] ",
     .result_close = "[/TOOL_RESULTS]",
     .introduction = "",
     .list_open = "[AVAILABLE_TOOLS] [",
     .list_separator = ", ",
     .list_close = "][/AVAILABLE_TOOLS]\n\n",
     .instruction = "To call tools, answer with a JSON array of their names and "
                    "arguments: [TOOL_CALLS] [{\"name\": \"the tool\", \"arguments\": "
                    "{\"an argument\": \"its value\"}}]",
     .call_marker = "[TOOL_CALLS]",
     .call_end_marker = "",
     .calls_anywhere = false,
     .markers = kMistralMarkers},
    {.format = ToolCallFormat::Generic,
     .name = "generic",
     .name_key = "tool",
     .arguments_key = "arguments",
     .calls_open = "",
     .call_open = "",
     .call_close = "",
     .separator = "\n",
     .calls_close = "",
     .result_key = "result",
     .result_open = "Result of the tool: ",
     .result_close = "",
     .introduction = "You can use these tools, each described in JSON:\n",
     .list_open = "",
     .list_separator = "\n",
     .list_close = "\n\n",
     .instruction =
         "To use a tool, answer with nothing but a JSON object of this form: "
         "{\"tool\": \"the tool's name\", \"arguments\": {\"an argument\": "
         "\"its value\"}}",
     .call_marker = "",
     .call_end_marker = "",
     .calls_anywhere = true,
     .markers = {}},
}};

// The marker that `text` starts with, the longest; empty when there is none.
std::string_view MarkerAt(std::string_view text, const ToolFormat& format) {
  std::string_view found;
  for (const std::string_view marker : format.markers) {
    if (marker.size() > found.size() && text.starts_with(marker)) found = marker;
  }
  return found;
}

// JSON with the first character of each marker in it as \u00XX. Markers begin with '<'
// or are no JSON outside of a string, so that it stays the same JSON: where a
// vocabulary has no token for a marker, a text cannot imitate one either.
std::string WithoutMarkers(std::string_view json_text, const ToolFormat& format) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < json_text.size(); ++i) {
    if (MarkerAt(json_text.substr(i), format).empty()) {
      text += json_text[i];
      continue;
    }
    const auto byte = static_cast<unsigned char>(json_text[i]);
    text.append("\\u00").append({kHex[byte >> 4], kHex[byte & 15]});
  }
  return text;
}

class PartsBuilder {
 public:
  explicit PartsBuilder(const ToolFormat& format) : format_(format) {}

  // Text of the format itself.
  void AddStructure(std::string_view text) {
    while (!text.empty()) {
      const std::string_view marker = MarkerAt(text, format_);
      if (marker.empty()) {
        AddData(text.substr(0, 1));
      } else {
        parts_.push_back({std::string(marker), true});
      }
      text.remove_prefix(std::max<std::size_t>(marker.size(), 1));
    }
  }

  void AddJson(const json::value& value) {
    AddData(WithoutMarkers(OneLineJson(value), format_));
  }

  std::vector<MessagePart> Take() { return std::move(parts_); }

 private:
  void AddData(std::string_view text) {
    if (parts_.empty() || parts_.back().is_marker) parts_.push_back({});
    parts_.back().text += text;
  }

  const ToolFormat& format_;
  std::vector<MessagePart> parts_;
};

}  // namespace

void AppendParts(std::span<const MessagePart> parts, ChatMessage& message) {
  for (const MessagePart& part : parts) {
    const std::size_t begin = message.text.size();
    message.text += part.text;
    if (part.is_marker) message.markers.push_back({begin, message.text.size()});
  }
}

ChatMessage ToolMessage::ToChatMessage() const {
  ChatMessage message{role};
  AppendParts(parts, message);
  return message;
}

std::vector<MessagePart> ToolFormat::SystemParts(const ToolSet& tools) const {
  PartsBuilder parts(*this);
  parts.AddStructure(introduction);
  parts.AddStructure(list_open);
  for (std::size_t i = 0; i < tools.all().size(); ++i) {
    if (i > 0) parts.AddStructure(list_separator);
    parts.AddJson(DescribeTool(tools.all()[i]));
  }
  parts.AddStructure(list_close);
  parts.AddStructure(instruction);
  return parts.Take();
}

ToolMessage ToolFormat::CallMessage(std::span<const ToolCall> calls) const {
  PartsBuilder parts(*this);
  parts.AddStructure(calls_open);
  for (std::size_t i = 0; i < calls.size(); ++i) {
    if (i > 0) parts.AddStructure(separator);
    parts.AddStructure(call_open);
    parts.AddJson(json::object{
        {name_key, calls[i].name},
        {arguments_key, ParseJson(calls[i].arguments, ErrorCode::InternalError,
                                  "arguments of a tool call")}});
    parts.AddStructure(call_close);
  }
  parts.AddStructure(calls_close);
  return {Role::Assistant, parts.Take()};
}

ToolMessage ToolFormat::ResultMessage(std::string_view tool,
                                      std::string_view result_json) const {
  PartsBuilder parts(*this);
  parts.AddStructure(result_open);
  parts.AddJson(
      json::object{{name_key, tool}, {result_key, ParseToolResult(result_json)}});
  parts.AddStructure(result_close);
  return {Role::User, parts.Take()};
}

json::value ParseToolResult(std::string_view text) {
  JsonProblem problem;
  if (auto value = TryParseJson(text, problem)) return std::move(*value);
  throw Error(ErrorCode::InvalidArgument,
              "the result of a tool call is no JSON: " + problem.reason,
              "pass a JSON value; a text is a string in quotation marks");
}

const ToolFormat& GetToolFormat(ToolCallFormat format) {
  const auto found = std::ranges::find(kFormats, format, &ToolFormat::format);
  if (found != kFormats.end()) return *found;
  throw Error(ErrorCode::InternalError, "the tool-call format is not decided yet");
}

const ToolFormat* FindToolFormat(std::string_view name) {
  const auto found = std::ranges::find(kFormats, name, &ToolFormat::name);
  return found == kFormats.end() ? nullptr : &*found;
}

// A template's text, most telling markers first; then names, which say less.
ToolCallFormat DetectToolFormat(std::string_view chat_template) {
  constexpr struct {
    std::string_view marker;
    ToolCallFormat format;
  } kMarkers[] = {
      {"[TOOL_CALLS]", ToolCallFormat::Mistral},
      {"[AVAILABLE_TOOLS]", ToolCallFormat::Mistral},
      {"<tool_call>", ToolCallFormat::Chatml},
      {"<|python_tag|>", ToolCallFormat::Llama3},
      {"<|start_header_id|>", ToolCallFormat::Llama3},
      {"<|im_start|>", ToolCallFormat::Chatml},
  };
  constexpr struct {
    std::string_view name;
    ToolCallFormat format;
  } kNames[] = {
      {"chatml", ToolCallFormat::Chatml},
      {"llama3", ToolCallFormat::Llama3},
      {"mistral-v3", ToolCallFormat::Mistral},
      {"mistral-v3-tekken", ToolCallFormat::Mistral},
      {"mistral-v7", ToolCallFormat::Mistral},
      {"mistral-v7-tekken", ToolCallFormat::Mistral},
  };
  for (const auto& [marker, format] : kMarkers) {
    if (chat_template.find(marker) != chat_template.npos) return format;
  }
  for (const auto& [name, format] : kNames) {
    if (chat_template == name) return format;
  }
  return ToolCallFormat::Generic;
}

}  // namespace talefold
