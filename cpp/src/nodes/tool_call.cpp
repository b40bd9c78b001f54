// ToolCall: lets the character call tools of the game, which the host then runs.

#include <utility>

#include "base/catch_error.h"
#include "graph/descriptor.h"
#include "nodes/support/attach.h"
#include "nodes/support/history_node.h"
#include "nodes/support/reply.h"
#include "tools/tool_call_parser.h"
#include "tools/tool_format.h"
#include "tools/tool_grammar.h"
#include "tools/tool_set.h"

namespace talefold {

namespace {

constexpr std::string_view kLogCategory = "tools";
constexpr std::string_view kToolCalledExit = "tool_called";
constexpr std::string_view kNoToolCalledExit = "no_tool_called";

std::string_view ReasonOf(const ToolCallProblem& problem) {
  switch (problem.kind) {
    case ToolCallProblemKind::UnknownTool:
      return "unknown_tool";
    case ToolCallProblemKind::MissingArgument:
      return "missing_argument";
    case ToolCallProblemKind::UnknownArgument:
      return "unknown_argument";
    case ToolCallProblemKind::WrongType:
      return "wrong_type";
    case ToolCallProblemKind::NotInEnum:
      return "not_in_enum";
    case ToolCallProblemKind::TooManyCalls:
      return "too_many_calls";
    case ToolCallProblemKind::Malformed:
      break;
  }
  return "malformed";
}

class ToolCallNode final : public HistoryNode {
 public:
  ToolCallNode(std::string name, const ToolCallParams& params,
               const NodeEnvironment& environment)
      : HistoryNode(std::move(name), params, environment),
        tools_(params.tools, this->name()),
        format_(GetToolFormat(params.tool_call_format == ToolCallFormat::Auto
                                  ? DetectToolFormat(runner().model().chat_template())
                                  : params.tool_call_format)),
        calls_or_prose_(ToolGrammar(tools_, format_, {.allow_prose = true})),
        calls_(ToolGrammar(tools_, format_)) {
    SetParams(params);
  }

  bool writes_reply() const override {
    return params_.generate_on_no_tool && params_.output_slot.empty();
  }
  std::string_view skipped_exit() const override { return kNoToolCalledExit; }

  void SetParams(const AnyNodeParams& params) override {
    params_ = std::get<ToolCallParams>(params);
    UseParams(params_.sampling, {.system_prompt = params_.system_prompt,
                                 .tools = format_.SystemParts(tools_),
                                 .story = {params_.history, params_.prompt_caching}});
  }

  std::string_view Execute(TurnContext& turn) override;

 private:
  std::string_view GrammarFor(const TurnContext& turn) const;
  void Attach(TurnContext& turn, const ToolCall& call) const;
  void ReportProblem(TurnContext& turn, const ToolCallProblem& problem) const;

  const ToolSet tools_;
  const ToolFormat& format_;
  const std::string calls_or_prose_;  // grammars
  const std::string calls_;
  ToolCallParams params_;
};

std::string_view ToolCallNode::Execute(TurnContext& turn) {
  if (turn.diagnostics) Section(*turn.diagnostics, "tools")["format"] = format_.name;
  const Generation reply = Ask(turn, {.grammar = GrammarFor(turn)});
  if (turn.stopped) return kNoToolCalledExit;

  const ParsedReply parsed = ParseToolCalls(reply.text, format_, tools_);
  if (turn.diagnostics) {
    json::object& report = Section(*turn.diagnostics, "tools");
    report["calls"] = json::array{};
    if (!parsed.prose.empty()) report["prose"] = parsed.prose;
  }
  for (const ToolCall& call : parsed.calls) Attach(turn, call);
  for (const ToolCallProblem& problem : parsed.problems) ReportProblem(turn, problem);
  if (!parsed.calls.empty()) return kToolCalledExit;
  if (params_.generate_on_no_tool && !parsed.prose.empty()) {
    Deliver(turn, name(), params_.output_slot, parsed.prose);
  }
  return kNoToolCalledExit;
}

// A turn without a text of the player asks for nothing new: that which a result starts
// could otherwise never speak of it.
std::string_view ToolCallNode::GrammarFor(const TurnContext& turn) const {
  if (!params_.grammar) return {};
  const bool must_call =
      params_.tool_choice == ToolChoice::Required && !turn.current.user.empty();
  return must_call ? calls_ : calls_or_prose_;
}

void ToolCallNode::Attach(TurnContext& turn, const ToolCall& call) const {
  // Ids of interactions are never used twice.
  ToolCallComponent component{.id = "call_" + std::to_string(turn.current.id) + "_" +
                                    std::to_string(turn.current.tool_calls.size() + 1),
                              .node = name(),
                              .tool_name = call.name,
                              .arguments = call.arguments,
                              .format = std::string(format_.name)};
  if (turn.diagnostics) {
    Section(*turn.diagnostics, "tools")["calls"].as_array().push_back(
        json::object{{"id", component.id},
                     {"tool_name", component.tool_name},
                     {"arguments", component.arguments}});
  }
  if (params_.notify_client) {
    turn.output.EmitAtCommit({name(),
                              "tool_call",
                              {{"tool_name", component.tool_name},
                               {"arguments", component.arguments},
                               {"call_id", component.id}}});
  }
  turn.current.tool_calls.push_back(std::move(component));
}

// A message may quote the model, so that the log has it at Debug only.
void ToolCallNode::ReportProblem(TurnContext& turn,
                                 const ToolCallProblem& problem) const {
  const std::string reason(ReasonOf(problem));
  turn.logger.Log(LogLevel::Warning, kLogCategory,
                  "node '" + name() + "': a tool call in the reply is not valid: " +
                      reason + "; it is ignored");
  turn.logger.Log(LogLevel::Debug, kLogCategory, problem.message);
  if (turn.diagnostics) {
    json::value& problems = Section(*turn.diagnostics, "tools")["problems"];
    if (!problems.is_array()) problems = json::array{};
    problems.get_array().push_back(json::object{
        {"reason", reason}, {"offset", problem.offset}, {"message", problem.message}});
  }
  if (params_.notify_client) {
    turn.output.EmitAtCommit({name(),
                              "tool_call_rejected",
                              {{"reason", reason}, {"message", problem.message}}});
  }
}

}  // namespace

std::unique_ptr<Node> MakeToolCall(std::string name, const ToolCallParams& params,
                                   const NodeEnvironment& environment) {
  return std::make_unique<ToolCallNode>(std::move(name), params, environment);
}

void CheckToolCall(const std::string& name, const ToolCallParams& params,
                   std::vector<GraphProblem>& problems) {
  const auto error = CatchError([&] { ToolSet(params.tools, name); });
  if (error) {
    problems.push_back(
        {error->code(), false, name, "tools", error->message(), error->hint()});
  }
  if (params.tool_choice == ToolChoice::Required && !params.grammar) {
    problems.push_back(ParamProblem(name, "tool_choice",
                                    "'required' needs grammar, which is off",
                                    "switch grammar on, or use tool_choice 'auto'"));
  }
  CheckOptionalName(name, "output_slot", params.output_slot, problems);
}

}  // namespace talefold
