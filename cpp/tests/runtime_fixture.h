// An engine with scripted models, for tests of the runtime.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "talefold/talefold.hpp"

namespace talefold {

// Two models of 1 character = 1 token: "talker" for the replies, "folder" for
// summaries.
struct RuntimeFixture {
  explicit RuntimeFixture(std::vector<ScriptedReply> replies = {{"Aye."}},
                          std::vector<ScriptedReply> summaries = {{"They met."}},
                          EngineOptions options = {})
      : engine(std::move(options)) {
    Load("talker", std::move(replies));
    Load("folder", std::move(summaries));
  }

  void Load(const std::string& name, std::vector<ScriptedReply> replies) {
    ScriptedModelOptions model;
    model.replies = std::move(replies);
    model.tokenizer = "chars";
    model.record_requests = true;
    engine.LoadScriptedModel(name, std::move(model));
  }

  static GenerateParams Talker(bool stream = false) {
    GenerateParams params;
    params.model_name = "talker";
    params.system_prompt = "Be Edric.";
    params.context_size = 1024;
    params.stream = stream;
    params.default_exit = "summarize";
    return params;
  }

  static SummarizeParams Folder(int trigger_turns = 2, int keep_recent_turns = 0) {
    SummarizeParams params;
    params.model_name = "folder";
    params.trigger_tokens = 0;
    params.trigger_turns = trigger_turns;
    params.keep_recent_turns = keep_recent_turns;
    return params;
  }

  static GraphDescription Graph(GenerateParams talker = Talker(),
                                SummarizeParams folder = Folder()) {
    GraphDescription graph;
    graph.AddGenerate("generate", std::move(talker))
        .AddSummarize("summarize", std::move(folder))
        .SetStartNode("generate");
    return graph;
  }

  Agent MakeAgent(GraphDescription graph = Graph()) {
    return engine.CreateAgent(graph);
  }

  // The messages of the newest request to "talker", as "role: text" lines.
  std::string LastPrompt() const {
    std::string text;
    const std::vector<RecordedRequest> requests = engine.RecordedRequests("talker");
    for (const auto& [role, content] : requests.back().messages) {
      text += role + ": " + content + "\n";
    }
    return text;
  }

  Engine engine;
};

template <typename Call>
ErrorCode CodeOf(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.code();
  }
  return ErrorCode{0};
}

}  // namespace talefold
