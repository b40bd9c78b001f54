// The params of every node type, as plain structs. Meaning, range and flags of each
// field stand in its descriptor (src/graph/params/), from which the node reference, the
// JSON schema and the Python dataclasses are generated.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

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

struct GenerateParams {
  std::string model_name = {};
  std::int32_t context_size = 0;
  std::string system_prompt = {};
  std::string template_text =
      {};  // `template` on every other surface; a C++ keyword here
  Placement placement = Placement::BeforeUserAsSystem;
  bool stream = false;
  SamplingOverrides sampling = {};
  ContextOverrides context = {};
  ModelAdaptation adaptation = {};
  std::string default_exit = {};

  bool operator==(const GenerateParams&) const = default;
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
