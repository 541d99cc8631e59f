// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Windows.h"

#include "Abi.h"
#include "Charge.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

#include <algorithm>
#include <cstdint>
#include <tuple>

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

/// So far apart, in bytes, things may lie that one test looks at together: what is in between may
/// be part of a transfer, and then all is checked.
constexpr std::int64_t widestGap = 256;

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
    return outermost && note(outermost, known, address, access) ? outermost : nullptr;
  }

  /// One value a loop: all its tests hold. To be called when all accesses are covered.
  Value *together(Loop *loop) {
    if (!windows_.empty())
      testAll();
    return all_.lookup(loop);
  }

private:
  Abi &abi_;
  Function &function_;
  LoopInfo &loops_;
  ScalarEvolution &scalars_;
  SCEVExpander expander_;
  SmallPtrSet<Loop *, 8> busy_;
  DenseMap<Loop *, Value *> all_;
  /// What accesses of a loop touch whose addresses differ by constants only.
  struct Window {
    Loop *loop;
    std::uint64_t alignment;
    const SCEV *rest;        // the address without its constant
    Bounds bounds;           // of the access with the lowest constant
    std::int64_t begin, end; // the constants; the last access's bytes are part of `end`
  };
  SmallVector<Window> windows_;

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

  /// Notes what is to be tested before `loop`; false if that cannot be told.
  bool note(Loop *loop, Bounds bounds, const SCEV *address, const Access &access) {
    std::uint64_t alignment = 1;
    if (!(access.kind & WEFT_SW_UNALIGNED)) {
      alignment = access.bytes;
      if (!stepsAreAligned(address, access.bytes))
        return false;
    }
    const std::int64_t begin = constantIn(address);
    const SCEV *rest =
        scalars_.getMinusSCEV(address, scalars_.getConstant(abi_.i64, std::uint64_t(begin), true));
    windows_.push_back({loop, alignment, rest, bounds, begin, begin + std::int64_t(access.bytes)});
    return true;
  }

  /// The constant that `address` adds to what is known when the program runs only.
  std::int64_t constantIn(const SCEV *address) {
    if (const auto *walk = dyn_cast<SCEVAddRecExpr>(address))
      return constantIn(walk->getStart());
    if (const auto *sum = dyn_cast<SCEVAddExpr>(address))
      address = sum->getOperand(0);
    const auto *constant = dyn_cast<SCEVConstant>(address);
    return constant ? constant->getAPInt().getSExtValue() : 0;
  }

  /// What neighbours that one test can cover have in common.
  static auto kind(const Window &window) {
    return std::tuple(window.alignment, window.rest,
                      std::uint64_t(window.begin) % window.alignment);
  }

  void testAll() {
    MapVector<Loop *, SmallVector<Window>> all;
    for (const Window &window : windows_)
      all[window.loop].push_back(window);
    windows_.clear();
    for (auto &[loop, windows] : all) {
      // By the order of the first of each kind, so that the same program gives the same code.
      MapVector<decltype(kind(windows[0])), SmallVector<Window>> alike;
      for (const Window &window : windows)
        alike[kind(window)].push_back(window);
      for (auto &[key, group] : alike)
        testGroup(loop, group);
    }
  }

  void testGroup(Loop *loop, SmallVectorImpl<Window> &group) {
    stable_sort(group, [](const Window &a, const Window &b) { return a.begin < b.begin; });
    Window window = group.front();
    for (const Window &next : drop_begin(group)) {
      if (next.begin > window.end + widestGap) {
        test(loop, window);
        window = next;
      } else {
        window.end = std::max(window.end, next.end);
      }
    }
    test(loop, window);
  }

  void test(Loop *loop, const Window &window) {
    Instruction *before = loop->getLoopPreheader()->getTerminator();
    Value *low = expander_.expandCodeFor(window.bounds.low, abi_.i64, before);
    Value *high = expander_.expandCodeFor(window.bounds.high, abi_.i64, before);
    OwnBuilder builder(before);
    high = builder.CreateAdd(high, ConstantInt::get(abi_.i64, window.end - window.begin));
    Value *plain = testWindow(abi_, function_, builder, low, high, window.alignment);
    Value *&all = all_[loop];
    all = all ? builder.CreateAnd(all, plain) : plain;
  }
};

} // namespace

MDNode *likely(LLVMContext &context) { return MDBuilder(context).createBranchWeights(1 << 10, 1); }

Value *testWindow(Abi &abi, Function &function, OwnBuilder &builder, Value *begin, Value *end,
                  std::uint64_t alignment) {
  FunctionCallee callee =
      abi.function("weft_sw_window", abi.i32, {abi.ptr, abi.i64, abi.i64, abi.i64});
  return builder.CreateIsNotNull(builder.CreateCall(
      callee, {abi.coreOf(function), begin, end, ConstantInt::get(abi.i64, alignment - 1)}));
}

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
