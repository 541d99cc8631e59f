//===- SharedLoads.cpp - turns of a nest that load the same -------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Sums over a window load as much as they compute: nine pixels for nine products. The windows of
// two by two neighbours are 16 pixels together, four a result. Bodies that become one load those
// once, as long as their sums fit the registers. Where 17 channels are two vectors of a loop and
// one behind it, each has the pixels to itself for that: their iterations are independent.
//
//===-----------------------------------------------------------------------===//

#include "passes/loops/SharedLoads.h"

#include "passes/loops/AccessPattern.h"
#include "passes/loops/Pressure.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/Dialect/Affine/LoopUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <functional>
#include <set>
#include <tuple>

using namespace mlir;
using affine::AffineForOp;

namespace weft {

namespace {

/// Of the loads of a turn, what is left must be less than this; turns that go together, at most.
constexpr double mostLeft = 0.75;
constexpr int64_t mostCopies = 4;
/// Turns that a loop still has then, at least: one of a single turn would be gone.
constexpr int64_t fewestTimes = 2;
/// Loops of a nest that are looked at.
constexpr unsigned mostLoops = 3;

/// What a turn of an innermost loop loads.
class Loads {
public:
  /// False where the turns are not of vectors, or one may see what it has stored.
  bool read(Block &body);
  /// Loads a turn where so many turns of each loop go together; what stays the same in all turns
  /// of all loops is loaded before them.
  double each(ArrayRef<AffineForOp> loops, ArrayRef<int64_t> turns);
  /// How many of them the loops do not change.
  int64_t fixed(ArrayRef<AffineForOp> loops);
  int64_t count() const { return loads.size(); }
  int64_t arithmetic = 0; ///< other operations

private:
  bool isFixed(const Access &load, ArrayRef<AffineForOp> loops);

  AddressSpace space;
  SmallVector<Access> loads;
};

bool Loads::read(Block &body) {
  SmallVector<Value> stored;
  for (Operation &op : body.without_terminator()) {
    if (op.hasTrait<OpTrait::ConstantLike>() || isa<affine::AffineApplyOp>(op))
      continue;
    if (isMemoryEffectFree(&op)) {
      if (op.getNumRegions() != 0)
        return false;
      arithmetic += !isa<vector::BroadcastOp>(op);
      continue;
    }
    std::optional<Access> access = Access::ofVector(&op, space);
    if (!access)
      access = Access::ofMasked(&op, space);
    if (!access)
      return false;
    if (access->isStore)
      stored.push_back(access->memref);
    else
      loads.push_back(*access);
  }
  return !stored.empty() && llvm::none_of(loads, [&](const Access &load) {
    return llvm::any_of(stored, [&](Value one) { return mayAlias(one, load.memref); });
  });
}

bool Loads::isFixed(const Access &load, ArrayRef<AffineForOp> loops) {
  return llvm::none_of(loops, [&](AffineForOp loop) {
    AffineExpr variable = space.dim(loop.getInductionVar());
    return load.address.isFunctionOfDim(cast<AffineDimExpr>(variable).getPosition());
  });
}

int64_t Loads::fixed(ArrayRef<AffineForOp> loops) {
  return llvm::count_if(loads, [&](const Access &load) { return isFixed(load, loops); });
}

double Loads::each(ArrayRef<AffineForOp> loops, ArrayRef<int64_t> turns) {
  int64_t copies = 1;
  for (int64_t some : turns)
    copies *= some;
  SmallVector<AffineExpr> variables;
  for (AffineForOp loop : loops)
    variables.push_back(space.dim(loop.getInductionVar()));
  std::set<std::tuple<const void *, const void *, int64_t>> distinct;
  for (const Access &load : loads) {
    if (isFixed(load, loops))
      continue;
    for (int64_t copy = 0; copy < copies; ++copy) {
      DenseMap<AffineExpr, AffineExpr> moved;
      int64_t rest = copy;
      for (auto [loop, variable, some] : llvm::zip_equal(loops, variables, turns)) {
        AffineForOp one = loop;
        moved[variable] = variable + rest % some * one.getStepAsInt();
        rest /= some;
      }
      AffineExpr address =
          simplifyAffineExpr(load.address.replace(moved), space.size(), /*numSymbols=*/0);
      distinct.insert(
          {load.memref.getAsOpaquePointer(), address.getAsOpaquePointer(), load.width()});
    }
  }
  return double(distinct.size()) / double(copies);
}

/// Whether turns of a loop may be taken together with others of it.
bool isOpen(AffineForOp loop) {
  return loop->hasAttr("weft.independent") && !loop->hasAttr("weft.parallel") &&
         loop.getNumIterOperands() == 0 && loop.hasConstantBounds();
}

/// The nest around a loop that has nothing in it but the next one, innermost first.
SmallVector<AffineForOp, 3> nestOf(AffineForOp innermost) {
  SmallVector<AffineForOp, 3> loops;
  AffineForOp loop = innermost;
  while (loop && loops.size() < mostLoops && isOpen(loop)) {
    loops.push_back(loop);
    auto around = dyn_cast<AffineForOp>(loop->getParentOp());
    bool isPerfect = around && llvm::all_of(around.getBody()->without_terminator(), [&](auto &op) {
                       return &op == loop.getOperation() || isMemoryEffectFree(&op);
                     });
    loop = isPerfect ? around : AffineForOp();
  }
  return loops;
}

/// The loop around one that has nothing in it but that one and, behind it, other loops; null where
/// it has something else, or no others.
AffineForOp aroundWithRest(AffineForOp innermost) {
  auto around = dyn_cast<AffineForOp>(innermost->getParentOp());
  if (!around || !isOpen(innermost) || !isOpen(around))
    return {};
  bool isBehind = false;
  int64_t rests = 0;
  for (Operation &op : around.getBody()->without_terminator()) {
    bool isRest = isa<AffineForOp>(op) && op.getNumResults() == 0 && isBehind;
    if (&op != innermost && !isRest && !isMemoryEffectFree(&op))
      return {};
    isBehind |= &op == innermost;
    rests += isRest;
  }
  return rests != 0 ? around : AffineForOp();
}

/// Gives a loop the one around it for itself, in front of that: what is left there is for the loops
/// behind it.
AffineForOp takeApart(AffineForOp innermost) {
  auto around = cast<AffineForOp>(innermost->getParentOp());
  OpBuilder builder(around);
  auto own = AffineForOp::create(builder, around.getLoc(), around.getConstantLowerBound(),
                                 around.getConstantUpperBound(), around.getStepAsInt());
  own->setDiscardableAttrs(around->getDiscardableAttrDictionary());
  own.getInductionVar().setLoc(around.getInductionVar().getLoc());
  IRMapping mapping;
  mapping.map(around.getInductionVar(), own.getInductionVar());
  builder.setInsertionPointToStart(own.getBody());
  for (Operation &op : around.getBody()->without_terminator()) {
    if (&op == innermost)
      break;
    builder.clone(op, mapping);
  }
  innermost->moveBefore(own.getBody()->getTerminator());
  innermost->walk([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands())
      operand.set(mapping.lookupOrDefault(operand.get()));
  });
  return own;
}

} // namespace

std::optional<Together> shareLoads(AffineForOp innermost, int64_t registers) {
  Together best;
  best.loops = nestOf(innermost);
  if (AffineForOp around = aroundWithRest(innermost)) {
    best.loops.push_back(around);
    best.hasRest = true;
  }
  Loads loads;
  if (best.loops.empty() || !loads.read(*innermost.getBody()) || loads.count() < 3)
    return std::nullopt;
  SmallVector<int64_t, 3> turns(best.loops.size(), 1);
  best.turns = turns;
  best.alone = best.shared = loads.each(best.loops, turns);
  Pressure pressure = pressureOf(*innermost.getBody());
  // What stays the same is in registers, or loaded once for the turns that go together.
  int64_t fixed = loads.fixed(best.loops), forAll = pressure.distinct + fixed;
  bool isLoaded = 2 * fixed > registers;
  if (isLoaded) {
    forAll = pressure.distinct;
    best.alone = best.shared += double(fixed);
  }
  // Only what loads bound gains.
  if (best.alone < double(loads.arithmetic) * mostLeft)
    return std::nullopt;
  auto fits = [&](AffineForOp loop, int64_t some) {
    auto trips = static_cast<int64_t>(affine::getConstantTripCount(loop).value_or(0));
    return some == 1 || trips >= fewestTimes * some;
  };
  std::function<void(unsigned, int64_t)> tryFrom = [&](unsigned loop, int64_t copies) {
    if (loop == turns.size()) {
      if (copies * pressure.within + forAll > registers)
        return;
      double each = loads.each(best.loops, turns);
      if (isLoaded)
        each += double(fixed) / double(copies);
      if (each < best.shared) {
        best.shared = each;
        best.turns = turns;
        best.copies = copies;
      }
      return;
    }
    for (int64_t some = 1; copies * some <= mostCopies; ++some) {
      turns[loop] = some;
      if (fits(best.loops[loop], some))
        tryFrom(loop + 1, copies * some);
    }
    turns[loop] = 1;
  };
  tryFrom(0, 1);
  return best.shared < mostLeft * best.alone ? std::optional(best) : std::nullopt;
}

void putTogether(const Together &turns) {
  AffineForOp innermost = turns.loops.front();
  Block *body = innermost.getBody();
  SmallVector<AffineForOp, 3> loops = turns.loops;
  if (turns.hasRest && turns.turns.back() > 1)
    loops.back() = takeApart(innermost);
  // From the outermost loop on: what is left over is a nest of its own then.
  for (unsigned n = loops.size(); n-- > 0;) {
    AffineForOp loop = loops[n];
    auto some = static_cast<uint64_t>(turns.turns[n]);
    if (some > 1)
      (void)(n == 0 ? affine::loopUnrollByFactor(loop, some)
                    : affine::loopUnrollJamByFactor(loop, some));
  }
  SmallVector<Operation *> stores;
  for (Operation &op : body->without_terminator())
    if (!isMemoryEffectFree(&op) && op.getNumResults() == 0)
      stores.push_back(&op);
  for (Operation *store : stores)
    store->moveBefore(body->getTerminator());
}

} // namespace weft
