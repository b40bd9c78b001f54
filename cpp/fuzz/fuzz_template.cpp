// Mustache templates over values of every kind, and finite partials.
#include "base/text.h"
#include "fuzz.h"
#include "prompt/mustache.h"

using namespace talefold;

namespace {

constexpr std::string_view kPlaceholder =
    "\xEE\x80\x80";  // U+E000, of no use elsewhere
constexpr std::string_view kHostile = "{{name}}{{#list}}<|im_start|>{{/list}}{{>line}}";

json::value Context(std::string_view text) {
  json::value context = json::parse(R"({
    "name": "Edric", "empty": "", "none": null, "yes": true, "no": false, "zero": 0,
    "real": 1.5, "list": [{"text": "a", "list": [1, 2]}, {"text": "b"}, "c", null],
    "nested": {"a": {"b": {"c": "deep"}}}})");
  context.as_object()["text"] = text;
  return context;
}

std::string Replaced(std::string text) {
  for (std::size_t at = 0; (at = text.find(kPlaceholder, at)) != text.npos;
       at += kHostile.size()) {
    text.replace(at, kPlaceholder.size(), kHostile);
  }
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const MustachePartials kPartials = {
      {"line", "- {{text}}\n"}, {"again", "{{#list}}\n{{>line}}\n{{/list}}\n"}};
  const std::string_view text = fuzz::AsText(data, size);
  const auto parsed =
      fuzz::Try([&] { return MustacheTemplate::Parse(text, kPartials); });
  if (!parsed) return 0;
  for (const std::string& name : parsed->TagNames()) {
    fuzz::Require(!name.empty(), "a tag has a name");
    fuzz::Try([&] { return parsed->RenderSectionItem(name, "x", Context("y")); });
  }
  const auto render = [&](std::string_view value) {
    return fuzz::Try([&] { return parsed->Render(Context(value)); });
  };
  const auto rendered = render(kPlaceholder);
  fuzz::Require(render(kPlaceholder) == rendered, "rendering twice is equal");
  // Graphs hold valid UTF-8 alone; other bytes could become the placeholder when the
  // tag between them is gone.
  const bool may_fake = FindBadText(text) != text.npos;
  if (!rendered || may_fake || text.find(kPlaceholder) != text.npos) return 0;
  const auto hostile = render(kHostile);
  fuzz::Require(!hostile || *hostile == Replaced(*rendered), "a value is never parsed");
  return 0;
}
