// Scenes through the C interface.
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "capi/objects.h"
#include "capi_scene_fixture.h"
#include "talefold/error.h"

using namespace talefold;
using namespace talefold::capi;

namespace json = boost::json;

namespace {

const std::string kLine(60, 'x');

std::vector<std::string> EventsOf(talefold_scene scene) {
  std::vector<std::string> types;
  for (;;) {
    talefold_event event = NoEvent();
    Ok(Api().scene_poll_event(scene, &event));
    if (event.kind == TALEFOLD_EVENT_NONE) return types;
    BOOST_TEST(event.kind == TALEFOLD_EVENT_NODE_EVENT);
    BOOST_TEST(event.turn_id == 0u);
    BOOST_TEST(json::parse(String(event.json)).is_object());
    types.push_back(String(event.text));
  }
}

std::set<std::string> KeysOf(const json::value& object) {
  std::set<std::string> keys;
  for (const auto& member : object.as_object()) keys.emplace(member.key());
  return keys;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(capi_scene)

// --- A story -------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(a_character_answers_and_its_reply_becomes_a_message) {
  const CapiSceneFixture f;
  std::int64_t id = 0;
  Ok(Api().scene_say(f.scene, Text("Ann"), Text("Any rooms?"),
                     Text(R"({"source": "player", "meta": "m"})"), &id));

  const json::value result = f.ResultOf(f.StartTurn());

  BOOST_TEST(result.at("text") == "Aye.");
  const json::value messages = f.Read(Api().scene_messages);
  BOOST_REQUIRE(messages.as_array().size() == 2u);
  BOOST_TEST(messages.at(0).at("id").to_number<std::int64_t>() == id);
  BOOST_TEST(messages.at(0).at("source") == "player");
  BOOST_TEST(messages.at(0).at("meta") == "m");
  BOOST_TEST(messages.at(1).at("kind") == "character");
  BOOST_TEST(messages.at(1).at("speaker") == "Edric");
  BOOST_TEST(messages.at(1).at("text") == "Aye.");
  BOOST_TEST(messages.at(1).at("present") == json::array{"Edric"});
  BOOST_TEST(messages.at(1).at("based_on") == 1);
}

BOOST_AUTO_TEST_CASE(turns_are_tasks_with_events) {
  const CapiSceneFixture f;
  f.Narrate("It rains.");
  const talefold_task turn = f.StartTurn();

  std::string said;
  talefold_event event = NoEvent();
  while (event.kind != TALEFOLD_EVENT_COMPLETE) {
    Ok(Api().task_wait_event(turn, 60'000, &event));
    if (event.kind == TALEFOLD_EVENT_ANSWER_TEXT && event.is_delta) {
      said += String(event.text);
    }
  }

  BOOST_TEST(said == "Aye.");
  BOOST_TEST(event.status == TALEFOLD_STATUS_SUCCESS);
  BOOST_TEST(event.turn_id == 1u);
  Ok(Api().task_release(turn));
  BOOST_TEST(Api().task_cancel(turn) == TALEFOLD_INVALID_HANDLE);
}

BOOST_AUTO_TEST_CASE(a_turn_is_cancelled_and_others_take_theirs_meanwhile) {
  const CapiSceneFixture f(kInline, R"({"replies": [{"outcome": "stall"}]})");
  Ok(Api().scene_add_character(f.scene, Text("Bob"), Text(kCharacter), 0));
  const talefold_task edric = f.StartTurn();
  const talefold_task bob = f.StartTurn("Bob");

  talefold_task again = 7;
  BOOST_TEST(Api().scene_start_turn(f.scene, Text("Edric"), 0, &again) ==
             TALEFOLD_AGENT_BUSY);
  BOOST_TEST(again == 0u);
  talefold_text text{};
  BOOST_TEST(Api().task_result(edric, &text) == TALEFOLD_AGENT_BUSY);
  BOOST_TEST(Api().task_resolve(edric, Text("yes")) == TALEFOLD_NO_DECISION_PENDING);
  Ok(Api().task_cancel(edric));
  Ok(Api().task_cancel(bob));

  BOOST_TEST(f.ResultOf(edric).at("status") == "cancelled");
  BOOST_TEST(f.ResultOf(bob).at("status") == "cancelled");
  BOOST_TEST(f.Read(Api().scene_messages).as_array().empty());
}

BOOST_AUTO_TEST_CASE(a_turn_ends_at_its_time_out) {
  const CapiSceneFixture f(kInline, R"({"replies": [{"outcome": "stall"}]})");
  talefold_task turn = 0;
  Ok(Api().scene_start_turn(f.scene, Text("Edric"), 5, &turn));

  BOOST_TEST(f.ResultOf(turn).at("error").at("code") == TALEFOLD_INFERENCE_TIMEOUT);
}

BOOST_AUTO_TEST_CASE(a_reply_has_versions) {
  const CapiSceneFixture f;
  f.Narrate("It rains.");
  f.ResultOf(f.StartTurn());
  talefold_task turn = 0;
  Ok(Api().scene_start_regenerate(f.scene, Text("Edric"), Text("refuse"), 0, &turn));
  BOOST_TEST(f.ResultOf(turn).at("text") == "Nay.");

  json::value reply = f.Read(Api().scene_messages).at(1);
  BOOST_TEST(reply.at("text") == "Nay.");
  BOOST_TEST(reply.at("versions") == json::array{"Aye."});
  Ok(Api().scene_show_version(f.scene, reply.at("id").as_int64(), 0));
  reply = f.Read(Api().scene_messages).at(1);
  BOOST_TEST(reply.at("text") == "Aye.");
}

BOOST_AUTO_TEST_CASE(every_kind_of_message_is_there_with_its_fields) {
  const CapiSceneFixture f;
  std::int64_t id = 0;
  std::int32_t changed = 0;
  Ok(Api().scene_activate(f.scene, Text("Ann"), &changed));
  BOOST_TEST(changed == 1);
  Ok(Api().scene_activate(f.scene, Text("Ann"), &changed));
  BOOST_TEST(changed == 0);
  Ok(Api().scene_deactivate(f.scene, Text("Edric"), &changed));
  BOOST_TEST(changed == 1);
  Ok(Api().scene_say(f.scene, Text("Ann"), Text("Hello."), kNoText, &id));
  Ok(Api().scene_narrate(f.scene, Text("It rains."), Text(R"({"hidden": true})"), &id));
  Ok(Api().scene_direct(f.scene, Text("Ann"), Text("leave"), &id));
  Ok(Api().scene_add_note_message(f.scene, Text("reinforcement"), Text("Mood"),
                                  Text("calm"), &id));
  Ok(Api().scene_add_note_message(f.scene, Text("context_investigation"), Text("Who?"),
                                  Text("A spy."), &id));
  Ok(Api().scene_pass_time(f.scene, Text("PT2H"), kNoText, &id));
  std::int64_t inserted = 0;
  Ok(Api().scene_insert_time(f.scene, id, Text("PT1H"), Text("Later."), &inserted));
  Ok(Api().scene_edit_time(f.scene, inserted, Text("PT30M")));

  const json::value messages = f.Read(Api().scene_messages);

  std::vector<std::string> kinds;
  for (const json::value& message : messages.as_array()) {
    kinds.emplace_back(message.at("kind").as_string());
    BOOST_TEST(message.at("present") == json::array{"Ann"});
  }
  const std::vector<std::string> expected{
      "character", "narrator", "director", "reinforcement", "context_investigation",
      "time",      "time"};
  BOOST_TEST(kinds == expected, boost::test_tools::per_element());
  BOOST_TEST(messages.at(1).at("hidden") == true);
  BOOST_TEST(messages.at(2).at("speaker") == "Ann");
  BOOST_TEST(messages.at(3).at("source") == "Mood");
  BOOST_TEST(messages.at(5).at("duration") == "PT30M");
  BOOST_TEST(messages.at(6).at("text") == "2 hours later.");
  BOOST_TEST(f.Read(Api().scene_characters) == json::array{"Edric"});
  BOOST_TEST(f.Read(Api().scene_active) == json::array{"Ann"});
  std::int64_t size = 0;
  Ok(Api().scene_size(f.scene, &size));
  BOOST_TEST(size == 7);
  talefold_text text{};
  Ok(Api().scene_clock(f.scene, &text));
  BOOST_TEST(String(text) == "PT2H30M");
  Ok(Api().scene_time_label(f.scene, text, &text));
  BOOST_TEST(!String(text).empty());
}

BOOST_AUTO_TEST_CASE(messages_are_edited_hidden_and_erased) {
  const CapiSceneFixture f;
  const std::int64_t first = f.Narrate("It rains.");
  const std::int64_t second = f.Narrate("It pours.");
  std::uint64_t before = 0;
  Ok(Api().scene_version(f.scene, &before));

  Ok(Api().scene_edit(f.scene, first, Text("It snows.")));
  Ok(Api().scene_set_hidden(f.scene, first, 1));
  Ok(Api().scene_erase(f.scene, second));

  const json::value messages = f.Read(Api().scene_messages);
  BOOST_REQUIRE(messages.as_array().size() == 1u);
  BOOST_TEST(messages.at(0).at("text") == "It snows.");
  BOOST_TEST(messages.at(0).at("hidden") == true);
  std::uint64_t after = 0;
  Ok(Api().scene_version(f.scene, &after));
  BOOST_TEST(after > before);
}

BOOST_AUTO_TEST_CASE(a_transcript_is_appended_whole_or_not_at_all) {
  const CapiSceneFixture f;
  std::int64_t count = 0;
  Ok(Api().scene_import_transcript(
      f.scene,
      Text("{\"kind\": \"narrator\", \"text\": \"Night.\"}\n"
           "{\"kind\": \"character\", \"speaker\": \"Ann\", \"text\": \"Hi.\"}\n"),
      &count));
  BOOST_TEST(count == 2);

  BOOST_TEST(Api().scene_import_transcript(
                 f.scene,
                 Text("{\"kind\": \"narrator\", \"text\": \"Day.\"}\nno JSON\n"),
                 &count) == TALEFOLD_MALFORMED_STORAGE);
  BOOST_TEST(count == 0);
  BOOST_TEST(f.Read(Api().scene_messages).as_array().size() == 2u);
}

// --- Settings ------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(settings_that_are_not_named_stay_as_they_are) {
  const CapiSceneFixture f;
  Ok(Api().scene_set_settings(f.scene,
                              Text(R"({"intro": "Once.", "intention": "x"})")));
  Ok(Api().scene_set_settings(f.scene,
                              Text(R"({"format": "ai_aware", "intention": ""})")));

  const json::value expected{{"intro", "Once."},
                             {"intention", ""},
                             {"writing_style", ""},
                             {"format", "ai_aware"}};
  BOOST_TEST(f.Read(Api().scene_settings) == expected);
  BOOST_TEST(
      Api().scene_set_settings(f.scene, Text(R"({"intro": "", "format": "x"})")) ==
      TALEFOLD_INVALID_PARAM_VALUE);
  BOOST_TEST(f.Read(Api().scene_settings) == expected);
}

BOOST_AUTO_TEST_CASE(notes_and_overrides_are_set_and_removed) {
  const CapiSceneFixture f;
  Ok(Api().scene_set_note(f.scene, Text("weather"), Text("rain")));
  BOOST_TEST(f.Read(Api().scene_notes) == json::value({{"weather", "rain"}}));
  Ok(Api().scene_set_note(f.scene, Text("weather"), kNoText));
  BOOST_TEST(f.Read(Api().scene_notes).as_object().empty());

  const auto override_threshold = [&](talefold_text value) {
    return Api().scene_set_override(f.scene, Text("Archive"), Text("token_threshold"),
                                    value);
  };
  Ok(override_threshold(Text("512")));
  BOOST_TEST(f.Read(Api().scene_overrides).at("Archive").at("token_threshold") == 512);
  BOOST_TEST(override_threshold(Text("0")) == TALEFOLD_INVALID_PARAM_VALUE);
  BOOST_TEST(override_threshold(Text("{")) == TALEFOLD_INVALID_PARAM_VALUE);
  BOOST_TEST(f.Read(Api().scene_overrides).at("Archive").at("token_threshold") == 512);
  Ok(override_threshold(kNoText));
  BOOST_TEST(f.Read(Api().scene_overrides).as_object().empty());
}

// --- The memory ----------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(what_is_due_is_remembered_and_can_be_looked_at) {
  const CapiSceneFixture f;
  std::vector<std::int64_t> ids;
  for (int i = 0; i < 4; ++i) ids.push_back(f.Narrate(kLine));

  const json::value entries = f.Read(Api().scene_entries);

  BOOST_REQUIRE(!entries.as_array().empty());
  const json::value& entry = entries.at(0);
  BOOST_TEST(entry.at("text") == "They met at the inn.");
  BOOST_TEST(entry.at("layer") == 0);
  BOOST_TEST(entry.at("first").as_int64() == ids[0]);
  BOOST_TEST(entry.at("out_of_sync") == false);
  const std::int64_t id = entry.at("id").as_int64();
  talefold_text text{};
  Ok(Api().scene_inspect(f.scene, id, &text));
  const json::value sources = json::parse(String(text));
  BOOST_TEST(sources.at("messages").at(0).at("id").as_int64() == ids[0]);
  BOOST_TEST(sources.at("entries").as_array().empty());
  const json::value statistics = f.Read(Api().scene_statistics);
  BOOST_TEST(statistics.at(0).at("layer") == 0);
  BOOST_TEST(statistics.at(0).at("source_tokens").as_int64() > 100);

  const std::vector<std::string> events = EventsOf(f.scene);
  BOOST_REQUIRE(!events.empty());
  BOOST_TEST(events.front() == "memory_progress");
  BOOST_TEST(events[1] == "entry_committed");
  BOOST_TEST(EventsOf(f.scene).empty());
}

BOOST_AUTO_TEST_CASE(the_memory_is_written_beside_the_turns_and_waited_for) {
  const CapiSceneFixture f(kBeside);
  for (int i = 0; i < 4; ++i) f.Narrate(kLine);

  std::int32_t done = 0;
  Ok(Api().scene_update_memory(f.scene, 60'000, &done));

  BOOST_TEST(done == 1);
  BOOST_TEST(!f.Read(Api().scene_entries).as_array().empty());
}

BOOST_AUTO_TEST_CASE(work_on_the_memory_is_cancelled) {
  const CapiSceneFixture f(
      kBeside, R"({"replies": [{"outcome": "stall"}], "tokenizer": "chars"})");
  for (int i = 0; i < 4; ++i) f.Narrate(kLine);
  std::int32_t done = 7;
  Ok(Api().scene_update_memory(f.scene, 0, &done));
  BOOST_TEST(done == 0);

  Ok(Api().scene_cancel_memory(f.scene));
  Ok(Api().scene_cancel_memory(f.scene));

  BOOST_TEST(f.Read(Api().scene_entries).as_array().empty());
}

BOOST_AUTO_TEST_CASE(entries_are_edited_and_written_again) {
  const CapiSceneFixture f;
  for (int i = 0; i < 4; ++i) f.Narrate(kLine);
  const std::int64_t id = f.Read(Api().scene_entries).at(0).at("id").as_int64();
  EventsOf(f.scene);

  Ok(Api().scene_edit_entry(f.scene, id, Text("They fought.")));
  BOOST_TEST(f.Read(Api().scene_entries).at(0).at("text") == "They fought.");
  BOOST_TEST(f.Read(Api().scene_entries).at(0).at("edited") == true);
  Ok(Api().scene_regenerate_entry(f.scene, id));
  BOOST_TEST(f.Read(Api().scene_entries).at(0).at("text") == "They met at the inn.");
  const std::vector<std::string> expected{"entry_edited", "entry_edited"};
  BOOST_TEST(EventsOf(f.scene) == expected, boost::test_tools::per_element());

  std::int32_t done = 0;
  Ok(Api().scene_regenerate_all(f.scene, &done));
  BOOST_TEST(done == 1);
  Ok(Api().scene_reset_layers(f.scene, 0, &done));
  BOOST_TEST(done == 1);
  Ok(Api().scene_reset_layers(f.scene, 1, &done));
  BOOST_TEST(done == 1);
}

BOOST_AUTO_TEST_CASE(backstory_is_added_and_removed) {
  const CapiSceneFixture f;
  std::int64_t id = 0;
  Ok(Api().scene_add_backstory(f.scene, Text("The war ended."), Text("P10D"), &id));
  const json::value entry = f.Read(Api().scene_entries).at(0);
  BOOST_TEST(entry.at("id").as_int64() == id);
  BOOST_TEST(entry.at("is_static") == true);

  Ok(Api().scene_remove_backstory(f.scene, id));

  BOOST_TEST(f.Read(Api().scene_entries).as_array().empty());
}

// --- Saving --------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(a_review_is_what_the_next_prompt_shows) {
  const CapiSceneFixture f(R"({"run_inline": true, "enable_diagnostics": true})");
  for (int i = 0; i < 4; ++i) f.Narrate(kLine);
  talefold_text text{};

  Ok(Api().scene_review(f.scene, Text("Edric"), kNoText, &text));
  const json::value review = json::parse(String(text));
  const json::value result = f.ResultOf(f.StartTurn());

  const std::string shown(review.at("text").as_string());
  BOOST_TEST(shown.find(kLine) != std::string::npos);
  const std::string prompt =
      json::serialize(result.at("debug_info").at("nodes").at(0).at("input"));
  // A JSON string without its quotes.
  const std::string written = json::serialize(json::string(shown));
  BOOST_TEST(prompt.find(written.substr(1, written.size() - 2)) != std::string::npos);
  const json::array& sections = review.at("sections").as_array();
  BOOST_REQUIRE(!sections.empty());
  BOOST_TEST(sections.back().at("level") == 0);
  BOOST_TEST(sections.back().at("texts").as_array().size() == 4u);
  BOOST_TEST(sections.back().at("budget").is_null());
}

BOOST_AUTO_TEST_CASE(a_review_tries_other_settings_and_leaves_the_scene_as_it_is) {
  const CapiSceneFixture f;
  for (int i = 0; i < 4; ++i) f.Narrate(kLine);
  const std::string before = f.Snapshot();
  talefold_text text{};

  Ok(Api().scene_review(f.scene, Text("Edric"),
                        Text(R"({"max_budget": 80, "min_dialogue": 1})"), &text));

  const json::value review = json::parse(String(text));
  BOOST_TEST(review.at("budget") == 80);
  BOOST_TEST(review.at("tokens").as_int64() <= 80);
  BOOST_TEST(f.Snapshot() == before);
}

BOOST_AUTO_TEST_CASE(a_story_goes_on_from_its_snapshot) {
  const CapiSceneFixture f;
  for (int i = 0; i < 4; ++i) f.Narrate(kLine);
  f.ResultOf(f.StartTurn());
  const std::string snapshot = f.Snapshot();

  talefold_text text{};
  Ok(Api().scene_export_snapshot(f.scene, &text));  // given to the call that reads it
  const talefold_scene copy = f.MakeScene(R"({"run_inline": true})", text);
  f.AddEdric(copy);

  Ok(Api().scene_export_snapshot(copy, &text));
  BOOST_TEST(String(text) == snapshot);
  Ok(Api().scene_settings(copy, &text));
  BOOST_TEST(json::parse(String(text)).at("format") == "chat");
  talefold_task turn = 0;
  Ok(Api().scene_start_turn(copy, Text("Edric"), 0, &turn));
  BOOST_TEST(f.ResultOf(turn).at("status") == "success");
}

BOOST_AUTO_TEST_CASE(what_a_call_of_a_scene_returned_may_be_given_to_the_next) {
  const CapiSceneFixture f;
  talefold_text text{};
  std::int64_t id = 0;
  f.ResultOf(f.StartTurn());
  Ok(Api().scene_messages(f.scene, &text));
  const std::string all = String(text);
  Ok(Api().scene_narrate(f.scene, text, kNoText, &id));
  BOOST_TEST(f.Read(Api().scene_messages).at(1).at("text") == all.c_str());

  Ok(Api().scene_clock(f.scene, &text));
  Ok(Api().scene_pass_time(f.scene, text, text, &id));
  Ok(Api().scene_settings(f.scene, &text));
  Ok(Api().scene_set_settings(f.scene, text));
  const talefold_task turn = f.StartTurn();
  talefold_event event = NoEvent();
  Ok(Api().task_wait_event(turn, 60'000, &event));
  const std::string said = String(event.text);
  Ok(Api().scene_say(f.scene, Text("Echo"), event.text, kNoText, &id));
  f.ResultOf(turn);
  BOOST_TEST(f.Snapshot().find(said) != std::string::npos);
}

// --- Handles and arguments -----------------------------------------------------------

BOOST_AUTO_TEST_CASE(handles_of_scenes_end_and_are_never_used_again) {
  CapiSceneFixture f;
  talefold_text text{};
  Ok(Api().scene_close(f.scene));
  Ok(Api().scene_close(f.scene));
  BOOST_TEST(Api().scene_messages(f.scene, &text) == TALEFOLD_AGENT_CLOSED);
  Ok(Api().scene_destroy(f.scene));
  BOOST_TEST(Api().scene_close(f.scene) == TALEFOLD_INVALID_HANDLE);
  BOOST_TEST(Api().scene_destroy(f.scene) == TALEFOLD_INVALID_HANDLE);
  const talefold_scene other = f.MakeScene();
  BOOST_TEST(other != f.scene);

  Ok(Api().engine_destroy(f.engine));
  f.engine = 0;
  BOOST_TEST(Api().scene_messages(other, &text) == TALEFOLD_INVALID_HANDLE);
}

BOOST_AUTO_TEST_CASE(a_scene_that_is_destroyed_ends_its_turns_whose_tasks_stay) {
  const CapiSceneFixture f(kInline, R"({"replies": [{"outcome": "stall"}]})");
  const talefold_task turn = f.StartTurn();

  Ok(Api().scene_destroy(f.scene));

  BOOST_TEST(f.ResultOf(turn).at("status") == "cancelled");
}

BOOST_AUTO_TEST_CASE(handles_of_other_kinds_are_named) {
  const CapiSceneFixture f;
  talefold_text text{};
  const struct {
    std::uint64_t handle;
    const char* said;
  } rows[] = {
      {f.engine, "is of an engine; expected a scene"},
      {f.agent, "is of an agent; expected a scene"},
      {0, "handle 0 is none; expected a scene"},
      {f.scene | kKindMask, "of a scene was taken back, or never given out"},
      {f.scene + (1 << kKindBits) * 1000, "of a scene was taken back"},
  };
  for (const auto& row : rows) {
    BOOST_TEST_CONTEXT(row.said) {
      BOOST_TEST(Api().scene_messages(row.handle, &text) == TALEFOLD_INVALID_HANDLE);
      const std::string message = String(LastError().message);
      BOOST_TEST(message.find(row.said) != std::string::npos, message);
    }
  }
  BOOST_TEST(Api().agent_prewarm(f.scene) == TALEFOLD_INVALID_HANDLE);
  BOOST_TEST(String(LastError().message).find("is of a scene; expected an agent") !=
             std::string::npos);
}

BOOST_AUTO_TEST_CASE(bad_arguments_are_named_and_change_nothing) {
  const CapiSceneFixture f;
  std::int64_t id = 5;
  talefold_task turn = 5;
  talefold_scene made = 5;
  talefold_text text{};
  std::int32_t done = 5;
  const std::int64_t narrated = f.Narrate("It rains.");
  const std::string before = f.Snapshot();
  const auto create = [&](std::string_view graph, std::string_view options,
                          std::string_view snapshot) {
    return Api().engine_create_scene(f.engine, Text(graph), Text(options),
                                     Text(snapshot), &made);
  };
  const struct {
    const char* what;
    std::function<std::int32_t()> call;
    std::int32_t expected;
    const char* said;
  } rows[] = {
      {"unknown option", [&] { return create("", R"({"inline": true})", ""); },
       TALEFOLD_INVALID_PARAM_VALUE, "run_inline"},
      {"unknown setting",
       [&] { return create("", R"({"settings": {"style": "x"}})", ""); },
       TALEFOLD_INVALID_PARAM_VALUE, "options.settings.style"},
      {"unknown format",
       [&] { return create("", R"({"settings": {"format": "verse"}})", ""); },
       TALEFOLD_INVALID_PARAM_VALUE, "'ai_aware'"},
      {"memory graph of an agent", [&] { return create(kTalkAndFold, "", ""); },
       TALEFOLD_GRAPH_COMPILATION_FAILED, ""},
      {"bad snapshot", [&] { return create("", "", "{}"); },
       TALEFOLD_MALFORMED_SNAPSHOT, ""},
      {"no result",
       [&] {
         return Api().engine_create_scene(f.engine, kNoText, kNoText, kNoText, nullptr);
       },
       TALEFOLD_INVALID_ARGUMENT, "scene is NULL"},
      {"character with a fold",
       [&] {
         return Api().scene_add_character(f.scene, Text("Bob"), Text(kTalkAndFold), 1);
       },
       TALEFOLD_GRAPH_COMPILATION_FAILED, ""},
      {"character twice",
       [&] {
         return Api().scene_add_character(f.scene, Text("Edric"), Text(kCharacter), 1);
       },
       TALEFOLD_INVALID_ARGUMENT, "Edric"},
      {"unknown message option",
       [&] {
         return Api().scene_narrate(f.scene, Text("x"), Text(R"({"hid": true})"), &id);
       },
       TALEFOLD_INVALID_PARAM_VALUE, "allowed: 'source', 'meta', 'hidden'"},
      {"no id",
       [&] { return Api().scene_narrate(f.scene, Text("x"), kNoText, nullptr); },
       TALEFOLD_INVALID_ARGUMENT, "id is NULL"},
      {"no text", [&] { return Api().scene_narrate(f.scene, kNoText, kNoText, &id); },
       TALEFOLD_INVALID_ARGUMENT, "text is empty"},
      {"bad UTF-8",
       [&] { return Api().scene_say(f.scene, Text("\xFF"), Text("x"), kNoText, &id); },
       TALEFOLD_INVALID_UTF8, "speaker"},
      {"kind that is no note",
       [&] {
         return Api().scene_add_note_message(f.scene, Text("narrator"), Text("a"),
                                             Text("b"), &id);
       },
       TALEFOLD_INVALID_ARGUMENT, "'reinforcement', 'context_investigation'"},
      {"no duration",
       [&] { return Api().scene_pass_time(f.scene, Text("soon"), kNoText, &id); },
       TALEFOLD_INVALID_ARGUMENT, "duration"},
      {"no time passage",
       [&] { return Api().scene_edit_time(f.scene, narrated, Text("PT1H")); },
       TALEFOLD_INVALID_ARGUMENT, "no time passage"},
      {"unknown message", [&] { return Api().scene_edit(f.scene, 99, Text("x")); },
       TALEFOLD_INTERACTION_NOT_FOUND, "99"},
      {"nothing to erase", [&] { return Api().scene_erase(f.scene, -1); },
       TALEFOLD_INTERACTION_NOT_FOUND, "-1"},
      {"no such version",
       [&] { return Api().scene_show_version(f.scene, narrated, 0); },
       TALEFOLD_INVALID_ARGUMENT, "no other version"},
      {"unknown character",
       [&] { return Api().scene_start_turn(f.scene, Text("Bob"), 0, &turn); },
       TALEFOLD_INVALID_ARGUMENT, "'Bob'"},
      {"negative timeout",
       [&] { return Api().scene_start_turn(f.scene, Text("Edric"), -1, &turn); },
       TALEFOLD_INVALID_ARGUMENT, "timeout_ms"},
      {"nothing to regenerate",
       [&] {
         return Api().scene_start_regenerate(f.scene, Text("Edric"), kNoText, 0, &turn);
       },
       TALEFOLD_INVALID_ARGUMENT, "no reply"},
      {"settings that are none",
       [&] { return Api().scene_set_settings(f.scene, Text("[]")); },
       TALEFOLD_INVALID_PARAM_VALUE, "settings"},
      {"override of another node",
       [&] {
         return Api().scene_set_override(f.scene, Text("Speak"), Text("speed"),
                                         Text("2"));
       },
       TALEFOLD_INVALID_PARAM_VALUE, "LayeredHistory"},
      {"override of another param",
       [&] {
         return Api().scene_set_override(f.scene, Text("Generate"), Text("stream"),
                                         Text("true"));
       },
       TALEFOLD_INVALID_PARAM_VALUE, "prompt_caching"},
      {"negative wait", [&] { return Api().scene_update_memory(f.scene, -1, &done); },
       TALEFOLD_INVALID_ARGUMENT, "timeout_ms: -1"},
      {"unknown entry", [&] { return Api().scene_edit_entry(f.scene, 9, Text("x")); },
       TALEFOLD_SUMMARY_NOT_FOUND, "9"},
      {"nothing to write again",
       [&] { return Api().scene_regenerate_entry(f.scene, 9); },
       TALEFOLD_SUMMARY_NOT_FOUND, "9"},
      {"nothing to inspect", [&] { return Api().scene_inspect(f.scene, 9, &text); },
       TALEFOLD_SUMMARY_NOT_FOUND, "9"},
      {"negative layers", [&] { return Api().scene_reset_layers(f.scene, -1, &done); },
       TALEFOLD_INVALID_ARGUMENT, "count: -1"},
      {"backstory without time",
       [&] { return Api().scene_add_backstory(f.scene, Text("x"), kNoText, &id); },
       TALEFOLD_INVALID_ARGUMENT, "ago"},
      {"review of nobody",
       [&] { return Api().scene_review(f.scene, Text("Bob"), kNoText, &text); },
       TALEFOLD_INVALID_ARGUMENT, "'Bob'"},
      {"review of an unknown setting",
       [&] {
         return Api().scene_review(f.scene, Text("Edric"), Text(R"({"budget": 9})"),
                                   &text);
       },
       TALEFOLD_INVALID_PARAM_VALUE, "max_budget"},
      {"review of a bad value",
       [&] {
         return Api().scene_review(f.scene, Text("Edric"),
                                   Text(R"({"dialogue_ratio": 5})"), &text);
       },
       TALEFOLD_INVALID_PARAM_VALUE, "10 to 90"},
      {"review of what is no object",
       [&] { return Api().scene_review(f.scene, Text("Edric"), Text("[]"), &text); },
       TALEFOLD_INVALID_PARAM_VALUE, "history"},
      {"review into nothing",
       [&] { return Api().scene_review(f.scene, Text("Edric"), kNoText, nullptr); },
       TALEFOLD_INVALID_ARGUMENT, "result is NULL"},
      {"event without size",
       [&] {
         talefold_event event{};
         return Api().scene_poll_event(f.scene, &event);
       },
       TALEFOLD_INVALID_ARGUMENT, "event.size is 0"},
  };
  for (const auto& row : rows) {
    BOOST_TEST_CONTEXT(row.what) {
      id = 5, turn = 5, made = 5;
      BOOST_TEST(row.call() == row.expected);
      const std::string message =
          String(LastError().message) + " " + String(LastError().hint);
      BOOST_TEST(message.find(row.said) != std::string::npos, message);
      BOOST_TEST((id == 5 || id == 0));
      BOOST_TEST((turn == 5 || turn == 0));
      BOOST_TEST((made == 5 || made == 0));
    }
  }
  BOOST_TEST(f.Snapshot() == before);
}

BOOST_AUTO_TEST_CASE(a_failing_poll_returns_nothing_of_an_earlier_one) {
  char old[] = "old";
  talefold_event event = NoEvent();
  event.kind = TALEFOLD_EVENT_NODE_EVENT;
  event.text = event.json = {old, 3};

  BOOST_TEST(Api().scene_poll_event(0, &event) == TALEFOLD_INVALID_HANDLE);

  BOOST_TEST(event.kind == TALEFOLD_EVENT_NONE);
  BOOST_TEST((event.text.data == nullptr && event.json.data == nullptr));
}

BOOST_AUTO_TEST_CASE(results_have_the_keys_that_the_header_names) {
  const CapiSceneFixture f;
  for (int i = 0; i < 4; ++i) f.Narrate(kLine);

  const std::set<std::string> message{"id",       "kind",     "text",    "speaker",
                                      "source",   "meta",     "hidden",  "present",
                                      "duration", "versions", "based_on"};
  const std::set<std::string> entry{
      "id",     "layer",   "text",      "first",    "last",        "ts",    "ts_start",
      "ts_end", "present", "is_static", "verbatim", "out_of_sync", "edited"};
  const std::set<std::string> layer{"layer",  "source_tokens", "source_count",
                                    "tokens", "count",         "reduction_percent"};
  BOOST_TEST((KeysOf(f.Read(Api().scene_messages).at(0)) == message));
  BOOST_TEST((KeysOf(f.Read(Api().scene_entries).at(0)) == entry));
  BOOST_TEST((KeysOf(f.Read(Api().scene_statistics).at(0)) == layer));

  talefold_text text{};
  Ok(Api().scene_review(f.scene, Text("Edric"), kNoText, &text));
  const json::value review = json::parse(String(text));
  const std::set<std::string> whole{"tokens", "budget", "text", "sections"};
  const std::set<std::string> section{"level", "texts", "tokens", "budget",
                                      "incomplete"};
  const std::set<std::string> shown{"id", "text", "tokens"};
  BOOST_TEST((KeysOf(review) == whole));
  BOOST_TEST((KeysOf(review.at("sections").at(0)) == section));
  BOOST_TEST((KeysOf(review.at("sections").at(0).at("texts").at(0)) == shown));
}

// --- Callbacks -----------------------------------------------------------------------

namespace {

constexpr std::string_view kSpeaker = R"({
  "format": "talefold-graph", "version": 1, "start_node": "talk",
  "nodes": [{"name": "talk", "type": "GenerateAndSpeak",
             "params": {"min_sentence_chars": 1}}]})";

// Calls functions of its own scene while it voices a sentence.
struct BusyVoice {
  talefold_scene scene = 0;
  std::vector<std::int32_t> refused = {};
  std::vector<std::int32_t> allowed = {};
};

std::int32_t CallTheScene(void* user, const talefold_speech_request*, talefold_speech) {
  auto& voice = *static_cast<BusyVoice*>(user);
  const talefold_scene scene = voice.scene;
  std::int64_t id = 0;
  std::int32_t done = 0;
  talefold_text text{};
  talefold_event event = NoEvent();
  voice.refused = {
      Api().scene_close(scene),
      Api().scene_destroy(scene),
      Api().scene_update_memory(scene, 0, &done),
      Api().scene_regenerate_entry(scene, 1),
      Api().scene_regenerate_all(scene, &done),
      Api().scene_reset_layers(scene, 0, &done),
      Api().scene_set_override(scene, Text("Archive"), Text("enabled"), Text("true")),
      Api().scene_narrate(scene, Text("It rains."), kNoText, &id),
      Api().scene_review(scene, Text("Ann"), kNoText, &text),
  };
  voice.allowed = {
      Api().scene_messages(scene, &text),
      Api().scene_poll_event(scene, &event),
      Api().scene_set_note(scene, Text("weather"), Text("rain")),
      Api().scene_cancel_memory(scene),
  };
  return TALEFOLD_OK;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_backend_calls_a_scene_but_does_not_wait_for_it) {
  const CapiSceneFixture f;
  BusyVoice voice{.scene = f.scene};
  talefold_speech_backend backend{};
  backend.size = sizeof backend;
  backend.user = &voice;
  backend.synthesize = CallTheScene;
  Ok(Api().engine_set_speech_backend(f.engine, &backend));
  Ok(Api().scene_add_character(f.scene, Text("Ann"), Text(kSpeaker), 1));

  BOOST_TEST(f.ResultOf(f.StartTurn("Ann")).at("status") == "success");

  BOOST_TEST(voice.refused.size() == 9u);
  for (const std::int32_t status : voice.refused) {
    BOOST_TEST(status == TALEFOLD_AGENT_BUSY);
  }
  for (const std::int32_t status : voice.allowed) BOOST_TEST(status == TALEFOLD_OK);
}

BOOST_AUTO_TEST_SUITE_END()
