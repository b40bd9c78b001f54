// An engine that is destroyed in the midst of whatever it does.
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "capi/objects.h"
#include "capi_scene_fixture.h"
#include "in_child.h"

using namespace talefold;
using namespace talefold::capi;

namespace {

constexpr std::string_view kStallsTalking =
    R"({"replies": [{"text": "Well now", "outcome": "stall"}]})";
constexpr std::string_view kStallsFolding =
    R"({"replies": ["Aye."], "node_replies": {"fold": [{"outcome": "stall"}]}})";

// The handles that the process has given out and not taken back.
std::size_t OpenHandles() {
  return Engines().size() + Agents().size() + Scenes().size() + Tasks().size() +
         SpeechCalls().size();
}

// A narrator's line after which an entry of the memory is due; its model stalls.
const std::string kLongLine(120, 'x');
constexpr std::string_view kStallsRemembering =
    R"({"replies": ["Aye."], "node_replies": {"archive": [{"outcome": "stall"}]},
        "tokenizer": "chars"})";

// Until the memory asks its model.
void WaitForMemory(talefold_scene scene) {
  talefold_event event = NoEvent();
  while (String(event.text) != "memory_progress") {
    Ok(Api().scene_poll_event(scene, &event));
    std::this_thread::yield();
  }
}

void WaitForText(talefold_task turn) {
  talefold_event event = NoEvent();
  while (event.kind != TALEFOLD_EVENT_ANSWER_TEXT) {
    Ok(Api().task_wait_event(turn, 60'000, &event));
  }
}

}  // namespace

BOOST_AUTO_TEST_SUITE(capi_teardown)

BOOST_AUTO_TEST_CASE(nothing_is_left_whatever_was_going_on) {
  const struct {
    const char* phase;
    std::string_view model;
    std::function<void(CapiFixture&)> begin;
  } rows[] = {
      {"idle", kStallsTalking, [](CapiFixture&) {}},
      {"just started", kStallsTalking, [](CapiFixture& chat) { chat.Start("Hi"); }},
      {"streaming", kStallsTalking,
       [](CapiFixture& chat) { WaitForText(chat.Start("Hi")); }},
      {"streaming, cancelled", kStallsTalking,
       [](CapiFixture& chat) {
         const talefold_task turn = chat.Start("Hi");
         WaitForText(turn);
         Ok(Api().task_cancel(turn));
       }},
      {"streaming, task released", kStallsTalking,
       [](CapiFixture& chat) {
         const talefold_task turn = chat.Start("Hi");
         WaitForText(turn);
         Ok(Api().task_release(turn));
       }},
      {"folding in a turn", kStallsFolding,
       [](CapiFixture& chat) {
         chat.Say("a");
         WaitForText(chat.Start("b"));
       }},
      {"loading a model", kStallsTalking,
       [](CapiFixture& chat) {
         talefold_task load = 0;
         Ok(Api().engine_load_model(chat.engine, Text("edric"),
                                    Text(R"({"path": "none.gguf"})"), &load));
       }},
      {"loading knowledge", kStallsTalking,
       [](CapiFixture& chat) {
         talefold_task load = 0;
         Ok(Api().engine_load_knowledge(chat.engine, Text("lore"),
                                        Text(R"({"config": "{\"version\": 1}"})"),
                                        &load));
       }},
  };
  const std::size_t before = OpenHandles();
  for (const auto& row : rows) {
    BOOST_TEST_CONTEXT(row.phase) {
      CapiFixture chat(row.model);
      row.begin(chat);
      Ok(Api().engine_destroy(chat.engine));
      chat.engine = 0;
      BOOST_TEST(OpenHandles() == before);
    }
  }
}

BOOST_AUTO_TEST_CASE(nothing_is_left_of_a_scene_whatever_was_going_on) {
  const struct {
    const char* phase;
    std::string_view options;
    std::string_view model;
    std::function<void(const CapiSceneFixture&)> begin;
  } rows[] = {
      {"idle", kInline, kStallsTalking, [](const CapiSceneFixture&) {}},
      {"taking a turn", kInline, kStallsTalking,
       [](const CapiSceneFixture& f) { WaitForText(f.StartTurn()); }},
      {"taking a turn, task released", kInline, kStallsTalking,
       [](const CapiSceneFixture& f) {
         const talefold_task turn = f.StartTurn();
         WaitForText(turn);
         Ok(Api().task_release(turn));
       }},
      {"the memory being written", kBeside, kStallsRemembering,
       [](const CapiSceneFixture& f) {
         f.Narrate(kLongLine);
         f.Narrate(kLongLine);
         WaitForMemory(f.scene);
       }},
      {"a turn that waits for the memory", kInline, kStallsRemembering,
       [](const CapiSceneFixture& f) {
         f.Narrate(kLongLine);
         f.StartTurn();
         WaitForMemory(f.scene);
       }},
      {"events not polled", kInline, kSceneModel,
       [](const CapiSceneFixture& f) {
         for (int i = 0; i < 4; ++i) f.Narrate(kLongLine);
       }},
      {"closed", kInline, kSceneModel,
       [](const CapiSceneFixture& f) { Ok(Api().scene_close(f.scene)); }},
      {"destroyed while it takes a turn", kInline, kStallsTalking,
       [](const CapiSceneFixture& f) {
         f.StartTurn();
         Ok(Api().scene_destroy(f.scene));
       }},
  };
  const std::size_t before = OpenHandles();
  for (const auto& row : rows) {
    BOOST_TEST_CONTEXT(row.phase) {
      CapiSceneFixture f(row.options, row.model);
      row.begin(f);
      Ok(Api().engine_destroy(f.engine));
      f.engine = 0;
      BOOST_TEST(OpenHandles() == before);
    }
  }
}

BOOST_AUTO_TEST_CASE(calls_that_wait_for_the_memory_end_with_the_engine) {
  const struct {
    const char* call;
    std::function<std::int32_t(talefold_scene)> wait;
  } rows[] = {
      {"scene_update_memory",
       [](talefold_scene scene) {
         std::int32_t done = 0;
         return Api().scene_update_memory(scene, 3'600'000, &done);
       }},
      {"scene_regenerate_all",
       [](talefold_scene scene) {
         std::int32_t done = 0;
         return Api().scene_regenerate_all(scene, &done);
       }},
      {"scene_narrate",
       [](talefold_scene scene) {
         std::int64_t id = 0;
         return Api().scene_narrate(scene, Text(kLongLine), kNoText, &id);
       }},
  };
  for (const auto& row : rows) {
    BOOST_TEST_CONTEXT(row.call) {
      const bool narrates = std::string_view(row.call) == "scene_narrate";
      CapiSceneFixture f(narrates ? kInline : kBeside, kStallsRemembering);
      f.Narrate(kLongLine);
      if (!narrates) {
        f.Narrate(kLongLine);
        WaitForMemory(f.scene);
      }
      std::thread waiting([&, scene = f.scene] { row.wait(scene); });
      if (narrates) WaitForMemory(f.scene);
      Ok(Api().engine_destroy(f.engine));
      f.engine = 0;
      waiting.join();
      BOOST_TEST(OpenHandles() == 0u);
    }
  }
}

BOOST_AUTO_TEST_CASE(other_threads_may_be_in_the_midst_of_calls_of_a_scene) {
  for (int round = 0; round < 20; ++round) {
    CapiSceneFixture f(round % 2 ? kInline : kBeside, kSceneModel);
    std::atomic<bool> stop = false;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&stop, i, engine = f.engine, scene = f.scene] {
        while (!stop) {
          talefold_task task = 0;
          talefold_scene made = 0;
          talefold_event event = NoEvent();
          talefold_text text{};
          std::int64_t id = 0;
          if (i == 0) Api().scene_start_turn(scene, Text("Edric"), 0, &task);
          if (i == 1) Api().scene_narrate(scene, Text(kLongLine), kNoText, &id);
          if (i == 2) {
            Api().engine_create_scene(engine, kNoText, kNoText, kNoText, &made);
            Api().scene_export_snapshot(scene, &text);
          }
          if (i == 3) Api().scene_poll_event(scene, &event);
          if (task != 0) Api().task_wait_event(task, 1, &event);
        }
      });
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(round % 5));
    Ok(Api().engine_destroy(f.engine));
    f.engine = 0;
    stop = true;
    for (std::thread& thread : threads) thread.join();
    BOOST_TEST(OpenHandles() == 0u);
  }
}

BOOST_AUTO_TEST_CASE(other_threads_may_be_in_the_midst_of_calls) {
  for (int round = 0; round < 20; ++round) {
    CapiFixture chat(R"({"replies": ["Well now"], "token_delay_us": 50})");
    std::atomic<bool> stop = false;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&chat, &stop, i, engine = chat.engine, agent = chat.agent] {
        while (!stop) {
          talefold_task task = 0;
          talefold_agent made = 0;
          talefold_event event = NoEvent();
          talefold_text text{};
          if (i == 0) Api().agent_start(agent, Text("Hi"), 0, &task);
          if (i == 1) Api().agent_export_snapshot(agent, &text);
          if (i == 2) {
            Api().engine_create_agent(engine, Text(kTalkAndFold), kNoText, kNoText,
                                      kNoBytes, &made);
          }
          if (i == 3) Api().agent_poll_background(agent, &event);
          if (task != 0) Api().task_wait_event(task, 1, &event);
        }
      });
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(round % 5));
    Ok(Api().engine_destroy(chat.engine));
    chat.engine = 0;
    stop = true;
    for (std::thread& thread : threads) thread.join();
    BOOST_TEST(OpenHandles() == 0u);
  }
}

namespace {

constexpr std::string_view kSpeaker = R"({
  "format": "talefold-graph", "version": 1, "start_node": "talk",
  "nodes": [{"name": "talk", "type": "GenerateAndSpeak"}]})";

// A host whose functions notice when they run too late.
struct LateVoice {
  std::atomic<bool> destroyed = false;
  std::atomic<int> checks = 0;
  std::atomic<int> released = 0;
  std::atomic<int> late = 0;

  void Note(std::atomic<int>& count) {
    ++count;
    if (destroyed) ++late;
  }
};

std::int32_t CheckSlowly(void* user, talefold_text, std::int32_t) {
  auto& voice = *static_cast<LateVoice*>(user);
  std::this_thread::sleep_for(std::chrono::microseconds(200));
  voice.Note(voice.checks);
  return TALEFOLD_OK;
}

std::int32_t SayNothing(void*, const talefold_speech_request*, talefold_speech) {
  return TALEFOLD_OK;
}

void ReleaseVoice(void* user) {
  auto& voice = *static_cast<LateVoice*>(user);
  voice.Note(voice.released);
}

}  // namespace

BOOST_AUTO_TEST_CASE(no_function_of_the_host_runs_after_its_engine) {
  LateVoice voice;
  for (int round = 0; round < 50; ++round) {
    CapiFixture chat;
    voice.destroyed = false;
    talefold_speech_backend backend{};
    backend.size = sizeof backend;
    backend.user = &voice;
    backend.check_voice = CheckSlowly;
    backend.synthesize = SayNothing;
    backend.release = ReleaseVoice;
    Ok(Api().engine_set_speech_backend(chat.engine, &backend));
    std::atomic<bool> stop = false;
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i) {
      threads.emplace_back([&stop, engine = chat.engine] {
        while (!stop) {
          talefold_agent made = 0;
          Api().engine_create_agent(engine, Text(kSpeaker), kNoText, kNoText, kNoBytes,
                                    &made);
          if (made != 0) Api().agent_release(made);
        }
      });
    }
    std::this_thread::sleep_for(std::chrono::microseconds(round * 20));

    Ok(Api().engine_destroy(chat.engine));
    voice.destroyed = true;
    chat.engine = 0;
    BOOST_TEST(voice.released == round + 1);
    stop = true;
    for (std::thread& thread : threads) thread.join();
  }
  BOOST_TEST(voice.checks > 0);
  BOOST_TEST(voice.released == 50);
  BOOST_TEST(voice.late == 0);
}

BOOST_AUTO_TEST_CASE(who_destroys_an_engine_that_is_being_destroyed_waits_as_well) {
  for (int round = 0; round < 20; ++round) {
    CapiFixture chat(kStallsTalking);
    const talefold_task turn = chat.Start("Hi");
    std::vector<std::int32_t> statuses(3, -1);
    std::vector<std::thread> threads;
    for (std::int32_t& status : statuses) {
      threads.emplace_back([&status, engine = chat.engine, turn] {
        status = Api().engine_destroy(engine);
        if (Tasks().Has(turn)) status = -2;  // it returned too early
      });
    }
    for (std::thread& thread : threads) thread.join();
    chat.engine = 0;
    for (const std::int32_t status : statuses) {
      const bool known = status == TALEFOLD_OK || status == TALEFOLD_INVALID_HANDLE;
      BOOST_TEST(known, "status " << status);
    }
  }
}

#ifdef TALEFOLD_TESTS_FORK
BOOST_AUTO_TEST_CASE(a_child_of_fork_has_no_handles_and_may_make_its_own_engine) {
  CapiSceneFixture chat(kInline, kStallsTalking);
  chat.Start("Hi");
  chat.StartTurn();

  const int failed_step = ResultInChild([&] {
    std::int32_t busy = 0;
    std::int64_t size = 0;
    if (Api().agent_busy(chat.agent, &busy) != TALEFOLD_INVALID_HANDLE) return 1;
    if (Api().engine_destroy(chat.engine) != TALEFOLD_INVALID_HANDLE) return 2;
    if (Api().scene_size(chat.scene, &size) != TALEFOLD_INVALID_HANDLE) return 5;
    CapiSceneFixture own;
    for (const talefold_task turn : {own.Start("Hi"), own.StartTurn()}) {
      std::int32_t done = 0;
      if (Api().task_wait(turn, 30'000, &done) != TALEFOLD_OK || done != 1) return 3;
    }
    if (Api().engine_destroy(own.engine) != TALEFOLD_OK) return 4;
    own.engine = 0;
    return 0;
  });

  BOOST_TEST(failed_step == 0);
}
#endif

BOOST_AUTO_TEST_CASE(two_engines_live_apart) {
  const CapiFixture one;
  CapiFixture other(kStallsTalking);
  other.Start("Hi");

  Ok(Api().engine_destroy(other.engine));
  other.engine = 0;

  BOOST_TEST(one.Say("Hi") == "Aye.");
}

BOOST_AUTO_TEST_SUITE_END()
