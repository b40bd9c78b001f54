#include "dialog/dialog.h"

#include <algorithm>
#include <array>
#include <utility>

namespace talefold {

namespace {

constexpr std::array<std::pair<InteractionStatus, std::string_view>, 4> kStatusNames = {
    {
        {InteractionStatus::Complete, "complete"},
        {InteractionStatus::Interrupted, "interrupted"},
        {InteractionStatus::Cancelled, "cancelled"},
        {InteractionStatus::Failed, "failed"},
    }};

}  // namespace

std::string_view StatusName(InteractionStatus status) {
  return kStatusNames[static_cast<std::size_t>(status)].second;
}

std::optional<InteractionStatus> ParseStatus(std::string_view name) {
  for (const auto& [status, status_name] : kStatusNames) {
    if (status_name == name) return status;
  }
  return std::nullopt;
}

void Dialog::Append(Interaction interaction) {
  if (interaction.summary) carriers_.push_back(interactions_.size());
  interactions_.push_back(std::make_shared<const Interaction>(std::move(interaction)));
}

Interaction Dialog::PopLast() {
  Interaction last = *interactions_.back();
  interactions_.pop_back();
  if (!carriers_.empty() && carriers_.back() == interactions_.size()) {
    carriers_.pop_back();
  }
  return last;
}

void Dialog::Edit(std::size_t index, std::optional<std::string> user,
                  std::optional<std::string> assistant) {
  Interaction edited = at(index);
  if (user) edited.user = std::move(*user);
  if (assistant) edited.assistant = std::move(*assistant);
  ++edited.revision;
  interactions_[index] = std::make_shared<const Interaction>(std::move(edited));

  for (const std::size_t carrier : carriers_) {
    SummaryComponent summary = *at(carrier).summary;
    if (summary.covered_through < index || summary.stale) continue;
    summary.stale = true;
    SetSummary(carrier, std::move(summary));
  }
}

void Dialog::SetSummary(std::size_t carrier, SummaryComponent summary) {
  const auto place = std::lower_bound(carriers_.begin(), carriers_.end(), carrier);
  if (place == carriers_.end() || *place != carrier) carriers_.insert(place, carrier);
  Interaction changed = at(carrier);
  changed.summary = std::move(summary);
  interactions_[carrier] = std::make_shared<const Interaction>(std::move(changed));
}

void Dialog::SetToolResult(std::size_t index, std::size_t call, std::string result) {
  Interaction changed = at(index);
  changed.tool_calls.at(call).result = std::move(result);
  interactions_[index] = std::make_shared<const Interaction>(std::move(changed));
}

std::optional<std::size_t> Dialog::NewestCarrier(std::size_t end) const {
  const auto above = std::lower_bound(carriers_.begin(), carriers_.end(), end);
  if (above == carriers_.begin()) return std::nullopt;
  return *std::prev(above);
}

}  // namespace talefold
