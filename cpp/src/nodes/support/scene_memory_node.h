// The nodes of a scene's memory graph, and what they see of the scene.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nodes/node.h"
#include "nodes/support/model_runner.h"
#include "scene/scene_state.h"

namespace talefold {

// The scene as its memory nodes see it. Both take the scene's lock for as long as the
// function runs, which must not ask a model.
class MemoryHost {
 public:
  virtual ~MemoryHost() = default;
  virtual void Read(const std::function<void(const SceneState&)>& read) = 0;
  virtual void Write(const std::function<void(SceneState&)>& write) = 0;
  // Any time; told in order.
  virtual void Tell(NodeEvent event) = 0;
};

// One run of the memory graph, or one tool at work. Lives on a worker's stack.
struct MemoryWork {
  MemoryHost& scene;
  Logger& logger;
  const CancelToken& cancel;
  // As in GenerationRequest.
  const std::atomic<bool>* in_background = nullptr;
  bool use_layers = false;           // a LayeredHistory node of the graph is enabled
  std::size_t expected_entries = 0;  // of the base, when all is done; 0 = unknown
  bool stopped = false;              // a node stopped early because of `cancel`
  bool failed = false;               // a node could not do what was due
  std::int64_t committed = 0;        // entries
  std::int64_t tokens = 0;           // generated
  std::string error = {};            // of the newest failure
};

// Why no text came of a request.
enum class WriteFailure { Cancelled, EmptyOutput, ModelError };

std::string_view WriteFailureName(WriteFailure failure);

// A text for an entry, or why there is none.
struct Written {
  std::string text = {};
  bool verbatim = false;  // the text, or a part of it, is that of the sources
  std::optional<WriteFailure> failure = {};
  std::string error = {};  // the model's message
};

class SceneMemoryNode : public Node {
 public:
  // Does what is due, entry by entry, and commits each under the scene's lock. Archive
  // stops after one entry. Failures are told and logged, never thrown.
  virtual void Update(MemoryWork& work) = 0;
  // Writes an entry of its list again, from the sources it has; commits nothing. Throws
  // InvalidArgument when it has none, SummaryNotFound when it is gone.
  virtual Written Rewrite(MemoryWork& work, EntryId id) = 0;

  // A turn never comes here: such nodes are refused in other graphs.
  std::string_view Execute(TurnContext& turn) final;

  const ModelRunner& runner() const { return runner_; }

 protected:
  template <typename Params>
  SceneMemoryNode(std::string name, const Params& params,
                  const NodeEnvironment& environment)
      : Node(std::move(name)),
        runner_(this->name(), params, kDefaultContextSize, environment) {}

  struct Reply {
    std::string text = {};
    StopReason stop_reason = StopReason::EndOfReply;
  };
  // The model's reply to `messages`, going on from `begun`. `attempt` changes the seed,
  // as does the number of requests before. Throws what the model does.
  Reply Ask(MemoryWork& work, const std::vector<ChatMessage>& messages,
            std::int32_t max_tokens, std::uint64_t attempt,
            std::string_view begun = {});

  std::size_t CountTokens(std::string_view text) const {
    return runner_.model().Tokenize(text).size();
  }
  void UseSampling(const SamplingOverrides& sampling) { runner_.SetSampling(sampling); }
  // `most`, or sampling.max_tokens when that is less.
  std::int32_t ReplyTokens(std::int32_t most) const;
  // Whether the prompt of `messages` leaves `reply_tokens` of the context.
  bool Fits(const std::vector<ChatMessage>& messages, std::int32_t reply_tokens) const;

  void TellProgress(MemoryWork& work, std::size_t layer, std::size_t done,
                    std::size_t total);
  void TellFailure(MemoryWork& work, std::size_t layer, const Written& written);

 private:
  static constexpr std::int32_t kDefaultContextSize = 8192;  // tokens

  ModelRunner runner_;
};

NodeEvent EntryEvent(std::string_view node, std::string event_type, std::size_t layer,
                     EntryId id);

// A blank line between any two.
std::string JoinParagraphs(const std::vector<std::string>& texts);

}  // namespace talefold
