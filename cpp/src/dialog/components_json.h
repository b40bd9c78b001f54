// The components of an interaction as members of its JSON object in a snapshot.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

#include "base/snapshot_reader.h"
#include "dialog/interaction.h"

namespace talefold {

// The members that a component may make, which are the names of the component types.
std::span<const std::string_view> ComponentKeys();

// [{id, text, distance}]: also what templates and diagnostics show.
json::array WriteChunks(const std::vector<KnowledgeChunk>& chunks);

// Adds a member for each component there is.
void WriteComponents(const Interaction& interaction, json::object& object);

// Reads the members there are; `index` is that of the interaction. Throws
// MalformedSnapshot.
void ReadComponents(const SnapshotReader& reader, std::size_t index,
                    Interaction& interaction);

}  // namespace talefold
