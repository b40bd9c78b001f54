// What becomes of engines that are still there when the process ends.
#pragma once

namespace talefold::capi {

// At the exit of the process the engines there are then stop, and their threads are
// waited for, before static objects are destroyed that were made before this call. Call
// it again after work that may have made some, such as loading a model.
void StopEnginesAtExit();

}  // namespace talefold::capi
