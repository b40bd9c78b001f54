// A scene's messages and entries as the public values.
#pragma once

#include "scene/scene_state.h"
#include "talefold/scene_info.h"

namespace talefold {

SceneMessage ToInfo(const Message& message);
SceneEntry ToInfo(const SceneMemory& memory, EntryPlace place);

}  // namespace talefold
