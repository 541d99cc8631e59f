//===- Elementwise.cpp - maps that compute point by point ----------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/tensors/Elementwise.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace weft {

bool isElementwise(Operation &op) {
  return OpTrait::hasElementwiseMappableTraits(&op) && op.getNumResults() == 1 &&
         llvm::none_of(op.getOperandTypes(), llvm::IsaPred<IndexType>);
}

bool isLanewise(Operation *op) {
  if (isa<arith::AndIOp, arith::OrIOp, arith::XOrIOp, arith::CmpFOp, arith::SelectOp>(op))
    return true;
  if (op->getNumResults() == 1 && op->getResult(0).getType().isInteger(1))
    return false;
  return isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp, arith::NegFOp,
             arith::MaximumFOp, arith::MinimumFOp, arith::AddIOp, arith::SubIOp, arith::MulIOp,
             arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp, arith::MaxSIOp, arith::MinSIOp,
             arith::BitcastOp, math::SqrtOp, math::AbsFOp, math::FmaOp>(op);
}

bool isVectorFunction(Operation *op) {
  if (isa<arith::DivSIOp, arith::RemSIOp, arith::FloorDivSIOp>(op))
    return op->getResult(0).getType().isInteger(32);
  return isa<math::SinOp, math::CosOp, math::SinhOp, math::CoshOp, math::TanhOp, math::LogOp,
             math::Log1pOp, math::Atan2Op, math::PowFOp>(op);
}

bool isElementwise(MapOp map, Operation *sum) {
  return map->getNumResults() == 1 && map.yielded().size() == 1 &&
         llvm::all_of(*map.bodyBlock(), [&](Operation &op) {
           return &op == sum || isElementwise(op) ||
                  isa<tensor::ExtractOp, affine::AffineApplyOp, arith::ConstantOp, YieldOp>(op);
         });
}

bool isFree(MapOp map) {
  return llvm::all_of(*map.bodyBlock(), [](Operation &op) {
    return isa<tensor::ExtractOp, affine::AffineApplyOp, arith::ConstantOp, YieldOp>(op);
  });
}

bool isPointwise(MapOp map) {
  return map->getNumResults() == 1 && map.getInits().empty() && map.getStores().size() == 1 &&
         map.storeMap(0).isPermutation() &&
         llvm::all_of(map.getLower(), [](int64_t low) { return low == 0; });
}

bool worksOnSums(MapOp map, ReduceOp sum) {
  auto fits = [&](Type type) { return type == sum.getType() || type.isInteger(1); };
  return isElementwise(map, sum) && map.yielded().front().getType() == sum.getType() &&
         llvm::all_of(*map.bodyBlock(), [&](Operation &op) {
           return !isElementwise(op) ||
                  (llvm::all_of(op.getOperandTypes(), fits) && fits(op.getResult(0).getType()));
         });
}

} // namespace weft
