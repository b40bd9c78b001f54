/*
 * A scene through the C interface: two characters and a guest share a story, it is
 * remembered in summaries, and goes on from a snapshot.
 *
 *     story
 *
 * A script replies.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "talefold/talefold.h"

static talefold_api api;

static const char edric[] =
    "{\"format\": \"talefold-graph\", \"version\": 1, \"start_node\": \"edric\","
    " \"nodes\": [{\"name\": \"edric\", \"type\": \"Generate\", \"params\": {"
    "   \"system_prompt\": \"You are Edric, an innkeeper.\", \"stream\": true}}]}";

static const char rowan[] =
    "{\"format\": \"talefold-graph\", \"version\": 1, \"start_node\": \"rowan\","
    " \"nodes\": [{\"name\": \"rowan\", \"type\": \"Generate\", \"params\": {"
    "   \"system_prompt\": \"You are Rowan, a bard.\", \"stream\": true}}]}";

/* What a scene has without a graph of its own, but for the size of its entries. */
static const char memory[] =
    "{\"format\": \"talefold-graph\", \"version\": 1, \"start_node\": \"archive\","
    " \"nodes\": ["
    "  {\"name\": \"archive\", \"type\": \"Archive\", \"params\": {"
    "    \"token_threshold\": 400, \"default_exit\": \"layers\"}},"
    "  {\"name\": \"layers\", \"type\": \"LayeredHistory\"}]}";

static const char script[] =
    "{\"tokenizer\": \"chars\", \"node_replies\": {"
    "  \"edric\": [\"Two coppers a night, and the stew is hot.\"],"
    "  \"rowan\": [\"Then I shall sing for my supper, as bards have done.\"],"
    "  \"archive\": [\"SUMMARY: A guest came, and Rowan offered to sing.\"]}}";

static talefold_text text_of(const char *text) {
  talefold_text view;
  view.data = text;
  view.size = strlen(text);
  return view;
}

static void check(int32_t status, const char *what) {
  talefold_error error;
  if (status == TALEFOLD_OK) return;
  error.size = sizeof error;
  api.last_error(&error);
  fprintf(stderr, "%s: %d: %.*s (%.*s)\n", what, (int)error.code,
          (int)error.message.size, error.message.data, (int)error.hint.size,
          error.hint.data);
  exit(1);
}

static void add_characters(talefold_scene scene) {
  check(api.scene_add_character(scene, text_of("Edric"), text_of(edric), 1), "Edric");
  check(api.scene_add_character(scene, text_of("Rowan"), text_of(rowan), 1), "Rowan");
}

/* A line of the player, who needs no graph. */
static void say(talefold_scene scene, const char *speaker, const char *line) {
  int64_t id;
  printf("%s: %s\n", speaker, line);
  check(api.scene_say(scene, text_of(speaker), text_of(line), text_of(""), &id), "say");
}

/* The character's next reply becomes a message by itself. A game polls the task once a
 * frame, as it does with a turn of an agent. */
static void take_turn(talefold_scene scene, const char *character) {
  talefold_task turn;
  talefold_event event;
  printf("%s: ", character);
  check(api.scene_start_turn(scene, text_of(character), 0, &turn), "scene_start_turn");
  do {
    event.size = sizeof event;
    check(api.task_wait_event(turn, 1000, &event), "task_wait_event");
    if (event.kind == TALEFOLD_EVENT_ANSWER_TEXT && event.is_delta) {
      fwrite(event.text.data, 1, event.text.size, stdout);
    }
  } while (event.kind != TALEFOLD_EVENT_COMPLETE);
  printf("\n");
  if (event.status != TALEFOLD_STATUS_SUCCESS) {
    fprintf(stderr, "%.*s\n", (int)event.error_message.size, event.error_message.data);
    exit(1);
  }
  check(api.task_release(turn), "task_release");
}

/* Entries are written beside the turns; a game asks once a frame what came of it. */
static void tell_of_memory(talefold_scene scene) {
  talefold_event event;
  int32_t done;
  check(api.scene_update_memory(scene, 60000, &done), "scene_update_memory");
  do {
    event.size = sizeof event;
    check(api.scene_poll_event(scene, &event), "scene_poll_event");
    if (event.kind == TALEFOLD_EVENT_NODE_EVENT) {
      printf("[%.*s]\n", (int)event.text.size, event.text.data);
    }
  } while (event.kind != TALEFOLD_EVENT_NONE);
}

int main(void) {
  const talefold_text none = {NULL, 0};
  talefold_engine engine;
  talefold_scene scene, later;
  talefold_text text;
  int64_t id;
  if (talefold_get_api(TALEFOLD_ABI_VERSION, &api, sizeof api) != TALEFOLD_OK) {
    fprintf(stderr, "this library has another version of the C interface\n");
    return 1;
  }
  check(api.engine_create(none, &engine), "engine_create");
  check(api.engine_load_scripted_model(engine, text_of("cast"), text_of(script)),
        "engine_load_scripted_model");

  check(api.engine_create_scene(engine, text_of(memory), none, none, &scene),
        "engine_create_scene");
  add_characters(scene);
  check(api.scene_narrate(scene, text_of("Night falls over the inn."), none, &id),
        "scene_narrate");
  say(scene, "Guest", "Good evening to you both. What is a room for the night?");
  take_turn(scene, "Edric");
  take_turn(scene, "Rowan");
  check(api.scene_pass_time(scene, text_of("PT9H"), none, &id), "scene_pass_time");
  say(scene, "Guest", "Good morning!");
  tell_of_memory(scene);
  check(api.scene_entries(scene, &text), "scene_entries");
  printf("remembered: %.*s\n", (int)text.size, text.data);

  /* A returned text may be given to the next call; to a file it is written. */
  check(api.scene_export_snapshot(scene, &text), "scene_export_snapshot");
  check(api.engine_create_scene(engine, text_of(memory), none, text, &later),
        "engine_create_scene");
  check(api.scene_destroy(scene), "scene_destroy");
  add_characters(later);
  take_turn(later, "Edric");
  check(api.scene_clock(later, &text), "scene_clock");
  printf("the clock stands at %.*s\n", (int)text.size, text.data);

  check(api.engine_destroy(engine), "engine_destroy");
  return 0;
}
