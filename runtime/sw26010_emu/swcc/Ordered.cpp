// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions whose order is kept: what the optimizer must not do to them.
#include "Swcc.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace weft::swcc {

namespace {

constexpr StringLiteral carriedPrefix = "__weft_carried_";

FunctionCallee carriedCopy(Module &module, Type *type) {
  const bool known = isa<FixedVectorType>(type);
  const std::string name =
      carriedPrefix.str() +
      std::to_string(known ? cast<FixedVectorType>(type)->getNumElements() : 1) + "_" +
      std::to_string(type->getScalarSizeInBits());
  FunctionCallee made = module.getOrInsertFunction(name, type, type);
  auto *function = cast<Function>(made.getCallee());
  function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  return made;
}

} // namespace

bool isOrdered(const Function &function) {
  const GlobalVariable *all = function.getParent()->getGlobalVariable("llvm.global.annotations");
  const auto *rows =
      all && all->hasInitializer() ? dyn_cast<ConstantArray>(all->getInitializer()) : nullptr;
  if (!rows)
    return false;
  for (const Use &row : rows->operands()) {
    const auto *fields = dyn_cast<ConstantStruct>(row);
    if (!fields || fields->getOperand(0)->stripPointerCasts() != &function)
      continue;
    const auto *text = dyn_cast<GlobalVariable>(fields->getOperand(1)->stripPointerCasts());
    const auto *bytes = text && text->hasInitializer()
                            ? dyn_cast<ConstantDataArray>(text->getInitializer())
                            : nullptr;
    if (bytes && bytes->isCString() && bytes->getAsCString() == "weft_ordered")
      return true;
  }
  return false;
}

void keepCarried(Module &module) {
  for (Function &function : module) {
    if (function.isDeclaration() || function.hasOptNone() || !isOrdered(function))
      continue;
    SmallVector<AllocaInst *> variables;
    for (Instruction &instruction : function.getEntryBlock())
      if (auto *variable = dyn_cast<AllocaInst>(&instruction);
          variable && isAllocaPromotable(variable))
        variables.push_back(variable);
    DominatorTree dominators(function);
    PromoteMemToReg(variables, dominators);
    for (BasicBlock &block : function)
      for (PHINode &phi : block.phis()) {
        if (!phi.getType()->isFPOrFPVectorTy())
          continue;
        for (unsigned index = 0; index < phi.getNumIncomingValues(); ++index) {
          if (!isa<Instruction>(phi.getIncomingValue(index)))
            continue;
          IRBuilder<> builder(phi.getIncomingBlock(index)->getTerminator());
          phi.setIncomingValue(index, builder.CreateCall(carriedCopy(module, phi.getType()),
                                                         {phi.getIncomingValue(index)}));
        }
      }
  }
}

void releaseCarried(Module &module) {
  for (Function &function : make_early_inc_range(module)) {
    if (!function.getName().starts_with(carriedPrefix))
      continue;
    for (User *user : make_early_inc_range(function.users())) {
      auto *call = cast<CallInst>(user);
      call->replaceAllUsesWith(call->getArgOperand(0));
      call->eraseFromParent();
    }
    function.eraseFromParent();
  }
}

} // namespace weft::swcc
