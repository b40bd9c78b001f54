// The single source of truth for params: one table per struct, from which validation,
// JSON, change_params, the Python dataclasses, the JSON schema and the node reference
// are made.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "talefold/graph.h"

namespace talefold {

enum class FieldType { Bool, Int, Float, String, Enum, StringList, Object, ObjectList };

struct StructDescriptor;

struct EnumDescriptor {
  struct Value {
    int value;  // the C++ enumerator's
    std::string name;
    std::string doc;
  };
  std::string name;  // "Placement"
  std::string doc;
  std::vector<Value> values;
};

// One row of a params table; made by field_builder.h.
struct FieldDescriptor {
  std::string name;      // one spelling on every surface
  std::string cpp_name;  // that of the C++ member, where the name is a keyword there
  FieldType type = FieldType::String;
  bool sparse = false;       // may be unset (JSON null or absent): inherits
  bool structural = false;   // frozen when the agent is created
  bool localizable = false;  // part of LocalizableStrings
  bool multiline = false;
  bool is_exit = false;                  // names the next node; empty = END
  bool non_empty = false;                // the string, or each string of the list
  std::optional<double> min, max;        // validated, inclusive
  std::optional<double> ui_min, ui_max;  // what a slider shows; never validated
  // What the C++ integer holds.
  std::int64_t type_min = std::numeric_limits<std::int64_t>::min();
  std::int64_t type_max = std::numeric_limits<std::int64_t>::max();
  const EnumDescriptor* enumeration = nullptr;  // Enum
  const StructDescriptor* object = nullptr;     // Object and ObjectList
  std::string group;                            // heading in the reference: "Behavior"
  std::string doc;                              // one line
  json::value default_value;                    // that of a default-constructed struct

  // `params` points to the struct the table describes. `write` takes a value that
  // passed validation; into an Object it writes the keys present and keeps the others,
  // and null resets it.
  std::function<json::value(const void* params)> read;
  std::function<void(void* params, const json::value& value)> write;
};

struct StructDescriptor {
  std::string name;  // "SamplingOverrides"
  std::string doc;
  std::vector<FieldDescriptor> fields;

  const FieldDescriptor* Find(std::string_view field) const;
};

struct ExitDescriptor {
  std::string name;   // "default"
  std::string field;  // "default_exit"
  std::string doc;
};

struct KeyDescriptor {  // a diagnostics key, skip reason or event pair
  std::string key;
  std::string meaning;
  std::string absent_when;  // empty = always there
};

struct EventDescriptor {
  std::string event_type;
  std::string meaning;
  std::vector<KeyDescriptor> pairs;
};

struct NodeDescriptor {
  NodeType type;
  std::string name;  // "Summarize"
  std::string summary;
  StructDescriptor params;
  std::vector<ExitDescriptor> exits;
  std::vector<KeyDescriptor> diagnostics;
  std::vector<KeyDescriptor> skip_reasons;
  std::vector<EventDescriptor> events;
  std::vector<std::string> side_effects;

  // A default-constructed params value of this node.
  std::function<AnyNodeParams()> make_default;
  // Checks of several fields together that need no model; may be empty. Called with
  // values that passed their own checks.
  std::function<void(const AnyNodeParams& params, std::string_view node,
                     std::vector<GraphProblem>& problems)>
      check;
};

// Every node type, in registry order; and the nested structs, each after those it uses.
const std::vector<const NodeDescriptor*>& NodeDescriptors();
const std::vector<const StructDescriptor*>& NestedStructDescriptors();
// InvalidArgument for params that hold no node's struct.
const NodeDescriptor& DescriptorOf(const AnyNodeParams& params);
const NodeDescriptor* FindNodeDescriptor(std::string_view type_name);
// The keys every node's diagnostics entry has besides its own.
const std::vector<KeyDescriptor>& CommonDiagnostics();

// The address of the struct inside the variant.
void* ParamsPointer(AnyNodeParams& params);
const void* ParamsPointer(const AnyNodeParams& params);

// InvalidParamValue in the one form used everywhere: "node 'n', field 'f': what".
GraphProblem ParamProblem(std::string_view node, std::string_view field,
                          std::string_view what, std::string hint = {});
// The same, as a warning.
GraphProblem ParamWarning(std::string_view node, std::string_view field,
                          std::string_view what, std::string hint = {});

// "did you mean 'x'?", or empty when nothing in `known` is close to `name`.
std::string DidYouMean(std::string_view name,
                       const std::vector<std::string_view>& known);
// "integer 5", "object": a value of the wrong type in a message.
std::string DescribeFound(const json::value& value);

// Reads fields of `object` into `params`; fields not in `object` keep their value,
// those of nested objects too. Adds a problem for each unknown key, wrong type, value
// out of range, and combination the node rejects, and writes nothing when it added one.
// `node` is used in messages.
void ReadParams(const json::value& object, std::string_view node, AnyNodeParams& params,
                std::vector<GraphProblem>& problems);

// The same, but fields with a problem keep their value and the others are written.
void ReadValidParams(const json::value& object, std::string_view node,
                     AnyNodeParams& params, std::vector<GraphProblem>& problems);

// Adds a problem for each param that is not in `object` and has no usable default.
void CheckComplete(const json::object& object, std::string_view node,
                   const NodeDescriptor& descriptor,
                   std::vector<GraphProblem>& problems);

// As ReadParams for any described struct, all or nothing: `object` into `value`. `path`
// is prefixed to field names in messages ("default_sampling"); may be empty, as `node`
// may.
void ReadStruct(const StructDescriptor& descriptor, const json::value& object,
                std::string_view node, std::string_view path, void* value,
                std::vector<GraphProblem>& problems);

// All fields; those equal to their default only when `with_defaults` (unset sparse
// fields as null, then).
json::object WriteParams(const AnyNodeParams& params, bool with_defaults);
json::object WriteStruct(const StructDescriptor& descriptor, const void* value,
                         bool with_defaults);

// Checks the values already in the struct (built in C++, not read from JSON).
void ValidateParams(const AnyNodeParams& params, std::string_view node,
                    std::vector<GraphProblem>& problems);
void ValidateStruct(const StructDescriptor& descriptor, const void* value,
                    std::string_view node, std::string_view path,
                    std::vector<GraphProblem>& problems);

// Structure and values, without what only nodes can check (templates): names, start
// node, exit targets, ranges; unreachable nodes as warnings. Errors come first.
std::vector<GraphProblem> ValidateStructure(const GraphDescription& graph);

// A graph file's text into `graph`; problems of JSON, keys and values, all of them.
// Where there are some, `graph` holds what could be read: nodes without a usable name
// or type are left out, so its structure is worth checking only when there are none.
std::vector<GraphProblem> ReadGraph(std::string_view text, GraphDescription& graph);

// Throws the first error among `problems`, its message listing all of them. Returns
// when there are only warnings.
void ThrowIfInvalid(const std::vector<GraphProblem>& problems);

}  // namespace talefold
