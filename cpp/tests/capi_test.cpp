#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "capi/objects.h"
#include "capi_fixture.h"
#include "talefold/error.h"

using namespace talefold;
using namespace talefold::capi;

namespace json = boost::json;

namespace {

std::vector<std::string> KindsOf(talefold_task task) {
  std::vector<std::string> kinds;
  for (;;) {
    talefold_event event = NoEvent();
    Ok(Api().task_wait_event(task, 60'000, &event));
    switch (event.kind) {
      case TALEFOLD_EVENT_NONE:
        return kinds;
      case TALEFOLD_EVENT_ANSWER_TEXT:
        kinds.push_back((event.is_delta ? "delta " : "final ") + String(event.text));
        break;
      case TALEFOLD_EVENT_NODE_EVENT:
        kinds.push_back("node " + String(event.text));
        break;
      case TALEFOLD_EVENT_COMPLETE:
        kinds.push_back("complete " + std::to_string(event.status));
        break;
      default:
        kinds.push_back(std::to_string(event.kind));
    }
  }
}

// What a task failed with.
std::int32_t ErrorOf(talefold_task task) {
  for (talefold_event event = NoEvent();; event = NoEvent()) {
    Ok(Api().task_wait_event(task, 60'000, &event));
    if (event.kind == TALEFOLD_EVENT_COMPLETE) return event.error_code;
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(capi)

// --- The table -----------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(every_function_is_there) {
  const auto* functions = reinterpret_cast<void (*const*)()>(&Api().last_error);
  const std::size_t count =
      (sizeof(talefold_api) - offsetof(talefold_api, last_error)) / sizeof *functions;
  BOOST_TEST(count > 60u);
  for (std::size_t i = 0; i < count; ++i) {
    BOOST_TEST(functions[i] != nullptr, "function " << i);
  }
  BOOST_TEST(Api().size == sizeof(talefold_api));
}

BOOST_AUTO_TEST_CASE(a_shorter_table_is_filled_as_far_as_it_goes) {
  talefold_api api;
  std::memset(static_cast<void*>(&api), 0xAA, sizeof api);
  const std::size_t size = offsetof(talefold_api, graph_validate);

  BOOST_TEST(talefold_get_api(TALEFOLD_ABI_VERSION, &api, size) == TALEFOLD_OK);

  BOOST_TEST(api.size == size);
  BOOST_TEST((api.descriptors == Api().descriptors));
  unsigned char beyond = 0;
  std::memcpy(&beyond, &api.graph_validate, 1);
  BOOST_TEST(beyond == 0xAA);
}

BOOST_AUTO_TEST_CASE(a_table_that_ends_within_a_function_is_filled_up_to_it) {
  talefold_api api;
  const std::size_t whole = offsetof(talefold_api, graph_validate);

  BOOST_TEST(talefold_get_api(TALEFOLD_ABI_VERSION, &api, whole + 3) == TALEFOLD_OK);

  BOOST_TEST(api.size == whole);
}

BOOST_AUTO_TEST_CASE(a_longer_table_has_null_beyond_what_is_known) {
  struct {
    talefold_api known;
    void (*later)();
  } api;
  std::memset(static_cast<void*>(&api), 0xAA, sizeof api);

  BOOST_TEST(talefold_get_api(TALEFOLD_ABI_VERSION, &api.known, sizeof api) ==
             TALEFOLD_OK);

  BOOST_TEST(api.known.size == sizeof(talefold_api));
  BOOST_TEST((api.later == nullptr));
}

BOOST_AUTO_TEST_CASE(a_table_that_cannot_be_filled_is_left_alone) {
  talefold_api api{};
  BOOST_TEST(talefold_get_api(TALEFOLD_ABI_VERSION + 1, &api, sizeof api) ==
             TALEFOLD_INVALID_ARGUMENT);
  BOOST_TEST(talefold_get_api(TALEFOLD_ABI_VERSION, nullptr, sizeof api) ==
             TALEFOLD_INVALID_ARGUMENT);
  BOOST_TEST(talefold_get_api(TALEFOLD_ABI_VERSION, &api, sizeof(std::size_t)) ==
             TALEFOLD_INVALID_ARGUMENT);
  BOOST_TEST(talefold_get_api(TALEFOLD_ABI_VERSION, &api, std::size_t{1} << 40) ==
             TALEFOLD_INVALID_ARGUMENT);
  BOOST_TEST(api.size == 0u);
}

// --- A conversation ------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(a_turn_tells_its_events_in_order) {
  const CapiFixture chat(R"({"replies": ["Aye, sir."], "tokenizer": "words"})");
  const talefold_task turn = chat.Start("Any rooms?");

  const std::vector<std::string> expected{"delta Aye,", "delta  sir.",
                                          "final Aye, sir.", "complete 0"};
  BOOST_TEST(KindsOf(turn) == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_conversation_folds_and_goes_on_from_a_snapshot) {
  CapiFixture chat;
  chat.Say("a");
  chat.Say("b");
  chat.Say("c");
  talefold_text text{};
  Ok(Api().agent_get_summary(chat.agent, &text));
  BOOST_TEST(json::parse(String(text)).at("text") == "They met.");
  Ok(Api().agent_export_snapshot(chat.agent, &text));
  const std::string snapshot = String(text);

  const talefold_agent copy = chat.MakeAgent(snapshot);

  Ok(Api().agent_export_snapshot(copy, &text));
  BOOST_TEST(String(text) == snapshot);
  Ok(Api().agent_dialog(copy, &text));
  BOOST_TEST(json::parse(String(text)).as_array().size() == 3u);
  Ok(Api().agent_history_states(copy, Text("talk"), &text));
  BOOST_TEST(json::parse(String(text)).as_array().front() == "folded");
}

BOOST_AUTO_TEST_CASE(without_text_the_character_speaks_first) {
  const CapiFixture chat;
  talefold_task turn = 0;
  Ok(Api().agent_start(chat.agent, kNoText, 0, &turn));
  std::int32_t done = 0;
  Ok(Api().task_wait(turn, 60'000, &done));

  BOOST_TEST(Api().agent_start(chat.agent, Text(""), 0, &turn) ==
             TALEFOLD_INVALID_ARGUMENT);
  talefold_text dialog{};
  Ok(Api().agent_dialog(chat.agent, &dialog));
  const auto first = json::parse(String(dialog)).as_array().at(0);
  BOOST_TEST(first.at("user") == "");
  BOOST_TEST(first.at("assistant") == "Aye.");
}

BOOST_AUTO_TEST_CASE(a_busy_agent_and_a_running_task_say_so) {
  const CapiFixture chat(R"({"replies": [{"text": "Well", "outcome": "stall"}]})");
  const talefold_task turn = chat.Start("Hi");

  talefold_task second = 7;
  BOOST_TEST(Api().agent_start(chat.agent, Text("Hi"), 0, &second) ==
             TALEFOLD_AGENT_BUSY);
  BOOST_TEST(second == 0u);
  BOOST_TEST(String(LastError().hint).find("cancel") != std::string::npos);
  talefold_text json{};
  BOOST_TEST(Api().task_result(turn, &json) == TALEFOLD_AGENT_BUSY);
  std::int32_t busy = 0;
  Ok(Api().agent_busy(chat.agent, &busy));
  BOOST_TEST(busy == 1);

  Ok(Api().task_cancel(turn));
  Ok(Api().task_cancel(turn));
  BOOST_TEST(KindsOf(turn).back() == "complete 1");
}

BOOST_AUTO_TEST_CASE(a_failed_turn_has_its_error_in_the_complete_event) {
  const CapiFixture chat(R"({"replies": [{"outcome": "fail"}]})");
  const talefold_task turn = chat.Start("Hi");

  talefold_event event = NoEvent();
  Ok(Api().task_wait_event(turn, 60'000, &event));

  BOOST_TEST(event.kind == TALEFOLD_EVENT_COMPLETE);
  BOOST_TEST(event.status == TALEFOLD_STATUS_ERROR);
  BOOST_TEST(event.error_code == TALEFOLD_INFERENCE_FAILED);
  BOOST_TEST(event.error_message.size > 0u);
}

BOOST_AUTO_TEST_CASE(background_folds_are_polled_from_the_agent) {
  std::string graph(kTalkAndFold);
  graph.insert(graph.find("\"trigger_turns\""),
               "\"run_inline\": false, \"notify_client\": true, ");
  CapiFixture chat;
  chat.agent = chat.MakeAgent({}, graph);
  chat.Say("a");
  chat.Say("b");
  chat.Say("c");
  std::int32_t done = 0;
  Ok(Api().agent_wait_background(chat.agent, 0, &done));
  BOOST_TEST(done == 1);

  talefold_event event = NoEvent();
  Ok(Api().agent_poll_background(chat.agent, &event));

  BOOST_TEST(event.kind == TALEFOLD_EVENT_NODE_EVENT);
  BOOST_TEST(String(event.text) == "summarized");
  BOOST_TEST(event.turn_id == 0u);
}

// --- Handles and arguments -----------------------------------------------------------

BOOST_AUTO_TEST_CASE(handles_end_and_are_never_used_again) {
  CapiFixture chat;
  const talefold_task turn = chat.Start("Hi");
  std::int32_t done = 0;
  Ok(Api().task_wait(turn, 60'000, &done));
  Ok(Api().task_release(turn));
  BOOST_TEST(Api().task_cancel(turn) == TALEFOLD_INVALID_HANDLE);
  Ok(Api().agent_close(chat.agent));
  Ok(Api().agent_close(chat.agent));
  BOOST_TEST(Api().agent_prewarm(chat.agent) == TALEFOLD_AGENT_CLOSED);
  Ok(Api().agent_release(chat.agent));
  BOOST_TEST(Api().agent_close(chat.agent) == TALEFOLD_INVALID_HANDLE);
  BOOST_TEST(chat.MakeAgent() != chat.agent);

  const talefold_agent other = chat.MakeAgent();
  Ok(Api().engine_destroy(chat.engine));
  BOOST_TEST(Api().agent_prewarm(other) == TALEFOLD_INVALID_HANDLE);
  BOOST_TEST(Api().engine_destroy(chat.engine) == TALEFOLD_INVALID_HANDLE);
  chat.engine = 0;
}

BOOST_AUTO_TEST_CASE(a_handle_of_another_kind_is_named) {
  const CapiFixture chat;
  BOOST_TEST(Api().agent_prewarm(chat.engine) == TALEFOLD_INVALID_HANDLE);
  BOOST_TEST(String(LastError().message).find("is of an engine; expected an agent") !=
             std::string::npos);
  BOOST_TEST(Api().agent_prewarm(0) == TALEFOLD_INVALID_HANDLE);
}

BOOST_AUTO_TEST_CASE(bad_arguments_are_named_and_change_nothing) {
  const CapiFixture chat;
  talefold_engine engine = 5;
  talefold_text text{};
  talefold_event event{};
  const talefold_text no_address{nullptr, 3};
  const struct {
    const char* what;
    std::function<std::int32_t()> call;
    std::int32_t expected;
    const char* said;
  } rows[] = {
      {"no result", [&] { return Api().engine_create(kNoText, nullptr); },
       TALEFOLD_INVALID_ARGUMENT, "engine is NULL"},
      {"garbage", [&] { return Api().engine_create(Text("{"), &engine); },
       TALEFOLD_INVALID_ARGUMENT, "options"},
      {"unknown key of a model",
       [&] {
         return Api().engine_load_scripted_model(chat.engine, Text("m"),
                                                 Text(R"({"reply": []})"));
       },
       TALEFOLD_INVALID_PARAM_VALUE, "'node_replies'"},
      {"no object", [&] { return Api().engine_create(Text("[]"), &engine); },
       TALEFOLD_INVALID_PARAM_VALUE, "options"},
      {"unknown key",
       [&] { return Api().engine_create(Text("{\"worker_thread\": 2}"), &engine); },
       TALEFOLD_INVALID_PARAM_VALUE, "worker_thread"},
      {"wrong type",
       [&] { return Api().engine_create(Text("{\"prewarm\": 1}"), &engine); },
       TALEFOLD_INVALID_PARAM_VALUE, "boolean"},
      {"bad UTF-8",
       [&] { return Api().agent_pin(chat.agent, Text("\xFF"), Text("x")); },
       TALEFOLD_INVALID_UTF8, "key"},
      {"no samples",
       [&] { return Api().speech_give(1, 8000, nullptr, 4, &event.kind); },
       TALEFOLD_INVALID_ARGUMENT, "samples is NULL"},
      {"NULL with a size",
       [&] { return Api().agent_pin(chat.agent, no_address, Text("x")); },
       TALEFOLD_INVALID_ARGUMENT, "key is 3 bytes at NULL"},
      {"event without size",
       [&] { return Api().agent_poll_background(chat.agent, &event); },
       TALEFOLD_INVALID_ARGUMENT, "event.size is 0"},
      {"event of a size never set",
       [&] {
         talefold_event huge{};
         huge.size = std::size_t{1} << 40;
         return Api().agent_poll_background(chat.agent, &huge);
       },
       TALEFOLD_INVALID_ARGUMENT, "to 4096"},
      {"negative timeout",
       [&] { return Api().agent_wait_background(chat.agent, -1, &event.kind); },
       TALEFOLD_INVALID_ARGUMENT, "timeout_ms: -1"},
      {"unknown model",
       [&] { return Api().engine_unload_model(chat.engine, Text("no")); },
       TALEFOLD_MODEL_NOT_FOUND, "no"},
      {"bad graph", [&] { return Api().graph_format(Text("{}"), &text); },
       TALEFOLD_GRAPH_COMPILATION_FAILED, "format"},
      {"negative context",
       [&] {
         talefold_task load = 0;
         Ok(Api().engine_load_model(
             chat.engine, Text("m"),
             Text(R"({"path": "m.gguf", "default_context_size": -4})"), &load));
         return ErrorOf(load);
       },
       TALEFOLD_INVALID_ARGUMENT, ""},
      {"config twice",
       [&] {
         talefold_task load = 0;
         Ok(Api().engine_load_knowledge(
             chat.engine, Text("k"),
             Text(R"({"config": "{}", "config_file": "k.json"})"), &load));
         return ErrorOf(load);
       },
       TALEFOLD_INVALID_ARGUMENT, ""},
      {"bad kind",
       [&] {
         return Api().engine_add_storage(chat.engine, Text("s"), Text("set"),
                                         Text("[]"));
       },
       TALEFOLD_INVALID_ARGUMENT, "'multimap'"},
  };
  for (const auto& row : rows) {
    BOOST_TEST_CONTEXT(row.what) {
      BOOST_TEST(row.call() == row.expected);
      const std::string message = String(LastError().message);
      BOOST_TEST(message.find(row.said) != std::string::npos, message);
    }
  }
  BOOST_TEST(engine == 0u);
}

BOOST_AUTO_TEST_CASE(the_last_error_stays_until_the_next_and_is_of_a_thread) {
  const CapiFixture chat;
  BOOST_TEST(Api().agent_prewarm(0) == TALEFOLD_INVALID_HANDLE);
  std::int32_t busy = 0;
  Ok(Api().agent_busy(chat.agent, &busy));

  BOOST_TEST(LastError().code == TALEFOLD_INVALID_HANDLE);
  std::int32_t elsewhere = -1;
  std::thread([&] { elsewhere = LastError().code; }).join();
  BOOST_TEST(elsewhere == TALEFOLD_OK);
}

// --- What calls return ---------------------------------------------------------------

BOOST_AUTO_TEST_CASE(what_a_call_returned_may_be_given_to_the_next) {
  const CapiFixture chat;
  // Longer than a string keeps in itself, and as short.
  for (const std::string_view said : {"Hi", "Have you a room for two, and a stable?"}) {
    BOOST_TEST_CONTEXT(said) {
      chat.Say(said);
      talefold_text text{};
      Ok(Api().agent_export_snapshot(chat.agent, &text));
      const std::string snapshot = String(text);
      Ok(Api().agent_import_snapshot(chat.agent, text));
      Ok(Api().agent_export_snapshot(chat.agent, &text));
      BOOST_TEST(String(text) == snapshot);
      talefold_agent made = 0;
      Ok(Api().engine_create_agent(chat.engine, Text(kTalkAndFold), kNoText, text,
                                   kNoBytes, &made));

      Ok(Api().agent_graph(made, &text));
      Ok(Api().graph_format(text, &text));
      BOOST_TEST(String(text).find("Be Edric.") != std::string::npos);

      const talefold_task turn = chat.Start(said);
      talefold_event event = NoEvent();
      while (event.kind != TALEFOLD_EVENT_ANSWER_TEXT) {
        Ok(Api().task_wait_event(turn, 60'000, &event));
      }
      const std::string reply = String(event.text);
      Ok(Api().agent_pin(made, Text("reply"), event.text));
      Ok(Api().agent_pins(made, &text));
      BOOST_TEST(json::parse(String(text)).at(0).at("text").as_string() == reply);

      BOOST_TEST(Api().graph_format(Text("{"), &text) != TALEFOLD_OK);
      const std::string message = String(LastError().message);
      Ok(Api().agent_pin(made, Text("error"), LastError().message));
      Ok(Api().agent_pins(made, &text));
      BOOST_TEST(json::parse(String(text)).at(1).at("text").as_string() == message);

      std::int32_t done = 0;
      Ok(Api().task_wait(turn, 60'000, &done));
      BOOST_REQUIRE(done == 1);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_call_that_fails_returns_nothing_of_an_earlier_one) {
  const CapiFixture chat;
  char old[] = "old";
  const talefold_text stale{old, 3};
  const auto filled_event = [&] {
    talefold_event event = NoEvent();
    event.kind = TALEFOLD_EVENT_ANSWER_TEXT;
    event.text = event.json = event.error_message = stale;
    event.sample_count = 3;
    return event;
  };
  const auto check = [](const char* what, const talefold_event& event) {
    BOOST_TEST_CONTEXT(what) {
      BOOST_TEST(event.size == sizeof event);
      BOOST_TEST(event.kind == TALEFOLD_EVENT_NONE);
      BOOST_TEST((event.text.data == nullptr && event.text.size == 0));
      BOOST_TEST((event.json.data == nullptr && event.error_message.data == nullptr));
      BOOST_TEST(event.sample_count == 0u);
    }
  };

  talefold_event event = filled_event();
  BOOST_TEST(Api().task_poll(0, &event) == TALEFOLD_INVALID_HANDLE);
  check("task_poll", event);
  event = filled_event();
  BOOST_TEST(Api().task_wait_event(0, 0, &event) == TALEFOLD_INVALID_HANDLE);
  check("task_wait_event", event);
  event = filled_event();
  BOOST_TEST(Api().agent_poll_background(0, &event) == TALEFOLD_INVALID_HANDLE);
  check("agent_poll_background", event);

  talefold_error rejection{sizeof rejection, TALEFOLD_KV_REJECTED, stale, stale};
  BOOST_TEST(Api().agent_kv_rejection(0, &rejection) == TALEFOLD_INVALID_HANDLE);
  BOOST_TEST(rejection.code == 0);
  BOOST_TEST((rejection.message.data == nullptr && rejection.hint.size == 0));

  talefold_log_line line{sizeof line, TALEFOLD_LOG_ERROR, stale, stale, 3};
  BOOST_TEST(Api().engine_poll_log(0, &line) == TALEFOLD_INVALID_HANDLE);
  BOOST_TEST(line.level == -1);
  BOOST_TEST((line.text.data == nullptr && line.dropped == 0));
}

// --- Content -------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(knowledge_is_loaded_as_a_task_and_searched) {
  const CapiFixture chat;
  talefold_task load = 0;
  Ok(Api().engine_load_knowledge(
      chat.engine, Text("lore"),
      Text(R"({"config": "{\"version\": 1, \"fields\": []}", "records":
           "[{\"id\": \"a\", \"text\": \"The bridge is down.\", \"metadata\": {}}]"})"),
      &load));
  const std::vector<std::string> kinds = KindsOf(load);
  BOOST_TEST(kinds.back() == "complete 0");

  talefold_text found{};
  Ok(Api().engine_search_knowledge(chat.engine, Text("lore"),
                                   Text(R"({"text": "bridge"})"), &found));
  BOOST_TEST(json::parse(String(found)).as_array().at(0).at("id") == "a");
}

BOOST_AUTO_TEST_CASE(a_model_that_cannot_be_loaded_ends_its_task_with_the_error) {
  const CapiFixture chat;
  talefold_task load = 0;
  Ok(Api().engine_load_model(chat.engine, Text("edric"),
                             Text(R"({"path": "no such file.gguf"})"), &load));
  talefold_event event = NoEvent();
  do {
    Ok(Api().task_wait_event(load, 60'000, &event));
  } while (event.kind == TALEFOLD_EVENT_PROGRESS);

  BOOST_TEST(event.status == TALEFOLD_STATUS_ERROR);
  BOOST_TEST(event.error_code == TALEFOLD_MODEL_NOT_FOUND);
}

BOOST_AUTO_TEST_CASE(graphs_are_checked_and_localized_as_texts) {
  talefold_text text{};
  Ok(Api().graph_validate(Text("{"), &text));
  BOOST_TEST(json::parse(String(text)).as_array().at(0).at("code") == 3003);
  Ok(Api().graph_localizable_strings(Text(kTalkAndFold), &text));
  BOOST_TEST(json::parse(String(text)).at("talk.system_prompt") == "Be Edric.");

  Ok(Api().graph_apply_strings(
      Text(kTalkAndFold), Text(R"({"talk.system_prompt": "Sois Edric."})"), &text));
  BOOST_TEST(String(text).find("Sois Edric.") != std::string::npos);
}

// --- Log -----------------------------------------------------------------------------

BOOST_AUTO_TEST_CASE(the_log_is_polled_line_by_line) {
  const CapiFixture chat(R"({"replies": ["Aye."],
                             "node_replies": {"fold": [{"outcome": "fail"}]}})");
  chat.Say("a");
  chat.Say("b");
  chat.Say("c");
  talefold_log_line line{};
  line.size = sizeof line;
  int lines = 0;
  do {
    Ok(Api().engine_poll_log(chat.engine, &line));
    ++lines;
  } while (line.level != -1);

  BOOST_TEST(lines > 1);
}

// --- Speech --------------------------------------------------------------------------

namespace {

constexpr std::string_view kSpeaker = R"({
  "format": "talefold-graph", "version": 1, "start_node": "talk",
  "nodes": [{"name": "talk", "type": "GenerateAndSpeak",
             "params": {"min_sentence_chars": 1}}]})";

struct Voice {
  talefold_engine engine = 0;
  talefold_speech last = 0;
  std::int32_t destroyed = TALEFOLD_OK;
  std::vector<std::int32_t> bad_rates = {};
  int released = 0;
};

std::int32_t CheckVoice(void*, talefold_text, std::int32_t speaker_id) {
  if (speaker_id == 0) return TALEFOLD_OK;
  return Api().fail(TALEFOLD_INVALID_PARAM_VALUE, Text("one speaker only"), Text(""));
}

std::int32_t Synthesize(void* user, const talefold_speech_request* request,
                        talefold_speech speech) {
  auto& voice = *static_cast<Voice*>(user);
  voice.last = speech;
  for (const std::int32_t rate : {-8000, 0, 999, 384'001}) {
    std::int32_t wanted = 0;
    const std::int16_t sample = 1;
    voice.bad_rates.push_back(Api().speech_give(speech, rate, &sample, 1, &wanted));
  }
  voice.destroyed = Api().engine_destroy(voice.engine);
  const std::vector<std::int16_t> samples(request->text.size, 1);
  std::int32_t wanted = 0;
  return Api().speech_give(speech, 8000, samples.data(), samples.size(), &wanted);
}

void Release(void* user) { ++static_cast<Voice*>(user)->released; }

talefold_speech_backend BackendOf(Voice& voice) {
  talefold_speech_backend backend{};
  backend.size = sizeof backend;
  backend.user = &voice;
  backend.check_voice = CheckVoice;
  backend.synthesize = Synthesize;
  backend.release = Release;
  return backend;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_backend_of_the_host_speaks) {
  CapiFixture chat;
  Voice voice{.engine = chat.engine};
  const talefold_speech_backend backend = BackendOf(voice);
  Ok(Api().engine_set_speech_backend(chat.engine, &backend));
  chat.agent = chat.MakeAgent({}, kSpeaker);
  const talefold_task turn = chat.Start("Hi");
  std::size_t samples = 0;
  std::string spoken;
  for (talefold_event event = NoEvent();; event = NoEvent()) {
    Ok(Api().task_wait_event(turn, 60'000, &event));
    if (event.kind == TALEFOLD_EVENT_NONE) break;
    if (event.kind != TALEFOLD_EVENT_AUDIO_CHUNK) continue;
    samples += event.sample_count;
    spoken += String(event.text);
  }

  BOOST_TEST(samples == 4u);
  BOOST_TEST(spoken == "Aye.");
  BOOST_TEST(voice.destroyed == TALEFOLD_AGENT_BUSY);
  BOOST_TEST(voice.bad_rates.size() == 4u);
  for (const std::int32_t status : voice.bad_rates) {
    BOOST_TEST(status == TALEFOLD_INVALID_ARGUMENT);
  }
  std::int32_t stopped = 0;
  BOOST_TEST(Api().speech_stopped(voice.last, &stopped) == TALEFOLD_INVALID_HANDLE);
  Ok(Api().engine_destroy(chat.engine));
  chat.engine = 0;
  BOOST_TEST(voice.released == 1);
}

BOOST_AUTO_TEST_CASE(a_backend_is_released_once_for_each_time_it_was_set) {
  CapiFixture chat;
  Voice voice{.engine = chat.engine};
  const talefold_speech_backend backend = BackendOf(voice);
  Ok(Api().engine_set_speech_backend(chat.engine, &backend));
  Ok(Api().engine_set_speech_backend(chat.engine, &backend));
  BOOST_TEST(voice.released == 1);  // no agent has the first
  Ok(Api().engine_set_speech_backend(chat.engine, nullptr));
  BOOST_TEST(voice.released == 2);

  BOOST_TEST(Api().engine_set_speech_backend(0, &backend) == TALEFOLD_INVALID_HANDLE);
  BOOST_TEST(voice.released == 2);  // what was not taken stays with the host
}

namespace {

// Asks the agent, whose params are being changed, what it asks of itself.
struct CuriousVoice {
  talefold_agent agent = 0;
  std::vector<std::int32_t> statuses = {};
};

std::int32_t AskAgent(void* user, talefold_text, std::int32_t) {
  auto& voice = *static_cast<CuriousVoice*>(user);
  if (voice.agent == 0) return TALEFOLD_OK;
  std::int32_t busy = 0;
  talefold_text text{};
  voice.statuses.push_back(Api().agent_busy(voice.agent, &busy));
  voice.statuses.push_back(Api().agent_export_snapshot(voice.agent, &text));
  voice.statuses.push_back(
      Api().agent_change_params(voice.agent, Text("talk"), Text(R"({"speed": 2.0})")));
  return TALEFOLD_OK;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_backend_may_call_the_agent_whose_params_are_changed) {
  CapiFixture chat;
  CuriousVoice voice;
  talefold_speech_backend backend{};
  backend.size = sizeof backend;
  backend.user = &voice;
  backend.check_voice = AskAgent;
  backend.synthesize = Synthesize;
  Ok(Api().engine_set_speech_backend(chat.engine, &backend));
  voice.agent = chat.MakeAgent({}, kSpeaker);

  Ok(Api().agent_change_params(voice.agent, Text("talk"),
                               Text(R"({"speaker_id": 3})")));

  BOOST_TEST(voice.statuses.size() >= 3u);
  for (const std::int32_t status : voice.statuses) BOOST_TEST(status == TALEFOLD_OK);
  talefold_text graph{};
  Ok(Api().agent_graph(voice.agent, &graph));
  const auto params = json::parse(String(graph)).at("nodes").at(0).at("params");
  BOOST_TEST(params.at("speaker_id") == 3);  // and nothing of the other change is lost
  BOOST_TEST(params.at("speed") == 2.0);
}

BOOST_AUTO_TEST_CASE(what_a_backend_says_of_a_voice_is_the_error) {
  CapiFixture chat;
  Voice voice{.engine = chat.engine};
  const talefold_speech_backend backend = BackendOf(voice);
  Ok(Api().engine_set_speech_backend(chat.engine, &backend));
  std::string graph(kSpeaker);
  graph.insert(graph.find("\"min_sentence_chars\""), "\"speaker_id\": 3, ");

  talefold_agent made = 0;
  BOOST_TEST(Api().engine_create_agent(chat.engine, Text(graph), kNoText, kNoText,
                                       kNoBytes,
                                       &made) == TALEFOLD_INVALID_PARAM_VALUE);

  BOOST_TEST(String(LastError().message).find("one speaker only") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
