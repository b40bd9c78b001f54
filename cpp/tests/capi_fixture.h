// The C interface with the manners of C++, for tests.
#pragma once

#include <boost/json.hpp>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "talefold/talefold.h"

namespace talefold::capi {

inline const talefold_api& Api() {
  static const talefold_api api = [] {
    talefold_api table;
    BOOST_REQUIRE(talefold_get_api(TALEFOLD_ABI_VERSION, &table, sizeof table) ==
                  TALEFOLD_OK);
    return table;
  }();
  return api;
}

inline talefold_text Text(std::string_view text) { return {text.data(), text.size()}; }
inline constexpr talefold_text kNoText{nullptr, 0};
inline constexpr talefold_bytes kNoBytes{nullptr, 0};
inline std::string String(talefold_text text) {
  return text.size ? std::string(text.data, text.size) : std::string();
}

inline talefold_error LastError() {
  talefold_error error{};
  error.size = sizeof error;
  Api().last_error(&error);
  return error;
}

// The status of a call that must succeed, with what it said if it did not.
inline void Ok(std::int32_t status) {
  BOOST_REQUIRE_MESSAGE(status == TALEFOLD_OK,
                        status << ": " << String(LastError().message));
}

inline talefold_event NoEvent() {
  talefold_event event{};
  event.size = sizeof event;
  return event;
}

inline constexpr std::string_view kTalkAndFold = R"({
  "format": "talefold-graph", "version": 1, "start_node": "talk",
  "nodes": [
    {"name": "talk", "type": "Generate", "params": {
      "system_prompt": "Be Edric.", "context_size": 1024, "stream": true,
      "default_exit": "fold"}},
    {"name": "fold", "type": "Summarize", "params": {
      "trigger_tokens": 0, "trigger_turns": 2, "keep_recent_turns": 0}}]})";

// An engine with a scripted model, and an agent.
struct CapiFixture {
  explicit CapiFixture(std::string_view model_options =
                           R"({"replies": ["Aye."], "node_replies":
                               {"fold": ["They met."]}, "tokenizer": "chars"})") {
    Ok(Api().engine_create(kNoText, &engine));
    Ok(Api().engine_load_scripted_model(engine, Text("mock"), Text(model_options)));
    agent = MakeAgent();
  }
  ~CapiFixture() {
    if (engine != 0) Ok(Api().engine_destroy(engine));
  }

  talefold_agent MakeAgent(std::string_view snapshot = {},
                           std::string_view graph = kTalkAndFold) const {
    talefold_agent made = 0;
    Ok(Api().engine_create_agent(engine, Text(graph), kNoText, Text(snapshot), kNoBytes,
                                 &made));
    return made;
  }

  talefold_task Start(std::string_view text) const {
    talefold_task turn = 0;
    Ok(Api().agent_start(agent, Text(text), 0, &turn));
    return turn;
  }

  // The reply, when the turn succeeds.
  std::string Say(std::string_view text) const {
    const talefold_task turn = Start(text);
    std::int32_t done = 0;
    Ok(Api().task_wait(turn, 60'000, &done));
    BOOST_REQUIRE(done == 1);
    talefold_text json{};
    Ok(Api().task_result(turn, &json));
    const auto result = boost::json::parse(String(json));
    BOOST_TEST(result.at("status") == "success");
    Ok(Api().task_release(turn));
    return std::string(result.at("text").as_string());
  }

  talefold_engine engine = 0;
  talefold_agent agent = 0;
};

}  // namespace talefold::capi
