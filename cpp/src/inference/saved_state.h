// The state of a sequence outside the engine: its tokens and the bytes of their cells.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "inference/token.h"
#include "talefold/error.h"

namespace talefold {

// What cells depend on beside their tokens, field by field. Cells may be used where all
// fields are equal, and nowhere else.
using StateIdentity = std::vector<std::pair<std::string, std::string>>;

// What is known of a saved state without its content.
struct StateShape {
  StateIdentity identity = {};
  std::size_t tokens = 0;
  std::size_t in_whole_chunks = 0;  // as in KvState
  std::size_t bytes = 0;            // of the cells
};

struct SavedState {
  StateShape shape = {};
  std::vector<Token> tokens = {};
  std::vector<std::byte> bytes = {};
};

// A state to be loaded; the bytes belong to someone else.
struct StateView {
  StateShape shape = {};
  std::vector<Token> tokens = {};
  std::span<const std::byte> bytes = {};
};

// A KvRejected error; `node` and `field` may be empty.
Error KvRejection(std::string_view node, std::string_view field,
                  const std::string& problem);

// Throws KvRejected, with node, field and both values, when a field of one is not, or
// is another, in the other one.
void CheckIdentity(std::string_view node, const StateIdentity& saved,
                   const StateIdentity& present);

}  // namespace talefold
