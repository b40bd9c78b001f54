#include "runtime/scene_info.h"

namespace talefold {

SceneMessage ToInfo(const Message& message) {
  SceneMessage info;
  info.id = message.id;
  info.kind = message.kind;
  info.text = message.text;
  info.speaker = message.speaker;
  info.source = message.source;
  info.meta = message.meta;
  info.hidden = message.hidden;
  info.present = message.present;
  if (message.kind == MessageKind::Time) {
    info.duration = FormatStoryTime(message.duration);
  }
  info.versions = message.versions;
  info.based_on = message.based_on;
  return info;
}

SceneEntry ToInfo(const SceneMemory& memory, EntryPlace place) {
  const MemoryEntry& entry = EntryAt(memory, place);
  SceneEntry info;
  info.id = entry.id;
  info.layer = static_cast<std::int64_t>(place.layer);
  info.text = entry.text;
  info.first = entry.first;
  info.last = entry.last;
  info.ts = FormatStoryTime(entry.ts);
  info.ts_start = FormatStoryTime(entry.ts_start);
  info.ts_end = FormatStoryTime(entry.ts_end);
  info.present = entry.present;
  info.is_static = entry.is_static;
  info.verbatim = entry.verbatim;
  info.out_of_sync = entry.out_of_sync;
  info.edited = entry.edited;
  return info;
}

}  // namespace talefold
