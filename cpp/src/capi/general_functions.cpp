// Errors, and facts about the library.
#include <algorithm>

#include "base/json.h"
#include "capi/border.h"
#include "capi/functions.h"
#include "capi/results.h"
#include "talefold/graph.h"

namespace talefold::capi {

namespace {

#ifdef TALEFOLD_WITH_LLAMA
constexpr bool kHasLlama = true;
#else
constexpr bool kHasLlama = false;
#endif

void LastErrorOf(talefold_error* error) {
  const bool usable = !CatchError([&] { OutStruct(error, "error"); });
  if (!usable) return;
  const ThreadState& state = State();
  if (state.error) FillError(error, *state.error);
  if (state.out_of_memory) error->code = TALEFOLD_INTERNAL_ERROR;
}

bool IsErrorCode(std::int32_t code) {
  return std::ranges::any_of(ErrorTable(), [code](const ErrorInfo& info) {
    return static_cast<std::int32_t>(info.code) == code;
  });
}

std::int32_t Fail(std::int32_t code, talefold_text message, talefold_text hint) {
  return Call([&] {
    const ErrorCode known =
        IsErrorCode(code) ? static_cast<ErrorCode>(code) : ErrorCode::SpeechFailed;
    throw Error(known, std::string(Read(message, "message")),
                std::string(Read(hint, "hint")));
  });
}

std::int32_t BuildInfo(talefold_text* json) {
  return Call([&] {
    talefold_text& out = Out(json, "json");
    Return(out, json::serialize(json::object{{"version", TALEFOLD_VERSION},
                                             {"abi_version", TALEFOLD_ABI_VERSION},
                                             {"llama", kHasLlama}}));
  });
}

std::int32_t Descriptors(talefold_text* json) {
  return Call([&] {
    talefold_text& out = Out(json, "json");
    Return(out, DescriptorsJson());
  });
}

}  // namespace

void AddGeneralFunctions(talefold_api& api) {
  api.last_error = LastErrorOf;
  api.fail = Fail;
  api.build_info = BuildInfo;
  api.descriptors = Descriptors;
}

}  // namespace talefold::capi
