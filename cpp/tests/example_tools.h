// Tools of an innkeeper, with every type of parameter.
#pragma once

#include <vector>

#include "talefold/tool.h"

namespace talefold {

inline std::vector<ToolDescription> InnTools() {
  using enum ToolParameterType;
  return {
      {.name = "open_door",
       .description = "Opens one of the inn's doors.",
       .parameters = {{.name = "door",
                       .type = String,
                       .description = "Which one.",
                       .required = true,
                       .enum_values = {"cellar", "front \"gate\""}},
                      {.name = "keep_open", .type = Boolean}}},
      {.name = "pour",
       .parameters = {{.name = "drink", .type = String},
                      {.name = "cups", .type = Integer, .required = true},
                      {.name = "price", .type = Number},
                      {.name = "size", .type = Integer, .enum_values = {"1", "2"}},
                      {.name = "note", .type = String, .required = true},
                      {.name = "strength",
                       .type = Number,
                       .enum_values = {"0.5", "1"}}}},
      {.name = "ring-bell"},
  };
}

}  // namespace talefold
