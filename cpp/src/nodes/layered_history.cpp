// LayeredHistory: summarizes the summaries of a scene, layer upon layer.

#include <algorithm>
#include <span>
#include <utility>

#include "base/field_prefix.h"
#include "memory/gradient.h"
#include "memory/layer_plan.h"
#include "memory/summary_reply.h"
#include "nodes/support/scene_memory_node.h"
#include "prompt/default_texts.h"
#include "prompt/fence.h"

namespace talefold {

namespace {

constexpr std::string_view kLogCategory = "scene_memory";
constexpr std::uint64_t kRounds = 2;  // requests for the chunks of one text

// Entries that one entry of a layer is to summarize, copied from the scene: requests
// run without its lock.
struct Group {
  struct Source {
    EntryId id;
    std::string text;
    bool operator==(const Source&) const = default;
  };
  std::size_t layer = 0;  // of the new entry
  std::vector<Source> sources;
  std::vector<std::string> earlier;  // what happened before, oldest first
  std::string writing_style;

  std::vector<std::string> Texts(IndexRange part) const {
    std::vector<std::string> texts;
    for (std::size_t i = part.begin; i < part.end; ++i) {
      texts.push_back(sources[i].text);
    }
    return texts;
  }
  std::string AllText() const { return JoinParagraphs(Texts({0, sources.size()})); }
};

class LayeredHistoryNode final : public SceneMemoryNode {
 public:
  LayeredHistoryNode(std::string name, const LayeredHistoryParams& params,
                     const NodeEnvironment& environment)
      : SceneMemoryNode(std::move(name), params, environment) {
    SetParams(params);
  }

  void SetParams(const AnyNodeParams& params) override {
    params_ = std::get<LayeredHistoryParams>(params);
    UseSampling(params_.sampling);
  }
  void CheckBudget(std::size_t, std::span<const Pin>) const override;
  void Update(MemoryWork& work) override;
  Written Rewrite(MemoryWork& work, EntryId id) override;

 private:
  bool UpdateLayer(MemoryWork& work, std::size_t layer);
  std::optional<Group> NextGroup(MemoryWork& work, std::size_t layer);
  Written Write(MemoryWork& work, const Group& group);
  Written WriteParts(MemoryWork& work, const Group& group, bool shorter);
  Written WritePart(MemoryWork& work, const Group& group,
                    const std::vector<std::string>& earlier, const std::string& text,
                    bool shorter);
  std::size_t FittingChunks(const Group& group, std::span<const std::string> chunks,
                            bool shorter) const;
  bool AskForChunks(MemoryWork& work, const Group& group,
                    const std::vector<std::string>& earlier,
                    std::span<const std::string> chunks, bool shorter,
                    std::uint64_t attempt, std::span<std::string> answers);
  std::vector<ChatMessage> FittingRequest(const Group& group,
                                          std::vector<std::string> earlier,
                                          const std::vector<std::string>& chunks,
                                          bool shorter) const;
  std::vector<ChatMessage> Request(const Group& group,
                                   const std::vector<std::string>& earlier,
                                   const std::vector<std::string>& chunks,
                                   bool shorter) const;
  bool Commit(MemoryWork& work, const Group& group, const Written& written);
  std::int32_t MaxReply() const {
    return std::min(ReplyTokens(params_.max_response_tokens),
                    runner().context_size() / 3);
  }

  LayeredHistoryParams params_;
};

// A chunk of prose and the reply to it have room.
void LayeredHistoryNode::CheckBudget(std::size_t, std::span<const Pin>) const {
  std::string chunk;
  while (chunk.size() < static_cast<std::size_t>(params_.chunk_chars)) {
    chunk += default_texts::kLayerRules;
  }
  chunk.resize(static_cast<std::size_t>(params_.chunk_chars));
  const std::vector<ChatMessage> messages = Request({}, {}, {chunk}, /*shorter=*/true);
  if (Fits(messages, MaxReply())) return;
  const std::size_t prompt = runner().prompts().Build(messages).ids.size();
  const std::size_t reply =
      static_cast<std::size_t>(ReplyTokens(params_.max_response_tokens));
  // The reply has at most a third of the context, see MaxReply.
  const std::size_t needed = std::min(prompt + reply, (prompt - 1) * 3 / 2 + 1);
  throw Error(
      ErrorCode::InvalidParamValue,
      FieldPrefix(name(), "context_size") + std::to_string(runner().context_size()) +
          " tokens have no room for a chunk of " + std::to_string(params_.chunk_chars) +
          " characters and the reply to it; allowed " + std::to_string(needed) +
          " or more",
      "raise context_size, or lower chunk_chars");
}

void LayeredHistoryNode::Update(MemoryWork& work) {
  if (!params_.enabled) return;
  for (std::size_t layer = 1; layer <= static_cast<std::size_t>(params_.max_layers);
       ++layer) {
    if (!UpdateLayer(work, layer)) return;
  }
}

// False when the update ends here: nothing to build on, stopped, or failed. The layers
// that are written stay.
bool LayeredHistoryNode::UpdateLayer(MemoryWork& work, std::size_t layer) {
  bool exists = false;
  work.scene.Read([&](const SceneState& state) {
    exists = state.memory.layers.size() + 1 >= layer;
  });
  if (!exists) return false;
  while (const std::optional<Group> group = NextGroup(work, layer)) {
    const Written written = work.cancel.requested()
                                ? Written{.failure = WriteFailure::Cancelled}
                                : Write(work, *group);
    if (written.failure) {
      work.stopped = work.stopped || work.cancel.requested();
      TellFailure(work, layer, written);
      return false;
    }
    Commit(work, *group, written);  // or an edit came between: the group is read anew
  }
  return true;
}

// The entries of `range` in the list below `layer`, and what the request shows before.
Group MakeGroup(const SceneState& state, std::size_t layer, IndexRange range,
                std::optional<std::size_t> before_base) {
  Group group;
  group.layer = layer;
  const EntryList& sources = ListOf(state.memory, layer - 1);
  for (std::size_t i = range.begin; i < range.end; ++i) {
    group.sources.push_back({sources[i].id, sources[i].text});
  }
  group.earlier =
      TextsOf(state.memory, CompileGradient(state.memory, {layer, before_base}));
  group.writing_style = state.settings.writing_style;
  return group;
}

// Positions of the groups that are due, and how many entries the layer has.
std::optional<Group> LayeredHistoryNode::NextGroup(MemoryWork& work,
                                                   std::size_t layer) {
  std::optional<Group> group;
  std::size_t written = 0;
  std::size_t due = 0;
  work.scene.Read([&](const SceneState& state) {
    const SceneMemory& memory = state.memory;
    written = layer <= memory.layers.size() ? ListOf(memory, layer).size() : 0;
    const std::size_t start = NextSource(memory, layer);
    const EntryList& sources = ListOf(memory, layer - 1);
    std::vector<std::size_t> tokens(sources.size(), 0);
    for (std::size_t i = start; i < sources.size(); ++i) {
      tokens[i] = CountTokens(sources[i].text);
    }
    const std::vector<IndexRange> groups =
        PlanGroups(tokens, start, static_cast<std::size_t>(params_.token_threshold));
    due = groups.size();
    if (due > 0) group = MakeGroup(state, layer, groups.front(), std::nullopt);
  });
  if (group) TellProgress(work, layer, written, written + due);
  return group;
}

std::vector<ChatMessage> LayeredHistoryNode::Request(
    const Group& group, const std::vector<std::string>& earlier,
    const std::vector<std::string>& chunks, bool shorter) const {
  std::vector<std::string> foreign = earlier;
  foreign.insert(foreign.end(), chunks.begin(), chunks.end());
  const std::string fence = FenceFor(foreign);
  std::vector<std::string> sections;
  if (!earlier.empty()) {
    sections.push_back("The story so far:\n" + fence + "\n" + JoinParagraphs(earlier) +
                       "\n" + fence);
  }
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    sections.push_back("CHUNK " + std::to_string(i + 1) + ":\n" + fence + "\n" +
                       chunks[i] + "\n" + fence);
  }
  std::string task(default_texts::kLayerRules);
  if (shorter) task += " " + std::string(default_texts::kLayerShorter);
  const std::string count = std::to_string(chunks.size());
  task += "\n\nWrite one line for each chunk, from 1 to " + count + ".";
  if (params_.analyze) task += " " + std::string(default_texts::kLayerAnalysis);
  task += " " + std::string(default_texts::kLayerSummary);
  sections.push_back(std::move(task));
  if (!group.writing_style.empty()) {
    sections.push_back("Writing style: " + group.writing_style);
  }
  return {{Role::System, std::string(default_texts::kMemorySystemPrompt)},
          {Role::User, JoinParagraphs(sections)}};
}

// What happened longest ago is left out first.
std::vector<ChatMessage> LayeredHistoryNode::FittingRequest(
    const Group& group, std::vector<std::string> earlier,
    const std::vector<std::string>& chunks, bool shorter) const {
  for (;;) {
    std::vector<ChatMessage> messages = Request(group, earlier, chunks, shorter);
    if (earlier.empty() || Fits(messages, MaxReply())) return messages;
    earlier.erase(earlier.begin());
  }
}

// How many of the first chunks one request can hold when nothing stands before them.
std::size_t LayeredHistoryNode::FittingChunks(const Group& group,
                                              std::span<const std::string> chunks,
                                              bool shorter) const {
  std::size_t count = chunks.size();
  const auto fits = [&] {
    return Fits(Request(group, {}, {chunks.begin(), chunks.begin() + count}, shorter),
                MaxReply());
  };
  while (count > 0 && !fits()) count /= 2;
  return count;
}

// As few requests as the context allows. A chunk that fits into none gets no answer,
// nor does one that the model leaves out. False when stopped; throws what the model
// does.
bool LayeredHistoryNode::AskForChunks(MemoryWork& work, const Group& group,
                                      const std::vector<std::string>& earlier,
                                      std::span<const std::string> chunks, bool shorter,
                                      std::uint64_t attempt,
                                      std::span<std::string> answers) {
  std::size_t begin = 0;
  while (begin < chunks.size()) {
    const std::size_t count = FittingChunks(group, chunks.subspan(begin), shorter);
    if (count == 0) {
      ++begin;
      continue;
    }
    const auto batch = chunks.subspan(begin, count);
    const Reply reply =
        Ask(work, FittingRequest(group, earlier, {batch.begin(), batch.end()}, shorter),
            MaxReply(), attempt);
    if (work.stopped) return false;
    std::ranges::move(ReadChunkAnswers(reply.text, 1, count, params_.analyze),
                      answers.subspan(begin).begin());
    begin += count;
  }
  return true;
}

// Chunks without an answer are asked for again, alone, and then stand for themselves.
Written LayeredHistoryNode::WritePart(MemoryWork& work, const Group& group,
                                      const std::vector<std::string>& earlier,
                                      const std::string& text, bool shorter) {
  const std::vector<std::string> chunks =
      SplitChunks(text, static_cast<std::size_t>(params_.chunk_chars));
  std::vector<std::string> answers(chunks.size());
  Written written;
  for (std::uint64_t round = 0; round < kRounds; ++round) {
    std::vector<std::size_t> missing;
    std::vector<std::string> asked;
    for (std::size_t i = 0; i < chunks.size(); ++i) {
      if (!answers[i].empty()) continue;
      missing.push_back(i);
      asked.push_back(chunks[i]);
    }
    if (missing.empty()) break;
    std::vector<std::string> found(asked.size());
    written = {};
    try {
      if (!AskForChunks(work, group, earlier, asked, shorter,
                        round + (shorter ? kRounds : 0), found)) {
        return {.failure = WriteFailure::Cancelled};
      }
    } catch (const Error& error) {
      if (work.cancel.requested()) return {.failure = WriteFailure::Cancelled};
      written = {.failure = WriteFailure::ModelError, .error = error.message()};
    }
    for (std::size_t i = 0; i < found.size(); ++i) {
      answers[missing[i]] = std::move(found[i]);
    }
  }
  if (written.failure) return written;
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const bool missing = answers[i].empty();
    if (!written.text.empty()) written.text += '\n';
    written.text += missing ? chunks[i] : answers[i];
    written.verbatim = written.verbatim || missing;
  }
  return written;
}

Written LayeredHistoryNode::WriteParts(MemoryWork& work, const Group& group,
                                       bool shorter) {
  std::vector<std::size_t> tokens;
  for (const Group::Source& source : group.sources) {
    tokens.push_back(CountTokens(source.text));
  }
  std::vector<std::string> earlier = group.earlier;
  std::vector<std::string> results;
  Written all;
  for (const IndexRange part :
       SplitGroup(tokens, static_cast<std::size_t>(params_.max_process_tokens))) {
    Written written =
        WritePart(work, group, earlier, JoinParagraphs(group.Texts(part)), shorter);
    if (written.failure) return written;
    all.verbatim = all.verbatim || written.verbatim;
    earlier.push_back(written.text);
    results.push_back(std::move(written.text));
  }
  all.text = JoinParagraphs(results);
  return all;
}

Written LayeredHistoryNode::Write(MemoryWork& work, const Group& group) {
  const std::string source = group.AllText();
  const std::size_t source_tokens = CountTokens(source);
  for (const bool shorter : {false, true}) {
    Written written = WriteParts(work, group, shorter);
    if (written.failure || CountTokens(written.text) <= source_tokens) return written;
  }
  work.logger.Log(LogLevel::Warning, kLogCategory,
                  "node '" + name() + "': a summary for layer " +
                      std::to_string(group.layer) +
                      " came out longer than its source twice; the source text stands "
                      "in its place");
  return {.text = source, .verbatim = true};
}

// Whether the sources are as they were read, and still the next ones of their layer.
std::optional<IndexRange> PlaceOfSources(const SceneState& state, const Group& group) {
  const SceneMemory& memory = state.memory;
  if (memory.layers.size() + 1 < group.layer) return std::nullopt;
  const EntryList& entries = ListOf(memory, group.layer - 1);
  const std::size_t start = NextSource(memory, group.layer);
  if (entries.size() - std::min(start, entries.size()) < group.sources.size()) {
    return std::nullopt;
  }
  for (std::size_t i = 0; i < group.sources.size(); ++i) {
    const MemoryEntry& entry = entries[start + i];
    if (Group::Source{entry.id, entry.text} != group.sources[i]) return std::nullopt;
  }
  return IndexRange{start, start + group.sources.size()};
}

bool LayeredHistoryNode::Commit(MemoryWork& work, const Group& group,
                                const Written& written) {
  EntryId id = 0;
  work.scene.Write([&](SceneState& state) {
    const std::optional<IndexRange> range = PlaceOfSources(state, group);
    if (!range) return;
    SceneMemory& memory = state.memory;
    MemoryEntry entry = MakeLayerEntry(memory, group.layer, *range, written.text);
    id = entry.id = memory.next_id++;
    entry.verbatim = written.verbatim;
    memory.layers.resize(std::max(memory.layers.size(), group.layer));
    ListOf(memory, group.layer).push_back(std::move(entry));
  });
  if (id == 0) return false;
  ++work.committed;
  NodeEvent event = EntryEvent(name(), "entry_committed", group.layer, id);
  event.pairs.emplace_back("verbatim", written.verbatim ? "true" : "false");
  work.scene.Tell(std::move(event));
  return true;
}

Written LayeredHistoryNode::Rewrite(MemoryWork& work, EntryId id) {
  Group group;
  work.scene.Read([&](const SceneState& state) {
    const EntryPlace place = FindEntry(state.memory, id);
    group = MakeGroup(state, place.layer, SourceRange(state.memory, place),
                      BaseRange(state.memory, place).begin);
  });
  Written written = Write(work, group);
  // What stands there already says more than the sources once more.
  if (written.verbatim) return {.failure = WriteFailure::EmptyOutput};
  return written;
}

}  // namespace

std::unique_ptr<Node> MakeLayeredHistory(std::string name,
                                         const LayeredHistoryParams& params,
                                         const NodeEnvironment& environment) {
  return std::make_unique<LayeredHistoryNode>(std::move(name), params, environment);
}

void CheckLayeredHistory(const std::string&, const LayeredHistoryParams&,
                         std::vector<GraphProblem>&) {}

}  // namespace talefold
