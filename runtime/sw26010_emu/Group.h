// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The core group as the host sees it: which CPEs run what, and who waits for them.
#pragma once

#include "Abi.h"

#include <cstdint>

namespace weft::emu {

using SlaveFunction = void (*)(void *);
/// A bit a CPE.
using CpeMask = std::uint64_t;

class Group {
public:
  static Group &get();

  bool initialised() const { return initialised_; }
  void initialise();
  void halt();

  /// Starts `function` on the CPEs of `mask`, which are all idle and joined.
  void spawn(CpeMask mask, SlaveFunction function, void *argument, const WeftSite *site);
  /// Waits until none of `mask` runs, and takes them as joined.
  void join(CpeMask mask, const WeftSite *site);

  CpeMask running() const { return running_; }   // execute a function
  CpeMask unjoined() const { return unjoined_; } // spawned, and nobody has joined them

  /// The running CPE's function has returned, or it ends itself.
  [[noreturn]] void end();
  void checkAtExit();
  /// A CPE calls exit: the process ends.
  [[noreturn]] void exitProgram(int status);

private:
  bool initialised_ = false;
  CpeMask running_ = 0, unjoined_ = 0, awaited_ = 0;
  std::uint64_t lastEnd_ = 0; // when the last CPE that ended did
  const WeftSite *spawnSites_[WEFT_SW_CPES] = {};
  std::uint64_t spawnTimes_[WEFT_SW_CPES] = {};
  int phases_[WEFT_SW_CPES] = {};          // of the report
  std::uint64_t flows_[WEFT_SW_CPES] = {}; // arrows of the trace

  void ended(int core);
};

} // namespace weft::emu
