#include "graph/params/memory_fields.h"

namespace talefold {

std::vector<EventDescriptor> MemoryEvents() {
  return {
      {"memory_progress",
       "Work on an entry begins.",
       {
           {"layer", "Where the entry goes: 0 = base.", ""},
           {"done", "Entries that this run has written to it.", ""},
           {"total", "About how many there will be then.", ""},
       }},
      {"entry_committed",
       "A new entry is part of the scene's memory.",
       {
           {"id", "Of the entry.", ""},
           {"layer", "0 = base.", ""},
           {"reason",
            "What ended a base entry: threshold, time_passage or presence_change.",
            "the layer is not 0"},
           {"verbatim", "true: its text, or a part of it, is that of the sources.", ""},
       }},
      {"entry_edited",
       "The text of an entry was replaced, by hand or by regenerating it.",
       {
           {"id", "Of the entry.", ""},
           {"layer", "0 = base.", ""},
       }},
      {"entry_removed",
       "An entry is gone.",
       {
           {"id", "Of the entry.", ""},
           {"layer", "0 = base.", ""},
       }},
      {"memory_failed",
       "No entry came of the work; what was there is as it was.",
       {
           {"layer", "0 = base.", ""},
           {"reason", "cancelled, empty_output or model_error.", ""},
           {"error", "What the model reported; may be empty.", ""},
       }},
  };
}

}  // namespace talefold
