// How models are told of tools, call them and are told what came of it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "inference/chat_message.h"
#include "tools/tool_call.h"
#include "tools/tool_set.h"

namespace talefold {

// A piece of a message. The text of a marker becomes the vocabulary's token for it, if
// it has one; everything else is data, and can never yield that token.
struct MessagePart {
  std::string text;
  bool is_marker = false;

  bool operator==(const MessagePart&) const = default;
};

struct ToolMessage {
  Role role;
  std::vector<MessagePart> parts;  // no two of data side by side

  ChatMessage ToChatMessage() const;
};

// Adds the parts to the end of `message`.
void AppendParts(std::span<const MessagePart> parts, ChatMessage& message);

// One of the formats, as text around JSON. Every spelling of a format stands in its one
// object (tool_format.cpp); grammar, parser and projection read it.
struct ToolFormat {
  ToolCallFormat format;
  std::string_view name;  // "chatml"

  // A call is {name_key: .., arguments_key: {..}}.
  std::string_view name_key;
  std::string_view arguments_key;
  // calls_open call_open CALL call_close separator call_open CALL ... calls_close
  std::string_view calls_open, call_open, call_close, separator, calls_close;
  // result_open {name_key: .., result_key: ..} result_close
  std::string_view result_key;
  std::string_view result_open, result_close;
  // introduction list_open TOOL list_separator TOOL ... list_close instruction
  std::string_view introduction, list_open, list_separator, list_close, instruction;

  // What announces a call, and what may end it; empty = nothing does.
  std::string_view call_marker, call_end_marker;
  // A call without its marker may begin anywhere in a reply, not only where nothing but
  // calls came before.
  bool calls_anywhere;
  // All that is structure in this format, the two above included. Text of a player, a
  // document or a tool must not become their tokens (Vocabulary sees to that: each has
  // '<' or '[' in it).
  std::span<const std::string_view> markers;

  // What follows the system prompt, after a blank line.
  std::vector<MessagePart> SystemParts(const ToolSet& tools) const;
  // What the assistant wrote to call: the same text for the same calls, whatever white
  // space and order the model chose. At least one call.
  ToolMessage CallMessage(std::span<const ToolCall> calls) const;
  // What a tool gave back. In the user's role: of the templates that llama.cpp knows,
  // some drop a role for tools in silence, and none drops a user. `result_json` is JSON
  // (InvalidArgument otherwise), put on one line.
  ToolMessage ResultMessage(std::string_view tool, std::string_view result_json) const;
};

// Throws InvalidArgument when the text is no JSON.
json::value ParseToolResult(std::string_view text);

// `format` is not Auto.
const ToolFormat& GetToolFormat(ToolCallFormat format);
// By its name; nullptr when there is none.
const ToolFormat* FindToolFormat(std::string_view name);

// The format for a model with this chat template, which is the template's text or the
// name of one that llama.cpp knows; Generic when nothing in it tells.
ToolCallFormat DetectToolFormat(std::string_view chat_template);

}  // namespace talefold
