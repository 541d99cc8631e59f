// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Inline assembly of host code: the few instructions of the MPE that public programs use.
#include "Swcc.h"

#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace weft::swcc {

namespace {

/// The statement's instruction without what assemblers do not care for, comments among it.
StringRef instructionOf(const InlineAsm &assembly) {
  StringRef text = StringRef(assembly.getAsmString()).trim(" \t\n;");
  while (text.starts_with("#"))
    text = text.split('\n').second.trim(" \t\n;");
  return text == "nop" ? StringRef() : text;
}

/// Replaces `call` if it is known.
bool lower(CallInst &call, Abi &abi) {
  const StringRef text = instructionOf(*cast<InlineAsm>(call.getCalledOperand()));
  // A barrier for the compiler only.
  if (text.empty())
    return true;
  // Memory is in order here.
  if (text == "memb" || text == "imemb") {
    call.eraseFromParent();
    return true;
  }
  const auto [mnemonic, operands] = text.split(' ');
  if (mnemonic.trim() != "rtc" || operands.trim() != "$0" || !call.getType()->isIntegerTy())
    return false;
  OwnBuilder builder(&call);
  Value *cycles = builder.CreateCall(abi.function("weft_sw_host_rtc", abi.i64, {}));
  call.replaceAllUsesWith(builder.CreateZExtOrTrunc(cycles, call.getType()));
  call.eraseFromParent();
  return true;
}

} // namespace

void lowerHostAssembly(Abi &abi) {
  for (Function &function : abi.module) {
    SmallVector<CallInst *> statements;
    for (BasicBlock &block : function)
      for (Instruction &instruction : block)
        if (auto *call = dyn_cast<CallInst>(&instruction); call && call->isInlineAsm())
          statements.push_back(call);
    for (CallInst *call : statements)
      if (!lower(*call, abi))
        error(
            *call,
            "inline assembly that host code cannot have here: '" +
                instructionOf(*cast<InlineAsm>(call->getCalledOperand())) + "'",
            "on the MPE `rtc %0` (an integer), `memb` and `imemb` are known; write the rest in C");
  }
}

} // namespace weft::swcc
