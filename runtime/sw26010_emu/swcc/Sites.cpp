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

/// Functions of the machine, whose faults name the place of the call.
bool isMachines(const Function *callee) {
  if (!callee || !callee->isDeclaration())
    return false;
  const StringRef name = callee->getName();
  return name.starts_with("athread_") || name.starts_with("__real_athread_") ||
         name.starts_with("MPI_") || name == "weft_sw_ldm_of";
}

} // namespace

void insertHostSites(Abi &abi) {
  SmallVector<CallBase *> calls;
  for (Function &function : abi.module)
    for (BasicBlock &block : function)
      for (Instruction &instruction : block)
        if (auto *call = dyn_cast<CallBase>(&instruction);
            call && isMachines(call->getCalledFunction()))
          calls.push_back(call);
  if (calls.empty())
    return;
  Constant *host = abi.module.getOrInsertGlobal("weft_sw_host", abi.core);
  for (CallBase *call : calls) {
    OwnBuilder builder(call);
    abi.store(builder, abi.siteOf(*call), host, Site);
  }
}

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
