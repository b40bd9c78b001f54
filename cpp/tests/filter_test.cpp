#include "knowledge/filter.h"

#include <boost/test/unit_test.hpp>
#include <string>
#include <vector>

using namespace talefold;

namespace {

// Rows: 0 has everything, 1 lacks what is optional.
const Metadata& Rows() {
  static const Metadata metadata = [] {
    const KnowledgeConfig config = ParseKnowledgeConfig(R"({
      "version": 1, "records_file": "r.json", "fields": [
        {"name": "year", "type": "int", "optional": true, "filterable": true},
        {"name": "weight", "type": "float", "default": 2, "filterable": true},
        {"name": "place", "type": "string", "default": "inn", "filterable": true},
        {"name": "secret", "type": "bool", "optional": true, "filterable": true},
        {"name": "tags", "type": "set<string>", "optional": true, "filterable": true},
        {"name": "hidden", "type": "int", "default": 0}]})");
    Metadata rows(config.fields);
    const json::value full = json::parse(
        R"({"year": 9007199254740993, "weight": 1.5, "place": "mill", "secret": true,
            "tags": ["old", "dark", "old"]})");
    const json::value bare = json::object();
    rows.Append(JsonAt(full, "full", ErrorCode::InvalidMetadata));
    rows.Append(JsonAt(bare, "bare", ErrorCode::InvalidMetadata));
    return rows;
  }();
  return metadata;
}

Filter Parse(const std::string& text) { return Filter::Parse(text, Rows().fields()); }

std::string Nested(int operators) {
  std::string text = R"({"op":"eq","args":[{"knowledge":"place"},{"value":"inn"}]})";
  for (int i = 1; i < operators; ++i) text = R"({"op":"not","args":[)" + text + "]}";
  return text;
}

std::string Wide(int tests) {
  const std::string test =
      R"({"op":"eq","args":[{"knowledge":"place"},{"value":"inn"}]})";
  std::string text = R"({"op":"or","args":[)" + test;
  for (int i = 1; i < tests; ++i) text += "," + test;
  return text + "]}";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(filter)

BOOST_AUTO_TEST_CASE(a_filter_says_which_rows_pass) {
  const struct {
    const char* filter;
    bool full, bare;
  } rows[] = {
      {R"({"op":"eq","args":[{"knowledge":"place"},{"value":"mill"}]})", true, false},
      {R"({"op":"eq","args":[{"value":"inn"},{"knowledge":"place"}]})", false, true},
      {R"({"op":"ne","args":[{"knowledge":"place"},{"value":"mill"}]})", false, true},
      {R"({"op":"gt","args":[{"knowledge":"place"},{"value":"inn"}]})", true, false},
      {R"({"op":"le","args":[{"knowledge":"place"},{"value":"inn"}]})", false, true},
      // numbers: an int is compared exactly, also with a float
      {R"({"op":"eq","args":[{"knowledge":"year"},{"value":9007199254740993}]})", true,
       false},
      {R"({"op":"eq","args":[{"knowledge":"year"},{"value":9007199254740992}]})", false,
       false},
      {R"({"op":"gt","args":[{"knowledge":"year"},{"value":0.5}]})", true, false},
      {R"({"op":"lt","args":[{"value":1},{"knowledge":"year"}]})", true, false},
      {R"({"op":"lt","args":[{"knowledge":"weight"},{"value":2}]})", true, false},
      {R"({"op":"ge","args":[{"knowledge":"weight"},{"value":1.5}]})", true, true},
      {R"({"op":"eq","args":[{"knowledge":"weight"},{"value":2}]})", false, true},
      {R"({"op":"eq","args":[{"knowledge":"secret"},{"value":true}]})", true, false},
      // a missing field: everything asked of it is false
      {R"({"op":"ne","args":[{"knowledge":"secret"},{"value":true}]})", false, false},
      {R"({"op":"ne","args":[{"knowledge":"year"},{"value":1}]})", true, false},
      {R"({"op":"not","args":[{"op":"eq","args":[{"knowledge":"year"},{"value":1}]}]})",
       true, true},
      // lists and sets
      {R"({"op":"in","args":[{"knowledge":"place"},{"value":["inn","mill"]}]})", true,
       true},
      {R"({"op":"in","args":[{"knowledge":"place"},{"value":[]}]})", false, false},
      {R"({"op":"in","args":[{"knowledge":"year"},{"value":[1, 9007199254740993]}]})",
       true, false},
      {R"({"op":"in","args":[{"knowledge":"secret"},{"value":[true,false]}]})", true,
       false},
      {R"({"op":"in","args":[{"value":"dark"},{"knowledge":"tags"}]})", true, false},
      {R"({"op":"in","args":[{"value":"new"},{"knowledge":"tags"}]})", false, false},
      {R"({"op":"in","args":[{"knowledge":"tags"},{"value":["new","old"]}]})", true,
       false},
      {R"({"op":"in","args":[{"knowledge":"tags"},{"value":["new"]}]})", false, false},
      {R"({"op":"eq","args":[{"knowledge":"tags"},{"value":["dark","old"]}]})", true,
       false},
      {R"({"op":"ne","args":[{"knowledge":"tags"},{"value":["dark"]}]})", true, false},
      // combinations
      {R"({"op":"and","args":[
            {"op":"eq","args":[{"knowledge":"place"},{"value":"mill"}]},
            {"op":"eq","args":[{"knowledge":"weight"},{"value":2}]}]})",
       false, false},
      {R"({"op":"or","args":[
            {"op":"eq","args":[{"knowledge":"place"},{"value":"mill"}]},
            {"op":"and","args":[{"op":"eq","args":[{"knowledge":"weight"},{"value":2}]}]},
            {"op":"eq","args":[{"knowledge":"weight"},{"value":5}]}]})",
       true, true},
      {R"({"op":"not","args":[{"op":"or","args":[
            {"op":"eq","args":[{"knowledge":"place"},{"value":"mill"}]},
            {"op":"eq","args":[{"knowledge":"weight"},{"value":5}]}]}]})",
       false, true},
  };
  for (const auto& row : rows) {
    BOOST_TEST_CONTEXT(row.filter) {
      const Filter filter = Parse(row.filter);
      BOOST_TEST(filter.Accepts(Rows(), 0) == row.full);
      BOOST_TEST(filter.Accepts(Rows(), 1) == row.bare);
      BOOST_TEST(filter.Accepted(Rows()) ==
                 (std::vector<std::uint8_t>{row.full, row.bare}));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_bad_filter_is_refused_with_its_path) {
  const struct {
    std::string filter;
    const char* message;
  } rows[] = {
      {"{", "filter: no JSON at byte 1"},
      {"[]", "filter: [] is of type array; an object is expected"},
      {"{}", "filter: the key \"op\" is missing"},
      {R"({"op":"eq"})", "filter: the key \"args\" is missing"},
      {R"({"op":"eq","arg":[]})", "filter: the key \"arg\" is not known"},
      {R"({"op":"like","args":[]})",
       "filter.op: \"like\" is no operator; known are and"},
      {R"({"op":3,"args":[]})", "filter.op: 3 is of type integer; a string"},
      {R"({"op":"and","args":[]})", "filter.args: is empty"},
      {R"({"op":"and","args":{}})", "filter.args: {} is of type object; an array"},
      {R"({"op":"not","args":[1,2]})", "filter.args: 2 arguments; 'not' takes 1"},
      {R"({"op":"not","args":[1]})", "filter.args[0]: 1 is of type integer; an object"},
      {R"({"op":"eq","args":[{"knowledge":"year"}]})",
       "filter.args: 1 arguments; 'eq' takes 2"},
      {R"({"op":"eq","args":[{"value":1},{"value":2}]})",
       "filter.args: one field and one value"},
      {R"({"op":"eq","args":[{"knowledge":"year"},{"knowledge":"year"}]})",
       "filter.args: one field and one value"},
      {R"({"op":"eq","args":[{"knowledge":"year","value":1},{"value":2}]})",
       "filter.args[0]: {\"knowledge\": a field} or"},
      {R"({"op":"eq","args":[{"knowledge":"age"},{"value":1}]})",
       "filter.args[0].knowledge: there is no field \"age\"; known are year, weight"},
      {R"({"op":"eq","args":[{"knowledge":"hidden"},{"value":1}]})",
       "filter.args[0].knowledge: the field \"hidden\" is not filterable"},
      {R"({"op":"or","args":[{"op":"eq","args":[{"knowledge":"year"},{"value":"x"}]}]})",
       "filter.args[0].args[1].value: \"x\" is of type string; a number is expected"},
      {R"({"op":"eq","args":[{"value":1},{"knowledge":"place"}]})",
       "filter.args[0].value: 1 is of type integer; a string is expected"},
      {R"({"op":"eq","args":[{"knowledge":"secret"},{"value":null}]})",
       "filter.args[1].value: null is of type null; a bool is expected"},
      {R"({"op":"lt","args":[{"knowledge":"secret"},{"value":true}]})",
       "filter.args[0].knowledge: the field \"secret\" is of type bool, which has no "
       "order"},
      {R"({"op":"lt","args":[{"knowledge":"tags"},{"value":["a"]}]})", "has no order"},
      {R"({"op":"eq","args":[{"knowledge":"tags"},{"value":"old"}]})",
       "filter.args[1].value: \"old\" is of type string; an array of strings"},
      {R"({"op":"in","args":[{"knowledge":"place"},{"value":"inn"}]})",
       "filter.args[1].value: \"inn\" is of type string; an array is expected"},
      {R"({"op":"in","args":[{"knowledge":"place"},{"value":["inn",5]}]})",
       "filter.args[1].value[1]: 5 is of type integer; a string is expected"},
      {R"({"op":"in","args":[{"value":"inn"},{"knowledge":"place"}]})",
       "filter.args[1].knowledge: the field \"place\" is of type string; set<string>"},
      {R"({"op":"in","args":[{"value":5},{"knowledge":"tags"}]})",
       "filter.args[0].value: 5 is of type integer; a string"},
      {Nested(17), "more than 16 operators inside each other"},
      {Wide(86), "more than 256 nodes"},
      {std::string(1 << 20, '['), "no JSON"},
  };
  for (const auto& row : rows) {
    BOOST_TEST_CONTEXT(row.filter.substr(0, 100)) {
      BOOST_CHECK_EXCEPTION(Parse(row.filter), Error, [&](const Error& error) {
        BOOST_TEST_MESSAGE(error.what());
        return error.code() == ErrorCode::InvalidFilter &&
               error.message().find(row.message) != std::string::npos;
      });
    }
  }
}

BOOST_AUTO_TEST_CASE(the_largest_filters_are_evaluated) {
  BOOST_TEST(Parse(Nested(16)).Accepts(Rows(), 1) == false);
  BOOST_TEST(Parse(Nested(15)).Accepts(Rows(), 1) == true);
  BOOST_TEST(Parse(Wide(85)).Accepts(Rows(), 1) == true);
}

BOOST_AUTO_TEST_SUITE_END()
