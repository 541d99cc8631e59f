// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FastLoops.h"

#include "Charge.h"
#include "Instructions.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace weft::swcc {

namespace {

/// Instructions of a loop nest that is worth a second version.
constexpr unsigned mostInstructions = 50'000;
/// Counters of turns that are worth their registers. Each is merged in each block of the loop.
constexpr unsigned mostCounters = 64;

class Versions {
public:
  Versions(Abi &abi, Function &function, ArrayRef<Access> accesses, Covered &covered,
           DominatorTree &dominators, LoopInfo &loops)
      : abi_(abi), function_(function), covered_(covered), dominators_(dominators), loops_(loops) {
    for (const Access &access : accesses)
      accesses_.insert(access.at);
  }

  void run() {
    const SmallVector<Loop *> all(loops_.begin(), loops_.end());
    for (Loop *loop : all)
      visit(loop);
    if (counters_.empty())
      return;
    DominatorTree fresh(function_);
    PromoteMemToReg(counters_, fresh);
  }

private:
  Abi &abi_;
  Function &function_;
  Covered &covered_;
  DominatorTree &dominators_;
  LoopInfo &loops_;
  SmallPtrSet<Instruction *, 32> accesses_;
  SmallVector<AllocaInst *> counters_;

  /// The outermost loops that qualify.
  void visit(Loop *loop) {
    SetVector<Value *> tests;
    if (qualifies(*loop, tests))
      return version(*loop, tests.getArrayRef());
    const SmallVector<Loop *> inner(loop->begin(), loop->end());
    for (Loop *one : inner)
      visit(one);
  }

  bool qualifies(const Loop &loop, SetVector<Value *> &tests) {
    if (!loop.isLoopSimplifyForm() || !loop.isSafeToClone())
      return false;
    unsigned size = 0;
    std::uint64_t codeBytes = 0;
    for (BasicBlock *block : loop.blocks())
      for (Instruction &instruction : *block) {
        if (const GlobalVariable *segment = chargedOnce(instruction))
          codeBytes += codeBytesOf(*segment);
        if (++size > mostInstructions || interacts(instruction) || isa<MemIntrinsic>(instruction))
          return false;
        if (!accesses_.contains(&instruction))
          continue;
        Value *test = covered_.lookup(&instruction);
        // A test inside of the loop comes too late.
        if (!test || (isa<Instruction>(test) && loop.contains(cast<Instruction>(test))))
          return false;
        tests.insert(test);
      }
    // What does not fit the instruction cache is fetched every turn.
    return codeBytes <= Instructions::get().core().instructionCacheBytes;
  }

  void version(Loop &loop, ArrayRef<Value *> tests) {
    for (BasicBlock *block : loop.blocks())
      for (Instruction &instruction : *block)
        covered_.erase(&instruction);
    BasicBlock *decision = loop.getLoopPreheader();
    BasicBlock *preheader =
        SplitBlock(decision, decision->getTerminator(), &dominators_, &loops_, nullptr, "checked");
    ValueToValueMapTy values;
    SmallVector<BasicBlock *> blocks;
    Loop *fast = cloneLoopWithPreheader(preheader, decision, &loop, values, ".fast", &loops_,
                                        &dominators_, blocks);
    remapInstructionsInBlocks(blocks, values);
    SmallVector<BasicBlock *> exits;
    loop.getUniqueExitBlocks(exits);
    for (BasicBlock *exit : exits)
      addIncoming(loop, *exit, values);

    OwnBuilder builder(decision->getTerminator());
    // Pipeline views look at each turn.
    Value *wanted = builder.CreateICmpEQ(abi_.load(builder, abi_.coreOf(function_), Step),
                                         ConstantInt::get(abi_.i64, 0));
    for (Value *test : tests)
      wanted = builder.CreateAnd(wanted, test);
    builder.CreateCondBr(wanted, fast->getLoopPreheader(), preheader);
    decision->getTerminator()->eraseFromParent();
    chargeAtExits(*fast, exits);
    dominators_.recalculate(function_);
  }

  static void addIncoming(const Loop &loop, BasicBlock &exit, ValueToValueMapTy &values) {
    for (PHINode &phi : exit.phis())
      for (unsigned i = 0, count = phi.getNumIncomingValues(); i < count; ++i) {
        BasicBlock *from = phi.getIncomingBlock(i);
        if (!loop.contains(from))
          continue;
        Value *value = phi.getIncomingValue(i);
        if (Value *mapped = values.lookup(value))
          value = mapped;
        phi.addIncoming(value, cast<BasicBlock>(values[from]));
      }
  }

  void chargeAtExits(Loop &fast, ArrayRef<BasicBlock *> exits) {
    SmallPtrSet<GlobalVariable *, 32> segments;
    for (BasicBlock *block : fast.blocks())
      for (Instruction &instruction : *block)
        if (GlobalVariable *segment = chargedOnce(instruction))
          segments.insert(segment);
    if (segments.size() > mostCounters)
      return; // charged as they run
    MapVector<GlobalVariable *, AllocaInst *> turns;
    BasicBlock &entry = function_.getEntryBlock();
    for (BasicBlock *block : fast.blocks())
      for (Instruction &instruction : make_early_inc_range(*block)) {
        GlobalVariable *segment = chargedOnce(instruction);
        if (!segment)
          continue;
        AllocaInst *&counter = turns[segment];
        if (!counter) {
          counter = OwnBuilder(&entry, entry.getFirstInsertionPt()).CreateAlloca(abi_.i64);
          counters_.push_back(counter);
          OwnBuilder(fast.getLoopPreheader()->getTerminator())
              .CreateStore(ConstantInt::get(abi_.i64, 0), counter);
        }
        OwnBuilder builder(&instruction);
        builder.CreateStore(
            builder.CreateAdd(builder.CreateLoad(abi_.i64, counter), ConstantInt::get(abi_.i64, 1)),
            counter);
        instruction.eraseFromParent();
      }
    for (BasicBlock *exit : exits) {
      SmallVector<BasicBlock *> from;
      for (BasicBlock *predecessor : predecessors(exit))
        if (fast.contains(predecessor))
          from.push_back(predecessor);
      if (from.empty())
        continue;
      BasicBlock *leaving = SplitBlockPredecessors(exit, from, ".fast");
      OwnBuilder builder(leaving->getTerminator());
      for (const auto &[segment, counter] : turns)
        chargeTimes(builder, segment, builder.CreateLoad(abi_.i64, counter));
    }
  }
};

} // namespace

void regularize(Function &function, DominatorTree &dominators, LoopInfo &loops,
                ScalarEvolution &scalars) {
  for (Loop *loop : SmallVector<Loop *>(loops.begin(), loops.end())) {
    simplifyLoop(loop, &dominators, &loops, &scalars, nullptr, nullptr, false);
    formLCSSARecursively(*loop, dominators, &loops, &scalars);
  }
}

void versionLoops(Abi &abi, Function &function, ArrayRef<Access> accesses, Covered &covered,
                  DominatorTree &dominators, LoopInfo &loops) {
  Versions(abi, function, accesses, covered, dominators, loops).run();
}

} // namespace weft::swcc
