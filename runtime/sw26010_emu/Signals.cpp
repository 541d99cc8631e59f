// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Signals.h"

#include "Aftermath.h"
#include "Callers.h"
#include "Clock.h"
#include "Fault.h"
#include "Memory.h"
#include "Mpe.h"
#include "Program.h"

#include <csignal>
#include <dlfcn.h>
#include <filesystem>
#include <string>
#include <sys/time.h>
#include <sys/ucontext.h>
#include <unistd.h>
#include <utility>

namespace weft::emu {

namespace {

// Telling a fault takes at most so long, whatever state the process is in.
constexpr unsigned kSecondsToTell = 30;
// What shells make of the end by a signal, and reports too.
constexpr int kStatusOfSignal = 128;

std::uintptr_t programCounter(const void *context) {
  const auto *state = static_cast<const ucontext_t *>(context);
#if defined(__x86_64__)
  return static_cast<std::uintptr_t>(state->uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return state->uc_mcontext.pc;
#else
#error "which register is the program counter?"
#endif
}

bool isStore(const void *context) {
#if defined(__x86_64__)
  constexpr greg_t kWrite = 2; // of the page fault's error code
  return (static_cast<const ucontext_t *>(context)->uc_mcontext.gregs[REG_ERR] & kWrite) != 0;
#else
  return false;
#endif
}

/// What is known of a place that is none of the program's.
std::string foreignPlace(std::uintptr_t counter) {
  Dl_info object{};
  Dl_info own{};
  const bool known = dladdr(reinterpret_cast<const void *>(counter), &object) && object.dli_fname;
  if (known && dladdr(reinterpret_cast<const void *>(&catchSignals), &own) &&
      object.dli_fbase == own.dli_fbase)
    return "in the emulator's own code";
  if (known && object.dli_sname)
    return "in the library function " + std::string(object.dli_sname);
  return known ? "in " + std::filesystem::path(object.dli_fname).filename().string() : "";
}

/// Guard pages below a fiber's stack.
bool isStackOverflow(int core, std::uintptr_t address) {
  const auto low = reinterpret_cast<std::uintptr_t>(Clock::get().stackOf(core).low);
  constexpr std::uintptr_t kReach = 0x100000; // a large frame may step over the guard page
  return address < low && low - address <= kReach;
}

void describeAccess(Fault &fault, std::uintptr_t address, bool store) {
  const int core = fault.core;
  if (isStackOverflow(core, address)) {
    fault.name = "stack-overflow";
    fault.what = core == WEFT_SW_MPE ? "the MPE's stack is full" : "the CPE's calls nest too deep";
    const auto stack = Clock::get().stackOf(core);
    fault.expected = "calls that take " + std::to_string(stack.high - stack.low) + " bytes at most";
    std::erase_if(fault.others, [](const auto &party) { return !party.site; });
    fault.help = core == WEFT_SW_MPE
                     ? "recurse less deep, or ask for a larger stack (weft emu run -host_stack MB)"
                     : "recurse less deep";
    return;
  }
  Memory::get().explain(fault, address, 0, store ? WEFT_SW_STORE : WEFT_SW_LOAD,
                        store ? "a store" : "a load");
  if (core == WEFT_SW_MPE && fault.name == "memory-is-ldm")
    fault.name = "other-ldm";
}

/// From now on the process ends in a while, whatever comes of telling why: also in the handler of
/// SIGALRM, which has it blocked.
void limitTelling() {
  alarm(0);
  std::signal(SIGALRM, SIG_IGN); // one that has come is forgotten
  std::signal(SIGALRM, SIG_DFL);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, SIGALRM);
  pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
  alarm(kSecondsToTell);
}

/// What the running core was doing when a signal came: its place is that of the machine code.
Fault faultAt(const void *context) {
  limitTelling();
  if (Clock::get().running() == WEFT_SW_MPE)
    Mpe::get().settle();
  const WeftCore &core = *weft_sw_current;
  Fault fault;
  fault.core = static_cast<int>(core.index);
  fault.cycle = core.now;
  const std::uintptr_t counter = programCounter(context);
  // What was called at the last known place, unless the machine code says better.
  fault.site = core.site;
  const auto trail = callers::here();
  if (const auto places = callers::placesOf(trail, callers::placesOf(trail)); !places.empty())
    fault.site = places.front();
  if (!callers::isProgram(counter))
    if (const std::string place = foreignPlace(counter); !place.empty())
      fault.others.push_back({"it is " + place});
  return fault;
}

void onFault(int number, siginfo_t *information, void *context) {
  // A second one while the first is told ends the process at once.
  std::signal(number, SIG_DFL);
  if (aftermath::runs())
    aftermath::conclude();
  Fault fault = faultAt(context);
  if (number == SIGSEGV || number == SIGBUS) {
    describeAccess(fault, reinterpret_cast<std::uintptr_t>(information->si_addr), isStore(context));
  } else if (number == SIGFPE) {
    fault.name = "division-by-zero";
    fault.what = "an integer division by zero, or of the least number by -1";
  } else {
    fault.name = "illegal-instruction";
    fault.what = "the program reached code that cannot run";
    fault.help =
        "a function without return statement, or undefined behaviour that the compiler saw";
  }
  raise(fault);
}

/// Ends the process as the signal would have without us: whoever waits for it sees why.
[[noreturn]] void endBy(int number) {
  std::signal(number, SIG_DFL);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, number);
  sigprocmask(SIG_UNBLOCK, &only, nullptr);
  std::raise(number);
  _exit(kStatusOfSignal + number);
}

/// The host calls abort, or one of its assertions fails.
void onAbort(int number, siginfo_t *, void *context) {
  std::signal(number, SIG_DFL);
  Fault fault = faultAt(context);
  fault.name = "abort";
  fault.what = "the program calls abort";
  fault.others.clear(); // that it is in the C library is clear
  tell(withWay(fault), kStatusOfSignal + number);
  endBy(number);
}

// Who asks to end the run, and how often the moment was not right to answer.
volatile std::sig_atomic_t asked = 0, turns = 0;

[[noreturn]] void answer(Fault fault) {
  fault.name = "interrupted";
  fault.what =
      asked == SIGINT ? "the run was interrupted (SIGINT)" : "the run was asked to end (SIGTERM)";
  fault.others.clear();
  const auto trail = callers::here();
  for (auto &party : Clock::get().standing(&trail))
    fault.others.push_back(std::move(party));
  tell(fault, kStatusOfSignal + asked);
  endBy(asked);
}

/// In a system call nothing of the C library or of ours is half done. x86-64's is two bytes.
bool isInSystemCall([[maybe_unused]] std::uintptr_t counter) {
#if defined(__x86_64__)
  const auto *behind = reinterpret_cast<const unsigned char *>(counter);
  return behind[-2] == 0x0f && behind[-1] == 0x05;
#else
  return true;
#endif
}

/// An interrupt is answered while the program's own code runs: the emulator and the C library are
/// then in no work that the answer needs done, such as an allocation. A CPE that is with them most
/// of the time answers itself at its next back-edge (`answerInterrupt`), and the MPE where it waits
/// for the system. Who does neither within a second is answered as it is. A second interrupt ends
/// the process at once.
void onInterrupt(int number, siginfo_t *, void *context) {
  constexpr int kSystemTurns = 50, kMostTurns = 100;
  constexpr suseconds_t kTurn = 10000; // microseconds
  if (number != SIGALRM) {
    if (asked)
      endBy(number);
    asked = number;
  }
  const std::uintptr_t counter = programCounter(context);
  // In the linker's stubs nobody can tell how they were reached.
  bool ready = callers::isProgram(counter) &&
               !program::functionAt(reinterpret_cast<const void *>(counter)).empty();
  if (!ready)
    turns = turns + 1;
  if (turns > kSystemTurns)
    ready = ready || turns > kMostTurns || isInSystemCall(counter);
  if (ready)
    answer(faultAt(context));
  if (weft_sw_current->index != WEFT_SW_MPE)
    weft_sw_current->limit = 0;
  struct sigaction again{};
  again.sa_sigaction = onInterrupt;
  again.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  sigaction(SIGALRM, &again, nullptr);
  const itimerval once{.it_interval = {0, 0}, .it_value = {0, kTurn}};
  setitimer(ITIMER_REAL, &once, nullptr);
}

} // namespace

void answerInterrupt(const WeftSite *site) {
  if (!asked || aftermath::runs())
    return;
  limitTelling();
  if (weft_sw_current->index == WEFT_SW_MPE)
    Mpe::get().settle();
  Fault fault;
  fault.core = static_cast<int>(weft_sw_current->index);
  fault.cycle = weft_sw_current->now;
  fault.site = site;
  answer(std::move(fault));
}

void useSignalStack(char *stack) {
  stack_t alternative{};
  alternative.ss_sp = stack;
  alternative.ss_size = kSignalStack;
  alternative.ss_flags = stack ? 0 : SS_DISABLE;
  sigaltstack(&alternative, nullptr);
}

void catchSignals() {
  static char stack[kSignalStack];
  useSignalStack(stack);
  (void)callers::isProgram(0); // allocates when it is first asked, which a handler must not
  struct sigaction action{};
  action.sa_sigaction = onFault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP})
    sigaction(number, &action, nullptr);
  struct sigaction abortion{};
  abortion.sa_sigaction = onAbort;
  abortion.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigaction(SIGABRT, &abortion, nullptr);
  struct sigaction interrupt{};
  interrupt.sa_sigaction = onInterrupt;
  interrupt.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  for (const int number : {SIGINT, SIGTERM}) {
    struct sigaction before{};
    sigaction(number, nullptr, &before);
    if (before.sa_handler != SIG_IGN) // as it is for a job in the background
      sigaction(number, &interrupt, nullptr);
  }
}

} // namespace weft::emu
