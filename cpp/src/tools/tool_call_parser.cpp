#include "tools/tool_call_parser.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "base/text.h"
#include "base/text_position.h"
#include "tools/tool_call_check.h"

namespace talefold {
namespace {

constexpr std::size_t kMaxCalls = 64;
constexpr std::string_view kWhitespace = " \t\n\r";
// What may stand between two calls.
constexpr std::string_view kBetweenCalls = " \t\n\r,;]";

std::size_t SkipWhitespace(std::string_view text, std::size_t pos) {
  return std::min(text.find_first_not_of(kWhitespace, pos), text.size());
}

// The end of the JSON object that begins at `begin`, or npos when nothing closes it.
std::size_t ObjectEnd(std::string_view text, std::size_t begin) {
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t i = begin; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if ((c == '}' || c == ']') && --depth == 0) {
      return i + 1;
    }
  }
  return text.npos;
}

class ReplyParser {
 public:
  ReplyParser(std::string_view reply, const ToolFormat& format, const ToolSet& tools)
      : reply_(reply), format_(format), tools_(tools) {}

  ParsedReply Run() {
    while (pos_ < reply_.size() && attempts_ <= kMaxCalls) Step();
    result_.prose = std::string(TrimWhitespace(result_.prose));
    return std::move(result_);
  }

 private:
  void Step() {
    if (StartsWith(format_.call_marker)) {
      pos_ += format_.call_marker.size();
      pos_ = SkipWhitespace(reply_, pos_);
      if (pos_ < reply_.size() && reply_[pos_] == '[') {
        pos_ = SkipWhitespace(reply_, pos_ + 1);
      }
      ReadCall();
    } else if (StartsWith(format_.call_end_marker)) {
      pos_ += format_.call_end_marker.size();
    } else if (const std::size_t call = BareCall(); call != reply_.npos) {
      pos_ = call;
      ReadCall();
    } else if (attempts_ > 0 && next_to_call_ &&
               kBetweenCalls.find(reply_[pos_]) != kBetweenCalls.npos) {
      ++pos_;
    } else {
      if (kWhitespace.find(reply_[pos_]) == kWhitespace.npos) next_to_call_ = false;
      result_.prose += reply_[pos_++];
    }
  }

  bool StartsWith(std::string_view marker) const {
    return !marker.empty() && reply_.substr(pos_).starts_with(marker);
  }

  // Where a call without a marker begins, here or after a '[' here; else npos.
  std::size_t BareCall() const {
    if (!next_to_call_ && !format_.calls_anywhere) return reply_.npos;
    std::size_t pos = pos_;
    if (reply_[pos] == '[') pos = SkipWhitespace(reply_, pos + 1);
    return BeginsCall(pos) ? pos : reply_.npos;
  }

  // An object whose first key is one of a call: what goes wrong after that is a call
  // gone wrong.
  bool BeginsCall(std::size_t pos) const {
    if (pos >= reply_.size() || reply_[pos] != '{') return false;
    const std::string_view rest = reply_.substr(SkipWhitespace(reply_, pos + 1));
    const auto begins_rest = [&](std::string_view key) {
      return rest.starts_with('"') && rest.substr(1).starts_with(key) &&
             rest.substr(1 + key.size()).starts_with('"');
    };
    return begins_rest(format_.name_key) || begins_rest(format_.arguments_key) ||
           begins_rest("type");  // Llama 3 likes to say "function" first
  }

  // A call has been announced; its object should begin at pos_.
  void ReadCall() {
    next_to_call_ = true;
    const std::size_t begin = pos_;
    if (++attempts_ > kMaxCalls) {
      result_.problems.push_back(
          {ToolCallProblemKind::TooManyCalls, begin,
           "the reply has more than " + std::to_string(kMaxCalls) + " tool calls"});
      return;
    }
    if (begin >= reply_.size() || reply_[begin] != '{') {
      AddProblem(begin, "an object with the tool's name is expected");
      pos_ = CallEnd(begin);
      return;
    }
    const std::size_t end = ObjectEnd(reply_, begin);
    pos_ = end == reply_.npos ? CallEnd(begin) : end;
    auto checked = CheckToolCall(reply_, begin, reply_.substr(begin, pos_ - begin),
                                 attempts_ - 1, format_, tools_);
    if (auto* call = std::get_if<ToolCall>(&checked)) {
      result_.calls.push_back(std::move(*call));
    } else {
      result_.problems.push_back(std::get<ToolCallProblem>(std::move(checked)));
    }
  }

  // Where a call that cannot be read ends: at its end marker, or with the reply.
  std::size_t CallEnd(std::size_t begin) const {
    if (format_.call_end_marker.empty()) return reply_.size();
    return std::min(reply_.find(format_.call_end_marker, begin), reply_.size());
  }

  void AddProblem(std::size_t offset, const std::string& what) {
    result_.problems.push_back({ToolCallProblemKind::Malformed, offset,
                                "tool call " + std::to_string(attempts_) + ": " +
                                    DescribePosition(reply_, offset) + ": " + what});
  }

  const std::string_view reply_;
  const ToolFormat& format_;
  const ToolSet& tools_;
  ParsedReply result_;
  std::size_t pos_ = 0;
  std::size_t attempts_ = 0;  // calls so far, bad ones too
  bool next_to_call_ = true;  // only white space, calls and what is between them so far
};

}  // namespace

ParsedReply ParseToolCalls(std::string_view reply, const ToolFormat& format,
                           const ToolSet& tools) {
  return ReplyParser(reply, format, tools).Run();
}

}  // namespace talefold
