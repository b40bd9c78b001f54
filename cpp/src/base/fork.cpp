#include "base/fork.h"

#include <atomic>

#ifndef _WIN32
#include <pthread.h>
#endif

namespace talefold {

namespace {

std::atomic<std::uint32_t> forks = 0;

}  // namespace

void AfterForkInChild([[maybe_unused]] void (*function)()) {
#ifndef _WIN32
  pthread_atfork(nullptr, nullptr, function);
#endif
}

std::uint32_t ForkCount() {
  [[maybe_unused]] static const bool counted = [] {
    AfterForkInChild([] { ++forks; });
    return true;
  }();
  return forks;
}

}  // namespace talefold
