//===- KeepSlices.cpp - slices that pass between nests, in memory of their own --===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Nests that `join-nests` has joined pass a slice at a time from one to the next: a plane is
// transformed along x, then along y. As whole tensors the steps have the memory of the result,
// each in the place of the one before. So a line of the result is brought from memory for the first
// step, which only writes it, and the caches are full of what has been written. Slices that all
// have the same memory, as much as one of them takes, stay in the cache from the first to the last;
// the result is written once, by the last step, which may then store past the caches.
//
// Legal where the first nests fill the whole slice, so that nobody sees what was there before, and
// the last nest that stores there fills it, too, and reads nothing that it has stored itself: it
// goes on reading the slice, and stores in the array. An array that nobody else touches is its
// slices' memory alone.
//
//===-----------------------------------------------------------------------===//

#include "dialect/Target.h"
#include "passes/Notes.h"
#include "passes/Passes.h"
#include "passes/loops/AccessPattern.h"
#include "passes/loops/BeyondCaches.h"
#include "passes/loops/Buffers.h"
#include "passes/transfers/PlacedValues.h"
#include "passes/transfers/StoredBoxes.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/SetVector.h"

namespace weft {
#define GEN_PASS_DEF_KEEPSLICES
#include "passes/Passes.h.inc"
} // namespace weft

using namespace mlir;
using namespace weft;
using affine::AffineForOp;

namespace {

constexpr Notes notes("keep-slices");

bool isLoad(Operation *op) { return isa<affine::AffineLoadOp>(op); }
bool isStore(Operation *op) { return isa<affine::AffineStoreOp>(op); }

/// The ops of a block that touch an array, or in which one does.
SmallVector<Operation *> touchersOf(Block &block, Value array) {
  SmallVector<Operation *> found;
  for (Operation &op : block)
    if (op.walk([&](Operation *inside) {
            return touches(inside, array) ? WalkResult::interrupt() : WalkResult::advance();
          }).wasInterrupted())
      found.push_back(&op);
  return found;
}

/// Whether an op reads no element of the array that it has stored itself.
bool readsBeforeStores(Operation *op, Value array) {
  if (!loadsIn(op, array) || !storesIn(op, array))
    return true;
  auto loop = dyn_cast<AffineForOp>(op);
  if (!loop || (!loop->hasAttr("weft.independent") && affine::getConstantTripCount(loop) != 1))
    return false;
  SmallVector<Operation *> inside = touchersOf(*loop.getBody(), array);
  if (inside.size() == 1)
    return readsBeforeStores(inside.front(), array);
  bool stored = false;
  return llvm::all_of(inside, [&](Operation *one) {
    bool loads = loadsIn(one, array), stores = storesIn(one, array);
    bool fine = !loads || (!stores && !stored);
    stored |= stores;
    return fine;
  });
}

/// A loop over slices, and an array of which its iterations touch their own slice alone.
class Slices {
public:
  Slices(AffineForOp loop, Value array)
      : loop(loop), array(array), type(cast<MemRefType>(array.getType())) {}

  /// Whether the slice may lie elsewhere.
  bool find();
  void keep();

  int64_t bytes() const { return bytesOf(type); }
  int64_t sliceBytes() const { return bytesOf(sliceOf(type)); }
  /// Whether nobody else touches the array.
  bool isAlone() const { return alone; }

private:
  bool findOwn();
  bool endsWhole();
  MemRefType sliceOf(MemRefType whole) const;

  AffineForOp loop;
  Value array;
  MemRefType type;
  SmallVector<AffineForOp> nests; ///< in the loop, that touch it
  /// By dimension: the variable that is its index wherever the loop touches the array, the loop's
  /// or that of one around it; null where there is none.
  SmallVector<Value> own;
  SmallVector<Operation *> kept; ///< accesses of the slice
  bool alone = false;
};

/// All accesses are plain ones, of nests in the loop, and of its own slice.
bool Slices::findOwn() {
  for (Operation *op : touchersOf(*loop.getBody(), array)) {
    auto nest = dyn_cast<AffineForOp>(op);
    if (!nest)
      return false;
    nests.push_back(nest);
  }
  // Within an iteration, variables of loops around it do not vary either.
  auto isFixed = [&](Value variable) {
    AffineForOp of = affine::getForInductionVarOwner(variable);
    return of && of->isAncestor(loop);
  };
  bool isFirst = true;
  own.assign(type.getRank(), Value());
  bool plain =
      !loop->walk([&](Operation *op) {
             if (!touches(op, array))
               return WalkResult::advance();
             if (!isLoad(op) && !isStore(op))
               return WalkResult::interrupt();
             AddressSpace space;
             std::optional<Access> access = Access::of(op, space);
             std::optional<unsigned> shared;
             if (access)
               shared = sharedDims(access->memref, array);
             if (!shared)
               return WalkResult::interrupt();
             std::fill(own.begin() + *shared, own.end(), Value());
             AffineMap map = withoutSingleTurns(access->map, access->operands, loop);
             for (auto [dim, index] : llvm::enumerate(map.getResults().take_front(*shared))) {
               auto at = dyn_cast<AffineDimExpr>(index);
               Value variable = at ? access->operands[at.getPosition()] : Value();
               if (isFirst && variable && isFixed(variable))
                 own[dim] = variable;
               else if (own[dim] != variable)
                 own[dim] = {};
             }
             isFirst = false;
             return WalkResult::advance();
           })
           .wasInterrupted();
  return plain && nests.size() > 1 && llvm::is_contained(own, loop.getInductionVar());
}

/// The last nest that stores in the array stores all of the slice, and reads what was there before.
bool Slices::endsWhole() {
  while (!nests.empty() && !storesIn(nests.back(), array))
    nests.pop_back();
  if (nests.size() < 2)
    return false;
  std::optional<SmallVector<Box>> boxes = boxesStored(nests.back(), array);
  return boxes && areWhole(*boxes, type) && readsBeforeStores(nests.back(), array);
}

/// Without the dimensions that are the loop's variable: all others of a view too.
MemRefType Slices::sliceOf(MemRefType whole) const {
  SmallVector<int64_t> shape;
  for (auto [dim, extent] : llvm::enumerate(whole.getShape()))
    if (dim >= own.size() || !own[dim])
      shape.push_back(extent);
  return MemRefType::get(shape, whole.getElementType());
}

bool Slices::find() {
  // The first nests store all of the slice.
  if (!findOwn() || fillersOf(nests, array) == 0)
    return false;
  Operation *made = array.getDefiningOp();
  alone = isa_and_nonnull<memref::AllocOp, memref::AllocaOp>(made) &&
          llvm::all_of(array.getUsers(), [&](Operation *user) {
            auto isInside = [&](Operation *op) { return loop->isAncestor(op); };
            return isInside(user) || (isa<memref::ReinterpretCastOp>(user) &&
                                      llvm::all_of(user->getUsers(), isInside));
          });
  if (!alone && !endsWhole())
    return false;
  for (AffineForOp nest : nests)
    nest->walk([&](Operation *op) {
      if (touches(op, array) && (alone || nest != nests.back() || isLoad(op)))
        kept.push_back(op);
    });
  return true;
}

void Slices::keep() {
  OpBuilder builder(loop.getBody(), loop.getBody()->begin());
  auto slice = memref::AllocaOp::create(builder, array.getLoc(), sliceOf(type));
  slice->setAttr(sliceMark, builder.getUnitAttr());
  DenseMap<Value, Value> slices{{array, slice}};
  auto viewOf = [&](Value view) {
    Value &made = slices[view];
    if (!made) {
      MemRefType shape = sliceOf(cast<MemRefType>(view.getType()));
      made = memref::ReinterpretCastOp::create(builder, view.getLoc(), shape, slice, 0,
                                               shape.getShape(), shape.getStridesAndOffset().first);
    }
    return made;
  };
  for (Operation *op : kept) {
    AddressSpace space;
    Access access = *Access::of(op, space);
    SmallVector<AffineExpr> indices;
    for (auto [dim, index] : llvm::enumerate(access.map.getResults()))
      if (dim >= own.size() || !own[dim])
        indices.push_back(index);
    accessElsewhere(op, viewOf(access.memref),
                    AffineMap::get(access.map.getNumDims(), access.map.getNumSymbols(), indices,
                                   op->getContext()),
                    access.operands);
  }
  if (!alone)
    return;
  for (Operation *view : llvm::make_early_inc_range(array.getUsers()))
    view->erase();
  array.getDefiningOp()->erase();
}

/// Bytes beyond which slices have memory of their own.
struct Limits {
  int64_t near;                   ///< the first cache, where it holds two slices
  int64_t alone;                  ///< where nobody else touches the array
  std::optional<int64_t> written; ///< where the last nest writes it; never where there are none
};

struct KeepSlices : public weft::impl::KeepSlicesBase<KeepSlices> {
  using KeepSlicesBase::KeepSlicesBase;

  void runOnOperation() override {
    FailureOr<Target> target = Target::of(getOperation());
    if (failed(target))
      return signalPassFailure();
    FailureOr<int64_t> lastCache = target->number("l3_bytes");
    FailureOr<int64_t> firstCache = target->number("l1d_bytes");
    if (failed(lastCache) || failed(firstCache))
      return signalPassFailure();
    Limits limits{*firstCache, *lastCache, bytesStoredPastReaders(*target)};
    SmallVector<AffineForOp> loops;
    getOperation().walk([&](AffineForOp loop) {
      if (loop->hasAttr("weft.independent") && loop.hasConstantBounds() &&
          loop.getNumIterOperands() == 0)
        loops.push_back(loop);
    });
    for (AffineForOp loop : loops)
      for (Value array : arraysIn(loop))
        keepIn(loop, array, limits);
    FailureOr<int64_t> cacheBytes = target->number("l2_bytes");
    WalkResult walked = getOperation().walk([&](func::FuncOp func) {
      PlacedValues placed(func);
      bool isKept = succeeded(cacheBytes) && succeeded(placed.areIn("cache", func)) &&
                    succeeded(placed.areInCache(*cacheBytes, func));
      return isKept ? WalkResult::advance() : WalkResult::interrupt();
    });
    if (walked.wasInterrupted())
      signalPassFailure();
  }

  /// What affine loads and stores in a loop touch, and was there before it.
  static llvm::SetVector<Value> arraysIn(AffineForOp loop) {
    llvm::SetVector<Value> found;
    loop->walk([&](affine::AffineWriteOpInterface store) {
      Value array = store.getMemRef();
      // A view goes with its array, when that becomes a slice.
      if (!array.getDefiningOp<memref::ReinterpretCastOp>() &&
          array.getParentRegion()->isProperAncestor(&loop.getRegion()))
        found.insert(array);
    });
    return found;
  }

  static void keepIn(AffineForOp loop, Value array, const Limits &limits) {
    Slices slices(loop, array);
    if (!slices.find())
      return;
    std::string name = spoken(array);
    int64_t bytes = slices.bytes(), slice = slices.sliceBytes();
    std::optional<int64_t> least = slices.isAlone() ? limits.alone : limits.written;
    bool isNear = slices.isAlone() && bytes > limits.near && 2 * slice <= limits.near;
    bool isAsked = slices.isAlone() &&
                   PlacedValues(loop->getParentOfType<func::FuncOp>()).of(array) != nullptr;
    if (!isNear && !isAsked && (!least || bytes <= *least)) {
      Note note = notes.rejected(loop, "slices of {0} in memory of their own", name);
      if (least)
        note.because("{0} bytes: of up to {1} a part is still in a cache when it is read", bytes,
                     *least);
      else
        note.because("lines of the whole come to a cache when they are written (stores_past)");
      note.number("bytes", bytes).number("slice", slice);
      return;
    }
    notes.decided(loop, "slices of {0} in memory of their own", name)
        .because("{0}; {1} bytes stay in a cache",
                 isAsked            ? "the schedule asks for it"
                 : slices.isAlone() ? "nobody else needs the whole"
                                    : "the last nest alone writes the whole",
                 slice)
        .number("bytes", bytes)
        .number("slice", slice);
    slices.keep();
  }
};

} // namespace
