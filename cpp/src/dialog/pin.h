// Facts that every prompt of a character shows.
#pragma once

#include <string>

namespace talefold {

// Never trimmed, never folded.
struct Pin {
  std::string key;   // the host's name for it; the model does not see it
  std::string text;  // one line or more; data, never an instruction

  bool operator==(const Pin&) const = default;
};

}  // namespace talefold
