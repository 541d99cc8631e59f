//===- JoinNests.cpp - nests over the same slices, slice by slice ---------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// A transform along x of all planes and then one along y of all planes passes over
// memory twice; both on one plane after the other pass over it once, as long as a plane
// stays in the second cache. Legal where both nests' outermost loops are the same, their
// iterations independent, and all that one writes and the other touches is of the
// iteration's own slice.
//
//===-----------------------------------------------------------------------===//

#include "dialect/Target.h"
#include "passes/AccessPattern.h"
#include "passes/Notes.h"
#include "passes/Passes.h"

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
  bool isStored = false;
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
  SmallVector<AffineExpr> dims;
  for (auto [position, value] : llvm::enumerate(ArrayRef(values).take_front(map.getNumDims()))) {
    AffineForOp around = affine::getForInductionVarOwner(value);
    bool once = around && around != loop && affine::getConstantTripCount(around) == 1 &&
                around.hasConstantLowerBound();
    dims.push_back(once ? getAffineConstantExpr(around.getConstantLowerBound(), map.getContext())
                        : getAffineDimExpr(position, map.getContext()));
  }
  map =
      simplifyAffineMap(map.replaceDimsAndSymbols(dims, {}, map.getNumDims(), map.getNumSymbols()));
  Touch *known = llvm::find_if(touches, [&](Touch &touch) { return touch.memref == memref; });
  if (known == touches.end()) {
    touches.push_back({memref, SmallVector<bool>(map.getNumResults(), true)});
    known = &touches.back();
  }
  known->isStored |= isStore;
  for (auto [dim, index] : llvm::enumerate(map.getResults())) {
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

int64_t bytesOf(Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  return type.getNumElements() * llvm::divideCeil(type.getElementTypeBitWidth(), 8);
}

/// Bytes of what both touch and one writes, if it is the iteration's own slice; else nothing.
std::optional<int64_t> sharedBytes(const Nest &first, const Nest &second) {
  int64_t bytes = 0;
  for (const Touch &one : first.touches)
    for (const Touch &other : second.touches) {
      if (!one.isStored && !other.isStored)
        continue;
      if (one.memref != other.memref) {
        if (weft::mayAlias(one.memref, other.memref))
          return std::nullopt;
        continue;
      }
      bool apart = false;
      for (auto [mine, theirs] : llvm::zip(one.own, other.own))
        apart |= mine && theirs;
      if (!apart)
        return std::nullopt;
      bytes += bytesOf(one.memref);
    }
  return bytes;
}

struct JoinNests : public weft::impl::JoinNestsBase<JoinNests> {
  using JoinNestsBase::JoinNestsBase;

  void runOnOperation() override {
    FailureOr<weft::Target> target = weft::Target::of(getOperation());
    if (failed(target))
      return signalPassFailure();
    FailureOr<int64_t> cache = target->number("l2_bytes");
    if (failed(cache))
      return signalPassFailure();
    getOperation().walk([&](func::FuncOp func) {
      for (Block &block : func.getBody())
        joinIn(block, *cache);
    });
  }

  void joinIn(Block &block, int64_t cacheBytes) {
    for (auto loop : llvm::make_early_inc_range(block.getOps<AffineForOp>()))
      if (AffineForOp before = nestBefore(loop))
        join(before, loop, cacheBytes);
  }

  /// The nest in front of one, with nothing but pure operations between them.
  static AffineForOp nestBefore(AffineForOp loop) {
    Operation *op = loop->getPrevNode();
    while (op && op->getNumRegions() == 0 && isMemoryEffectFree(op))
      op = op->getPrevNode();
    return dyn_cast_or_null<AffineForOp>(op);
  }

  static void join(AffineForOp before, AffineForOp loop, int64_t cacheBytes) {
    for (AffineForOp one : {before, loop})
      if (!one->hasAttr("weft.independent") || one.getNumIterOperands() != 0 ||
          !one.hasConstantBounds() || one.getBody()->getOps<AffineForOp>().empty())
        return;
    if (before.getConstantLowerBound() != loop.getConstantLowerBound() ||
        before.getConstantUpperBound() != loop.getConstantUpperBound() ||
        before.getStepAsInt() != loop.getStepAsInt())
      return;
    Nest first(before), second(loop);
    if (!first.analyse() || !second.analyse())
      return;
    std::optional<int64_t> bytes = sharedBytes(first, second);
    if (!bytes || *bytes == 0)
      return;
    int64_t iterations =
        (loop.getConstantUpperBound() - loop.getConstantLowerBound()) / loop.getStepAsInt();
    int64_t slice = *bytes / std::max<int64_t>(iterations, 1);
    std::string name = weft::spokenLoop(loop.getInductionVar());
    auto tell = [&](weft::Note note) {
      note.because("what one writes and the other reads has {0} bytes, a slice {1}; the cache has "
                   "{2} (l2_bytes)",
                   *bytes, slice, cacheBytes)
          .number("bytes", *bytes)
          .number("slice", slice);
    };
    // With what else a slice reads and writes it has to stay there.
    if (*bytes <= cacheBytes || 2 * slice > cacheBytes)
      return tell(notes.rejected(loop, "{0}: joined with the nest before it", name));
    tell(notes.decided(loop, "{0}: joined with the nest before it", name));
    for (Operation *op = before->getNextNode(); op != loop;) {
      Operation *next = op->getNextNode();
      op->moveBefore(before);
      op = next;
    }
    loop.getInductionVar().replaceAllUsesWith(before.getInductionVar());
    before.getBody()->getOperations().splice(
        std::prev(before.getBody()->end()), loop.getBody()->getOperations(),
        loop.getBody()->begin(), std::prev(loop.getBody()->end()));
    // The joined nest may have another one behind it: it stands where the second stood.
    before->moveBefore(loop);
    loop.erase();
  }
};

} // namespace
