// Snapshots: nothing is lost on the way out and back, nothing bad comes in.
#include "dialog/snapshot.h"

#include <boost/test/unit_test.hpp>

#include "base/json.h"

namespace talefold {
namespace {

BOOST_AUTO_TEST_SUITE(snapshot)

AgentState SampleState() {
  AgentState state;
  for (int i = 0; i < 4; ++i) {
    Interaction interaction;
    interaction.id = 10 + i;
    interaction.revision = static_cast<std::uint32_t>(i);
    interaction.user = "Zoë said \"" + std::to_string(i) + "\"\n";
    interaction.assistant = i == 2 ? "" : "Aye.";
    interaction.status =
        i == 1 ? InteractionStatus::Interrupted : InteractionStatus::Complete;
    interaction.attempt = i == 3 ? 2 : 0;
    if (i >= 2) {
      interaction.summary =
          SummaryComponent{.text = "S" + std::to_string(i),
                           .node = "summarize",
                           .covered_through = static_cast<std::size_t>(i - 2),
                           .stale = i == 2,
                           .edited = i == 3,
                           .abridged = i == 3};
    }
    state.dialog.Append(std::move(interaction));
  }
  Interaction full;
  full.id = 20;
  full.user = "Ale, please.";
  full.tool_calls = {{.id = "call_20_1",
                      .node = "tools",
                      .tool_name = "pour",
                      .arguments = R"({"cups": 2})",
                      .format = "chatml",
                      .result = R"({"ok": true})"},
                     {.id = "call_20_2", .arguments = "{}"}};
  full.knowledge = {{"lore", {{"k1", "Ale is \"free\".", 0.25}}}, {"empty", {}}};
  full.instructions = {{"mood", "Be brief."}};
  full.intention = IntentionComponent{"order", "classify"};
  state.dialog.Append(std::move(full));
  state.trims["generate"].Set(1, 1);
  state.trims["generate"].Set(3, 2);
  state.pins = {{"name", "The player is Ann."}, {"debt", "Two\nlines."}};
  state.lines["canned"] = {.seed = (std::uint64_t{1} << 53) - 1, .drawn = 7};
  return state;
}

AgentState PlainState() {
  AgentState state;
  Interaction interaction;
  interaction.id = 1;
  interaction.user = "hi";
  state.dialog.Append(interaction);
  return state;
}

ErrorCode CodeOf(const std::string& text) {
  try {
    ReadSnapshot(text);
  } catch (const Error& error) {
    BOOST_TEST(!error.message().empty());
    return error.code();
  }
  return ErrorCode{0};
}

// The snapshot of SampleState with one value replaced.
template <typename Change>
std::string Changed(const Change& change) {
  json::value document = json::parse(WriteSnapshot(SampleState()));
  change(document.as_object());
  return json::serialize(document);
}

BOOST_AUTO_TEST_CASE(a_round_trip_keeps_everything) {
  const AgentState before = SampleState();

  const AgentState after = ReadSnapshot(WriteSnapshot(before));

  BOOST_REQUIRE(after.dialog.size() == before.dialog.size());
  for (std::size_t i = 0; i < before.dialog.size(); ++i) {
    BOOST_TEST((after.dialog.at(i) == before.dialog.at(i)));
  }
  BOOST_TEST(*after.dialog.NewestCarrier(5) == 3u);
  BOOST_TEST((after.pins == before.pins));
  BOOST_TEST((after.lines == before.lines));
  BOOST_TEST((after.trims.at("generate") == before.trims.at("generate")));
  BOOST_TEST(WriteSnapshot(after) == WriteSnapshot(before));
}

BOOST_AUTO_TEST_CASE(a_dialog_that_never_folded_leaves_no_trace_of_summaries) {
  const std::string text = WriteSnapshot(PlainState());
  BOOST_TEST(text.find("summar") == std::string::npos);
  BOOST_TEST(text.find("required_components") == std::string::npos);
  BOOST_TEST(text.find("nodes") == std::string::npos);
}

BOOST_AUTO_TEST_CASE(what_is_in_use_is_declared) {
  const json::value document = json::parse(WriteSnapshot(SampleState()));
  BOOST_TEST(
      json::serialize(document.at("required_components")) ==
      R"(["summary","tool_calls","knowledge","instructions","intention","pins"])");
}

BOOST_AUTO_TEST_CASE(an_unknown_component_is_refused) {
  const std::string text = Changed([](json::object& root) {
    root["required_components"] = {"summary", "hologram"};
  });
  BOOST_TEST((CodeOf(text) == ErrorCode::DialogUnsupportedComponent));
}

BOOST_AUTO_TEST_CASE(a_newer_version_is_named_as_such_even_with_keys_unknown_here) {
  const std::string text = Changed([](json::object& root) {
    root["version"] = 2;
    root["scene"] = json::object{};
  });
  BOOST_TEST((CodeOf(text) == ErrorCode::SnapshotVersionTooNew));
}

BOOST_AUTO_TEST_CASE(every_truncation_is_malformed) {
  const std::string text = WriteSnapshot(SampleState());
  for (std::size_t length = 0; length + 2 < text.size(); ++length) {
    BOOST_TEST_CONTEXT("cut to " << length << " bytes") {
      BOOST_TEST((CodeOf(text.substr(0, length)) == ErrorCode::MalformedSnapshot));
    }
  }
}

BOOST_AUTO_TEST_CASE(inconsistent_content_is_malformed) {
  struct Case {
    const char* name;
    std::function<void(json::object&)> change;
  };
  const auto entry = [](json::object& root, std::size_t i) -> json::object& {
    return root["dialog"].as_array()[i].as_object();
  };
  const auto call = [&](json::object& root, std::size_t i) -> json::object& {
    return entry(root, 4)["tool_calls"].as_array()[i].as_object();
  };
  const auto mark = [](json::object& root) -> json::object& {
    return root["nodes"]
        .as_object()["generate"]
        .as_object()["trims"]
        .as_array()[1]
        .as_object();
  };
  const Case cases[] = {
      {"not ours", [](json::object& root) { root["format"] = "other"; }},
      {"no version", [](json::object& root) { root.erase("version"); }},
      {"version zero", [](json::object& root) { root["version"] = 0; }},
      {"unknown key", [](json::object& root) { root["extra"] = 1; }},
      {"no dialog", [](json::object& root) { root.erase("dialog"); }},
      {"dialog is no array", [](json::object& root) { root["dialog"] = 3; }},
      {"ids not ascending", [&](json::object& root) { entry(root, 1)["id"] = 10; }},
      {"negative id", [&](json::object& root) { entry(root, 0)["id"] = -1; }},
      {"id beyond 2^53",
       [&](json::object& root) { entry(root, 3)["id"] = (std::int64_t{1} << 53) + 1; }},
      {"id is text", [&](json::object& root) { entry(root, 0)["id"] = "a"; }},
      {"unknown status", [&](json::object& root) { entry(root, 0)["status"] = "odd"; }},
      {"user is missing", [&](json::object& root) { entry(root, 0).erase("user"); }},
      {"NUL in a text",
       [&](json::object& root) {
         entry(root, 0)["user"] = std::string_view("a\0b", 3);
       }},
      {"summary not declared",
       [](json::object& root) { root.erase("required_components"); }},
      {"covers the future",
       [&](json::object& root) {
         entry(root, 2)["summary"].as_object()["covered_through"] = 3;
       }},
      {"covers less than before",
       [&](json::object& root) {
         entry(root, 3)["summary"].as_object()["covered_through"] = 0;
       }},
      {"empty summary",
       [&](json::object& root) {
         entry(root, 3)["summary"].as_object()["text"] = " ";
       }},
      {"trim beyond the dialog", [&](json::object& root) { mark(root)["at"] = 5; }},
      {"pin not declared",
       [](json::object& root) { root["required_components"].as_array().pop_back(); }},
      {"pin without a text",
       [](json::object& root) {
         root["pins"].as_array()[0].as_object()["text"] = "\n";
       }},
      {"two pins of one key",
       [](json::object& root) {
         root["pins"].as_array()[1].as_object()["key"] = "name";
       }},
      {"two calls of one id",
       [&](json::object& root) { call(root, 1)["id"] = "call_20_1"; }},
      {"arguments are no object",
       [&](json::object& root) { call(root, 0)["arguments"] = "[1]"; }},
      {"arguments are no JSON",
       [&](json::object& root) { call(root, 0)["arguments"] = "{"; }},
      {"a result is no JSON",
       [&](json::object& root) { call(root, 0)["result"] = "yes"; }},
      {"a distance is a text",
       [&](json::object& root) {
         entry(root, 4)["knowledge"]
             .as_array()[0]
             .as_object()["chunks"]
             .as_array()[0]
             .as_object()["distance"] = "near";
       }},
      {"an instruction without a name",
       [&](json::object& root) {
         entry(root, 4)["instructions"].as_array()[0].as_object().erase("name");
       }},
      {"an intention with a key too many",
       [&](json::object& root) { entry(root, 4)["intention"].as_object()["x"] = 1; }},
      {"negative cursor",
       [](json::object& root) {
         root["nodes"].as_object()["canned"].as_object()["lines"].as_object()["drawn"] =
             -1;
       }},
      {"trim of the current turn", [&](json::object& root) { mark(root)["from"] = 4; }},
      {"trim marks out of order", [&](json::object& root) { mark(root)["at"] = 1; }},
  };
  for (const Case& c : cases) {
    BOOST_TEST_CONTEXT(c.name) {
      BOOST_TEST((CodeOf(Changed(c.change)) == ErrorCode::MalformedSnapshot));
    }
  }
}

BOOST_AUTO_TEST_CASE(invalid_utf8_is_malformed) {
  std::string text = WriteSnapshot(PlainState());
  text.replace(text.find("hi"), 2, "\xC3\x28");
  BOOST_TEST((CodeOf(text) == ErrorCode::MalformedSnapshot));
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace
}  // namespace talefold
