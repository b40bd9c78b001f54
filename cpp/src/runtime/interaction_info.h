// What hosts are told of an interaction.
#pragma once

#include <cstddef>

#include "dialog/interaction.h"
#include "talefold/agent.h"

namespace talefold {

// `index`: its place in the dialog.
InteractionInfo ToInfo(const Interaction& interaction, std::size_t index);

}  // namespace talefold
