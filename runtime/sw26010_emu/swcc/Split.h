// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Live ranges are split so that nowhere more values want a register than there are.
//
// Each block is walked with the set of values that are in registers. What does not fit waits in
// memory: the value whose next read is farthest for what its reload and store cost (Belady 1966;
// over loops: Braun and Hack 2009). A loop begins with the values that it reads; others stay in
// registers through it as far as there is room, else they are reloaded behind it. A value that is
// reloaded serves all reads until it gives way again. Each part between a reload and the last read
// before the next becomes a register of its own, which Assign.h then colours.
#pragma once

#include "Code.h"

#include "llvm/ADT/SmallVector.h"

namespace weft::swcc {

/// Something that a split puts into a block.
struct SplitEdit {
  enum class What : std::uint8_t {
    Reload,
    Store,     // the value gives way; whether its memory is still right is found out later
    StoreCopy, // the copy to a phi that waits in memory: of operation `value`
  };
  std::size_t before = 0; // operation
  What what = What::Reload;
  unsigned value = 0;
};

struct SplitBlock {
  std::vector<SplitEdit> edits; // those before one operation in the order in which they happen
  llvm::SmallVector<unsigned, 32> entry, exit; // values in registers
  bool walked = false;
};

/// Splits what does not fit, with `spare` registers left free in blocks in which not everything
/// fits, so that reloads and stores can overlap. False if everything fits.
bool splitRanges(Code &code, unsigned spare);

/// Second half of it: puts the edits of `plan` into the blocks, stores each value where that is
/// cheapest (after it is made, or where it gives way), and renames the parts.
void applySplit(Code &code, std::vector<SplitBlock> &plan);

} // namespace weft::swcc
