// The one symbol that the library exports.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "capi/functions.h"

namespace {

using talefold::capi::AddAgentFunctions;
using talefold::capi::AddContentFunctions;
using talefold::capi::AddEngineFunctions;
using talefold::capi::AddGeneralFunctions;
using talefold::capi::AddGraphFunctions;
using talefold::capi::AddSceneFunctions;
using talefold::capi::AddSpeechFunctions;
using talefold::capi::AddTaskFunctions;

// What a caller needs to learn why anything failed.
constexpr std::size_t kLeastBytes =
    offsetof(talefold_api, last_error) + sizeof(talefold_api::last_error);
// Beyond any version of the table: a size that was never set.
constexpr std::size_t kMostBytes = 1 << 16;

talefold_api MakeTable() {
  talefold_api api{};
  AddGeneralFunctions(api);
  AddGraphFunctions(api);
  AddEngineFunctions(api);
  AddContentFunctions(api);
  AddSpeechFunctions(api);
  AddAgentFunctions(api);
  AddTaskFunctions(api);
  AddSceneFunctions(api);
  return api;
}

}  // namespace

std::int32_t talefold_get_api(std::uint32_t abi_version, talefold_api* api,
                              std::size_t api_size) {
  if (abi_version != TALEFOLD_ABI_VERSION || !api || api_size < kLeastBytes ||
      api_size > kMostBytes) {
    return TALEFOLD_INVALID_ARGUMENT;
  }
  talefold_api table = MakeTable();
  const std::size_t whole = api_size - api_size % sizeof(void (*)());  // functions
  table.size = std::min(whole, sizeof table);
  std::memset(static_cast<void*>(api), 0, api_size);
  std::memcpy(static_cast<void*>(api), &table, table.size);
  return TALEFOLD_OK;
}
