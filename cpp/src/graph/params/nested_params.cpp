#include "graph/params/nested_params.h"

namespace talefold {

namespace {

constexpr double kMaxSeed = 4294967295.0;  // an unsigned 32-bit seed

std::vector<FieldDescriptor> SamplingFields() {
  using S = SamplingOverrides;
  return {
      Field("temperature", &S::temperature)
          .Range(0, 5)
          .Ui(0, 2)
          .Group("Sampling")
          .Doc("Randomness of the choice of tokens; 0 = always the likeliest token."),
      Field("top_p", &S::top_p)
          .Range(0, 1)
          .Ui(0, 1)
          .Group("Sampling")
          .Doc(
              "Draw from the likeliest tokens that together have this probability; 1 = "
              "off."),
      Field("top_k", &S::top_k)
          .Min(0)
          .Ui(0, 200)
          .Group("Sampling")
          .Doc("Draw from this many of the likeliest tokens; 0 = off."),
      Field("min_p", &S::min_p)
          .Range(0, 1)
          .Ui(0, 0.5)
          .Group("Sampling")
          .Doc("Drop tokens less likely than this share of the likeliest token's "
               "probability; 0 = off."),
      Field("max_tokens", &S::max_tokens)
          .Min(1)
          .Ui(16, 1024)
          .Group("Sampling")
          .Doc("Longest output, in tokens; that much of context_size is kept free for "
               "it."),
      Field("seed", &S::seed)
          .Range(0, kMaxSeed)
          .Ui(0, kMaxSeed)
          .Group("Sampling")
          .Doc("Seed of the random draws; 0 = a new one each turn."),
      Field("repeat_penalty", &S::repeat_penalty)
          .Range(0.1, 10)
          .Ui(1, 1.5)
          .Group("Repetition")
          .Doc("Divides the score of tokens generated lately; 1 = off."),
      Field("repeat_last_n", &S::repeat_last_n)
          .Min(0)
          .Ui(0, 1024)
          .Group("Repetition")
          .Doc("How many of the latest generated tokens the repeat, presence and "
               "frequency penalties look at; 0 = none."),
      Field("presence_penalty", &S::presence_penalty)
          .Range(-2, 2)
          .Ui(0, 2)
          .Group("Repetition")
          .Doc("Subtracted once from the score of each token generated lately; 0 = "
               "off."),
      Field("frequency_penalty", &S::frequency_penalty)
          .Range(-2, 2)
          .Ui(0, 2)
          .Group("Repetition")
          .Doc("Subtracted from a token's score for each time it was generated lately; "
               "0 "
               "= off."),
      Field("dry_multiplier", &S::dry_multiplier)
          .Min(0)
          .Ui(0, 2)
          .Group("Repetition")
          .Doc("Strength of the DRY penalty on repeated sequences of tokens; 0 = off."),
      Field("dry_base", &S::dry_base)
          .Min(1)
          .Ui(1, 4)
          .Group("Repetition")
          .Doc("How steeply the DRY penalty grows with each further repeated token."),
      Field("dry_allowed_length", &S::dry_allowed_length)
          .Min(0)
          .Ui(0, 16)
          .Group("Repetition")
          .Doc("Repeated sequences up to this many tokens are not penalized by DRY."),
      Field("dry_penalty_last_n", &S::dry_penalty_last_n)
          .Min(0)
          .Ui(0, 1024)
          .Group("Repetition")
          .Doc("How many of the latest generated tokens DRY searches for repetitions; "
               "0 = "
               "none."),
      Field("stop", &S::stop)
          .NonEmpty()
          .Group("Sampling")
          .Doc(
              "Texts that end the output when the model writes one; the text itself is "
              "left out."),
  };
}

std::vector<FieldDescriptor> ContextFields() {
  using C = ContextOverrides;
  return {
      Field("kv_type", &C::kv_type)
          .Structural()
          .Group("Memory")
          .Doc("Number format of the KV cache; the quantized ones need flash "
               "attention."),
      Field("n_gpu_layers", &C::n_gpu_layers)
          .Structural()
          .Min(-1)
          .Ui(-1, 100)
          .Group("Memory")
          .Doc("Layers of the model kept on the GPU; 0 = none, -1 = all."),
      Field("n_batch", &C::n_batch)
          .Structural()
          .Min(1)
          .Ui(32, 2048)
          .Group("Batching")
          .Doc("Most tokens handed to the model in one call."),
      Field("n_ubatch", &C::n_ubatch)
          .Structural()
          .Min(1)
          .Ui(32, 2048)
          .Group("Batching")
          .Doc("Most tokens computed at the same time, at most n_batch."),
      Field("n_threads", &C::n_threads)
          .Structural()
          .Min(1)
          .Ui(1, 32)
          .Group("Batching")
          .Doc("CPU threads that compute for this node."),
      Field("flash_attention", &C::flash_attention)
          .Structural()
          .Group("Memory")
          .Doc("Use the attention kernel that needs less memory."),
  };
}

}  // namespace

template <>
const EnumDescriptor& EnumDescriptorOf<KvType>() {
  static const EnumDescriptor descriptor{
      "KvType",
      "Number format of a KV cache.",
      {
          Choice(KvType::F16, "f16", "16-bit floats, the exact form."),
          Choice(KvType::Q8_0, "q8_0", "8 bits a value, about half the memory of f16."),
          Choice(KvType::Q4_0, "q4_0",
                 "4 bits a value, about a quarter of the memory of f16, less exact."),
      }};
  return descriptor;
}

template <>
const StructDescriptor& StructDescriptorOf<SamplingOverrides>() {
  static const StructDescriptor descriptor{
      "SamplingOverrides",
      "How the next token is chosen. Every field may be left unset and is then the "
      "model's own.",
      SamplingFields()};
  return descriptor;
}

template <>
const StructDescriptor& StructDescriptorOf<ContextOverrides>() {
  static const StructDescriptor descriptor{"ContextOverrides",
                                           "Memory and batching of a node's model "
                                           "context. Every field may be left unset and "
                                           "is then inherited from the model.",
                                           ContextFields()};
  return descriptor;
}

template <>
const StructDescriptor& StructDescriptorOf<LoraAdapter>() {
  static const StructDescriptor descriptor{
      "LoraAdapter",
      "One LoRA adapter and how strongly it is applied.",
      {
          Field("path", &LoraAdapter::path)
              .Structural()
              .NonEmpty()
              .Group("Adapter")
              .Doc("File of the adapter."),
          Field("scale", &LoraAdapter::scale)
              .Structural()
              .Ui(0, 2)
              .Group("Adapter")
              .Doc("Strength of the adapter; 1 = as trained, 0 = without effect."),
      }};
  return descriptor;
}

template <>
const StructDescriptor& StructDescriptorOf<ModelAdaptation>() {
  static const StructDescriptor descriptor{
      "ModelAdaptation",
      "What is applied on top of a model's weights.",
      {
          Field("loras", &ModelAdaptation::loras)
              .Structural()
              .Group("Adapter")
              .Doc("LoRA adapters, all applied together; empty = the base model."),
      }};
  return descriptor;
}

// Of tool_call_params.cpp.
template <>
const StructDescriptor& StructDescriptorOf<ToolParameter>();
template <>
const StructDescriptor& StructDescriptorOf<ToolDescription>();

const std::vector<const StructDescriptor*>& NestedStructDescriptors() {
  static const std::vector<const StructDescriptor*> descriptors{
      &StructDescriptorOf<SamplingOverrides>(), &StructDescriptorOf<ContextOverrides>(),
      &StructDescriptorOf<LoraAdapter>(),       &StructDescriptorOf<ModelAdaptation>(),
      &StructDescriptorOf<ToolParameter>(),     &StructDescriptorOf<ToolDescription>(),
      &StructDescriptorOf<IntentDescription>(), &StructDescriptorOf<HistoryParams>()};
  return descriptors;
}

std::vector<KeyDescriptor> PromptDiagnostics(const std::string& absent_when) {
  const std::string no_output = absent_when + ", or the model failed";
  const std::string nothing_differed =
      no_output + ", it was the first request of its sequence, or nothing differed";
  return {
      {"parameters.*",
       "Every param of the node, as it was in this turn; context_size is the one in "
       "use, "
       "never 0.",
       ""},
      {"input.prompt[]", "The messages of the prompt: `role` and `text` of each.",
       absent_when},
      {"input.prompt_tokens", "Tokens of the prompt.", absent_when},
      {"input.reused_tokens", "Prompt tokens found in the KV cache.", no_output},
      {"input.decoded_tokens", "Prompt tokens computed for this request.", no_output},
      {"input.first_changed_token",
       "Position of the first prompt token that differed from the KV cache.",
       nothing_differed},
      {"input.first_changed_message",
       "Index in input.prompt[] of the message that token belongs to.",
       nothing_differed},
  };
}

std::vector<KeyDescriptor> ModelDiagnostics(const std::string& absent_when) {
  const std::string no_output = absent_when + ", or the model failed";
  std::vector<KeyDescriptor> keys = PromptDiagnostics(absent_when);
  const std::vector<KeyDescriptor> output = {
      {"output.text", "The text the node used.", no_output},
      {"output.reasoning",
       "What the model thought before it answered; part of no text elsewhere.",
       no_output + ", it did not, or the model was loaded with keep_reasoning"},
      {"output.tokens_generated", "Tokens the model generated.", no_output},
      {"output.stop_reason",
       "Why generation ended: end_of_reply, max_tokens, context_full or cancelled.",
       no_output},
      {"output.first_token_ms",
       "Milliseconds from the start of the request to its first token.",
       no_output + ", or no token was generated"},
  };
  keys.insert(keys.end(), output.begin(), output.end());
  return keys;
}

}  // namespace talefold
