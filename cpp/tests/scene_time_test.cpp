// ISO-8601 durations and how they read in a prompt.
#include <boost/test/unit_test.hpp>

#include "runtime_fixture.h"
#include "scene/story_time.h"

namespace talefold {
namespace {

constexpr std::int64_t kHour = 3600;
constexpr std::int64_t kDay = 24 * kHour;

BOOST_AUTO_TEST_SUITE(scene_time)

BOOST_AUTO_TEST_CASE(durations_are_read_in_every_unit) {
  struct Case {
    const char* text;
    std::int64_t seconds;
  };
  const Case cases[] = {
      {"PT0S", 0},
      {"PT1S", 1},
      {"PT90M", 5400},
      {"PT1H30M5S", 5405},
      {"P1D", kDay},
      {"P2W", 14 * kDay},
      {"P1M", 30 * kDay},
      {"P1Y", 360 * kDay},
      {"P1Y2M3DT4H5M6S", (360 + 60 + 3) * kDay + 4 * kHour + 306},
      {"P0D", 0},
      {"P100000Y", kMaxStoryTime.seconds},
  };
  for (const Case& c : cases) {
    BOOST_TEST_CONTEXT(c.text) {
      BOOST_TEST(ParseStoryTime(c.text, "duration").seconds == c.seconds);
    }
  }
}

BOOST_AUTO_TEST_CASE(what_is_no_duration_is_refused_by_name) {
  for (const char* text : {"", "P", "PT", "P1", "1D", "P1H", "PT1D", "P1D2Y", "PT1S1S",
                           "P-1D", "-P1D", "P1.5D", "P1DT", "p1d", "P1D ", "PT1H\n",
                           "P100001Y", "P100000YT1S", "P99999999999999999999D"}) {
    BOOST_TEST_CONTEXT("'" << text << "'") {
      BOOST_CHECK_EXCEPTION(ParseStoryTime(text, "duration"), Error,
                            [](const Error& error) {
                              return error.code() == ErrorCode::InvalidArgument &&
                                     error.message().starts_with("duration ");
                            });
    }
  }
}

BOOST_AUTO_TEST_CASE(a_written_time_is_read_back_as_the_same) {
  for (const std::int64_t seconds :
       {std::int64_t{0}, std::int64_t{1}, std::int64_t{59}, std::int64_t{3600},
        kDay - 1, kDay, kDay + 60, 45 * kDay + 7, kMaxStoryTime.seconds}) {
    BOOST_TEST(ParseStoryTime(FormatStoryTime({seconds}), "time").seconds == seconds);
  }
  BOOST_TEST(FormatStoryTime({kDay + kHour + 5}) == "P1DT1H5S");
}

BOOST_AUTO_TEST_CASE(times_add_up_and_compare) {
  BOOST_TEST((StoryTime{5} + StoryTime{3} == StoryTime{8}));
  BOOST_TEST((StoryTime{5} - StoryTime{8} < StoryTime{}));
}

BOOST_AUTO_TEST_CASE(labels_grow_coarser_with_the_distance) {
  struct Case {
    std::int64_t distance;
    const char* label;
  };
  const Case cases[] = {
      {0, "Recently"},
      {1, "1 second ago"},
      {kHour + 120 + 3, "1 hour, 2 minutes and 3 seconds ago"},
      {2 * kHour, "2 hours ago"},
      {kDay - 1, "23 hours, 59 minutes and 59 seconds ago"},
      {kDay, "1 day ago"},
      {kDay + 2 * kHour + 29 * 60, "1 day and 2 hours ago"},
      {kDay + 2 * kHour + 30 * 60, "1 day and 3 hours ago"},
      {2 * kDay - 60, "2 days ago"},
      {3 * kDay, "3 days ago"},
      {30 * kDay - 1, "29 days ago"},
      {30 * kDay, "1 month ago"},
      {67 * kDay + kHour, "2 months and 7 days ago"},
      {180 * kDay, "6 months ago"},
      {359 * kDay, "11 months ago"},
      {360 * kDay, "1 year ago"},
      {35 * 30 * kDay, "2 years and 11 months ago"},
      {36 * 30 * kDay, "3 years ago"},
      {1000 * 360 * kDay, "1000 years ago"},
  };
  for (const Case& c : cases) {
    BOOST_TEST_CONTEXT(c.distance) {
      BOOST_TEST(RelativeTimeLabel({c.distance}, {}) == c.label);
      BOOST_TEST(RelativeTimeLabel({}, {c.distance}) == c.label);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace talefold
