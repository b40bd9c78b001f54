// Says where an error happened that was thrown without knowing.
#pragma once

#include <string>
#include <string_view>

#include "talefold/error.h"

namespace talefold {

// What `work()` returns; the message of an error it throws begins with `place`.
template <typename Work>
decltype(auto) AtPlace(std::string_view place, const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    throw Error(error.code(), std::string(place) + error.message(), error.hint());
  }
}

}  // namespace talefold
