// What is stored of a model's reply to a request for a summary of a scene.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace talefold {

// What the model is asked to write between its analysis and its summary.
inline constexpr std::string_view kSummaryMarker = "SUMMARY:";

// The text after the marker; nullopt when there is none. The marker is the word in any
// case, with a colon after it or on a line of its own, headings and emphasis aside.
std::optional<std::string_view> AfterSummaryMarker(std::string_view reply);

// Trimmed, up to the first '#', without a sentence that was left unfinished at the end,
// beginning with an upper case letter. Empty = nothing was written.
std::string CleanSummary(std::string_view text);

// A layered request numbers its chunks, and is answered by a line for each.

// The answer without prefixes, quotation marks, analysis (when it was asked for) and
// placeholders: what is left of each line, blank lines included.
std::string CleanChunkLines(std::string_view reply, bool analyzed);

// The cleaned answer to each of `count` chunks, numbered from `first`; empty where the
// model gave none. Lines without a number belong to the chunk before them, or to the
// chunks in order when no line has a number.
std::vector<std::string> ReadChunkAnswers(std::string_view reply, std::size_t first,
                                          std::size_t count, bool analyzed);

}  // namespace talefold
