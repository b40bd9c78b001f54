#include "inference/model.h"

#include "talefold/error.h"

namespace talefold {

std::string_view StopReasonName(StopReason reason) {
  switch (reason) {
    case StopReason::EndOfReply:
      return "end_of_reply";
    case StopReason::MaxTokens:
      return "max_tokens";
    case StopReason::ContextFull:
      return "context_full";
    case StopReason::Cancelled:
      break;
  }
  return "cancelled";
}

std::vector<float> Model::NextTokenLogits(std::span<const Token>) {
  throw Error(ErrorCode::InvalidArgument,
              "a model of kind '" + std::string(kind()) + "' has no logits");
}

}  // namespace talefold
