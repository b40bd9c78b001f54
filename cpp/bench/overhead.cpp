// What a turn costs beside inference, and whether that grows with the conversation: a
// scripted model, 10,000 turns of 40-word messages, folds and trims included. Prints
// figures; asserts nothing.
//
//   talefold_bench_overhead [turns]

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "talefold/talefold.hpp"

namespace {

using Clock = std::chrono::steady_clock;

std::string Words(int count, int salt) {
  std::string text;
  for (int i = 0; i < count; ++i)
    text += "word" + std::to_string((salt + i) % 977) + " ";
  return text;
}

// Kibibytes of resident memory; 0 where the system does not tell.
long ResidentKib() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("VmRSS:", 0) == 0) return std::atol(line.c_str() + 6);
  }
  return 0;
}

double Median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

talefold::GraphDescription MakeGraph(bool with_folds) {
  talefold::GenerateParams talker;
  talker.system_prompt = Words(60, 5);
  talker.context_size = 4096;
  talker.stream = true;
  talefold::SummarizeParams folder;
  folder.model_name = "folder";
  talefold::GraphDescription graph;
  if (with_folds) talker.default_exit = "summarize";
  graph.AddGenerate("generate", talker).SetStartNode("generate");
  if (with_folds) graph.AddSummarize("summarize", folder);
  return graph;
}

void Run(const char* name, bool with_folds, int turns) {
  talefold::Engine engine;
  engine.LoadScriptedModel("talker", {.replies = {{.text = Words(40, 11)}}});
  engine.LoadScriptedModel("folder", {.replies = {{.text = Words(120, 3)}}});
  talefold::Agent agent =
      engine.CreateAgent(MakeGraph(with_folds), {.default_model_name = "talker"});

  std::vector<double> turn_us;
  std::size_t dialog_bytes = 0;
  long early_kib = 0;
  for (int turn = 0; turn < turns; ++turn) {
    const std::string message = Words(40, turn);
    const Clock::time_point start = Clock::now();
    const talefold::TurnResult result = agent.Send(message);
    turn_us.push_back(
        std::chrono::duration<double, std::micro>(Clock::now() - start).count());
    dialog_bytes += message.size() + result.text.size();
    if (turn == turns / 10) {
      early_kib = ResidentKib();
      dialog_bytes = 0;
    }
  }
  const auto window = [&](std::size_t begin, std::size_t end) {
    return Median({turn_us.begin() + static_cast<std::ptrdiff_t>(begin),
                   turn_us.begin() + static_cast<std::ptrdiff_t>(end)});
  };
  const auto count = static_cast<std::size_t>(turns);
  const std::size_t tenth = count / 10;
  const double early = window(tenth / 10, tenth + tenth / 10);
  const double late = window(count - tenth, count);
  std::printf(
      "%-12s turns %d  median %.1f us  early %.1f us  last tenth %.1f us  "
      "late/early %.3f\n",
      name, turns, Median(turn_us), early, late, late / early);
  std::printf("%-12s memory grew %ld KiB while the dialog's text grew %zu KiB\n", name,
              ResidentKib() - early_kib, dialog_bytes / 1024);
}

}  // namespace

int main(int argc, char** argv) {
  const int turns = argc > 1 ? std::max(100, std::atoi(argv[1])) : 10000;
  Run("trims only", false, turns);
  Run("with folds", true, turns);
  return 0;
}
