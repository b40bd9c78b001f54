#include "capi/process_end.h"

#include <cstdlib>

#include "base/catch_error.h"
#include "capi/border.h"
#include "capi/objects.h"
#include "talefold/graph.h"

namespace talefold::capi {

namespace {

// Without `release` of speech backends: what that refers to may be gone.
[[maybe_unused]] void StopEngines() {
  if (CallbackScope::running()) return;  // it would wait for its own end
  for (const auto& object : Engines().All()) {
    CatchError([&] {
      object->loads.Stop();
      object->engine.Close();
    });
  }
}

}  // namespace

void StopEnginesAtExit() {
  DescriptorsJson();  // makes the static objects that turns read
#ifndef _WIN32  // which ends the threads before it calls exit handlers of libraries
  std::atexit(StopEngines);
#endif
}

}  // namespace talefold::capi
