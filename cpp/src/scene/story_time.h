// In-story time: how far a scene has come since it began.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace talefold {

// A span of story time, or a moment as the span since time zero. A month has 30 days
// and a year 12 months, so that spans add up whatever the calendar of the story.
struct StoryTime {
  std::int64_t seconds = 0;

  auto operator<=>(const StoryTime&) const = default;
};

inline StoryTime operator+(StoryTime a, StoryTime b) { return {a.seconds + b.seconds}; }
inline StoryTime operator-(StoryTime a, StoryTime b) { return {a.seconds - b.seconds}; }

// The longest span that is accepted: a hundred thousand years.
inline constexpr StoryTime kMaxStoryTime{std::int64_t{100'000} * 360 * 86'400};

// An ISO-8601 duration of whole numbers: "P1Y2M3DT4H5M6S", "PT90M", "P2W". Throws
// InvalidArgument; `what` names the text in the message: "duration".
StoryTime ParseStoryTime(std::string_view text, std::string_view what);

// The ISO-8601 duration of days, hours, minutes and seconds; "PT0S" for none.
// ParseStoryTime gives the same time again.
std::string FormatStoryTime(StoryTime time);

// How long before `now` a moment was, in words: "Recently", "2 hours and 5 minutes
// ago", "4 months ago"; the coarser the longer ago. The distance counts, not its sign.
std::string RelativeTimeLabel(StoryTime now, StoryTime moment);

}  // namespace talefold
