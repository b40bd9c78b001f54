// Bytes that may be held at the same time.
#pragma once

#include <algorithm>
#include <cstddef>

namespace talefold {

// One thread. Bytes are taken before they are allocated.
class ByteBudget {
 public:
  explicit ByteBudget(std::size_t cap) : cap_(cap) {}

  bool Fits(std::size_t bytes) const { return bytes <= cap_ - used_; }
  // False, and nothing is taken, when they do not fit.
  bool Take(std::size_t bytes) {
    if (!Fits(bytes)) return false;
    used_ += bytes;
    peak_ = std::max(peak_, used_);
    return true;
  }
  void Return(std::size_t bytes) { used_ -= bytes; }

  std::size_t cap() const { return cap_; }
  std::size_t used() const { return used_; }
  std::size_t free() const { return cap_ - used_; }
  std::size_t peak() const { return peak_; }

 private:
  const std::size_t cap_;
  std::size_t used_ = 0;
  std::size_t peak_ = 0;
};

}  // namespace talefold
