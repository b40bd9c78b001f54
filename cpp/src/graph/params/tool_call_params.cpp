// The ToolCall node as data.
#include "graph/params/history_fields.h"

namespace talefold {

template <>
const EnumDescriptor& EnumDescriptorOf<ToolParameterType>() {
  static const EnumDescriptor descriptor{
      "ToolParameterType",
      "Type of an argument of a tool.",
      {
          Choice(ToolParameterType::String, "string", "A text."),
          Choice(ToolParameterType::Integer, "integer", "A whole number."),
          Choice(ToolParameterType::Number, "number", "Any number."),
          Choice(ToolParameterType::Boolean, "boolean", "true or false."),
      }};
  return descriptor;
}

template <>
const EnumDescriptor& EnumDescriptorOf<ToolCallFormat>() {
  static const EnumDescriptor descriptor{
      "ToolCallFormat",
      "How a model is told of tools, and how it calls them.",
      {
          Choice(ToolCallFormat::Auto, "auto",
                 "By the markers in the model's chat template; generic when there are "
                 "none."),
          Choice(ToolCallFormat::Chatml, "chatml",
                 "A JSON object inside <tool_call></tool_call>, as Qwen and Hermes."),
          Choice(ToolCallFormat::Llama3, "llama3",
                 "A JSON object of name and parameters, as Llama 3."),
          Choice(ToolCallFormat::Mistral, "mistral",
                 "A JSON array after [TOOL_CALLS], as Mistral."),
          Choice(ToolCallFormat::Generic, "generic",
                 "A JSON object of tool and arguments, for models that were trained on "
                 "none."),
      }};
  return descriptor;
}

template <>
const EnumDescriptor& EnumDescriptorOf<ToolChoice>() {
  static const EnumDescriptor descriptor{
      "ToolChoice",
      "Who decides whether a tool is called.",
      {
          Choice(ToolChoice::Auto, "auto",
                 "The model: it calls tools, or answers with prose."),
          Choice(ToolChoice::Required, "required",
                 "The graph: the grammar has no way but calls, so that a model of any "
                 "size calls. In a turn without a text of the player, such as that "
                 "which a result starts, the same as auto."),
      }};
  return descriptor;
}

template <>
const StructDescriptor& StructDescriptorOf<ToolParameter>() {
  using P = ToolParameter;
  static const StructDescriptor descriptor{
      "ToolParameter",
      "One argument of a tool.",
      {
          Field("name", &P::name)
              .Structural()
              .NonEmpty()
              .Group("Tool")
              .Doc("1 to 64 letters a-z and A-Z, digits, '_' or '-'; unique in its "
                   "tool."),
          Field("type", &P::type).Structural().Group("Tool").Doc("Type of its values."),
          Field("description", &P::description)
              .Structural()
              .Group("Tool")
              .Doc("What the model is told of it."),
          Field("required", &P::required)
              .Structural()
              .Group("Tool")
              .Doc("A call without it is refused."),
          Field("enum", &P::enum_values)
              .CppName("enum_values")
              .Structural()
              .Group("Tool")
              .Doc("The only values allowed, at most 256; a value that is no string as "
                   "JSON writes it. Empty = every value of the type."),
      }};
  return descriptor;
}

template <>
const StructDescriptor& StructDescriptorOf<ToolDescription>() {
  using P = ToolDescription;
  static const StructDescriptor descriptor{
      "ToolDescription",
      "A tool that a character may call.",
      {
          Field("name", &P::name)
              .Structural()
              .NonEmpty()
              .Group("Tool")
              .Doc("1 to 64 letters a-z and A-Z, digits, '_' or '-'; unique among the "
                   "tools."),
          Field("description", &P::description)
              .Structural()
              .Group("Tool")
              .Doc("What the model is told of it: what it does, and when to call it."),
          Field("parameters", &P::parameters)
              .Structural()
              .Group("Tool")
              .Doc("Its arguments, at most 64."),
      }};
  return descriptor;
}

namespace {

std::vector<FieldDescriptor> ToolCallFields() {
  using P = ToolCallParams;
  return {
      ModelNameField<P>(),
      ContextSizeField<P>(),
      Field("system_prompt", &P::system_prompt)
          .Localizable()
          .Multiline()
          .Group("Prompt")
          .Doc("Who the character is, and when it should use its tools; the tools "
               "themselves are described after it. Empty = the tools alone."),
      Field("tools", &P::tools)
          .Structural()
          .Group("Tools")
          .Doc("What the character can call, 1 to 64 tools."),
      Field("tool_call_format", &P::tool_call_format)
          .Structural()
          .Group("Tools")
          .Doc("How the model is told of tools, and how it calls them."),
      Field("tool_choice", &P::tool_choice)
          .Group("Tools")
          .Doc("Whether the model may answer with prose. required needs grammar."),
      Field("grammar", &P::grammar)
          .Group("Tools")
          .Doc(
              "Leave the model no way to write a call but a valid one: of a tool there "
              "is, with arguments of the schema's names, types and values. With "
              "tool_choice auto it is free to answer with prose instead."),
      Field("generate_on_no_tool", &P::generate_on_no_tool)
          .Group("Output")
          .Doc("What the model writes when it calls no tool is the character's reply. "
               "Off = it is dropped, for another node to reply."),
      Field("notify_client", &P::notify_client)
          .Group("Output")
          .Doc("Send an event for each call."),
      OutputSlotField<P>(),
  };
}

std::vector<KeyDescriptor> ToolCallDiagnostics() {
  std::vector<KeyDescriptor> keys = HistoryDiagnostics();
  keys.push_back(SlotDiagnostics());
  keys.insert(
      keys.end(),
      {
          {"tools.format", "The format in use, never auto.", ""},
          {"tools.calls[]", "The calls: `id`, `tool_name` and `arguments` of each.",
           "the model failed or the turn was stopped"},
          {"tools.problems[]",
           "What is wrong with what looked like a call: `reason`, `offset` in "
           "output.text (bytes) and `message` of each.",
           "nothing is"},
          {"tools.prose", "What the model wrote beside calls.",
           "it wrote nothing else"},
      });
  return keys;
}

std::vector<std::string> ToolCallSideEffects() {
  std::vector<std::string> effects = {
      "Attaches the calls to the running interaction; it runs none of them. The host "
      "gives each its result with submit_tool_result.",
      "Sends no answer_text, except a final one with the reply when no tool was called "
      "and generate_on_no_tool is set.",
  };
  for (std::string& effect : HistorySideEffects()) effects.push_back(std::move(effect));
  return effects;
}

}  // namespace

const NodeDescriptor& ToolCallDescriptor() {
  using P = ToolCallParams;
  static const NodeDescriptor descriptor{
      .type = NodeType::ToolCall,
      .name = "ToolCall",
      .summary = "Lets the character call tools of the game.",
      .params = {"ToolCallParams", "Params of a ToolCall node.",
                 JoinFields({ToolCallFields(),
                             AdvancedFields<P>(),
                             {Field("tool_called_exit", &P::tool_called_exit)
                                  .Exit()
                                  .Doc("Node that runs when a tool was called. Empty = "
                                       "the turn ends."),
                              Field("no_tool_called_exit", &P::no_tool_called_exit)
                                  .Exit()
                                  .Doc("Node that runs when none was. Empty = the turn "
                                       "ends.")}})},
      .exits = {{"tool_called", "tool_called_exit",
                 "Taken when the reply has at least one valid call."},
                {"no_tool_called", "no_tool_called_exit",
                 "Taken when it has none: the model answered with prose, or with calls "
                 "that are not valid, or was cut at max_tokens inside the first."}},
      .diagnostics = ToolCallDiagnostics(),
      .skip_reasons = {},
      .events = {{"tool_call",
                  "The character called a tool (notify_client).",
                  {{"tool_name", "Name of the tool.", ""},
                   {"arguments", "A JSON object.", ""},
                   {"call_id", "For submit_tool_result.", ""}}},
                 {"tool_call_rejected",
                  "The model wrote a call that is not valid (notify_client).",
                  {{"reason",
                    "malformed, unknown_tool, missing_argument, unknown_argument, "
                    "wrong_type, not_in_enum or too_many_calls.",
                    ""},
                   {"message", "What is wrong, and what is allowed.", ""}}}},
      .side_effects = ToolCallSideEffects(),
      .make_default = [] { return AnyNodeParams(ToolCallParams{}); },
      .check = nullptr,
  };
  return descriptor;
}

}  // namespace talefold
