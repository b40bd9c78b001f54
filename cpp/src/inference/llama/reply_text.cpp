#include "inference/llama/reply_text.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/text.h"

namespace talefold {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

enum class Form { Complete, Incomplete, Invalid };

struct BytesRead {
  Form form;
  std::size_t bytes;  // of the code point, or to replace by one U+FFFD
};

// The code point at the beginning of `text` (not empty), after table 3-7 of the Unicode
// standard.
BytesRead ReadCodePoint(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {Form::Complete, 1};
  if (lead < 0xC2 || lead > 0xF4) return {Form::Invalid, 1};
  const std::size_t size = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  unsigned char low = 0x80;
  unsigned char high = 0xBF;
  if (lead == 0xE0) low = 0xA0;
  if (lead == 0xED) high = 0x9F;
  if (lead == 0xF0) low = 0x90;
  if (lead == 0xF4) high = 0x8F;
  for (std::size_t i = 1; i < size; ++i) {
    if (i == text.size()) return {Form::Incomplete, i};
    if (byte(i) < low || byte(i) > high) return {Form::Invalid, i};
    low = 0x80;
    high = 0xBF;
  }
  return {Form::Complete, size};
}

}  // namespace

std::string ReplyText::Add(std::string_view bytes) {
  if (stopped_) return {};
  bytes_ += bytes;
  held_ += TakeCodePoints();
  return TakeCertain();
}

std::string ReplyText::TakeCodePoints() {
  std::string text;
  std::size_t at = 0;
  while (at < bytes_.size()) {
    const BytesRead next = ReadCodePoint(std::string_view(bytes_).substr(at));
    if (next.form == Form::Incomplete) break;
    if (next.form == Form::Complete) {
      text.append(bytes_, at, next.bytes);
    } else {
      text += kReplacement;
    }
    at += next.bytes;
  }
  bytes_.erase(0, at);
  return text;
}

std::string ReplyText::TakeCertain() {
  std::size_t met = std::string::npos;
  for (const std::string& stop : stops_) met = std::min(met, held_.find(stop));
  if (met != std::string::npos) {
    stopped_ = true;
    held_.resize(met);
    return std::exchange(held_, {});
  }
  std::size_t uncertain = 0;  // the longest end of held_ that begins a stop string
  for (const std::string& stop : stops_) {
    uncertain = std::max(uncertain, PartialMatch(held_, stop));
  }
  std::string certain = held_.substr(0, held_.size() - uncertain);
  held_.erase(0, certain.size());
  return certain;
}

std::string ReplyText::Finish() {
  if (stopped_) return {};
  std::string rest = std::exchange(held_, {});
  if (!std::exchange(bytes_, {}).empty()) rest += kReplacement;
  return rest;
}

}  // namespace talefold
