#include "prompt/mustache_parser.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "base/text_position.h"
#include "talefold/error.h"

namespace talefold {
namespace {

using Kind = MustacheNode::Kind;

constexpr std::size_t kMaxNesting = 32;
constexpr std::size_t kMaxNameBytes = 256;
constexpr std::string_view kBlanks = " \t";
constexpr std::string_view kWhitespace = " \t\n\v\f\r";

std::vector<std::string> SplitPath(std::string_view name) {
  std::vector<std::string> path;
  if (name == ".") return path;
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t dot = std::min(name.find('.', begin), name.size());
    path.emplace_back(name.substr(begin, dot - begin));
    begin = dot + 1;
  }
  return path;
}

class Parser {
 public:
  Parser(std::string_view text, const std::string& what, bool with_partials)
      : text_(text), what_(what), with_partials_(with_partials) {
    open_sections_.emplace_back();
  }

  MustacheNode Parse() {
    std::size_t pos = 0;
    for (std::size_t begin; (begin = text_.find(open_, pos)) != text_.npos;) {
      Tag tag = ReadTag(begin);
      if (tag.sigil != '&') DropStandaloneLine(tag);
      AddText(pos, tag.begin);
      if (!tag.standalone) AddLineStart(tag.begin);
      Apply(tag, begin);
      pos = tag.end;
    }
    AddText(pos, text_.size());
    if (open_sections_.size() > 1) {
      const std::string& name = open_sections_.back().node.text;
      Fail(open_sections_.back().position,
           "section \"" + name + "\" is never closed; expected " + Written("/" + name));
    }
    return std::move(open_sections_.back().node);
  }

 private:
  struct Tag {
    // & variable, # section, ^ inverted, / close, ! comment, > partial, = delimiters
    char sigil = '&';
    std::string_view name;           // what stands between sigil and closing delimiter
    std::size_t begin = 0, end = 0;  // half-open, with what a standalone line drops
    bool standalone = false;         // alone on its line
  };
  struct OpenSection {
    MustacheNode node;
    std::size_t position = 0;  // of the opening tag
  };

  [[noreturn]] void Fail(std::size_t offset, const std::string& reason) const {
    throw Error(ErrorCode::InvalidParamValue,
                what_ + " " + DescribePosition(text_, offset) + ": " + reason);
  }

  // A tag as the author would write it here.
  std::string Written(std::string_view content) const {
    return open_ + std::string(content) + close_;
  }

  Tag ReadTag(std::size_t begin) const {
    Tag tag;
    tag.begin = begin;
    std::size_t name_begin = begin + open_.size();
    const char first = name_begin < text_.size() ? text_[name_begin] : '\0';
    std::string close = close_;
    if (first == '{') close.insert(close.begin(), '}');
    if (first == '=') close.insert(close.begin(), '=');
    if (std::string_view("&#^/!>=<${").find(first) != std::string_view::npos &&
        !text_.substr(name_begin).starts_with(close_)) {
      tag.sigil = first == '{' ? '&' : first;
      ++name_begin;
    }
    const std::size_t name_end = text_.find(close, name_begin);
    if (name_end == text_.npos) Fail(begin, "unclosed tag; expected " + close);
    tag.end = name_end + close.size();
    tag.name = TrimWhitespace(text_.substr(name_begin, name_end - name_begin));
    CheckTag(tag);
    return tag;
  }

  void CheckTag(const Tag& tag) const {
    if (tag.sigil == '!' || tag.sigil == '=') return;
    if (tag.sigil == '<' || tag.sigil == '$') {
      Fail(tag.begin, "template inheritance (" + Written("<name") + ", " +
                          Written("$name") + ") is not supported");
    }
    if (tag.name.find(open_) != text_.npos) {
      Fail(tag.begin, "unclosed tag; expected " + close_ + " before the next " + open_);
    }
    if (tag.name.size() > kMaxNameBytes) {
      Fail(tag.begin,
           "a name is longer than " + std::to_string(kMaxNameBytes) + " bytes");
    }
    const std::string name(tag.name);
    if (name.find_first_of(" \t\n\v\f\r{}") != name.npos) {
      Fail(tag.begin, "\"" + name + "\" is not a name; expected one word in a tag");
    }
    if (name.empty()) Fail(tag.begin, "empty tag; expected a name");
    if (tag.sigil == '>') return CheckPartial(tag);
    if (name == ".") return;
    const std::vector<std::string> path = SplitPath(name);
    if (std::ranges::any_of(path, &std::string::empty)) {
      Fail(tag.begin,
           "\"" + name + "\" has an empty part; expected a name on each side of a dot");
    }
  }

  void CheckPartial(const Tag& tag) const {
    if (with_partials_) return;
    Fail(tag.begin, "unknown partial \"" + std::string(tag.name) +
                        "\"; there are no partials for this template");
  }

  // A tag that is alone on its line takes the whole line with it.
  void DropStandaloneLine(Tag& tag) const {
    std::size_t begin = tag.begin;
    while (begin > 0 && kBlanks.find(text_[begin - 1]) != kBlanks.npos) --begin;
    if (!StartsLine(begin)) return;
    std::size_t end = std::min(text_.find_first_not_of(kBlanks, tag.end), text_.size());
    const std::string_view rest = text_.substr(end);
    if (rest.starts_with("\r\n")) {
      end += 2;
    } else if (rest.starts_with('\n')) {
      end += 1;
    } else if (!rest.empty()) {
      return;
    }
    tag.begin = begin;
    tag.end = end;
    tag.standalone = true;
  }

  bool StartsLine(std::size_t offset) const {
    return offset == 0 || text_[offset - 1] == '\n';
  }

  // The text of [begin, end), line by line, so that a partial can be indented.
  void AddText(std::size_t begin, std::size_t end) {
    while (begin < end) {
      AddLineStart(begin);
      const std::string_view rest = text_.substr(begin, end - begin);
      const std::size_t newline = std::min(rest.find('\n'), rest.size() - 1);
      const std::string_view line = rest.substr(0, newline + 1);
      Add({.kind = Kind::Text, .text = std::string(line)});
      begin += line.size();
    }
  }

  void AddLineStart(std::size_t offset) {
    if (StartsLine(offset)) Add({.kind = Kind::LineStart});
  }

  void Add(MustacheNode node) {
    open_sections_.back().node.children.push_back(std::move(node));
  }

  void Apply(const Tag& tag, std::size_t position) {
    switch (tag.sigil) {
      case '!':
        return;
      case '=':
        return SetDelimiters(tag, position);
      case '>':
        return AddPartial(tag, position);
      case '&':
        return Add(MakeNode(Kind::Variable, tag));
      case '/':
        return Close(tag, position);
      default:
        break;
    }
    if (open_sections_.size() > kMaxNesting) {
      Fail(position,
           "sections are nested more than " + std::to_string(kMaxNesting) + " deep");
    }
    open_sections_.push_back(
        {MakeNode(tag.sigil == '#' ? Kind::Section : Kind::Inverted, tag), position});
  }

  static MustacheNode MakeNode(Kind kind, const Tag& tag) {
    return {.kind = kind, .text = std::string(tag.name), .path = SplitPath(tag.name)};
  }

  void AddPartial(const Tag& tag, std::size_t position) {
    MustacheNode node{.kind = Kind::Partial, .text = std::string(tag.name)};
    if (tag.standalone) node.indent = text_.substr(tag.begin, position - tag.begin);
    Add(std::move(node));
  }

  void SetDelimiters(const Tag& tag, std::size_t position) {
    const std::size_t gap =
        std::min(tag.name.find_first_of(kWhitespace), tag.name.size());
    const std::string_view open = tag.name.substr(0, gap);
    const std::string_view close = TrimWhitespace(tag.name.substr(gap));
    if (open.empty() || close.empty() || tag.name.find('=') != std::string_view::npos ||
        close.find_first_of(kWhitespace) != close.npos) {
      Fail(position, std::string(1, '"').append(tag.name) +
                         "\" does not set delimiters; expected two words without =, "
                         "as in " +
                         Written("=<% %>="));
    }
    open_ = open;
    close_ = close;
  }

  void Close(const Tag& tag, std::size_t position) {
    const std::string& expected = open_sections_.back().node.text;
    const std::string written = Written(std::string("/").append(tag.name));
    if (open_sections_.size() == 1) Fail(position, written + " closes no open section");
    if (tag.name != expected) {
      Fail(position, written + " does not match the section opened at " +
                         DescribePosition(text_, open_sections_.back().position) +
                         "; expected " + Written("/" + expected));
    }
    MustacheNode node = std::move(open_sections_.back().node);
    open_sections_.pop_back();
    Add(std::move(node));
  }

  const std::string_view text_;
  const std::string& what_;
  const bool with_partials_;
  std::string open_ = "{{", close_ = "}}";  // the delimiters, as last set
  std::vector<OpenSection> open_sections_;  // the root, then those not yet closed
};

}  // namespace

MustacheNode ParseMustache(std::string_view text, const std::string& what,
                           bool with_partials) {
  return Parser(text, what, with_partials).Parse();
}

}  // namespace talefold
