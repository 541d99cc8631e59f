//===- Reduction.cpp - values combined in any order --------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/Passes.h"
#include "passes/vectors/LaneBody.h"

using namespace mlir;

namespace weft {

bool Reduction::mayCombine(Operation *op) {
  return isa<arith::AddFOp, arith::MulFOp, arith::MaximumFOp, arith::MinimumFOp, arith::AddIOp,
             arith::MulIOp, arith::MaxSIOp, arith::MinSIOp, arith::OrIOp>(op);
}

TypedAttr Reduction::neutral(OpBuilder &builder) const {
  Type type = carried.getType();
  if (auto real = dyn_cast<FloatType>(type)) {
    if (isa<arith::MaximumFOp, arith::MinimumFOp>(combine))
      return builder.getFloatAttr(
          type, APFloat::getInf(real.getFloatSemantics(), isa<arith::MaximumFOp>(combine)));
    return builder.getFloatAttr(type, isa<arith::MulFOp>(combine) ? 1.0 : 0.0);
  }
  unsigned bits = type.getIntOrFloatBitWidth();
  if (isa<arith::MaxSIOp>(combine))
    return builder.getIntegerAttr(type, APInt::getSignedMinValue(bits));
  if (isa<arith::MinSIOp>(combine))
    return builder.getIntegerAttr(type, APInt::getSignedMaxValue(bits));
  return builder.getIntegerAttr(type, isa<arith::MulIOp>(combine) ? 1 : 0);
}

Value Reduction::combined(OpBuilder &builder, Value left, Value right) const {
  OperationState state(combine->getLoc(), combine->getName().getStringRef(), {left, right},
                       left.getType());
  state.propertiesAttr = combine->getPropertiesAsAttribute();
  return builder.create(state)->getResult(0);
}

Value Reduction::acrossLanes(OpBuilder &builder, Value vector) const {
  int64_t lanes = cast<VectorType>(vector.getType()).getNumElements();
  for (int64_t half = lanes / 2; half > 0; half /= 2) {
    SmallVector<int64_t> mask;
    for (int64_t number = 0; number < lanes; ++number)
      mask.push_back((number + half) % lanes);
    Value moved = vector::ShuffleOp::create(builder, combine->getLoc(), vector, vector, mask);
    vector = combined(builder, vector, moved);
  }
  return vector::ExtractOp::create(builder, combine->getLoc(), vector, 0);
}

} // namespace weft
