#include "scene/story_time.h"

#include <array>
#include <cstdlib>
#include <utility>
#include <vector>

#include "base/json.h"

namespace talefold {

namespace {

constexpr std::int64_t kMinute = 60;
constexpr std::int64_t kHour = 60 * kMinute;
constexpr std::int64_t kDay = 24 * kHour;
constexpr std::int64_t kMonth = 30 * kDay;
constexpr std::int64_t kYear = 12 * kMonth;

struct Unit {
  char letter;
  std::int64_t seconds;
};

// In the order in which they may stand.
constexpr std::array<Unit, 4> kDateUnits = {
    {{'Y', kYear}, {'M', kMonth}, {'W', 7 * kDay}, {'D', kDay}}};
constexpr std::array<Unit, 3> kTimeUnits = {{{'H', kHour}, {'M', kMinute}, {'S', 1}}};

[[noreturn]] void FailParse(std::string_view text, std::string_view what,
                            const std::string& reason) {
  throw Error(ErrorCode::InvalidArgument,
              std::string(what) + " " + DescribeJson(json::value(text)) + ": " + reason,
              "write an ISO-8601 duration of whole numbers, such as \"PT90M\", "
              "\"P1DT12H\" or \"P2W\"; at most 100000 years");
}

class DurationParser {
 public:
  DurationParser(std::string_view text, std::string_view what)
      : text_(text), what_(what) {}

  StoryTime Parse() {
    if (!Take('P')) FailParse(text_, what_, "it does not begin with 'P'");
    ReadParts(kDateUnits);
    if (Take('T')) {
      const std::size_t before = parts_;
      ReadParts(kTimeUnits);
      if (parts_ == before) FailParse(text_, what_, "no number follows 'T'");
    }
    if (at_ != text_.size()) {
      FailParse(text_, what_,
                "unexpected text at character " + std::to_string(at_ + 1));
    }
    if (parts_ == 0) FailParse(text_, what_, "it holds no number");
    return {total_};
  }

 private:
  bool Take(char c) {
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  static bool IsDigit(char c) { return c >= '0' && c <= '9'; }

  std::int64_t ReadNumber() {
    std::int64_t number = 0;
    for (; at_ < text_.size() && IsDigit(text_[at_]); ++at_) {
      number = number * 10 + (text_[at_] - '0');
      if (number > kMaxStoryTime.seconds) FailParse(text_, what_, "it is too long");
    }
    return number;
  }

  template <typename Units>
  void ReadParts(const Units& units) {
    auto next_unit = units.begin();
    while (at_ < text_.size() && IsDigit(text_[at_])) {
      const std::int64_t number = ReadNumber();
      while (next_unit != units.end() && !Take(next_unit->letter)) ++next_unit;
      if (next_unit == units.end()) {
        FailParse(text_, what_, "no unit fits at character " + std::to_string(at_ + 1));
      }
      Add(number, next_unit->seconds);
      ++next_unit;
    }
  }

  void Add(std::int64_t number, std::int64_t unit) {
    ++parts_;
    if (number > (kMaxStoryTime.seconds - total_) / unit) {
      FailParse(text_, what_, "it is too long");
    }
    total_ += number * unit;
  }

  const std::string_view text_;
  const std::string_view what_;
  std::size_t at_ = 0;
  std::size_t parts_ = 0;
  std::int64_t total_ = 0;
};

// "3 hours"
std::string Count(std::int64_t number, std::string_view unit) {
  return std::to_string(number) + " " + std::string(unit) + (number == 1 ? "" : "s");
}

// "1 day, 2 hours and 3 minutes": those of the parts that are not zero.
std::string JoinCounts(
    const std::vector<std::pair<std::int64_t, std::string_view>>& parts) {
  std::vector<std::string> counts;
  for (const auto& [number, unit] : parts) {
    if (number > 0) counts.push_back(Count(number, unit));
  }
  std::string text;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (i > 0) text += i + 1 == counts.size() ? " and " : ", ";
    text += counts[i];
  }
  return text;
}

std::string InWords(std::int64_t seconds) {
  const std::int64_t days = seconds / kDay;
  const std::int64_t months = seconds / kMonth;
  if (seconds < kDay) {
    return JoinCounts({{seconds / kHour, "hour"},
                       {seconds % kHour / kMinute, "minute"},
                       {seconds % kMinute, "second"}});
  }
  if (seconds < 3 * kDay) {
    const std::int64_t hours = (seconds + 30 * kMinute) / kHour;
    return JoinCounts({{hours / 24, "day"}, {hours % 24, "hour"}});
  }
  if (seconds < kMonth) return Count(days, "day");
  if (seconds < 6 * kMonth) return JoinCounts({{months, "month"}, {days % 30, "day"}});
  if (seconds < kYear) return Count(months, "month");
  if (seconds < 3 * kYear) {
    return JoinCounts({{months / 12, "year"}, {months % 12, "month"}});
  }
  return Count(seconds / kYear, "year");
}

}  // namespace

StoryTime ParseStoryTime(std::string_view text, std::string_view what) {
  return DurationParser(text, what).Parse();
}

std::string FormatStoryTime(StoryTime time) {
  if (time.seconds == 0) return "PT0S";
  const std::int64_t rest = time.seconds % kDay;
  std::string text = "P";
  if (time.seconds >= kDay) text += std::to_string(time.seconds / kDay) + "D";
  if (rest == 0) return text;
  text += 'T';
  if (rest >= kHour) text += std::to_string(rest / kHour) + "H";
  if (rest % kHour >= kMinute) text += std::to_string(rest % kHour / kMinute) + "M";
  if (rest % kMinute > 0) text += std::to_string(rest % kMinute) + "S";
  return text;
}

std::string RelativeTimeLabel(StoryTime now, StoryTime moment) {
  const std::int64_t distance = std::abs((now - moment).seconds);
  return distance == 0 ? "Recently" : InWords(distance) + " ago";
}

}  // namespace talefold
