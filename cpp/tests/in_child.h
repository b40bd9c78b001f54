// Work in a child of fork(), for tests.
#pragma once

// ThreadSanitizer does not let a child of a process with threads start its own.
#if !defined(_WIN32) && !defined(__SANITIZE_THREAD__)
#define TALEFOLD_TESTS_FORK

#include <sys/wait.h>
#include <unistd.h>

#include <boost/test/unit_test.hpp>

namespace talefold {

// What `work` returned in a child that forked here; the child does nothing else, and
// ends after a minute whatever it does.
template <typename Work>
int ResultInChild(const Work& work) {
  const pid_t child = fork();
  BOOST_REQUIRE(child >= 0);
  if (child == 0) {
    alarm(60);
    _exit(work());
  }
  int status = 0;
  BOOST_REQUIRE(waitpid(child, &status, 0) == child);
  BOOST_REQUIRE_MESSAGE(WIFEXITED(status), "signal " << WTERMSIG(status));
  return WEXITSTATUS(status);
}

}  // namespace talefold
#endif
