//===- LaneAnalysis.cpp - which form each value of a lane loop takes --------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/Passes.h"
#include "passes/tensors/Elementwise.h"
#include "passes/tensors/LoopOrder.h"
#include "passes/vectors/LaneBody.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

LaneBody::LaneBody(AffineForOp loop, const VectorUnit &vectorUnit, bool hasFunctions)
    : loop(loop), builder(loop), unit(vectorUnit), hasFunctions(hasFunctions),
      block{loop.getInductionVar(), 0, loop.getConstantLowerBound()} {}

bool LaneBody::refuse(Operation *op, const Twine &reason) {
  why = (reason + " (" + op->getName().getStringRef() + ")").str();
  return false;
}

bool LaneBody::analyse() {
  if (loop.getNumIterOperands() != 0 && !loop->hasAttr("weft.reassociate"))
    return refuse(loop, "it accumulates from one iteration to the next, in order");
  if (!chooseWidth() || !analyseReductions())
    return false;
  count = unit.lanes(width);
  block.lanes = count;
  if (count < 2)
    return refuse(loop, "a vector holds a single element");
  varying.insert(loop.getInductionVar());
  if (!analyseBlock(*loop.getBody(), 1))
    return false;
  if (laneOps > vectorOps)
    return refuse(loop, "most of its operations have no vector form");
  loop->walk([&](Block *inner) { pairStores(*inner); });
  return true;
}

bool LaneBody::mayRepeat() {
  WalkResult walked = loop.getBody()->walk([&](Operation *op) {
    bool fine = isa<AffineForOp>(op) || isMemoryEffectFree(op) || accesses.contains(op);
    return fine ? WalkResult::advance() : WalkResult::interrupt();
  });
  if (walked.wasInterrupted())
    return false;
  for (auto &[op, load] : accesses)
    for (auto &[other, store] : accesses)
      if (!load.isStore && store.isStore && mayAlias(load.memref, store.memref))
        return false;
  return accumulated.empty();
}

bool LaneBody::mayBeMasked(int64_t iterations) {
  return laneOps == 0 && llvm::all_of(accesses, [&](const auto &entry) {
           const Access &access = entry.second;
           std::optional<int64_t> slope = access.slope(block, space);
           Type element = cast<MemRefType>(access.memref.getType()).getElementType();
           if (slope == 0)
             return true;
           if (!(isa<FloatType>(element) || element.isInteger(1)) || access.isData)
             return false;
           return slope == 1 || (slope && !access.isStore && std::abs(*slope) > 1 &&
                                 isPicked(access) && readsWholeVectors(*slope, iterations, count));
         });
}

bool LaneBody::isBetterPlain() {
  if (unit.onlyFloats() || otherWidths == 0 || otherWidths != laneOps || !accumulated.empty())
    return false;
  bool isFlat = llvm::all_of(*loop.getBody(), [&](Operation &op) {
    return op.getNumRegions() == 0 && !isVectorFunction(&op);
  });
  return isFlat && llvm::all_of(accesses, [&](const auto &entry) {
           const Access &access = entry.second;
           std::optional<int64_t> slope = access.slope(block, space);
           // Of truth values that choose it makes branches.
           bool isTruth = cast<MemRefType>(access.memref.getType()).getElementType().isInteger(1);
           return slope == 0 || (slope == 1 && (access.isStore || !isTruth));
         });
}

bool LaneBody::analyseReductions() {
  auto yield = cast<affine::AffineYieldOp>(loop.getBody()->getTerminator());
  for (auto [carried, next] : llvm::zip(loop.getRegionIterArgs(), yield.getOperands())) {
    Operation *combine = next.getDefiningOp();
    if (!combine || combine->getBlock() != loop.getBody() || !next.hasOneUse() ||
        !carried.hasOneUse() || *carried.user_begin() != combine ||
        !Reduction::mayCombine(combine) || carried.getType().isInteger(1) ||
        !hasVectorForm(carried.getType()))
      return refuse(loop, "what it carries from one iteration to the next is not one operation");
    accumulated.push_back({carried, combine});
    varying.insert(carried);
  }
  return true;
}

/// The widest float decides; integers where there are no floats; truth values alone have as many
/// lanes as numbers of 32 bits.
bool LaneBody::chooseWidth() {
  unsigned floats = 0, integers = 0;
  bool hasTruths = false;
  auto note = [&](Type type) {
    hasTruths |= type.isInteger(1);
    if (auto element = dyn_cast<FloatType>(type))
      floats = std::max(floats, element.getWidth());
    else if (auto element = dyn_cast<IntegerType>(type); element && element.getWidth() >= 32)
      integers = std::max(integers, element.getWidth());
  };
  loop->walk([&](Operation *op) {
    llvm::for_each(op->getOperandTypes(), note);
    llvm::for_each(op->getResultTypes(), note);
  });
  width = floats ? floats : integers ? integers : hasTruths && unit.packsTruths ? 32 : 0;
  if (unit.onlyFloats() && !floats)
    return refuse(loop, "the target's vectors have lanes of floats only");
  return width == 32 || width == 64 || refuse(loop, "it handles no numbers of 32 or 64 bits");
}

bool LaneBody::isFull(Type type) const {
  if (unit.onlyFloats())
    return type.isF32() || type.isF64();
  return type.getIntOrFloatBitWidth() == width;
}

bool LaneBody::hasWholeVectors(const Access &access) {
  Type element = cast<MemRefType>(access.memref.getType()).getElementType();
  return isFull(element) || (element.isInteger(1) && unit.packsTruths && !access.isData &&
                             access.slope(block, space) == 1);
}

bool LaneBody::hasVectorForm(Type type) const {
  if (unit.onlyFloats())
    return type.isF32() || type.isF64() || type.isInteger(1);
  return type.isIntOrFloat() && (type.getIntOrFloatBitWidth() == width || type.isInteger(1));
}

bool LaneBody::hasVectorForm(Operation *op) const {
  auto fits = [&](Type type) { return hasVectorForm(type); };
  if (!llvm::all_of(op->getOperandTypes(), fits) || !llvm::all_of(op->getResultTypes(), fits))
    return false;
  if (unit.onlyFloats() && isa<arith::ExtFOp, arith::TruncFOp>(op))
    return true;
  if (unit.onlyFloats() && isa<arith::ExtUIOp, arith::ExtSIOp, arith::SIToFPOp, arith::FPToSIOp,
                               arith::UIToFPOp, arith::CmpIOp, arith::BitcastOp>(op))
    return false;
  // A mask becomes a number by selection; narrow integers have no vector form.
  if (isa<arith::ExtUIOp, arith::ExtSIOp>(op))
    return op->getOperand(0).getType().isInteger(1);
  if (isa<arith::SIToFPOp, arith::FPToSIOp>(op))
    return !op->getOperand(0).getType().isInteger(1) && !op->getResult(0).getType().isInteger(1);
  if (isa<arith::UIToFPOp>(op))
    return op->getOperand(0).getType().isInteger(1);
  if (isa<arith::CmpIOp>(op))
    return !op->getOperand(0).getType().isInteger(1);
  return isLanewise(op) || (hasFunctions && isVectorFunction(op));
}

bool LaneBody::isOfOtherWidth(Operation *op) const {
  auto isNumber = [](Type type) { return type.isIntOrFloat() && !type.isInteger(1); };
  auto isOther = [&](Type type) {
    return isNumber(type) && type.getIntOrFloatBitWidth() >= 32 && !hasVectorForm(type);
  };
  bool isSimple = isLanewise(op) || isa<arith::CmpIOp, arith::ExtFOp, arith::TruncFOp,
                                        arith::ExtSIOp, arith::TruncIOp, arith::SIToFPOp>(op);
  return isSimple && (llvm::any_of(op->getOperandTypes(), isOther) ||
                      llvm::any_of(op->getResultTypes(), isOther));
}

std::optional<int64_t> LaneBody::indexSlope(Value index) {
  SmallVector<Value> operands{index};
  AffineMap map = AffineMap::getMultiDimIdentityMap(1, index.getContext());
  affine::fullyComposeAffineMapAndOperands(&map, &operands);
  if (llvm::any_of(operands,
                   [&](Value operand) { return operand != block.iv && isVarying(operand); }))
    return std::nullopt;
  SmallVector<AffineExpr> dims, symbols;
  for (auto [position, operand] : llvm::enumerate(operands))
    (position < map.getNumDims() ? dims : symbols).push_back(space.dim(operand));
  AffineExpr expr = map.getResult(0).replaceDimsAndSymbols(dims, symbols);
  return slopeOf(expr, space.dim(block.iv), block);
}

bool LaneBody::analyseBlock(Block &body, int64_t times) {
  return llvm::all_of(body.without_terminator(),
                      [&](Operation &op) { return analyseOp(op, times); });
}

bool LaneBody::analyseOp(Operation &op, int64_t times) {
  if (auto inner = dyn_cast<AffineForOp>(op))
    return analyseLoop(inner, times);
  if (op.getNumRegions() != 0)
    return refuse(&op, "control flow inside of it has no vector form");
  std::optional<Access> access = Access::of(&op, space);
  if (!access)
    access = Access::ofData(&op, space);
  // Where an index is other data in each lane, so is the access a lane's own.
  if (access && (!access->isData || !llvm::any_of(access->operands, [&](Value operand) {
        return operand != block.iv && isVarying(operand);
      }))) {
    accesses.insert({&op, *access});
    return analyseAccess(*access, times);
  }
  if (isa<affine::AffineLoadOp, affine::AffineStoreOp>(op))
    return refuse(&op, "a buffer has strides unknown at compile time");
  if (auto store = dyn_cast<memref::StoreOp>(op)) {
    laneOps += times;
    return anyVarying(store.getIndices()) ||
           refuse(&op, "every iteration stores to the same element");
  }
  if (!isMemoryEffectFree(&op) && !isa<memref::LoadOp>(op))
    return refuse(&op, "an operation has effects without a vector form");
  if (!anyVarying(op.getOperands()))
    return true;
  varying.insert_range(op.getResults());
  if (isa<affine::AffineApplyOp, arith::IndexCastOp>(op))
    return true;
  if (op.getNumResults() != 1 ||
      llvm::any_of(op.getResultTypes(), [](Type type) { return !type.isIntOrIndexOrFloat(); }))
    return refuse(&op, "an operation has no form for one lane");
  bool onIndices = op.getResult(0).getType().isIndex();
  (hasVectorForm(&op) ? vectorOps : laneOps) += onIndices ? 0 : times;
  otherWidths += !onIndices && isOfOtherWidth(&op) ? times : 0;
  return true;
}

bool LaneBody::analyseAccess(const Access &access, int64_t times) {
  bool otherIndex = llvm::any_of(
      access.operands, [&](Value operand) { return operand != block.iv && isVarying(operand); });
  if (otherIndex)
    return refuse(access.op, "an index varies in a way that is not affine");
  std::optional<int64_t> slope = access.slope(block, space);
  if (slope == 0 && access.isStore)
    return refuse(access.op, "every iteration stores to the same element");
  if (slope == 0)
    return true;
  if (!access.isStore)
    varying.insert(access.op->getResult(0));
  bool full = hasWholeVectors(access);
  // The C compiler packs those of a plain loop, which takes a quarter of the time of one by one.
  bool isTruth = cast<MemRefType>(access.memref.getType()).getElementType().isInteger(1);
  if (isTruth && access.isStore && slope == 1 && !unit.packsTruths && !unit.onlyFloats())
    return refuse(access.op, "the target does not pack truth values of lanes (packed_truths)");
  bool contiguous =
      slope && (std::abs(*slope) == 1 ||
                (std::abs(*slope) == 2 && (access.complexPart() || isHalfOfPair(access))));
  // What is picked pays for operations on vectors, not by itself.
  if (!full || contiguous || !isPicked(access))
    (full && contiguous ? vectorOps : laneOps) += times;
  otherWidths += !full && !isTruth && !access.isData && slope == 1 ? times : 0;
  return true;
}

/// Whether a store has another one in its block that fills what it leaves out.
bool LaneBody::isHalfOfPair(const Access &access) {
  return access.isStore && !unit.onlyFloats() &&
         llvm::any_of(*access.op->getBlock(), [&](Operation &op) {
           std::optional<Access> other = Access::of(&op, space);
           return other && other->isStore && other->memref == access.memref &&
                  std::abs(distance(access, *other, space).value_or(0)) == 1;
         });
}

bool LaneBody::isPicked(const Access &access) {
  std::optional<int64_t> slope = access.slope(block, space);
  int64_t apart = std::abs(slope.value_or(0));
  if (apart == 2 && access.complexPart())
    return true;
  constexpr int64_t kFewest = 4; // two lanes are loaded as fast one by one
  if (access.isStore || access.isData || apart < 2 || apart > farthestPicked || count < kFewest ||
      unit.onlyFloats())
    return false;
  return access.isAlongOne(block.iv) &&
         cast<MemRefType>(access.memref.getType()).getLayout().isIdentity();
}

bool LaneBody::analyseLoop(AffineForOp inner, int64_t times) {
  if (anyVarying(inner.getLowerBoundOperands()) || anyVarying(inner.getUpperBoundOperands()))
    return refuse(inner, "the bounds of a loop inside of it vary");
  times *= affine::getConstantTripCount(inner).value_or(1);
  auto yield = cast<affine::AffineYieldOp>(inner.getBody()->getTerminator());
  // A carried value varies as soon as its start or its next value does; each round
  // finds at least one more, or is the last.
  int64_t vectorsBefore = vectorOps, lanesBefore = laneOps;
  for (bool changed = true; changed;) {
    changed = false;
    vectorOps = vectorsBefore;
    laneOps = lanesBefore;
    if (!analyseBlock(*inner.getBody(), times))
      return false;
    for (auto [start, carried, next, result] :
         llvm::zip(inner.getInits(), inner.getRegionIterArgs(), yield.getOperands(),
                   inner.getResults())) {
      if (isVarying(carried) || (!isVarying(start) && !isVarying(next)))
        continue;
      if (!hasVectorForm(carried.getType()))
        return refuse(inner, "a carried value has no vector form");
      varying.insert(carried);
      varying.insert(result);
      changed = true;
    }
  }
  return true;
}

/// A store of one complex part, or of each second number, may wait for the store of the other one
/// if nothing between them can see the difference.
void LaneBody::pairStores(Block &body) {
  auto interleaved = [&](Operation &op) -> const Access * {
    auto found = accesses.find(&op);
    if (found == accesses.end() || !found->second.isStore)
      return nullptr;
    const Access &access = found->second;
    bool full = isFull(cast<MemRefType>(access.memref.getType()).getElementType());
    std::optional<int64_t> slope = access.slope(block, space);
    return full && (slope == 2 || slope == -2) ? &access : nullptr;
  };
  for (Operation &op : body) {
    const Access *first = interleaved(op);
    if (!first || completes.contains(&op))
      continue;
    std::optional<int64_t> part = first->complexPart();
    // The other part of the same element; of real numbers a neighbour.
    auto isOther = [&](const Access &second) {
      std::optional<int64_t> by = distance(*first, second, space);
      return second.memref == first->memref && by &&
             (part ? *by == 1 - 2 * *part : std::abs(*by) == 1);
    };
    for (Operation *next = op.getNextNode(); next; next = next->getNextNode()) {
      const Access *second = interleaved(*next);
      if (second && !waitsFor.contains(next) && !completes.contains(next) && isOther(*second)) {
        waitsFor[&op] = next;
        completes[next] = &op;
        break;
      }
      if (isMemoryEffectFree(next))
        continue;
      auto other = accesses.find(next);
      if (other == accesses.end())
        break;
      bool apart = !mayAlias(first->memref, other->second.memref) ||
                   (first->memref == other->second.memref &&
                    distance(*first, other->second, space).value_or(0) != 0);
      if (!apart)
        break;
    }
  }
}

} // namespace weft
