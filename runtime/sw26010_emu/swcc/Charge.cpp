// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One cycle an instruction.
#include "Charge.h"

#include "AbiTypes.h"
#include "Marks.h"

#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace weft::swcc {

namespace {

void charge(Module &module, Instruction *before, Function &function, unsigned count) {
  if (count == 0)
    return;
  Segment segment;
  segment.function = sourceName(function);
  segment.file = module.getSourceFileName();
  segment.cycles = count;
  segment.codeBytes = 4 * count;
  LineCost line;
  line.cycles = line.pipe0 = count;
  if (const DebugLoc &place = before->getDebugLoc())
    line.line = place.getLine();
  segment.lines.push_back(line);
  IRBuilder<> builder(before);
  mark(builder, makeSegment(module, segment));
}

} // namespace

void chargeModule(Module &module, ModuleAnalysisManager &, const ChargeOptions &) {
  for (Function &function : module) {
    if (!isProgram(function))
      continue;
    for (BasicBlock &block : function) {
      unsigned count = 0;
      for (Instruction &instruction : make_early_inc_range(block)) {
        if (isa<PHINode, AllocaInst, IntrinsicInst>(instruction))
          continue;
        ++count;
        if (isa<CallBase>(instruction) || instruction.isTerminator()) {
          charge(module, &instruction, function, count);
          count = 0;
        }
      }
    }
  }
}

} // namespace weft::swcc
