// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Windows.h"

#include "Abi.h"
#include "Charge.h"

#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace weft::swcc {

bool interacts(const Instruction &instruction) {
  const auto *call = dyn_cast<CallBase>(&instruction);
  if (!call || isCharge(instruction) || isa<IntrinsicInst>(call) || call->doesNotAccessMemory())
    return false;
  // A frame that does not fit ends the run.
  return !(isOwn(instruction) && call->doesNotReturn());
}

namespace {

/// Lowest and highest address, as values before a loop.
struct Bounds {
  const SCEV *low = nullptr, *high = nullptr;
};

class Prover {
public:
  Prover(Abi &abi, Function &function, LoopInfo &loops, ScalarEvolution &scalars)
      : abi_(abi), function_(function), loops_(loops), scalars_(scalars),
        expander_(scalars, "window") {
    for (BasicBlock &block : function)
      for (Instruction &instruction : block)
        if (interacts(instruction))
          for (Loop *loop = loops.getLoopFor(&block); loop; loop = loop->getParentLoop())
            busy_.insert(loop);
  }

  /// The loop before which a test covers `access`, made if there is none yet; null if what the
  /// access touches cannot be told.
  Loop *cover(const Access &access) {
    Loop *loop = loops_.getLoopFor(access.at->getParent());
    if (!loop || !scalars_.isSCEVable(access.pointer->getType()))
      return nullptr;
    const SCEV *address = scalars_.getPtrToIntExpr(scalars_.getSCEV(access.pointer), abi_.i64);
    if (isa<SCEVCouldNotCompute>(address))
      return nullptr;
    // The outermost loop before which all is known.
    Loop *outermost = nullptr;
    Bounds known;
    Bounds bounds = {address, address};
    for (; loop && !busy_.contains(loop) && loop->getLoopPreheader();
         loop = loop->getParentLoop()) {
      bounds = {widen(bounds.low, loop, false), widen(bounds.high, loop, true)};
      if (!bounds.low || !bounds.high)
        break;
      if (!expandable(bounds.low, loop) || !expandable(bounds.high, loop))
        continue;
      outermost = loop;
      known = bounds;
    }
    return outermost && test(outermost, known, address, access) ? outermost : nullptr;
  }

  /// One value a loop: all its tests hold. To be called when all accesses are covered.
  Value *together(Loop *loop) { return all_.lookup(loop); }

private:
  Abi &abi_;
  Function &function_;
  LoopInfo &loops_;
  ScalarEvolution &scalars_;
  SCEVExpander expander_;
  SmallPtrSet<Loop *, 8> busy_;
  DenseMap<Loop *, Value *> all_;
  struct Known {
    Loop *loop;
    Bounds bounds;
    std::uint64_t bytes, alignment;
  };
  SmallVector<Known> tests_;

  /// The lowest or highest value of `value` while `loop` runs, told without it; null if unknown.
  const SCEV *widen(const SCEV *value, Loop *loop, bool highest) {
    if (scalars_.isLoopInvariant(value, loop))
      return value;
    if (const auto *sum = dyn_cast<SCEVAddExpr>(value)) {
      SmallVector<const SCEV *> terms;
      for (const SCEV *term : sum->operands()) {
        const SCEV *one = widen(term, loop, highest);
        if (!one)
          return nullptr;
        terms.push_back(one);
      }
      return scalars_.getAddExpr(terms);
    }
    if (const auto *choice = dyn_cast<SCEVMinMaxExpr>(value)) {
      SmallVector<const SCEV *> terms;
      for (const SCEV *term : choice->operands()) {
        const SCEV *one = widen(term, loop, highest);
        if (!one)
          return nullptr;
        terms.push_back(one);
      }
      return scalars_.getMinMaxExpr(choice->getSCEVType(), terms);
    }
    const auto *walk = dyn_cast<SCEVAddRecExpr>(value);
    if (!walk || walk->getLoop() != loop || !walk->isAffine())
      return nullptr;
    const SCEV *turns = scalars_.getSymbolicMaxBackedgeTakenCount(loop);
    if (isa<SCEVCouldNotCompute>(turns))
      return nullptr;
    const SCEV *step = walk->getStepRecurrence(scalars_);
    Type *type = step->getType();
    const SCEV *start = walk->getStart();
    const SCEV *end = scalars_.getAddExpr(
        start, scalars_.getMulExpr(scalars_.getTruncateOrZeroExtend(turns, type), step));
    if (scalars_.isKnownNonNegative(step))
      return highest ? end : start;
    if (scalars_.isKnownNonPositive(step))
      return highest ? start : end;
    return highest ? scalars_.getUMaxExpr(start, end) : scalars_.getUMinExpr(start, end);
  }

  bool expandable(const SCEV *value, Loop *loop) {
    return expander_.isSafeToExpandAt(value, loop->getLoopPreheader()->getTerminator()) &&
           scalars_.dominates(value, loop->getLoopPreheader());
  }

  /// The greatest power of two up to the access's size that surely divides all its addresses but
  /// for the first.
  bool stepsAreAligned(const SCEV *address, std::uint64_t bytes) {
    const auto *walk = dyn_cast<SCEVAddRecExpr>(address);
    while (walk) {
      if (scalars_.getMinTrailingZeros(walk->getStepRecurrence(scalars_)) < Log2_64(bytes))
        return false;
      walk = dyn_cast<SCEVAddRecExpr>(walk->getStart());
    }
    return true;
  }

  bool test(Loop *loop, Bounds bounds, const SCEV *address, const Access &access) {
    std::uint64_t alignment = 1;
    if (!(access.kind & WEFT_SW_UNALIGNED)) {
      alignment = access.bytes;
      if (!stepsAreAligned(address, access.bytes))
        return false;
    }
    for (const Known &known : tests_)
      if (known.loop == loop && known.bounds.low == bounds.low &&
          known.bounds.high == bounds.high && known.bytes >= access.bytes &&
          known.alignment >= alignment)
        return true;
    tests_.push_back({loop, bounds, access.bytes, alignment});
    Instruction *before = loop->getLoopPreheader()->getTerminator();
    Value *low = expander_.expandCodeFor(bounds.low, bounds.low->getType(), before);
    Value *high = expander_.expandCodeFor(bounds.high, bounds.high->getType(), before);
    OwnBuilder builder(before);
    FunctionCallee callee =
        abi_.function("weft_sw_window", abi_.i32, {abi_.ptr, abi_.i64, abi_.i64, abi_.i64});
    Value *plain = builder.CreateIsNotNull(builder.CreateCall(
        callee, {abi_.coreOf(function_), low,
                 builder.CreateAdd(high, ConstantInt::get(abi_.i64, access.bytes)),
                 ConstantInt::get(abi_.i64, alignment - 1)}));
    Value *&all = all_[loop];
    all = all ? builder.CreateAnd(all, plain) : plain;
    return true;
  }
};

} // namespace

Covered proveLoops(Abi &abi, Function &function, ArrayRef<Access> accesses, LoopInfo &loops,
                   ScalarEvolution &scalars) {
  Prover prover(abi, function, loops, scalars);
  SmallVector<std::pair<Instruction *, Loop *>> found;
  for (const Access &access : accesses)
    if (Loop *loop = prover.cover(access))
      found.push_back({access.at, loop});
  // One test a loop for all of them: where it holds, the loop can run without any check.
  Covered covered;
  for (const auto &[at, loop] : found)
    covered[at] = prover.together(loop);
  return covered;
}

} // namespace weft::swcc
