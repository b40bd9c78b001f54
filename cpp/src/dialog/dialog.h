// The ordered interactions of one agent.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dialog/interaction.h"

namespace talefold {

// A value: copies share the interactions, which are never changed in place. Not
// thread-safe; the agent guards its own.
class Dialog {
 public:
  std::size_t size() const { return interactions_.size(); }
  bool empty() const { return interactions_.empty(); }
  const Interaction& at(std::size_t index) const { return *interactions_.at(index); }

  void Append(Interaction interaction);
  // Removes the last interaction, its summary included. The dialog must not be empty.
  Interaction PopLast();
  // Replaces the given texts, bumps the revision, and marks every summary that covers
  // the interaction as stale.
  void Edit(std::size_t index, std::optional<std::string> user,
            std::optional<std::string> assistant);
  // The interaction carries this summary from now on, in place of the one it had.
  void SetSummary(std::size_t carrier, SummaryComponent summary);
  // The interaction's tool call `call` has this result from now on.
  void SetToolResult(std::size_t index, std::size_t call, std::string result);

  // Index of the newest interaction below `end` that carries a summary.
  std::optional<std::size_t> NewestCarrier(std::size_t end) const;

 private:
  std::vector<std::shared_ptr<const Interaction>> interactions_;
  std::vector<std::size_t> carriers_;  // ascending
};

}  // namespace talefold
