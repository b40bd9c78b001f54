// The params of every node type, as plain structs. Meaning, range and flags of each
// field stand in its descriptor (src/graph/params/), from which the node reference, the
// JSON schema and the Python dataclasses are generated.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "talefold/scene_info.h"
#include "talefold/tool.h"

namespace talefold {

// Overrides of a model's sampling settings; an unset field keeps the model's own.
struct SamplingOverrides {
  std::optional<double> temperature = {};
  std::optional<double> top_p = {};
  std::optional<std::int32_t> top_k = {};
  std::optional<double> min_p = {};
  std::optional<std::int32_t> max_tokens = {};
  std::optional<std::int64_t> seed = {};
  std::optional<double> repeat_penalty = {};
  std::optional<std::int32_t> repeat_last_n = {};
  std::optional<double> presence_penalty = {};
  std::optional<double> frequency_penalty = {};
  std::optional<double> dry_multiplier = {};
  std::optional<double> dry_base = {};
  std::optional<std::int32_t> dry_allowed_length = {};
  std::optional<std::int32_t> dry_penalty_last_n = {};
  std::optional<std::vector<std::string>> stop = {};

  bool operator==(const SamplingOverrides&) const = default;
};

enum class KvType { F16, Q8_0, Q4_0 };

// Memory and batching settings of a node's model context; unset fields inherit.
struct ContextOverrides {
  std::optional<KvType> kv_type = {};
  std::optional<std::int32_t> n_gpu_layers = {};
  std::optional<std::int32_t> n_batch = {};
  std::optional<std::int32_t> n_ubatch = {};
  std::optional<std::int32_t> n_threads = {};
  std::optional<bool> flash_attention = {};

  bool operator==(const ContextOverrides&) const = default;
};

struct LoraAdapter {
  std::string path = {};
  double scale = 1.0;

  bool operator==(const LoraAdapter&) const = default;
};

// LoRA adapters applied to a node's model; empty = the base model.
struct ModelAdaptation {
  std::vector<LoraAdapter> loras = {};

  bool operator==(const ModelAdaptation&) const = default;
};

// Where the rendered `template` of a Generate-class node goes, relative to the user's
// message.
enum class Placement {
  InPlaceOfUser,
  BeforeUserAsUser,
  BeforeUserAsSystem,
  AfterUserAsUser,
  AfterUserAsSystem,
};

// Whether the prompts of a scene are laid out so that they begin alike.
enum class PromptCaching {
  Auto,  // as the model says: llama.cpp's caches, a scripted one does not
  On,
  Off,
};

// How much of a scene's story a node shows its model. Of no meaning in an agent.
struct HistoryParams {
  std::optional<SceneFormat> format = {};  // unset = the scene's
  std::int32_t max_budget = 8192;
  bool best_fit = true;
  std::int32_t min_dialogue = 5;
  std::int32_t max_dialogue = 250;
  std::int32_t dialogue_ratio = 50;
  std::int32_t summary_detail_ratio = 50;
  bool enforce_summary_boundary = false;
  bool time_labels = true;

  bool operator==(const HistoryParams&) const = default;
};

struct GenerateParams {
  std::string model_name = {};
  std::int32_t context_size = 0;
  std::string system_prompt = {};
  std::string template_text =
      {};  // `template` on every other surface; a C++ keyword here
  Placement placement = Placement::BeforeUserAsSystem;
  bool stream = false;
  std::string output_slot = {};
  PromptCaching prompt_caching = PromptCaching::Auto;
  HistoryParams history = {};
  SamplingOverrides sampling = {};
  ContextOverrides context = {};
  ModelAdaptation adaptation = {};
  std::string default_exit = {};

  bool operator==(const GenerateParams&) const = default;
};

struct GenerateAndSpeakParams {
  std::string model_name = {};
  std::int32_t context_size = 0;
  std::string system_prompt = {};
  std::string template_text =
      {};  // `template` on every other surface; a C++ keyword here
  Placement placement = Placement::BeforeUserAsSystem;
  bool stream = false;
  std::string tts_voice = {};
  std::int32_t speaker_id = 0;
  double speed = 1.0;
  std::int32_t min_sentence_chars = 12;
  PromptCaching prompt_caching = PromptCaching::Auto;
  HistoryParams history = {};
  SamplingOverrides sampling = {};
  ContextOverrides context = {};
  ModelAdaptation adaptation = {};
  std::string default_exit = {};

  bool operator==(const GenerateAndSpeakParams&) const = default;
};

struct SpeakParams {
  std::string tts_voice = {};
  std::int32_t speaker_id = 0;
  double speed = 1.0;
  std::int32_t min_sentence_chars = 12;
  std::string default_exit = {};

  bool operator==(const SpeakParams&) const = default;
};

struct ToolCallParams {
  std::string model_name = {};
  std::int32_t context_size = 0;
  std::string system_prompt = {};
  std::vector<ToolDescription> tools = {};
  ToolCallFormat tool_call_format = ToolCallFormat::Auto;
  ToolChoice tool_choice = ToolChoice::Auto;
  bool grammar = true;
  bool generate_on_no_tool = false;
  bool notify_client = false;
  std::string output_slot = {};
  PromptCaching prompt_caching = PromptCaching::Auto;
  HistoryParams history = {};
  SamplingOverrides sampling = {};
  ContextOverrides context = {};
  ModelAdaptation adaptation = {};
  std::string tool_called_exit = {};
  std::string no_tool_called_exit = {};

  bool operator==(const ToolCallParams&) const = default;
};

struct InstructionParams {
  std::string instruction_name = {};
  std::string instruction = {};
  std::string default_exit = {};

  bool operator==(const InstructionParams&) const = default;
};

struct RetrieveParams {
  std::string embedded_string_storage = {};
  std::int32_t top_k = 2;
  double threshold = 0.5;
  std::string source = {};
  std::string filter = {};  // JSON text
  std::string found_exit = {};
  std::string not_found_exit = {};

  bool operator==(const RetrieveParams&) const = default;
};

struct ClassifyIntentParams {
  std::string embedded_string_storage = {};
  std::string metadata_field = {};
  double threshold = 0.25;
  std::string filter = {};  // JSON text
  bool notify_client = false;
  std::int32_t diagnostic_topk = 5;
  std::string found_exit = {};
  std::string not_found_exit = {};

  bool operator==(const ClassifyIntentParams&) const = default;
};

struct IntentDescription {
  std::string id = {};
  std::string description = {};  // what the model is told of it

  bool operator==(const IntentDescription&) const = default;
};

struct ClassifyIntentLLMParams {
  std::string model_name = {};
  std::int32_t context_size = 0;
  std::string system_prompt = {};
  std::vector<IntentDescription> intents = {};
  std::int32_t history_turns = 2;
  double threshold = 0.5;
  double margin = 0.15;
  std::string not_found_intent = {};
  bool notify_client = false;
  SamplingOverrides sampling = {};
  ContextOverrides context = {};
  ModelAdaptation adaptation = {};
  std::string found_exit = {};
  std::string not_found_exit = {};

  bool operator==(const ClassifyIntentLLMParams&) const = default;
};

struct IntentToInstructionParams {
  std::string string_storage = {};
  std::vector<std::string> inline_keys = {};
  std::vector<std::string> inline_values = {};
  std::string instruction_name = {};
  std::string default_exit = {};

  bool operator==(const IntentToInstructionParams&) const = default;
};

// Which of its lines a CannedResponse node says next.
enum class SelectionStrategy { Random, Sequential, Shuffle };

struct CannedResponseParams {
  std::string string_storage = {};
  std::vector<std::string> inline_strings = {};
  SelectionStrategy selection_strategy = SelectionStrategy::Shuffle;
  std::string output_slot = {};
  std::string default_exit = {};

  bool operator==(const CannedResponseParams&) const = default;
};

struct HumanMessageGuardrailParams {
  std::string string_storage = {};
  std::vector<std::string> inline_strings = {};
  std::string triggered_exit = {};
  std::string not_triggered_exit = {};

  bool operator==(const HumanMessageGuardrailParams&) const = default;
};

// What Summarize does with one interaction that alone exceeds its context.
enum class OversizedTurn { Keep, Abridge };

struct SummarizeParams {
  std::string model_name = {};
  std::int32_t context_size = 0;
  std::string system_prompt = {};
  std::string template_text =
      {};  // `template` on every other surface; a C++ keyword here
  std::int32_t trigger_tokens = 1024;
  std::int32_t trigger_turns = 0;
  std::int32_t keep_recent_turns = 3;
  std::int32_t max_summary_tokens = 256;
  OversizedTurn oversized_turn = OversizedTurn::Keep;
  bool notify_client = false;
  SamplingOverrides sampling = {};
  bool run_inline = true;
  ContextOverrides context = {};
  ModelAdaptation adaptation = {};
  std::string default_exit = {};

  bool operator==(const SummarizeParams&) const = default;
};

// What a scene's summaries look like.
enum class SummaryMethod { Short, Balanced, Long, Facts };

struct ArchiveParams {
  std::string model_name = {};
  std::int32_t context_size = 0;
  bool enabled = true;
  std::int32_t token_threshold = 1536;
  SummaryMethod method = SummaryMethod::Balanced;
  std::int32_t preceding_summaries = 6;
  std::string custom_instructions = {};
  SamplingOverrides sampling = {};
  ContextOverrides context = {};
  ModelAdaptation adaptation = {};
  std::string default_exit = {};

  bool operator==(const ArchiveParams&) const = default;
};

struct LayeredHistoryParams {
  std::string model_name = {};
  std::int32_t context_size = 0;
  bool enabled = true;
  std::int32_t token_threshold = 1536;
  std::int32_t max_layers = 3;
  std::int32_t max_process_tokens = 768;
  std::int32_t chunk_chars = 1280;
  bool analyze = true;
  std::int32_t max_response_tokens = 2048;
  SamplingOverrides sampling = {};
  ContextOverrides context = {};
  ModelAdaptation adaptation = {};
  std::string default_exit = {};

  bool operator==(const LayeredHistoryParams&) const = default;
};

// Frozen numbers of the node types; JSON uses the names.
enum class NodeType : int {
#define TALEFOLD_NODE(Name, number) Name = number,
#include "talefold/node_types.def"
#undef TALEFOLD_NODE
};

// The params of one node of any type.
using AnyNodeParams = std::variant<
#define TALEFOLD_NODE(Name, number) Name##Params,
#include "talefold/node_types.def"
#undef TALEFOLD_NODE
    std::monostate>;

namespace NodeParams {
#define TALEFOLD_NODE(Name, number) using Name##ParamsT = Name##Params;
#include "talefold/node_types.def"
#undef TALEFOLD_NODE
}  // namespace NodeParams

}  // namespace talefold
