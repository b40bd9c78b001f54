// Static entries: what happened before the scene, written by an author.
#pragma once

#include <string>

#include "scene/scene_memory.h"
#include "scene/timeline.h"

namespace talefold {

// Adds an entry for what happened `ago` before the scene's clock, and returns its id.
// When that is before time zero, the whole story moves so that it happened there.
// Throws InvalidArgument when it is not older than the first summary; nothing has
// changed then.
EntryId AddBackstory(Timeline& timeline, SceneMemory& memory, std::string text,
                     StoryTime ago);

// Removes the static entry; the story moves so that the oldest of what is left begins
// at time zero. Throws InvalidArgument for an entry that is not static.
void RemoveBackstory(Timeline& timeline, SceneMemory& memory, EntryPlace place);

// Everything happens `by` later, or earlier when that is negative.
void ShiftStory(Timeline& timeline, SceneMemory& memory, StoryTime by);

}  // namespace talefold
