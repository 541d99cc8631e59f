//===- JoinedReductions.cpp - reductions of one array in one nest -----------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/reductions/JoinedReductions.h"

#include "passes/loops/AccessPattern.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using affine::AffineForOp;

namespace weft {

namespace {

/// Operations of a joined body, and numbers that it carries, at most: more leave no registers for
/// several vectors at a time.
constexpr int64_t mostOperations = 24, mostCarried = 6;

/// The arrays that operations touch.
struct Touched {
  SmallVector<Value> loaded, stored;
  bool isKnown = true; ///< nothing else has an effect

  void add(Operation *op);
  /// Whether one may store what the other touches.
  bool meets(const Touched &other) const;
};

void Touched::add(Operation *op) {
  op->walk([&](Operation *inside) {
    if (auto load = dyn_cast<affine::AffineReadOpInterface>(inside))
      loaded.push_back(load.getMemRef());
    else if (auto store = dyn_cast<affine::AffineWriteOpInterface>(inside))
      stored.push_back(store.getMemRef());
    else if (!isa<AffineForOp, affine::AffineIfOp>(inside) && !isMemoryEffectFree(inside))
      isKnown = false;
  });
}

bool Touched::meets(const Touched &other) const {
  auto any = [](ArrayRef<Value> ones, ArrayRef<Value> others) {
    return llvm::any_of(ones, [&](Value one) {
      return llvm::any_of(others, [&](Value another) { return mayAlias(one, another); });
    });
  };
  return !isKnown || !other.isKnown || any(stored, other.stored) || any(stored, other.loaded) ||
         any(loaded, other.stored);
}

Touched touchedBy(Operation *op) {
  Touched touched;
  touched.add(op);
  return touched;
}

/// Whether an operation has no effects, and no body, but may load.
bool onlyComputes(Operation &op) {
  return op.getNumRegions() == 0 && (isMemoryEffectFree(&op) || isa<affine::AffineLoadOp>(op));
}

/// Whether nothing in a body has effects, but for loads, up to `end`.
bool onlyReads(AffineForOp loop, Operation *end) {
  for (Operation &op : *loop.getBody()) {
    if (&op == end)
      return true;
    if (!onlyComputes(op))
      return false;
  }
  return true;
}

/// The loop in a body that has one, and nothing else with a region.
AffineForOp onlyLoopIn(AffineForOp loop) {
  AffineForOp only;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (op.getNumRegions() == 0)
      continue;
    if (only || !isa<AffineForOp>(op))
      return {};
    only = cast<AffineForOp>(op);
  }
  return only;
}

/// The loop that combines, of a nest that is a reduction for each of its iterations.
AffineForOp reductionIn(AffineForOp loop) {
  while (loop && loop.getNumIterOperands() == 0)
    loop = loop->hasAttr("weft.independent") ? onlyLoopIn(loop) : AffineForOp();
  return loop;
}

/// Whether a loop does nothing but combine what it loads with numbers of one type.
bool isPlain(AffineForOp loop) {
  Type type = loop.getResultTypes().front();
  if (!isa<FloatType>(type) || !llvm::all_equal(loop.getResultTypes()))
    return false;
  return llvm::all_of(loop.getBody()->without_terminator(), [&](Operation &op) {
    bool fits = llvm::all_of(op.getResultTypes(),
                             [&](Type other) { return !isa<FloatType>(other) || other == type; });
    return fits && onlyComputes(op);
  });
}

bool haveSameLoops(AffineForOp one, AffineForOp other) {
  for (; one && other; one = onlyLoopIn(one), other = onlyLoopIn(other)) {
    if (!one.hasConstantBounds() || !other.hasConstantBounds() ||
        one.getConstantLowerBound() != other.getConstantLowerBound() ||
        one.getConstantUpperBound() != other.getConstantUpperBound() ||
        one.getStepAsInt() != other.getStepAsInt() ||
        one->getDiscardableAttrDictionary() != other->getDiscardableAttrDictionary() ||
        (one.getNumIterOperands() == 0) != (other.getNumIterOperands() == 0))
      return false;
    if (one.getNumIterOperands() != 0)
      return true;
    // What stands before the second one's loop goes in front of the first one's.
    if (AffineForOp inner = onlyLoopIn(other); !inner || !onlyReads(other, inner))
      return false;
  }
  return false;
}

/// The arrays of which a loop that combines reads another element each time.
SmallVector<Value> readBy(AffineForOp loop) {
  SmallVector<Value> arrays;
  for (auto load : loop.getBody()->getOps<affine::AffineLoadOp>()) {
    AffineMap map = load.getAffineMap();
    SmallVector<Value> operands(load.getMapOperands());
    affine::fullyComposeAffineMapAndOperands(&map, &operands);
    affine::canonicalizeMapAndOperands(&map, &operands);
    if (llvm::is_contained(operands, loop.getInductionVar()))
      arrays.push_back(rootOf(load.getMemRef()));
  }
  return arrays;
}

/// Whether two nests are to be one, wherever they stand.
bool belongTogether(AffineForOp one, AffineForOp other) {
  AffineForOp first = reductionIn(one), second = reductionIn(other);
  if (!first || !second || !isPlain(first) || !isPlain(second) ||
      first.getResultTypes().front() != second.getResultTypes().front() ||
      !haveSameLoops(one, other))
    return false;
  auto operations = [](AffineForOp loop) {
    return static_cast<int64_t>(llvm::range_size(loop.getBody()->without_terminator()));
  };
  if (operations(first) + operations(second) > mostOperations ||
      first.getNumResults() + second.getNumResults() > mostCarried)
    return false;
  SmallVector<Value> mine = readBy(first), theirs = readBy(second);
  return llvm::any_of(mine, [&](Value array) { return llvm::is_contained(theirs, array); });
}

/// What has to stand in front of `first` too if `second` does, in order; nothing where it cannot.
std::optional<SmallVector<Operation *>> neededBefore(AffineForOp first, AffineForOp second) {
  Block *block = first->getBlock();
  llvm::SmallPtrSet<Operation *, 8> needed;
  auto need = [&](Operation *user) {
    user->walk([&](Operation *inside) {
      for (Value operand : inside->getOperands())
        if (Operation *made = operand.getDefiningOp())
          if (Operation *in = block->findAncestorOpInBlock(*made); in && in != second)
            needed.insert(in);
    });
  };
  need(second);
  Touched passed = touchedBy(first);
  for (Operation *op = first->getNextNode(); op != second; op = op->getNextNode())
    passed.add(op);
  SmallVector<Operation *> order;
  for (Operation *op = second->getPrevNode(); op != first; op = op->getPrevNode()) {
    if (!needed.contains(op))
      continue;
    if (!onlyComputes(*op) || passed.meets(touchedBy(op)))
      return std::nullopt;
    need(op);
    order.push_back(op);
  }
  if (needed.contains(first) || passed.meets(touchedBy(second)))
    return std::nullopt;
  return llvm::to_vector(llvm::reverse(order));
}

/// One loop that carries what both do, in the place of the first.
AffineForOp carryingBoth(AffineForOp first, AffineForOp second) {
  SmallVector<Value> inits(first.getInits());
  llvm::append_range(inits, second.getInits());
  OpBuilder builder(first);
  auto both = AffineForOp::create(builder, first.getLoc(), first.getConstantLowerBound(),
                                  first.getConstantUpperBound(), first.getStepAsInt(), inits,
                                  [](OpBuilder &, Location, Value, ValueRange) {});
  both->setDiscardableAttrs(first->getDiscardableAttrDictionary());
  both.getInductionVar().setLoc(first.getInductionVar().getLoc());
  SmallVector<Value> next;
  size_t begin = 0;
  for (AffineForOp loop : {first, second}) {
    loop.getInductionVar().replaceAllUsesWith(both.getInductionVar());
    for (auto [old, carried] :
         llvm::zip(loop.getRegionIterArgs(), both.getRegionIterArgs().drop_front(begin))) {
      carried.setLoc(old.getLoc());
      old.replaceAllUsesWith(carried);
    }
    llvm::append_range(next, loop.getBody()->getTerminator()->getOperands());
    both.getBody()->getOperations().splice(both.getBody()->end(), loop.getBody()->getOperations(),
                                           loop.getBody()->begin(),
                                           std::prev(loop.getBody()->end()));
    loop->replaceAllUsesWith(both.getResults().slice(begin, loop.getNumResults()));
    begin += loop.getNumResults();
  }
  builder.setInsertionPointToEnd(both.getBody());
  affine::AffineYieldOp::create(builder, first.getLoc(), next);
  first.erase();
  second.erase();
  return both;
}

/// Both as one in the place of the first; null, with nothing changed, where they cannot be.
AffineForOp joined(AffineForOp first, AffineForOp second) {
  std::optional<SmallVector<Operation *>> needed = neededBefore(first, second);
  if (!needed)
    return {};
  for (Operation *op : *needed)
    op->moveBefore(first);
  if (first.getNumIterOperands() != 0)
    return carryingBoth(first, second);
  AffineForOp inner = onlyLoopIn(first), other = onlyLoopIn(second);
  second.getInductionVar().replaceAllUsesWith(first.getInductionVar());
  first.getBody()->getOperations().splice(
      std::prev(first.getBody()->end()), second.getBody()->getOperations(),
      second.getBody()->begin(), std::prev(second.getBody()->end()));
  second.erase();
  AffineForOp both = joined(inner, other);
  assert(both && "what stands between them was in front of neither's effects");
  (void)both;
  return first;
}

} // namespace

void joinReductions(Block &block, const Notes &notes) {
  SmallVector<AffineForOp> before;
  for (auto loop : llvm::make_early_inc_range(block.getOps<AffineForOp>())) {
    AffineForOp both;
    for (AffineForOp &first : llvm::reverse(before)) {
      if (!belongTogether(first, loop))
        continue;
      std::string name = spokenLoop(loop.getInductionVar());
      Location where = reductionIn(loop).getLoc();
      both = joined(first, loop);
      if (both) {
        notes.decided(where, "{0}: one nest with reductions before it", name)
            .because("they read the same array in the same loops");
        first = both;
        break;
      }
    }
    if (both)
      continue;
    // Steps in time, say: what stands in each of them.
    if (!reductionIn(loop))
      joinReductions(*loop.getBody(), notes);
    before.push_back(loop);
  }
}

} // namespace weft
