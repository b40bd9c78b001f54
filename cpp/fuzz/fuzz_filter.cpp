// Filters of knowledge bases.
#include "fuzz.h"
#include "knowledge/filter.h"
#include "knowledge_example.h"

using namespace talefold;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const KnowledgeBase base(fuzz::ExampleConfig(), fuzz::kRecords, nullptr);
  const std::string text(fuzz::AsText(data, size));
  const std::vector<KnowledgeField>& fields = base.config().fields;
  const auto filter = fuzz::Try([&] { return Filter::Parse(text, fields); });
  if (!filter) return 0;

  const std::vector<std::uint8_t> accepted = filter->Accepted(base.metadata());
  fuzz::Require(accepted.size() == base.records().size(), "there is a byte a record");
  const KnowledgeQuery query{.text = "the", .top_k = 9, .filter = &*filter};
  for (const KnowledgeHit& hit : base.Search(query)) {
    fuzz::Require(accepted[hit.record] == 1, "only what a filter accepts is found");
  }
  const auto opposite = fuzz::Try([&] {  // one operator more may be one too many
    return Filter::Parse(R"({"op": "not", "args": [)" + text + "]}", fields);
  });
  if (!opposite) return 0;
  for (std::size_t row = 0; row < accepted.size(); ++row) {
    fuzz::Require(opposite->Accepts(base.metadata(), row) == (accepted[row] == 0),
                  "'not' accepts what the filter does not");
  }
  return 0;
}
