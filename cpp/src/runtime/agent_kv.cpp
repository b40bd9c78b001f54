// An agent's KV states as bytes, and back.

#include <utility>

#include "inference/kv/kv_archive.h"
#include "runtime/agent_impl.h"

namespace talefold {

namespace {

// Of the node called `name`; nullptr when the graph has none that replays history.
Sequence* HistorySequence(const CompiledGraph& graph, const std::string& name) {
  Node* node = graph.Find(name);
  return node ? node->history_sequence() : nullptr;
}

}  // namespace

Agent::Impl::KvCall::KvCall(const Impl& agent) : agent_(agent) {
  const Lock lock = agent_.LockIdle();
  agent_.in_kv_call_ = true;
}

Agent::Impl::KvCall::~KvCall() {
  const Lock lock(agent_.mutex_);
  agent_.in_kv_call_ = false;
  agent_.idle_.notify_all();
}

std::string Agent::Impl::ExportKv() const {
  const KvCall call(*this);
  std::vector<NodeState> states;
  for (const auto& node : graph_->nodes()) {
    Sequence* sequence = node->history_sequence();
    if (!sequence) continue;
    if (auto state = sequence->SaveState()) {
      states.push_back({node->name(), *std::move(state)});
    }
  }
  return WriteKvArchive(std::move(states));
}

std::int64_t Agent::Impl::KvExportSize() const {
  const KvCall call(*this);
  std::vector<NodeStateShape> shapes;
  for (const auto& node : graph_->nodes()) {
    Sequence* sequence = node->history_sequence();
    if (!sequence) continue;
    if (auto shape = sequence->DescribeState()) {
      shapes.push_back({node->name(), *std::move(shape)});
    }
  }
  return static_cast<std::int64_t>(KvArchiveSize(shapes));
}

void Agent::Impl::ImportKv(std::string_view bytes) {
  const KvCall call(*this);
  const std::vector<NodeStateView> states = ReadKvArchive(bytes);
  for (const auto& [node, state] : states) {
    Sequence* sequence = HistorySequence(*graph_, node);
    if (!sequence) {
      throw KvRejection(node, "", "the graph has no such node that replays history");
    }
    sequence->CheckState(state);
  }
  // From here on only room can be lacking. What is loaded later may push out what was
  // loaded before.
  try {
    for (const auto& [node, state] : states) {
      HistorySequence(*graph_, node)->LoadState(state);
    }
    for (const auto& [node, state] : states) {
      if (HistorySequence(*graph_, node)->DescribeState()) continue;
      throw KvRejection(node, "bytes", "kv_cache_bytes has no room for all states");
    }
  } catch (...) {
    for (const auto& [node, state] : states) {
      HistorySequence(*graph_, node)->DropState();
    }
    throw;
  }
}

void Agent::Impl::TryKv(std::string_view bytes) {
  try {
    ImportKv(bytes);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::KvRejected) throw;
    kv_rejection_ = error;
    engine_->logger().Log(LogLevel::Warning, "agent", error.what());
  }
}

std::optional<Error> Agent::Impl::kv_rejection() const {
  const Lock lock = LockOpen();
  return kv_rejection_;
}

}  // namespace talefold
