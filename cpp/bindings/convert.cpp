#include "convert.h"

#include <pybind11/numpy.h>

#include <limits>

#include "graph/descriptor.h"
#include "graph/params/nested_params.h"

namespace talefold::python {

namespace {

using py::arg;

// Text that may quote malformed input.
py::str Readable(std::string_view text) {
  return py::reinterpret_steal<py::str>(PyUnicode_DecodeUTF8(
      text.data(), static_cast<py::ssize_t>(text.size()), "replace"));
}

py::object ParsedOrNone(const std::string& json_text) {
  if (json_text.empty()) return py::none();
  return py::module_::import("json").attr("loads")(json_text);
}

py::object ErrorOrNone(const std::optional<Error>& error) {
  return error ? ToPython(*error) : py::none();
}

py::object EventBody(std::uint64_t turn_id, const AnswerText& body) {
  return MakePython("talefold.events", "AnswerText", arg("turn_id") = turn_id,
                    arg("node") = body.node, arg("text") = body.text,
                    arg("is_delta") = body.is_delta, arg("is_final") = body.is_final);
}

py::object EventBody(std::uint64_t turn_id, const AudioChunk& body) {
  const py::array_t<std::int16_t> samples(static_cast<py::ssize_t>(body.samples.size()),
                                          body.samples.data());
  return MakePython("talefold.events", "AudioChunk", arg("turn_id") = turn_id,
                    arg("node") = body.node, arg("sample_rate") = body.sample_rate,
                    arg("samples") = samples, arg("text") = body.text,
                    arg("is_final") = body.is_final);
}

py::object EventBody(std::uint64_t turn_id, const NodeEvent& body) {
  py::dict pairs;
  for (const auto& [key, value] : body.pairs) pairs[py::str(key)] = value;
  return MakePython("talefold.events", "NodeEvent", arg("turn_id") = turn_id,
                    arg("node") = body.node, arg("event_type") = body.event_type,
                    arg("pairs") = pairs);
}

py::object EventBody(std::uint64_t turn_id, const DecisionRequired& body) {
  return MakePython("talefold.events", "DecisionRequired", arg("turn_id") = turn_id,
                    arg("node") = body.node, arg("options") = body.options);
}

py::object EventBody(std::uint64_t turn_id, const TurnComplete& body) {
  return MakePython("talefold.events", "TurnComplete", arg("turn_id") = turn_id,
                    arg("status") = ToPython(body.status),
                    arg("tokens_generated") = body.tokens_generated,
                    arg("error") = ErrorOrNone(body.error),
                    arg("debug_info") = ParsedOrNone(body.debug_info));
}

}  // namespace

std::string Utf8(py::handle text) {
  if (!PyUnicode_Check(text.ptr())) {
    throw py::type_error(std::string("expected str, not ") +
                         Py_TYPE(text.ptr())->tp_name);
  }
  py::ssize_t size = 0;
  if (const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size)) {
    return std::string(data, static_cast<std::size_t>(size));
  }
  if (!PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) throw py::error_already_set();
  const py::error_already_set error;
  throw Error(ErrorCode::InvalidUtf8,
              "text has an unpaired surrogate at character " +
                  py::str(error.value().attr("start")).cast<std::string>(),
              "decode the text with errors=\"replace\"");
}

std::int32_t Int32(std::int64_t value, const char* name) {
  using Limits = std::numeric_limits<std::int32_t>;
  if (value < Limits::min() || value > Limits::max()) {
    throw Error(
        ErrorCode::InvalidArgument,
        std::string(name) + " is " + std::to_string(value) + ", too large for 32 bits");
  }
  return static_cast<std::int32_t>(value);
}

StorageKind StorageKindFromName(std::string_view name) {
  if (name == "map") return StorageKind::Map;
  if (name == "multimap") return StorageKind::Multimap;
  return StorageKind::List;
}

AnyNodeParams ParamsFromJson(std::string_view type, std::string_view node,
                             std::string_view text) {
  const NodeDescriptor* descriptor = FindNodeDescriptor(type);
  if (descriptor == nullptr) {
    throw Error(ErrorCode::InvalidArgument,
                "there is no node type \"" + std::string(type) + "\"");
  }
  AnyNodeParams params = descriptor->make_default();
  std::vector<GraphProblem> problems;
  ReadParams(ParseJson(text, ErrorCode::InvalidParamValue, "params"), node, params,
             problems);
  ThrowIfInvalid(problems);
  return params;
}

SamplingOverrides SamplingFromJson(std::string_view text, std::string_view path) {
  SamplingOverrides sampling;
  std::vector<GraphProblem> problems;
  ReadStruct(StructDescriptorOf<SamplingOverrides>(),
             ParseJson(text, ErrorCode::InvalidParamValue, path), "", path, &sampling,
             problems);
  ThrowIfInvalid(problems);
  return sampling;
}

py::object ToPython(const Error& error) {
  return MakePython("talefold.errors", "TalefoldError", static_cast<int>(error.code()),
                    Readable(error.message()), Readable(error.hint()));
}

py::object ToPython(const Event& event) {
  return std::visit([&](const auto& body) { return EventBody(event.turn_id, body); },
                    event.body);
}

py::object ToPython(const EmbeddingModelInfo& model) {
  return MakePython("talefold.models", "EmbeddingModelInfo", arg("name") = model.name,
                    arg("dimensions") = model.dimensions);
}

py::object ToPython(const FoundRecord& record) {
  return MakePython("talefold.knowledge", "FoundRecord", arg("id") = record.id,
                    arg("text") = record.text, arg("distance") = record.distance,
                    arg("metadata") = ParsedOrNone(record.metadata));
}

py::object ToPython(const KnowledgeInfo& knowledge) {
  return MakePython("talefold.knowledge", "KnowledgeInfo",
                    arg("search_method") = knowledge.search_method,
                    arg("embedding_model") = knowledge.embedding_model,
                    arg("records") = knowledge.records,
                    arg("fields") = knowledge.fields);
}

py::object ToPython(const GraphProblem& problem) {
  return MakePython(
      "talefold.graph", "GraphProblem", arg("code") = static_cast<int>(problem.code),
      arg("is_warning") = problem.is_warning, arg("node") = Readable(problem.node),
      arg("field") = Readable(problem.field),
      arg("message") = Readable(problem.message), arg("hint") = Readable(problem.hint));
}

py::object ToPython(HistoryState state) {
  switch (state) {
    case HistoryState::Folded:
      return py::str("folded");
    case HistoryState::Trimmed:
      return py::str("trimmed");
    case HistoryState::Replayed:
      break;
  }
  return py::str("replayed");
}

namespace {

py::list ToPython(const std::vector<ToolCallInfo>& calls) {
  py::list list;
  for (const ToolCallInfo& call : calls) {
    list.append(MakePython("talefold.dialog", "ToolCall", arg("id") = call.id,
                           arg("node") = call.node, arg("tool_name") = call.tool_name,
                           arg("arguments") = call.arguments,
                           arg("result") = call.result));
  }
  return list;
}

py::list ToPython(const std::vector<AttachedKnowledge>& blocks) {
  py::list list;
  for (const AttachedKnowledge& block : blocks) {
    py::list chunks;
    for (const AttachedKnowledge::Chunk& chunk : block.chunks) {
      chunks.append(MakePython("talefold.dialog", "KnowledgeChunk",
                               arg("id") = chunk.id, arg("text") = chunk.text,
                               arg("distance") = chunk.distance));
    }
    list.append(MakePython("talefold.dialog", "Knowledge", arg("source") = block.source,
                           arg("chunks") = chunks));
  }
  return list;
}

py::list ToPython(const std::vector<InstructionInfo>& instructions) {
  py::list list;
  for (const InstructionInfo& instruction : instructions) {
    list.append(MakePython("talefold.dialog", "Instruction",
                           arg("name") = instruction.name,
                           arg("text") = instruction.text));
  }
  return list;
}

}  // namespace

py::object ToPython(const InteractionInfo& interaction) {
  return MakePython("talefold.dialog", "Interaction", arg("index") = interaction.index,
                    arg("id") = interaction.id, arg("user") = interaction.user,
                    arg("assistant") = interaction.assistant,
                    arg("status") = interaction.status,
                    arg("summary") = interaction.summary,
                    arg("tool_calls") = ToPython(interaction.tool_calls),
                    arg("knowledge") = ToPython(interaction.knowledge),
                    arg("instructions") = ToPython(interaction.instructions),
                    arg("intent") = interaction.intent);
}

py::object ToPython(const ModelInfo& model) {
  return MakePython("talefold.models", "ModelInfo", arg("name") = model.name,
                    arg("kind") = model.kind,
                    arg("trained_context_size") = model.trained_context_size);
}

py::object ToPython(const EngineStats& stats) {
  py::list pools;
  for (const KvPoolStats& pool : stats.pools) {
    pools.append(MakePython("talefold.stats", "KvPoolStats", arg("model") = pool.model,
                            arg("context_size") = pool.context_size,
                            arg("slots") = pool.slots,
                            arg("live_states") = pool.live_states,
                            arg("running") = pool.running, arg("bytes") = pool.bytes));
  }
  return MakePython(
      "talefold.stats", "EngineStats", arg("kv_cache_bytes") = stats.kv_cache_bytes,
      arg("kv_used_bytes") = stats.kv_used_bytes,
      arg("kv_peak_bytes") = stats.kv_peak_bytes, arg("pools") = pools,
      arg("parked_states") = stats.parked_states,
      arg("parked_bytes") = stats.parked_bytes,
      arg("running_requests") = stats.running_requests,
      arg("waiting_requests") = stats.waiting_requests,
      arg("requests") = stats.requests, arg("failed_requests") = stats.failed_requests,
      arg("reused_tokens") = stats.reused_tokens,
      arg("shared_tokens") = stats.shared_tokens,
      arg("prefill_tokens") = stats.prefill_tokens,
      arg("generated_tokens") = stats.generated_tokens,
      arg("background_prefill_tokens") = stats.background_prefill_tokens,
      arg("background_generated_tokens") = stats.background_generated_tokens,
      arg("scheduled_folds") = stats.scheduled_folds,
      arg("committed_folds") = stats.committed_folds,
      arg("cancelled_folds") = stats.cancelled_folds,
      arg("failed_folds") = stats.failed_folds,
      arg("overdue_folds") = stats.overdue_folds,
      arg("decode_calls") = stats.decode_calls, arg("parks") = stats.parks,
      arg("restores") = stats.restores, arg("dropped_states") = stats.dropped_states,
      arg("moves") = stats.moves, arg("repaired_states") = stats.repaired_states);
}

py::object ToPython(const SamplingOverrides& sampling) {
  const json::object fields =
      WriteStruct(StructDescriptorOf<SamplingOverrides>(), &sampling, false);
  return MakePython("talefold._params", "SamplingOverrides",
                    **py::dict(ParsedOrNone(json::serialize(fields))));
}

py::object ToFloatArray(const std::vector<float>& values) {
  const py::bytes bytes(reinterpret_cast<const char*>(values.data()),
                        values.size() * sizeof(float));
  return py::module_::import("array").attr("array")("f", bytes);
}

py::object ToPython(const RecordedRequest& request) {
  return MakePython(
      "talefold.models", "RecordedRequest", arg("node") = request.node,
      arg("cached_tokens") = request.cached_tokens,
      arg("next_logits") = ToFloatArray(request.next_logits),
      arg("messages") = request.messages, arg("prompt_tokens") = request.prompt_tokens,
      arg("max_tokens") = request.max_tokens, arg("seed") = request.seed,
      arg("sampling") = request.sampling, arg("grammar") = request.grammar);
}

py::object ToPython(const SummaryInfo& summary) {
  return MakePython("talefold.dialog", "Summary", arg("text") = summary.text,
                    arg("node") = summary.node,
                    arg("covered_through") = summary.covered_through,
                    arg("carrier") = summary.carrier, arg("stale") = summary.stale,
                    arg("edited") = summary.edited, arg("abridged") = summary.abridged);
}

py::object ToPython(const TurnResult& result) {
  return MakePython("talefold.turn", "TurnResult", arg("text") = result.text,
                    arg("status") = ToPython(result.status),
                    arg("tokens_generated") = result.tokens_generated,
                    arg("debug_info") = ParsedOrNone(result.debug_info),
                    arg("events") = result.events,
                    arg("error") = ErrorOrNone(result.error));
}

py::object ToPython(TurnStatus status) {
  switch (status) {
    case TurnStatus::Success:
      return py::str("success");
    case TurnStatus::Cancelled:
      return py::str("cancelled");
    case TurnStatus::Error:
      break;
  }
  return py::str("error");
}

}  // namespace talefold::python
