// fork() copies a process without its threads.
#pragma once

#include <cstdint>

namespace talefold {

// Calls `function` in the child of every fork from now on. Nothing where there is no
// fork().
void AfterForkInChild(void (*function)());

// How many forks lie between the program that was started and this process.
std::uint32_t ForkCount();

// Belongs to an object that has threads, which are left behind by a fork.
class ForkGuard {
 public:
  // The object is a copy in the child: its threads are not there, and its locks are as
  // they were at the fork. Not even its destructor may run.
  bool crossed() const { return count_ != ForkCount(); }

 private:
  const std::uint32_t count_ = ForkCount();
};

}  // namespace talefold
