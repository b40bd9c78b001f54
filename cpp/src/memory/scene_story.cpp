#include "memory/scene_story.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "scene/message_format.h"

namespace talefold {

namespace {

constexpr std::size_t kIntroLevel = 1;  // it is set off as a summary is

// What follows an item of a level where texts are joined.
std::string_view Separator(std::size_t level) { return level == 0 ? "\n" : "\n\n"; }

}  // namespace

bool MayKnow(const std::optional<PresentSet>& present, std::string_view character) {
  return !present || present->empty() ||
         std::ranges::binary_search(*present, character);
}

// --- What a character knows ----------------------------------------------------------

SceneStory::SceneStory(const SceneState& state, std::string_view character,
                       std::vector<std::string> cast, std::size_t end, bool use_layers,
                       std::string_view hint)
    : character_(character),
      cast_(std::move(cast)),
      settings_(state.settings),
      start_(state.timeline.start()),
      now_(state.timeline.clock()) {
  messages_.reserve(end);
  for (std::size_t i = 0; i < end; ++i) messages_.push_back(state.timeline.share(i));
  ReadBase(state);
  if (use_layers) ReadLayers(state.memory);
  ReadDirections(hint);
}

bool SceneStory::IsShown(const Message& message) const {
  if (message.hidden || message.kind == MessageKind::Director) return false;
  if (TrimWhitespace(message.text).empty()) return false;
  const bool is_own =
      message.kind == MessageKind::Character && message.speaker == character_;
  return is_own || MayKnow(message.present, character_);
}

SceneStory::Entry SceneStory::MakeEntry(const MemoryEntry& entry,
                                        IndexRange sources) const {
  return {entry.id, entry.text, entry.ts_start, entry.ts_end, sources};
}

void SceneStory::ReadBase(const SceneState& state) {
  std::vector<Entry> base;
  std::size_t shown = 0;
  for (const MemoryEntry& entry : state.memory.base) {
    IndexRange range = MessageRange(state.timeline, entry);
    range.begin = std::clamp(range.begin, shown, messages_.size());
    range.end = std::clamp(range.end, range.begin, messages_.size());
    if (range.size() == 0) range = {shown, shown};
    Entry made = MakeEntry(entry, range);
    made.ts_start = made.ts_end = entry.ts;
    if (!MayKnow(entry.present, character_)) made.text.clear();
    if (entry.is_static) {
      if (!made.text.empty()) backstory_.push_back(std::move(made));
      continue;
    }
    shown = range.end;
    base.push_back(std::move(made));
  }
  levels_.push_back(std::move(base));
}

// Of an entry that tells more than the character knows, what it knows of the sources.
void SceneStory::ReadLayers(const SceneMemory& memory) {
  const std::size_t statics = StaticCount(memory);
  const std::vector<Entry>& base = levels_[0];
  std::vector<std::vector<Entry>> layers;
  for (std::size_t layer = 1; layer <= memory.layers.size(); ++layer) {
    std::vector<Entry> list;
    for (std::size_t i = 0; i < ListOf(memory, layer).size(); ++i) {
      IndexRange sources = SourceRange(memory, {layer, i});
      const std::size_t skipped = layer == 1 ? statics : 0;
      sources = {sources.begin - std::min(sources.begin, skipped),
                 sources.end - std::min(sources.end, skipped)};
      Entry made = MakeEntry(ListOf(memory, layer)[i], sources);
      const IndexRange in_base = BaseRange(memory, {layer, i});
      std::string known;
      bool knows_all = true;
      for (std::size_t k = in_base.begin; k < in_base.end; ++k) {
        if (k < statics) continue;
        const Entry& source = base[k - statics];
        knows_all = knows_all && (!source.text.empty() || memory.base[k].text.empty());
        if (source.text.empty()) continue;
        if (!known.empty()) known += Separator(layer);
        known += source.text;
      }
      if (!knows_all) made.text = std::move(known);
      list.push_back(std::move(made));
    }
    layers.push_back(std::move(list));
  }
  for (auto& list : layers) levels_.push_back(std::move(list));
}

void SceneStory::ReadDirections(std::string_view hint) {
  for (std::size_t i = messages_.size(); i-- > 0;) {
    const Message& message = *messages_[i];
    if (message.hidden || message.speaker != character_) continue;
    if (message.kind == MessageKind::Character) break;
    if (message.kind == MessageKind::Director) directions_.push_back(message);
  }
  std::ranges::reverse(directions_);
  if (hint.empty()) return;
  Message message;
  message.kind = MessageKind::Director;
  message.speaker = character_;
  message.text = hint;
  directions_.push_back(std::move(message));
}

// --- How it reads --------------------------------------------------------------------

FormattedStory::FormattedStory(const SceneStory& story, const StoryLayout& layout,
                               CountTokens count_tokens)
    : story_(story),
      layout_(layout),
      count_tokens_(std::move(count_tokens)),
      texts_(levels()),
      intro_(Count(kIntroLevel, story.settings().intro)) {}

std::size_t FormattedStory::size(std::size_t level) const {
  return level == 0 ? story_.messages().size() : story_.levels()[level - 1].size();
}

StoryItem FormattedStory::at(std::size_t level, std::size_t index) const {
  if (level == 0) {
    const Message& message = *story_.messages()[index];
    if (!story_.IsShown(message)) return {.id = message.id, .eligible = false};
    const Text& text = Format(0, index);
    const bool speaks = message.kind == MessageKind::Character;
    return {.id = message.id,
            .text = text.text,
            .tokens = text.tokens,
            .speaker = speaks ? std::string_view(message.speaker) : ""};
  }
  const SceneStory::Entry& entry = story_.levels()[level - 1][index];
  if (entry.text.empty()) {
    return {.id = entry.id, .eligible = false, .sources = entry.sources};
  }
  const Text& text = Format(level, index);
  return {.id = entry.id,
          .text = text.text,
          .tokens = text.tokens,
          .sources = entry.sources};
}

StoryItem FormattedStory::intro() const {
  return {.text = intro_.text, .tokens = intro_.tokens};
}

const FormattedStory::Text& FormattedStory::Format(std::size_t level,
                                                   std::size_t index) const {
  const auto found = texts_[level].find(index);
  if (found != texts_[level].end()) return found->second;
  std::string text = level == 0
                         ? FormatMessage(*story_.messages()[index], layout_.format)
                         : EntryText(level, story_.levels()[level - 1][index]);
  return texts_[level].emplace(index, Count(level, std::move(text))).first->second;
}

std::string FormattedStory::EntryText(std::size_t level,
                                      const SceneStory::Entry& entry) const {
  if (!layout_.time_labels) return entry.text;
  const std::string start = RelativeTimeLabel(layout_.labels_at, entry.ts_start);
  if (level == 1) return start + ": " + entry.text;
  const std::string end = RelativeTimeLabel(layout_.labels_at, entry.ts_end);
  if (start == end) return start + " " + entry.text;
  return "Start:" + start + ", End:" + end + " " + entry.text;
}

FormattedStory::Text FormattedStory::Count(std::size_t level, std::string text) const {
  if (text.empty()) return {};
  const std::size_t tokens = count_tokens_(text + std::string(Separator(level)));
  return {std::move(text), tokens};
}

std::string JoinStory(const StoryFit& fit) {
  std::string joined;
  for (const ShownItem& item : fit.items) {
    const bool is_intro = item.level == 0 && item.id == 0;
    joined += item.text;
    joined += Separator(is_intro ? kIntroLevel : item.level);
  }
  return std::string(TrimWhitespace(joined));
}

std::string BackstoryList(const SceneStory& story) {
  std::string list;
  for (const SceneStory::Entry& entry : story.backstory()) {
    if (!list.empty()) list += '\n';
    list += "- " + RelativeTimeLabel(story.start(), entry.ts_start) + ": " + entry.text;
  }
  return list;
}

}  // namespace talefold
