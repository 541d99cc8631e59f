// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Before a call that may reach the runtime, core->site says where in the program it is.
#include "Swcc.h"

#include "Charge.h"

#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace weft::swcc {

namespace {

/// Functions of this file tell their own places when they call.
bool mayReachRuntime(const Instruction &instruction) {
  const auto *call = dyn_cast<CallBase>(&instruction);
  if (!call || isOwn(instruction) || isCharge(instruction) || call->doesNotAccessMemory())
    return false;
  const Function *callee = call->getCalledFunction();
  return !callee || (callee->isDeclaration() && !callee->isIntrinsic());
}

} // namespace

void insertSites(Abi &abi) {
  for (Function &function : abi.module) {
    if (!isProgram(function))
      continue;
    SmallVector<Instruction *> calls;
    for (BasicBlock &block : function)
      for (Instruction &instruction : block)
        if (mayReachRuntime(instruction))
          calls.push_back(&instruction);
    for (Instruction *call : calls) {
      OwnBuilder builder(call);
      abi.store(builder, abi.siteOf(*call), abi.coreOf(function), Site);
    }
  }
}

} // namespace weft::swcc
