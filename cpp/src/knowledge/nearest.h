// What a search found, and the few best of many.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <utility>
#include <vector>

namespace talefold {

struct Neighbor {
  float distance = 0;      // 0 = the same
  std::size_t record = 0;  // by position

  // Nearer first; of equal ones, the earlier record.
  auto operator<=>(const Neighbor&) const = default;
};

// Keeps the nearest `capacity` of all that are offered.
class Nearest {
 public:
  explicit Nearest(std::size_t capacity) : capacity_(capacity) {}

  void Offer(Neighbor neighbor) {
    if (heap_.size() == capacity_) {
      if (capacity_ == 0 || !(neighbor < heap_.front())) return;
      std::ranges::pop_heap(heap_);
      heap_.back() = neighbor;
    } else {
      heap_.push_back(neighbor);
    }
    std::ranges::push_heap(heap_);
  }

  // Nearest first.
  std::vector<Neighbor> Take() {
    std::ranges::sort_heap(heap_);
    return std::move(heap_);
  }

 private:
  const std::size_t capacity_;
  std::vector<Neighbor> heap_;  // the farthest on top
};

}  // namespace talefold
