#include "tools/tool_grammar.h"

#include <set>
#include <string_view>
#include <utility>

#include "base/json.h"

namespace talefold {
namespace {

// One "\uXXXX" of half a surrogate pair would be no JSON.
constexpr std::string_view kValueRules =
    R"gbnf(char ::= [^"\\\x00-\x1F\x7F] | "\\" (["\\/bfnrt] | "u" code)
code ::= [0-9a-cA-Ce-fE-F] hex hex hex | [dD] [0-7] hex hex
hex ::= [0-9a-fA-F]
integer ::= "-"? ("0" | [1-9] [0-9]{0,14})
number ::= integer ("." [0-9]{1,6})?
boolean ::= "true" | "false"
sp ::= " "?
nl ::= "\n"?
)gbnf";

// `text` as a literal of the grammar.
std::string Literal(std::string_view text) {
  std::string literal = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') literal += '\\';
    literal += c;
  }
  return literal + '"';
}

// The structure of a format, its spaces and line breaks left to the model.
std::string Loose(std::string_view structure) {
  std::string sequence;
  while (!structure.empty()) {
    const std::size_t end = structure.find_first_of(" \n");
    if (end > 0) sequence += Literal(structure.substr(0, end)) + " ";
    if (end == structure.npos) break;
    sequence += structure[end] == ' ' ? "sp " : "nl ";
    structure.remove_prefix(end + 1);
  }
  return sequence;
}

std::string Key(std::string_view name) {
  return Literal(OneLineJson(json::string(name)) + ":") + " sp ";
}

std::string Value(const ToolParameterSchema& parameter) {
  if (parameter.allowed.empty()) {
    return std::string(ToolParameterTypeName(parameter.type));
  }
  std::string alternatives;
  for (const json::value& value : parameter.allowed) {
    alternatives += alternatives.empty() ? "(" : " | ";
    alternatives += Literal(OneLineJson(value));
  }
  return alternatives + ")";
}

// Rules for the arguments of one tool, written backwards, so that each refers to what
// is there. "P-next-I": the parameters from I on, after an argument; "P-first-I":
// before any. Their number grows with the parameters, not with the subsets of them.
class ArgumentRules {
 public:
  ArgumentRules(std::string prefix, const ToolSchema& tool)
      : prefix_(std::move(prefix)), tool_(tool) {}

  // The rules, and in `body` what an object's braces hold.
  std::string Write(std::string& body) {
    std::string rules;
    std::string next, first;  // from i + 1 on; empty = nothing
    for (std::size_t i = tool_.parameters.size(); i-- > 0;) {
      const ToolParameterSchema& parameter = tool_.parameters[i];
      const std::string argument =
          Key(parameter.name) + Value(parameter) + " sp " + next;
      const std::string comma = R"("," sp )" + argument;
      // The name of what follows comes last: an argument may be the last, too.
      const std::string new_first =
          parameter.required ? argument : argument + "| " + OrNothing(first);
      const std::string new_next =
          parameter.required ? comma : comma + "| " + OrNothing(next);
      first = Rule(rules, "first", i, new_first);
      next = Rule(rules, "next", i, new_next);
    }
    body = first;
    return rules;
  }

 private:
  static std::string OrNothing(const std::string& rule) {
    return rule.empty() ? "\"\"" : rule;
  }
  // Appends a rule to `rules` and returns a reference to it.
  std::string Rule(std::string& rules, std::string_view kind, std::size_t i,
                   const std::string& body) const {
    const std::string name =
        prefix_ + "-" + std::string(kind) + "-" + std::to_string(i);
    rules += name + " ::= " + body + "\n";
    return name + " ";
  }

  const std::string prefix_;
  const ToolSchema& tool_;
};

std::string CallRules(const ToolSet& tools, const ToolFormat& format) {
  std::string rules, alternatives;
  for (std::size_t i = 0; i < tools.all().size(); ++i) {
    const ToolSchema& tool = tools.all()[i];
    const std::string name = "tool-" + std::to_string(i);
    alternatives += (i > 0 ? "| " : "") + name + " ";
    std::string body;
    rules += ArgumentRules(name, tool).Write(body);
    rules += name + R"( ::= "{" sp )" + Key(format.name_key) +
             Literal(OneLineJson(json::string(tool.name))) + R"( sp "," sp )" +
             Key(format.arguments_key) + R"("{" sp )" + body + R"("}" sp "}")" + "\n";
  }
  return "call ::= " + alternatives + "\n" + rules;
}

// Text without the first characters of all that could begin a call.
std::string ProseRule(const ToolFormat& format) {
  std::set<char> refused = {'{'};
  for (const std::string_view marker : format.markers) refused.insert(marker[0]);
  std::string rule = "prose ::= [^\\x00";
  for (const char c : refused) rule.append(c == '[' ? "\\" : "").append(1, c);
  return rule + "]+\n";
}

}  // namespace

std::string ToolGrammar(const ToolSet& tools, const ToolFormat& format,
                        const ToolGrammarOptions& options) {
  const std::string one = Loose(format.call_open) + "call " + Loose(format.call_close);
  std::string calls = Loose(format.calls_open) + one;
  if (options.max_calls > 1) {
    calls += "(" + Loose(format.separator) + one + "){0," +
             std::to_string(options.max_calls - 1) + "} ";
  }
  calls += Loose(format.calls_close);
  std::string grammar = "root ::= " + calls;
  if (options.allow_prose) grammar += "| prose";
  grammar += "\n" + CallRules(tools, format);
  if (options.allow_prose) grammar += ProseRule(format);
  grammar += R"(string ::= "\"" char{0,)" + std::to_string(options.max_string_chars) +
             R"(} "\"")" + "\n";
  return grammar.append(kValueRules);
}

}  // namespace talefold
