// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Deterministic virtual time. Each core runs on a fiber of its own and ahead of the others until it
// meets the rest of the machine; there it waits until no other core and no event is earlier.
//
// The order of all that happens is (cycle, core number); nothing of the host enters it.
#pragma once

#include "Abi.h"

#include <cstdint>
#include <functional>
#include <string>

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

  /// Makes `core` ready at `cycle` to run `body` on a fresh fiber.
  void start(int core, std::uint64_t cycle, std::function<void()> body);
  /// The running core's body has ended; does not return.
  [[noreturn]] void finish();

  /// Returns once no other core and no event is earlier than the running core: call it before
  /// anything that others can see.
  void arrive();
  /// Suspends the running core until `wake`.
  void block(const Wait &wait);
  /// Makes a blocked core ready, not before `cycle` (its own time if later).
  void wake(int core, std::uint64_t cycle);
  bool blocked(int core) const;
  const Wait &waitOf(int core) const;

  /// Calls `action` when all cores have reached `cycle`; equal cycles in order of the calls.
  void at(std::uint64_t cycle, std::function<void()> action);

  int running() const { return running_; }
  WeftCore &core(int index);
  std::uint64_t now() const; // of the running core

private:
  Clock();
  struct Impl;
  Impl *impl_;
  int running_ = WEFT_SW_MPE;
  [[noreturn]] void deadlock();
  void switchToNext();
};

} // namespace weft::emu
