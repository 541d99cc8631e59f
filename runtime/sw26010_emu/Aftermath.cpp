// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Aftermath.h"

#include "Clock.h"
#include "Trace.h"

#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace weft::emu::aftermath {

namespace {

// Of the host's time: the copy may run into a loop without end.
constexpr unsigned kSeconds = 5;

struct Copy {
  int answer = -1; // where to write
  std::string name;
  const WeftSite *site = nullptr;
  std::uint64_t met = 0;
};
Copy *copy = nullptr;

bool othersRun(int core) {
  const Clock &clock = Clock::get();
  for (int other = 0; other < WEFT_SW_CPES; ++other)
    if (other != core && !clock.idle(other))
      return true;
  return false;
}

[[noreturn]] void lookOn(const Fault &fault, int answer) {
  copy = new Copy{answer, std::string(fault.name), fault.site, 0};
  for (const int number : {SIGALRM, SIGINT, SIGTERM, SIGABRT})
    std::signal(number, SIG_DFL);
  alarm(kSeconds);
  if (const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC); nowhere >= 0) {
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
  }
  trace::detail::on = false;
  Clock &clock = Clock::get();
  clock.cancel(WEFT_SW_MPE);
  for (int core = 0; core < WEFT_SW_CPES; ++core) {
    clock.core(core).step = 0;
    clock.core(core).limit = 0; // each looks up at its next back-edge
  }
  clock.at(weft_sw_current->now + kCycles, [] { conclude(); });
  stopHere(fault);
}

} // namespace

bool runs() { return copy != nullptr; }

void stopHere(const Fault &fault) {
  if (fault.name == copy->name && fault.site == copy->site)
    copy->met |= std::uint64_t{1} << fault.core;
  Clock::get().block({"nothing: it has met a fault", fault.site});
  conclude();
}

void conclude() {
  // Nobody listens if this fails.
  [[maybe_unused]] const auto written = write(copy->answer, &copy->met, sizeof copy->met);
  _exit(0);
}

std::uint64_t sameElsewhere(const Fault &fault) {
  if (fault.core == WEFT_SW_MPE || !fault.site || Clock::get().functional() ||
      Clock::get().running() != fault.core || !othersRun(fault.core))
    return 0;
  int answer[2];
  if (pipe2(answer, O_CLOEXEC) != 0)
    return 0;
  const pid_t child = fork();
  if (child == 0)
    lookOn(fault, answer[1]);
  close(answer[1]);
  std::uint64_t met = 0;
  if (child > 0) {
    if (read(answer[0], &met, sizeof met) != sizeof met)
      met = 0;
    waitpid(child, nullptr, 0);
  }
  close(answer[0]);
  return met & ~(std::uint64_t{1} << fault.core);
}

} // namespace weft::emu::aftermath
