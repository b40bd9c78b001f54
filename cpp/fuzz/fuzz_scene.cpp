// Snapshots of scenes, and transcripts.
#include "fuzz.h"
#include "scene/scene_snapshot.h"
#include "scene/transcript.h"

using namespace talefold;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = fuzz::AsText(data, size);
  fuzz::Try([&] { return ReadTranscript(text, 65536); });
  const auto state = fuzz::Try([&] { return ReadSceneSnapshot(text); });
  if (!state) return 0;
  const std::string written = WriteSceneSnapshot(*state);
  fuzz::Require(WriteSceneSnapshot(ReadSceneSnapshot(written)) == written,
                "a snapshot is read as it was written");
  return 0;
}
