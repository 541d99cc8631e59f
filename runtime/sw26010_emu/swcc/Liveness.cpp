// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Liveness.h"

using namespace llvm;

namespace weft::swcc {

Liveness::Liveness(const Code &code) {
  const unsigned count = code.next - firstVirtual;
  const std::size_t blocks = code.blocks.size();
  in.assign(blocks, BitVector(count));
  out.assign(blocks, BitVector(count));
  std::vector<BitVector> defined(blocks, BitVector(count));
  for (std::size_t index = 0; index < blocks; ++index) {
    for (const Operation &operation : code.blocks[index].operations) {
      for (const Register use : operation.uses)
        if (isVirtual(use) && !defined[index].test(use - firstVirtual))
          in[index].set(use - firstVirtual);
      if (isVirtual(operation.def))
        defined[index].set(operation.def - firstVirtual);
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t index = blocks; index-- > 0;) {
      BitVector &after = out[index];
      for (const unsigned successor : code.blocks[index].successors)
        after |= in[successor];
      BitVector before = after;
      before.reset(defined[index]);
      before |= in[index];
      if (before != in[index]) {
        in[index] = std::move(before);
        changed = true;
      }
    }
  }
}

} // namespace weft::swcc
