#include "knowledge/knowledge_registry.h"

#include <algorithm>
#include <atomic>
#include <boost/test/unit_test.hpp>
#include <memory>
#include <string>
#include <thread>
#include <vector>

using namespace talefold;

namespace {

// How often a text has the letter a; counts the texts it was given.
class CountingEmbedder final : public Embedder {
 public:
  std::size_t dimensions() const override { return 1; }
  std::vector<float> Embed(std::span<const std::string> texts) override {
    embedded += static_cast<int>(texts.size());
    std::vector<float> rows;
    for (const std::string& text : texts) {
      rows.push_back(static_cast<float>(std::ranges::count(text, 'a')));
    }
    return rows;
  }

  std::atomic<int> embedded = 0;
};

struct Fixture {
  KnowledgeSource Source(const std::string& text = "aha") const {
    return {.config = R"({"version": 1, "embedding_model": "letters"})",
            .records = R"([{"id": "1", "text": ")" + text + R"("}])"};
  }

  std::vector<std::string> log;
  Logger logger{
      [this](LogLevel level, std::string_view category, std::string_view text) {
        log.push_back(std::to_string(static_cast<int>(level)) + " " +
                      std::string(category) + ": " + std::string(text));
      }};
  std::shared_ptr<CountingEmbedder> embedder = std::make_shared<CountingEmbedder>();
  KnowledgeRegistry registry{StorageRoot(),
                             [this](const std::string& name) {
                               return name == "letters" ? embedder : nullptr;
                             },
                             logger};
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(knowledge_registry, Fixture)

BOOST_AUTO_TEST_CASE(the_same_content_is_embedded_once) {
  registry.Add("one", Source());
  registry.Add("two", Source());

  BOOST_TEST(registry.Get("one") == registry.Get("two"));
  BOOST_TEST(embedder->embedded == 1);
}

BOOST_AUTO_TEST_CASE(other_content_or_another_embedder_makes_another_base) {
  registry.Add("one", Source());
  registry.Add("two", Source("banana"));
  embedder = std::make_shared<CountingEmbedder>();
  registry.Add("three", Source());

  BOOST_TEST(registry.Get("one") != registry.Get("two"));
  BOOST_TEST(registry.Get("one") != registry.Get("three"));
  BOOST_TEST(embedder->embedded == 1);
}

BOOST_AUTO_TEST_CASE(what_nobody_uses_is_not_kept) {
  registry.Add("one", Source());
  std::weak_ptr<const KnowledgeBase> base = registry.Get("one");

  registry.Remove("one");

  BOOST_TEST(base.expired());
  registry.Add("one", Source());
  BOOST_TEST(embedder->embedded == 2);
}

BOOST_AUTO_TEST_CASE(threads_that_ask_at_the_same_time_share_one) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([this, i] { registry.Add(std::to_string(i), Source()); });
  }
  for (std::thread& thread : threads) thread.join();

  BOOST_TEST(embedder->embedded == 1);
  for (int i = 1; i < 8; ++i) {
    BOOST_TEST(registry.Get(std::to_string(i)) == registry.Get("0"));
  }
}

BOOST_AUTO_TEST_CASE(a_missing_embedding_model_is_a_warning_with_names) {
  embedder = nullptr;

  registry.Add("lore", Source());

  BOOST_TEST(registry.Get("lore")->search_method() == "bm25");
  BOOST_TEST_REQUIRE(log.size() == 1U);
  BOOST_TEST(
      log[0].starts_with("2 knowledge: knowledge base \"lore\": the embedding "
                         "model \"letters\" is not loaded"));
}

BOOST_AUTO_TEST_CASE(errors_name_the_knowledge_base) {
  BOOST_CHECK_EXCEPTION(
      registry.Add("lore", {.config = "{}"}), Error, [](const Error& error) {
        return error.code() == ErrorCode::MalformedEmbeddedStorage &&
               error.message().starts_with("knowledge base \"lore\": config: ");
      });
}

BOOST_AUTO_TEST_SUITE_END()
