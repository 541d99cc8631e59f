//===- NestsOnCores.cpp - which nests pay for the cores ------------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/mesh/NestsOnCores.h"

#include "dialect/Cpe.h"
#include "passes/loops/BorderedLoop.h"
#include "passes/loops/Functions.h"
#include "passes/mesh/CoreLoops.h"
#include "passes/transfers/Footprint.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

namespace {

/// Operations that a division or a root stands for on the management core.
constexpr double divisionWork = 32;
/// Operations of a nest that goes with its neighbours, be it faster or not: what cores have stored,
/// such as a border of zeros, they may keep.
constexpr double fewestBeside = 512;

/// What one iteration of a loop, or all of it, does.
struct Work {
  double operations = 0;
  double sums = 0; ///< of them those that wait for the one before
};

double operationsOf(Operation &op) {
  if (isa<arith::DivFOp, arith::DivSIOp, arith::RemSIOp, math::SqrtOp>(op))
    return divisionWork;
  return isFunction(op) ? functionWork : 1;
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
  if (isInnermost &&
      llvm::any_of(loop.getResultTypes(), [](Type type) { return !type.isIntOrIndex(); }))
    work.sums += 1;
  auto times = double(affine::getConstantTripCount(loop).value_or(1));
  return {work.operations * times, work.sums * times};
}

/// Bytes of each array that a nest touches.
llvm::SmallMapVector<Value, double, 4> bytesOf(AffineForOp loop) {
  llvm::SmallMapVector<Value, double, 4> bytes;
  loop->walk([&](Operation *op) {
    Value array;
    if (auto load = dyn_cast<affine::AffineReadOpInterface>(op))
      array = load.getMemRef();
    else if (auto store = dyn_cast<affine::AffineWriteOpInterface>(op))
      array = store.getMemRef();
    else if (auto data = dyn_cast<memref::LoadOp>(op))
      array = data.getMemRef();
    else if (auto scattered = dyn_cast<memref::StoreOp>(op))
      array = scattered.getMemRef();
    if (!array)
      return;
    double times = double(elementBytes(array));
    for (auto one = op->getParentOfType<AffineForOp>(); one && loop->isAncestor(one);
         one = one->getParentOfType<AffineForOp>())
      times *= double(affine::getConstantTripCount(one).value_or(1));
    bytes[array] += times;
  });
  for (auto &[array, all] : bytes)
    if (auto type = cast<MemRefType>(array.getType()); type.hasStaticShape())
      all = std::min(all, double(type.getNumElements() * elementBytes(array)));
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

/// What comes before an op, or behind it, with nothing between that does anything.
Operation *opBeside(Operation *op, bool isBehind) {
  do
    op = isBehind ? op->getNextNode() : op->getPrevNode();
  while (op && op->getNumRegions() == 0 && (isMemoryEffectFree(op) || isa<memref::AllocOp>(op)));
  return op;
}

/// Nests in the order in which they run, cut where the cores would end and start again.
class Runs {
public:
  Runs(MutableArrayRef<CoreNest> nests, int64_t cores) : cores(cores) {
    for (CoreNest &nest : nests)
      wholes.insert(wholeOf(nest.loop));
    CoreNest *last = nullptr;
    for (CoreNest &nest : nests) {
      AffineForOp whole = wholeOf(nest.loop);
      auto around = dyn_cast<AffineForOp>(whole->getParentOp());
      AffineForOp before = last ? wholeOf(last->loop) : AffineForOp();
      bool goesOn = last && before->getBlock() == whole->getBlock() &&
                    (opBeside(whole, false) == before || (around && isJoined(around)));
      if (!goesOn)
        runs.emplace_back();
      runs.back().push_back(&nest);
      last = &nest;
    }
  }

  ArrayRef<SmallVector<CoreNest *>> all() const { return runs; }

  /// Whether the cores run just before nests, or just behind them.
  static bool followsStart(ArrayRef<CoreNest *> run) {
    return isa_and_nonnull<cpe::CoresOp>(opBeside(wholeOf(run.front()->loop), false));
  }
  static bool precedesStart(ArrayRef<CoreNest *> run) {
    return isa_and_nonnull<cpe::CoresOp>(opBeside(wholeOf(run.back()->loop), true));
  }

  /// Iterations of the loops around that go to the cores with the nest: for them all there is one
  /// start.
  double times(const CoreNest &nest) {
    double times = 1;
    for (auto around = dyn_cast<AffineForOp>(wholeOf(nest.loop)->getParentOp());
         around && isJoined(around); around = dyn_cast<AffineForOp>(around->getParentOp()))
      times *= double(affine::getConstantTripCount(around).value_or(1));
    return times;
  }

private:
  /// Whether `join-cores` gives a loop to the cores, if they have all nests in it.
  bool isJoined(AffineForOp loop) {
    return coresMayLoop(loop, cores, [&](Operation *op) {
      if (wholes.contains(op))
        return true;
      auto inner = dyn_cast<AffineForOp>(op);
      return inner && inner.getNumIterOperands() == 0 && isJoined(inner);
    });
  }

  int64_t cores;
  llvm::SmallPtrSet<Operation *, 16> wholes;
  SmallVector<SmallVector<CoreNest *>> runs;
};

} // namespace

FailureOr<StartCosts> StartCosts::of(const Target &target) {
  StartCosts costs;
  for (auto [key, value, unit] : {std::tuple("start_cycles", &costs.startCycles, 1.0),
                                  {"nest_cycles", &costs.nestCycles, 1.0},
                                  {"mpe_operation_hundredths", &costs.operation, 0.01},
                                  {"mpe_sum_cycles", &costs.sum, 1.0},
                                  {"mpe_byte_hundredths", &costs.byte, 0.01},
                                  {"operation_hundredths", &costs.coreOperation, 0.01}}) {
    FailureOr<int64_t> number = target.number(key);
    if (failed(number))
      return failure();
    *value = double(*number) * unit;
  }
  costs.haloCycles = double(target.numberIfAny("halo_cycles").value_or(0));
  costs.haloMessage = double(target.numberIfAny("halo_message_cycles").value_or(0));
  costs.collectCycles = double(target.numberIfAny("collect_cycles").value_or(0));
  costs.collectMessage = double(target.numberIfAny("collect_message_cycles").value_or(0));
  FailureOr<int64_t> clock = target.number("clock_hz"),
                     perSecond = target.number("memory_bytes_per_second");
  if (failed(clock) || failed(perSecond))
    return failure();
  costs.coreByte = double(*clock) / double(*perSecond);
  return costs;
}

void StartCosts::estimate(CoreNest &nest, llvm::DenseMap<Value, double> &seen) const {
  Work work = workOf(nest.loop);
  double bytes = 0, fresh = 0;
  for (auto [array, ofArray] : bytesOf(nest.loop)) {
    bytes += ofArray;
    fresh += std::max(ofArray - seen[array], 0.0);
    seen[array] = std::max(ofArray, seen[array]);
  }
  nest.alone = operation * work.operations + sum * work.sums + byte * fresh;
  // A border is done beside the inside.
  bool isBeside = nest.loop->hasAttr(borderMark);
  nest.together = (isBeside ? 0 : nestCycles) +
                  coreOperation * work.operations / double(nest.parts) + coreByte * bytes;
}

double StartCosts::computing(const CoreNest &nest) const {
  return coreOperation * workOf(nest.loop).operations / double(nest.parts);
}

void chooseNests(MutableArrayRef<CoreNest> nests, int64_t cores, const StartCosts &costs) {
  Runs runs(nests, cores);
  for (ArrayRef<CoreNest *> run : runs.all()) {
    llvm::DenseMap<Value, double> seen;
    double saved = 0, times = runs.times(*run.front());
    bool pays = false;
    for (CoreNest *nest : run) {
      nest->times = times;
      nest->beside = run.size();
      costs.estimate(*nest, seen);
      saved += std::max(nest->alone - nest->together, 0.0);
      pays |= nest->isAsked;
    }
    bool isBehind = Runs::followsStart(run), isBefore = Runs::precedesStart(run);
    pays |= saved > (isBehind || isBefore ? 0 : costs.start() / times);
    auto goes = [](const CoreNest *nest) {
      return nest->isAsked || nest->together < nest->alone ||
             workOf(nest->loop).operations >= fewestBeside;
    };
    // What stands between two of them would end a start, and what stands in a loop with them one
    // of the whole loop.
    const auto *first = times > 1 || isBehind ? run.begin() : llvm::find_if(run, goes);
    auto last = times > 1 || isBefore ? run.rbegin() : std::find_if(run.rbegin(), run.rend(), goes);
    for (const auto *one = first; pays && one < last.base(); ++one)
      (*one)->isShared = true;
  }
}

} // namespace weft
