//===- JoinNests.cpp - nests over the same slices, slice by slice ---------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// A transform along x of all planes and then one along y of all planes passes over
// memory twice; both on one plane after the other pass over it once, as long as a plane
// stays in a cache. So do elementwise work and the transform that reads it: within a plane
// they are joined once more, row by row. Legal where both nests' outermost loops are the
// same, their iterations independent, and all that one writes and the other touches is of
// the iteration's own slice.
//
// Cores that compute in memory of their own have no caches to gain. There nests are joined that
// fill one array together, as the borders and the inside of a padded image do: what one core has
// of it goes to main memory as a whole, not the first and the last element of each row by itself.
//
//===-----------------------------------------------------------------------===//

#include "dialect/Target.h"
#include "passes/Directives.h"
#include "passes/Notes.h"
#include "passes/Passes.h"
#include "passes/loops/AccessPattern.h"
#include "passes/loops/Buffers.h"
#include "passes/reductions/JoinedReductions.h"
#include "passes/transfers/PlacedValues.h"

#include "mlir/Dialect/Affine/Analysis/LoopAnalysis.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace weft {
#define GEN_PASS_DEF_JOINNESTS
#include "passes/Passes.h.inc"
} // namespace weft

using namespace mlir;
using affine::AffineForOp;

namespace {

constexpr weft::Notes notes("join-nests");

/// How a nest touches one memory.
struct Touch {
  Value memref;
  /// The dimensions whose index is the outermost variable in every access.
  SmallVector<bool> own;
  bool isStored = false, isLoaded = false;

  /// Whether the iterations' slices lie one behind the other.
  bool ownsRows() const { return !own.empty() && own.front(); }
};

class Nest {
public:
  explicit Nest(AffineForOp loop) : loop(loop) {}

  /// False where something in it is not an affine access or free of effects.
  bool analyse();

  AffineForOp loop;
  SmallVector<Touch> touches;

private:
  bool add(Value memref, AffineMap map, ValueRange operands, bool isStore);
};

bool Nest::add(Value memref, AffineMap map, ValueRange operands, bool isStore) {
  if (Operation *made = memref.getDefiningOp(); made && loop->isAncestor(made))
    return true; // of its own iteration
  SmallVector<Value> values(operands);
  affine::fullyComposeAffineMapAndOperands(&map, &values);
  // A loop of one iteration has a variable that does not vary.
  map = weft::withoutSingleTurns(map, values, loop);
  unsigned shared = map.getNumResults();
  if (auto view = memref.getDefiningOp<memref::ReinterpretCastOp>())
    if (std::optional<unsigned> dims = weft::sharedDims(view, view.getSource())) {
      memref = view.getSource();
      shared = *dims;
    }
  Touch *known = llvm::find_if(touches, [&](Touch &touch) { return touch.memref == memref; });
  if (known == touches.end()) {
    auto rank = static_cast<size_t>(cast<MemRefType>(memref.getType()).getRank());
    touches.push_back({memref, SmallVector<bool>(rank, true)});
    known = &touches.back();
  }
  std::fill(known->own.begin() + shared, known->own.end(), false);
  (isStore ? known->isStored : known->isLoaded) = true;
  for (auto [dim, index] : llvm::enumerate(map.getResults().take_front(shared))) {
    auto position = dyn_cast<AffineDimExpr>(index);
    known->own[dim] =
        known->own[dim] && position && values[position.getPosition()] == loop.getInductionVar();
  }
  return true;
}

bool Nest::analyse() {
  return !loop.walk([&](Operation *op) {
                bool fine = true;
                if (auto load = dyn_cast<affine::AffineReadOpInterface>(op))
                  fine = add(load.getMemRef(), load.getAffineMap(), load.getMapOperands(), false);
                else if (auto store = dyn_cast<affine::AffineWriteOpInterface>(op))
                  fine = add(store.getMemRef(), store.getAffineMap(), store.getMapOperands(), true);
                else
                  fine = isa<AffineForOp, affine::AffineIfOp, memref::AllocaOp>(op) ||
                         isMemoryEffectFree(op);
                return fine ? WalkResult::advance() : WalkResult::interrupt();
              })
              .wasInterrupted();
}

/// Bytes of the arrays whose slices two nests share.
struct Shared {
  int64_t passed = 0; ///< one writes and the other touches
  int64_t read = 0;   ///< both read, and slices lie one behind the other
};

int64_t bytesOf(const Touch &touch) {
  return weft::bytesOf(cast<MemRefType>(touch.memref.getType()));
}

/// What both touch, if all that one writes of it is the iteration's own slice; else nothing.
std::optional<Shared> sharedBetween(const Nest &first, const Nest &second) {
  Shared shared;
  for (const Touch &one : first.touches)
    for (const Touch &other : second.touches) {
      bool isPassed = one.isStored || other.isStored;
      if (one.memref != other.memref) {
        if (isPassed && weft::mayAlias(one.memref, other.memref))
          return std::nullopt;
        continue;
      }
      if (!isPassed) {
        if (one.ownsRows() && other.ownsRows())
          shared.read += bytesOf(one);
        continue;
      }
      bool apart = false;
      for (auto [mine, theirs] : llvm::zip(one.own, other.own))
        apart |= mine && theirs;
      if (!apart)
        return std::nullopt;
      shared.passed += bytesOf(one);
    }
  return shared;
}

/// Whether a nest reads nothing again from one iteration to the next but what is no larger than so
/// many bytes: such data, the second matrix of a product say, would make room for the other nest's.
bool passesBy(const Nest &nest, int64_t bytes) {
  return llvm::all_of(nest.touches, [&](const Touch &touch) {
    return llvm::is_contained(touch.own, true) || bytesOf(touch) <= bytes;
  });
}

/// What both fill and neither reads; null where there is nothing, or one reads what the other
/// writes.
Value filledTogether(const Nest &first, const Nest &second) {
  Value filled;
  for (const Touch &one : first.touches)
    for (const Touch &other : second.touches) {
      if (one.memref != other.memref || (!one.isStored && !other.isStored))
        continue;
      if (one.isLoaded || other.isLoaded)
        return {};
      filled = one.memref;
    }
  return filled;
}

/// A cache by the name of its size in the machine's table.
struct Cache {
  const char *name;
  int64_t bytes;
};

/// Bytes of a slice of outermost nests, at least: what is read again sooner waits for stores (rows
/// of 127 numbers of a softmax took 1.2 times as long as with all rows nest by nest).
constexpr int64_t fewestBytes = 1024;

/// The caches that joining may gain for nests of one depth, smallest first.
using Caches = SmallVector<Cache, 3>;

/// Between nests that stand in one iteration of joined nests around them.
struct Around {
  int64_t iterations = 1; ///< of all joined nests around
  Caches caches;
};

struct JoinNests : public weft::impl::JoinNestsBase<JoinNests> {
  using JoinNestsBase::JoinNestsBase;

  void runOnOperation() override {
    FailureOr<weft::Target> target = weft::Target::of(getOperation());
    if (failed(target))
      return signalPassFailure();
    if (target->numberIfAny("ldm_bytes"))
      cores = target->numberIfAny("cores").value_or(1);
    for (const char *name : {"l1d_bytes", "l2_bytes", "l3_bytes"}) {
      if (cores)
        break;
      FailureOr<int64_t> bytes = target->number(name);
      if (failed(bytes))
        return signalPassFailure();
      all.push_back({name, *bytes});
    }
    Around outermost{1, all};
    getOperation().walk([&](func::FuncOp func) {
      for (Block &block : func.getBody()) {
        if (!cores)
          weft::joinReductions(block, notes);
        joinIn(block, outermost);
      }
    });
  }

  void joinIn(Block &block, const Around &around) {
    SmallVector<AffineForOp> joined;
    for (auto loop : llvm::make_early_inc_range(block.getOps<AffineForOp>())) {
      AffineForOp before = nestBefore(loop);
      if (before && joinAroundOneTurn(before, loop, around))
        continue;
      if (before && join(before, loop, around)) {
        // What cores share stays one perfect nest, for the next one.
        if (cores)
          joinIn(*before.getBody(), {around.iterations * iterationsOf(before), all});
        else if (joined.empty() || joined.back() != before)
          joined.push_back(before);
        continue;
      }
      // Steps in time, say: whatever is one nest in each of them.
      if (!loop->hasAttr("weft.independent") && loop.getNumIterOperands() == 0)
        joinIn(*loop.getBody(), around);
    }
    // Of a slice that is in a cache, rows may be in a smaller one.
    for (AffineForOp loop : joined)
      joinIn(*loop.getBody(), {around.iterations * iterationsOf(loop), all});
  }

  /// Joins loops of a single turn where what they have inside is joined then.
  bool joinAroundOneTurn(AffineForOp before, AffineForOp loop, const Around &around) {
    if (cores || !haveSameBounds(before, loop) || iterationsOf(loop) != 1)
      return false;
    AffineForOp one = before, other = loop;
    while (one && other && haveSameBounds(one, other) && iterationsOf(one) == 1) {
      one = nextIn(one);
      other = nextIn(other);
    }
    if (!one || !other || !mayJoin(one, other, around))
      return false;
    moveInto(before, loop);
    joinIn(*before.getBody(), around);
    return true;
  }

  /// The nest in front of one, with nothing but pure operations between them.
  static AffineForOp nestBefore(AffineForOp loop) {
    Operation *op = loop->getPrevNode();
    while (op && op->getNumRegions() == 0 && isMemoryEffectFree(op))
      op = op->getPrevNode();
    return dyn_cast_or_null<AffineForOp>(op);
  }

  static int64_t iterationsOf(AffineForOp loop) {
    return std::max<int64_t>(
        (loop.getConstantUpperBound() - loop.getConstantLowerBound()) / loop.getStepAsInt(), 1);
  }

  static bool haveSameBounds(AffineForOp one, AffineForOp other) {
    return one.hasConstantBounds() && other.hasConstantBounds() &&
           one.getConstantLowerBound() == other.getConstantLowerBound() &&
           one.getConstantUpperBound() == other.getConstantUpperBound() &&
           one.getStepAsInt() == other.getStepAsInt();
  }

  /// Puts `loop` into `before`, which then stands where it stood; false where they stay apart.
  bool join(AffineForOp before, AffineForOp loop, const Around &around) const {
    bool joins = mayJoin(before, loop, around);
    if (joins)
      moveInto(before, loop);
    return joins;
  }

  /// Whether two nests may become one, and gain by it.
  bool mayJoin(AffineForOp before, AffineForOp loop, const Around &around) const {
    for (AffineForOp one : {before, loop})
      if (!one->hasAttr("weft.independent") || one.getNumIterOperands() != 0 ||
          !one.hasConstantBounds() || one.getBody()->getOps<AffineForOp>().empty())
        return false;
    if (!haveSameBounds(before, loop))
      return false;
    Attribute one = before->getAttr(weft::distributeMark),
              other = loop->getAttr(weft::distributeMark);
    if (one && other && one != other)
      return false;
    Nest first(before), second(loop);
    if (!first.analyse() || !second.analyse())
      return false;
    std::optional<Shared> shared = sharedBetween(first, second);
    if (!shared)
      return false;
    if (cores)
      return shared->passed != 0 && gainsTransfers(first, second, around);
    int64_t bytes = shared->passed + (readsOnce(first, second) ? shared->read : 0);
    if (bytes == 0)
      return false;
    return (shared->passed != 0 && isAsked(first, second)) || gainsCache(loop, bytes, around);
  }

  /// Whether all that nests read is their own slice, but for what a half of the first cache holds.
  bool readsOnce(const Nest &first, const Nest &second) const {
    int64_t staying = all.front().bytes / 2;
    return passesBy(first, staying) && passesBy(second, staying);
  }

  /// Whether a schedule wants what one writes and the other reads in a cache.
  static bool isAsked(const Nest &first, const Nest &second) {
    weft::PlacedValues placed(first.loop->getParentOfType<func::FuncOp>());
    return llvm::any_of(first.touches, [&](const Touch &one) {
      return one.isStored && placed.of(one.memref) &&
             llvm::any_of(second.touches, [&](const Touch &other) {
               return other.memref == one.memref && other.isLoaded;
             });
    });
  }

  /// Whether what they fill goes to memory in longer runs together, every core having its share.
  bool gainsTransfers(const Nest &first, const Nest &second, const Around &around) const {
    Value filled = filledTogether(first, second);
    if (!filled)
      return false;
    AffineForOp one = first.loop, other = second.loop;
    std::string name = weft::spokenLoop(other.getInductionVar());
    // What cores share is a perfect nest.
    int64_t iterations = around.iterations * iterationsOf(other);
    while (iterations < *cores) {
      auto inOne = nextIn(one), inOther = nextIn(other);
      if (!inOne || !inOther || !inOne.hasConstantBounds() || !inOther.hasConstantBounds() ||
          !haveSameBounds(inOne, inOther)) {
        notes.rejected(second.loop, "{0}: joined with the nest before it", name)
            .because("{0} iterations are not enough for {1} cores (cores)", iterations, *cores)
            .number("iterations", iterations);
        return false;
      }
      one = inOne;
      other = inOther;
      iterations *= iterationsOf(other);
    }
    notes.decided(second.loop, "{0}: joined with the nest before it", name)
        .because("both fill {0}, which goes to memory in longer runs as a whole",
                 weft::spoken(filled));
    return true;
  }

  /// The loop that is all that another one has in it.
  static AffineForOp nextIn(AffineForOp loop) {
    return llvm::hasSingleElement(loop.getBody()->without_terminator())
               ? dyn_cast<AffineForOp>(loop.getBody()->front())
               : AffineForOp();
  }

  /// Whether a cache then has a slice of what both touch.
  static bool gainsCache(AffineForOp loop, int64_t all, const Around &around) {
    int64_t bytes = all / around.iterations, slice = bytes / iterationsOf(loop);
    // With what else a slice reads and writes it has to stay there.
    const Cache *holds = llvm::find_if(around.caches, [&](const Cache &cache) {
      return bytes > cache.bytes && 2 * slice <= cache.bytes &&
             (around.iterations > 1 || slice >= fewestBytes);
    });
    bool gains = holds != around.caches.end();
    // Either the first one that would hold a slice, or the last.
    const Cache &told = gains ? *holds : around.caches.back();
    std::string name = weft::spokenLoop(loop.getInductionVar());
    auto tell = [&](weft::Note note) {
      note.because("what both touch has {0} bytes, a slice {1}; the cache has "
                   "{2} ({3})",
                   bytes, slice, told.bytes, told.name)
          .number("bytes", bytes)
          .number("slice", slice);
    };
    tell(gains ? notes.decided(loop, "{0}: joined with the nest before it", name)
               : notes.rejected(loop, "{0}: joined with the nest before it", name));
    return gains;
  }

  static void moveInto(AffineForOp before, AffineForOp loop) {
    for (Operation *op = before->getNextNode(); op != loop;) {
      Operation *next = op->getNextNode();
      op->moveBefore(before);
      op = next;
    }
    if (Attribute asked = loop->getAttr(weft::distributeMark))
      before->setAttr(weft::distributeMark, asked);
    loop.getInductionVar().replaceAllUsesWith(before.getInductionVar());
    before.getBody()->getOperations().splice(
        std::prev(before.getBody()->end()), loop.getBody()->getOperations(),
        loop.getBody()->begin(), std::prev(loop.getBody()->end()));
    // The joined nest may have another one behind it: it stands where the second stood.
    before->moveBefore(loop);
    loop.erase();
  }

  Caches all;
  std::optional<int64_t> cores; ///< that have memory of their own, where they do
};

} // namespace
