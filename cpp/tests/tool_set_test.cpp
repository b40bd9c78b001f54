#include "tools/tool_set.h"

#include <boost/test/unit_test.hpp>
#include <functional>
#include <string>

#include "example_tools.h"

using namespace talefold;

BOOST_AUTO_TEST_SUITE(tool_set)

BOOST_AUTO_TEST_CASE(a_tool_is_found_by_its_name) {
  const ToolSet tools(InnTools());

  BOOST_TEST(tools.Find("pour") == &tools.all()[1]);
  BOOST_TEST((tools.Find("Pour") == nullptr));
  BOOST_TEST((tools.Find("") == nullptr));
}

BOOST_AUTO_TEST_CASE(enum_values_have_the_type_of_their_parameter) {
  const ToolSet tools(InnTools());

  BOOST_TEST(tools.Find("open_door")->parameters[0].allowed[1].is_string());
  BOOST_TEST(tools.Find("pour")->parameters[3].allowed[1].is_int64());
  BOOST_TEST(tools.Find("pour")->parameters[5].allowed[0].is_double());
}

BOOST_AUTO_TEST_CASE(a_description_is_refused_with_the_field_and_what_is_allowed) {
  using Tools = std::vector<ToolDescription>;
  using enum ToolParameterType;
  const struct {
    std::function<void(Tools&)> change;
    std::string field, expected;
  } rows[] = {
      {[](Tools& t) { t.clear(); }, "tools", "is empty"},
      {[](Tools& t) { t.resize(65, {"x"}); }, "tools", "at most 64"},
      {[](Tools& t) { t[1].name = ""; }, "tools[1].name", "\"\" is no name"},
      {[](Tools& t) { t[1].name = "open door"; }, "tools[1].name", "no name"},
      {[](Tools& t) { t[1].name = "t\xC3\xBCr"; }, "tools[1].name", "no name"},
      {[](Tools& t) { t[1].name = std::string(65, 'a'); }, "tools[1].name", "1 to 64"},
      {[](Tools& t) { t[1].name = "open_door"; }, "tools[1].name", "occurs twice"},
      {[](Tools& t) { t[0].description = "\xFF"; }, "tools[0].description", "UTF-8"},
      {[](Tools& t) { t[0].parameters.resize(65); }, "tools[0].parameters",
       "at most 64"},
      {[](Tools& t) { t[0].parameters[1].name = "a.b"; }, "tools[0].parameters[1].name",
       "no name"},
      {[](Tools& t) { t[0].parameters[1].name = "door"; },
       "tools[0].parameters[1].name", "occurs twice"},
      {[](Tools& t) { t[0].parameters[1].description = std::string("\0", 1); },
       "tools[0].parameters[1].description", "NUL"},
      {[](Tools& t) { t[1].parameters[3].enum_values[1] = "two"; },
       "tools[1].parameters[3].enum[1]", "\"two\" is no value of type integer"},
      {[](Tools& t) { t[1].parameters[3].enum_values[1] = "2.0"; },
       "tools[1].parameters[3].enum[1]", "type integer"},
      {[](Tools& t) { t[1].parameters[5].enum_values[0] = "NaN"; },
       "tools[1].parameters[5].enum[0]", "type number"},
      {[](Tools& t) { t[0].parameters[1].enum_values = {"yes"}; },
       "tools[0].parameters[1].enum[0]", "type boolean"},
      {[](Tools& t) { t[1].parameters[3].enum_values = {"1", "2", "1"}; },
       "tools[1].parameters[3].enum[2]", "occurs twice"},
      {[](Tools& t) { t[1].parameters[3].enum_values.resize(257); },
       "tools[1].parameters[3].enum", "at most 256"},
  };
  for (const auto& row : rows) {
    BOOST_TEST_CONTEXT(row.field << ": " << row.expected) {
      Tools tools = InnTools();
      row.change(tools);
      BOOST_CHECK_EXCEPTION(ToolSet(tools, "act"), Error, [&](const Error& error) {
        BOOST_TEST_MESSAGE(error.what());
        return error.code() == ErrorCode::InvalidParamValue &&
               error.message().starts_with("node 'act', field '" + row.field + "': ") &&
               error.message().find(row.expected) != std::string::npos;
      });
    }
  }
}

BOOST_AUTO_TEST_CASE(a_tool_is_described_as_a_json_schema) {
  const ToolSet tools(InnTools());

  BOOST_TEST(OneLineJson(DescribeTool(tools.all()[0])) ==
             R"({"type": "function", "function": {"name": "open_door", )"
             R"("description": "Opens one of the inn's doors.", )"
             R"("parameters": {"type": "object", "properties": {)"
             R"("door": {"type": "string", "description": "Which one.", )"
             R"("enum": ["cellar", "front \"gate\""]}, )"
             R"("keep_open": {"type": "boolean"}}, "required": ["door"]}}})");
  BOOST_TEST(OneLineJson(DescribeTool(tools.all()[2])) ==
             R"({"type": "function", "function": {"name": "ring-bell", )"
             R"("parameters": {"type": "object", "properties": {}}}})");
}

BOOST_AUTO_TEST_SUITE_END()
