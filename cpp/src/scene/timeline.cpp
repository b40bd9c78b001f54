#include "scene/timeline.h"

#include <algorithm>
#include <utility>

#include "talefold/error.h"

namespace talefold {

std::optional<std::size_t> Timeline::IndexOf(MessageId id) const {
  const auto found = index_.find(id);
  if (found == index_.end()) return std::nullopt;
  return found->second;
}

std::size_t Timeline::Find(MessageId id) const {
  if (const auto index = IndexOf(id)) return *index;
  throw Error(ErrorCode::InteractionNotFound,
              "the scene has no message " + std::to_string(id) + "; it has " +
                  std::to_string(size()) + " messages",
              "take the id from the scene's messages: they keep it until erased");
}

void Timeline::SetStart(StoryTime start) {
  start_ = start;
  ++version_;
}

StoryTime Timeline::ClockBefore(std::size_t index) const {
  if (index == size()) return start_ + passed_;
  StoryTime clock = start_;
  for (std::size_t i = 0; i < index; ++i) clock = clock + at(i).duration;
  return clock;
}

void Timeline::CheckClock(StoryTime added) const {
  if (added.seconds <= (kMaxStoryTime - start_ - passed_).seconds) return;
  throw Error(ErrorCode::InvalidArgument,
              "the time passage of " + FormatStoryTime(added) +
                  " would bring the scene's clock beyond 100000 years");
}

MessageId Timeline::Insert(std::size_t index, Message message) {
  CheckClock(message.duration);
  const MessageId id = message.id = next_id_++;
  passed_ = passed_ + message.duration;
  messages_.insert(messages_.begin() + static_cast<std::ptrdiff_t>(index),
                   std::make_shared<const Message>(std::move(message)));
  Reindex(index);
  ++version_;
  return id;
}

void Timeline::Restore(Message message) {
  CheckClock(message.duration);
  passed_ = passed_ + message.duration;
  next_id_ = std::max(next_id_, message.id + 1);
  messages_.push_back(std::make_shared<const Message>(std::move(message)));
  Reindex(size() - 1);
  ++version_;
}

template <typename Change>
void Timeline::Alter(std::size_t index, const Change& change) {
  Message changed = at(index);
  change(changed);
  messages_[index] = std::make_shared<const Message>(std::move(changed));
  ++version_;
}

void Timeline::EditText(std::size_t index, std::string text) {
  Alter(index, [&](Message& message) {
    message.text = std::move(text);
    ++message.revision;
  });
}

void Timeline::SetDuration(std::size_t index, StoryTime duration) {
  const StoryTime before = at(index).duration;
  CheckClock(duration - before);
  passed_ = passed_ - before + duration;
  Alter(index, [&](Message& message) { message.duration = duration; });
}

void Timeline::SetHidden(std::size_t index, bool hidden) {
  Alter(index, [&](Message& message) { message.hidden = hidden; });
}

void Timeline::AddVersion(std::size_t index, std::string text) {
  Alter(index, [&](Message& message) {
    message.versions.push_back(std::exchange(message.text, std::move(text)));
    ++message.revision;
  });
}

void Timeline::ShowVersion(std::size_t index, std::size_t version) {
  Alter(index, [&](Message& message) {
    std::swap(message.text, message.versions.at(version));
    ++message.revision;
  });
}

void Timeline::Erase(std::size_t index) {
  passed_ = passed_ - at(index).duration;
  index_.erase(at(index).id);
  messages_.erase(messages_.begin() + static_cast<std::ptrdiff_t>(index));
  Reindex(index);
  ++version_;
}

void Timeline::Reindex(std::size_t from) {
  for (std::size_t i = from; i < size(); ++i) index_[at(i).id] = i;
}

}  // namespace talefold
