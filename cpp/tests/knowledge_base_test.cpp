#include "knowledge/knowledge_base.h"

#include <algorithm>
#include <boost/test/unit_test.hpp>
#include <memory>
#include <string>
#include <vector>

using namespace talefold;

namespace {

// A dimension for each of a few letters: how often a text has it.
class LetterEmbedder final : public Embedder {
 public:
  std::size_t dimensions() const override { return 3; }
  std::vector<float> Embed(std::span<const std::string> texts) override {
    std::vector<float> rows;
    for (const std::string& text : texts) {
      for (const char letter : {'a', 'b', 'c'}) {
        rows.push_back(static_cast<float>(std::ranges::count(text, letter)));
      }
    }
    return rows;
  }
};

class BrokenEmbedder final : public Embedder {
 public:
  std::size_t dimensions() const override { return 3; }
  std::vector<float> Embed(std::span<const std::string>) override { return {1, 2}; }
};

constexpr const char* kConfig = R"({
  "version": 1, "embedding_model": "letters", "records_file": "lore.json",
  "fields": [{"name": "place", "type": "string", "default": "inn", "filterable": true},
             {"name": "year", "type": "int", "optional": true, "filterable": true},
             {"name": "tags", "type": "set<string>", "default": []},
             {"name": "weight", "type": "float", "optional": true},
             {"name": "secret", "type": "bool", "default": false}]})";

constexpr const char* kRecords = R"([
  {"id": "all-a", "text": "aaa a"},
  {"id": "a-and-b", "text": "ab a", "metadata": {"place": "mill", "year": 1201}},
  {"id": "all-c", "text": "cc c", "metadata": {"tags": ["x", "b", "x"], "weight": 2,
                                              "secret": true}}])";

KnowledgeBase Lore(std::shared_ptr<Embedder> embedder = nullptr) {
  return {ParseKnowledgeConfig(kConfig), kRecords, std::move(embedder)};
}

std::vector<std::string> Ids(const KnowledgeBase& base,
                             const std::vector<KnowledgeHit>& hits) {
  std::vector<std::string> ids;
  for (const KnowledgeHit& hit : hits) ids.push_back(base.records()[hit.record].id);
  return ids;
}

using Texts = std::vector<std::string>;

}  // namespace

BOOST_AUTO_TEST_SUITE(knowledge_base)

BOOST_AUTO_TEST_CASE(the_config_says_where_the_records_and_the_model_are) {
  const KnowledgeConfig config = ParseKnowledgeConfig(kConfig);

  BOOST_TEST(config.embedding_model == "letters");
  BOOST_TEST(config.records_file == "lore.json");
  BOOST_TEST(config.fields.size() == 5U);
  BOOST_TEST(config.fields[0].filterable);
  BOOST_TEST(!config.fields[4].filterable);
}

BOOST_AUTO_TEST_CASE(a_config_needs_a_version_and_a_records_file_only) {
  const KnowledgeConfig config =
      ParseKnowledgeConfig(R"({"version": 1, "records_file": "r.json"})");

  BOOST_TEST(config.embedding_model == "");
  BOOST_TEST(config.fields.empty());
}

BOOST_AUTO_TEST_CASE(a_bad_config_is_refused_with_its_path) {
  using enum ErrorCode;
  const auto field = [](const std::string& members) {
    return R"({"version": 1, "records_file": "r", "fields": [{"name": "ok", "type": )"
           R"("int", "default": 1}, {)" +
           members + "}]}";
  };
  const struct {
    std::string config;
    const char* message;
    ErrorCode code = MalformedEmbeddedStorage;
  } rows[] = {
      {"{", "config: line 1, column 2"},
      {"[]", "config: [] is of type array; an object"},
      {"{}", "config: the key \"version\" is missing"},
      {R"({"version": 2, "new": 1})", "config.version: version 2 is not known",
       EmbeddedStorageVersionTooNew},
      {R"({"version": 0})", "config.version: version 0 is not known"},
      {R"({"version": "1"})", "config.version: \"1\" is of type string; an integer"},
      {R"({"version": 1})", "config: the key \"records_file\" is missing"},
      {R"({"version": 1, "records_file": ""})", "config.records_file: is empty"},
      {R"({"version": 1, "record_file": "r"})",
       "config: the key \"record_file\" is not known; known are version"},
      {R"({"version": 1, "records_file": "r", "embedding_model": null})",
       "config.embedding_model: null is of type null; a string"},
      {R"({"version": 1, "records_file": "r", "fields": {}})",
       "config.fields: {} is of type object; an array"},
      {field(R"("type": "int")"), "config.fields[1]: the key \"name\" is missing"},
      {field(R"("name": "a b", "type": "int", "default": 1)"),
       "config.fields[1].name: \"a b\" is no name"},
      {field(R"("name": "ok", "type": "int", "default": 1)"),
       "config.fields[1].name: the name \"ok\" occurs twice"},
      {field(R"("name": "a", "type": "integer", "default": 1)"),
       "config.fields[1].type: \"integer\" is no type; allowed are int, float"},
      {field(R"("name": "a", "type": "int")"),
       "config.fields[1]: a field has a default, or is optional"},
      {field(R"("name": "a", "type": "int", "optional": false)"),
       "config.fields[1]: a field has a default, or is optional"},
      {field(R"("name": "a", "type": "int", "default": 1, "optional": true)"),
       "config.fields[1]: a field that is optional has no default"},
      {field(R"("name": "a", "type": "int", "default": 1.5)"),
       "config.fields[1].default: 1.5 is of type number; an int"},
      {field(R"("name": "a", "type": "float", "default": "1")"),
       "config.fields[1].default: \"1\" is of type string; a number"},
      {field(R"("name": "a", "type": "string", "default": 1)"), "a string is expected"},
      {field(R"("name": "a", "type": "bool", "default": 0)"), "a bool is expected"},
      {field(R"("name": "a", "type": "set<string>", "default": ["x", 2])"),
       "config.fields[1].default[1]: 2 is of type integer; a string"},
      {field(R"("name": "a", "type": "int", "default": 1, "filterable": 1)"),
       "config.fields[1].filterable: 1 is of type integer; a boolean"},
  };
  for (const auto& row : rows) {
    BOOST_TEST_CONTEXT(row.config) {
      BOOST_CHECK_EXCEPTION(
          ParseKnowledgeConfig(row.config), Error, [&](const Error& error) {
            BOOST_TEST_MESSAGE(error.what());
            return error.code() == row.code &&
                   error.message().find(row.message) != std::string::npos;
          });
    }
  }
}

BOOST_AUTO_TEST_CASE(bad_records_are_refused_with_their_path) {
  using enum ErrorCode;
  const struct {
    std::string records;
    const char* message;
    ErrorCode code = MalformedEmbeddedStorage;
  } rows[] = {
      {"", "records: line 1, column 1: incomplete JSON"},
      {"{}", "records: {} is of type object; an array"},
      {"[5]", "records[0]: 5 is of type integer; an object"},
      {R"([{"id": "x"}])", "records[0]: the key \"text\" is missing"},
      {R"([{"id": "x", "text": "t", "meta": {}}])",
       "records[0]: the key \"meta\" is not known"},
      {R"([{"id": "", "text": "t"}])", "records[0].id: is empty"},
      {R"([{"id": "x", "text": " "}])", "records[0].text: is empty"},
      {R"([{"id": "x", "text": "a\u0000"}])",
       "records[0].text: the text has a NUL byte"},
      {R"([{"id": "x", "text": 5}])", "records[0].text: 5 is of type integer"},
      {R"([{"id": "x", "text": "t"}, {"id": "y", "text": "t"}, {"id": "x", "text": "t"}])",
       "records[2].id: \"x\" is the id of records[0], too"},
      {"[{\"id\": \"x\", \"text\": \"" + std::string(65537, 'a') + "\"}]",
       "records[0].text: the text is 65537 bytes long"},
      {R"([{"id": "x", "text": "t", "metadata": []}])",
       "records[0].metadata: [] is of type array; an object", InvalidMetadata},
      {R"([{"id": "x", "text": "t", "metadata": {"yaer": 5}}])",
       "records[0].metadata: the config has no field \"yaer\"", InvalidMetadata},
      {R"([{"id": "x", "text": "t"}, {"id": "y", "text": "t", "metadata": {"year": "old"}}])",
       "records[1].metadata.year: \"old\" is of type string; an int is expected",
       InvalidMetadata},
      {R"([{"id": "x", "text": "t", "metadata": {"year": null}}])",
       "records[0].metadata.year: null is of type null; an int", InvalidMetadata},
      {R"([{"id": "x", "text": "t", "metadata": {"tags": ["a", 1]}}])",
       "records[0].metadata.tags[1]: 1 is of type integer; a string", InvalidMetadata},
  };
  for (const auto& row : rows) {
    BOOST_TEST_CONTEXT(row.records.substr(0, 100)) {
      BOOST_CHECK_EXCEPTION(
          KnowledgeBase(ParseKnowledgeConfig(kConfig), row.records, nullptr), Error,
          [&](const Error& error) {
            BOOST_TEST_MESSAGE(error.what());
            return error.code() == row.code && error.message().starts_with(row.message);
          });
    }
  }
}

BOOST_AUTO_TEST_CASE(metadata_is_typed_and_has_its_defaults) {
  const KnowledgeBase base = Lore();
  const auto value = [&](std::size_t record, const char* field) {
    return OneLineJson(base.metadata().Value(record, base.FindField(field).value()));
  };

  BOOST_TEST(value(0, "place") == "\"inn\"");
  BOOST_TEST(value(0, "year") == "null");
  BOOST_TEST(value(0, "tags") == "[]");
  BOOST_TEST(value(1, "place") == "\"mill\"");
  BOOST_TEST(value(1, "year") == "1201");
  BOOST_TEST(value(2, "tags") == "[\"b\", \"x\"]");
  BOOST_TEST(value(2, "weight") == "2.0");
  BOOST_TEST(value(2, "secret") == "true");
  BOOST_TEST(!base.FindField("age").has_value());
}

BOOST_AUTO_TEST_CASE(with_an_embedding_model_the_nearest_vectors_are_found) {
  const KnowledgeBase base = Lore(std::make_shared<LetterEmbedder>());

  BOOST_TEST(base.search_method() == "cosine");
  BOOST_TEST(Ids(base, base.Search({.text = "bbbb"})) == (Texts{"a-and-b", "all-a"}));
  const auto hits = base.Search({.text = "a", .top_k = 9});
  BOOST_TEST(Ids(base, hits) == (Texts{"all-a", "a-and-b", "all-c"}));
  BOOST_TEST(hits[0].distance == 0.0);
  BOOST_TEST(hits[2].distance == 1.0);
}

BOOST_AUTO_TEST_CASE(without_one_common_words_are_found) {
  const KnowledgeBase base = Lore();

  BOOST_TEST(base.search_method() == "bm25");
  BOOST_TEST(Ids(base, base.Search({.text = "CC, a?"})) == (Texts{"all-c", "all-a"}));
}

BOOST_AUTO_TEST_CASE(a_distance_limit_of_0_is_none) {
  const KnowledgeBase base = Lore(std::make_shared<LetterEmbedder>());

  BOOST_TEST(base.Search({.text = "a", .top_k = 9, .max_distance = 0}).size() == 3U);
  BOOST_TEST(base.Search({.text = "a", .top_k = 9, .max_distance = 0.2}).size() == 2U);
}

BOOST_AUTO_TEST_CASE(a_filter_leaves_records_out) {
  const KnowledgeBase with_vectors = Lore(std::make_shared<LetterEmbedder>());
  const KnowledgeBase with_words = Lore();
  const Filter filter = Filter::Parse(
      R"({"op": "eq", "args": [{"knowledge": "place"}, {"value": "mill"}]})",
      with_words.config().fields);
  for (const KnowledgeBase* base : {&with_vectors, &with_words}) {
    BOOST_TEST_CONTEXT(base->search_method()) {
      BOOST_TEST(Ids(*base, base->Search({.text = "a", .filter = &filter})) ==
                 (Texts{"a-and-b"}));
    }
  }
}

BOOST_AUTO_TEST_CASE(an_empty_storage_finds_nothing) {
  for (const auto& embedder :
       {std::shared_ptr<Embedder>(), std::shared_ptr<Embedder>(new LetterEmbedder)}) {
    const KnowledgeBase base(ParseKnowledgeConfig(kConfig), "[]", embedder);
    const Filter filter = Filter::Parse(
        R"({"op": "eq", "args": [{"knowledge": "place"}, {"value": "mill"}]})",
        base.config().fields);
    BOOST_TEST(base.Search({.text = "a"}).empty());
    BOOST_TEST(base.Search({.text = "a", .filter = &filter}).empty());
  }
}

BOOST_AUTO_TEST_CASE(an_embedding_model_that_gives_too_little_is_refused) {
  BOOST_CHECK_EXCEPTION(
      Lore(std::make_shared<BrokenEmbedder>()), Error,
      [](const Error& error) { return error.code() == ErrorCode::EmbeddingFailed; });
}

BOOST_AUTO_TEST_SUITE_END()
