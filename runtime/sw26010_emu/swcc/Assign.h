// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Live ranges -> registers, or the word that there are too few. Two ways; neither is always better.
#pragma once

#include "LiveRanges.h"

namespace weft::swcc {

struct Assignment {
  std::vector<unsigned> registers; // of each range by index; noRegister: none, or nothing to hold
  std::vector<Register> spilled;   // names that found none
};

using Assigner = Assignment (*)(std::vector<LiveRange> ranges);

/// Linear scan over ranges with holes; the range that is used least for its length gives way.
Assignment assignByScan(std::vector<LiveRange> ranges);
/// Colouring of the graph of conflicts; the range that is used least for the conflicts it ends
/// gives way (Chaitin et al. 1981; that it is tried all the same: Briggs et al. 1994).
Assignment assignByColour(std::vector<LiveRange> ranges);

} // namespace weft::swcc
