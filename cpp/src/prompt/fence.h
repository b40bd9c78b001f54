// The line that marks where foreign text begins and ends.
#pragma once

#include <span>
#include <string>

namespace talefold {

// A line of equals signs that stands in none of `texts`: nothing in them can pass for
// the mark.
std::string FenceFor(std::span<const std::string> texts);

}  // namespace talefold
