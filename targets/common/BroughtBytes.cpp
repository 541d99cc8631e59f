//===- BroughtBytes.cpp - what blocks bring to the caches ----------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "targets/common/BroughtBytes.h"

#include "targets/common/Memory.h"
#include "targets/common/Text.h"
#include "targets/common/VectorAccess.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

static int64_t bytesInBlock(Operation *op, const VectorAccess &access, AffineForOp block) {
  auto type =
      cast<VectorType>(access.isStore ? op->getOperand(0).getType() : op->getResult(0).getType());
  int64_t bytes = type.getNumElements() * elementBytes(type.getElementType());
  for (AffineForOp loop : loopsIn(block, op))
    if (advance(access, loop) != 0)
      bytes *= static_cast<int64_t>(affine::getConstantTripCount(loop).value_or(1));
  return bytes;
}

int64_t BroughtBytes::of(AffineForOp block, Value array, bool isStore) {
  auto [known, isNew] = blocks.try_emplace(block);
  if (isNew)
    block->walk([&](Operation *op) {
      if (std::optional<VectorAccess> access = accessBeyond(op, cacheBytes))
        known->second[access->isStore][baseOf(access->memref)] += bytesInBlock(op, *access, block);
    });
  return known->second[isStore].lookup(array);
}

} // namespace weft
