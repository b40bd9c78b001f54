// Graphs as data: tables, params as JSON, graph files, structure, texts.
#include "talefold/graph.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "graph/descriptor.h"
#include "graph/params/nested_params.h"

using namespace talefold;

namespace {

GraphDescription InnkeeperGraph() {
  GenerateParams generate;
  generate.system_prompt = "You are Edric, an innkeeper.";
  generate.context_size = 4096;
  generate.default_exit = "summarize";
  GraphDescription graph;
  graph.AddGenerate("generate", generate)
      .AddSummarize("summarize", {})
      .SetStartNode("generate");
  return graph;
}

// A graph file around the JSON text of one Summarize node's params.
std::string FileWithParams(const std::string& params) {
  return R"({"format": "talefold-graph", "version": 1, "start_node": "s", "nodes": [)"
         R"({"name": "s", "type": "Summarize", "params": )" +
         params + "}]}";
}

std::vector<GraphProblem> ReadProblems(const std::string& text) {
  GraphDescription graph;
  return ReadGraph(text, graph);
}

std::vector<GraphProblem> ReadInto(AnyNodeParams& params, const std::string& text) {
  std::vector<GraphProblem> problems;
  ReadParams(json::parse(text), "n", params, problems);
  return problems;
}

std::vector<GraphProblem> Validate(const AnyNodeParams& params) {
  std::vector<GraphProblem> problems;
  ValidateParams(params, "n", problems);
  return problems;
}

// Default params with what `change` does to them.
template <typename Params, typename Change>
Params With(Change change) {
  Params params;
  change(params);
  return params;
}

GenerateParams GenerateThen(const std::string& exit) {
  return With<GenerateParams>([&](auto& p) { p.default_exit = exit; });
}

std::vector<GraphProblem> ValidateContextSize(std::int32_t context_size) {
  return Validate(
      With<SummarizeParams>([&](auto& p) { p.context_size = context_size; }));
}

bool Contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// Every field value as different from its default as its table allows.
json::value OtherValue(const FieldDescriptor& field) {
  switch (field.type) {
    case FieldType::Bool:
      return field.default_value != json::value(true);
    case FieldType::Int:
      return std::min(static_cast<std::int64_t>(field.min.value_or(0)) + 17,
                      static_cast<std::int64_t>(field.max.value_or(1e9)));
    case FieldType::Float:
      return field.min.value_or(0) + 0.375;
    case FieldType::String:
      return "Ærlig \"talt\"\n{{user_message}}";
    case FieldType::Enum:
      return json::value(field.enumeration->values.back().name);
    case FieldType::StringList:
      return {"\n", "Player:"};
    case FieldType::Object:
    case FieldType::ObjectList:
      break;
  }
  json::object object;
  for (const FieldDescriptor& inner : field.object->fields) {
    object[inner.name] = OtherValue(inner);
  }
  if (field.type == FieldType::Object) return object;
  return json::array{object, object};
}

AnyNodeParams ParamsWithEveryFieldSet(const NodeDescriptor& node) {
  AnyNodeParams params = node.make_default();
  for (const FieldDescriptor& field : node.params.fields) {
    if (field.is_exit || field.name == "context_size") continue;
    field.write(ParamsPointer(params), OtherValue(field));
  }
  return params;
}

std::vector<const StructDescriptor*> AllTables() {
  std::vector<const StructDescriptor*> tables = NestedStructDescriptors();
  for (const NodeDescriptor* node : NodeDescriptors()) tables.push_back(&node->params);
  return tables;
}

template <typename Action>
std::optional<Error> Thrown(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error;
  }
  return std::nullopt;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(graph_test)

// --- Tables ---

BOOST_AUTO_TEST_CASE(every_node_type_has_a_complete_table) {
  for (const NodeDescriptor* node : NodeDescriptors()) {
    BOOST_TEST_CONTEXT("node type " << node->name) {
      BOOST_TEST(FindNodeDescriptor(node->name) == node);
      BOOST_TEST(&DescriptorOf(node->make_default()) == node);
      BOOST_TEST(node->params.name == node->name + "Params");
      BOOST_TEST(!node->summary.empty());
      BOOST_TEST(!node->side_effects.empty());
      for (const ExitDescriptor& exit : node->exits) {
        const FieldDescriptor* field = node->params.Find(exit.field);
        BOOST_TEST_REQUIRE(field != nullptr);
        BOOST_TEST(field->is_exit);
        BOOST_TEST(exit.field == exit.name + "_exit");
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(every_field_is_documented_and_its_ui_range_is_valid) {
  for (const StructDescriptor* table : AllTables()) {
    std::set<std::string> names;
    for (const FieldDescriptor& field : table->fields) {
      BOOST_TEST_CONTEXT("field " << table->name << "." << field.name) {
        BOOST_TEST(names.insert(field.name).second);
        BOOST_TEST(!field.doc.empty());
        BOOST_TEST(!Contains(field.doc, "\n"));
        BOOST_TEST(!field.group.empty());
        BOOST_TEST(field.ui_min.has_value() == field.ui_max.has_value());
        if (field.ui_min && field.min) BOOST_TEST(*field.ui_min >= *field.min);
        if (field.ui_max && field.max) BOOST_TEST(*field.ui_max <= *field.max);
      }
    }
  }
}

// A param that has no usable default.
bool HasRequiredField(const NodeDescriptor& node) {
  return std::ranges::any_of(node.params.fields, [](const FieldDescriptor& field) {
    return field.non_empty && field.type == FieldType::String && !field.sparse;
  });
}

BOOST_AUTO_TEST_CASE(default_params_are_valid_where_none_is_required) {
  for (const NodeDescriptor* node : NodeDescriptors()) {
    BOOST_TEST_CONTEXT("node type " << node->name) {
      BOOST_TEST(Validate(node->make_default()).empty() == !HasRequiredField(*node));
      BOOST_TEST(WriteParams(node->make_default(), false).empty());
    }
  }
}

BOOST_AUTO_TEST_CASE(structural_and_localizable_fields_are_the_documented_ones) {
  const std::set<std::string> structural{"model_name",     "context_size",
                                         "context",        "adaptation",
                                         "output_slot",    "tools",
                                         "intents",        "tool_call_format",
                                         "tts_voice",      "string_storage",
                                         "inline_keys",    "inline_values",
                                         "inline_strings", "embedded_string_storage"};
  const std::set<std::string> localizable{"system_prompt", "template", "instruction",
                                          "custom_instructions"};
  for (const NodeDescriptor* node : NodeDescriptors()) {
    for (const FieldDescriptor& field : node->params.fields) {
      BOOST_TEST_CONTEXT("field " << node->name << "." << field.name) {
        BOOST_TEST(field.structural ==
                   (field.is_exit || structural.contains(field.name)));
        BOOST_TEST(field.localizable == localizable.contains(field.name));
        BOOST_TEST(field.multiline ==
                   (field.name == "filter" || localizable.contains(field.name)));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(descriptors_json_holds_every_table_and_error) {
  const json::value document = json::parse(DescriptorsJson());

  BOOST_TEST(document.at("version").as_int64() == 1);
  BOOST_TEST(document.at("nodes").as_array().size() == NodeDescriptors().size());
  BOOST_TEST(document.at("structs").as_array().size() ==
             NestedStructDescriptors().size());
  BOOST_TEST(document.at("errors").as_array().size() == ErrorTable().size());
  const json::array& nodes = document.at("nodes").as_array();
  const json::value& summarize =
      *std::ranges::find_if(nodes, [](const json::value& node) {
        return node.at("name").as_string() == "Summarize";
      });
  BOOST_TEST(summarize.at("number").as_int64() == 16);
  BOOST_TEST(summarize.at("skip_reasons").as_array().size() == 10U);
  BOOST_TEST(summarize.at("events").at(0).at("pairs").as_array().size() == 5U);
}

BOOST_AUTO_TEST_CASE(descriptors_json_has_defaults_of_the_structs) {
  const json::value document = json::parse(DescriptorsJson());

  for (const json::value& node : document.at("nodes").as_array()) {
    AnyNodeParams params =
        FindNodeDescriptor(node.at("name").as_string())->make_default();
    const json::object defaults = WriteParams(params, true);
    for (const json::value& field : node.at("params").at("fields").as_array()) {
      BOOST_TEST_CONTEXT("field " << field.at("name")) {
        const json::value& expected = defaults.at(field.at("name").as_string());
        BOOST_TEST((field.at("default") == expected));
      }
    }
  }
}

// --- Params as JSON ---

BOOST_AUTO_TEST_CASE(every_field_survives_writing_and_reading) {
  for (const NodeDescriptor* node : NodeDescriptors()) {
    for (const bool with_defaults : {false, true}) {
      BOOST_TEST_CONTEXT(node->name << " with_defaults " << with_defaults) {
        const AnyNodeParams params = ParamsWithEveryFieldSet(*node);
        AnyNodeParams read = node->make_default();
        const std::string text = PrettyJson(WriteParams(params, with_defaults));

        const std::vector<GraphProblem> problems = ReadInto(read, text);

        BOOST_TEST(problems.empty());
        BOOST_TEST((read == params));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(every_enumerator_has_its_own_name) {
  std::vector<std::string> names;
  for (int i = 0; i < 5; ++i) {
    GenerateParams params;
    params.placement = static_cast<Placement>(i);
    names.emplace_back(WriteParams(params, true).at("placement").as_string());
  }
  const std::vector<std::string> expected{"in_place_of_user", "before_user_as_user",
                                          "before_user_as_system", "after_user_as_user",
                                          "after_user_as_system"};
  BOOST_TEST(names == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(bad_value_is_reported_with_node_field_and_what_is_allowed) {
  const struct {
    const char* params;
    const char* field;
    const char* message;
  } rows[] = {
      {R"({"keep_recent_turns": 600})", "keep_recent_turns",
       "node 'n', field 'keep_recent_turns': 600 is out of range; allowed 0 to 512"},
      {R"({"max_summary_tokens": 15})", "max_summary_tokens",
       "15 is out of range; allowed 16 or more"},
      {R"({"trigger_turns": -1})", "trigger_turns",
       "-1 is out of range; allowed 0 or more"},
      {R"({"trigger_tokens": 3000000000})", "trigger_tokens",
       "3000000000 is out of range; allowed 0 to 2147483647"},
      {R"({"trigger_tokens": 18446744073709551615})", "trigger_tokens",
       "18446744073709551615 is out of range; allowed 0 to 2147483647"},
      {R"({"trigger_tokens": 1e300})", "trigger_tokens",
       "found number 1e+300; expected integer"},
      {R"({"trigger_tokens": 10.0})", "trigger_tokens",
       "found number 10.0; expected integer"},
      {R"({"trigger_tokens": true})", "trigger_tokens",
       "found boolean true; expected integer"},
      {R"({"trigger_tokens": "10"})", "trigger_tokens",
       "found string \"10\"; expected integer"},
      {R"({"trigger_tokens": null})", "trigger_tokens", "found null; expected integer"},
      {R"({"notify_client": 1})", "notify_client", "found integer 1; expected boolean"},
      {R"({"system_prompt": ["a"]})", "system_prompt", "found array; expected string"},
      {R"({"system_prompt": "a\u0000b"})", "system_prompt", "field 'system_prompt'"},
      {R"({"oversized_turn": "abridged"})", "oversized_turn",
       "\"abridged\" is not a choice; allowed: 'keep', 'abridge'"},
      {R"({"sampling": 5})", "sampling", "found integer 5; expected object"},
      {R"({"sampling": {"top_p": 1.5}})", "sampling.top_p",
       "field 'sampling.top_p': 1.5 is out of range; allowed 0 to 1"},
      {R"({"sampling": {"temperature": true}})", "sampling.temperature",
       "found boolean true; expected number or null"},
      {R"({"sampling": {"seed": 4294967296}})", "sampling.seed",
       "4294967296 is out of range; allowed 0 to 4294967295"},
      {R"({"sampling": {"repeat_last_n": -1}})", "sampling.repeat_last_n",
       "-1 is out of range; allowed 0 or more"},
      {R"({"sampling": {"stop": "x"}})", "sampling.stop",
       "found string \"x\"; expected array of strings or null"},
      {R"({"sampling": {"stop": ["a", ""]}})", "sampling.stop[1]",
       "it must not be empty"},
      {R"({"sampling": {"stop": [7]}})", "sampling.stop[0]",
       "found integer 7; expected string"},
      {R"({"context": {"kv_type": "q8"}})", "context.kv_type",
       "\"q8\" is not a choice; allowed: 'f16', 'q8_0', 'q4_0'"},
      {R"({"adaptation": {"loras": {}}})", "adaptation.loras",
       "found object; expected array of objects"},
      {R"({"adaptation": {"loras": [{}]}})", "adaptation.loras[0].path", "is missing"},
      {R"({"adaptation": {"loras": [{"path": ""}]}})", "adaptation.loras[0].path",
       "it must not be empty"},
      {R"({"adaptation": {"loras": [3]}})", "adaptation.loras[0]",
       "found integer 3; expected object"},
      {R"({"context_size": 300, "max_summary_tokens": 256})", "max_summary_tokens",
       "256 of context_size 300 leaves 44 tokens free; at least 64 are needed"},
  };
  for (const auto& row : rows) {
    BOOST_TEST_CONTEXT("params " << row.params) {
      AnyNodeParams params = SummarizeParams{};
      const std::vector<GraphProblem> problems = ReadInto(params, row.params);
      BOOST_TEST_REQUIRE(problems.size() == 1U);
      BOOST_TEST((problems[0].code == ErrorCode::InvalidParamValue));
      BOOST_TEST(problems[0].node == "n");
      BOOST_TEST(problems[0].field == row.field);
      BOOST_TEST(Contains(problems[0].message, row.message), problems[0].message);
      BOOST_TEST((params == AnyNodeParams(SummarizeParams{})));
    }
  }
}

BOOST_AUTO_TEST_CASE(value_at_the_edge_of_its_range_is_accepted) {
  for (const char* text :
       {R"({"keep_recent_turns": 0})", R"({"keep_recent_turns": 512})",
        R"({"max_summary_tokens": 16})", R"({"trigger_tokens": 2147483647})",
        R"({"context_size": 320, "max_summary_tokens": 256})",
        R"({"sampling": {"seed": 4294967295, "top_p": 1, "temperature": 0}})",
        R"({"sampling": {"stop": []}})", R"({"context": {"n_gpu_layers": -1}})"}) {
    BOOST_TEST_CONTEXT("params " << text) {
      AnyNodeParams params = SummarizeParams{};
      BOOST_TEST(ReadInto(params, text).empty());
    }
  }
}

BOOST_AUTO_TEST_CASE(unknown_field_is_reported_with_the_name_probably_meant) {
  AnyNodeParams params = SummarizeParams{};

  const auto problems = ReadInto(params, R"({"triger_tokens": 5})");

  BOOST_TEST_REQUIRE(problems.size() == 1U);
  BOOST_TEST((problems[0].code == ErrorCode::InvalidParamValue));
  BOOST_TEST(problems[0].field == "triger_tokens");
  BOOST_TEST(Contains(problems[0].message, "'trigger_turns'"));
  BOOST_TEST(problems[0].hint == "did you mean 'trigger_tokens'?");
}

BOOST_AUTO_TEST_CASE(one_bad_value_leaves_all_params_unchanged) {
  AnyNodeParams params = With<SummarizeParams>([](auto& p) { p.trigger_tokens = 77; });
  const AnyNodeParams before = params;

  ReadInto(params, R"({"trigger_turns": 4, "keep_recent_turns": -1})");

  BOOST_TEST((params == before));
}

BOOST_AUTO_TEST_CASE(fields_not_given_keep_their_value_inside_objects_too) {
  AnyNodeParams params = SummarizeParams{};
  ReadInto(params, R"({"trigger_turns": 4, "sampling": {"top_k": 5, "top_p": 0.5}})");

  const auto problems = ReadInto(params, R"({"sampling": {"top_k": null, "seed": 9}})");

  BOOST_TEST(problems.empty());
  const auto& read = std::get<SummarizeParams>(params);
  BOOST_TEST(read.trigger_turns == 4);
  BOOST_TEST(!read.sampling.top_k.has_value());
  BOOST_TEST(read.sampling.top_p.value() == 0.5);
  BOOST_TEST(read.sampling.seed.value() == 9);
}

BOOST_AUTO_TEST_CASE(null_resets_an_object) {
  AnyNodeParams params = SummarizeParams{};
  ReadInto(params, R"({"sampling": {"top_k": 5}})");

  ReadInto(params, R"({"sampling": null})");

  BOOST_TEST((params == AnyNodeParams(SummarizeParams{})));
}

BOOST_AUTO_TEST_CASE(integer_is_accepted_for_a_float_field) {
  AnyNodeParams params = GenerateParams{};

  ReadInto(params, R"({"sampling": {"temperature": 1}})");

  BOOST_TEST(std::get<GenerateParams>(params).sampling.temperature.value() == 1.0);
}

BOOST_AUTO_TEST_CASE(values_set_in_cpp_are_checked_like_those_of_a_file) {
  const auto summarize = [](auto change) {
    return Validate(With<SummarizeParams>(change));
  };
  const struct {
    std::vector<GraphProblem> problems;
    const char* field;
  } rows[] = {
      {summarize([](auto& p) { p.keep_recent_turns = 513; }), "keep_recent_turns"},
      {summarize([](auto& p) { p.context_size = -1; }), "context_size"},
      {summarize([](auto& p) { p.system_prompt = "\xff"; }), "system_prompt"},
      {summarize([](auto& p) { p.oversized_turn = static_cast<OversizedTurn>(9); }),
       "oversized_turn"},
      {summarize([](auto& p) { p.sampling.temperature = std::nan(""); }),
       "sampling.temperature"},
      {summarize([](auto& p) {
         p.sampling.dry_multiplier = std::numeric_limits<double>::infinity();
       }),
       "sampling.dry_multiplier"},
      {summarize([](auto& p) { p.sampling.stop = {""}; }), "sampling.stop[0]"},
      {summarize([](auto& p) { p.adaptation.loras = {{"", 1.0}}; }),
       "adaptation.loras[0].path"},
      {summarize([](auto& p) {
         p.context_size = 100;
         p.max_summary_tokens = std::numeric_limits<std::int32_t>::max();
       }),
       "max_summary_tokens"},
  };
  for (const auto& row : rows) {
    BOOST_TEST_CONTEXT("field " << row.field) {
      BOOST_TEST_REQUIRE(row.problems.size() == 1U);
      BOOST_TEST((row.problems[0].code == ErrorCode::InvalidParamValue));
      BOOST_TEST(row.problems[0].field == row.field);
    }
  }
}

BOOST_AUTO_TEST_CASE(hint_on_a_full_context_offers_only_possible_changes) {
  const auto wide = ValidateContextSize(300);
  const auto narrow = ValidateContextSize(70);

  BOOST_TEST(wide.at(0).hint ==
             "set context_size to 320 or more, or max_summary_tokens to 236 or less");
  BOOST_TEST(narrow.at(0).hint == "set context_size to 320 or more");
}

BOOST_AUTO_TEST_CASE(struct_alone_is_read_under_the_path_given) {
  SamplingOverrides sampling;
  std::vector<GraphProblem> problems;
  const StructDescriptor& table = StructDescriptorOf<SamplingOverrides>();

  ReadStruct(table, json::parse(R"({"top_k": 7})"), "", "default_sampling", &sampling,
             problems);
  ReadStruct(table, json::parse(R"({"top_k": 8, "top_p": 2})"), "", "default_sampling",
             &sampling, problems);

  BOOST_TEST(sampling.top_k.value() == 7);
  BOOST_TEST_REQUIRE(problems.size() == 1U);
  BOOST_TEST(problems[0].message ==
             "field 'default_sampling.top_p': 2 is out of range; allowed 0 to 1");
}

// --- Building ---

BOOST_AUTO_TEST_CASE(empty_or_used_name_is_refused_and_changes_nothing) {
  GraphDescription graph = InnkeeperGraph();

  for (const char* name : {"", "generate"}) {
    const auto error = Thrown([&] { graph.AddSummarize(name, {}); });
    BOOST_TEST_REQUIRE(error.has_value());
    BOOST_TEST((error->code() == ErrorCode::GraphCompilationFailed));
  }
  BOOST_TEST(graph.nodes().size() == 2U);
}

BOOST_AUTO_TEST_CASE(params_of_no_node_type_are_refused) {
  GraphDescription graph;
  const auto error = Thrown([&] { graph.AddNode("n", std::monostate{}); });
  BOOST_TEST_REQUIRE(error.has_value());
  BOOST_TEST((error->code() == ErrorCode::GraphCompilationFailed));
}

// --- Graph files ---

BOOST_AUTO_TEST_CASE(graph_file_leaves_out_defaults) {
  const std::string expected = R"({
  "format": "talefold-graph",
  "version": 1,
  "start_node": "generate",
  "nodes": [
    {
      "name": "generate",
      "type": "Generate",
      "params": {
        "context_size": 4096,
        "system_prompt": "You are Edric, an innkeeper.",
        "default_exit": "summarize"
      }
    },
    {
      "name": "summarize",
      "type": "Summarize",
      "params": {}
    }
  ]
}
)";
  BOOST_TEST(InnkeeperGraph().ToJson() == expected);
}

BOOST_AUTO_TEST_CASE(graph_survives_its_file) {
  GraphDescription graph;
  for (const NodeDescriptor* node : NodeDescriptors()) {
    graph.AddNode(node->name, ParamsWithEveryFieldSet(*node));
    if (HasRequiredField(*node)) continue;
    graph.AddNode("plain " + node->name, node->make_default());
  }
  graph.SetStartNode("plain Generate");

  const GraphDescription read = GraphDescription::FromJson(graph.ToJson());

  BOOST_TEST(read.start_node() == graph.start_node());
  BOOST_TEST_REQUIRE(read.nodes().size() == graph.nodes().size());
  for (std::size_t i = 0; i < graph.nodes().size(); ++i) {
    BOOST_TEST(read.nodes()[i].name == graph.nodes()[i].name);
    BOOST_TEST((read.nodes()[i].params == graph.nodes()[i].params));
  }
}

BOOST_AUTO_TEST_CASE(file_text_is_the_same_after_reading_and_writing) {
  const std::string text = InnkeeperGraph().ToJson();
  BOOST_TEST(GraphDescription::FromJson(text).ToJson() == text);
}

BOOST_AUTO_TEST_CASE(bad_file_is_reported_with_the_place) {
  const struct {
    std::string text;
    const char* message;
  } rows[] = {
      {"[]", "graph file: found array; expected object"},
      {"{}", "'format': is missing"},
      {R"({"format": "talefold-graph"})", "'version': is missing"},
      {R"({"format": "gltf", "version": 1})",
       "'format': found \"gltf\"; expected \"talefold-graph\""},
      {R"({"format": "talefold-graph", "version": 2})", "'version': 2 is newer than 1"},
      {R"({"format": "talefold-graph", "version": 18446744073709551615})",
       "is newer than 1"},
      {R"({"format": "talefold-graph", "version": 0})",
       "'version': found 0; expected 1"},
      {R"({"format": "talefold-graph", "version": "1"})",
       "'version': found \"1\"; expected 1"},
      {R"({"format": "talefold-graph", "version": 1})", "'nodes': is missing"},
      {R"({"format": "talefold-graph", "version": 1, "nodes": {}})",
       "'nodes': found object; expected array"},
      {R"({"format": "talefold-graph", "version": 1, "nodes": [], "start_node": 1})",
       "'start_node': found integer 1; expected string"},
      {R"({"format": "talefold-graph", "version": 1, "nodes": [], "startnode": ""})",
       "'startnode': there is no such key"},
      {R"({"format": "talefold-graph", "version": 1, "nodes": [1]})",
       "'nodes[0]': found integer 1; expected object"},
      {R"({"format": "talefold-graph", "version": 1, "nodes": [{"name": "a"}]})",
       "'nodes[0].type': is missing"},
      {R"({"format": "talefold-graph", "version": 1,
           "nodes": [{"type": "Generate"}]})",
       "'nodes[0].name': is missing"},
      {R"({"format": "talefold-graph", "version": 1,
           "nodes": [{"name": "", "type": "Generate"}]})",
       "'nodes[0].name': a node's name must not be empty"},
      {R"({"format": "talefold-graph", "version": 1,
           "nodes": [{"name": "a", "type": "generate"}]})",
       "\"generate\" is not a node type; allowed: 'Generate', "},
      {R"({"format": "talefold-graph", "version": 1,
           "nodes": [{"name": "a", "type": "Generate", "param": {}}]})",
       "'nodes[0].param': there is no such key"},
      {R"({"format": "talefold-graph", "version": 1,
           "nodes": [{"name": "a", "type": "Generate", "params": []}]})",
       "'nodes[0].params': found array; expected object"},
      {R"({"format": "talefold-graph", "version": 1,
           "nodes": [{"name": "a", "type": "Generate"},
                     {"name": "a", "type": "Summarize"}]})",
       "'nodes[1].name': another node is named 'a' already"},
      {"{\n  \"format\": oops}", "line 2, column "},
      {FileWithParams("{\"trigger_turns\": 1,\n \"trigger_turns\": 2}"),
       "line 2, column 2: a key occurs twice in one object"},
      {FileWithParams(R"({"trigger_turns": 1, "trigger_\u0074urns": 2})"),
       "a key occurs twice in one object"},
  };
  for (const auto& row : rows) {
    BOOST_TEST_CONTEXT("file " << row.text) {
      const std::vector<GraphProblem> problems = ReadProblems(row.text);
      BOOST_TEST(!problems.empty());
      bool found = false;
      for (const GraphProblem& problem : problems) {
        BOOST_TEST((problem.code == ErrorCode::GraphCompilationFailed));
        BOOST_TEST(!problem.is_warning);
        found = found || Contains(problem.message, row.message);
      }
      BOOST_TEST(found, problems.front().message);
    }
  }
}

BOOST_AUTO_TEST_CASE(graphs_that_cannot_work_well_get_a_warning) {
  const auto warnings = [](const GraphDescription& graph) {
    std::string text;
    for (const GraphProblem& problem : ValidateGraph(graph)) {
      BOOST_TEST(problem.is_warning);
      text += problem.message + "\n";
    }
    return text;
  };
  GraphDescription cycle;
  cycle.AddGenerate("a", {.default_exit = "b"})
      .AddGenerate("b", {.default_exit = "a"})
      .SetStartNode("a");
  GraphDescription late;
  late.AddGenerate("talk", {.context_size = 1024, .default_exit = "fold"})
      .AddSummarize("fold", {})
      .SetStartNode("talk");
  GraphDescription idle;
  idle.AddSummarize("fold", {.trigger_tokens = 0}).SetStartNode("fold");
  GraphDescription good;
  good.AddGenerate("talk", {.context_size = 4096, .default_exit = "fold"})
      .AddSummarize("fold", {})
      .SetStartNode("talk");

  BOOST_TEST(Contains(warnings(cycle), "no turn can end"));
  BOOST_TEST(
      Contains(warnings(late), "1024 is not below what node 'talk' can show (768"));
  BOOST_TEST(Contains(warnings(idle), "the node does nothing"));
  BOOST_TEST(warnings(good) == "");
}

BOOST_AUTO_TEST_CASE(a_file_with_a_bad_value_has_its_structure_checked_too) {
  const std::string text = R"({"format": "talefold-graph", "version": 1,
      "start_node": "talk", "nodes": [{"name": "talk", "type": "Generate",
      "params": {"context_size": 2048.5, "default_exit": "nowhere"}}]})";

  std::vector<ErrorCode> codes;
  for (const GraphProblem& problem : ValidateGraphJson(text)) {
    codes.push_back(problem.code);
  }

  BOOST_TEST((codes == std::vector<ErrorCode>{ErrorCode::InvalidParamValue,
                                              ErrorCode::InvalidExitTarget}));
}

BOOST_AUTO_TEST_CASE(equal_keys_of_different_objects_and_texts_are_no_repetition) {
  const std::string text = R"({"format": "talefold-graph", "version": 1, "nodes": [
    {"name": "a", "type": "Generate", "params": {"system_prompt": "\"a\", {\"a\": 1}"}},
    {"name": "b", "type": "Generate", "params": {"sampling": {"stop": ["name", "name"]},
                                                 "context": {}}}]})";
  BOOST_TEST(ReadProblems(text).empty());
}

BOOST_AUTO_TEST_CASE(all_problems_of_a_file_are_reported_together) {
  const std::string text = R"({"format": "talefold-graph", "version": 1, "nodes": [
    {"name": "a", "type": "Genrate"},
    {"name": "b", "type": "Summarize", "params": {"trigger_turns": -1, "x": 1}},
    {"name": "b", "type": "Generate", "extra": 0}], "start": "a"})";

  BOOST_TEST(ReadProblems(text).size() == 6U);
}

BOOST_AUTO_TEST_CASE(fields_without_a_problem_are_read_from_a_faulty_file) {
  GraphDescription graph;

  ReadGraph(FileWithParams(R"({"trigger_turns": -1, "default_exit": "t"})"), graph);

  const GraphNode* node = graph.FindNode("s");
  BOOST_TEST_REQUIRE(node != nullptr);
  BOOST_TEST(std::get<SummarizeParams>(node->params).default_exit == "t");
}

BOOST_AUTO_TEST_CASE(faulty_file_throws_code_of_first_problem_and_lists_all) {
  const auto error = Thrown([] {
    GraphDescription::FromJson(FileWithParams(R"({"trigger_turns": -1, "stream": 1})"));
  });

  BOOST_TEST_REQUIRE(error.has_value());
  BOOST_TEST((error->code() == ErrorCode::InvalidParamValue));
  BOOST_TEST(Contains(error->message(), "2 problems in the graph:\n- node 's'"));
  BOOST_TEST(Contains(error->message(), "field 'stream'"));
}

// --- Structure ---

BOOST_AUTO_TEST_CASE(sound_graph_has_no_problems) {
  BOOST_TEST(ValidateStructure(InnkeeperGraph()).empty());
}

BOOST_AUTO_TEST_CASE(cycle_is_allowed) {
  GraphDescription graph;
  graph.AddGenerate("a", GenerateThen("b"))
      .AddGenerate("b", GenerateThen("a"))
      .SetStartNode("a");
  for (const GraphProblem& problem : ValidateStructure(graph)) {
    BOOST_TEST(problem.is_warning, problem.message);
  }
}

BOOST_AUTO_TEST_CASE(structural_fault_is_reported) {
  const auto graph = [](const std::string& name, const std::string& start) {
    GraphDescription made;
    made.AddGenerate(name, {}).SetStartNode(start);
    return made;
  };
  const std::string long_name = std::string(63, 'a') + "\xC3\xA6";
  const struct {
    GraphDescription graph;
    const char* message;
  } rows[] = {
      {GraphDescription(), "the graph has no nodes"},
      {graph("a", ""), "the graph has no start node"},
      {graph("a", "b"), "there is no node 'b'; allowed: 'a'"},
      {graph("a.b", "a.b"), "node 'a.b': bad name: '.' is not allowed"},
      {graph("a\tb", "a\tb"), "control characters are not allowed"},
      {graph("\xff", "\xff"), "bad name"},
      {graph(long_name, long_name), "it has 65 bytes; allowed 1 to 64"},
  };
  for (const auto& row : rows) {
    BOOST_TEST_CONTEXT("expected " << row.message) {
      const std::vector<GraphProblem> problems = ValidateStructure(row.graph);
      BOOST_TEST_REQUIRE(problems.size() == 1U);
      BOOST_TEST((problems[0].code == ErrorCode::GraphCompilationFailed));
      BOOST_TEST(!problems[0].is_warning);
      BOOST_TEST(Contains(problems[0].message, row.message), problems[0].message);
    }
  }
}

BOOST_AUTO_TEST_CASE(exit_to_a_missing_node_names_field_value_and_the_node_meant) {
  GraphDescription graph;
  graph.AddGenerate("generate", GenerateThen("sumarize"))
      .AddSummarize("summarize", {})
      .SetStartNode("generate");

  const GraphProblem problem = ValidateStructure(graph).at(0);

  BOOST_TEST((problem.code == ErrorCode::InvalidExitTarget));
  BOOST_TEST(problem.node == "generate");
  BOOST_TEST(problem.field == "default_exit");
  BOOST_TEST(Contains(problem.message, "'sumarize'"));
  BOOST_TEST(Contains(problem.message, "'generate', 'summarize'"));
  BOOST_TEST(problem.hint == "did you mean 'summarize'?");
}

BOOST_AUTO_TEST_CASE(unreachable_node_is_a_warning_after_the_errors) {
  GraphDescription graph;
  graph.AddGenerate("a", {})
      .AddSummarize("b", With<SummarizeParams>([](auto& p) {
                      p.trigger_turns = -1;
                      p.default_exit = "a";
                    }))
      .SetStartNode("a");

  const std::vector<GraphProblem> problems = ValidateStructure(graph);

  BOOST_TEST_REQUIRE(problems.size() == 2U);
  BOOST_TEST((problems[0].code == ErrorCode::InvalidParamValue));
  BOOST_TEST(!problems[0].is_warning);
  BOOST_TEST(problems[1].is_warning);
  BOOST_TEST(problems[1].node == "b");
}

BOOST_AUTO_TEST_CASE(warnings_alone_do_not_throw) {
  GraphProblem warning = ParamProblem("n", "f", "is odd");
  warning.is_warning = true;
  BOOST_CHECK_NO_THROW(ThrowIfInvalid({warning, warning}));
}

BOOST_AUTO_TEST_CASE(single_error_is_thrown_as_it_is) {
  GraphProblem warning = ParamProblem("n", "f", "is odd");
  warning.is_warning = true;
  const GraphProblem problem = ParamProblem("n", "f", "is wrong", "make it right");

  const auto error = Thrown([&] { ThrowIfInvalid({warning, problem}); });

  BOOST_TEST_REQUIRE(error.has_value());
  BOOST_TEST((error->code() == ErrorCode::InvalidParamValue));
  BOOST_TEST(error->message() == "node 'n', field 'f': is wrong");
  BOOST_TEST(error->hint() == "make it right");
}

// --- Texts ---

BOOST_AUTO_TEST_CASE(localizable_strings_are_the_non_empty_texts_by_node_and_field) {
  const auto strings = InnkeeperGraph().LocalizableStrings();

  BOOST_TEST_REQUIRE(strings.size() == 1U);
  BOOST_TEST(strings.at("generate.system_prompt") == "You are Edric, an innkeeper.");
}

BOOST_AUTO_TEST_CASE(applied_strings_replace_texts) {
  GraphDescription graph = InnkeeperGraph();

  graph.ApplyStrings({{"generate.system_prompt", "Du er Edric, en kroeier."},
                      {"summarize.template", "{{#turns}}{{user}}{{/turns}}"}});

  const auto& generate = std::get<GenerateParams>(graph.FindNode("generate")->params);
  const auto& summarize =
      std::get<SummarizeParams>(graph.FindNode("summarize")->params);
  BOOST_TEST(generate.system_prompt == "Du er Edric, en kroeier.");
  BOOST_TEST(summarize.template_text == "{{#turns}}{{user}}{{/turns}}");
}

BOOST_AUTO_TEST_CASE(strings_with_a_fault_are_refused_and_change_nothing) {
  const std::map<std::string, std::string> rows[] = {
      {{"generate.system_prompt", "new"}, {"summarize.systemprompt", "x"}},
      {{"generate.system_prompt", "new"}, {"generate.model_name", "x"}},
      {{"generate.system_prompt", "new"}, {"nobody.template", "x"}},
      {{"generate.system_prompt", "new"}, {"summarize.template", "\xff"}},
  };
  for (const auto& row : rows) {
    BOOST_TEST_CONTEXT("key " << row.rbegin()->first) {
      GraphDescription graph = InnkeeperGraph();
      const std::string before = graph.ToJson();
      const auto error = Thrown([&] { graph.ApplyStrings(row); });
      BOOST_TEST_REQUIRE(error.has_value());
      BOOST_TEST((error->code() == ErrorCode::InvalidParamValue));
      BOOST_TEST(graph.ToJson() == before);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
