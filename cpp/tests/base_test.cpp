#include <boost/test/unit_test.hpp>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/logger.h"
#include "base/text.h"
#include "base/text_position.h"
#include "inference/model.h"
#include "talefold/error.h"

using namespace talefold;
using namespace std::string_literals;

namespace {

// Without a default label, so that the compiler names an enumerator missing here.
bool IsErrorCode(ErrorCode code) {
  switch (code) {
    case ErrorCode::InternalError:
    case ErrorCode::EngineClosed:
    case ErrorCode::InvalidArgument:
    case ErrorCode::InvalidUtf8:
    case ErrorCode::MessageTooLarge:
    case ErrorCode::InvalidHandle:
    case ErrorCode::AgentClosed:
    case ErrorCode::InteractionNotFound:
    case ErrorCode::GraphCompilationFailed:
    case ErrorCode::AgentBusy:
    case ErrorCode::UnknownNode:
    case ErrorCode::ParamNotMutable:
    case ErrorCode::InvalidParamValue:
    case ErrorCode::InvalidExitTarget:
    case ErrorCode::StorageOutsideRoot:
    case ErrorCode::StorageFileNotFound:
    case ErrorCode::StorageKindMismatch:
    case ErrorCode::NoDecisionPending:
    case ErrorCode::SummaryNotFound:
    case ErrorCode::ToolCallNotFound:
    case ErrorCode::InferenceFailed:
    case ErrorCode::InferenceTimeout:
    case ErrorCode::MaxStepsExceeded:
    case ErrorCode::ContextOverflow:
    case ErrorCode::SpeechFailed:
    case ErrorCode::SpeechUnavailable:
    case ErrorCode::ModelNotFound:
    case ErrorCode::ModelLoadFailed:
    case ErrorCode::UnsupportedChatTemplate:
    case ErrorCode::AdapterMismatch:
    case ErrorCode::MalformedStorage:
    case ErrorCode::DuplicateStorageId:
    case ErrorCode::StorageTooLarge:
    case ErrorCode::StorageNameConflict:
    case ErrorCode::StorageFileUnreadable:
    case ErrorCode::MalformedEmbeddedStorage:
    case ErrorCode::EmbeddedStorageVersionTooNew:
    case ErrorCode::InvalidMetadata:
    case ErrorCode::InvalidFilter:
    case ErrorCode::EmbeddingFailed:
    case ErrorCode::MalformedSnapshot:
    case ErrorCode::SnapshotVersionTooNew:
    case ErrorCode::DialogUnsupportedComponent:
    case ErrorCode::SnapshotGraphMismatch:
    case ErrorCode::KvRejected:
      return true;
  }
  return false;
}

Error CatchError(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  return Error(ErrorCode::InternalError, "nothing was thrown");
}

bool Contains(const std::string& text, std::string_view part) {
  return text.find(part) != text.npos;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(error)

BOOST_AUTO_TEST_CASE(table_lists_every_code_once_and_ascending) {
  std::vector<int> expected;
  for (int number = 0; number < 10000; ++number) {
    if (IsErrorCode(static_cast<ErrorCode>(number))) expected.push_back(number);
  }

  std::vector<int> listed;
  for (const ErrorInfo& info : ErrorTable()) {
    listed.push_back(static_cast<int>(info.code));
  }

  BOOST_TEST(listed == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(every_meaning_is_one_sentence) {
  for (const ErrorInfo& info : ErrorTable()) {
    BOOST_TEST_CONTEXT(info.name) {
      BOOST_TEST(info.meaning.size() > 10u);
      BOOST_TEST(info.meaning.ends_with('.'));
      BOOST_TEST(info.meaning.find(". ") == info.meaning.npos);
    }
  }
}

BOOST_AUTO_TEST_CASE(name_is_that_of_the_enumerator) {
  BOOST_TEST(ErrorName(ErrorCode::AgentBusy) == "AgentBusy");
  BOOST_TEST(ErrorName(static_cast<ErrorCode>(3004)) == "AgentBusy");
  BOOST_TEST(ErrorName(ErrorCode::KvRejected) == "KvRejected");
  BOOST_TEST(ErrorName(static_cast<ErrorCode>(1)) == "InternalError");
}

BOOST_AUTO_TEST_CASE(what_is_no_text_becomes_the_replacement_character) {
  const Error error(ErrorCode::ModelLoadFailed, "bad \xC3( name",
                    std::string("a\0b", 3));

  BOOST_TEST(error.message() == "bad \uFFFD( name");
  BOOST_TEST(error.hint() == "a\uFFFDb");
  BOOST_TEST(FindBadText(error.what()) == std::string::npos);

  std::string line;
  Logger logger(
      [&](LogLevel, std::string_view, std::string_view text) { line = text; });
  logger.Log(LogLevel::Debug, "llama", "\xFF\xFE");
  BOOST_TEST(line == "\uFFFD\uFFFD");
}

BOOST_AUTO_TEST_CASE(what_joins_number_name_message_and_hint) {
  const Error with_hint(ErrorCode::AgentBusy, "a turn is running", "wait for it");
  const Error without_hint(ErrorCode::AgentBusy, "a turn is running");

  BOOST_TEST(with_hint.what() == "3004 AgentBusy: a turn is running (wait for it)"s);
  BOOST_TEST(without_hint.what() == "3004 AgentBusy: a turn is running"s);
  BOOST_TEST(with_hint.message() == "a turn is running");
  BOOST_TEST(with_hint.hint() == "wait for it");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(text)

BOOST_AUTO_TEST_CASE(valid_utf8_passes) {
  const std::string texts[] = {
      "",
      "plain",
      "\x7F",
      "\xC2\x80",
      "\xDF\xBF",
      "\xE0\xA0\x80",
      "\xED\x9F\xBF",
      "\xEE\x80\x80",
      "\xEF\xBF\xBF",
      "\xF0\x90\x80\x80",
      "\xF4\x8F\xBF\xBF",
      "Gr\xC3\xBC\xC3\x9F \xF0\x9F\x97\xA1",
  };
  for (const std::string& text : texts) {
    BOOST_TEST_CONTEXT(text) { BOOST_CHECK_NO_THROW(CheckText(text, "text", 100)); }
  }
}

BOOST_AUTO_TEST_CASE(invalid_utf8_is_refused_with_its_offset) {
  const struct {
    const char* what;
    std::string bytes;
  } rows[] = {
      {"lone continuation", "\x80"},
      {"overlong slash, two bytes", "\xC0\xAF"},
      {"overlong, lead C1", "\xC1\xBF"},
      {"overlong slash, three bytes", "\xE0\x80\xAF"},
      {"overlong, just below U+0800", "\xE0\x9F\xBF"},
      {"overlong, four bytes", "\xF0\x8F\xBF\xBF"},
      {"first surrogate", "\xED\xA0\x80"},
      {"last surrogate", "\xED\xBF\xBF"},
      {"above U+10FFFF", "\xF4\x90\x80\x80"},
      {"lead F5", "\xF5\x80\x80\x80"},
      {"lead FF", "\xFF"},
      {"truncated, two bytes", "\xC3"},
      {"truncated, three bytes", "\xE2\x82"},
      {"truncated, four bytes", "\xF0\x9F\x97"},
      {"ASCII in place of a continuation", "\xE2\x82z"},
      {"lead in place of a continuation", "\xF0\x9F\x97\xC3"},
  };
  for (const auto& row : rows) {
    BOOST_TEST_CONTEXT(row.what) {
      const Error error =
          CatchError([&] { CheckText("ok " + row.bytes, "user message", 100); });

      BOOST_TEST((error.code() == ErrorCode::InvalidUtf8));
      BOOST_TEST(Contains(error.message(), "user message"));
      BOOST_TEST(Contains(error.message(), "byte offset 3"));
      BOOST_TEST(!error.hint().empty());
    }
  }
}

BOOST_AUTO_TEST_CASE(nul_byte_is_refused_with_its_offset) {
  const Error error = CatchError([] { CheckText("ab\0c"s, "user message", 100); });

  BOOST_TEST((error.code() == ErrorCode::InvalidArgument));
  BOOST_TEST(Contains(error.message(), "byte offset 2"));
}

BOOST_AUTO_TEST_CASE(size_is_checked_before_content) {
  const std::string text(11, '\xFF');

  const Error error = CatchError([&] { CheckText(text, "user message", 10); });

  BOOST_TEST((error.code() == ErrorCode::MessageTooLarge));
  BOOST_TEST(Contains(error.message(), "11 bytes"));
  BOOST_TEST(Contains(error.message(), "10 bytes"));
  BOOST_CHECK_NO_THROW(CheckText("0123456789", "user message", 10));
}

BOOST_AUTO_TEST_CASE(code_points_are_counted_not_bytes) {
  const std::string text = "a\xC3\xBC\xE2\x82\xAC\xF0\x9F\x97\xA1z";

  BOOST_TEST(CountCodePoints(text) == 5u);
  BOOST_TEST(CodePointOffset(text, 0) == 0u);
  BOOST_TEST(CodePointOffset(text, 2) == 3u);
  BOOST_TEST(CodePointOffset(text, 4) == 10u);
  BOOST_TEST(CodePointOffset(text, 5) == text.size());
  BOOST_TEST(CodePointOffset(text, 99) == text.size());
  BOOST_TEST(CodePointOffset("", 0) == 0u);
}

BOOST_AUTO_TEST_CASE(trimming_removes_ascii_white_space_only) {
  BOOST_TEST(TrimWhitespace(" \t\r\n\v\fa b \n") == "a b");
  BOOST_TEST(TrimWhitespace(" \n ") == "");
  BOOST_TEST(TrimWhitespace("") == "");
  BOOST_TEST(TrimWhitespace("\xC2\xA0x") == "\xC2\xA0x");
}

BOOST_AUTO_TEST_CASE(code_points_are_read_and_written) {
  for (const char32_t code_point :
       {U'\0', U'a', U'\x7F', U'\x80', U'\x7FF', U'\x800', U'\uD7FF', U'\uFFFD',
        U'\U00010000', U'\U0010FFFF'}) {
    BOOST_TEST_CONTEXT("U+" << std::hex << static_cast<unsigned>(code_point)) {
      std::string text = "x";
      AppendCodePoint(code_point, text);
      std::size_t offset = 1;
      BOOST_TEST((NextCodePoint(text, offset) == code_point));
      BOOST_TEST(offset == text.size());
    }
  }
}

BOOST_AUTO_TEST_CASE(a_byte_that_begins_no_code_point_is_read_as_one_replacement) {
  for (const std::string_view text :
       {"\xFF", "\xC3", "\xC3z", "\x80", "\xED\xA0\x80"}) {
    std::size_t offset = 0;
    BOOST_TEST((NextCodePoint(text, offset) == U'\uFFFD'));
    BOOST_TEST(offset == 1U);
  }
}

BOOST_AUTO_TEST_CASE(position_counts_lines_and_code_points_from_one) {
  BOOST_TEST(DescribePosition("abc", 0) == "line 1, column 1");
  BOOST_TEST(DescribePosition("a\n\xC3\xBC:x", 5) == "line 2, column 3");
  BOOST_TEST(DescribePosition("a\n", 2) == "line 2, column 1");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(json_text)

BOOST_AUTO_TEST_CASE(parse_error_has_the_given_code_place_and_reason) {
  const struct {
    std::string text;
    std::string place;
  } rows[] = {
      {"", "line 1, column 1:"},
      {"{\"a\": 1,\n \"b\" 2}", "line 2, column 6:"},
      {"{\"a\":\n [1, 2", "line 2, column 7:"},
      {"{}\n{}", "line 2, column 1:"},
      {"[1,]", "line 1, column 4:"},
      {"nul", "line 1, column 4:"},
      {"[\"\xC3\xBC\", \"\xFF\"]", "line 1, column 8:"},
      {"{'a': 1}", "line 1, column 2:"},
      {"[1] // note", "line 1, column 5:"},
  };
  for (const auto& row : rows) {
    BOOST_TEST_CONTEXT(row.text) {
      const Error error = CatchError(
          [&] { ParseJson(row.text, ErrorCode::MalformedSnapshot, "snapshot"); });

      BOOST_TEST((error.code() == ErrorCode::MalformedSnapshot));
      BOOST_TEST(error.message().starts_with("snapshot: " + row.place),
                 error.message());
      BOOST_TEST(error.message().size() > 12 + row.place.size());
    }
  }
}

BOOST_AUTO_TEST_CASE(a_number_beyond_double_is_refused) {
  for (const char* text : {"1e400", "[-1e400]", "{\"a\": [1, 1e999]}"}) {
    BOOST_TEST_CONTEXT(text) {
      BOOST_CHECK_THROW(ParseJson(text, ErrorCode::InvalidArgument, "text"), Error);
    }
  }
  BOOST_CHECK_NO_THROW(ParseJson("1e308", ErrorCode::InvalidArgument, "text"));
}

BOOST_AUTO_TEST_CASE(nesting_is_limited_to_32) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };

  BOOST_CHECK_NO_THROW(ParseJson(nested(32), ErrorCode::InvalidArgument, "text"));
  BOOST_CHECK_THROW(ParseJson(nested(33), ErrorCode::InvalidArgument, "text"), Error);
}

BOOST_AUTO_TEST_CASE(a_failure_can_be_had_as_offset_and_reason) {
  JsonProblem problem;

  BOOST_TEST(!TryParseJson("[1, x]", problem).has_value());
  BOOST_TEST(problem.offset.value() == 4U);
  BOOST_TEST(!TryParseJson("[1e999]", problem).has_value());
  BOOST_TEST(!problem.offset.has_value());
  BOOST_TEST(!TryParseJson("{\"a\": 1, \"a\": 2}", problem).has_value());
  BOOST_TEST(problem.offset.value() == 9U);
  BOOST_TEST(!TryParseJson("[[[]]]", problem, 2).has_value());
  BOOST_TEST(TryParseJson("[[]]", problem, 2).has_value());
}

BOOST_AUTO_TEST_CASE(a_line_of_json_has_spaces_after_commas_and_colons) {
  const json::value value = {{"z", {1, 0.5, "a\n"}}, {"a", json::object()}};

  BOOST_TEST(OneLineJson(value) == R"({"z": [1, 0.5, "a\n"], "a": {}})");
}

BOOST_AUTO_TEST_CASE(pretty_text_is_indented_in_insertion_order) {
  const json::value value = {{"z", 1},
                             {"a", {true, nullptr}},
                             {"empty", json::array()},
                             {"o", json::object()}};

  BOOST_TEST(PrettyJson(value) ==
             "{\n"
             "  \"z\": 1,\n"
             "  \"a\": [\n"
             "    true,\n"
             "    null\n"
             "  ],\n"
             "  \"empty\": [],\n"
             "  \"o\": {}\n"
             "}\n");
}

BOOST_AUTO_TEST_CASE(pretty_strings_keep_unicode_and_escape_controls) {
  BOOST_TEST(PrettyJson("\"\\\n\x01 \xC3\xBC") == "\"\\\"\\\\\\n\\u0001 \xC3\xBC\"\n");
}

BOOST_AUTO_TEST_CASE(numbers_are_short_and_round_trip) {
  const struct {
    json::value value;
    std::string text;
  } rows[] = {
      {0.8, "0.8"},
      {1.0, "1.0"},
      {-0.0, "-0.0"},
      {0.1 + 0.2, "0.30000000000000004"},
      {1e22, "1e+22"},
      {5e-324, "5e-324"},
      {1.7976931348623157e308, "1.7976931348623157e+308"},
      {3.141592653589793, "3.141592653589793"},
      {2.2250738585072011e-308, "2.225073858507201e-308"},
      {7, "7"},
      {std::numeric_limits<std::int64_t>::min(), "-9223372036854775808"},
      {std::numeric_limits<std::uint64_t>::max(), "18446744073709551615"},
  };
  for (const auto& row : rows) {
    BOOST_TEST_CONTEXT(row.text) {
      BOOST_TEST(PrettyJson(row.value) == row.text + "\n");

      const json::value back = ParseJson(row.text, ErrorCode::InternalError, "number");

      BOOST_TEST((back == row.value));
      BOOST_TEST((back.kind() == row.value.kind()));
    }
  }
}

BOOST_AUTO_TEST_CASE(description_is_on_one_line_and_at_most_60_code_points) {
  std::string umlauts;
  for (int i = 0; i < 80; ++i) umlauts += "\xC3\xBC";

  BOOST_TEST(DescribeJson("Aye") == "\"Aye\"");
  BOOST_TEST(DescribeJson(0.5) == "0.5");
  BOOST_TEST(DescribeJson({{"a", {1, 2}}, {"b", 3}}) == "{\"a\": [1, 2], \"b\": 3}");
  BOOST_TEST(CountCodePoints(DescribeJson(json::string(umlauts))) == 60u);
  BOOST_TEST(DescribeJson(json::string(umlauts)).ends_with("\xC3\xBC...\""));
  BOOST_TEST(DescribeJson(json::array(50, 1)).ends_with("..."));
  BOOST_TEST(DescribeJson(json::string(58, 'x')) == "\"" + std::string(58, 'x') + "\"");
}

BOOST_AUTO_TEST_CASE(type_names_are_those_of_the_messages) {
  BOOST_TEST(JsonTypeName(1) == "integer");
  BOOST_TEST(JsonTypeName(std::uint64_t{1}) == "integer");
  BOOST_TEST(JsonTypeName(1.0) == "number");
  BOOST_TEST(JsonTypeName("a") == "string");
  BOOST_TEST(JsonTypeName(true) == "boolean");
  BOOST_TEST(JsonTypeName(json::array()) == "array");
  BOOST_TEST(JsonTypeName(json::object()) == "object");
  BOOST_TEST(JsonTypeName(nullptr) == "null");
}

BOOST_AUTO_TEST_CASE(closest_name_finds_slips_of_the_pen_only) {
  const std::vector<std::string_view> known = {"system_prompt", "trigger_tokens",
                                               "trigger_turns", "top_p", "top_k"};
  const struct {
    const char* name;
    const char* closest;
  } rows[] = {
      {"systemprompt", "system_prompt"},
      {"trigger_toknes", "trigger_tokens"},
      {"triggerTurns", "trigger_turns"},
      {"top_k", "top_k"},
      {"top-p", "top_p"},
      {"topp", "top_p"},
      {"temperature", ""},
      {"xyz", ""},
      {"", ""},
  };
  for (const auto& row : rows) {
    BOOST_TEST_CONTEXT(row.name) {
      BOOST_TEST(ClosestName(row.name, known) == row.closest);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(sampling)

namespace {

SamplingOverrides AllSet(int offset) {
  SamplingOverrides all;
  // One name per field: a new field does not compile until it is named and set here.
  auto& [temperature, top_p, top_k, min_p, max_tokens, seed, repeat_penalty,
         repeat_last_n, presence_penalty, frequency_penalty, dry_multiplier, dry_base,
         dry_allowed_length, dry_penalty_last_n, stop] = all;
  temperature = top_p = min_p = repeat_penalty = offset + 0.5;
  presence_penalty = frequency_penalty = dry_multiplier = dry_base = offset + 0.25;
  top_k = max_tokens = repeat_last_n = offset + 1;
  dry_allowed_length = dry_penalty_last_n = offset + 2;
  seed = offset + 3;
  stop = {std::to_string(offset)};
  return all;
}

}  // namespace

BOOST_AUTO_TEST_CASE(set_fields_replace_and_unset_fields_keep) {
  const SamplingOverrides none, base = AllSet(10), over = AllSet(20);
  SamplingOverrides warmer;
  warmer.temperature = 1.5;

  BOOST_TEST((MergeSampling(base, over) == over));
  BOOST_TEST((MergeSampling(base, none) == base));
  BOOST_TEST((MergeSampling(none, over) == over));

  SamplingOverrides expected = base;
  expected.temperature = 1.5;
  BOOST_TEST((MergeSampling(base, warmer) == expected));
}

BOOST_AUTO_TEST_CASE(empty_stop_list_replaces_the_models_own) {
  SamplingOverrides base, over;
  base.stop = {"\n"};
  over.stop.emplace();

  BOOST_TEST(MergeSampling(base, over).stop->empty());
}

BOOST_AUTO_TEST_CASE(stop_reasons_have_names) {
  BOOST_TEST(StopReasonName(StopReason::EndOfReply) == "end_of_reply");
  BOOST_TEST(StopReasonName(StopReason::MaxTokens) == "max_tokens");
  BOOST_TEST(StopReasonName(StopReason::ContextFull) == "context_full");
  BOOST_TEST(StopReasonName(StopReason::Cancelled) == "cancelled");
}

BOOST_AUTO_TEST_SUITE_END()
