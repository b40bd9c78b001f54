// What the templates of Generate-class nodes can show: tags and their values.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "base/json.h"
#include "dialog/interaction.h"
#include "prompt/mustache.h"

namespace talefold {

// Texts that nodes of one turn left for later ones, by slot name.
using Slots = std::map<std::string, std::string, std::less<>>;

// The parts of a context that may be left out when a prompt does not fit.
struct TemplateParts {
  bool knowledge = true;
  bool instructions = true;

  bool operator==(const TemplateParts&) const = default;
};

// user_message; instructions [{name, text}] and instruction_<name>; knowledge [{name,
// has_chunks, chunks [{id, text, distance}]}] and knowledge_<source>; slot_<name>.
json::object TemplateContext(const Interaction& current, const Slots& slots,
                             const TemplateParts& parts = {});

// `frame` rendered in that context; empty when it shows nothing but white space, or
// there is none.
std::string RenderFrame(const MustacheTemplate* frame, const Interaction& current,
                        const Slots& slots, const TemplateParts& parts = {});

// Every tag of such a context; one that ends in '_' stands for all that begin so.
std::span<const std::string_view> TemplateTags();

}  // namespace talefold
