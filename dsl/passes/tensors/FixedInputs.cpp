//===- FixedInputs.cpp - what depends on inputs that stay the same ---------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/tensors/FixedInputs.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

namespace weft {

Dependence FixedInputs::of(Operation *op) {
  if (!isMemoryEffectFree(op) || op->hasTrait<OpTrait::IsTerminator>())
    return Dependence::Call;
  llvm::SetVector<Value> read(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), read);
  Dependence most = Dependence::Nothing;
  for (Value value : read)
    most = std::max(most, of(value));
  return most;
}

Dependence FixedInputs::of(Value value) {
  if (auto found = known.find(value); found != known.end())
    return found->second;
  Dependence found = Dependence::Call;
  if (Operation *made = value.getDefiningOp()) {
    found = of(made);
  } else {
    auto argument = cast<BlockArgument>(value);
    auto func = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
    if (func && func.getArgAttr(argument.getArgNumber(), fixedMark))
      found = Dependence::Fixed;
  }
  return known[value] = found;
}

bool isFixed(Value value) { return FixedInputs().of(value) == Dependence::Fixed; }

} // namespace weft
