// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where each virtual register is live, as ranges over the function's text.
#pragma once

#include "Code.h"

namespace weft::swcc {

/// Positions: operation n reads at 2n and writes at 2n + 1, in the order of the text.
struct LiveRange {
  struct Part {
    unsigned begin, end; // [begin, end)
  };
  Register name = noRegister;
  std::vector<Part> parts; // ascending, disjoint
  double weight = 0;       // reads and writes, by how often their block runs
  bool crossesCall = false;
  bool fixed = false; // around a spill: cannot be spilled again

  unsigned begin() const { return parts.front().begin; }
  unsigned end() const { return parts.back().end; }
  bool overlaps(const LiveRange &other) const;
};

/// The ranges of all virtual registers; index 0 stands for firstVirtual. Empty: not used.
std::vector<LiveRange> liveRanges(const Code &code);

/// Makes copies vanish whose two registers can be one.
void coalesce(Code &code);

} // namespace weft::swcc
