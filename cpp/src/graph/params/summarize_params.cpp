// The Summarize node as data.
#include "graph/params/limits.h"
#include "graph/params/nested_params.h"

namespace talefold {

template <>
const EnumDescriptor& EnumDescriptorOf<OversizedTurn>() {
  static const EnumDescriptor descriptor{
      "OversizedTurn",
      "What happens to one interaction that alone exceeds the summarizer's context.",
      {
          Choice(OversizedTurn::Keep, "keep",
                 "Nothing is folded; the reason input_too_large is reported."),
          Choice(
              OversizedTurn::Abridge, "abridge",
              "Its beginning and end are folded, and the summary is marked abridged."),
      }};
  return descriptor;
}

namespace {

std::vector<FieldDescriptor> SummarizeFields() {
  using P = SummarizeParams;
  return {
      Field("model_name", &P::model_name)
          .Structural()
          .Group("Model")
          .Doc("Model that writes the summary; a general instruction model does better "
               "than one tuned for roleplay. Empty = the agent's default model."),
      Field("context_size", &P::context_size)
          .Structural()
          .Min(0)
          .Ui(0, 32768)
          .Group("Model")
          .Doc(
              "Context window of this node, in tokens, at most what the model was "
              "trained for. 0 = 2048, or the model's trained size if that is smaller."),
      Field("system_prompt", &P::system_prompt)
          .Localizable()
          .Multiline()
          .Group("Prompt")
          .Doc("How to summarize. Empty = the built-in instructions: third person, "
               "speakers by name, nothing invented."),
      Field("template", &P::template_text)
          .CppName("template_text")
          .Localizable()
          .Multiline()
          .Group("Prompt")
          .Doc("Mustache template of the request; tags: previous_summary, "
               "max_summary_tokens, and the section turns with index, user and "
               "assistant. Empty = the built-in request."),
      Field("trigger_tokens", &P::trigger_tokens)
          .Min(0)
          .Ui(256, 8192)
          .Group("Behavior")
          .Doc(
              "Fold when the turns waiting outside the hot window have at least this "
              "many tokens; keep it well below what the reply node can show. 0 = off."),
      Field("trigger_turns", &P::trigger_turns)
          .Min(0)
          .Ui(0, 50)
          .Group("Behavior")
          .Doc(
              "Fold when at least this many turns wait outside the hot window; checked "
              "before trigger_tokens. 0 = off. With both off the node does nothing."),
      Field("keep_recent_turns", &P::keep_recent_turns)
          .Range(0, 512)
          .Ui(0, 20)
          .Group("Behavior")
          .Doc("The hot window: this many of the latest turns are never folded."),
      Field("max_summary_tokens", &P::max_summary_tokens)
          .Min(16)
          .Ui(64, 1024)
          .Group("Behavior")
          .Doc("Longest summary, in tokens; at least 64 tokens of context_size must "
               "stay "
               "free beside it."),
      Field("oversized_turn", &P::oversized_turn)
          .Group("Behavior")
          .Doc("What to do with one turn that alone exceeds this node's context."),
      Field("notify_client", &P::notify_client)
          .Group("Output")
          .Doc("Send the game a `summarized` event after each fold."),
      SamplingField(&P::sampling),
      Field("run_inline", &P::run_inline)
          .Group("Advanced")
          .Doc("Fold inside the turn that triggered it, which lasts that much longer. "
               "Off: beside the next turns, which go first."),
      ContextField(&P::context),
      AdaptationField(&P::adaptation),
      Field("default_exit", &P::default_exit)
          .Exit()
          .Doc("Node that runs next, folded or not. Empty = the turn ends."),
  };
}

std::vector<KeyDescriptor> SummarizeDiagnostics() {
  const std::string no_fold = "this turn did not fold";
  const std::string fold = "this turn folded, or scheduled a fold";
  const std::string not_scheduled = "this turn scheduled no fold";
  std::vector<KeyDescriptor> keys = ModelDiagnostics(no_fold);
  keys.insert(
      keys.end(),
      {
          {"output.raw_text", "The text as the model wrote it.",
           no_fold + ", or it equals output.text"},
          {"last_fold.covered_through", "Index of the last interaction folded in.",
           no_fold},
          {"last_fold.folded_turns", "How many interactions this fold took in.",
           no_fold},
          {"last_fold.summary_tokens", "Tokens generated for the summary.", no_fold},
          {"last_fold.summarizer_prompt_tokens", "Tokens of the summarizer's prompt.",
           no_fold},
          {"last_fold.folded_input_tokens", "Tokens of the turns folded in.", no_fold},
          {"last_fold.abridged",
           "True: a turn was cut to its beginning and end to fit in.",
           "no turn was cut"},
          {"fold.scheduled", "True: the fold goes on beside the next turns.",
           not_scheduled},
          {"fold.covered_through", "Index of the last interaction it will fold in.",
           not_scheduled},
          {"fold.folded_turns", "How many interactions it will take in.",
           not_scheduled},
          {"skipped.reason", "Why this turn did not fold: one of the skip reasons.",
           fold},
          {"skipped.pending_turns",
           "Turns that wait outside the hot window since the last fold.", fold},
          {"skipped.pending_tokens",
           "Tokens of those turns; 0 when trigger_tokens is off or trigger_turns "
           "fired.",
           fold},
          {"skipped.required_context_size",
           "The context_size, in tokens, at which the next turn to fold would fit.",
           "the reason is not input_too_large"},
      });
  return keys;
}

std::vector<KeyDescriptor> SkipReasons() {
  return {
      {"empty_dialog", "There is no interaction yet.", ""},
      {"hot_window_covers_dialog",
       "There are no more turns than keep_recent_turns keeps out of folds.", ""},
      {"nothing_new_outside_hot_window",
       "Every turn outside the hot window is in the summary already.", ""},
      {"below_threshold",
       "Neither trigger is reached by the waiting turns, or both are off.", ""},
      {"input_too_large",
       "The next turn to fold exceeds the summarizer's context by itself; the summary "
       "stays as it was.",
       ""},
      {"model_error", "The model failed; the summary stays as it was.", ""},
      {"cancelled", "The turn was cancelled meanwhile; the summary stays as it was.",
       ""},
      {"empty_output", "The model wrote no text; the summary stays as it was.", ""},
      {"fold_pending",
       "With run_inline off: a fold that an earlier turn scheduled is not committed "
       "yet.",
       ""},
      {"summary_too_large",
       "A reply node has no room for the new summary in its own tokens; the summary "
       "stays as it was.",
       ""},
  };
}

void CheckRoom(const AnyNodeParams& any, std::string_view node,
               std::vector<GraphProblem>& problems) {
  const auto& params = std::get<SummarizeParams>(any);
  const std::int64_t context = params.context_size;
  const std::int64_t summary = params.max_summary_tokens;
  if (context == 0 || context - summary >= kMinSummarizerInput) return;
  std::string what = std::to_string(summary) + " of context_size " +
                     std::to_string(context) + " leaves " +
                     std::to_string(context - summary) + " tokens free; at least " +
                     std::to_string(kMinSummarizerInput) + " are needed";
  std::string hint = "set context_size to " +
                     std::to_string(summary + kMinSummarizerInput) + " or more";
  const double min_summary = *DescriptorOf(any).params.Find("max_summary_tokens")->min;
  const std::int64_t fitting = context - kMinSummarizerInput;
  if (static_cast<double>(fitting) >= min_summary) {
    hint += ", or max_summary_tokens to " + std::to_string(fitting) + " or less";
  }
  problems.push_back(ParamProblem(node, "max_summary_tokens", what, std::move(hint)));
}

}  // namespace

const NodeDescriptor& SummarizeDescriptor() {
  static const NodeDescriptor descriptor{
      .type = NodeType::Summarize,
      .name = "Summarize",
      .summary = "Folds the older turns of a long conversation into a rolling summary.",
      .params = {"SummarizeParams", "Params of a Summarize node.", SummarizeFields()},
      .exits = {{"default", "default_exit",
                 "Always taken, whether or not this turn folded."}},
      .diagnostics = SummarizeDiagnostics(),
      .skip_reasons = SkipReasons(),
      .events =
          {{"summarized",
            "A fold succeeded; sent when notify_client is on.",
            {
                {"covered_through", "Index of the last interaction folded in.", ""},
                {"folded_turns", "How many interactions this fold took in.", ""},
                {"summary_chars", "Length of the summary in Unicode code points.", ""},
                {"summary_text", "The summary.", ""},
                {"summary_tokens",
                 "Tokens generated for the summary; they count in no turn.",
                 "run_inline is on"},
            }},
           {"fold_failed",
            "A fold beside the turns came to nothing; sent when notify_client is on.",
            {
                {"reason", "One of the skip reasons.", ""},
                {"error", "What the model reported; may be empty.", ""},
            }}},
      .side_effects =
          {
              "On a fold, attaches the new summary to the running interaction; the "
              "summaries before it stay in the dialog but are no longer used.",
              "On a fold, makes every node decide anew what to leave out of its "
              "prompt.",
              "Adds the tokens it generates to the turn's tokens_generated, those of a "
              "fold that failed or was cancelled too.",
              "Sends no answer_text: a summary is not a reply.",
              "Never fails the turn: a model error, an empty output or a turn too "
              "large "
              "leaves the summary as it was and logs a warning.",
              "Summaries are part of snapshots.",
              "Holds a KV cache of its own, of context_size tokens.",
          },
      .make_default = [] { return AnyNodeParams(SummarizeParams{}); },
      .check = CheckRoom,
  };
  return descriptor;
}

}  // namespace talefold
