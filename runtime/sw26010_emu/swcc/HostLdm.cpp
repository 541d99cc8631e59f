// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LDM variables that host code names: h2ldm(variable, CPE, group). Host code declares them as
// `extern __thread`; they are no thread's variables, but lie in the image of LDM, from whose place
// the runtime computes that in a CPE's LDM.
#include "Swcc.h"

#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace weft::swcc {

namespace {

/// Whether all that is done with an address is to give it, or one near it, to weft_sw_ldm_of.
bool onlyAsksForLdm(const Value &address) {
  return !address.use_empty() && all_of(address.users(), [](const User *user) {
    if (isa<GEPOperator>(user))
      return onlyAsksForLdm(*user);
    if (const auto *intrinsic = dyn_cast<IntrinsicInst>(user))
      return intrinsic->getIntrinsicID() == Intrinsic::threadlocal_address &&
             onlyAsksForLdm(*intrinsic);
    const auto *call = dyn_cast<CallBase>(user);
    const Function *callee = call ? call->getCalledFunction() : nullptr;
    return callee && callee->getName() == "weft_sw_ldm_of";
  });
}

} // namespace

void placeHostVariables(Module &module) {
  for (GlobalVariable &variable : module.globals()) {
    if (!variable.isThreadLocal() || !variable.isDeclaration() || !onlyAsksForLdm(variable))
      continue;
    for (User *user : make_early_inc_range(variable.users()))
      if (auto *intrinsic = dyn_cast<IntrinsicInst>(user)) {
        intrinsic->replaceAllUsesWith(&variable);
        intrinsic->eraseFromParent();
      }
    variable.setThreadLocal(false);
  }
}

} // namespace weft::swcc
