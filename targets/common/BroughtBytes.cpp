//===- BroughtBytes.cpp - what blocks bring to the caches ----------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "targets/common/BroughtBytes.h"

#include "passes/loops/Buffers.h"
#include "targets/common/Memory.h"
#include "targets/common/VectorAccess.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

static int64_t bytesInBlock(Operation *op, const VectorAccess &access, AffineForOp block) {
  int64_t bytes = vectorBytes(op);
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
  // Windows read the same lines several times; blocks share the array.
  int64_t turns = static_cast<int64_t>(affine::getConstantTripCount(block).value_or(1));
  int64_t share = llvm::divideCeil(bytesOf(cast<MemRefType>(array.getType())), turns);
  return std::min(known->second[isStore].lookup(array), share);
}

} // namespace weft
