// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations have been charged by their names; now they become what they mean.
#include "Swcc.h"

#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace weft::swcc {

namespace {

bool isMeaning(const GlobalValue &value) {
  return value.getName().starts_with("__weft_sem_") || value.getName().starts_with("__weft_mem_");
}

} // namespace

/// What was deduced of the program's functions does not hold for what they have become.
void forgetDeductions(Module &module) {
  static constexpr Attribute::AttrKind deduced[] = {Attribute::Memory,    Attribute::NoFree,
                                                    Attribute::NoSync,    Attribute::WillReturn,
                                                    Attribute::NoRecurse, Attribute::Speculatable};
  for (Function &function : module) {
    if (isEmulators(function))
      continue;
    for (const auto kind : deduced)
      function.removeFnAttr(kind);
    for (BasicBlock &block : function)
      for (Instruction &instruction : block)
        if (auto *call = dyn_cast<CallBase>(&instruction);
            call && !(call->getCalledFunction() && isEmulators(*call->getCalledFunction())))
          for (const auto kind : deduced)
            call->removeFnAttr(kind);
  }
}

void resolveOperations(Module &module, ModuleAnalysisManager &analyses) {
  for (Function &marker : module) {
    StringRef name = marker.getName();
    if (!marker.isDeclaration() || !name.consume_front("__weft_sw_"))
      continue;
    Function *meaning = module.getFunction(("__weft_sem_" + name).str());
    if (!meaning) {
      for (User *user : marker.users())
        if (auto *call = dyn_cast<Instruction>(user))
          error(*call, "operation '" + name + "' has no meaning",
                "a defect of Weft: please report it");
      continue;
    }
    marker.replaceAllUsesWith(meaning);
  }
  removeFromUsedLists(module, [](Constant *constant) {
    auto *value = dyn_cast<GlobalValue>(constant->stripPointerCasts());
    return value && isMeaning(*value);
  });
  // The inliner takes what its callers say of it from the call.
  for (Function &function : module)
    if (isMeaning(function) && !function.isDeclaration()) {
      function.removeFnAttr(Attribute::NoInline);
      function.removeFnAttr(Attribute::OptimizeNone);
      function.addFnAttr(Attribute::AlwaysInline);
      for (User *user : function.users())
        if (auto *call = dyn_cast<CallBase>(user))
          call->removeFnAttr(Attribute::NoInline);
    }
  AlwaysInlinerPass(false).run(module, analyses);
}

} // namespace weft::swcc
