// What becomes of engines that are still there when the process ends.
#pragma once

namespace talefold::capi {

// Has the engines there are then stop, and waits for their threads, before what they
// use is taken down: whatever static object of this library or of llama.cpp is made
// later, so call it again after such work.
void StopEnginesAtExit();

}  // namespace talefold::capi
