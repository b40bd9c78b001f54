// Everything of an agent that a snapshot keeps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "dialog/dialog.h"
#include "dialog/pin.h"
#include "storage/line_selection.h"

namespace talefold {

// Where the trim window of one node stood after each turn that moved it: removing turns
// brings the earlier window back.
class TrimHistory {
 public:
  struct Mark {
    std::size_t at;    // index of the interaction whose turn moved the window
    std::size_t from;  // interactions below this one are trimmed
    bool operator==(const Mark&) const = default;
  };

  // The window of a dialog of `dialog_size` interactions; 0 = nothing trimmed.
  std::size_t From(std::size_t dialog_size) const {
    for (auto mark = marks_.rbegin(); mark != marks_.rend(); ++mark) {
      if (mark->at < dialog_size) return mark->from;
    }
    return 0;
  }

  // Forgets what later turns did, then moves the window.
  void Set(std::size_t at, std::size_t from) {
    Truncate(at);
    if (From(at) != from) marks_.push_back({at, from});
  }

  void Truncate(std::size_t dialog_size) {
    while (!marks_.empty() && marks_.back().at >= dialog_size) marks_.pop_back();
  }

  const std::vector<Mark>& marks() const { return marks_; }
  bool operator==(const TrimHistory&) const = default;

 private:
  std::vector<Mark> marks_;  // ascending by `at`
};

// Where the selection of each node that says canned lines stands, by node name.
using LineCursors = std::map<std::string, LineCursor, std::less<>>;

struct AgentState {
  Dialog dialog;
  std::map<std::string, TrimHistory, std::less<>> trims;  // by node name
  std::vector<Pin> pins;                                  // in the order of pinning
  LineCursors lines;
};

}  // namespace talefold
