#include "memory/scene_projection.h"

#include <utility>

#include "prompt/default_texts.h"
#include "prompt/fence.h"
#include "scene/message_format.h"

namespace talefold {

namespace {

void AppendParagraph(std::string_view text, ChatMessage& message) {
  if (text.empty()) return;
  if (!message.text.empty()) message.text += "\n\n";
  message.text += text;
}

void AppendPersona(const Preamble& persona, ChatMessage& message) {
  AppendParagraph(persona.system_prompt, message);
  if (persona.tools.empty()) return;
  if (!message.text.empty()) message.text += "\n\n";
  AppendParts(persona.tools, message);
}

// What everybody in the scene may know of it.
void AppendScene(const SceneStory& story, ChatMessage& message) {
  std::string cast(default_texts::kSceneSystemPrompt);
  for (const std::string& name : story.cast()) {
    cast += &name == &story.cast().front() ? " " : ", ";
    cast += name;
  }
  AppendParagraph(cast + ".", message);
  const std::string& style = story.settings().writing_style;
  if (!style.empty()) {
    AppendParagraph(std::string(default_texts::kSceneStyle) + ' ' + style, message);
  }
  const std::string backstory = BackstoryList(story);
  if (!backstory.empty()) {
    AppendParagraph(std::string(default_texts::kSceneBackstory) + '\n' + backstory,
                    message);
  }
}

void AppendStory(const std::string& text, ChatMessage& message) {
  if (text.empty()) return;
  const std::string fence = FenceFor(std::span(&text, 1));
  AppendParagraph(fence + '\n' + text + '\n' + fence, message);
}

std::string Task(const SceneStory& story, SceneFormat format) {
  std::string task(format == SceneFormat::AiAware ? default_texts::kSceneTaskAiAware
                                                  : default_texts::kSceneTask);
  const std::string& name = story.character();
  for (std::size_t at = task.find("{}"); at != task.npos;
       at = task.find("{}", at + name.size())) {
    task.replace(at, 2, name);
  }
  const std::string_view mark = EndOfSpeech(format);
  if (mark.empty()) return task;
  return task + ' ' + std::string(default_texts::kSceneEndMark) + ' ' +
         std::string(mark) + '.';
}

void AppendTask(const SceneStory& story, SceneFormat format, ChatMessage& message) {
  for (const Message& direction : story.directions()) {
    AppendParagraph(FormatMessage(direction, format), message);
  }
  AppendParagraph(Task(story, format), message);
}

bool StandsBefore(Placement placement) {
  return placement == Placement::BeforeUserAsUser ||
         placement == Placement::BeforeUserAsSystem;
}

}  // namespace

std::vector<ChatMessage> ProjectScene(const SceneStory& story,
                                      const ScenePromptParts& parts) {
  const std::string notes = parts.notes.empty() ? "" : PinList(parts.notes);
  const std::string text(parts.story);
  ChatMessage system{Role::System, ""};
  ChatMessage user{Role::User, ""};
  if (parts.story_first) {
    AppendScene(story, system);
    AppendStory(text, user);
    AppendPersona(parts.persona, user);
    AppendParagraph(notes, user);
    AppendParagraph(parts.frame, user);
  } else {
    const bool is_before = StandsBefore(parts.placement);
    AppendPersona(parts.persona, system);
    AppendScene(story, system);
    AppendParagraph(notes, system);
    if (is_before) AppendParagraph(parts.frame, system);
    AppendStory(text, user);
    if (!is_before) AppendParagraph(parts.frame, user);
  }
  AppendTask(story, parts.format, user);
  std::vector<ChatMessage> messages = {std::move(system), std::move(user)};
  if (!parts.said.empty()) {
    messages.push_back({Role::Assistant, std::string(parts.said)});
  }
  return messages;
}

}  // namespace talefold
