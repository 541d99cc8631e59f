// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What it takes to keep a value in memory: its slot on the stack, or the constant made again.
#pragma once

#include "Code.h"

namespace weft::swcc {

struct SpillKind {
  unsigned writes = 0;
  bool vector = false;
  /// What makes the value anew without its old register: a constant, an address on the stack, or a
  /// reload of a slot that nobody writes meanwhile. Without an opcode: nothing does.
  Operation remade;
  bool isRemade() const { return writes == 1 && remade.opcode; }
};

/// Of each virtual register; index 0 stands for firstVirtual.
std::vector<SpillKind> spillKinds(const Code &code);

/// A store to the slot, or a load from it.
Operation spillAccess(Register name, unsigned slot, bool store, bool vector,
                      const llvm::Instruction *source);

/// Where the copies to phis begin: from there on a block has only those and branches. They happen
/// together, on the way out, and each only for where its phi is.
std::size_t firstLastCopy(const Block &block);

} // namespace weft::swcc
