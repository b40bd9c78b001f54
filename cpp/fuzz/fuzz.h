// What every target uses. A target is called with the bytes of one input, again and
// again; it ends the process when they break a promise of the library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "talefold/error.h"

namespace talefold::fuzz {

inline std::string_view AsText(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

inline void Require(bool holds, const char* promise) {
  if (holds) return;
  std::fprintf(stderr, "broken promise: %s\n", promise);
  std::abort();
}

// What `make` returns; nullopt when it throws an Error. Nothing else may come out.
template <typename Make>
auto Try(const Make& make) -> std::optional<decltype(make())> {
  try {
    return make();
  } catch (const Error& error) {
    Require(error.code() != ErrorCode::InternalError, "no input is an internal error");
    return std::nullopt;
  }
}

}  // namespace talefold::fuzz
