#include <boost/test/unit_test.hpp>
#include <string>
#include <utility>
#include <vector>

#include "inference/kv/kv_archive.h"
#include "runtime_fixture.h"

using namespace talefold;

namespace {

// Of the agent's newest turn, with diagnostics.
std::string Reused(const TurnResult& result) {
  const std::string key = "\"reused_tokens\":";
  const std::size_t begin = result.debug_info.find(key);
  BOOST_REQUIRE(begin != std::string::npos);
  const std::size_t value = begin + key.size();
  return result.debug_info.substr(value, result.debug_info.find(',', value) - value);
}

Agent Continue(Engine& engine, const Agent& saved, std::string kv) {
  AgentOptions options;
  options.snapshot = saved.ExportSnapshot();
  options.kv = std::move(kv);
  options.enable_diagnostics = true;
  return engine.CreateAgent(RuntimeFixture::Graph(), std::move(options));
}

// An archive with one entry, changed.
template <typename Change>
std::string Changed(const std::string& kv, const Change& change) {
  const auto read = ReadKvArchive(kv);
  NodeState entry{read.at(0).node, {}};
  entry.state.shape = read[0].state.shape;
  entry.state.tokens = read[0].state.tokens;
  change(entry);
  entry.state.shape.tokens = entry.state.tokens.size();
  entry.state.shape.bytes = entry.state.bytes.size();
  return WriteKvArchive({entry});
}

}  // namespace

BOOST_AUTO_TEST_SUITE(agent_kv)

BOOST_FIXTURE_TEST_CASE(a_conversation_goes_on_without_prefill, RuntimeFixture) {
  Agent agent = MakeAgent();
  agent.Send("Hello.");
  const std::string kv = agent.ExportKv();
  BOOST_TEST(agent.KvExportSize() == std::int64_t(kv.size()));

  RuntimeFixture other;
  Agent going_on = Continue(other.engine, agent, kv);
  BOOST_TEST(!going_on.kv_rejection());
  // <system>Be Edric.<user>Hello.<assistant>Aye. and no more are the same tokens.
  BOOST_TEST(Reused(going_on.Send("And now?")) == "23");
}

BOOST_FIXTURE_TEST_CASE(an_agent_that_said_nothing_exports_no_entry, RuntimeFixture) {
  Agent agent = MakeAgent();
  const std::string kv = agent.ExportKv();
  BOOST_TEST(agent.KvExportSize() == std::int64_t(kv.size()));
  BOOST_TEST(ReadKvArchive(kv).empty());
  agent.ImportKv(kv);
}

// The Summarize node has a KV state too, but it is never the same prompt again.
BOOST_FIXTURE_TEST_CASE(only_nodes_that_replay_history_have_entries, RuntimeFixture) {
  Agent agent = MakeAgent(Graph(Talker(), Folder(1)));
  agent.Send("One.");
  agent.Send("Two.");
  BOOST_REQUIRE(agent.GetSummary());
  const std::string kv = agent.ExportKv();
  const auto entries = ReadKvArchive(kv);
  BOOST_REQUIRE_EQUAL(entries.size(), 1U);
  BOOST_TEST(entries[0].node == "generate");
}

BOOST_FIXTURE_TEST_CASE(a_stale_file_is_only_slower, RuntimeFixture) {
  Agent agent = MakeAgent();
  agent.Send("Hello.");
  const std::string kv = agent.ExportKv();
  agent.EditInteraction(0, "Good night.", std::nullopt);

  RuntimeFixture other;
  Agent going_on = Continue(other.engine, agent, kv);
  BOOST_TEST(!going_on.kv_rejection());
  BOOST_TEST(Reused(going_on.Send("And now?")) == "11");  // up to the edited text
}

BOOST_FIXTURE_TEST_CASE(a_rejected_import_changes_nothing, RuntimeFixture) {
  AgentOptions options;
  options.enable_diagnostics = true;
  Agent agent = engine.CreateAgent(Graph(), options);
  agent.Send("Hello.");
  const std::string kv = agent.ExportKv();
  struct Case {
    const char* name;
    std::string kv;
    std::string named;
  };
  const std::vector<Case> cases = {
      {"damaged", kv.substr(1), "no KV bytes"},
      {"unknown node", Changed(kv, [](NodeState& e) { e.node = "talk"; }),
       "node 'talk'"},
      {"node without history", Changed(kv, [](NodeState& e) { e.node = "summarize"; }),
       "node 'summarize'"},
      {"other model",
       Changed(kv, [](NodeState& e) { e.state.shape.identity[0].second = "another"; }),
       "node 'generate', field 'model': saved with 'another'; here it is 'scripted'"},
      {"field gone",
       Changed(kv, [](NodeState& e) { e.state.shape.identity.pop_back(); }),
       "field 'tokenizer'"},
      {"no tokens", Changed(kv, [](NodeState& e) { e.state.tokens.clear(); }),
       "field 'tokens'"},
      {"too many tokens",
       Changed(kv, [](NodeState& e) { e.state.tokens.resize(1025); }),
       "allowed 1 to 1024"},
      {"unknown token", Changed(kv, [](NodeState& e) { e.state.tokens[0] = -1; }),
       "field 'tokens'"},
      {"bytes", Changed(kv, [](NodeState& e) { e.state.bytes.resize(1); }),
       "field 'bytes'"},
  };
  for (const Case& test : cases) {
    BOOST_TEST_CONTEXT(test.name) {
      BOOST_CHECK_EXCEPTION(agent.ImportKv(test.kv), Error, [&](const Error& error) {
        BOOST_TEST(error.message().find(test.named) != std::string::npos,
                   error.message());
        return error.code() == ErrorCode::KvRejected;
      });
      BOOST_TEST(agent.ExportKv() == kv);
    }
  }
  BOOST_TEST(agent.dialog_size() == 1);
  BOOST_TEST(Reused(agent.Send("And now?")) == "23");
}

BOOST_AUTO_TEST_CASE(an_agent_is_made_without_bytes_that_do_not_fit) {
  std::vector<std::string> warnings;
  EngineOptions options;
  options.log_sink = [&](LogLevel level, std::string_view, std::string_view text) {
    if (level == LogLevel::Warning) warnings.emplace_back(text);
  };
  RuntimeFixture fixture({{"Aye."}}, {{"They met."}}, options);
  Agent agent = fixture.MakeAgent();
  agent.Send("Hello.");

  Agent going_on = Continue(fixture.engine, agent, "no such thing");
  BOOST_REQUIRE(going_on.kv_rejection());
  BOOST_TEST((going_on.kv_rejection()->code() == ErrorCode::KvRejected));
  BOOST_REQUIRE_EQUAL(warnings.size(), 1U);
  BOOST_TEST(warnings[0].starts_with("9005 KvRejected: "));
  BOOST_TEST(going_on.Send("And now?").text == "Aye.");
}

BOOST_FIXTURE_TEST_CASE(a_running_turn_keeps_its_state_to_itself, RuntimeFixture) {
  Agent agent = MakeAgent();
  agent.Send("Hello.");
  const std::string kv = agent.ExportKv();
  Load("staller", {{.text = "", .outcome = ScriptedReply::Outcome::Stall}});
  GenerateParams params = Talker();
  params.model_name = "staller";
  Agent busy = MakeAgent(Graph(params));
  Turn turn = busy.Start("Hello.");

  BOOST_TEST((CodeOf([&] { busy.ExportKv(); }) == ErrorCode::AgentBusy));
  BOOST_TEST((CodeOf([&] { busy.KvExportSize(); }) == ErrorCode::AgentBusy));
  BOOST_TEST((CodeOf([&] { busy.ImportKv(kv); }) == ErrorCode::AgentBusy));
  turn.Cancel();
  turn.Result();
}

BOOST_FIXTURE_TEST_CASE(a_closed_agent_has_no_state, RuntimeFixture) {
  Agent agent = MakeAgent();
  agent.Close();
  BOOST_TEST((CodeOf([&] { agent.ExportKv(); }) == ErrorCode::AgentClosed));
  BOOST_TEST((CodeOf([&] { agent.KvExportSize(); }) == ErrorCode::AgentClosed));
  BOOST_TEST((CodeOf([&] { agent.ImportKv(""); }) == ErrorCode::AgentClosed));
  BOOST_TEST((CodeOf([&] { agent.kv_rejection(); }) == ErrorCode::AgentClosed));
}

BOOST_AUTO_TEST_SUITE_END()
