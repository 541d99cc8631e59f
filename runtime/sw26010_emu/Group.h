// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The core group as the host sees it: which CPEs run what, and who waits for them.
#pragma once

#include "Abi.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <string_view>

namespace weft::emu {

/// A bit a CPE.
using CpeMask = std::uint64_t;

class Group {
public:
  static Group &get();

  bool initialised() const { return initialised_; }
  void initialise();
  void halt();

  CpeMask running() const { return running_; }   // execute a function
  CpeMask unjoined() const { return unjoined_; } // spawned, and nobody has joined them
  /// Those that a thread of the host has spawned.
  CpeMask unjoinedOf(int thread) const;
  /// CPEs that can be given a function, now or when they have ended theirs.
  CpeMask usable() const;
  /// Whether there are CPEs that are given nothing.
  bool canSpawn() const { return (usable() & ~unjoined_) != 0; }
  /// Where the function that a CPE runs was spawned.
  const WeftSite *spawnOf(int core) const { return spawnSites_[core]; }
  /// Shuts a CPE down for good.
  void close(int core) { closed_ |= CpeMask{1} << core; }

  /// Starts `body` on the CPEs of `mask`, which are all usable and joined. `function` is what the
  /// program calls it.
  void spawn(CpeMask mask, std::string_view function, const std::function<void()> &body,
             const WeftSite *site);
  /// Waits until none of `mask` runs, and takes them as joined.
  void join(CpeMask mask, const WeftSite *site);
  /// Ends a CPE's function from outside.
  void cancel(int core);

  /// A signal from the running CPE to the MPE's handler; `waits` until that has run.
  void signal(int number, void *value, bool waits);
  using Handler = void (*)(int, void *, void *);
  void setHandler(int number, Handler handler) { handlers_[number] = handler; }
  bool hasHandler(int number) const { return handlers_[number] != nullptr; }
  static constexpr int kSignals = 65; // 1 to 64
  /// On the MPE: runs the handlers of signals that came.
  void deliver();

  /// A CPE calls exit: the process ends.
  [[noreturn]] void exitProgram(int status);
  /// Raises "join-missing" if a spawn has no join; `ending` says what the program does.
  void requireJoined(std::string_view ending);

private:
  struct Signal {
    int number, core;
    void *value;
    bool waits;
    std::uint64_t cycle;
  };

  bool initialised_ = false;
  CpeMask running_ = 0, unjoined_ = 0, closed_ = 0;
  int spawners_[WEFT_SW_CPES] = {};       // the host's thread
  std::uint64_t ends_[WEFT_SW_CPES] = {}; // when the CPE's last function ended
  const WeftSite *spawnSites_[WEFT_SW_CPES] = {};
  std::uint64_t spawnTimes_[WEFT_SW_CPES] = {};
  int phases_[WEFT_SW_CPES] = {};          // of the report
  std::uint64_t flows_[WEFT_SW_CPES] = {}; // of the trace, from the spawn
  Handler handlers_[kSignals] = {};
  std::deque<Signal> signals_;

  void ended(int core);
  void wakeHost();
};

} // namespace weft::emu
