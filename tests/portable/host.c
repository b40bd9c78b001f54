/* A process that loads libraries as a game would, and talks to each talefold_rt:
 *
 *     host MODEL.gguf|- [global:LIBRARY | local:LIBRARY]... TALEFOLD_RT...
 *
 * All are loaded before the first is talked to, and all talk before the first engine is
 * destroyed. For each talefold_rt, two lines: its build_info, and what it replied. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "talefold/talefold.h"

typedef int32_t (*get_api_function)(uint32_t, talefold_api*, size_t);

enum { MOST = 8, WAIT_MS = 300000 };

static const char* const graph =
    "{\"format\": \"talefold-graph\", \"version\": 1, \"start_node\": \"talk\","
    " \"nodes\": [{\"name\": \"talk\", \"type\": \"Generate\", \"params\": {"
    "\"system_prompt\": \"You are Edric, an innkeeper.\", \"context_size\": 256,"
    " \"sampling\": {\"temperature\": 0, \"max_tokens\": 8}}}]}";

static talefold_text text(const char* content) {
  talefold_text made;
  made.data = content;
  made.size = strlen(content);
  return made;
}

static void* load(const char* path, int flags) {
  void* library = dlopen(path, flags | RTLD_NOW);
  if (!library) {
    fprintf(stderr, "%s\n", dlerror());
    exit(1);
  }
  return library;
}

static void fill(void* library, talefold_api* api) {
  get_api_function get_api = NULL;
  *(void**)&get_api = dlsym(library, "talefold_get_api");
  if (!get_api || get_api(TALEFOLD_ABI_VERSION, api, sizeof *api) != TALEFOLD_OK) {
    fprintf(stderr, "talefold_get_api gave no table\n");
    exit(1);
  }
}

static void check(const talefold_api* api, int32_t status) {
  talefold_error error;
  if (status == TALEFOLD_OK) return;
  memset(&error, 0, sizeof error);
  error.size = sizeof error;
  api->last_error(&error);
  fprintf(stderr, "%d: %.*s\n", (int)status, (int)error.message.size,
          error.message.data);
  exit(1);
}

static void finish(const talefold_api* api, talefold_task task) {
  int32_t done = 0;
  check(api, api->task_wait(task, WAIT_MS, &done));
  if (!done) {
    fprintf(stderr, "a task took more than %d ms\n", WAIT_MS);
    exit(1);
  }
}

static void load_model(const talefold_api* api, talefold_engine engine,
                       const char* path) {
  char options[4096];
  talefold_text result;
  talefold_task loading = 0;
  if (strcmp(path, "-") == 0) {
    check(api, api->engine_load_scripted_model(engine, text("model"),
                                               text("{\"replies\": [\"Aye.\"]}")));
    return;
  }
  snprintf(options, sizeof options, "{\"path\": \"%s\"}", path);
  check(api, api->engine_load_model(engine, text("model"), text(options), &loading));
  finish(api, loading);
  check(api, api->task_result(loading, &result));
  if (!strstr(result.data, "\"status\":\"success\"")) {
    fprintf(stderr, "%.*s\n", (int)result.size, result.data);
    exit(1);
  }
}

static void talk(const talefold_api* api, talefold_engine engine) {
  talefold_text info, result, none = {NULL, 0};
  talefold_bytes no_bytes = {NULL, 0};
  talefold_agent agent = 0;
  talefold_task turn = 0;
  check(api, api->build_info(&info));
  printf("%.*s\n", (int)info.size, info.data);
  check(api,
        api->engine_create_agent(engine, text(graph), none, none, no_bytes, &agent));
  check(api, api->agent_start(agent, text("Good evening."), 0, &turn));
  finish(api, turn);
  check(api, api->task_result(turn, &result));
  printf("%.*s\n", (int)result.size, result.data);
}

int main(int count, char** arguments) {
  void* libraries[MOST];
  talefold_api apis[MOST];
  talefold_engine engines[MOST];
  const talefold_text none = {NULL, 0};
  int loaded = 0, i;
  for (i = 2; i < count && loaded < MOST; ++i) {
    if (strncmp(arguments[i], "global:", 7) == 0) {
      load(arguments[i] + 7, RTLD_GLOBAL);
    } else if (strncmp(arguments[i], "local:", 6) == 0) {
      load(arguments[i] + 6, RTLD_LOCAL);
    } else {
      libraries[loaded++] = load(arguments[i], RTLD_LOCAL);
    }
  }
  for (i = 0; i < loaded; ++i) {
    fill(libraries[i], &apis[i]);
    check(&apis[i], apis[i].engine_create(none, &engines[i]));
    load_model(&apis[i], engines[i], arguments[1]);
    talk(&apis[i], engines[i]);
  }
  for (i = 0; i < loaded; ++i) check(&apis[i], apis[i].engine_destroy(engines[i]));
  for (i = 0; i < loaded; ++i) {
    if (dlclose(libraries[i]) != 0) return 1;
  }
  return 0;
}
