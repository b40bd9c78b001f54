// The ClassifyIntent node as data.
#include "graph/field_builder.h"

namespace talefold {

const NodeDescriptor& ClassifyIntentDescriptor() {
  using P = ClassifyIntentParams;
  static const NodeDescriptor descriptor{
      .type = NodeType::ClassifyIntent,
      .name = "ClassifyIntent",
      .summary =
          "Finds what the player wants: the label of the nearest record of a "
          "knowledge base.",
      .params =
          {"ClassifyIntentParams",
           "Params of a ClassifyIntent node.",
           {
               Field("embedded_string_storage", &P::embedded_string_storage)
                   .Structural()
                   .NonEmpty()
                   .Group("Knowledge")
                   .Doc("The knowledge base of things players say: a name, or the path "
                        "of a config file under the engine's storage root."),
               Field("metadata_field", &P::metadata_field)
                   .NonEmpty()
                   .Group("Knowledge")
                   .Doc("Field of its records that holds the label."),
               Field("threshold", &P::threshold)
                   .Range(0, 1)
                   .Group("Behavior")
                   .Doc(
                       "Largest distance of the record from the text, 1 - cosine; of a "
                       "search by keywords, the share of the text's words that it "
                       "lacks. 0 = any."),
               Field("filter", &P::filter)
                   .Multiline()
                   .Group("Knowledge")
                   .Doc("Which records are looked at, by their metadata: JSON text, as "
                        "of a Retrieve node. Empty = all."),
               Field("notify_client", &P::notify_client)
                   .Group("Output")
                   .Doc("Send an event when an intention was found."),
               Field("diagnostic_topk", &P::diagnostic_topk)
                   .Range(1, 64)
                   .Group("Output")
                   .Doc("Records that the diagnostics list."),
               Field("found_exit", &P::found_exit)
                   .Exit()
                   .Doc("Node that runs when an intention was found. Empty = the turn "
                        "ends."),
               Field("not_found_exit", &P::not_found_exit)
                   .Exit()
                   .Doc("Node that runs when none was. Empty = the turn ends."),
           }},
      .exits =
          {{"found", "found_exit", "The nearest record has a label."},
           {"not_found", "not_found_exit",
            "No record is near enough, the nearest one has no label, or the player "
            "said nothing."}},
      .diagnostics = {{"parameters.*",
                       "Every param of the node, as it was in this turn.", ""},
                      {"intention.intent", "The label.", "none was found"},
                      {"intention.search_method",
                       "\"cosine\", or \"bm25\" without an embedding model.", ""},
                      {"intention.nearest[]",
                       "The nearest records, however far: id, label and distance.",
                       ""}},
      .skip_reasons = {},
      .events = {{"intent",
                  "An intention was found; sent when notify_client is on.",
                  {{"intent", "The label.", ""}, {"record", "Id of the record.", ""}}}},
      .side_effects = {"Attaches the intention to the running interaction, in place of "
                       "an earlier one. It is not replayed in later turns."},
      .make_default = [] { return AnyNodeParams(ClassifyIntentParams{}); },
      .check = nullptr,
  };
  return descriptor;
}

}  // namespace talefold
