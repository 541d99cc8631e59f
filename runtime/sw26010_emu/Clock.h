// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Deterministic virtual time. Each core runs on a fiber of its own and ahead of the others until it
// meets the rest of the machine; there it waits until no other core and no event is earlier.
//
// The order of all that happens is (cycle, core number); nothing of the host enters it.
#pragma once

#include "Abi.h"
#include "Callers.h"
#include "Fault.h"

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace weft::emu {

/// Why a core does not run; told when nobody can go on.
struct Wait {
  std::string_view reason; // "a message in its row", "DMA reply", ...
  const WeftSite *site = nullptr;
  int other = -1; // the core that is waited for, if one
};

class Clock {
public:
  static Clock &get();

  /// Runs `body` as the MPE, on its own stack, from the MPE's present time. Returns when it ends.
  void runHost(std::function<void()> body);
  /// Makes `core` ready at `cycle` to run `body` on a fresh fiber.
  void start(int core, std::uint64_t cycle, std::function<void()> body);
  /// The running core's body has ended; does not return.
  [[noreturn]] void finish();
  /// Takes a core other than the running one off the machine, wherever it is.
  void cancel(int core);

  /// Returns once no other core and no event is earlier than the running core, or earlier by more
  /// than `slack` cycles: call it before anything that others can see. A slack is right where
  /// nothing that others do in that time can reach this core, such as within the latency of a
  /// message.
  void arrive(std::uint64_t slack = 0) {
    const std::uint64_t now = weft_sw_current->now;
    if (now > quiet_ + slack)
      arriveSlowly(slack);
  }
  /// A core that meets nobody goes ahead of the others by so much at most: one in a loop without
  /// end does not keep them from running.
  static constexpr std::uint64_t kHorizon = 1000000;
  /// Suspends the running core until `wake`.
  void block(const Wait &wait);
  /// Makes a blocked core ready, not before `cycle` (its own time if later).
  void wake(int core, std::uint64_t cycle);
  bool blocked(int core) const;
  bool idle(int core) const; // runs no body
  const Wait &waitOf(int core) const;
  /// `tell` adds what it knows of a core that waits to the report of a deadlock.
  using Tell = void (*)(int core, std::vector<Fault::Party> &parties);
  void inDeadlock(Tell tell) { tellers_.push_back(tell); }
  /// Where the cores stand that run a function, those at one place together, each with the calls
  /// that led there. `running` is where the running core stands, if not in this call.
  std::vector<Fault::Party> standing(const callers::Trail *running = nullptr);
  /// From where a core came to where it stands; of another than the running one for messages of a
  /// run's end alone.
  callers::Trail callersOf(int core);

  /// The running core turns in a loop that only reads. If its LDM alone decides, it sleeps until
  /// that changes; if it read main memory (`polls`), it goes on turning while anybody can change
  /// it.
  void spin(const WeftSite *site, std::uint64_t turn);
  /// The running core lets all that is earlier go on; without timing, every other core once.
  void giveWay();
  /// The MPE has let others go on, in a loop at `site` that does more than wait. Raises "deadlock"
  /// once it has turned long enough while the CPEs wait for one another alone; `canSpawn` says that
  /// there are CPEs that it could have do something.
  void hostTurns(const WeftSite *site, bool canSpawn);
  /// The running core read main memory: what a spin waits for may be there.
  void polls() { polling_[running_] = true; }
  /// A core's LDM was changed from outside (a transfer, a reply) at `cycle`.
  void touched(int core, std::uint64_t cycle);
  /// Main memory was changed: whoever waits for it may hope.
  void changed() { ++progress_; }

  /// Calls `action` when all cores have reached `cycle`; equal cycles in order of the calls, and
  /// before cores of that cycle. An action does not block.
  void at(std::uint64_t cycle, std::function<void()> action);

  int running() const { return running_; }
  WeftCore &core(int index);
  std::uint64_t now() const { return weft_sw_current->now; } // of the running core
  /// No timing: cores run until they must wait.
  bool functional() const { return functional_; }

  /// The native stack of a core's fiber: [low, high), below it a guard page.
  struct Stack {
    char *low, *high;
  };
  Stack stackOf(int core) const;
  /// The MPE runs on another stack from now on.
  void setHostStack(Stack stack);

private:
  Clock();
  struct Impl;
  Impl *impl_;
  int running_ = WEFT_SW_MPE;
  bool functional_ = false;
  std::uint64_t quiet_ = 0; // until this cycle the running core is the earliest of all
  std::uint64_t progress_ = 0;
  bool polling_[WEFT_SW_CORES] = {};
  std::vector<Tell> tellers_;
  std::uint64_t hostTurns_ = 0, hostTurnsSince_ = 0; // without hope for the CPEs
  int asks_ = -1; // the core that asks another where it stands, and the answer
  callers::Trail asked_;

  void arriveSlowly(std::uint64_t slack);
  void arriveUntimed();
  void switchToNext();
  void jump(int core);
  bool onlyCpesCanHelp() const;
  [[noreturn]] void deadlock(std::string_view what = {});
  bool eventsPending() const;
  static void enter(void *transfer);
};

} // namespace weft::emu
