// Bytes of sampled tokens -> text for the player: whole code points, cut at stop
// strings.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace talefold {

// One reply, one thread. Bytes that are not UTF-8 become U+FFFD.
class ReplyText {
 public:
  explicit ReplyText(std::vector<std::string> stop_strings)
      : stops_(std::move(stop_strings)) {}

  // Adds a token's bytes and returns the text that is certain now: complete code points
  // that cannot be the beginning of a stop string.
  std::string Add(std::string_view bytes);
  // The rest of the reply when the model ended without a stop string.
  std::string Finish();
  // A stop string was met; it and what follows are not part of the reply.
  bool stopped() const { return stopped_; }

 private:
  std::string TakeCodePoints();
  std::string TakeCertain();

  const std::vector<std::string> stops_;
  std::string bytes_;  // not yet complete code points
  std::string held_;   // text that may be the beginning of a stop string
  bool stopped_ = false;
};

}  // namespace talefold
