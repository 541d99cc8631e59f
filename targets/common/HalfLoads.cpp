//===- HalfLoads.cpp - rows read in halves -----------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "targets/common/HalfLoads.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace weft {

std::optional<bool> upperHalves(ArrayRef<int64_t> mask) {
  auto lanes = static_cast<int64_t>(mask.size());
  bool isUpper = lanes > 1 && mask.front() == lanes / 2;
  for (auto [lane, index] : llvm::enumerate(mask)) {
    auto number = static_cast<int64_t>(lane);
    int64_t second = number >= lanes / 2;
    if (index != number + second * (lanes / 2) + (isUpper ? lanes / 2 : 0))
      return std::nullopt;
  }
  return lanes > 1 ? std::optional(isUpper) : std::nullopt;
}

/// Whether memory is as it was from one op to a later one of the same block.
static bool isUnchangedUntil(Operation *from, Operation *to) {
  for (Operation *op = from->getNextNode(); op != to; op = op->getNextNode())
    if (!op || !(isMemoryEffectFree(op) || hasSingleEffect<MemoryEffects::Read>(op)))
      return false;
  return true;
}

/// A pair of halves that stands for its two loads.
static bool isOfLoads(vector::ShuffleOp pair) {
  return llvm::all_of(pair->getOperands(), [&](Value row) {
    auto load = row.getDefiningOp<affine::AffineVectorLoadOp>();
    return load && load->getBlock() == pair->getBlock() && row.getType() == pair.getType() &&
           isUnchangedUntil(load, pair);
  });
}

static bool hasOnlyHalves(affine::AffineVectorLoadOp load) {
  unsigned count[2] = {};
  for (Operation *user : load->getUsers()) {
    auto pair = dyn_cast<vector::ShuffleOp>(user);
    std::optional<bool> upper = pair ? upperHalves(pair.getMask()) : std::nullopt;
    if (!upper || ++count[*upper] > 1 || !isOfLoads(pair))
      return false;
  }
  return count[0] + count[1] > 0;
}

/// Whether a block has more shuffles than operations on numbers, which go to the shuffles' port
/// as well as to others, and any at all: what only moves waits for memory, which halves touch
/// twice.
static bool waitsForShuffles(Block &block) {
  int64_t shuffles = 0, operations = 0;
  for (Operation &op : block) {
    shuffles += isa<vector::ShuffleOp>(op);
    operations += op.getNumOperands() > 1 && op.getNumResults() == 1 &&
                  isa<arith::ArithDialect, math::MathDialect>(op.getDialect()) &&
                  isa<VectorType>(op.getResult(0).getType());
  }
  return operations > 0 && 5 * shuffles > 4 * operations;
}

llvm::DenseSet<Operation *> loadsInHalves(func::FuncOp func, const Intrinsics &intrinsics) {
  llvm::DenseSet<Operation *> found;
  llvm::DenseMap<Block *, bool> waits;
  func.walk([&](affine::AffineVectorLoadOp load) {
    auto [known, isNew] = waits.try_emplace(load->getBlock());
    if (isNew)
      known->second = waitsForShuffles(*load->getBlock());
    if (!known->second)
      return;
    std::string from = typeKey(load.getMemRefType().getElementType()) + "*";
    if (intrinsics.find("affine.vector_load:halves",
                        from + ", " + from + " -> " + typeKey(load.getVectorType())) &&
        hasOnlyHalves(load))
      found.insert(load);
  });
  // A pair is of two such loads, or of none.
  for (bool changed = true; changed;) {
    SmallVector<Operation *> apart;
    for (Operation *load : found)
      for (Operation *pair : load->getUsers())
        if (!llvm::all_of(pair->getOperands(),
                          [&](Value row) { return found.contains(row.getDefiningOp()); }))
          apart.push_back(load);
    for (Operation *load : apart)
      found.erase(load);
    changed = !apart.empty();
  }
  return found;
}

} // namespace weft
