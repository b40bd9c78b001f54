// The Retrieve node as data.
#include "graph/field_builder.h"

namespace talefold {

const NodeDescriptor& RetrieveDescriptor() {
  using P = RetrieveParams;
  static const NodeDescriptor descriptor{
      .type = NodeType::Retrieve,
      .name = "Retrieve",
      .summary =
          "Attaches the records of a knowledge base that are nearest to the "
          "player's text.",
      .params =
          {"RetrieveParams",
           "Params of a Retrieve node.",
           {
               Field("embedded_string_storage", &P::embedded_string_storage)
                   .Structural()
                   .NonEmpty()
                   .Group("Knowledge")
                   .Doc("The knowledge base: a name, or the path of a config file "
                        "under the engine's storage root."),
               Field("top_k", &P::top_k)
                   .Range(1, 1000)
                   .Ui(1, 10)
                   .Group("Behavior")
                   .Doc("Records that are attached at most."),
               Field("threshold", &P::threshold)
                   .Range(0, 1)
                   .Group("Behavior")
                   .Doc("Largest distance of a record from the text, 1 - cosine; of a "
                        "search by keywords, the share of the text's words that it "
                        "lacks. 0 = any."),
               Field("source", &P::source)
                   .Group("Behavior")
                   .Doc("Name under which templates find it: knowledge_<source>. Empty "
                        "= the node's name."),
               Field("filter", &P::filter)
                   .Multiline()
                   .Group("Knowledge")
                   .Doc("Which records are looked at, by their metadata: JSON text, "
                        "such as {\"op\": \"eq\", \"args\": [{\"knowledge\": "
                        "\"place\"}, {\"value\": \"inn\"}]}. Empty = all."),
               Field("found_exit", &P::found_exit)
                   .Exit()
                   .Doc("Node that runs when records were found. Empty = the turn "
                        "ends."),
               Field("not_found_exit", &P::not_found_exit)
                   .Exit()
                   .Doc("Node that runs when there were none. Empty = the turn ends."),
           }},
      .exits = {{"found", "found_exit", "At least one record was attached."},
                {"not_found", "not_found_exit",
                 "No record is near enough, or the player said nothing."}},
      .diagnostics = {{"parameters.*",
                       "Every param of the node, as it was in this turn.", ""},
                      {"knowledge.source", "Name of the block.", ""},
                      {"knowledge.chunks[]",
                       "What was found, nearest first: id, text and distance.", ""},
                      {"knowledge.search_method",
                       "\"cosine\", or \"bm25\" without an embedding model.", ""}},
      .skip_reasons = {},
      .events = {},
      .side_effects = {"Attaches the records to the running interaction, in place of "
                       "those of the same source; a block without records when "
                       "nothing was found. They are not replayed in later turns."},
      .make_default = [] { return AnyNodeParams(RetrieveParams{}); },
      .check = nullptr,
  };
  return descriptor;
}

}  // namespace talefold
