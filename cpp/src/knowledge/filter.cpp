#include "knowledge/filter.h"

#include <algorithm>
#include <array>
#include <compare>
#include <utility>

#include "knowledge/json_at.h"

namespace talefold {
namespace {

constexpr std::size_t kMaxDepth = 16;
constexpr std::size_t kMaxNodes = 256;
constexpr std::size_t kMaxListed = 1024;
constexpr std::size_t kMaxJsonDepth = 64;  // enough for kMaxDepth

enum class Comparison { Eq, Ne, Lt, Le, Gt, Ge };

constexpr struct {
  std::string_view name;
  Comparison comparison, swapped;
} kComparisons[] = {
    {"eq", Comparison::Eq, Comparison::Eq}, {"ne", Comparison::Ne, Comparison::Ne},
    {"lt", Comparison::Lt, Comparison::Gt}, {"le", Comparison::Le, Comparison::Ge},
    {"gt", Comparison::Gt, Comparison::Lt}, {"ge", Comparison::Ge, Comparison::Le},
};

bool Holds(Comparison comparison, std::partial_ordering order) {
  switch (comparison) {
    case Comparison::Eq:
      return std::is_eq(order);
    case Comparison::Ne:
      return std::is_neq(order);
    case Comparison::Lt:
      return std::is_lt(order);
    case Comparison::Le:
      return std::is_lteq(order);
    case Comparison::Gt:
      return std::is_gt(order);
    case Comparison::Ge:
      break;
  }
  return std::is_gteq(order);
}

bool Shares(const StringSet& a, const StringSet& b) {
  return std::ranges::any_of(
      a, [&](const std::string& text) { return std::ranges::binary_search(b, text); });
}

}  // namespace

class Filter::Compiler {
 public:
  Compiler(const std::vector<KnowledgeField>& fields, std::vector<Instruction>& program)
      : fields_(fields), program_(program) {}

  void Compile(const JsonAt& at, std::size_t depth) {
    CountNode(at);
    if (depth > kMaxDepth) {
      at.Fail("more than " + std::to_string(kMaxDepth) +
              " operators inside each other");
    }
    at.CheckKeys({"op", "args"});
    const std::string op = at.Member("op").String();
    const JsonAt args = at.Member("args");
    if (op == "and") return Combine(args, Instruction::Kind::And, depth);
    if (op == "or") return Combine(args, Instruction::Kind::Or, depth);
    if (op == "not") {
      CheckCount(args, 1, "not");
      return Combine(args, Instruction::Kind::Not, depth);
    }
    if (op == "in") return AddTest(CompileIn(args));
    for (const auto& [name, comparison, swapped] : kComparisons) {
      if (op == name) return AddTest(CompileComparison(args, op, comparison, swapped));
    }
    at.Member("op").Fail(
        DescribeJson(at.Member("op").value()) +
        " is no operator; known are and, or, not, eq, ne, lt, le, gt, ge, in");
  }

 private:
  // A field or a value, as an operator has it.
  struct Operand {
    JsonAt at;  // the value, or the field's name
    const KnowledgeField* field = nullptr;
    std::size_t column = 0;
  };

  void CountNode(const JsonAt& at) {
    if (++nodes_ <= kMaxNodes) return;
    at.Fail("the filter has more than " + std::to_string(kMaxNodes) + " nodes");
  }

  static void CheckCount(const JsonAt& args, std::size_t count, std::string_view op) {
    if (args.size() == count) return;
    args.Fail(std::to_string(args.size()) + " arguments; '" + std::string(op) +
              "' takes " + std::to_string(count));
  }

  void AddTest(Test test) {
    program_.push_back({Instruction::Kind::Test, 0, std::move(test)});
  }

  void Combine(const JsonAt& args, Instruction::Kind kind, std::size_t depth) {
    const std::size_t count = args.size();
    if (count == 0) args.Fail("is empty; at least one filter is expected");
    for (std::size_t i = 0; i < count; ++i) Compile(args[i], depth + 1);
    program_.push_back({kind, count});
  }

  Operand ReadOperand(const JsonAt& at) {
    CountNode(at);
    at.CheckKeys({"knowledge", "value"});
    if (at.Has("knowledge") == at.Has("value")) {
      at.Fail("{\"knowledge\": a field} or {\"value\": a literal} is expected");
    }
    if (at.Has("value")) return {at.Member("value")};
    const JsonAt name_at = at.Member("knowledge");
    const std::string name = name_at.String();
    const auto field = std::ranges::find(fields_, name, &KnowledgeField::name);
    if (field == fields_.end()) {
      name_at.Fail("there is no field " + DescribeJson(name_at.value()) +
                   "; known are " + FieldNames());
    }
    if (!field->filterable) {
      name_at.Fail("the field \"" + name + "\" is not filterable",
                   "set \"filterable\": true in the storage's config");
    }
    return {name_at, &*field, static_cast<std::size_t>(field - fields_.begin())};
  }

  std::string FieldNames() const {
    std::string names;
    for (const KnowledgeField& field : fields_) {
      names += (names.empty() ? "" : ", ") + field.name;
    }
    return names.empty() ? "none" : names;
  }

  std::array<Operand, 2> ReadOperands(const JsonAt& args, std::string_view op) {
    CheckCount(args, 2, op);
    std::array operands = {ReadOperand(args[0]), ReadOperand(args[1])};
    if ((operands[0].field == nullptr) == (operands[1].field == nullptr)) {
      args.Fail("one field and one value are expected");
    }
    return operands;
  }

  // False where the field is missing, else what `test` says of the column and the row.
  template <typename T, typename ValueTest>
  static Test TestOf(const Operand& field, ValueTest test) {
    return [column = field.column, test = std::move(test)](const Metadata& metadata,
                                                           std::size_t row) {
      const MetadataColumn& cells = metadata.column(column);
      return cells.present[row] != 0 && test(cells.As<T>()[row]);
    };
  }

  Test CompileComparison(const JsonAt& args, std::string_view op, Comparison comparison,
                         Comparison swapped) {
    auto [field, value] = ReadOperands(args, op);
    if (field.field == nullptr) {
      std::swap(field, value);
      comparison = swapped;
    }
    const bool orders = comparison != Comparison::Eq && comparison != Comparison::Ne;
    const MetadataType type = field.field->type;
    if (orders && (type == MetadataType::Bool || type == MetadataType::StringSet)) {
      field.at.Fail("the field \"" + field.field->name + "\" is of type " +
                    std::string(FieldTypeName(type)) + ", which has no order for '" +
                    std::string(op) + "'");
    }
    // An int may be compared with a float.
    CheckFieldValue(value.at, type == MetadataType::Int ? MetadataType::Float : type);
    return Compare(field, value.at.value(), comparison);
  }

  static Test Compare(const Operand& field, const json::value& value,
                      Comparison comparison) {
    const auto compare_with = [&]<typename T, typename Literal>(Literal literal) {
      return TestOf<T>(field,
                       [comparison, literal = std::move(literal)](const T& cell) {
                         return Holds(comparison, cell <=> literal);
                       });
    };
    switch (field.field->type) {
      case MetadataType::Int:
        if (value.is_int64()) {
          return compare_with.operator()<std::int64_t>(value.get_int64());
        }
        return TestOf<std::int64_t>(
            field, [comparison, number = value.to_number<double>()](std::int64_t cell) {
              return Holds(comparison, static_cast<double>(cell) <=> number);
            });
      case MetadataType::Float:
        return compare_with.operator()<double>(value.to_number<double>());
      case MetadataType::String:
        return compare_with.operator()<std::string>(std::string(value.get_string()));
      case MetadataType::Bool:
        return compare_with.operator()<std::uint8_t>(
            static_cast<std::uint8_t>(value.get_bool() ? 1 : 0));
      case MetadataType::StringSet:
        break;
    }
    return compare_with.operator()<StringSet>(ReadStringSet(value));
  }

  Test CompileIn(const JsonAt& args) {
    const auto [what, where] = ReadOperands(args, "in");
    if (where.field != nullptr) return CompileHas(what, where);
    const MetadataType type = what.field->type;
    const bool is_array = where.at.value().is_array();
    if (!is_array) where.at.FailType("an array");
    if (where.at.size() > kMaxListed) {
      where.at.Fail(std::to_string(where.at.size()) + " values; at most " +
                    std::to_string(kMaxListed) + " are allowed");
    }
    if (type == MetadataType::StringSet) {
      CheckFieldValue(where.at, type);
      return TestOf<StringSet>(
          what, [list = ReadStringSet(where.at.value())](const StringSet& cell) {
            return Shares(cell, list);
          });
    }
    std::vector<Test> tests;
    for (std::size_t i = 0; i < where.at.size(); ++i) {
      const JsonAt item = where.at[i];
      CheckFieldValue(item, type == MetadataType::Int ? MetadataType::Float : type);
      tests.push_back(Compare(what, item.value(), Comparison::Eq));
    }
    return [tests = std::move(tests)](const Metadata& metadata, std::size_t row) {
      return std::ranges::any_of(tests,
                                 [&](const Test& test) { return test(metadata, row); });
    };
  }

  static Test CompileHas(const Operand& value, const Operand& set) {
    if (set.field->type != MetadataType::StringSet) {
      set.at.Fail("the field \"" + set.field->name + "\" is of type " +
                  std::string(FieldTypeName(set.field->type)) +
                  "; set<string> is expected");
    }
    return TestOf<StringSet>(set, [text = value.at.String()](const StringSet& cell) {
      return std::ranges::binary_search(cell, text);
    });
  }

  const std::vector<KnowledgeField>& fields_;
  std::vector<Instruction>& program_;
  std::size_t nodes_ = 0;
};

Filter Filter::Parse(std::string_view text, const std::vector<KnowledgeField>& fields) {
  JsonProblem problem;
  const auto document = TryParseJson(text, problem, kMaxJsonDepth);
  if (!document) {
    const std::string offset =
        problem.offset ? " at byte " + std::to_string(*problem.offset) : "";
    throw Error(ErrorCode::InvalidFilter,
                "filter: no JSON" + offset + ": " + problem.reason);
  }
  Filter filter;
  Compiler(fields, filter.program_)
      .Compile(JsonAt(*document, "filter", ErrorCode::InvalidFilter), 1);
  return filter;
}

bool Filter::Accepts(const Metadata& metadata, std::size_t row) const {
  using Kind = Instruction::Kind;
  std::array<bool, kMaxNodes> stack;
  std::size_t size = 0;
  for (const Instruction& instruction : program_) {
    if (instruction.kind == Kind::Test) {
      stack[size++] = instruction.test(metadata, row);
      continue;
    }
    const auto end = stack.begin() + static_cast<std::ptrdiff_t>(size);
    const auto begin = end - static_cast<std::ptrdiff_t>(instruction.count);
    size -= instruction.count;
    const auto is_true = [](bool result) { return result; };
    const bool result = instruction.kind == Kind::And ? std::all_of(begin, end, is_true)
                        : instruction.kind == Kind::Or
                            ? std::any_of(begin, end, is_true)
                            : !*begin;
    stack[size++] = result;
  }
  return stack[0];
}

std::vector<std::uint8_t> Filter::Accepted(const Metadata& metadata) const {
  std::vector<std::uint8_t> accepted(metadata.rows());
  for (std::size_t row = 0; row < accepted.size(); ++row) {
    accepted[row] = Accepts(metadata, row) ? 1 : 0;
  }
  return accepted;
}

}  // namespace talefold
