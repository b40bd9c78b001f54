/*
 * A conversation through the C interface: it is held, folded, saved, loaded, continued.
 *
 *     tavern SNAPSHOT_FILE [GGUF_FILE]
 *
 * Without a model, a script replies.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "talefold/talefold.h"

static talefold_api api;

static const char graph[] =
    "{\"format\": \"talefold-graph\", \"version\": 1, \"start_node\": \"talk\","
    " \"nodes\": ["
    "  {\"name\": \"talk\", \"type\": \"Generate\", \"params\": {"
    "    \"system_prompt\": \"You are Edric, an innkeeper. Answer in one sentence.\","
    "    \"context_size\": 1024, \"stream\": true, \"sampling\": {\"max_tokens\": 64},"
    "    \"default_exit\": \"fold\"}},"
    "  {\"name\": \"fold\", \"type\": \"Summarize\", \"params\": {"
    "    \"trigger_tokens\": 0, \"trigger_turns\": 2, \"keep_recent_turns\": 1}}]}";

static const char script[] =
    "{\"replies\": [\"Welcome in, Rowan!\", \"Two coppers a night.\","
    "               \"Stew, and it is hot.\"],"
    " \"node_replies\": {\"fold\": [\"Rowan asked Edric for a room.\"]}}";

static talefold_text text_of(const char *text) {
  talefold_text view;
  view.data = text;
  view.size = strlen(text);
  return view;
}

/* Every function says by its status whether it worked, and last_error why not. */
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

/* Prints events until the task is complete. A game polls once a frame with task_poll,
 * which never waits. */
static void follow(talefold_task task) {
  talefold_event event;
  do {
    event.size = sizeof event;
    check(api.task_wait_event(task, 1000, &event), "event");
    if (event.kind == TALEFOLD_EVENT_ANSWER_TEXT && event.is_delta) {
      fwrite(event.text.data, 1, event.text.size, stdout);
    } else if (event.kind == TALEFOLD_EVENT_NODE_EVENT) {
      printf("\n[%.*s]", (int)event.text.size, event.text.data);
    }
  } while (event.kind != TALEFOLD_EVENT_COMPLETE);
  if (event.status != TALEFOLD_STATUS_SUCCESS) {
    fprintf(stderr, "%.*s\n", (int)event.error_message.size, event.error_message.data);
    exit(1);
  }
  check(api.task_release(task), "task_release");
}

static void load_model(talefold_engine engine, const char *path) {
  char options[1024];
  talefold_task load;
  if (!path) {
    check(api.engine_load_scripted_model(engine, text_of("edric"), text_of(script)),
          "engine_load_scripted_model");
    return;
  }
  /* A path with quotes or backslashes would have to be written as JSON has it. */
  snprintf(options, sizeof options, "{\"path\": \"%s\"}", path);
  check(api.engine_load_model(engine, text_of("edric"), text_of(options), &load),
        "engine_load_model");
  follow(load);
}

static talefold_agent create_agent(talefold_engine engine, const char *snapshot) {
  const talefold_text defaults = {NULL, 0};
  const talefold_bytes no_kv = {NULL, 0};
  talefold_agent agent;
  check(api.engine_create_agent(engine, text_of(graph), defaults, text_of(snapshot),
                                no_kv, &agent),
        "engine_create_agent");
  return agent;
}

static void say(talefold_agent agent, const char *line) {
  talefold_task turn;
  printf("> %s\n", line);
  check(api.agent_start(agent, text_of(line), 0, &turn), "agent_start");
  follow(turn);
  printf("\n");
}

/* Written beside the file and renamed, so that a crash leaves the old one. */
static void save(talefold_agent agent, const char *path) {
  char beside[1024];
  talefold_text snapshot;
  FILE *file;
  check(api.agent_export_snapshot(agent, &snapshot), "agent_export_snapshot");
  snprintf(beside, sizeof beside, "%s.new", path);
  file = fopen(beside, "wb");
  if (!file || fwrite(snapshot.data, 1, snapshot.size, file) != snapshot.size ||
      fclose(file) != 0 || rename(beside, path) != 0) {
    perror(path);
    exit(1);
  }
}

static char *read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  char *content = NULL;
  long size = -1;
  if (file && fseek(file, 0, SEEK_END) == 0) size = ftell(file);
  if (size >= 0) content = malloc((size_t)size + 1);
  if (!content || fseek(file, 0, SEEK_SET) != 0 ||
      fread(content, 1, (size_t)size, file) != (size_t)size) {
    perror(path);
    exit(1);
  }
  fclose(file);
  content[size] = 0;
  return content;
}

int main(int argc, char **argv) {
  const talefold_text defaults = {NULL, 0};
  talefold_engine engine;
  talefold_agent agent;
  talefold_text summary;
  char *snapshot;
  if (argc < 2) {
    fprintf(stderr, "usage: tavern SNAPSHOT_FILE [GGUF_FILE]\n");
    return 2;
  }
  if (talefold_get_api(TALEFOLD_ABI_VERSION, &api, sizeof api) != TALEFOLD_OK) {
    fprintf(stderr, "this library has another version of the C interface\n");
    return 1;
  }
  check(api.engine_create(defaults, &engine), "engine_create");
  load_model(engine, argc > 2 ? argv[2] : NULL);

  agent = create_agent(engine, "");
  say(agent, "Good evening, I am Rowan.");
  say(agent, "What is a room?");
  say(agent, "And supper?");
  save(agent, argv[1]);
  check(api.agent_release(agent), "agent_release");

  snapshot = read_file(argv[1]);
  agent = create_agent(engine, snapshot);
  free(snapshot);
  check(api.agent_get_summary(agent, &summary), "agent_get_summary");
  printf("remembered: %.*s\n", (int)summary.size, summary.data);
  say(agent, "Do you know my name?");

  check(api.engine_destroy(engine), "engine_destroy");
  return 0;
}
