// Texts that a node takes from a string storage, or from its own params.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "nodes/node.h"

namespace talefold {

// The List of a node with the params string_storage and inline_strings, of which
// exactly one is given. Throws what finding the storage does, MalformedStorage or
// StorageTooLarge.
std::shared_ptr<const StringStorage> LinesOf(
    const std::string& node, const std::string& string_storage,
    const std::vector<std::string>& inline_strings, const NodeEnvironment& environment);

// Adds a problem unless exactly one of string_storage and `inline_field`, which has
// `inline_texts` texts, is given.
void CheckTextSource(const std::string& node, const std::string& string_storage,
                     const std::string& inline_field, std::size_t inline_texts,
                     std::vector<GraphProblem>& problems);

}  // namespace talefold
