#include "capi/process_end.h"

#include <cstdlib>

#include "base/catch_error.h"
#include "capi/border.h"
#include "capi/objects.h"
#include "graph/descriptor.h"

namespace talefold::capi {

namespace {

// That turns read, if they are not there yet.
void MakeStaticObjects() {
  NodeDescriptors();
  NestedStructDescriptors();
  CommonDiagnostics();
}

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
  MakeStaticObjects();
#ifndef _WIN32  // which ends the threads before it calls exit handlers of libraries
  std::atexit(StopEngines);
#endif
}

}  // namespace talefold::capi
