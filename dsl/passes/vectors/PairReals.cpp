//===- PairReals.cpp - real numbers beside complex ones -----------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// A window, a damping: numbers side by side, of which each stands in both places of a complex
// number.
//
//===-----------------------------------------------------------------------===//

#include "passes/vectors/PairBody.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace weft {

/// Whether some of what the loop reads is no complex number but lies side by side.
bool PairBody::readsReals() {
  return llvm::any_of(loop.getBody()->getOps<affine::AffineLoadOp>(), [&](auto load) {
    std::optional<Access> access = Access::of(load, space);
    return access && isReals(*access);
  });
}

bool PairBody::isReals(const Access &access) {
  return !access.isStore && !access.complexPart() && access.slope(block, space) == 1 &&
         isa<FloatType>(cast<MemRefType>(access.memref.getType()).getElementType());
}

/// Whether a value is computed from no complex number.
bool PairBody::isOfReals(Value value) {
  if (!isVarying(value))
    return true;
  if (const Access *load = loadOf(value))
    return !load->complexPart();
  if (auto known = ofReals.find(value); known != ofReals.end())
    return known->second;
  Operation *op = value.getDefiningOp();
  bool all =
      op && llvm::all_of(op->getOperands(), [&](Value operand) { return isOfReals(operand); });
  return ofReals[value] = all;
}

/// Each number in both places: one vector of them serves two of complex numbers.
void PairBody::loadReals(Node *node, const Access &access) {
  Value row = affine::AffineVectorLoadOp::create(
      builder, where, vectorType(), uniform(access.memref), access.map, mapped(access));
  node->parts[0] = node->parts[1] = row;
  for (int64_t number = 0; number < copies; ++number)
    node->vectors[number] =
        shuffled(row, [&](int64_t index) { return number * lanes() + index / 2; });
}

} // namespace weft
