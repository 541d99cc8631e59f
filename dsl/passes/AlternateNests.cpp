//===- AlternateNests.cpp - two nests by turns, over parts of an array ----------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// A stage of a transform fills an array, the next one reads it. Where the first cache does not
// hold it, it goes to the second and comes back. But of a stage of points `groups` apart only every
// `groups`-th one meets in the next stage, and of one within runs of `within` those at one place of
// each run. So both stages may take turns: a part of the one, then the part of the other that
// needs no more than that, and an array of a part's size between them.
//
// An array is looked at as [outer][places][inner]: both nests have a loop over the places, the one
// over them alone, the other over (outer, places). A part is a few places. What
// else one of the nests writes and the other one touches must be split by places in the same way,
// in its own memory, so that parts of different turns have nothing in common.
//
// This comes before arrays are lent a result's memory: there they have two nests at least. What
// is left of them, between nests that take turns, may lie in a result after all (lend-results).
//
//===-----------------------------------------------------------------------===//

#include "dialect/Target.h"
#include "passes/Notes.h"
#include "passes/Passes.h"
#include "passes/loops/AddressSplit.h"
#include "passes/loops/Places.h"
#include "passes/transfers/Footprint.h"
#include "passes/transforms/Turns.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/Dialect/Affine/LoopUtils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

namespace weft {
#define GEN_PASS_DEF_ALTERNATENESTS
#include "passes/Passes.h.inc"
} // namespace weft

using namespace mlir;
using namespace weft;
using affine::AffineForOp;

namespace {

constexpr Notes notes("alternate-nests");

/// A nest of loops with known numbers of turns, and all that it touches.
struct Nest {
  AffineForOp outermost;
  SmallVector<Access> accesses;
  SmallVector<AffineForOp> loops;

  /// False where it holds what is neither a loop nor an access that is understood.
  bool read(AffineForOp loop, AddressSpace &space);
  bool stores(Value root) const { return touches(root, true); }
  bool loads(Value root) const { return touches(root, false); }
  /// Its accesses of a memory.
  auto accessesOf(Value root) const {
    return llvm::make_filter_range(
        accesses, [root](const Access &access) { return rootOf(access.memref) == root; });
  }

private:
  bool touches(Value root, bool isStore) const {
    return llvm::any_of(accesses, [&](const Access &access) {
      return access.isStore == isStore && mayAlias(access.memref, root);
    });
  }
};

bool Nest::read(AffineForOp loop, AddressSpace &space) {
  outermost = loop;
  return !outermost
              ->walk([&](Operation *op) {
                if (isa<affine::AffineYieldOp>(op))
                  return WalkResult::advance();
                if (auto inner = dyn_cast<AffineForOp>(op)) {
                  if (!inner.hasConstantBounds() || inner.getNumIterOperands() != 0 ||
                      inner.getConstantLowerBound() != 0)
                    return WalkResult::interrupt();
                  loops.push_back(inner);
                  return WalkResult::advance();
                }
                if (auto access = Access::ofVector(op, space)) {
                  accesses.push_back(std::move(*access));
                  return WalkResult::advance();
                }
                return WalkResult(success(op->getNumRegions() == 0 && isMemoryEffectFree(op)));
              })
              .wasInterrupted();
}

/// One of the ways to share out the places of a memory: by a loop of each of the nests.
struct Sharing {
  AffineForOp first, second;
  int64_t places = 0; ///< in all
  int64_t part = 0;   ///< of a turn
};

/// An array that one nest fills and the next one reads.
class Alternation {
public:
  Alternation(Operation *array, AddressSpace &space)
      : array(array), memref(array->getResult(0)), type(cast<MemRefType>(memref.getType())),
        space(space) {}

  /// Whether the nests may take turns; the sharing that needs the least memory.
  bool find(AffineForOp first, AffineForOp second, int64_t lineBytes);
  void alternate();

  int64_t bytes() const { return bytesOf(type.getNumElements()); }
  int64_t partBytes() const { return bytesOf(partElements); }
  int64_t turns() const { return chosen.places / chosen.part; }

private:
  int64_t bytesOf(int64_t elements) const { return elements * elementBytes(memref); }
  bool isFilledFirst();
  bool sharesBy(Sharing &sharing, int64_t lineBytes);
  bool splitsAll(const Sharing &sharing, Value root, SmallVectorImpl<Split> *splits);
  /// What becomes of a loop over places: one over those of a part, in one over `outer`, if any.
  struct Shortened {
    AffineForOp outer, places;
  };
  Shortened shorten(AffineForOp loop, Value start);

  Operation *array;
  Value memref;
  MemRefType type;
  AddressSpace &space;
  Nest writer, reader;
  Sharing chosen;
  int64_t partElements = 0;
};

/// Every element is written once, so that nothing older is read.
bool Alternation::isFilledFirst() {
  constexpr int64_t mostElements = int64_t(1) << 24;
  int64_t elements = type.getNumElements(), count = 0;
  if (elements > mostElements)
    return false;
  llvm::BitVector seen(elements);
  for (const Access &store : writer.accessesOf(memref)) {
    std::optional<Places> places = placesOf(store, array->getBlock(), array->getBlock(), space);
    if (!places || places->elsewhere != getAffineConstantExpr(0, array->getContext()))
      return false;
    count += places->turns() * places->width;
    if (count > elements || !places->all([&](int64_t, int64_t from) {
          int64_t to = from + places->width;
          if (from < 0 || to > elements || seen.find_first_in(from, to) != -1)
            return false;
          seen.set(from, to);
          return true;
        }))
      return false;
  }
  return count == elements;
}

/// Whether all accesses of a memory in both nests split in the same way.
bool Alternation::splitsAll(const Sharing &sharing, Value root, SmallVectorImpl<Split> *splits) {
  std::optional<Split> like;
  for (auto [nest, loop] : {std::pair(&writer, sharing.first), std::pair(&reader, sharing.second)})
    for (const Access &access : nest->accessesOf(root)) {
      auto layout = cast<MemRefType>(access.memref.getType()).getLayout();
      std::optional<Split> split = splitOf(access, nest->outermost, loop, sharing.places, space);
      if (!split || !layout.isIdentity() ||
          (like && (like->stride != split->stride || like->elsewhere != split->elsewhere)))
        return false;
      like = split;
      if (splits)
        splits->push_back(std::move(*split));
    }
  return true;
}

/// Whether the turns of a loop, and of all loops around it in its nest, may come in any order.
bool mayComeInAnyOrder(AffineForOp loop, AffineForOp nest) {
  if (!loop->hasAttr("weft.independent"))
    return false;
  return llvm::all_of(loopsAround(loop, nest), [](AffineForOp around) {
    return around->hasAttr("weft.independent") || affine::getConstantTripCount(around) == 1;
  });
}

bool Alternation::sharesBy(Sharing &sharing, int64_t lineBytes) {
  int64_t first = sharing.first.getConstantUpperBound(),
          second = sharing.second.getConstantUpperBound();
  sharing.places = std::min(first, second);
  int64_t steps = std::lcm(sharing.first.getStepAsInt(), sharing.second.getStepAsInt());
  // Loops over the same places are of lines that have nothing to do with each other: how many of
  // them go together has been decided (tile-for-ldm).
  if (first == second || std::max(first, second) % sharing.places != 0 ||
      sharing.places % steps != 0)
    return false;
  SmallVector<Split> splits;
  if (!splitsAll(sharing, memref, &splits) ||
      type.getNumElements() % (splits.front().stride * sharing.places) != 0)
    return false;
  // A part's runs of memory are as long as lines of the cache.
  int64_t stride = splits.front().stride;
  sharing.part = steps;
  while (bytesOf(sharing.part * stride) < lineBytes && sharing.places % (2 * sharing.part) == 0)
    sharing.part *= 2;
  if (sharing.places / sharing.part < fewestTurns)
    return false;
  llvm::SmallPtrSet<Value, 4> roots;
  for (const Nest *nest : {&writer, &reader})
    for (const Access &access : nest->accesses)
      if (access.isStore)
        roots.insert(rootOf(access.memref));
  for (Value root : roots) {
    if (root == memref)
      continue;
    bool isShared =
        writer.stores(root) ? reader.stores(root) || reader.loads(root) : writer.loads(root);
    for (const Nest *nest : {&writer, &reader})
      for (const Access &access : nest->accesses)
        if (isShared && rootOf(access.memref) != root && mayAlias(access.memref, root))
          return false;
    if (isShared && !splitsAll(sharing, root, nullptr))
      return false;
  }
  return true;
}

bool Alternation::find(AffineForOp first, AffineForOp second, int64_t lineBytes) {
  if (!type.getLayout().isIdentity() || !writer.read(first, space) || !reader.read(second, space) ||
      writer.loads(memref) || reader.stores(memref) || !isFilledFirst())
    return false;
  for (AffineForOp one : writer.loops)
    for (AffineForOp other : reader.loops) {
      Sharing sharing{one, other};
      if (!mayComeInAnyOrder(one, first) || !mayComeInAnyOrder(other, second) ||
          !sharesBy(sharing, lineBytes))
        continue;
      int64_t elements = type.getNumElements() / sharing.places * sharing.part;
      if (partElements != 0 && elements >= partElements)
        continue;
      chosen = sharing;
      partElements = elements;
    }
  return partElements != 0;
}

/// Has a loop go over a part of the places, from `start` on; what goes over (outer, places) becomes
/// two loops.
Alternation::Shortened Alternation::shorten(AffineForOp loop, Value start) {
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  int64_t step = loop.getStepAsInt(), outer = loop.getConstantUpperBound() / chosen.places;
  AffineExpr at = builder.getAffineDimExpr(0);
  SmallVector<Value> operands{start};
  // A loop over `count` indices, whose multiples of `factor` add to the place; none of one turn.
  auto around = [&](int64_t count, int64_t by, int64_t factor) -> AffineForOp {
    if (count == by)
      return {};
    auto made = AffineForOp::create(builder, loc, 0, count, by);
    made->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
    builder.setInsertionPointToStart(made.getBody());
    at = at + builder.getAffineDimExpr(operands.size()) * factor;
    operands.push_back(made.getInductionVar());
    return made;
  };
  Shortened made{around(outer, 1, chosen.places), around(chosen.part, step, 1)};
  Value index =
      affine::AffineApplyOp::create(builder, loc, AffineMap::get(operands.size(), 0, at), operands);
  loop.getInductionVar().replaceAllUsesWith(index);
  Block *body = builder.getInsertionBlock();
  body->getOperations().splice(builder.getInsertionPoint(), loop.getBody()->getOperations(),
                               loop.getBody()->begin(),
                               loop.getBody()->getTerminator()->getIterator());
  loop.erase();
  return made;
}

void Alternation::alternate() {
  MLIRContext *context = array->getContext();
  OpBuilder builder(reader.outermost);
  Location loc = reader.outermost.getLoc();
  // Threads share turns out, each with a part of its own.
  bool isParallel = llvm::any_of(llvm::concat<AffineForOp>(writer.loops, reader.loops),
                                 [](AffineForOp loop) { return loop->hasAttr("weft.parallel"); });
  auto turns = AffineForOp::create(builder, loc, 0, chosen.places, chosen.part);
  turns->setAttr("weft.independent", builder.getUnitAttr());
  if (isParallel) {
    turns->setAttr("weft.parallel", builder.getUnitAttr());
    builder.setInsertionPointToStart(turns.getBody());
  } else {
    builder.setInsertionPoint(turns);
  }
  auto small = memref::AllocaOp::create(builder, array->getLoc(),
                                        MemRefType::get({partElements}, type.getElementType()));
  struct Move {
    Operation *op;
    Split split;
    bool isFirst;
  };
  SmallVector<Move> moves;
  for (bool isFirst : {true, false})
    for (const Access &access : (isFirst ? writer : reader).accessesOf(memref))
      moves.push_back({access.op,
                       *splitOf(access, (isFirst ? writer : reader).outermost,
                                isFirst ? chosen.first : chosen.second, chosen.places, space),
                       isFirst});
  for (AffineForOp nest : {writer.outermost, reader.outermost})
    nest->moveBefore(turns.getBody()->getTerminator());
  for (AffineForOp loop : llvm::concat<AffineForOp>(writer.loops, reader.loops))
    loop->removeDiscardableAttr("weft.parallel");
  Shortened parts[] = {shorten(chosen.first, turns.getInductionVar()),
                       shorten(chosen.second, turns.getInductionVar())};
  for (const Move &move : moves) {
    const Shortened &loops = parts[move.isFirst ? 0 : 1];
    SmallVector<Value> operands;
    AffineExpr at = getAffineConstantExpr(0, context);
    auto add = [&](AffineForOp loop, int64_t factor) {
      at = at + getAffineDimExpr(operands.size(), context) * factor;
      operands.push_back(loop.getInductionVar());
    };
    int64_t outer = chosen.part * move.split.stride;
    at = at + move.split.outer * outer + move.split.inner;
    for (auto [loop, factor] : move.split.outerLoops)
      add(loop, factor * outer);
    if (loops.outer)
      add(loops.outer, outer);
    if (loops.places)
      add(loops.places, move.split.stride);
    for (auto [loop, factor] : move.split.innerLoops)
      add(loop, factor);
    accessElsewhere(move.op, small, AffineMap::get(operands.size(), 0, at), operands);
  }
}

/// The nests that touch an array by turns, as fillers and readers; none where something else does.
SmallVector<std::pair<AffineForOp, AffineForOp>> pairsOf(Operation *array, AddressSpace &space) {
  llvm::SmallSetVector<Operation *, 8> nests;
  llvm::SmallPtrSet<Operation *, 8> fillers;
  for (Operation *user : array->getUsers()) {
    std::optional<Access> access = Access::ofVector(user, space);
    Operation *beside = array->getBlock()->findAncestorOpInBlock(*user);
    if (!access || !isa_and_nonnull<AffineForOp>(beside))
      return {};
    nests.insert(beside);
    if (access->isStore)
      fillers.insert(beside);
  }
  SmallVector<Operation *> inOrder(nests.begin(), nests.end());
  llvm::sort(inOrder, [](Operation *one, Operation *other) { return one->isBeforeInBlock(other); });
  SmallVector<std::pair<AffineForOp, AffineForOp>> pairs;
  for (auto [number, nest] : llvm::enumerate(inOrder)) {
    if (fillers.contains(nest) != (number % 2 == 0))
      return {};
    if (number % 2 == 1)
      pairs.emplace_back(cast<AffineForOp>(inOrder[number - 1]), cast<AffineForOp>(nest));
  }
  if (inOrder.size() % 2 != 0)
    return {};
  return pairs;
}

/// Whether nothing between two nests has to stay between them.
bool areNeighbours(AffineForOp first, AffineForOp second) {
  for (Operation *op = first->getNextNode(); op != second; op = op->getNextNode())
    if (!isa<memref::AllocOp, memref::AllocaOp>(op) && !isMemoryEffectFree(op))
      return false;
  return true;
}

struct AlternateNests : public weft::impl::AlternateNestsBase<AlternateNests> {
  using AlternateNestsBase::AlternateNestsBase;

  void runOnOperation() override {
    FailureOr<Target> target = Target::of(getOperation());
    if (failed(target))
      return signalPassFailure();
    FailureOr<int64_t> firstCache = target->number("l1d_bytes");
    FailureOr<int64_t> lineBytes = target->number("line_bytes");
    if (failed(firstCache) || failed(lineBytes))
      return signalPassFailure();
    SmallVector<Operation *> arrays;
    getOperation().walk([&](Operation *op) {
      if (isa<memref::AllocaOp, memref::AllocOp>(op))
        arrays.push_back(op);
    });
    AddressSpace space;
    struct Candidate {
      Operation *array;
      AffineForOp first, second;
    };
    llvm::MapVector<Block *, SmallVector<Candidate>> candidates;
    for (Operation *array : arrays) {
      auto type = cast<MemRefType>(array->getResult(0).getType());
      if (leavesCache(*firstCache, type.getNumElements() * elementBytes(array->getResult(0))))
        for (auto [first, second] : pairsOf(array, space))
          candidates[array->getBlock()].push_back({array, first, second});
    }
    for (auto &[block, list] : candidates) {
      llvm::sort(list, [](const Candidate &one, const Candidate &other) {
        return one.first->isBeforeInBlock(other.first);
      });
      llvm::SmallPtrSet<Operation *, 8> taken;
      for (const Candidate &candidate : list) {
        // Two by two from the first on: what then works in place goes through memory in long steps.
        if (!taken.insert(candidate.first).second)
          continue;
        taken.insert(candidate.second);
        if (!areNeighbours(candidate.first, candidate.second))
          continue;
        Alternation alternation(candidate.array, space);
        if (!alternation.find(candidate.first, candidate.second, *lineBytes))
          continue;
        std::string name = spoken(candidate.array->getResult(0));
        if (!holdsPart(*firstCache, alternation.partBytes())) {
          notes.rejected(candidate.array, "nests that fill and read {0} take turns", name)
              .because("the smallest part has {0} bytes, half of {1} (l1d_bytes) is allowed",
                       alternation.partBytes(), *firstCache)
              .number("bytes", alternation.partBytes());
          continue;
        }
        notes.decided(candidate.array, "nests that fill and read {0} take turns", name)
            .because("{0} bytes rather than {1} between them stay in the first cache",
                     alternation.partBytes(), alternation.bytes())
            .number("turns", alternation.turns())
            .number("bytes", alternation.partBytes());
        alternation.alternate();
      }
    }
    for (Operation *array : arrays)
      if (array->use_empty())
        array->erase();
  }
};

} // namespace
