/*
 * The C interface of Talefold: the whole engine for other languages and game engines.
 *
 * The library exports one symbol, talefold_get_api, which fills a table of functions:
 *
 *     talefold_api api;
 *     if (talefold_get_api(TALEFOLD_ABI_VERSION, &api, sizeof api) != TALEFOLD_OK) ...
 *
 * Rules that hold for every function of the table:
 *
 * - It returns TALEFOLD_OK or a code of talefold_error_code; last_error then says what
 *   was wrong, where, what is allowed and what to do. A call that fails has changed
 *   nothing, and what it would have returned is 0 or empty.
 * - Any thread may call it. No exception leaves it, and no memory changes owners.
 * - Text is UTF-8 with its length in bytes, without NUL. Bad UTF-8 is refused.
 * - A text, bytes, floats or event it returns is memory of the calling thread, valid
 *   until that thread's next call of any function of the table but last_error has
 *   returned: it may be given to that call.
 * - Handles are never used twice: one that was destroyed or released is
 *   TALEFOLD_INVALID_HANDLE from then on, whoever has it. 0 is no handle. A child of
 *   fork() has none of its parent's, as it has none of the threads; it makes its own.
 * - Structs begin with their size, which the caller sets to sizeof: members are only
 *   appended, so that a newer library serves an older caller and the other way round.
 * - Options and structured results are JSON, with the names and meanings of the Python
 *   package; unknown keys are errors. Empty text in place of an options object means
 *   all defaults.
 */
#ifndef TALEFOLD_H
#define TALEFOLD_H

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32) && defined(TALEFOLD_BUILD_SHARED)
#define TALEFOLD_EXPORT __declspec(dllexport)
#elif defined(__GNUC__) && defined(TALEFOLD_BUILD_SHARED)
#define TALEFOLD_EXPORT __attribute__((visibility("default")))
#else
#define TALEFOLD_EXPORT
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Of the table's layout and the meaning of its functions. */
#define TALEFOLD_ABI_VERSION 1u

/* Stable numbers, the same in C++, Python, C and Unreal. Only ever added to. */
typedef enum talefold_error_code {
  TALEFOLD_OK = 0,
  /* engine */
  TALEFOLD_INTERNAL_ERROR = 2001,
  TALEFOLD_ENGINE_CLOSED = 2002,
  TALEFOLD_INVALID_ARGUMENT = 2003,
  TALEFOLD_INVALID_UTF8 = 2004,
  TALEFOLD_MESSAGE_TOO_LARGE = 2005,
  TALEFOLD_INVALID_HANDLE = 2006,
  /* agent and graph */
  TALEFOLD_AGENT_CLOSED = 3001,
  TALEFOLD_INTERACTION_NOT_FOUND = 3002,
  TALEFOLD_GRAPH_COMPILATION_FAILED = 3003,
  TALEFOLD_AGENT_BUSY = 3004,
  TALEFOLD_UNKNOWN_NODE = 3005,
  TALEFOLD_PARAM_NOT_MUTABLE = 3006,
  TALEFOLD_INVALID_PARAM_VALUE = 3007,
  TALEFOLD_INVALID_EXIT_TARGET = 3008,
  TALEFOLD_STORAGE_OUTSIDE_ROOT = 3009,
  TALEFOLD_STORAGE_FILE_NOT_FOUND = 3010,
  TALEFOLD_STORAGE_KIND_MISMATCH = 3011,
  TALEFOLD_NO_DECISION_PENDING = 3012,
  TALEFOLD_SUMMARY_NOT_FOUND = 3013,
  TALEFOLD_TOOL_CALL_NOT_FOUND = 3014,
  /* inference */
  TALEFOLD_INFERENCE_FAILED = 4001,
  TALEFOLD_INFERENCE_TIMEOUT = 4002,
  TALEFOLD_MAX_STEPS_EXCEEDED = 4003,
  TALEFOLD_CONTEXT_OVERFLOW = 4004,
  /* speech */
  TALEFOLD_SPEECH_FAILED = 5001,
  TALEFOLD_SPEECH_UNAVAILABLE = 5002,
  /* models */
  TALEFOLD_MODEL_NOT_FOUND = 6001,
  TALEFOLD_MODEL_LOAD_FAILED = 6002,
  TALEFOLD_UNSUPPORTED_CHAT_TEMPLATE = 6003,
  TALEFOLD_ADAPTER_MISMATCH = 6004,
  /* string storage */
  TALEFOLD_MALFORMED_STORAGE = 7001,
  TALEFOLD_DUPLICATE_STORAGE_ID = 7002,
  TALEFOLD_STORAGE_TOO_LARGE = 7003,
  TALEFOLD_STORAGE_NAME_CONFLICT = 7004,
  TALEFOLD_STORAGE_FILE_UNREADABLE = 7005,
  /* embedded storage */
  TALEFOLD_MALFORMED_EMBEDDED_STORAGE = 8001,
  TALEFOLD_EMBEDDED_STORAGE_VERSION_TOO_NEW = 8002,
  TALEFOLD_INVALID_METADATA = 8003,
  TALEFOLD_INVALID_FILTER = 8004,
  TALEFOLD_EMBEDDING_FAILED = 8005,
  /* snapshots */
  TALEFOLD_MALFORMED_SNAPSHOT = 9001,
  TALEFOLD_SNAPSHOT_VERSION_TOO_NEW = 9002,
  TALEFOLD_DIALOG_UNSUPPORTED_COMPONENT = 9003,
  TALEFOLD_SNAPSHOT_GRAPH_MISMATCH = 9004,
  TALEFOLD_KV_REJECTED = 9005
} talefold_error_code;

typedef uint64_t talefold_engine;
typedef uint64_t talefold_agent;
typedef uint64_t talefold_task;   /* something that runs: a turn, or a load */
typedef uint64_t talefold_speech; /* a sentence that is being voiced */
typedef uint64_t talefold_scene;  /* a story that several characters share */

/* UTF-8, `size` bytes; no NUL at the end. data = NULL with size 0 is no text, which
 * is the empty text to functions that say nothing else. */
typedef struct talefold_text {
  const char* data;
  size_t size;
} talefold_text;

typedef struct talefold_bytes {
  const uint8_t* data;
  size_t size;
} talefold_bytes;

typedef struct talefold_floats {
  const float* data;
  size_t count;
} talefold_floats;

typedef struct talefold_error {
  size_t size;
  int32_t code; /* talefold_error_code */
  talefold_text message;
  talefold_text hint; /* what to do; may be empty */
} talefold_error;

typedef enum talefold_log_level {
  TALEFOLD_LOG_DEBUG = 0,
  TALEFOLD_LOG_INFO = 1,
  TALEFOLD_LOG_WARNING = 2,
  TALEFOLD_LOG_ERROR = 3
} talefold_log_level;

typedef struct talefold_log_line {
  size_t size;
  int32_t level; /* talefold_log_level; -1 = there is no line now */
  talefold_text category;
  talefold_text text;
  uint64_t dropped; /* lines lost before this one: at most 1024 wait */
} talefold_log_line;

typedef enum talefold_event_kind {
  TALEFOLD_EVENT_NONE = 0, /* there is no event now */
  /* Text for the player: `text`, is_delta, is_final. */
  TALEFOLD_EVENT_ANSWER_TEXT = 1,
  /* Speech for the player: samples, sample_rate, is_final; `text` is the sentence that
   * begins with the chunk. */
  TALEFOLD_EVENT_AUDIO_CHUNK = 2,
  /* A node reports something to the game: `text` is the type, `json` an object of
   * strings. */
  TALEFOLD_EVENT_NODE_EVENT = 3,
  /* The turn waits for task_resolve with one of the texts in the array `json`. */
  TALEFOLD_EVENT_DECISION_REQUIRED = 4,
  /* The last event of a task: status, error, tokens_generated; `json` is debug_info
   * if the agent has diagnostics. */
  TALEFOLD_EVENT_COMPLETE = 5,
  /* A load goes on: progress. */
  TALEFOLD_EVENT_PROGRESS = 6
} talefold_event_kind;

typedef enum talefold_status {
  TALEFOLD_STATUS_SUCCESS = 0,
  TALEFOLD_STATUS_CANCELLED = 1,
  TALEFOLD_STATUS_ERROR = 2
} talefold_status;

/* Members that an event's kind does not name are 0 or empty. */
typedef struct talefold_event {
  size_t size;
  int32_t kind;     /* talefold_event_kind */
  int32_t status;   /* talefold_status */
  uint64_t turn_id; /* counted from 1 within the agent, or within the character of a
                       scene; 0 = background, or a load */
  talefold_text node;
  talefold_text text;
  talefold_text json;
  int32_t is_delta;
  int32_t is_final;
  int32_t sample_rate;    /* samples per second */
  int32_t error_code;     /* talefold_error_code */
  const int16_t* samples; /* one channel */
  size_t sample_count;
  talefold_text error_message;
  talefold_text error_hint;
  int64_t tokens_generated;
  double progress; /* 0 to 1 */
} talefold_event;

typedef struct talefold_speech_request {
  size_t size;
  talefold_text text;  /* one sentence; data, never markup */
  talefold_text voice; /* empty = the backend's default */
  int32_t speaker_id;
  double speed; /* 0.1 to 3.0; 2.0 = twice as fast */
} talefold_speech_request;

/* What characters speak with. Its functions run several at the same time, and return
 * TALEFOLD_OK or what `fail` returned. They may call speech_give, speech_stopped and
 * fail, and functions that wait neither for a turn nor for the memory of a scene: those
 * answer TALEFOLD_AGENT_BUSY there. None runs once engine_destroy has returned. */
typedef struct talefold_speech_backend {
  size_t size;
  void* user; /* handed to the functions */
  /* Whether there is this voice; may be NULL. On the thread that makes an agent,
   * changes its params, or adds a character to a scene. */
  int32_t (*check_voice)(void* user, talefold_text voice, int32_t speaker_id);
  /* On a thread of the engine. Hands the audio of a sentence to speech_give as soon as
   * there is some, and returns at its end, or soon after speech_give or speech_stopped
   * told it to stop. */
  int32_t (*synthesize)(void* user, const talefold_speech_request* request,
                        talefold_speech speech);
  /* Once for each engine_set_speech_backend that succeeded, when neither the engine nor
   * an agent or a scene has that backend any more, and at the latest in engine_destroy;
   * may be NULL. */
  void (*release)(void* user);
} talefold_speech_backend;

typedef struct talefold_api {
  size_t size; /* bytes that the library filled; what lies beyond is NULL */

  /* --- Errors and facts ---------------------------------------------------------- */

  /* The calling thread's newest failure, valid until its next one; code 0 when it had
   * none. Nothing happens to a struct whose size is not set. */
  void (*last_error)(talefold_error* error);
  /* For speech backends: makes this the thread's newest failure, and returns `code`,
   * or TALEFOLD_SPEECH_FAILED for one that is no error code. */
  int32_t (*fail)(int32_t code, talefold_text message, talefold_text hint);
  /* {"version", "abi_version", "llama": whether GGUF models can be loaded}. */
  int32_t (*build_info)(talefold_text* json);
  /* The tables of all node types and error codes, from which bindings are made. */
  int32_t (*descriptors)(talefold_text* json);

  /* --- Graphs, as JSON graph files ------------------------------------------------ */

  /* [{code, is_warning, node, field, message, hint}], errors first. */
  int32_t (*graph_validate)(talefold_text graph, talefold_text* problems);
  /* The graph as the library writes it: defaults left out, two-space indent. */
  int32_t (*graph_format)(talefold_text graph, talefold_text* formatted);
  /* {"node.field": text} of every localizable text in use; and the graph with texts
   * replaced. */
  int32_t (*graph_localizable_strings)(talefold_text graph, talefold_text* strings);
  int32_t (*graph_apply_strings)(talefold_text graph, talefold_text strings,
                                 talefold_text* changed);

  /* --- Engines -------------------------------------------------------------------- */

  /* Options: worker_threads, max_message_bytes, max_steps_per_turn, kv_cache_bytes,
   * slots_per_pool, deterministic, prewarm, storage_root. */
  int32_t (*engine_create)(talefold_text options, talefold_engine* engine);
  /* Cancels every turn, load and work on a scene's memory, waits for the threads and
   * for the functions of speech backends, and takes back all handles of the engine, its
   * agents, scenes and tasks. Nothing of it fires afterwards. Who calls it meanwhile
   * waits as well. */
  int32_t (*engine_destroy)(talefold_engine engine);
  /* The next line of the engine's log. */
  int32_t (*engine_poll_log)(talefold_engine engine, talefold_log_line* line);
  /* What inference does and holds: an object of EngineStats. */
  int32_t (*engine_stats)(talefold_engine engine, talefold_text* json);

  /* Options: replies, node_replies, tokenizer, trained_context_size, token_delay_us,
   * keep_reasoning, record_requests, default_sampling. A reply is a text or {text,
   * outcome, echo}. */
  int32_t (*engine_load_scripted_model)(talefold_engine engine, talefold_text name,
                                        talefold_text options);
  /* A GGUF file, in the background: events of the task tell of progress and end.
   * Options: path, n_gpu_layers, default_context_size, chat_template,
   * default_sampling, keep_reasoning, record_requests. */
  int32_t (*engine_load_model)(talefold_engine engine, talefold_text name,
                               talefold_text options, talefold_task* task);
  int32_t (*engine_unload_model)(talefold_engine engine, talefold_text name);
  /* [{name, kind, trained_context_size}] */
  int32_t (*engine_models)(talefold_engine engine, talefold_text* json);
  int32_t (*engine_count_tokens)(talefold_engine engine, talefold_text model,
                                 talefold_text text, int64_t* count);
  /* Of a model loaded with record_requests: [{node, messages: [[role, text]],
   * prompt_tokens, cached_tokens, next_logits, max_tokens, seed, sampling, grammar}] */
  int32_t (*engine_recorded_requests)(talefold_engine engine, talefold_text model,
                                      talefold_text* json);
  int32_t (*engine_next_token_logits)(talefold_engine engine, talefold_text model,
                                      const int32_t* prompt, size_t prompt_count,
                                      talefold_floats* logits);

  /* `kind`: list, map or multimap. Entries: [{id, text}], or texts in a list. */
  int32_t (*engine_add_storage)(talefold_engine engine, talefold_text name,
                                talefold_text kind, talefold_text entries);
  int32_t (*engine_remove_storage)(talefold_engine engine, talefold_text name);

  /* Options: path, n_gpu_layers. */
  int32_t (*engine_load_embedding_model)(talefold_engine engine, talefold_text name,
                                         talefold_text options, talefold_task* task);
  int32_t (*engine_unload_embedding_model)(talefold_engine engine, talefold_text name);
  /* [{name, dimensions}] */
  int32_t (*engine_embedding_models)(talefold_engine engine, talefold_text* json);
  /* An array of texts -> a row of floats each. */
  int32_t (*engine_embed)(talefold_engine engine, talefold_text model,
                          talefold_text texts, talefold_floats* rows);

  /* Source: config_file, or config and records, which are JSON texts. */
  int32_t (*engine_load_knowledge)(talefold_engine engine, talefold_text name,
                                   talefold_text source, talefold_task* task);
  int32_t (*engine_unload_knowledge)(talefold_engine engine, talefold_text name);
  /* {search_method, embedding_model, records, fields} */
  int32_t (*engine_describe_knowledge)(talefold_engine engine, talefold_text reference,
                                       talefold_text* json);
  /* Search: text, top_k, max_distance, filter, a JSON text.
   * [{id, text, distance, metadata}], nearest first. */
  int32_t (*engine_search_knowledge)(talefold_engine engine, talefold_text reference,
                                     talefold_text search, talefold_text* json);

  /* What agents made and characters added from now on speak with; NULL = nothing. The
   * struct is copied. */
  int32_t (*engine_set_speech_backend)(talefold_engine engine,
                                       const talefold_speech_backend* backend);
  /* For synthesize alone. *wanted = 0: stop, nobody wants more. sample_rate: 1000 to
   * 384000, the same for all sentences of a voice. */
  int32_t (*speech_give)(talefold_speech speech, int32_t sample_rate,
                         const int16_t* samples, size_t count, int32_t* wanted);
  int32_t (*speech_stopped)(talefold_speech speech, int32_t* stopped);

  /* --- Agents --------------------------------------------------------------------- */

  /* Options: default_model_name, enable_diagnostics. `snapshot` and `kv` may be empty:
   * a new conversation. A KV cache that does not fit is no failure: see
   * agent_kv_rejection. */
  int32_t (*engine_create_agent)(talefold_engine engine, talefold_text graph,
                                 talefold_text options, talefold_text snapshot,
                                 talefold_bytes kv, talefold_agent* agent);
  /* Cancels a running turn, waits for its end, refuses further calls. Idempotent. */
  int32_t (*agent_close)(talefold_agent agent);
  /* Takes back the handle; what runs goes on. Tasks of the agent keep theirs. */
  int32_t (*agent_release)(talefold_agent agent);

  /* Turns: start at once and run in the background; timeout_ms 0 = none. No text
   * (data = NULL): the character speaks first. */
  int32_t (*agent_start)(talefold_agent agent, talefold_text user, int64_t timeout_ms,
                         talefold_task* turn);
  int32_t (*agent_start_regenerate)(talefold_agent agent, int64_t timeout_ms,
                                    talefold_task* turn);
  int32_t (*agent_start_replay)(talefold_agent agent, talefold_text user,
                                talefold_text assistant, int64_t timeout_ms,
                                talefold_task* turn);
  int32_t (*agent_start_refold)(talefold_agent agent, int64_t timeout_ms,
                                talefold_task* turn);
  int32_t (*agent_start_tool_result)(talefold_agent agent, talefold_text call_id,
                                     talefold_text result, int64_t timeout_ms,
                                     talefold_task* turn);
  /* The same without a turn. */
  int32_t (*agent_submit_tool_result)(talefold_agent agent, talefold_text call_id,
                                      talefold_text result);

  int32_t (*agent_append_interaction)(talefold_agent agent, talefold_text user,
                                      talefold_text assistant);
  /* No text (data = NULL): that one stays. */
  int32_t (*agent_edit_interaction)(talefold_agent agent, int64_t index,
                                    talefold_text user, talefold_text assistant);
  /* The interaction that was taken away, as in agent_dialog. */
  int32_t (*agent_undo_last_turn)(talefold_agent agent, talefold_text* interaction);
  /* [{index, id, user, assistant, status, summary, tool_calls, knowledge, instructions,
   * intent}] */
  int32_t (*agent_dialog)(talefold_agent agent, talefold_text* json);
  int32_t (*agent_dialog_size)(talefold_agent agent, int64_t* size);
  /* ["folded" | "trimmed" | "replayed"], one for each interaction. */
  int32_t (*agent_history_states)(talefold_agent agent, talefold_text node,
                                  talefold_text* json);

  /* {text, node, covered_through, carrier, stale, edited, abridged}, or null. */
  int32_t (*agent_get_summary)(talefold_agent agent, talefold_text* json);
  int32_t (*agent_set_summary)(talefold_agent agent, talefold_text text);

  int32_t (*agent_pin)(talefold_agent agent, talefold_text key, talefold_text text);
  /* *removed = 0 when nothing is pinned as `key`. */
  int32_t (*agent_unpin)(talefold_agent agent, talefold_text key, int32_t* removed);
  /* [{key, text}], in the order of pinning. */
  int32_t (*agent_pins)(talefold_agent agent, talefold_text* json);

  /* An object of the params to change: all or none. */
  int32_t (*agent_change_params)(talefold_agent agent, talefold_text node,
                                 talefold_text params);
  int32_t (*agent_graph)(talefold_agent agent, talefold_text* graph);

  int32_t (*agent_export_snapshot)(talefold_agent agent, talefold_text* snapshot);
  int32_t (*agent_import_snapshot)(talefold_agent agent, talefold_text snapshot);
  int32_t (*agent_export_kv)(talefold_agent agent, talefold_bytes* kv);
  int32_t (*agent_kv_export_size)(talefold_agent agent, int64_t* bytes);
  int32_t (*agent_import_kv)(talefold_agent agent, talefold_bytes kv);
  /* Why the `kv` of engine_create_agent was not used; code 0 if it was, or was empty.
   * Valid as a returned text is. */
  int32_t (*agent_kv_rejection)(talefold_agent agent, talefold_error* rejection);

  /* Commits what was folded beside turns, and tells of it, an event a call. */
  int32_t (*agent_poll_background)(talefold_agent agent, talefold_event* event);
  /* Waits until nothing is left to do; timeout_ms 0 = without end. */
  int32_t (*agent_wait_background)(talefold_agent agent, int64_t timeout_ms,
                                   int32_t* done);
  int32_t (*agent_prewarm)(talefold_agent agent);
  int32_t (*agent_busy)(talefold_agent agent, int32_t* busy);

  /* --- Tasks: turns and loads ----------------------------------------------------- */

  /* The next event. Never waits. */
  int32_t (*task_poll)(talefold_task task, talefold_event* event);
  /* Waits for the next event at most timeout_ms. None when all have been taken. */
  int32_t (*task_wait_event)(talefold_task task, int64_t timeout_ms,
                             talefold_event* event);
  /* Waits for the end at most timeout_ms; takes no events. */
  int32_t (*task_wait)(talefold_task task, int64_t timeout_ms, int32_t* done);
  /* {text, status, tokens_generated, error: {code, message, hint} or null, debug_info};
   * TALEFOLD_AGENT_BUSY while it runs. Takes no events, and holds none. */
  int32_t (*task_result)(talefold_task task, talefold_text* json);
  /* Idempotent. The task still ends with its one complete event. */
  int32_t (*task_cancel)(talefold_task task);
  /* Answers TALEFOLD_EVENT_DECISION_REQUIRED. */
  int32_t (*task_resolve)(talefold_task task, talefold_text option);
  /* Takes back the handle; what runs goes on. */
  int32_t (*task_release)(talefold_task task);

  /* --- Scenes --------------------------------------------------------------------- */

  /* `memory_graph`: Archive and LayeredHistory nodes; empty = one of each with their
   * defaults. Options: default_model_name, run_inline, enable_diagnostics, settings.
   * `snapshot` may be empty: a new story; else its own settings hold, and characters
   * are added again.
   *
   * With run_inline, functions that add a message return, and turns end, when the
   * memory has taken in what is due. Without it nothing waits: that goes on beside the
   * turns, and scene_poll_event tells of it. */
  int32_t (*engine_create_scene)(talefold_engine engine, talefold_text memory_graph,
                                 talefold_text options, talefold_text snapshot,
                                 talefold_scene* scene);
  /* Cancels turns and work on the memory, waits for their end, refuses further calls.
   * Idempotent. */
  int32_t (*scene_close)(talefold_scene scene);
  /* Closes it, and takes back the handle. Tasks of the scene keep theirs. */
  int32_t (*scene_destroy)(talefold_scene scene);

  /* A character that can take turns; active != 0: it takes part from now on. */
  int32_t (*scene_add_character)(talefold_scene scene, talefold_text name,
                                 talefold_text graph, int32_t active);
  /* An array of names, as in scene_active. */
  int32_t (*scene_characters)(talefold_scene scene, talefold_text* json);
  /* Who takes part from now on; messages are stamped with it. Anybody may, the player
   * as well. *changed = 0 when it was so already. */
  int32_t (*scene_activate)(talefold_scene scene, talefold_text name, int32_t* changed);
  int32_t (*scene_deactivate)(talefold_scene scene, talefold_text name,
                              int32_t* changed);
  int32_t (*scene_active)(talefold_scene scene, talefold_text* json);

  /* Messages; *id names the new one for good. Options: source, meta, hidden. */
  int32_t (*scene_say)(talefold_scene scene, talefold_text speaker, talefold_text text,
                       talefold_text options, int64_t* id);
  int32_t (*scene_narrate)(talefold_scene scene, talefold_text text,
                           talefold_text options, int64_t* id);
  /* An instruction to a character, seen by it alone. */
  int32_t (*scene_direct)(talefold_scene scene, talefold_text character,
                          talefold_text text, int64_t* id);
  /* `kind`: reinforcement or context_investigation. */
  int32_t (*scene_add_note_message)(talefold_scene scene, talefold_text kind,
                                    talefold_text title, talefold_text text,
                                    int64_t* id);
  /* `duration`: ISO-8601, such as PT2H. An empty text says how long it was. */
  int32_t (*scene_pass_time)(talefold_scene scene, talefold_text duration,
                             talefold_text text, int64_t* id);
  /* Before the message `before`. */
  int32_t (*scene_insert_time)(talefold_scene scene, int64_t before,
                               talefold_text duration, talefold_text text, int64_t* id);
  /* A transcript, one JSON object a line: all of it or nothing. */
  int32_t (*scene_import_transcript)(talefold_scene scene, talefold_text lines,
                                     int64_t* count);

  /* What summarizes an edited or erased message is marked out_of_sync. */
  int32_t (*scene_edit)(talefold_scene scene, int64_t id, talefold_text text);
  int32_t (*scene_edit_time)(talefold_scene scene, int64_t id, talefold_text duration);
  int32_t (*scene_erase)(talefold_scene scene, int64_t id);
  /* hidden != 0: characters do not see it; it is summarized all the same. */
  int32_t (*scene_set_hidden)(talefold_scene scene, int64_t id, int32_t hidden);
  /* `version`: an index of `versions` of the message. */
  int32_t (*scene_show_version)(talefold_scene scene, int64_t id, int64_t version);

  /* [{id, kind, text, speaker, source, meta, hidden, present, duration, versions,
   * based_on}], in story order; kind: character, narrator, director, time,
   * reinforcement, context_investigation; present: names, or null = unknown. */
  int32_t (*scene_messages)(talefold_scene scene, talefold_text* json);
  int32_t (*scene_size)(talefold_scene scene, int64_t* size);
  /* Grows with every change of the messages. */
  int32_t (*scene_version)(talefold_scene scene, uint64_t* version);
  /* In-story time since time zero, an ISO-8601 duration. */
  int32_t (*scene_clock)(talefold_scene scene, talefold_text* clock);
  /* How long ago a moment, such as `ts` of an entry, was: 2 hours ago. */
  int32_t (*scene_time_label)(talefold_scene scene, talefold_text moment,
                              talefold_text* label);

  /* The character's next reply, from the messages that are there now; it becomes a
   * message before the task is complete. Turns run as those of agents do, those of
   * several characters at the same time. */
  int32_t (*scene_start_turn)(talefold_scene scene, talefold_text character,
                              int64_t timeout_ms, talefold_task* turn);
  /* Another version of the newest message, a reply of this character; `hint` is a
   * direction for it, and may be empty. */
  int32_t (*scene_start_regenerate)(talefold_scene scene, talefold_text character,
                                    talefold_text hint, int64_t timeout_ms,
                                    talefold_task* turn);

  /* {intro, intention, writing_style, format}; format: screenplay, chat, narrative,
   * ai_aware. */
  int32_t (*scene_settings)(talefold_scene scene, talefold_text* json);
  /* An object of the settings to change: all or none. */
  int32_t (*scene_set_settings)(talefold_scene scene, talefold_text settings);
  /* Kept in every prompt; an empty text removes it. */
  int32_t (*scene_set_note)(talefold_scene scene, talefold_text key,
                            talefold_text text);
  /* An object of texts. */
  int32_t (*scene_notes)(talefold_scene scene, talefold_text* json);
  /* `value`, as JSON, in place of a param of this scene's memory nodes; an empty one
   * removes the override. node_type: Archive or LayeredHistory. Waits while the memory
   * is being written. */
  int32_t (*scene_set_override)(talefold_scene scene, talefold_text node_type,
                                talefold_text field, talefold_text value);
  /* {node_type: {field: value}} */
  int32_t (*scene_overrides)(talefold_scene scene, talefold_text* json);

  /* The memory. [{id, layer, text, first, last, ts, ts_start, ts_end, present,
   * is_static, verbatim, out_of_sync, edited}], the base first. */
  int32_t (*scene_entries)(talefold_scene scene, talefold_text* json);
  /* Has what is due by now taken in, and waits for it at most timeout_ms; 0 = not at
   * all. *done = 0 at the time-out, after a cancel, or when the model failed. */
  int32_t (*scene_update_memory)(talefold_scene scene, int64_t timeout_ms,
                                 int32_t* done);
  /* Stops the work on the memory that runs now; what is committed stays. */
  int32_t (*scene_cancel_memory)(talefold_scene scene);
  /* The next event of the memory, a TALEFOLD_EVENT_NODE_EVENT. Never waits. The newest
   * 4096 are kept for who polls seldom. */
  int32_t (*scene_poll_event)(talefold_scene scene, talefold_event* event);
  /* What was made from the entry is marked out_of_sync. */
  int32_t (*scene_edit_entry)(talefold_scene scene, int64_t id, talefold_text text);
  /* These three ask the model and wait for it; scene_cancel_memory of another thread
   * ends that. An entry stays as it was, with TALEFOLD_INFERENCE_FAILED, when nothing
   * came of it. */
  int32_t (*scene_regenerate_entry)(talefold_scene scene, int64_t id);
  /* All summaries and layers; backstory stays. *done = 0 when it was cancelled or
   * failed: what is done stays. This and the next are TALEFOLD_INVALID_ARGUMENT when a
   * node that would have to write is disabled. */
  int32_t (*scene_regenerate_all)(talefold_scene scene, int32_t* done);
  /* The topmost `count` layers; 0 = all of them. */
  int32_t (*scene_reset_layers)(talefold_scene scene, int64_t count, int32_t* done);
  /* What happened `ago` (ISO-8601) before now, and before the first summary. */
  int32_t (*scene_add_backstory)(talefold_scene scene, talefold_text text,
                                 talefold_text ago, int64_t* id);
  int32_t (*scene_remove_backstory)(talefold_scene scene, int64_t id);
  /* {messages, entries}: what an entry was made from; one of the two is empty. */
  int32_t (*scene_inspect)(talefold_scene scene, int64_t id, talefold_text* json);
  /* [{layer, source_tokens, source_count, tokens, count, reduction_percent}] */
  int32_t (*scene_statistics)(talefold_scene scene, talefold_text* json);

  /* Everything but graphs and params, for engine_create_scene. */
  int32_t (*scene_export_snapshot)(talefold_scene scene, talefold_text* snapshot);

  /* What the character's next prompt would show of the story, by the first node of it
   * that shows one: {tokens, budget, text, sections: [{level, texts: [{id, text,
   * tokens}], tokens, budget, incomplete}]}. Level 0 has messages, 1 base entries, 2
   * the first layer; a section's budget is null where there is one for all. `history`:
   * an object of `history` params to try in place of the node's, or nothing.
   * TALEFOLD_AGENT_BUSY while the character takes a turn. */
  int32_t (*scene_review)(talefold_scene scene, talefold_text character,
                          talefold_text history, talefold_text* json);
} talefold_api;

/* Fills the first `api_size` bytes of *api, at most what there is. Returns
 * TALEFOLD_INVALID_ARGUMENT, and fills nothing, for another ABI version, a NULL table
 * or one without room for last_error. */
TALEFOLD_EXPORT int32_t talefold_get_api(uint32_t abi_version, talefold_api* api,
                                         size_t api_size);

#ifdef __cplusplus
}
#endif

#endif /* TALEFOLD_H */
