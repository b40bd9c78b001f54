// What the C interface costs beside the C++ one: a poll that finds nothing, and the
// time from a message to the first event of its turn. A scripted model; both in turn,
// in one process. Prints figures; asserts nothing.
//
//   talefold_bench_capi [turns]

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "talefold/talefold.h"
#include "talefold/talefold.hpp"

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kPolls = 200'000;
constexpr int kRepetitions = 7;
constexpr char kMessage[] = "Any rooms for the night?";

talefold_api api;

void Check(int status) {
  if (status == TALEFOLD_OK) return;
  std::fprintf(stderr, "a call failed: %d\n", status);
  std::exit(1);
}

talefold_text Text(const std::string& text) { return {text.data(), text.size()}; }

// The same model and graph on both sides.
struct Sides {
  explicit Sides(const char* outcome) {
    talefold::GenerateParams params;
    params.stream = true;
    talefold::GraphDescription graph;
    graph.AddGenerate("talk", params).SetStartNode("talk");
    const std::string script =
        std::string(R"({"replies": [{"text": "Aye.", "outcome": ")") + outcome +
        "\"}]}";
    Check(api.engine_create({nullptr, 0}, &c_engine));
    Check(api.engine_load_scripted_model(c_engine, Text("mock"), Text(script)));
    Check(api.engine_create_agent(c_engine, Text(graph.ToJson()), {nullptr, 0},
                                  {nullptr, 0}, {nullptr, 0}, &c_agent));
    using Outcome = talefold::ScriptedReply::Outcome;
    const bool stalls = std::string(outcome) == "stall";
    engine.LoadScriptedModel(
        "mock", {.replies = {{"Aye.", stalls ? Outcome::Stall : Outcome::Finish}}});
    agents.push_back(engine.CreateAgent(graph));
  }
  ~Sides() { Check(api.engine_destroy(c_engine)); }
  Sides(const Sides&) = delete;
  Sides& operator=(const Sides&) = delete;

  talefold::Engine engine;
  std::vector<talefold::Agent> agents;
  talefold_engine c_engine = 0;
  talefold_agent c_agent = 0;
};

double Median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

template <typename Work>
double Seconds(const Work& work) {
  const Clock::time_point start = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void Report(const char* name, const char* unit, double scale,
            const std::vector<double>& cpp, const std::vector<double>& c) {
  std::printf("%-22s C++ %.3f %s  C %.3f %s  more by %.3f %s  C / C++ %.2f\n", name,
              Median(cpp) * scale, unit, Median(c) * scale, unit,
              (Median(c) - Median(cpp)) * scale, unit, Median(c) / Median(cpp));
}

void MeasurePolls() {
  Sides sides("stall");
  talefold::Turn turn = sides.agents.front().Start(kMessage);
  talefold_task task = 0;
  Check(api.agent_start(sides.c_agent, Text(kMessage), 0, &task));
  talefold_event event{};
  event.size = sizeof event;
  while (turn.WaitEvent(std::chrono::milliseconds(100))) {
  }
  do {
    Check(api.task_wait_event(task, 100, &event));
  } while (event.kind != TALEFOLD_EVENT_NONE);

  std::vector<double> cpp, c;
  for (int i = 0; i < kRepetitions; ++i) {
    cpp.push_back(Seconds([&] {
      for (int poll = 0; poll < kPolls; ++poll) {
        if (turn.Poll()) std::exit(1);
      }
    }));
    c.push_back(Seconds([&] {
      for (int poll = 0; poll < kPolls; ++poll) {
        if (api.task_poll(task, &event) != TALEFOLD_OK || event.kind != 0) std::exit(1);
      }
    }));
  }
  turn.Cancel();
  Report("poll, nothing there", "ns", 1e9 / kPolls, cpp, c);
}

void MeasureFirstEvents(int turns) {
  Sides sides("finish");
  std::vector<double> cpp, c;
  talefold_event event{};
  event.size = sizeof event;
  for (int i = 0; i < turns; ++i) {
    std::optional<talefold::Turn> turn;
    cpp.push_back(Seconds([&] {
      turn = sides.agents.front().Start(kMessage);
      if (!turn->WaitEvent(std::chrono::seconds(10))) std::exit(1);
    }));
    turn->Wait(std::chrono::seconds(10));
    talefold_task task = 0;
    std::int32_t done = 0;
    c.push_back(Seconds([&] {
      Check(api.agent_start(sides.c_agent, Text(kMessage), 0, &task));
      Check(api.task_wait_event(task, 10'000, &event));
    }));
    Check(api.task_wait(task, 10'000, &done));
    Check(api.task_release(task));
  }
  Report("message to first event", "us", 1e6, cpp, c);
}

}  // namespace

int main(int argc, char** argv) {
  Check(talefold_get_api(TALEFOLD_ABI_VERSION, &api, sizeof api));
  MeasurePolls();
  MeasureFirstEvents(argc > 1 ? std::max(10, std::atoi(argv[1])) : 2000);
  return 0;
}
