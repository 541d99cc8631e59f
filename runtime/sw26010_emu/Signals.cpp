// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Signals.h"

#include "AddressMap.h"
#include "Clock.h"
#include "Fault.h"
#include "Memory.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <sys/ucontext.h>
#include <unistd.h>

namespace weft::emu {

namespace {

// What telling a fault may take of the handler's own stack, a subprocess for the line included.
constexpr std::size_t kHandlerStack = std::size_t{256} * 1024;
// Telling a fault takes at most so long, whatever state the process is in.
constexpr unsigned kSecondsToTell = 30;

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

std::string placeOf(std::uintptr_t counter) {
  Dl_info object{};
  const auto *address = reinterpret_cast<const void *>(counter);
  Dl_info own{};
  const bool known = dladdr(address, &object) != 0 && object.dli_fname;
  if (known && dladdr(reinterpret_cast<const void *>(&catchSignals), &own) &&
      object.dli_fbase == own.dli_fbase)
    return "in the emulator's own code";
  std::string place = Memory::describeCode(reinterpret_cast<const void *>(counter + 1));
  if (place == "in a library" && known && object.dli_sname)
    return "in the library function " + std::string(object.dli_sname);
  return place;
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
    fault.expected = std::to_string(stack.high - stack.low) + " bytes at most";
    fault.help = core == WEFT_SW_MPE
                     ? "recurse less deep, or ask for a larger stack (weft emu run -host_stack MB)"
                     : "recurse less deep";
    return;
  }
  Memory::get().explain(fault, address, 1, store ? WEFT_SW_STORE : WEFT_SW_LOAD,
                        store ? "a store" : "a load");
  if (core == WEFT_SW_MPE && fault.name == "memory-is-ldm")
    fault.name = "other-ldm";
}

[[noreturn]] void tell(int number, const siginfo_t *information, const void *context) {
  std::signal(SIGALRM, SIG_DFL);
  alarm(kSecondsToTell);
  const WeftCore &core = *weft_sw_current;
  Fault fault;
  fault.core = static_cast<int>(core.index);
  fault.cycle = core.now;
  fault.site = core.site;
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
  fault.others.push_back({"the machine code is " + placeOf(programCounter(context))});
  raise(fault);
}

void onFault(int number, siginfo_t *information, void *context) {
  // A second one while the first is told ends the process at once.
  std::signal(number, SIG_DFL);
  tell(number, information, context);
}

/// Only what is safe in the midst of anything.
void onInterrupt(int number) {
  const WeftCore &core = *weft_sw_current;
  char text[512];
  int length = std::snprintf(text, sizeof text, "\nweft emu: interrupted at cycle %llu of %s %d",
                             static_cast<unsigned long long>(core.now),
                             core.index == WEFT_SW_MPE ? "the MPE, core" : "CPE",
                             static_cast<int>(core.index));
  if (core.site && length > 0 && static_cast<std::size_t>(length) < sizeof text)
    length += std::snprintf(text + length, sizeof text - static_cast<std::size_t>(length),
                            ", after %s:%u, in %s", core.site->file, core.site->line,
                            core.site->function);
  if (length > 0) {
    const auto bytes = std::min(static_cast<std::size_t>(length), sizeof text - 1);
    text[bytes] = '\n';
    if (write(STDERR_FILENO, text, bytes + 1) < 0) {
      // Nobody listens: the process ends all the same.
    }
  }
  std::signal(number, SIG_DFL);
  std::raise(number);
}

} // namespace

void catchSignals() {
  static char stack[kHandlerStack];
  stack_t alternative{};
  alternative.ss_sp = stack;
  alternative.ss_size = sizeof stack;
  sigaltstack(&alternative, nullptr);
  struct sigaction action{};
  action.sa_sigaction = onFault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP})
    sigaction(number, &action, nullptr);
  struct sigaction before{};
  sigaction(SIGINT, nullptr, &before);
  if (before.sa_handler == SIG_IGN)
    return; // a job in the background
  struct sigaction interrupt{};
  interrupt.sa_handler = onInterrupt;
  interrupt.sa_flags = SA_ONSTACK | SA_RESTART;
  sigaction(SIGINT, &interrupt, nullptr);
}

} // namespace weft::emu
