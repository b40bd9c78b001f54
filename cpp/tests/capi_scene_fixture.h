// Scenes of the C interface, for tests.
#pragma once

#include <boost/json.hpp>
#include <cstdint>
#include <string>
#include <string_view>

#include "capi_fixture.h"

namespace talefold::capi {

inline constexpr std::string_view kMemory = R"({
  "format": "talefold-graph", "version": 1, "start_node": "archive",
  "nodes": [
    {"name": "archive", "type": "Archive", "params": {
      "token_threshold": 100, "default_exit": "layers"}},
    {"name": "layers", "type": "LayeredHistory", "params": {
      "token_threshold": 100, "analyze": false}}]})";

inline constexpr std::string_view kCharacter = R"({
  "format": "talefold-graph", "version": 1, "start_node": "talk",
  "nodes": [{"name": "talk", "type": "Generate", "params": {
    "system_prompt": "Be Edric.", "stream": true}}]})";

inline constexpr std::string_view kInline =
    R"({"run_inline": true, "settings": {"format": "chat"}})";
inline constexpr std::string_view kBeside = R"({"settings": {"format": "chat"}})";

inline constexpr std::string_view kSceneModel = R"({
  "replies": ["Aye.", "Nay."], "tokenizer": "chars",
  "node_replies": {"archive": ["SUMMARY: They met at the inn."],
                   "layers": ["CHUNK 1: Much happened."]}})";

// An engine with a scripted model, and a scene with a character, Edric.
struct CapiSceneFixture : CapiFixture {
  explicit CapiSceneFixture(std::string_view scene_options = kInline,
                            std::string_view model_options = kSceneModel)
      : CapiFixture(model_options), scene(MakeScene(scene_options)) {
    AddEdric(scene);
  }

  talefold_scene MakeScene(std::string_view options = kInline,
                           talefold_text snapshot = kNoText) const {
    talefold_scene made = 0;
    Ok(Api().engine_create_scene(engine, Text(kMemory), Text(options), snapshot,
                                 &made));
    return made;
  }

  static void AddEdric(talefold_scene scene) {
    Ok(Api().scene_add_character(scene, Text("Edric"), Text(kCharacter), 1));
  }

  std::int64_t Narrate(std::string_view text) const {
    std::int64_t id = 0;
    Ok(Api().scene_narrate(scene, Text(text), kNoText, &id));
    return id;
  }

  talefold_task StartTurn(std::string_view character = "Edric") const {
    talefold_task turn = 0;
    Ok(Api().scene_start_turn(scene, Text(character), 0, &turn));
    return turn;
  }

  static boost::json::value ResultOf(talefold_task turn) {
    std::int32_t done = 0;
    Ok(Api().task_wait(turn, 60'000, &done));
    BOOST_REQUIRE(done == 1);
    talefold_text json{};
    Ok(Api().task_result(turn, &json));
    return boost::json::parse(String(json));
  }

  // What a function that returns JSON says of the scene.
  template <typename Function>
  boost::json::value Read(Function function) const {
    talefold_text json{};
    Ok(function(scene, &json));
    return boost::json::parse(String(json));
  }

  std::string Snapshot() const {
    talefold_text text{};
    Ok(Api().scene_export_snapshot(scene, &text));
    return String(text);
  }

  talefold_scene scene = 0;
};

}  // namespace talefold::capi
