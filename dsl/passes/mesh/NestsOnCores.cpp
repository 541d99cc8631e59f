//===- NestsOnCores.cpp - which nests pay for the cores ------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/mesh/NestsOnCores.h"

#include "passes/loops/BorderedLoop.h"
#include "passes/transfers/Footprint.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

namespace {

/// Operations that a function of the C library stands for, and a division or a root.
constexpr double ofFunction = 64, ofDivision = 32;

/// What one iteration of a loop, or all of it, does.
struct Work {
  double operations = 0;
  double sums = 0; ///< of them those that wait for the one before
};

double operationsOf(Operation &op) {
  if (isa<arith::DivFOp, arith::DivSIOp, arith::RemSIOp, math::SqrtOp>(op))
    return ofDivision;
  bool isFunction =
      isa_and_nonnull<math::MathDialect>(op.getDialect()) &&
      !isa<math::FmaOp, math::AbsFOp, math::AbsIOp, math::CopySignOp, math::FloorOp, math::CeilOp>(
          op);
  return isFunction ? ofFunction : 1;
}

Work workOf(AffineForOp loop) {
  Work work;
  bool isInnermost = true;
  for (Operation &op : *loop.getBody())
    if (auto inner = dyn_cast<AffineForOp>(op)) {
      Work all = workOf(inner);
      work.operations += all.operations;
      work.sums += all.sums;
      isInnermost = false;
    } else {
      work.operations += operationsOf(op);
    }
  if (isInnermost && loop.getNumIterOperands() != 0)
    work.sums += 1;
  auto times = double(affine::getConstantTripCount(loop).value_or(1));
  return {work.operations * times, work.sums * times};
}

/// Bytes of the arrays that a nest touches, as far as it can: those of `seen` as none.
double bytesOf(AffineForOp loop, llvm::SmallPtrSetImpl<void *> *seen) {
  llvm::SmallDenseMap<Value, double> touched;
  loop->walk([&](Operation *op) {
    Value array;
    if (auto load = dyn_cast<affine::AffineReadOpInterface>(op))
      array = load.getMemRef();
    else if (auto store = dyn_cast<affine::AffineWriteOpInterface>(op))
      array = store.getMemRef();
    else if (auto data = dyn_cast<memref::LoadOp>(op))
      array = data.getMemRef();
    if (!array)
      return;
    double times = 1;
    for (auto one = op->getParentOfType<AffineForOp>(); one && loop->isAncestor(one);
         one = one->getParentOfType<AffineForOp>())
      times *= double(affine::getConstantTripCount(one).value_or(1));
    touched[array] += times;
  });
  double bytes = 0;
  for (auto [array, times] : touched) {
    auto type = cast<MemRefType>(array.getType());
    double elements = type.hasStaticShape() ? double(type.getNumElements()) : times;
    if (!seen || seen->insert(array.getAsOpaquePointer()).second)
      bytes += std::min(times, elements) * double(elementBytes(array));
  }
  return bytes;
}

/// The loop, or the outermost of those around it that have a single iteration and nothing else.
AffineForOp wholeOf(AffineForOp loop) {
  for (auto outer = dyn_cast<AffineForOp>(loop->getParentOp());
       outer && affine::getConstantTripCount(outer) == 1 &&
       llvm::hasSingleElement(outer.getBody()->without_terminator());
       outer = dyn_cast<AffineForOp>(loop->getParentOp()))
    loop = outer;
  return loop;
}

double timesOf(AffineForOp loop) {
  double times = 1;
  for (auto outer = loop->getParentOfType<AffineForOp>(); outer;
       outer = outer->getParentOfType<AffineForOp>())
    times *= double(affine::getConstantTripCount(outer).value_or(1));
  return times;
}

} // namespace

StartCosts::StartCosts(const Target &target) {
  auto value = [&](StringRef key) { return double(target.numberIfAny(key).value_or(0)); };
  startCycles = value("start_cycles");
  nestCycles = value("nest_cycles");
  operation = value("mpe_operation_hundredths") / 100;
  sum = value("mpe_sum_cycles");
  byte = value("mpe_byte_hundredths") / 100;
  coreOperation = value("operation_hundredths") / 100;
  double perSecond = value("memory_bytes_per_second");
  coreByte = perSecond == 0 ? 0 : value("clock_hz") / perSecond;
}

void StartCosts::estimate(CoreNest &nest, llvm::SmallPtrSetImpl<void *> &seen) const {
  Work work = workOf(nest.loop);
  double fresh = bytesOf(nest.loop, &seen);
  nest.alone = operation * work.operations + sum * work.sums + byte * fresh;
  // A border is done beside the inside.
  bool isBeside = nest.loop->hasAttr(borderMark);
  nest.together = (isBeside ? 0 : nestCycles) +
                  coreOperation * work.operations / double(nest.parts) +
                  coreByte * bytesOf(nest.loop, nullptr);
}

void chooseNests(MutableArrayRef<CoreNest> nests, const StartCosts &costs) {
  llvm::MapVector<Block *, SmallVector<CoreNest *>> ofBlocks;
  for (CoreNest &nest : nests)
    ofBlocks[wholeOf(nest.loop)->getBlock()].push_back(&nest);
  for (auto &[block, run] : ofBlocks) {
    llvm::SmallPtrSet<void *, 8> seen;
    double alone = 0, together = 0;
    bool pays = false;
    for (CoreNest *nest : run) {
      costs.estimate(*nest, seen);
      alone += nest->alone;
      together += std::min(nest->alone, nest->together);
      pays |= nest->isAsked;
    }
    double times = timesOf(wholeOf(run.front()->loop));
    pays |= alone - together > costs.start() / times;
    auto gains = [](const CoreNest *nest) { return nest->isAsked || nest->together < nest->alone; };
    // What stands between two of them would end a start, and what stands in a loop with them one
    // of the whole loop.
    auto first = times > 1 ? run.begin() : llvm::find_if(run, gains);
    auto last = times > 1 ? run.rbegin() : std::find_if(run.rbegin(), run.rend(), gains);
    for (auto *one = first; pays && one < last.base(); ++one)
      (*one)->isShared = true;
  }
}

} // namespace weft
