// Archive: summarizes the older messages of a scene, entry after entry.

#include <algorithm>
#include <map>
#include <utility>

#include "base/field_prefix.h"
#include "base/text.h"
#include "memory/archive_plan.h"
#include "memory/fold_plan.h"
#include "memory/memory_inspection.h"
#include "memory/summary_reply.h"
#include "memory/summary_text.h"
#include "nodes/support/scene_memory_node.h"
#include "prompt/default_texts.h"
#include "prompt/fence.h"
#include "scene/message_format.h"

namespace talefold {

namespace {

constexpr std::string_view kLogCategory = "scene_memory";
constexpr std::int32_t kReplyTokens = 1024;
constexpr std::int32_t kNaturalEndingTokens = 256;
constexpr std::size_t kTinyTokens = 64;  // less is not worth a request
constexpr std::uint64_t kAttempts = 5;

// What an entry is to tell of, copied from the scene: requests run without its lock.
struct Chapter {
  struct Source {
    MessageId id;
    std::uint32_t revision;
    bool operator==(const Source&) const = default;
  };
  std::vector<Source> sources;     // every message of the range
  std::vector<std::size_t> lines;  // those that tell the story: positions in `sources`
  std::vector<std::string> shown;  // of the lines, as the model sees them
  std::vector<std::string> plain;  // of the lines, as they are stored when it must be
  std::size_t tokens = 0;
  CloseReason reason = CloseReason::Nothing;
  std::vector<std::string> earlier;  // chapters, oldest first
  std::string intro;                 // empty = not shown
  std::string intention;
  std::string writing_style;

  // The first `count` lines alone.
  void Keep(std::size_t count) {
    lines.resize(count);
    shown.resize(count);
    plain.resize(count);
    sources.resize(lines.back() + 1);
  }
};

std::string JoinLines(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) {
    if (!text.empty()) text += '\n';
    text += TrimWhitespace(line);
  }
  return text;
}

class ArchiveNode final : public SceneMemoryNode {
 public:
  ArchiveNode(std::string name, const ArchiveParams& params,
              const NodeEnvironment& environment)
      : SceneMemoryNode(std::move(name), params, environment) {
    SetParams(params);
  }

  void SetParams(const AnyNodeParams& params) override {
    params_ = std::get<ArchiveParams>(params);
    UseSampling(params_.sampling);
  }
  void CheckBudget(std::size_t, std::span<const Pin>) const override;
  void Update(MemoryWork& work) override;
  Written Rewrite(MemoryWork& work, EntryId id) override;

 private:
  std::size_t TokensOf(const Message& message, SceneFormat format);
  MessageTokens Counter(const SceneState& state);
  std::optional<Chapter> NextChapter(MemoryWork& work);
  Chapter MakeChapter(const SceneState& state, const ArchivePlan& plan,
                      std::size_t base_index, bool use_layers);
  void EndNaturally(MemoryWork& work, Chapter& chapter);
  Written Write(MemoryWork& work, const Chapter& chapter);
  Written TakeVerbatim(MemoryWork& work, const Chapter& chapter, const Written& failed);
  std::string TryWrite(MemoryWork& work, const std::vector<ChatMessage>& messages,
                       std::uint64_t attempt);
  std::vector<ChatMessage> FittingRequest(const Chapter& chapter) const;
  std::vector<ChatMessage> Request(const Chapter& chapter, std::size_t first_earlier,
                                   const std::string& text) const;
  std::string Task(const Chapter& chapter, std::size_t number) const;
  bool Commit(MemoryWork& work, const Chapter& chapter, const Written& written);
  std::size_t Threshold() const {
    return static_cast<std::size_t>(params_.token_threshold);
  }
  // A longer reply would leave no room for what it is about.
  std::int32_t MaxReply() const {
    return std::min(ReplyTokens(kReplyTokens), runner().context_size() / 3);
  }

  ArchiveParams params_;
  struct Cost {
    std::uint32_t revision;
    std::size_t tokens;
  };
  std::map<MessageId, Cost> costs_;  // of messages no entry covers
  SceneFormat costs_format_ = SceneFormat::Screenplay;
};

void ArchiveNode::CheckBudget(std::size_t, std::span<const Pin>) const {
  if (params_.token_threshold < runner().context_size()) return;
  throw Error(
      ErrorCode::InvalidParamValue,
      FieldPrefix(name(), "token_threshold") + std::to_string(params_.token_threshold) +
          " does not fit into the node's " + std::to_string(runner().context_size()) +
          " context tokens; allowed 1 to " +
          std::to_string(runner().context_size() - 1),
      "lower token_threshold, or raise context_size");
}

void ArchiveNode::Update(MemoryWork& work) {
  if (!params_.enabled) return;
  // Goes round again only when a source was edited while the model was asked.
  while (!work.stopped) {
    std::optional<Chapter> chapter = NextChapter(work);
    if (!chapter) return;
    if (chapter->reason == CloseReason::Threshold) EndNaturally(work, *chapter);
    Written written = work.stopped ? Written{.failure = WriteFailure::Cancelled}
                                   : Write(work, *chapter);
    if (written.failure && (work.stopped || chapter->tokens > Threshold())) {
      TellFailure(work, 0, written);
      return;
    }
    if (written.failure) written = TakeVerbatim(work, *chapter, written);
    if (Commit(work, *chapter, written)) return;
  }
}

// Tokens of the message as a request shows it. Called with the scene's lock held.
std::size_t ArchiveNode::TokensOf(const Message& message, SceneFormat format) {
  if (format != costs_format_) costs_.clear();
  costs_format_ = format;
  const auto found = costs_.find(message.id);
  if (found != costs_.end() && found->second.revision == message.revision) {
    return found->second.tokens;
  }
  const std::size_t tokens = CountTokens(FormatMessage(message, format));
  costs_[message.id] = {message.revision, tokens};
  return tokens;
}

MessageTokens ArchiveNode::Counter(const SceneState& state) {
  return [this, &state](std::size_t index) {
    return TokensOf(state.timeline.at(index), state.settings.format);
  };
}

Chapter ArchiveNode::MakeChapter(const SceneState& state, const ArchivePlan& plan,
                                 std::size_t base_index, bool use_layers) {
  Chapter chapter;
  for (std::size_t i = plan.messages.begin; i < plan.messages.end; ++i) {
    chapter.sources.push_back({state.timeline.at(i).id, state.timeline.at(i).revision});
  }
  for (const std::size_t line : plan.lines) {
    const Message& message = state.timeline.at(line);
    chapter.lines.push_back(line - plan.messages.begin);
    chapter.shown.push_back(FormatMessage(message, state.settings.format));
    chapter.plain.push_back(FormatMessage(message, SceneFormat::Chat));
  }
  chapter.tokens = plan.tokens;
  chapter.reason = plan.reason;
  chapter.earlier = PrecedingChapters(
      state.memory, static_cast<std::size_t>(params_.preceding_summaries), use_layers,
      base_index);
  if (NeedsIntroduction(state.memory, base_index, chapter.earlier)) {
    chapter.intro = state.settings.intro;
  }
  chapter.intention = state.settings.intention;
  chapter.writing_style = state.settings.writing_style;
  return chapter;
}

std::optional<Chapter> ArchiveNode::NextChapter(MemoryWork& work) {
  std::optional<Chapter> chapter;
  std::size_t written = 0;
  work.scene.Read([&](const SceneState& state) {
    const std::size_t start = FirstUncovered(state.timeline, state.memory);
    const ArchivePlan plan =
        PlanArchive(state.timeline, start, Threshold(), Counter(state));
    if (plan.reason == CloseReason::Nothing) return;
    written = state.memory.base.size() - StaticCount(state.memory);
    chapter = MakeChapter(state, plan, state.memory.base.size(), work.use_layers);
  });
  if (chapter) {
    TellProgress(work, 0, written, std::max(written + 1, work.expected_entries));
  }
  return chapter;
}

// A failure of any kind leaves the chapter as the threshold closed it.
void ArchiveNode::EndNaturally(MemoryWork& work, Chapter& chapter) {
  const std::string fence = FenceFor(chapter.shown);
  const std::vector<ChatMessage> messages = {
      {Role::System, std::string(default_texts::kMemorySystemPrompt)},
      {Role::User, fence + "\n" + JoinLines(chapter.shown) + "\n" + fence + "\n\n" +
                       std::string(default_texts::kNaturalEndingTask)}};
  const std::int32_t reply_tokens = ReplyTokens(kNaturalEndingTokens);
  if (!Fits(messages, reply_tokens)) return;
  try {
    const Reply reply = Ask(work, messages, reply_tokens, 0);
    const auto kept = NaturalEnding(chapter.shown, reply.text);
    if (!kept || work.stopped) return;
    chapter.Keep(*kept);
    chapter.tokens = 0;
    for (const std::string& line : chapter.shown) chapter.tokens += CountTokens(line);
  } catch (const Error& error) {
    work.logger.Log(
        LogLevel::Warning, kLogCategory,
        "node '" + name() + "': no natural ending was looked for: " + error.message());
  }
}

std::string ArchiveNode::Task(const Chapter& chapter, std::size_t number) const {
  std::string task =
      "Summarize chapter " + std::to_string(number) + " " +
      std::string(
          default_texts::kArchiveShapes[static_cast<std::size_t>(params_.method)]) +
      ". " + std::string(default_texts::kArchiveRules);
  if (params_.method != SummaryMethod::Facts) {
    task += " " + std::string(default_texts::kArchiveTone);
  }
  if (!params_.custom_instructions.empty()) task += "\n" + params_.custom_instructions;
  task += "\n\n" + std::string(default_texts::kArchiveAnalysis);
  if (!chapter.writing_style.empty()) {
    task += "\n" + std::string(default_texts::kArchiveStyle);
  }
  return task + "\n" + std::string(default_texts::kArchiveSummary);
}

// With the chapters before it from `first_earlier` on, and `text` as what it tells.
std::vector<ChatMessage> ArchiveNode::Request(const Chapter& chapter,
                                              std::size_t first_earlier,
                                              const std::string& text) const {
  std::vector<std::string> foreign = chapter.earlier;
  foreign.push_back(text);
  foreign.push_back(chapter.intro);
  const std::string fence = FenceFor(foreign);
  std::vector<std::string> sections;
  if (!chapter.intention.empty()) {
    sections.push_back("What the story is meant to do: " + chapter.intention);
  }
  std::size_t number = 1;
  for (std::size_t i = first_earlier; i < chapter.earlier.size(); ++i, ++number) {
    sections.push_back("Chapter " + std::to_string(number) + ":\n" + fence + "\n" +
                       chapter.earlier[i] + "\n" + fence);
  }
  const std::string intro = chapter.intro.empty() ? "" : chapter.intro + "\n";
  sections.push_back("Chapter " + std::to_string(number) + ", to be summarized:\n" +
                     fence + "\n" + intro + text + "\n" + fence);
  if (!chapter.writing_style.empty()) {
    sections.push_back("Writing style: " + chapter.writing_style);
  }
  sections.push_back(Task(chapter, number));
  return {{Role::System, std::string(default_texts::kMemorySystemPrompt)},
          {Role::User, JoinParagraphs(sections)}};
}

// Oldest chapters go first; a text that does not fit without them is cut to its head
// and tail.
std::vector<ChatMessage> ArchiveNode::FittingRequest(const Chapter& chapter) const {
  const std::string text = JoinLines(chapter.shown);
  const std::int32_t reply = MaxReply();
  for (std::size_t first = 0; first <= chapter.earlier.size(); ++first) {
    std::vector<ChatMessage> messages = Request(chapter, first, text);
    if (Fits(messages, reply)) return messages;
  }
  const auto abridged = [&](std::size_t kept) {
    return Request(chapter, chapter.earlier.size(), HeadAndTail(text, kept));
  };
  const std::size_t chars = CountCodePoints(text);
  return abridged(LargestFittingCount(
      chars, chars / 2, [&](std::size_t kept) { return Fits(abridged(kept), reply); }));
}

// One attempt; empty when the model wrote nothing. What it wrote without the marker
// counts as its analysis: the marker is then written for it, and it goes on.
std::string ArchiveNode::TryWrite(MemoryWork& work,
                                  const std::vector<ChatMessage>& messages,
                                  std::uint64_t attempt) {
  const std::int32_t analysis_tokens = std::max(MaxReply() / 2, 1);
  Reply reply = Ask(work, messages, analysis_tokens, attempt);
  if (work.stopped || TrimWhitespace(reply.text).empty()) return "";
  const bool forced = !AfterSummaryMarker(reply.text);
  if (!forced && reply.stop_reason == StopReason::EndOfReply) {
    return CleanSummary(*AfterSummaryMarker(reply.text));
  }
  std::string begun = std::move(reply.text);
  if (forced) begun += "\n\n" + std::string(kSummaryMarker);
  const std::string rest =
      Ask(work, messages, std::max(MaxReply() - analysis_tokens, 1), attempt, begun)
          .text;
  if (work.stopped) return "";
  if (!forced) return CleanSummary(*AfterSummaryMarker(begun + rest));
  return CleanSummary(AfterSummaryMarker(rest).value_or(rest));
}

Written ArchiveNode::Write(MemoryWork& work, const Chapter& chapter) {
  if (chapter.tokens <= kTinyTokens) {
    return {.text = JoinLines(chapter.plain), .verbatim = true};
  }
  const std::vector<ChatMessage> messages = FittingRequest(chapter);
  Written written{.failure = WriteFailure::EmptyOutput};
  for (std::uint64_t attempt = 0; attempt < kAttempts; ++attempt) {
    try {
      std::string text = TryWrite(work, messages, attempt);
      if (!text.empty() && !work.stopped) return {.text = std::move(text)};
      written.failure = WriteFailure::EmptyOutput;
    } catch (const Error& error) {
      written = {.failure = WriteFailure::ModelError, .error = error.message()};
      work.stopped = work.stopped || work.cancel.requested();
    }
    if (work.stopped) return {.failure = WriteFailure::Cancelled};
  }
  return written;
}

// A chapter this short may stand as it is: nothing waits for a model that fails.
Written ArchiveNode::TakeVerbatim(MemoryWork& work, const Chapter& chapter,
                                  const Written& failed) {
  work.logger.Log(LogLevel::Warning, kLogCategory,
                  "node '" + name() + "': no summary came of " +
                      std::to_string(kAttempts) + " attempts (" +
                      std::string(WriteFailureName(*failed.failure)) +
                      "); the messages themselves are the entry");
  return {.text = JoinLines(chapter.plain), .verbatim = true};
}

// Whether the sources are as they were read, and still the next ones to summarize.
bool StillApplies(const SceneState& state, const Chapter& chapter) {
  const Timeline& timeline = state.timeline;
  const auto begin = timeline.IndexOf(chapter.sources.front().id);
  if (!begin || timeline.size() - *begin < chapter.sources.size()) return false;
  for (std::size_t i = 0; i < chapter.sources.size(); ++i) {
    const Message& message = timeline.at(*begin + i);
    if (Chapter::Source{message.id, message.revision} != chapter.sources[i]) {
      return false;
    }
  }
  const std::size_t uncovered = FirstUncovered(timeline, state.memory);
  if (uncovered > *begin) return false;
  for (std::size_t i = uncovered; i < *begin; ++i) {
    const MessageKind kind = timeline.at(i).kind;
    if (TellsStory(kind) && kind != MessageKind::Time) return false;
  }
  return true;
}

bool ArchiveNode::Commit(MemoryWork& work, const Chapter& chapter,
                         const Written& written) {
  EntryId id = 0;
  work.scene.Write([&](SceneState& state) {
    if (!StillApplies(state, chapter)) return;
    const std::size_t begin = state.timeline.Find(chapter.sources.front().id);
    MemoryEntry entry;
    id = entry.id = state.memory.next_id++;
    entry.text = written.text;
    entry.first = chapter.sources.front().id;
    entry.last = chapter.sources.back().id;
    entry.ts = entry.ts_start = entry.ts_end =
        state.timeline.ClockBefore(begin + chapter.sources.size() - 1);
    entry.present = state.timeline.at(begin + chapter.lines.front()).present;
    entry.verbatim = written.verbatim;
    state.memory.base.push_back(std::move(entry));
    costs_.erase(costs_.begin(), costs_.upper_bound(chapter.sources.back().id));
  });
  if (id == 0) return false;
  ++work.committed;
  NodeEvent event = EntryEvent(name(), "entry_committed", 0, id);
  event.pairs.emplace_back("reason", CloseReasonName(chapter.reason));
  event.pairs.emplace_back("verbatim", written.verbatim ? "true" : "false");
  work.scene.Tell(std::move(event));
  return true;
}

Written ArchiveNode::Rewrite(MemoryWork& work, EntryId id) {
  Chapter chapter;
  work.scene.Read([&](const SceneState& state) {
    const EntryPlace place = FindEntry(state.memory, id);
    const MemoryEntry& entry = EntryAt(state.memory, place);
    ArchivePlan plan;
    plan.messages = MessageRange(state.timeline, entry);
    plan.lines = SourceMessages(state.timeline, entry);
    if (plan.lines.empty()) {
      throw Error(ErrorCode::InvalidArgument,
                  "entry " + std::to_string(entry.id) +
                      " cannot be regenerated: it has no messages to be made from",
                  "edit its text instead");
    }
    for (const std::size_t line : plan.lines) {
      plan.tokens += TokensOf(state.timeline.at(line), state.settings.format);
    }
    chapter = MakeChapter(state, plan, place.index, work.use_layers);
  });
  return Write(work, chapter);
}

}  // namespace

std::unique_ptr<Node> MakeArchive(std::string name, const ArchiveParams& params,
                                  const NodeEnvironment& environment) {
  return std::make_unique<ArchiveNode>(std::move(name), params, environment);
}

void CheckArchive(const std::string&, const ArchiveParams&,
                  std::vector<GraphProblem>&) {}

}  // namespace talefold
