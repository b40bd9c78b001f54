// The C++ example of the Summarize node's reference page, as a user writes it.
#include <boost/test/unit_test.hpp>
#include <utility>

#include "talefold/talefold.hpp"

using namespace talefold;
using namespace talefold::NodeParams;

BOOST_AUTO_TEST_SUITE(seed_example_test)

BOOST_AUTO_TEST_CASE(documented_graph_holds_both_nodes_with_their_params) {
  GenerateParamsT gp;
  gp.system_prompt = "You are Edric, an innkeeper.";
  gp.context_size = 4096;
  gp.default_exit = "summarize";

  SummarizeParamsT sp;
  sp.trigger_tokens = 1024;
  sp.keep_recent_turns = 3;

  GraphDescription graph;
  graph.AddGenerate("generate", std::move(gp))
      .AddSummarize("summarize", std::move(sp))
      .SetStartNode("generate");

  BOOST_TEST(graph.start_node() == "generate");
  BOOST_TEST_REQUIRE(graph.nodes().size() == 2U);
  BOOST_TEST(graph.nodes()[0].name == "generate");
  BOOST_TEST(graph.nodes()[1].name == "summarize");
  const auto& generate = std::get<GenerateParams>(graph.nodes()[0].params);
  BOOST_TEST(generate.system_prompt == "You are Edric, an innkeeper.");
  BOOST_TEST(generate.context_size == 4096);
  BOOST_TEST(generate.default_exit == "summarize");
  const auto& summarize = std::get<SummarizeParams>(graph.nodes()[1].params);
  BOOST_TEST(summarize.trigger_tokens == 1024);
  BOOST_TEST(summarize.keep_recent_turns == 3);
  BOOST_TEST(summarize.default_exit == "");
}

BOOST_AUTO_TEST_CASE(node_types_keep_their_frozen_numbers) {
  BOOST_TEST(static_cast<int>(NodeType::Generate) == 1);
  BOOST_TEST(static_cast<int>(NodeType::Summarize) == 16);
}

BOOST_AUTO_TEST_SUITE_END()
