/* A program that ends while an engine has turns to run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "talefold/talefold.h"

static const talefold_text kNone = {NULL, 0};
static const talefold_bytes kNoKv = {NULL, 0};

static talefold_text text(const char* literal) {
  talefold_text view;
  view.data = literal;
  view.size = strlen(literal);
  return view;
}

static void must(int32_t status) {
  if (status == TALEFOLD_OK) return;
  fprintf(stderr, "status %d\n", (int)status);
  exit(1);
}

/* As long as a host takes to end; static objects are destroyed meanwhile. */
static void end_slowly(void) {
  const clock_t end = clock() + CLOCKS_PER_SEC / 20;
  while (clock() < end) {
  }
}

int main(void) {
  static const char graph[] =
      "{\"format\": \"talefold-graph\", \"version\": 1, \"start_node\": \"talk\","
      " \"nodes\": [{\"name\": \"talk\", \"type\": \"Generate\","
      " \"params\": {\"stream\": true}}]}";
  talefold_api api;
  talefold_engine engine;
  int i;

  atexit(end_slowly);
  must(talefold_get_api(TALEFOLD_ABI_VERSION, &api, sizeof api));
  must(api.engine_create(kNone, &engine));
  must(api.engine_load_scripted_model(
      engine, text("mock"),
      text("{\"token_delay_us\": 1000, \"replies\": [\"a b c d e f g h i j k\"]}")));
  for (i = 0; i < 20; ++i) {
    talefold_agent agent;
    talefold_task turn;
    must(api.engine_create_agent(engine, text(graph),
                                 text("{\"enable_diagnostics\": true}"), kNone, kNoKv,
                                 &agent));
    must(api.agent_start(agent, text("Hi"), 0, &turn));
  }
  return 0;
}
