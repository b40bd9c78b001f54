// What a running turn sees of its agent's scheduled folds.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "runtime/agent_impl.h"

namespace talefold {

// Lives on the worker's stack for one turn.
class Agent::Impl::TurnFolds final : public FoldQueue {
 public:
  // The turn's interaction is to be number `index`.
  TurnFolds(Impl& agent, Turn::Impl& turn, std::size_t index)
      : agent_(agent), turn_(turn), index_(index) {}

  bool IsPending(std::string_view node) const override;
  void Schedule(FoldTask task) override { scheduled_.push_back(std::move(task)); }
  bool FinishOverdue(bool turn_ends) override;

  // The turn is committed: what it scheduled begins. Call with the agent's mutex held.
  void Start(std::int64_t interaction_id);

 private:
  Impl& agent_;
  Turn::Impl& turn_;
  const std::size_t index_;
  std::vector<FoldTask> scheduled_;
};

}  // namespace talefold
