// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the optimizer must not do: change an order that is kept, or the signs of fused operands.
#include "Swcc.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace weft::swcc {

namespace {

constexpr StringLiteral keptPrefix = "__weft_kept_";

/// A copy of a value, of which the optimizer knows nothing.
FunctionCallee keptCopy(Module &module, Type *type) {
  const bool known = isa<FixedVectorType>(type);
  const std::string name =
      keptPrefix.str() + std::to_string(known ? cast<FixedVectorType>(type)->getNumElements() : 1) +
      "_" + std::to_string(type->getScalarSizeInBits());
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
          phi.setIncomingValue(index, builder.CreateCall(keptCopy(module, phi.getType()),
                                                         {phi.getIncomingValue(index)}));
        }
      }
  }
}

void keepProducts(Module &module) {
  for (Function &function : module)
    for (BasicBlock &block : function)
      for (Instruction &instruction : block) {
        auto *fused = dyn_cast<IntrinsicInst>(&instruction);
        if (!fused || fused->getIntrinsicID() != Intrinsic::fma)
          continue;
        for (Value *operand : fused->args())
          if (auto *negation = dyn_cast<UnaryOperator>(operand);
              negation && negation->getOpcode() == Instruction::FNeg) {
            IRBuilder<> builder(negation);
            negation->setOperand(0, builder.CreateCall(keptCopy(module, negation->getType()),
                                                       {negation->getOperand(0)}));
          }
      }
}

void releaseKept(Module &module) {
  for (Function &function : make_early_inc_range(module)) {
    if (!function.getName().starts_with(keptPrefix))
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
