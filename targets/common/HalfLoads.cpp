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

namespace {

/// So many shuffles for each operation on numbers, and shuffles are what a block waits for: they
/// have one port, which operations share with one other. 40 points of c64, with 1.0, run 1.08 times
/// as fast in halves, 16 points whose results are stored as they are, with 0.6, 0.92 times.
constexpr double shufflesEach = 0.8;

/// A block of a loop's body, or of a function: what stands in it, and where memory is written next.
class Body {
public:
  explicit Body(Block &block) {
    SmallVector<Operation *> ops = llvm::map_to_vector(block, [](Operation &op) { return &op; });
    unsigned next = ops.size();
    for (unsigned n = ops.size(); n-- > 0;) {
      Operation *op = ops[n];
      if (!isMemoryEffectFree(op) && !hasSingleEffect<MemoryEffects::Read>(op))
        next = n;
      places[op] = {n, next};
      // Loops in it may be shared by threads, which wait for each other's loads.
      hasLoops |= op->getNumRegions() > 0;
      shuffles += isa<vector::ShuffleOp>(op);
      operations += op->getNumOperands() > 1 && op->getNumResults() == 1 &&
                    isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) &&
                    isa<VectorType>(op->getResult(0).getType());
    }
  }

  /// Not what only moves: it waits for memory, which halves touch twice.
  bool waitsForShuffles() const {
    return !hasLoops && operations > 0 && double(shuffles) > shufflesEach * double(operations);
  }

  bool hasOnlyHalves(affine::AffineVectorLoadOp load) const {
    unsigned count[2] = {};
    for (Operation *user : load->getUsers()) {
      auto pair = dyn_cast<vector::ShuffleOp>(user);
      std::optional<bool> upper = pair ? upperHalves(pair.getMask()) : std::nullopt;
      if (!upper || ++count[*upper] > 1 || !isOfLoads(pair))
        return false;
    }
    return count[0] + count[1] > 0;
  }

private:
  /// A pair of halves that stands for its two loads: memory is as it was for them.
  bool isOfLoads(vector::ShuffleOp pair) const {
    auto place = places.find(pair);
    return place != places.end() && llvm::all_of(pair->getOperands(), [&](Value row) {
             auto load = row.getDefiningOp<affine::AffineVectorLoadOp>();
             auto from = load ? places.find(load) : places.end();
             return from != places.end() && row.getType() == pair.getType() &&
                    from->second.nextWrite > place->second.number;
           });
  }

  struct Place {
    unsigned number = 0, nextWrite = 0;
  };
  llvm::DenseMap<Operation *, Place> places;
  int64_t shuffles = 0, operations = 0;
  bool hasLoops = false;
};

} // namespace

llvm::DenseSet<Operation *> loadsInHalves(func::FuncOp func, const Intrinsics &intrinsics) {
  llvm::DenseSet<Operation *> found;
  llvm::DenseMap<Block *, std::unique_ptr<Body>> bodies;
  llvm::DenseMap<Type, bool> hasEntry;
  func.walk([&](affine::AffineVectorLoadOp load) {
    auto [entry, isNewType] = hasEntry.try_emplace(load.getVectorType());
    if (isNewType) {
      std::string from = typeKey(load.getMemRefType().getElementType()) + "*";
      entry->second = intrinsics.find("affine.vector_load:halves",
                                      from + ", " + from + " -> " + typeKey(load.getVectorType()));
    }
    if (!entry->second)
      return;
    auto [body, isNew] = bodies.try_emplace(load->getBlock());
    if (isNew)
      body->second = std::make_unique<Body>(*load->getBlock());
    if (body->second->waitsForShuffles() && body->second->hasOnlyHalves(load))
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
