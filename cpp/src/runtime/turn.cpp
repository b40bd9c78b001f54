#include "talefold/turn.h"

#include <algorithm>
#include <utility>

#include "base/bounded_wait.h"
#include "graph/descriptor.h"
#include "runtime/turn_impl.h"
#include "runtime/worker_pool.h"

namespace talefold {

bool Turn::Impl::done() const {
  std::lock_guard lock(mutex_);
  return done_;
}

std::optional<Event> Turn::Impl::TakeNext() {
  if (next_event_ == events_.size()) return std::nullopt;
  return events_[next_event_++];
}

std::optional<Event> Turn::Impl::Poll() {
  std::lock_guard lock(mutex_);
  return TakeNext();
}

std::optional<Event> Turn::Impl::WaitEvent(std::chrono::milliseconds timeout) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, BoundedWait(timeout),
                    [this] { return done_ || next_event_ < events_.size(); });
  return TakeNext();
}

bool Turn::Impl::Wait(std::chrono::milliseconds timeout) const {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, BoundedWait(timeout), [this] { return done_; });
}

TurnResult Turn::Impl::Result() const {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return done_; });
  const TurnComplete& complete = std::get<TurnComplete>(events_.back().body);
  return {text_,          complete.status,     complete.tokens_generated,
          complete.error, complete.debug_info, events_};
}

void Turn::Impl::Resolve(const std::string& option) {
  std::lock_guard lock(mutex_);
  if (options_.empty() || resolved_) {
    throw Error(ErrorCode::NoDecisionPending,
                "turn " + std::to_string(id_) + " does not wait for a decision");
  }
  if (std::find(options_.begin(), options_.end(), option) == options_.end()) {
    throw Error(ErrorCode::InvalidArgument,
                "'" + option + "' is not an option of this decision; offered: " +
                    ListNames({options_.begin(), options_.end()}));
  }
  resolved_ = option;
  changed_.notify_all();
}

void Turn::Impl::SetListener(std::function<void()> listener) {
  bool call_now = false;
  std::lock_guard listener_lock(listener_mutex_);
  {
    std::lock_guard lock(mutex_);
    call_now = listener && next_event_ < events_.size();
  }
  const std::function<void()> before = std::exchange(listener_, std::move(listener));
  if (call_now) Notify();
}

void Turn::Impl::Stop(StopCause cause) {
  if (!cancel_.Request(cause)) return;
  {
    std::lock_guard lock(mutex_);
    changed_.notify_all();
  }
  RunIfWaiting(pool_, this);
}

void Turn::Impl::Push(Event event) {
  {
    std::lock_guard lock(mutex_);
    event.turn_id = id_;
    events_.push_back(std::move(event));
    changed_.notify_all();
  }
  Notify();
}

// What a listener throws is the host's affair; the turn goes on.
void Turn::Impl::Notify() {
  std::lock_guard lock(listener_mutex_);
  if (!listener_) return;
  try {
    listener_();
  } catch (...) {
  }
}

std::string Turn::Impl::AwaitDecision(DecisionRequired decision) {
  {
    std::lock_guard lock(mutex_);
    options_ = decision.options;
    resolved_.reset();
  }
  Push({0, std::move(decision)});
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return resolved_ || cancel_.requested(); });
  options_.clear();
  return resolved_.value_or("");
}

void Turn::Impl::Finish(std::string text, TurnComplete complete) {
  {
    std::lock_guard lock(mutex_);
    text_ = std::move(text);
    events_.push_back({id_, std::move(complete)});
    done_ = true;
    changed_.notify_all();
  }
  Notify();
  SetListener(nullptr);  // it may own what owns this turn
}

Turn::Turn(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}
std::uint64_t Turn::id() const { return impl_->id(); }
bool Turn::done() const { return impl_->done(); }
std::optional<Event> Turn::Poll() { return impl_->Poll(); }
std::optional<Event> Turn::WaitEvent(std::chrono::milliseconds timeout) {
  return impl_->WaitEvent(timeout);
}
bool Turn::Wait(std::chrono::milliseconds timeout) const {
  return impl_->Wait(timeout);
}
TurnResult Turn::Result() const { return impl_->Result(); }
void Turn::Cancel() { impl_->Stop(StopCause::Cancelled); }
void Turn::Resolve(const std::string& option) { impl_->Resolve(option); }
void Turn::SetListener(std::function<void()> listener) {
  impl_->SetListener(std::move(listener));
}

}  // namespace talefold
