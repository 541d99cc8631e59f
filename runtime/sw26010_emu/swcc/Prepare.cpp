// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Swcc.h"

#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace weft::swcc {

namespace {

/// Inline functions of old C: `inline` alone defines the function in every file that has it, and
/// `extern inline` in none. Here each file has it, and the linker keeps one: both rules, and C99's,
/// find what they call.
void settleInlineFunctions(Module &module) {
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    const bool otherwise = function.hasAvailableExternallyLinkage();
    const bool here =
        function.hasExternalLinkage() && function.hasFnAttribute(Attribute::InlineHint);
    if (otherwise || here)
      function.setLinkage(GlobalValue::WeakODRLinkage);
  }
}

} // namespace

void prepareSlave(Module &module) { settleInlineFunctions(module); }

void prepareHost(Module &module) {}

} // namespace weft::swcc
