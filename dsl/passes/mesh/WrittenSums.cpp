//===- WrittenSums.cpp - small nests of a loop over time, written out ------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// A gradient, or the means of clusters: a few sums over all rows of fields. As numbers, every core
// has them; the loop of the sums goes over its own rows, and cores add what they have. All sums of
// a nest are one loop, so that cores meet once for four of them.
//
//===-----------------------------------------------------------------------===//

#include "passes/mesh/WrittenSums.h"

#include "passes/loops/LoopIndices.h"
#include "passes/mesh/CoreLoops.h"
#include "passes/mesh/FieldNests.h"
#include "passes/transfers/Footprint.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

namespace {

class SmallNest {
public:
  explicit SmallNest(AffineForOp root) : root(root) {}
  bool fits(int64_t mostElements);
  void writeOut();

private:
  bool isSmall(Operation *store, int64_t mostElements) const;
  void writeOutLoop(OpBuilder &builder, AffineForOp loop, MutableArrayRef<IRMapping> points) const;

  AffineForOp root;
  SmallVector<AffineForOp> loops; ///< of independent iterations, one in the other
  int64_t points = 1;
};

bool SmallNest::isSmall(Operation *store, int64_t mostElements) const {
  auto type = cast<MemRefType>(arrayOf(store).getType());
  return type.hasStaticShape() && type.getNumElements() <= mostElements;
}

bool SmallNest::fits(int64_t mostElements) {
  loops = rowLoopsOf(root);
  for (AffineForOp loop : loops)
    points *= tripsOf(loop);
  if (loops.empty() || points < 1 || points > mostElements)
    return false;
  int64_t stores = 0;
  for (Operation &op : loops.back().getBody()->without_terminator()) {
    if (auto sum = dyn_cast<AffineForOp>(op)) {
      if (!combinedOverCores(sum))
        return false;
    } else if (isa<affine::AffineStoreOp>(op)) {
      if (!isSmall(&op, mostElements))
        return false;
      ++stores;
    } else if (op.getNumRegions() != 0 ||
               !(isMemoryEffectFree(&op) || isa<affine::AffineLoadOp>(op))) {
      return false;
    }
  }
  return stores != 0;
}

/// One loop for the sums of all iterations.
void SmallNest::writeOutLoop(OpBuilder &builder, AffineForOp loop,
                             MutableArrayRef<IRMapping> points) const {
  SmallVector<Value> inits, sums;
  for (IRMapping &point : points)
    for (Value init : loop.getInits())
      inits.push_back(point.lookupOrDefault(init));
  auto all = AffineForOp::create(builder, loop.getLoc(), loop.getConstantLowerBound(),
                                 loop.getConstantUpperBound(), loop.getStepAsInt(), inits);
  all.getInductionVar().setLoc(loop.getInductionVar().getLoc());
  OpBuilder inside = OpBuilder::atBlockEnd(all.getBody());
  size_t each = loop.getNumIterOperands(), first = 0;
  for (IRMapping &point : points) {
    IRMapping mapping = point;
    mapping.map(loop.getInductionVar(), all.getInductionVar());
    mapping.map(loop.getRegionIterArgs(), all.getRegionIterArgs().slice(first, each));
    for (Operation &op : loop.getBody()->without_terminator())
      inside.clone(op, mapping);
    for (Value sum : loop.getBody()->getTerminator()->getOperands())
      sums.push_back(mapping.lookupOrDefault(sum));
    point.map(loop.getResults(), all.getResults().slice(first, each));
    first += each;
  }
  affine::AffineYieldOp::create(inside, loop.getLoc(), sums);
}

void SmallNest::writeOut() {
  OpBuilder builder(root);
  SmallVector<IRMapping> all(points);
  for (auto [number, point] : llvm::enumerate(all)) {
    auto rest = static_cast<int64_t>(number);
    for (AffineForOp loop : llvm::reverse(loops)) {
      int64_t trips = tripsOf(loop);
      int64_t at = loop.getConstantLowerBound() + rest % trips;
      rest /= trips;
      point.map(loop.getInductionVar(),
                arith::ConstantIndexOp::create(builder, loop.getLoc(), at).getResult());
    }
  }
  for (Operation &op : loops.back().getBody()->without_terminator()) {
    if (auto sum = dyn_cast<AffineForOp>(op)) {
      writeOutLoop(builder, sum, all);
      continue;
    }
    for (IRMapping &point : all)
      builder.clone(op, point);
  }
  root.erase();
}

/// Accesses under another shape that differs by dimensions of one element are to the array itself.
void dropViews(AffineForOp time) {
  SmallVector<Operation *> accesses;
  time->walk([&](Operation *op) {
    if (isa<affine::AffineLoadOp, affine::AffineStoreOp>(op) &&
        arrayOf(op).getDefiningOp<memref::ReinterpretCastOp>())
      accesses.push_back(op);
  });
  for (Operation *access : accesses) {
    Value view = arrayOf(access), array = wholeArrayOf(view);
    if (!array)
      continue;
    auto isOne = [](int64_t extent) { return extent == 1; };
    ArrayRef<int64_t> seen = cast<MemRefType>(view.getType()).getShape(),
                      extents = cast<MemRefType>(array.getType()).getShape();
    SmallVector<int64_t> ofView(llvm::make_filter_range(seen, std::not_fn(isOne))),
        ofArray(llvm::make_filter_range(extents, std::not_fn(isOne)));
    if (ofView != ofArray)
      continue;
    auto [map, operands] = indicesOf(access);
    SmallVector<AffineExpr> own, indices;
    for (auto [index, extent] : llvm::zip_equal(map.getResults(), seen))
      if (!isOne(extent))
        own.push_back(index);
    size_t next = 0;
    for (int64_t extent : extents)
      indices.push_back(isOne(extent) ? getAffineConstantExpr(0, map.getContext()) : own[next++]);
    map = AffineMap::get(operands.size(), 0, indices, map.getContext());
    OpBuilder builder(access);
    if (auto load = dyn_cast<affine::AffineLoadOp>(access))
      load.replaceAllUsesWith(
          affine::AffineLoadOp::create(builder, load.getLoc(), array, map, operands).getResult());
    else
      affine::AffineStoreOp::create(builder, access->getLoc(),
                                    cast<affine::AffineStoreOp>(access).getValueToStore(), array,
                                    map, operands);
    access->erase();
  }
  SmallVector<memref::ReinterpretCastOp> views(time.getBody()->getOps<memref::ReinterpretCastOp>());
  for (memref::ReinterpretCastOp view : llvm::reverse(views))
    if (view->use_empty())
      view->erase();
}

} // namespace

bool writeOutSums(AffineForOp time, int64_t mostElements, function_ref<void(AffineForOp)> told) {
  dropViews(time);
  SmallVector<AffineForOp> roots(time.getBody()->getOps<AffineForOp>());
  bool isAny = false;
  for (AffineForOp root : roots) {
    SmallNest nest(root);
    if (!nest.fits(mostElements))
      continue;
    told(root);
    nest.writeOut();
    isAny = true;
  }
  return isAny;
}

} // namespace weft
