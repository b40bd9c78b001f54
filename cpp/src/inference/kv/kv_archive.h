// KV states of an agent's nodes as one string of bytes, and back.
//
//   bytes  content
//   8      "TFOLDKV\n"
//   4      format version, 1
//   4      h, length of the header
//   8      length of everything, to the last byte
//   h      header: JSON that lists the entries with their identity and sizes
//   ...    of each entry in turn: its token ids (4 bytes each), its cells
//   8      XXH64 of all bytes before
//
// Numbers are little-endian.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "inference/saved_state.h"

namespace talefold {

struct NodeStateShape {
  std::string node;
  StateShape shape;
};

struct NodeState {
  std::string node;
  SavedState state;
};

struct NodeStateView {
  std::string node;
  StateView state;
};

// The length of what WriteKvArchive returns for states of these shapes, in this order.
std::size_t KvArchiveSize(std::span<const NodeStateShape> shapes);

// Takes the states apart as it goes, so that they are not in memory twice.
std::string WriteKvArchive(std::vector<NodeState> states);

// The states refer to `archive`. Throws KvRejected for anything that WriteKvArchive
// does not write; what the identities and numbers of the states mean is not checked.
std::vector<NodeStateView> ReadKvArchive(std::string_view archive);

}  // namespace talefold
