//===- Unroll.cpp - short inner loops written out ---------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Copies of a body pay while their values fit the registers together and the code
// stays small; large bodies (a butterfly of radix 8 has about 100 operations) have
// enough work in one copy. The factor divides the number of iterations where it
// can, so that no loop is left for the rest.
//
//===-----------------------------------------------------------------------===//

#include "dialect/Target.h"
#include "passes/Passes.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/Dialect/Affine/LoopUtils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"

namespace weft {
#define GEN_PASS_DEF_UNROLL
#include "passes/Passes.h.inc"
} // namespace weft

using namespace mlir;
using affine::AffineForOp;

namespace {

/// Operations in an unrolled body at most, and iterations of a loop that is written
/// out whole.
constexpr int64_t mostOperations = 64, mostWhole = 4;

/// Vectors of an innermost body.
struct Pressure {
  int64_t within = 0;  ///< values of one iteration alive at the same time, at most
  int64_t outside = 0; ///< values from outside that every iteration needs
};

bool hasVectors(Block &body) {
  return llvm::any_of(body.getOperations(), [](Operation &op) {
    return llvm::any_of(op.getOperandTypes(), llvm::IsaPred<VectorType>);
  });
}

Pressure pressureOf(Block &body) {
  Pressure pressure;
  llvm::DenseSet<Value> alive, outside;
  for (Operation &op : llvm::reverse(body)) {
    for (Value result : op.getResults())
      alive.erase(result);
    for (Value operand : op.getOperands())
      if (isa<VectorType>(operand.getType()))
        (operand.getParentBlock() == &body ? alive : outside).insert(operand);
    pressure.within = std::max<int64_t>(pressure.within, alive.size());
  }
  pressure.outside = outside.size();
  return pressure;
}

class Unroll : public weft::impl::UnrollBase<Unroll> {
public:
  using UnrollBase::UnrollBase;
  void runOnOperation() override;

private:
  int64_t chooseFactor(AffineForOp loop, int64_t trips) const;
  int64_t givenFactor(AffineForOp loop) const;

  int64_t registers = 0, maxUnroll = 1;
};

/// What the kernel's schedule asks for, else the pass's option; 0 where neither does.
int64_t Unroll::givenFactor(AffineForOp loop) const {
  auto kernel = loop->getParentOfType<func::FuncOp>();
  if (auto scheduled = kernel ? kernel->getAttrOfType<IntegerAttr>("weft.unroll") : IntegerAttr())
    return scheduled.getInt();
  return factor;
}

int64_t Unroll::chooseFactor(AffineForOp loop, int64_t trips) const {
  if (int64_t given = givenFactor(loop))
    return std::min<int64_t>(given, trips);
  int64_t operations = llvm::range_size(loop.getBody()->without_terminator());
  if (operations == 0 || operations > mostOperations)
    return 1;
  if (trips <= mostWhole && trips <= maxUnroll && trips * operations <= mostOperations)
    return trips;
  // Copies of a scalar body would only repeat its index arithmetic: the sums that it
  // computes have to stay in order.
  if (!hasVectors(*loop.getBody()))
    return 1;
  Pressure pressure = pressureOf(*loop.getBody());
  int64_t fitting = (registers - pressure.outside) / std::max<int64_t>(pressure.within, 1);
  int64_t most = std::min({maxUnroll, fitting, mostOperations / operations, trips});
  for (int64_t candidate = most; candidate > 1; --candidate)
    if (trips % candidate == 0)
      return candidate;
  // A rest is short beside the whole only in a long loop.
  return most > 1 && trips >= 8 * most ? most : 1;
}

void Unroll::runOnOperation() {
  FailureOr<weft::Target> target = weft::Target::of(getOperation());
  if (failed(target))
    return signalPassFailure();
  FailureOr<int64_t> vectorRegisters = target->number("vector_registers");
  FailureOr<int64_t> most = target->number("max_unroll");
  if (failed(vectorRegisters) || failed(most))
    return signalPassFailure();
  if (factor < 0) {
    getOperation().emitError("unroll: expected a factor of 0 (chosen by cost) or more, found ")
        << factor.getValue();
    return signalPassFailure();
  }
  registers = *vectorRegisters;
  maxUnroll = *most;

  // Inner loops first: one that is written out may leave its parent innermost.
  SmallVector<AffineForOp> loops;
  getOperation()->walk([&](AffineForOp loop) { loops.push_back(loop); });
  for (AffineForOp loop : loops) {
    std::optional<uint64_t> trips = affine::getConstantTripCount(loop);
    if (!trips || *trips == 0 || loop->hasAttr("weft.parallel"))
      continue;
    if (*trips == 1) {
      (void)affine::promoteIfSingleIteration(loop);
      continue;
    }
    bool innermost = llvm::all_of(*loop.getBody(), [](Operation &op) {
      return op.getNumRegions() == 0 && !isa<memref::AllocaOp, memref::AllocOp>(op);
    });
    if (!innermost)
      continue;
    int64_t copies = chooseFactor(loop, *trips);
    // Upstream's loop for the rest confuses carried values that start alike.
    while (loop.getNumIterOperands() > 1 && *trips % copies != 0)
      --copies;
    if (copies == static_cast<int64_t>(*trips))
      (void)affine::loopUnrollFull(loop);
    else if (copies > 1)
      (void)affine::loopUnrollByFactor(loop, copies);
  }
}

} // namespace
