/*
 * A tool call and speech through the C interface: the character calls a tool of the
 * game, is given the result, and says what comes of it, aloud.
 *
 *     order
 *
 * A script replies, and a tone stands for the voice.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "talefold/talefold.h"

enum { SAMPLE_RATE = 8000, TONE_SAMPLES = 2000 };

static talefold_api api;

static const char graph[] =
    "{\"format\": \"talefold-graph\", \"version\": 1, \"start_node\": \"tools\","
    " \"nodes\": ["
    "  {\"name\": \"tools\", \"type\": \"ToolCall\", \"params\": {"
    "    \"system_prompt\": \"You are Edric. Use a tool when the guest orders.\","
    "    \"tools\": [{\"name\": \"serve\", \"description\": \"Has the kitchen bring "
    "it.\","
    "      \"parameters\": [{\"name\": \"item\", \"required\": true,"
    "                        \"enum\": [\"stew\", \"ale\"]}]}],"
    "    \"generate_on_no_tool\": true, \"notify_client\": true,"
    "    \"no_tool_called_exit\": \"speak\"}},"
    "  {\"name\": \"speak\", \"type\": \"Speak\"}]}";

static const char script[] =
    "{\"replies\": ["
    "  \"{\\\"tool\\\": \\\"serve\\\", \\\"arguments\\\": {\\\"item\\\": "
    "\\\"ale\\\"}}\","
    "  \"One ale, friend. That is three coppers.\"]}";

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

/* --- The voice: these run on threads of the engine -------------------------------- */

static int32_t check_voice(void *user, talefold_text voice, int32_t speaker_id) {
  (void)user, (void)speaker_id;
  if (voice.size == 0) return TALEFOLD_OK;
  return api.fail(TALEFOLD_INVALID_PARAM_VALUE, text_of("there is one voice alone"),
                  text_of("leave tts_voice empty"));
}

/* A quarter of a second for each word, handed over as soon as it is there. */
static int32_t synthesize(void *user, const talefold_speech_request *request,
                          talefold_speech speech) {
  int16_t tone[TONE_SAMPLES];
  size_t at;
  int32_t wanted = 1;
  for (at = 0; at < TONE_SAMPLES; ++at) tone[at] = at / 10 % 2 ? 4000 : -4000;
  for (at = 0; wanted && at < request->text.size; ++at) {
    const int word_ends = request->text.data[at] == ' ' || at + 1 == request->text.size;
    int32_t status = TALEFOLD_OK;
    if (word_ends) {
      status = api.speech_give(speech, SAMPLE_RATE, tone, TONE_SAMPLES, &wanted);
    }
    if (status != TALEFOLD_OK) return status;
  }
  ++*(int *)user;
  return TALEFOLD_OK;
}

static void set_voice(talefold_engine engine, int *sentences) {
  talefold_speech_backend backend;
  memset(&backend, 0, sizeof backend);
  backend.size = sizeof backend;
  backend.user = sentences;
  backend.check_voice = check_voice;
  backend.synthesize = synthesize;
  check(api.engine_set_speech_backend(engine, &backend), "engine_set_speech_backend");
}

/* --- The game --------------------------------------------------------------------- */

/* The text of `key` in an object of texts; a game has a reader of JSON for this. */
static void find_text(talefold_text json, const char *key, char *found, size_t size) {
  char all[1024], quoted[64];
  const char *begin, *end = NULL;
  snprintf(all, sizeof all, "%.*s", (int)json.size, json.data);
  snprintf(quoted, sizeof quoted, "\"%s\":\"", key);
  begin = strstr(all, quoted);
  if (begin) begin += strlen(quoted);
  if (begin) end = strchr(begin, '"');
  snprintf(found, size, "%.*s", end ? (int)(end - begin) : 0, begin ? begin : "");
}

/* Takes events until the turn is complete. `call_id` becomes that of a tool call. */
static void follow(talefold_task turn, char *call_id, size_t size) {
  talefold_event event;
  size_t samples = 0;
  do {
    event.size = sizeof event;
    check(api.task_wait_event(turn, 1000, &event), "task_wait_event");
    if (event.kind == TALEFOLD_EVENT_ANSWER_TEXT && event.is_final) {
      printf("Edric: %.*s\n", (int)event.text.size, event.text.data);
    } else if (event.kind == TALEFOLD_EVENT_AUDIO_CHUNK) {
      samples += event.sample_count; /* a game queues event.samples in its mixer */
    } else if (event.kind == TALEFOLD_EVENT_NODE_EVENT &&
               strncmp(event.text.data, "tool_call", event.text.size) == 0) {
      printf("[%.*s]\n", (int)event.json.size, event.json.data);
      find_text(event.json, "call_id", call_id, size);
    }
  } while (event.kind != TALEFOLD_EVENT_COMPLETE);
  if (event.status != TALEFOLD_STATUS_SUCCESS) {
    fprintf(stderr, "%.*s\n", (int)event.error_message.size, event.error_message.data);
    exit(1);
  }
  if (samples > 0) printf("(%d ms of speech)\n", (int)(1000 * samples / SAMPLE_RATE));
  check(api.task_release(turn), "task_release");
}

int main(void) {
  const talefold_text none = {NULL, 0};
  const talefold_bytes no_kv = {NULL, 0};
  talefold_engine engine;
  talefold_agent agent;
  talefold_task turn;
  char call_id[64] = "";
  int sentences = 0;
  if (talefold_get_api(TALEFOLD_ABI_VERSION, &api, sizeof api) != TALEFOLD_OK) {
    fprintf(stderr, "this library has another version of the C interface\n");
    return 1;
  }
  check(api.engine_create(none, &engine), "engine_create");
  check(api.engine_load_scripted_model(engine, text_of("edric"), text_of(script)),
        "engine_load_scripted_model");
  set_voice(engine, &sentences); /* before the agent, which keeps it */
  check(api.engine_create_agent(engine, text_of(graph), none, none, no_kv, &agent),
        "engine_create_agent");

  printf("Guest: An ale, please.\n");
  check(api.agent_start(agent, text_of("An ale, please."), 0, &turn), "agent_start");
  follow(turn, call_id, sizeof call_id);
  /* The kitchen takes its time; the guest may go on talking meanwhile. */
  check(api.agent_start_tool_result(agent, text_of(call_id), text_of("{\"price\": 3}"),
                                    0, &turn),
        "agent_start_tool_result");
  follow(turn, call_id, sizeof call_id);

  check(api.engine_destroy(engine), "engine_destroy");
  printf("%d sentences\n", sentences);
  return 0;
}
