// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests in a process of their own: of faults, which end it, and of what is read from the
// environment when first asked for.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <doctest/doctest.h>
#include <new>
#include <string>
#include <sys/mman.h>
#include <sys/wait.h>
#include <type_traits>
#include <unistd.h>
#include <utility>
#include <vector>

namespace weft::emu::test {

/// What became of a child: its exit status, -1 if a signal ended it, and what it said.
struct Ending {
  int status = -1;
  std::string error;
  bool says(const std::string &text) const {
    if (error.find(text) != std::string::npos)
      return true;
    MESSAGE("not said: ", text, "\n", error);
    return false;
  }
};

template <typename Body> Ending inChild(Body body) {
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  std::fflush(nullptr);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    body();
    std::fflush(nullptr);
    std::_Exit(0);
  }
  close(ends[1]);
  Ending ending;
  char buffer[4096];
  for (ssize_t got; (got = read(ends[0], buffer, sizeof buffer)) > 0;)
    ending.error.append(buffer, static_cast<std::size_t>(got));
  close(ends[0]);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  if (WIFEXITED(status))
    ending.status = WEXITSTATUS(status);
  return ending;
}

/// Runs test cases of this program in a new process with these variables in its environment.
inline Ending anew(const std::string &cases,
                   const std::vector<std::pair<std::string, std::string>> &variables) {
  return inChild([&] {
    for (const auto &[name, value] : variables)
      setenv(name.c_str(), value.c_str(), 1);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    const std::string words = "--test-case=" + cases;
    execl("/proc/self/exe", "emulator_tests", words.c_str(), static_cast<char *>(nullptr));
    std::_Exit(127);
  });
}

/// A value that parent and child have in common.
template <typename T> class Shared {
  static_assert(std::is_trivially_destructible_v<T>);

public:
  Shared() {
    void *place =
        mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    REQUIRE(place != MAP_FAILED);
    value_ = new (place) T{};
  }
  ~Shared() { munmap(value_, sizeof(T)); }
  Shared(const Shared &) = delete;
  Shared &operator=(const Shared &) = delete;
  T &operator*() const { return *value_; }
  T *operator->() const { return value_; }

private:
  T *value_;
};

} // namespace weft::emu::test
