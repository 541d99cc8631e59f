// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The core itself: instructions in program order -> the cycle and pipe in which each issues.
//
// Two instructions a cycle are decoded in order, each into its pipe. A pipe issues in order, at
// most one a cycle, when operands are ready; `issue_queue` instructions can wait before it, so that
// the other pipe goes on while one waits (issue between the pipes may be out of order). Registers
// are not renamed: a write waits for older reads and for older writes that complete later.
#pragma once

#include "Code.h"
#include "llvm/ADT/ArrayRef.h"

#include <array>

namespace weft::swcc {

/// What the core still has to do when a block begins; cycles from that moment.
struct CoreState {
  static constexpr unsigned deepestQueue = 8;
  std::array<int, 32> ready{};                         // a dependent instruction can issue
  std::array<int, 32> read{};                          // the last read of the register issues
  std::array<std::array<int, deepestQueue>, 2> issued; // of each pipe, the latest first
  int dividerFree = 0;
  unsigned decoded = 0; // in this cycle already

  CoreState() {
    for (auto &pipe : issued)
      pipe.fill(-1);
  }
  bool operator==(const CoreState &) const = default;
};

struct Issue {
  int cycle = 0;
  unsigned pipe = 0;
  int dataWait = 0;      // cycles that it waited for operands alone
  bool conflict = false; // could have issued a cycle earlier but for its pipe
};

struct Run {
  std::vector<Issue> issues; // one an operation, in program order
  int cycles = 0;            // until the next block can decode
  CoreState after;
};

/// Runs physical `operations` from `state`; `taken` says that the branch at the end is.
Run run(llvm::ArrayRef<Operation> operations, const CoreState &state, bool taken);

/// Whether `operation` ends its block or leaves the function.
inline bool transfersControl(const Operation &operation) {
  return operation.opcode->kind == Kind::Control;
}

} // namespace weft::swcc
