// How a model sees one message of a scene.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "scene/message.h"

namespace talefold {

// Closes a character's speech in the screenplay.
inline constexpr std::string_view kEndOfSpeech = "END-OF-LINE";

// What closes a character's speech in this format; empty = nothing does.
std::string_view EndOfSpeech(SceneFormat format);

// How a director's message reads: as what the character does next, or as its thought.
enum class DirectorMode { NextAction, InnerMonologue };

std::string_view FormatName(SceneFormat format);  // "ai_aware"
std::optional<SceneFormat> ParseFormat(std::string_view name);

// The text of `message` for a model; empty when there is nothing to show.
std::string FormatMessage(const Message& message, SceneFormat format,
                          DirectorMode mode = DirectorMode::NextAction);

}  // namespace talefold
