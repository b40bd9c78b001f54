#include <tuple>

#include "bind.h"
#include "convert.h"
#include "python_speech.h"

namespace talefold::python {

namespace {

using ReplyArgument = std::tuple<Text, Text, bool>;  // text, outcome, echo

// The numbers of Python's logging module.
int LoggingLevel(LogLevel level) { return 10 * (static_cast<int>(level) + 1); }

ScriptedReply::Outcome OutcomeFromName(std::string_view name) {
  using Outcome = ScriptedReply::Outcome;
  if (name == "finish") return Outcome::Finish;
  if (name == "fail") return Outcome::Fail;
  if (name == "stall") return Outcome::Stall;
  if (name == "out_of_context") return Outcome::OutOfContext;
  throw Error(ErrorCode::InvalidArgument,
              "outcome of a scripted reply is \"" + std::string(name) +
                  "\"; allowed are finish, fail, stall and out_of_context");
}

std::vector<ScriptedReply> Replies(const std::vector<ReplyArgument>& arguments) {
  std::vector<ScriptedReply> replies;
  for (const auto& [text, outcome, echo] : arguments) {
    replies.push_back({text.utf8, OutcomeFromName(outcome.utf8), echo});
  }
  return replies;
}

Engine* MakeEngine(std::int64_t worker_threads, std::int64_t max_message_bytes,
                   std::int64_t max_steps_per_turn, std::int64_t kv_cache_bytes,
                   std::int64_t slots_per_pool, bool deterministic, bool prewarm,
                   Text storage_root, py::function log_sink) {
  if (IsExiting()) {
    throw Error(ErrorCode::EngineClosed, "the interpreter is exiting");
  }
  EngineOptions options;
  options.worker_threads = Int32(worker_threads, "worker_threads");
  options.max_message_bytes = max_message_bytes;
  options.max_steps_per_turn = Int32(max_steps_per_turn, "max_steps_per_turn");
  options.kv_cache_bytes = kv_cache_bytes;
  options.slots_per_pool = Int32(slots_per_pool, "slots_per_pool");
  options.deterministic = deterministic;
  options.prewarm = prewarm;
  options.storage_root = std::move(storage_root.utf8);
  options.log_sink = [sink = Callback(std::move(log_sink))](LogLevel level,
                                                            std::string_view category,
                                                            std::string_view text) {
    sink(LoggingLevel(level), category, text);
  };
  ReleaseGil no_gil;
  return new Engine(std::move(options));
}

void LoadScriptedModel(
    Engine& engine, const Text& name, const std::vector<ReplyArgument>& replies,
    const std::vector<std::pair<Text, std::vector<ReplyArgument>>>& node_replies,
    Text tokenizer, std::int64_t trained_context_size, std::int64_t token_delay_us,
    bool record_requests, bool keep_reasoning, const Text& default_sampling) {
  ScriptedModelOptions options;
  options.replies = Replies(replies);
  for (const auto& [node, list] : node_replies) {
    options.node_replies[node.utf8] = Replies(list);
  }
  options.tokenizer = std::move(tokenizer.utf8);
  options.trained_context_size = Int32(trained_context_size, "trained_context_size");
  options.token_delay_us = Int32(token_delay_us, "token_delay_us");
  options.record_requests = record_requests;
  options.keep_reasoning = keep_reasoning;
  options.default_sampling =
      SamplingFromJson(default_sampling.utf8, "default_sampling");
  engine.LoadScriptedModel(name.utf8, std::move(options));
}

void LoadModel(Engine& engine, const Text& name, Text path, std::int64_t n_gpu_layers,
               std::int64_t default_context_size, Text chat_template,
               const Text& default_sampling, bool keep_reasoning, bool record_requests,
               py::function on_progress) {
  LlamaModelOptions options;
  options.path = std::move(path.utf8);
  options.n_gpu_layers = Int32(n_gpu_layers, "n_gpu_layers");
  options.default_context_size = Int32(default_context_size, "default_context_size");
  options.chat_template = std::move(chat_template.utf8);
  options.default_sampling =
      SamplingFromJson(default_sampling.utf8, "default_sampling");
  options.keep_reasoning = keep_reasoning;
  options.record_requests = record_requests;
  options.on_progress = Callback(std::move(on_progress));
  ReleaseGil no_gil;
  engine.LoadModel(name.utf8, std::move(options));
}

std::vector<float> NextTokenLogits(Engine& engine, const Text& model,
                                   std::vector<std::int32_t> prompt) {
  ReleaseGil no_gil;
  return engine.NextTokenLogits(model.utf8, std::move(prompt));
}

}  // namespace

void BindEngine(py::module_& module) {
  using py::arg;

  module.def("begin_exit", &BeginExit);

  py::class_<Engine, std::unique_ptr<Engine, DeleteEngine>>(module, "Engine")
      .def(py::init(&MakeEngine), arg("worker_threads"), arg("max_message_bytes"),
           arg("max_steps_per_turn"), arg("kv_cache_bytes"), arg("slots_per_pool"),
           arg("deterministic"), arg("prewarm"), arg("storage_root"), arg("log_sink"))
      .def("load_scripted_model", &LoadScriptedModel, arg("name"), arg("replies"),
           arg("node_replies"), arg("tokenizer"), arg("trained_context_size"),
           arg("token_delay_us"), arg("record_requests"), arg("keep_reasoning"),
           arg("default_sampling"), NoGil())
      .def("load_model", &LoadModel, arg("name"), arg("path"), arg("n_gpu_layers"),
           arg("default_context_size"), arg("chat_template"), arg("default_sampling"),
           arg("keep_reasoning"), arg("record_requests"), arg("on_progress"))
      .def(
          "unload_model",
          [](Engine& engine, const Text& name) { engine.UnloadModel(name.utf8); },
          arg("name"), NoGil())
      .def("models", &Engine::Models, NoGil())
      .def("stats", &Engine::Stats, NoGil())
      .def(
          "count_tokens",
          [](const Engine& engine, const Text& model, const Text& text) {
            return engine.CountTokens(model.utf8, text.utf8);
          },
          arg("model"), arg("text"), NoGil())
      .def(
          "recorded_requests",
          [](const Engine& engine, const Text& model) {
            return engine.RecordedRequests(model.utf8);
          },
          arg("model"), NoGil())
      .def(
          "next_token_logits",
          [](Engine& engine, const Text& model, std::vector<std::int32_t> prompt) {
            return ToFloatArray(NextTokenLogits(engine, model, std::move(prompt)));
          },
          arg("model"), arg("prompt"))
      .def(
          "set_speech_backend",
          [](Engine& engine, const py::object& backend) {
            std::shared_ptr<SpeechBackend> speech;
            if (!backend.is_none()) speech = std::make_shared<PythonSpeech>(backend);
            ReleaseGil no_gil;
            engine.SetSpeechBackend(std::move(speech));
          },
          arg("backend"))
      .def(
          "create_agent",
          [](Engine& engine, const GraphDescription& graph, Text default_model_name,
             bool enable_diagnostics, Text snapshot, const py::bytes& kv) {
            AgentOptions options;
            options.default_model_name = std::move(default_model_name.utf8);
            options.enable_diagnostics = enable_diagnostics;
            options.snapshot = std::move(snapshot.utf8);
            options.kv = std::string_view(kv);
            return engine.CreateAgent(graph, std::move(options));
          },
          arg("graph"), arg("default_model_name"), arg("enable_diagnostics"),
          arg("snapshot"), arg("kv"), NoGil())
      .def(
          "create_scene",
          [](Engine& engine, const GraphDescription* memory_graph,
             Text default_model_name, bool run_inline, bool enable_diagnostics,
             Text intro, Text intention, Text writing_style, const Text& format,
             Text snapshot) {
            SceneOptions options;
            if (memory_graph) options.memory_graph = *memory_graph;
            options.default_model_name = std::move(default_model_name.utf8);
            options.run_inline = run_inline;
            options.enable_diagnostics = enable_diagnostics;
            options.settings = {std::move(intro.utf8), std::move(intention.utf8),
                                std::move(writing_style.utf8),
                                SceneFormatFromName(format.utf8)};
            options.snapshot = std::move(snapshot.utf8);
            return engine.CreateScene(std::move(options));
          },
          arg("memory_graph"), arg("default_model_name"), arg("run_inline"),
          arg("enable_diagnostics"), arg("intro"), arg("intention"),
          arg("writing_style"), arg("format"), arg("snapshot"), NoGil())
      .def(
          "close",
          [](Engine& engine) {
            RefuseInCallback("close");
            engine.Close();
          },
          NoGil());
}

}  // namespace talefold::python
