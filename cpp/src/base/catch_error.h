// What work throws, as an Error.
#pragma once

#include <exception>
#include <optional>

#include "talefold/error.h"

namespace talefold {

// Runs `work` and turns whatever it throws into an Error.
template <typename Work>
std::optional<Error> CatchError(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    return error;
  } catch (const std::exception& error) {
    return Error(ErrorCode::InternalError, error.what());
  } catch (...) {
    return Error(ErrorCode::InternalError, "an exception of unknown type");
  }
  return std::nullopt;
}

}  // namespace talefold
