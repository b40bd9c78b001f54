#include "prompt/mustache.h"

#include <boost/test/unit_test.hpp>
#include <set>
#include <span>
#include <string>

using namespace talefold;

namespace {

std::string Render(std::string_view text, std::string_view context) {
  return MustacheTemplate::Parse(text).Render(
      ParseJson(context, ErrorCode::InternalError, "context"));
}

struct RenderRow {
  const char* what;
  const char* text;
  const char* context;
  const char* expected;
};

void CheckRows(std::span<const RenderRow> rows) {
  for (const RenderRow& row : rows) {
    BOOST_TEST_CONTEXT(row.what) {
      BOOST_TEST(Render(row.text, row.context) == row.expected);
    }
  }
}

std::string Nested(int depth) {
  std::string text = "x";
  for (int i = 0; i < depth; ++i) text = "{{#a}}" + text + "{{/a}}";
  return text;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(mustache)

BOOST_AUTO_TEST_CASE(variables_render_their_values) {
  const RenderRow rows[] = {
      {"no tags", "Hello { world }", "{}", "Hello { world }"},
      {"empty template", "", "{}", ""},
      {"string", "Hi {{name}}!", R"({"name": "Edric"})", "Hi Edric!"},
      {"white space in tags", "{{ a }}{{{ a }}}{{& a }}", R"({"a": "x"})", "xxx"},
      {"no HTML escaping", "{{a}}{{{a}}}{{&a}}", R"({"a": "<&\">"})",
       "<&\"><&\"><&\">"},
      {"missing name", "[{{a}}]", "{}", "[]"},
      {"null", "[{{a}}]", R"({"a": null})", "[]"},
      {"integer", "{{a}} {{b}}", R"({"a": 85, "b": -9223372036854775808})",
       "85 -9223372036854775808"},
      {"whole doubles without exponent", "{{a}} {{b}}", R"({"a": 3.0, "b": 1e21})",
       "3 1000000000000000000000"},
      {"fraction", "{{a}}", R"({"a": 1.21})", "1.21"},
      {"boolean", "{{a}} {{b}}", R"({"a": true, "b": false})", "true false"},
      {"list and object as JSON", "{{a}} {{b}}", R"({"a": [1, "x"], "b": {"c": 2}})",
       R"([1,"x"] {"c":2})"},
      {"a brace after the tag", "{{a}}}", R"({"a": 1})", "1}"},
      {"unicode name and text", "\xC3\xBC{{n\xC3\xA4me}}",
       "{\"n\xC3\xA4me\": \"\xC3\x9F\"}", "\xC3\xBC\xC3\x9F"},
      {"surrounding white space is kept", " {{a}}\n {{a}} ", R"({"a": "x"})",
       " x\n x "},
  };
  CheckRows(rows);
}

BOOST_AUTO_TEST_CASE(rendered_values_are_never_parsed) {
  const RenderRow rows[] = {
      {"variable", "{{a}}", R"({"a": "{{b}}", "b": "no"})", "{{b}}"},
      {"triple", "{{{a}}}", R"({"a": "{{#b}}", "b": "no"})", "{{#b}}"},
      {"braces meeting text", "{{{a}}}{b}}", R"({"a": "{", "b": "no"})", "{{b}}"},
      {"in a section", "{{#l}}{{.}}{{/l}}", R"({"l": ["{{/l}}", "{{!"]})", "{{/l}}{{!"},
  };
  CheckRows(rows);
}

BOOST_AUTO_TEST_CASE(dotted_names_look_inside_what_their_first_part_found) {
  const RenderRow rows[] = {
      {"path", "{{a.b.c}}", R"({"a": {"b": {"c": "x"}}})", "x"},
      {"broken path", "[{{a.b.c}}]", R"({"a": {}})", "[]"},
      {"path through a text", "[{{a.b}}]", R"({"a": "x"})", "[]"},
      {"no search for the rest in outer contexts", "{{#a}}[{{b.c}}]{{/a}}",
       R"({"a": {"b": {}}, "b": {"c": "no"}})", "[]"},
      {"first part found outside", "{{#a}}{{b.c}}{{/a}}",
       R"({"a": {"x": 1}, "b": {"c": "yes"}})", "yes"},
      {"never one key with a dot", "[{{a.b}}]", R"({"a.b": "no"})", "[]"},
      {"section", "{{#a.b}}{{c}}{{/a.b}}", R"({"a": {"b": {"c": "x"}}})", "x"},
      {"inverted section", "{{^a.b}}x{{/a.b}}", R"({"a": {}})", "x"},
  };
  CheckRows(rows);
}

BOOST_AUTO_TEST_CASE(sections_show_push_and_iterate) {
  const RenderRow rows[] = {
      {"true", "{{#a}}x{{/a}}", R"({"a": true})", "x"},
      {"false", "{{#a}}x{{/a}}", R"({"a": false})", ""},
      {"null", "{{#a}}x{{/a}}", R"({"a": null})", ""},
      {"missing", "{{#a}}x{{/a}}", "{}", ""},
      {"empty string", "{{#a}}x{{/a}}", R"({"a": ""})", ""},
      {"zero is a value", "{{#a}}{{.}}{{/a}}", R"({"a": 0})", "0"},
      {"string is pushed", "{{#a}}[{{.}}]{{/a}}", R"({"a": "x"})", "[x]"},
      {"empty list", "{{#a}}x{{/a}}", R"({"a": []})", ""},
      {"empty object", "{{#a}}x{{/a}}", R"({"a": {}})", "x"},
      {"object is pushed", "{{#a}}{{b}}{{c}}{{/a}}",
       R"({"a": {"b": 1}, "b": 2, "c": 3})", "13"},
      {"list of objects", "{{#a}}<{{b}}>{{/a}}", R"({"a": [{"b": 1}, {"b": 2}]})",
       "<1><2>"},
      {"falsy items still count", "{{#a}}<{{.}}>{{/a}}", R"({"a": [false, null, ""]})",
       "<false><><>"},
      {"null hides an outer name", "{{#a}}[{{b}}]{{/a}}",
       R"({"a": {"b": null}, "b": 1})", "[]"},
      {"list of lists", "{{#a}}({{#.}}{{.}}{{/.}}){{/a}}", R"({"a": [[1, 2], [3]]})",
       "(12)(3)"},
      {"outer context from inside", "{{#a}}{{#b}}{{x}}{{y}}{{/b}}{{/a}}",
       R"({"a": {"y": 2}, "b": {"x": 1}})", "12"},
      {"same name twice", "{{#a}}1{{/a}}{{#a}}2{{/a}}", R"({"a": true})", "12"},
      {"same name nested", "{{#a}}{{#a}}x{{/a}}{{/a}}", R"({"a": true})", "x"},
      {"spaces in the tags", "{{# a }}x{{/ a }}", R"({"a": true})", "x"},
      {"inverted, missing", "{{^a}}x{{/a}}", "{}", "x"},
      {"inverted, empty list", "{{^a}}x{{/a}}", R"({"a": []})", "x"},
      {"inverted, empty string", "{{^a}}x{{/a}}", R"({"a": ""})", "x"},
      {"inverted, value", "{{^a}}x{{/a}}", R"({"a": 0})", ""},
  };
  CheckRows(rows);
}

BOOST_AUTO_TEST_CASE(comments_render_as_nothing) {
  const RenderRow rows[] = {
      {"inline", "12{{! note }}34", "{}", "1234"},
      {"any text", "a{{! {{x {{# ' }}b", "{}", "ab"},
      {"several lines", "a{{!\n one\n two\n}}b", "{}", "ab"},
      {"does not hide a variable", "{{! a }}{{!a}}{{a}}", R"({"a": 1})", "1"},
  };
  CheckRows(rows);
}

BOOST_AUTO_TEST_CASE(tags_alone_on_a_line_take_the_line_with_them) {
  const RenderRow rows[] = {
      {"section", "| a\n{{#s}}\n| b\n{{/s}}\n| c", R"({"s": true})", "| a\n| b\n| c"},
      {"indented", "| a\n  {{#s}}\n| b\n\t{{/s}} \n| c", R"({"s": true})",
       "| a\n| b\n| c"},
      {"inverted", "| a\n{{^s}}\n| b\n{{/s}}\n| c", "{}", "| a\n| b\n| c"},
      {"comment", "a\n  {{! x }}\nb", "{}", "a\nb"},
      {"comment of several lines", "a\n{{!\nx\n}}\nb", "{}", "a\nb"},
      {"CRLF", "|\r\n{{#s}}\r\n{{/s}}\r\n|", R"({"s": true})", "|\r\n|"},
      {"no line before", "  {{#s}}\n#{{/s}}\n/", R"({"s": true})", "#\n/"},
      {"no line after", "#{{#s}}\n/\n  {{/s}}", R"({"s": true})", "#\n/\n"},
      {"text on the line", "a {{#s}}\nb {{/s}}\n", R"({"s": true})", "a \nb \n"},
      {"two tags on the line", "{{#s}} {{/s}}\nx", R"({"s": true})", " \nx"},
      {"a variable's line stays", "a\n  {{v}}\nb", "{}", "a\n  \nb"},
      {"blank lines around stay", "a\n\n{{#s}}\n\nb\n{{/s}}\n\nc", R"({"s": true})",
       "a\n\n\nb\n\nc"},
      {"once per item", "{{#l}}\n- {{.}}\n{{/l}}\nend", R"({"l": [1, 2]})",
       "- 1\n- 2\nend"},
  };
  CheckRows(rows);
}

BOOST_AUTO_TEST_CASE(delimiters_can_be_set) {
  const RenderRow rows[] = {
      {"pair", "{{=<% %>=}}(<%a%>)", R"({"a": "x"})", "(x)"},
      {"single characters", "({{=[ ]=}}[a])", R"({"a": "x"})", "(x)"},
      {"both the same", "{{=| |=}}(|a|)", R"({"a": "x"})", "(x)"},
      {"old ones are text", "{{=<% %>=}}{{a}}", R"({"a": "x"})", "{{a}}"},
      {"set back", "{{=<% %>=}}<%a%><%={{ }}=%>{{a}}<%a%>", R"({"a": "x"})", "xx<%a%>"},
      {"blanks inside", "|{{=  @   @  =}}|@a@", R"({"a": "x"})", "||x"},
      {"line breaks inside", "{{=\n<%\n%>\n=}}<%a%>", R"({"a": "x"})", "x"},
      {"in a section, up to the end", "{{#s}}{{=| |=}}|a||/s||a|",
       R"({"s": true, "a": "x"})", "xx"},
      {"every kind of tag", "{{=<% %>=}}<%#s%><%&a%><%{a}%><%!c%><%/s%><%^n%>-<%/n%>",
       R"({"s": true, "a": "x"})", "xx-"},
      {"alone on a line", "1\n  {{=<% %>=}} \n2", "{}", "1\n2"},
      {"alone, CRLF", "|\r\n{{=<% %>=}}\r\n|", "{}", "|\r\n|"},
      {"no line before or after", "  {{=<% %>=}}", "{}", ""},
      {"text on the line stays", "  1 {{=<% %>=}}\n2", "{}", "  1 \n2"},
      {"values set none", "{{a}}<%a%>", R"({"a": "{{=<% %>=}}"})", "{{=<% %>=}}<%a%>"},
  };
  CheckRows(rows);
}

BOOST_AUTO_TEST_CASE(partials_are_inserted) {
  const MustachePartials partials = {
      {"name", "{{first}} {{last}}"},
      {"greeting", "Hi {{>name}}!"},
      {"tree", "{{v}}<{{#kids}}{{>tree}}{{/kids}}>"},
      {"own_delimiters", "{{=<% %>=}}<%first%>"},
      {"lines", "|\n{{{first}}}\n|\n"},
      {"no_break", ">\n>"},
      {"blocks", "{{#list}}\n- {{.}}\n{{/list}}\n  {{! note }}\nend\n"},
      {"outer", "[\n {{>lines}}\n]\n"},
      {"inline", "a {{>no_break}} b\n"},
      {"dir/file.txt", "path"},
  };
  const RenderRow rows[] = {
      {"contexts of the place", "{{#p}}{{>name}}{{/p}}",
       R"({"last": "G", "p": {"first": "E"}})", "E G"},
      {"in a partial", "{{>greeting}}", R"({"first": "E", "last": "G"})", "Hi E G!"},
      {"unknown", "[{{>nobody}}]", "{}", "[]"},
      {"by path, blanks inside", "{{>  dir/file.txt  }}", "{}", "path"},
      {"recursive", "{{>tree}}",
       R"({"v": 1, "kids": [{"v": 2, "kids": [{"v": 3, "kids": []}]}, )"
       R"({"v": 4, "kids": []}]})",
       "1<2<3<>>4<>>"},
      {"delimiters do not go in", "{{=| |=}}|>name|", R"({"first": 1, "last": 2})",
       "1 2"},
      {"delimiters do not come out", "{{>own_delimiters}}<%first%>{{first}}",
       R"({"first": 1})", "1<%first%>1"},
      {"values are not parsed", "{{>lines}}", R"({"first": "{{>name}}"})",
       "|\n{{>name}}\n|\n"},
      {"not alone on its line", "  {{first}}  {{>no_break}}\n", R"({"first": "|"})",
       "  |  >\n>\n"},
      {"alone, no line break after", "  {{>no_break}}\n>", "{}", "  >\n  >>"},
      {"alone, CRLF", "|\r\n{{>no_break}}\r\n|", "{}", "|\r\n>\n>|"},
      {"template lines are indented, values not", "\\\n {{>lines}}\n/\n",
       R"({"first": "<\n->"})", "\\\n |\n <\n->\n |\n/\n"},
      {"lines that blocks take are not indented", "\t{{>blocks}}",
       R"({"list": [1, 2]})", "\t- 1\n\t- 2\n\tend\n"},
      {"indents add up", "  {{>outer}}", R"({"first": "x"})",
       "  [\n   |\n   x\n   |\n  ]\n"},
      {"inside a line there is no indent", " {{>inline}}", "{}", " a >\n> b\n"},
  };
  for (const RenderRow& row : rows) {
    BOOST_TEST_CONTEXT(row.what) {
      const json::value context =
          ParseJson(row.context, ErrorCode::InternalError, "context");
      BOOST_TEST(MustacheTemplate::Parse(row.text, partials).Render(context) ==
                 row.expected);
    }
  }
}

BOOST_AUTO_TEST_CASE(an_error_in_a_partial_names_the_partial) {
  BOOST_CHECK_EXCEPTION(
      MustacheTemplate::Parse("", {{"part", "\n{{#a}}"}}), Error,
      [](const Error& error) {
        return error.message().find("partial 'part' line 2, column 1") == 0;
      });
}

BOOST_AUTO_TEST_CASE(hostile_templates_and_values_end_with_an_error) {
  const std::string list = R"({"a": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]})";
  const std::string long_text(1 << 16, 'x');
  const std::string long_value = R"({"a": ")" + long_text + R"("})";
  std::string many;
  for (int i = 0; i < 300; ++i) many += "{{a}}";
  const struct {
    const char* what;
    std::string text;
    MustachePartials partials;
    std::string context;
    const char* reason;
  } rows[] = {
      {"lists in lists in lists", Nested(32), {}, list, "steps"},
      {"a partial that inserts itself", "{{>p}}", {{"p", "x{{>p}}"}}, "{}", "deep"},
      {"partials that insert each other",
       "{{>p}}",
       {{"p", "{{>q}}"}, {"q", "{{>p}}"}},
       "{}",
       "deep"},
      {"partials that double each other",
       "{{>p}}",
       {{"p", "{{>p}}{{>p}}"}},
       "{}",
       "deep"},
      {"an indent that grows", "{{>p}}", {{"p", " {{>p}}\n{{>p}}"}}, "{}", "deep"},
      {"a long value many times", many, {}, long_value, "bytes"},
  };
  for (const auto& row : rows) {
    BOOST_TEST_CONTEXT(row.what) {
      const MustacheTemplate parsed = MustacheTemplate::Parse(row.text, row.partials);
      const json::value context =
          ParseJson(row.context, ErrorCode::InternalError, "context");
      BOOST_CHECK_EXCEPTION(parsed.Render(context), Error, [&](const Error& error) {
        return error.code() == ErrorCode::InvalidParamValue &&
               error.message().find(row.reason) != std::string::npos;
      });
    }
  }
}

BOOST_AUTO_TEST_CASE(sizes_of_templates_and_names_are_limited) {
  const std::string mebibyte(1 << 20, 'x');

  BOOST_CHECK_NO_THROW(MustacheTemplate::Parse(mebibyte));
  BOOST_CHECK_THROW(MustacheTemplate::Parse(mebibyte + "x"), Error);
  BOOST_CHECK_THROW(MustacheTemplate::Parse("x", {{"p", mebibyte}}), Error);
  BOOST_CHECK_NO_THROW(Render("{{" + std::string(256, 'n') + "}}", "{}"));
  BOOST_CHECK_THROW(Render("{{" + std::string(257, 'n') + "}}", "{}"), Error);
}

BOOST_AUTO_TEST_CASE(errors_name_line_column_and_what_was_expected) {
  const struct {
    const char* text;
    const char* place;
    const char* expected;
  } rows[] = {
      {"a {{name", "line 1, column 3", "}}"},
      {"{{{name}} x", "line 1, column 1", "}}}"},
      {"a\n{{name {{b}}", "line 2, column 1", "}}"},
      {"\xC3\xBC {{#a}} x", "line 1, column 3", "{{/a}}"},
      {"{{#a}}\n  {{#b}}\n{{/a}}", "line 3, column 1", "{{/b}}"},
      {"x{{/a}}", "line 1, column 2", "no open section"},
      {"\n  {{> part}}", "line 2, column 3", "unknown partial \"part\""},
      {"{{=<%=}}", "line 1, column 1", "two words"},
      {"{{=<% a %>=}}", "line 1, column 1", "two words"},
      {"{{= = = =}}", "line 1, column 1", "two words"},
      {"{{=<% %>}}", "line 1, column 1", "=}}"},
      {"{{=<% %>=}}\n<%#a%>", "line 2, column 1", "<%/a%>"},
      {"{{=[ ]=}}[a[b]", "line 1, column 10", "] before the next ["},
      {"{{<parent}}{{/parent}}", "line 1, column 1", "inheritance"},
      {"{{$block}}{{/block}}", "line 1, column 1", "inheritance"},
      {"{{}}", "line 1, column 1", "name"},
      {"{{# }}", "line 1, column 1", "name"},
      {"{{two words}}", "line 1, column 1", "one word"},
      {"{{a..b}}", "line 1, column 1", "dot"},
      {"{{.a}}", "line 1, column 1", "dot"},
      {"{{a.}}", "line 1, column 1", "dot"},
  };
  for (const auto& row : rows) {
    BOOST_TEST_CONTEXT(row.text) {
      BOOST_CHECK_EXCEPTION(
          MustacheTemplate::Parse(row.text), Error, [&](const Error& error) {
            BOOST_TEST_MESSAGE(error.what());
            return error.code() == ErrorCode::InvalidParamValue &&
                   error.message().find(row.place) != std::string::npos &&
                   error.message().find(row.expected) != std::string::npos;
          });
    }
  }
}

BOOST_AUTO_TEST_CASE(a_mismatched_close_names_where_its_section_opened) {
  BOOST_CHECK_EXCEPTION(MustacheTemplate::Parse("{{#a}}\n {{#b}}\n{{/a}}"), Error,
                        [](const Error& error) {
                          return error.message().find("opened at line 2, column 2") !=
                                 std::string::npos;
                        });
}

BOOST_AUTO_TEST_CASE(nesting_is_limited_to_32_sections) {
  BOOST_TEST(Render(Nested(32), R"({"a": true})") == "x");
  BOOST_CHECK_THROW(MustacheTemplate::Parse(Nested(33)), Error);
}

BOOST_AUTO_TEST_CASE(a_section_item_renders_as_in_its_section) {
  const auto text = MustacheTemplate::Parse(
      "{{#memory}}{{^turns}}no{{/turns}}{{#turns}}\n{{name}}: {{user}}\n{{/turns}}"
      "{{/memory}}");
  const json::value context = {{"name", "Edric"}};

  BOOST_TEST(text.RenderSectionItem("turns", {{"user", "Hi"}}, context) ==
             "\nEdric: Hi\n");
  BOOST_TEST(text.RenderSectionItem("other", {{"user", "Hi"}}, context) == "");
}

BOOST_AUTO_TEST_CASE(items_rendered_one_by_one_make_up_the_section) {
  const auto text = MustacheTemplate::Parse("{{#turns}}\n{{.}} of {{n}}\n{{/turns}}\n");
  const json::value context = {{"n", 2}, {"turns", {1, 2}}};

  BOOST_TEST(text.Render(context) == text.RenderSectionItem("turns", 1, context) +
                                         text.RenderSectionItem("turns", 2, context));
}

BOOST_AUTO_TEST_CASE(sections_are_found_at_any_depth_but_not_inverted_ones) {
  const auto text = MustacheTemplate::Parse("{{#a}}{{#b.c}}{{/b.c}}{{/a}}{{^d}}{{/d}}");

  BOOST_TEST(text.HasSection("a"));
  BOOST_TEST(text.HasSection("b.c"));
  BOOST_TEST(!text.HasSection("b"));
  BOOST_TEST(!text.HasSection("d"));
}

BOOST_AUTO_TEST_CASE(tag_names_are_first_parts_without_the_iterator) {
  const auto text = MustacheTemplate::Parse(
      "{{a.b}}{{{c}}}{{&d}}{{! e }}{{#f}}{{.}}{{#.}}{{/.}}{{a}}{{/f}}{{^g.h}}{{/g.h}}");

  const std::set<std::string> expected = {"a", "c", "d", "f", "g"};
  BOOST_TEST(text.TagNames() == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(tag_names_include_those_of_partials_but_not_their_names) {
  const auto text = MustacheTemplate::Parse("{{a}}{{>p}}", {{"p", "{{b.c}}{{>q}}"}});

  const std::set<std::string> expected = {"a", "b"};
  BOOST_TEST(text.TagNames() == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
