// Graphs as JSON files.
#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "graph/descriptor.h"

namespace talefold {

namespace {

constexpr std::string_view kFormat = "talefold-graph";
constexpr std::int64_t kVersion = 1;

GraphProblem FileProblem(const std::string& path, std::string_view what,
                         std::string hint = {}) {
  const std::string place = path.empty() ? "" : ", '" + path + "'";
  return {.code = ErrorCode::GraphCompilationFailed,
          .is_warning = false,
          .node = "",
          .field = path,
          .message = "graph file" + place + ": " + std::string(what),
          .hint = std::move(hint)};
}

class GraphReader {
 public:
  GraphReader(GraphDescription& graph, std::vector<GraphProblem>& problems)
      : graph_(graph), problems_(problems) {}

  void Read(const json::value& file) {
    if (!file.is_object()) {
      AddWrongType("", file, "object");
      return;
    }
    const json::object& top = file.get_object();
    if (!CheckHeader(top)) return;
    CheckKeys(top, "", {"format", "version", "start_node", "nodes"});
    if (const json::string* name = FindString(top, "start_node", "start_node", false)) {
      graph_.SetStartNode(std::string(*name));
    }
    const json::value* nodes = Find(top, "nodes", "nodes", true);
    if (nodes && !nodes->is_array()) AddWrongType("nodes", *nodes, "array");
    if (!nodes || !nodes->is_array()) return;
    for (std::size_t i = 0; i < nodes->get_array().size(); ++i) {
      ReadNode(nodes->get_array()[i], "nodes[" + std::to_string(i) + "]");
    }
  }

 private:
  // A file of another format or a later version is not looked into.
  bool CheckHeader(const json::object& top) {
    const std::size_t before = problems_.size();
    const json::string* format = FindString(top, "format", "format", true);
    if (format && std::string_view(*format) != kFormat) {
      Add("format", "found " + DescribeJson(top.at("format")) + "; expected \"" +
                        std::string(kFormat) + "\"");
    }
    if (const json::value* version = Find(top, "version", "version", true)) {
      CheckVersion(*version);
    }
    return problems_.size() == before;
  }

  void CheckVersion(const json::value& version) {
    if (version == kVersion) return;
    if (version.is_uint64() || (version.is_int64() && version.get_int64() > kVersion)) {
      Add("version",
          DescribeJson(version) + " is newer than " + std::to_string(kVersion) +
              ", the newest this build reads",
          "update Talefold, or save the file with the older version");
    } else {
      Add("version",
          "found " + DescribeJson(version) + "; expected " + std::to_string(kVersion));
    }
  }

  void ReadNode(const json::value& item, const std::string& path) {
    if (!item.is_object()) {
      AddWrongType(path, item, "object");
      return;
    }
    const json::object& entry = item.get_object();
    CheckKeys(entry, path, {"name", "type", "params"});
    const json::string* name = FindString(entry, "name", path + ".name", true);
    const bool usable_name = name && CheckName(*name, path + ".name");
    const NodeDescriptor* descriptor = ReadType(entry, path + ".type");
    if (!descriptor) return;
    AnyNodeParams params = descriptor->make_default();
    const json::value* given = entry.if_contains("params");
    const json::value values = given ? *given : json::object();
    ReadNodeParams(values, name ? std::string_view(*name) : "", path, params);
    if (usable_name) graph_.AddNode(std::string(*name), std::move(params));
  }

  bool CheckName(std::string_view name, const std::string& path) {
    if (name.empty()) {
      Add(path, "a node's name must not be empty");
    } else if (!names_.emplace(name).second) {
      Add(path, "another node is named '" + std::string(name) + "' already",
          "give each node a name of its own");
    } else {
      return true;
    }
    return false;
  }

  const NodeDescriptor* ReadType(const json::object& entry, const std::string& path) {
    const json::string* type = FindString(entry, "type", path, true);
    if (!type) return nullptr;
    const NodeDescriptor* descriptor = FindNodeDescriptor(*type);
    if (!descriptor) {
      std::vector<std::string_view> known;
      for (const NodeDescriptor* each : NodeDescriptors()) known.push_back(each->name);
      Add(path,
          DescribeJson(entry.at("type")) +
              " is not a node type; allowed: " + ListNames(known),
          DidYouMean(*type, known));
    }
    return descriptor;
  }

  void ReadNodeParams(const json::value& values, std::string_view node,
                      const std::string& path, AnyNodeParams& params) {
    if (values.is_object()) {
      ReadValidParams(values, node, params, problems_);
      CheckComplete(values.get_object(), node, DescriptorOf(params), problems_);
    } else {
      AddWrongType(path + ".params", values, "object");
    }
  }

  const json::value* Find(const json::object& object, std::string_view key,
                          const std::string& path, bool required) {
    const json::value* value = object.if_contains(key);
    if (!value && required) Add(path, "is missing");
    return value;
  }

  const json::string* FindString(const json::object& object, std::string_view key,
                                 const std::string& path, bool required) {
    const json::value* value = Find(object, key, path, required);
    if (!value) return nullptr;
    if (!value->is_string()) AddWrongType(path, *value, "string");
    return value->if_string();
  }

  void CheckKeys(const json::object& object, const std::string& path,
                 const std::vector<std::string_view>& known) {
    for (const auto& member : object) {
      const std::string_view key = member.key();
      if (std::find(known.begin(), known.end(), key) != known.end()) continue;
      Add(path.empty() ? std::string(key) : path + "." + std::string(key),
          "there is no such key; allowed: " + ListNames(known), DidYouMean(key, known));
    }
  }

  void Add(const std::string& path, const std::string& what, std::string hint = {}) {
    problems_.push_back(FileProblem(path, what, std::move(hint)));
  }

  void AddWrongType(const std::string& path, const json::value& value,
                    const std::string& expected) {
    Add(path, "found " + DescribeFound(value) + "; expected " + expected);
  }

  GraphDescription& graph_;
  std::vector<GraphProblem>& problems_;
  std::set<std::string, std::less<>> names_;
};

}  // namespace

std::vector<GraphProblem> ReadGraph(std::string_view text, GraphDescription& graph) {
  std::vector<GraphProblem> problems;
  graph = GraphDescription();
  try {
    const json::value file =
        ParseJson(text, ErrorCode::GraphCompilationFailed, "graph file");
    GraphReader(graph, problems).Read(file);
  } catch (const Error& error) {
    problems.push_back({.code = error.code(),
                        .is_warning = false,
                        .node = "",
                        .field = "",
                        .message = error.message(),
                        .hint = error.hint()});
  }
  return problems;
}

GraphDescription GraphDescription::FromJson(std::string_view text) {
  GraphDescription graph;
  ThrowIfInvalid(ReadGraph(text, graph));
  return graph;
}

std::string GraphDescription::ToJson() const {
  json::array nodes;
  for (const GraphNode& node : nodes_) {
    nodes.push_back(json::object{{"name", node.name},
                                 {"type", DescriptorOf(node.params).name},
                                 {"params", WriteParams(node.params, false)}});
  }
  return PrettyJson(json::object{{"format", kFormat},
                                 {"version", kVersion},
                                 {"start_node", start_node_},
                                 {"nodes", std::move(nodes)}});
}

}  // namespace talefold
