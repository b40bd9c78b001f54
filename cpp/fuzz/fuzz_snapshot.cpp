// Snapshots of agents.
#include "dialog/snapshot.h"
#include "fuzz.h"

using namespace talefold;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto state = fuzz::Try([&] { return ReadSnapshot(fuzz::AsText(data, size)); });
  if (!state) return 0;
  const std::string written = WriteSnapshot(*state);
  fuzz::Require(WriteSnapshot(ReadSnapshot(written)) == written,
                "a snapshot is read as it was written");
  return 0;
}
