// The messages of a scene in story order, with the clock that its time passages move.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "scene/message.h"

namespace talefold {

// A value. Messages are never changed in place: who holds one keeps what it read. Not
// thread-safe; the scene guards its own.
class Timeline {
 public:
  std::size_t size() const { return messages_.size(); }
  bool empty() const { return messages_.empty(); }
  const Message& at(std::size_t index) const { return *messages_.at(index); }
  std::shared_ptr<const Message> share(std::size_t index) const {
    return messages_.at(index);
  }
  std::optional<std::size_t> IndexOf(MessageId id) const;
  // Throws InteractionNotFound, naming the id.
  std::size_t Find(MessageId id) const;

  // Grows with every change of anything.
  std::uint64_t version() const { return version_; }
  // The id that the next message gets.
  MessageId next_id() const { return next_id_; }

  // Where the clock stands before the first message: 0, or after what happened before.
  StoryTime start() const { return start_; }
  void SetStart(StoryTime start);
  StoryTime clock() const { return ClockBefore(size()); }
  // With the time passages below `index`.
  StoryTime ClockBefore(std::size_t index) const;

  // Both give the message its id and return it. Throw InvalidArgument when the clock
  // would run out of its range; nothing has changed then.
  MessageId Append(Message message) { return Insert(size(), std::move(message)); }
  // Before the message at `index`.
  MessageId Insert(std::size_t index, Message message);
  // A snapshot's message, with the id it had; ids above it are free from now on. The id
  // must not be in use.
  void Restore(Message message);

  void EditText(std::size_t index, std::string text);
  void SetDuration(std::size_t index, StoryTime duration);  // as Append
  void SetHidden(std::size_t index, bool hidden);
  // The text becomes the newest version; the one before stays among the versions.
  void AddVersion(std::size_t index, std::string text);
  // Shows version number `version` in place of the shown one, which takes its place.
  void ShowVersion(std::size_t index, std::size_t version);
  void Erase(std::size_t index);

  void SetNextId(MessageId next_id) { next_id_ = next_id; }

 private:
  template <typename Change>
  void Alter(std::size_t index, const Change& change);
  void CheckClock(StoryTime added) const;
  void Reindex(std::size_t from);

  std::vector<std::shared_ptr<const Message>> messages_;
  std::unordered_map<MessageId, std::size_t> index_;  // of every message
  MessageId next_id_ = 1;
  std::uint64_t version_ = 0;
  StoryTime start_;
  StoryTime passed_;  // the sum of all time passages
};

}  // namespace talefold
