//===- BlockedReduction.cpp - long reductions in blocks ---------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/reductions/BlockedReduction.h"

#include "dialect/Cpe.h"
#include "passes/loops/Functions.h"
#include "passes/vectors/LaneBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

/// A function counts as so many operations against the bounds below.
static constexpr int64_t functionOperations = 16;

std::optional<int64_t> reducedOperations(AffineForOp loop) {
  if (!loop.hasConstantBounds() || loop.getStepAsInt() != 1)
    return std::nullopt;
  int64_t operations = 0;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (auto inner = dyn_cast<AffineForOp>(op)) {
      std::optional<int64_t> all = reducedOperations(inner);
      if (!all)
        return std::nullopt;
      operations += *all;
      continue;
    }
    if (op.getNumRegions() != 0 ||
        !(isMemoryEffectFree(&op) || isa<affine::AffineLoadOp, memref::LoadOp>(op)))
      return std::nullopt;
    operations += isFunction(op) ? functionOperations : 1;
  }
  return operations * (loop.getConstantUpperBound() - loop.getConstantLowerBound());
}

Operation *freeCombiner(AffineForOp loop, unsigned number, bool isMarked) {
  Value carried = loop.getRegionIterArgs()[number];
  Value next = loop.getBody()->getTerminator()->getOperand(number);
  Operation *made = next.getDefiningOp();
  if (!made || made->getBlock() != loop.getBody() || !next.hasOneUse() || !carried.hasOneUse() ||
      *carried.user_begin() != made)
    return nullptr;
  if (auto inner = dyn_cast<AffineForOp>(made)) {
    unsigned result = cast<OpResult>(next).getResultNumber();
    return inner.getInits()[result] == carried ? freeCombiner(inner, result, isMarked) : nullptr;
  }
  bool isFree = !isMarked || loop->hasAttr("weft.reassociate");
  return isFree && Reduction::mayCombine(made) ? made : nullptr;
}

AffineForOp
combineBlocks(OpBuilder &builder, Location where, ValueRange inits, ArrayRef<Reduction> reductions,
              int64_t blocks, ArrayRef<Value> arrays,
              llvm::function_ref<std::pair<AffineMap, SmallVector<Value>>(Value)> place) {
  return AffineForOp::create(
      builder, where, 0, blocks, 1, inits,
      [&](OpBuilder &inside, Location, Value block, ValueRange carried) {
        auto [map, operands] = place(block);
        SmallVector<Value> next;
        for (auto [reduction, array, before] : llvm::zip(reductions, arrays, carried)) {
          Value one = affine::AffineLoadOp::create(inside, where, array, map, operands);
          next.push_back(reduction.combined(inside, before, one));
        }
        affine::AffineYieldOp::create(inside, where, next);
      });
}

namespace {

/// When a sharing pays.
struct Bounds {
  int64_t granule;      ///< iterations of a block are so many times some: whole vectors
  int64_t fewest;       ///< operations of all iterations
  int64_t fewestInLoop; ///< the same in a loop, over time say, which cores may run as a whole
};

constexpr Bounds boundsOf(Sharing sharing) {
  return sharing == Sharing::Cores ? Bounds{8, 1 << 11, 1 << 15} : Bounds{128, 1 << 19, 1 << 19};
}

/// Blocks that are equally long and lie one behind the other in the results of all.
struct Blocks {
  int64_t first; ///< iteration
  int64_t each, count;
  int64_t at; ///< the place of the first one's result
};

class BlockedReduction {
public:
  BlockedReduction(AffineForOp loop, Sharing sharing)
      : loop(loop), sharing(sharing), builder(loop) {}

  bool analyse();
  void rewrite();
  Location where() { return loop.getLoc(); }
  std::string name() { return spokenLoop(loop.getInductionVar()); }
  int64_t blocks() const { return rows() * cutting.front().count; }
  int64_t iterationsOfBlock() const { return cutting.front().each; }
  /// Once it is rewritten: what makes the blocks, and what combines them.
  ArrayRef<Operation *> made() const { return making; }
  AffineForOp combining() const { return combined; }
  /// The blocks of what is left, which the management core may do, or null.
  Operation *left() const { return cutting.size() > 1 ? making.back() : nullptr; }

private:
  int64_t fewestOperations() {
    Bounds bounds = boundsOf(sharing);
    return loop->getParentOfType<AffineForOp>() ? bounds.fewestInLoop : bounds.fewest;
  }
  static int64_t tripsOf(AffineForOp one) {
    return one.getConstantUpperBound() - one.getConstantLowerBound();
  }
  int64_t rows() const { return row ? tripsOf(loop) : 1; }
  AffineForOp rowToCut();
  int64_t lengthOf(AffineForOp cut, int64_t most);
  bool cutIn(AffineForOp cut, int64_t most);
  ValueRange emitLoop(const Blocks &ours, ValueRange inits, ValueRange outer);
  ValueRange emitRow(const Blocks &ours, ValueRange inits, ValueRange outer);
  void emitBlocks(const Blocks &ours, ArrayRef<Value> arrays, ValueRange neutral);

  AffineForOp loop;
  AffineForOp row; ///< the loop in it that is cut, where its own iterations are too few
  Sharing sharing;
  OpBuilder builder;
  SmallVector<Reduction> reductions;
  SmallVector<Blocks> cutting; ///< into the blocks, and what is left behind them
  SmallVector<Operation *> making;
  AffineForOp combined;
};

bool isNest(AffineForOp loop) { return !loop.getBody()->getOps<AffineForOp>().empty(); }

/// Of few rows for many cores: the loop along a row, where that goes on with all that the loop over
/// them carries.
AffineForOp BlockedReduction::rowToCut() {
  if (sharing != Sharing::Cores || !isNest(loop) || 2 * tripsOf(loop) > reductionBlocks)
    return {};
  auto inner = *loop.getBody()->getOps<AffineForOp>().begin();
  bool goesOn = llvm::hasSingleElement(loop.getBody()->getOps<AffineForOp>()) &&
                inner.getStepAsInt() == 1 && inner.hasConstantBounds() &&
                llvm::equal(inner.getInits(), loop.getRegionIterArgs()) &&
                llvm::equal(inner.getResults(), loop.getBody()->getTerminator()->getOperands());
  return goesOn ? inner : AffineForOp();
}

/// One of two lengths, by what the longest block and what is left behind the last one take
/// together. Rows that are left are blocks of their own for cores: 127 of them are 64 blocks and 63
/// more, 100 are 50 blocks of 2.
int64_t BlockedReduction::lengthOf(AffineForOp cut, int64_t most) {
  bool rowsLeft = sharing == Sharing::Cores && isNest(cut);
  int64_t granule = isNest(cut) ? 1 : boundsOf(sharing).granule, trips = tripsOf(cut);
  int64_t shorter = trips / most / granule * granule, longer = shorter + granule;
  auto cost = [&](int64_t each, int64_t left) {
    return each + (rowsLeft ? std::min<int64_t>(left, 1) : left);
  };
  return shorter != 0 && cost(shorter, trips - most * shorter) < cost(longer, trips % longer)
             ? shorter
             : longer;
}

/// The blocks of a loop, `most` at most, and of what is left behind them.
bool BlockedReduction::cutIn(AffineForOp cut, int64_t most) {
  int64_t trips = tripsOf(cut), first = cut.getConstantLowerBound();
  int64_t each = lengthOf(cut, most), count = std::min(most, trips / each);
  int64_t left = trips - count * each;
  if (count < 2 && !row)
    return false;
  cutting = {{first, each, count, 0}};
  if (left != 0 && isNest(cut))
    cutting.push_back({first + count * each, 1, left, rows() * count});
  else if (left != 0)
    cutting.push_back({first + count * each, left, 1, rows() * count});
  return true;
}

bool BlockedReduction::analyse() {
  if (loop.getNumIterOperands() == 0)
    return false;
  for (Operation *around = loop->getParentOp(); around; around = around->getParentOp())
    if (around->hasAttr("weft.independent"))
      return false;
  std::optional<int64_t> operations = reducedOperations(loop);
  if (!operations || *operations < fewestOperations())
    return false;
  for (auto [number, carried] : llvm::enumerate(loop.getRegionIterArgs())) {
    // Long reductions to one number are blocks for cores however their data lies.
    Operation *combine = freeCombiner(loop, number, sharing == Sharing::Threads);
    if (!combine)
      return false;
    reductions.push_back({carried, combine});
  }
  row = rowToCut();
  if (row && cutIn(row, reductionBlocks / tripsOf(loop)) && cutting.front().count > 1)
    return true;
  row = {};
  // Few rows, each of which may become blocks by itself, are none together.
  int64_t trips = tripsOf(loop);
  bool mayBeFew =
      sharing == Sharing::Cores && isNest(loop) &&
      (2 * trips > reductionBlocks || *operations / trips < boundsOf(sharing).fewestInLoop);
  if (trips < reductionBlocks && !mayBeFew)
    return false;
  return cutIn(loop, reductionBlocks);
}

/// The loop once more over the iterations of a block, whose number `outer` is, if it has one.
ValueRange BlockedReduction::emitLoop(const Blocks &ours, ValueRange inits, ValueRange outer) {
  int64_t lower = outer.empty() ? ours.first : 0;
  auto part = AffineForOp::create(builder, loop.getLoc(), lower, lower + ours.each, 1, inits,
                                  [](OpBuilder &, Location, Value, ValueRange) {});
  part->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  part.getInductionVar().setLoc(loop.getInductionVar().getLoc());
  OpBuilder inside = OpBuilder::atBlockBegin(part.getBody());
  AffineMap place = inside.getDimIdentityMap();
  if (!outer.empty())
    place = AffineMap::get(
        2, 0, inside.getAffineDimExpr(0) * ours.each + inside.getAffineDimExpr(1) + ours.first);
  SmallVector<Value> operands(outer);
  operands.push_back(part.getInductionVar());
  IRMapping mapping;
  mapping.map(loop.getInductionVar(),
              affine::AffineApplyOp::create(inside, loop.getLoc(), place, operands).getResult());
  mapping.map(loop.getRegionIterArgs(), part.getRegionIterArgs());
  for (Operation &op : *loop.getBody())
    inside.clone(op, mapping);
  return part.getResults();
}

/// One row once more over the iterations of a block: `outer` are the row and the block's number.
ValueRange BlockedReduction::emitRow(const Blocks &ours, ValueRange inits, ValueRange outer) {
  Location where = loop.getLoc();
  IRMapping mapping;
  AffineMap ofRow =
      AffineMap::get(1, 0, builder.getAffineDimExpr(0) + loop.getConstantLowerBound());
  mapping.map(loop.getInductionVar(),
              affine::AffineApplyOp::create(builder, where, ofRow, outer.front()).getResult());
  for (auto [carried, init] : llvm::zip(loop.getRegionIterArgs(), inits))
    mapping.map(carried, init);
  for (Operation &op : loop.getBody()->without_terminator())
    builder.clone(op, mapping);
  auto part = cast<AffineForOp>(mapping.lookup(row->getResult(0)).getDefiningOp());
  part.setConstantLowerBound(0);
  part.setConstantUpperBound(ours.each);
  OpBuilder inside = OpBuilder::atBlockBegin(part.getBody());
  AffineMap place = AffineMap::get(
      2, 0, inside.getAffineDimExpr(0) * ours.each + inside.getAffineDimExpr(1) + ours.first);
  auto apply = affine::AffineApplyOp::create(inside, where, place,
                                             ValueRange{outer.back(), part.getInductionVar()});
  part.getInductionVar().replaceAllUsesExcept(apply, apply);
  return part.getResults();
}

/// What each block comes to, in an array for each number that the loop carries.
void BlockedReduction::emitBlocks(const Blocks &ours, ArrayRef<Value> arrays, ValueRange neutral) {
  Location where = loop.getLoc();
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Value> outer;
  auto share = [&](int64_t iterations) {
    auto shared = AffineForOp::create(builder, where, 0, iterations);
    shared->setAttr("weft.independent", builder.getUnitAttr());
    builder.setInsertionPointToStart(shared.getBody());
    outer.push_back(shared.getInductionVar());
  };
  if (row)
    share(rows());
  share(ours.count);
  ValueRange results = row ? emitRow(ours, neutral, outer) : emitLoop(ours, neutral, outer);
  AffineExpr at = builder.getAffineDimExpr(outer.size() - 1);
  if (row)
    at = builder.getAffineDimExpr(0) * ours.count + at;
  AffineMap place = AffineMap::get(outer.size(), 0, at + ours.at);
  for (auto [result, array] : llvm::zip(results, arrays))
    affine::AffineStoreOp::create(builder, where, result, array, place, outer);
}

void BlockedReduction::rewrite() {
  Location where = loop.getLoc();
  Operation *before = loop->getPrevNode();
  // What is left is done by the thread that combines the others, or else by a core.
  bool sharesLeft = sharing == Sharing::Cores;
  ArrayRef<Blocks> shared = ArrayRef(cutting).take_front(sharesLeft ? cutting.size() : 1);
  int64_t all = shared.back().at + rows() * shared.back().count;
  SmallVector<Value> arrays, neutral;
  for (const Reduction &reduction : reductions) {
    auto type = MemRefType::get({all}, reduction.carried.getType());
    // What cores pass on lies in main memory.
    arrays.push_back(sharesLeft ? memref::AllocOp::create(builder, where, type).getResult()
                                : memref::AllocaOp::create(builder, where, type).getResult());
    neutral.push_back(arith::ConstantOp::create(builder, where, reduction.neutral(builder)));
  }
  for (const Blocks &ours : shared)
    emitBlocks(ours, arrays, neutral);
  Block *block = loop->getBlock();
  for (auto op = before ? std::next(before->getIterator()) : block->begin();
       op != loop->getIterator(); ++op)
    making.push_back(&*op);
  combined =
      combineBlocks(builder, where, loop.getInits(), reductions, all, arrays, [&](Value block) {
        return std::make_pair(builder.getDimIdentityMap(), SmallVector<Value>{block});
      });
  SmallVector<Value> totals = llvm::to_vector_of<Value>(combined.getResults());
  for (Blocks left : ArrayRef(cutting).drop_front(shared.size())) {
    left.each *= left.count;
    totals = llvm::to_vector_of<Value>(emitLoop(left, totals, {}));
  }
  loop->replaceAllUsesWith(totals);
  loop.erase();
}

/// The array that a view shows a part of.
Value wholeOf(Value array) {
  while (auto view = array.getDefiningOp<ViewLikeOpInterface>())
    array = view.getViewSource();
  return array;
}

/// The arrays that ops access; nothing where something else than loads and stores has effects.
std::optional<llvm::SmallDenseSet<Value>> accessed(ArrayRef<Operation *> ops, bool onlyStored) {
  llvm::SmallDenseSet<Value> arrays;
  for (Operation *op : ops) {
    bool isPlain = true;
    op->walk([&](Operation *one) {
      if (auto store = dyn_cast<affine::AffineStoreOp>(one))
        arrays.insert(wholeOf(store.getMemRef()));
      else if (auto data = dyn_cast<memref::StoreOp>(one))
        arrays.insert(wholeOf(data.getMemRef()));
      else if (auto load = dyn_cast<affine::AffineLoadOp>(one))
        onlyStored ? (void)0 : (void)arrays.insert(wholeOf(load.getMemRef()));
      else if (auto read = dyn_cast<memref::LoadOp>(one))
        onlyStored ? (void)0 : (void)arrays.insert(wholeOf(read.getMemRef()));
      else
        isPlain &= one->getNumRegions() != 0 || isa<memref::AllocOp>(one) || isPure(one) ||
                   one->hasTrait<OpTrait::IsTerminator>();
    });
    if (!isPlain)
      return std::nullopt;
  }
  return arrays;
}

/// Blocks of one reduction go before what combines those of another one, so that cores have one
/// start for both. `place`: what stands behind the blocks of the others.
bool moveBefore(ArrayRef<Operation *> making, Operation *place) {
  SmallVector<Operation *> between;
  for (Operation *op = place; op != making.front(); op = op->getNextNode())
    between.push_back(op);
  llvm::SmallPtrSet<Operation *, 16> known(between.begin(), between.end());
  for (Operation *op : making) {
    WalkResult uses = op->walk([&](Operation *one) {
      return llvm::any_of(one->getOperands(),
                          [&](Value value) { return known.contains(value.getDefiningOp()); })
                 ? WalkResult::interrupt()
                 : WalkResult::advance();
    });
    if (uses.wasInterrupted())
      return false;
  }
  auto stored = accessed(between, true), read = accessed(making, false);
  if (!stored || !read || llvm::any_of(*stored, [&](Value array) { return read->contains(array); }))
    return false;
  for (Operation *op : making)
    op->moveBefore(place);
  return true;
}

} // namespace

void reduceInBlocks(Operation *root, Sharing sharing, const Notes &notes) {
  std::vector<BlockedReduction> found;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<cpe::CoresOp>(op))
      return WalkResult::skip(); // shared out already
    auto loop = dyn_cast<AffineForOp>(op);
    if (!loop)
      return WalkResult::advance();
    BlockedReduction reduction(loop, sharing);
    if (!reduction.analyse())
      return WalkResult::advance();
    found.push_back(std::move(reduction));
    return WalkResult::skip(); // the loops in it are the blocks' own
  });
  for (BlockedReduction &reduction : found) {
    notes
        .decided(reduction.where(), "{0}: in blocks, which {1} share", reduction.name(),
                 sharing == Sharing::Cores ? "cores" : "threads")
        .because("{0} blocks of {1} iterations each", reduction.blocks(),
                 reduction.iterationsOfBlock())
        .number("blocks", reduction.blocks());
    reduction.rewrite();
  }
  if (sharing == Sharing::Threads)
    return;
  Operation *place = nullptr;
  for (BlockedReduction &reduction : found) {
    Operation *combining = reduction.combining(), *left = reduction.left();
    bool isBehind = place && place->getBlock() == combining->getBlock();
    if (!isBehind || !moveBefore(reduction.made(), place))
      place = left ? left : combining;
    else if (left)
      place = left;
  }
}

} // namespace weft
