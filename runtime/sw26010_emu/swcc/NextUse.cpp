// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "NextUse.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace llvm;

namespace weft::swcc {

bool isInLoop(const Code &code, unsigned header, unsigned block) {
  unsigned at = code.blocks[block].loopHeader;
  while (at != noBlock && at != header)
    at = code.blocks[at].outerHeader;
  return at == header;
}

unsigned loopsLeft(const Code &code, unsigned from, unsigned to) {
  unsigned left = 0;
  for (unsigned at = code.blocks[from].loopHeader; at != noBlock && !isInLoop(code, at, to);
       at = code.blocks[at].outerHeader)
    ++left;
  return left;
}

NextUses::NextUses(const Code &code, const Liveness &liveness, ArrayRef<unsigned> order)
    : code_(code), entry_(code.blocks.size()) {
  // What each block reads itself never changes.
  std::vector<DenseMap<unsigned, double>> own(code.blocks.size());
  unsigned deepest = 0;
  for (unsigned index = 0; index < code.blocks.size(); ++index) {
    const Block &block = code.blocks[index];
    deepest = std::max(deepest, block.depth);
    for (std::size_t at = block.operations.size(); at-- > 0;) {
      const Operation &operation = block.operations[at];
      if (isVirtual(operation.def))
        own[index].erase(operation.def - firstVirtual);
      for (const Register use : operation.uses)
        if (isVirtual(use))
          own[index][use - firstVirtual] = double(at);
    }
  }
  // A sweep carries distances over all forward edges and one more edge back.
  constexpr unsigned mostSweeps = 5;
  for (unsigned sweep = 0; sweep < std::min(deepest + 2, mostSweeps); ++sweep)
    for (const unsigned index : reverse(order))
      for (const unsigned value : liveness.in[index].set_bits()) {
        const auto read = own[index].find(value);
        entry_[index][value] =
            read != own[index].end()
                ? read->second
                : double(code.blocks[index].operations.size()) + atExit(index, value);
      }
}

double NextUses::atEntry(unsigned block, unsigned value) const {
  const auto found = entry_[block].find(value);
  return found == entry_[block].end() ? neverRead : found->second;
}

double NextUses::atExit(unsigned block, unsigned value) const {
  const Block &from = code_.blocks[block];
  double all = 0, urgency = 0;
  for (const unsigned successor : from.successors) {
    const double often = std::max(code_.blocks[successor].frequency, 1e-9);
    all += often;
    const double distance = atEntry(successor, value);
    if (distance != neverRead)
      urgency += often / (1 + distance + beyondLoop * loopsLeft(code_, block, successor));
  }
  return urgency > 0 ? all / urgency : neverRead;
}

} // namespace weft::swcc
