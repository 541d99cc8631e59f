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
/// Counters of turns stay in registers while each of them times each block of the loop, where it is
/// merged, is no more than this.
constexpr std::size_t mostMerges = 32'768;

/// In functions of more blocks, loops that have a fast version are charged by calls in the other.
constexpr std::size_t mostWarmBlocks = 256;

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
    builder.CreateCondBr(wanted, fast->getLoopPreheader(), preheader, likely(abi_.context));
    decision->getTerminator()->eraseFromParent();
    chargeAtExits(*fast, exits);
    // Many marks in code that seldom runs.
    if (function_.size() > mostWarmBlocks)
      for (BasicBlock *block : loop.blocks())
        for (Instruction &instruction : *block)
          if (chargedOnce(instruction))
            chargeByCall(instruction);
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

  /// Where each segment of a loop is charged.
  using Marks = MapVector<GlobalVariable *, SmallVector<Instruction *, 1>>;

  /// Counts how often each segment of `fast` runs, and charges all of it where the loop ends.
  void chargeAtExits(Loop &fast, ArrayRef<BasicBlock *> exits) {
    Marks marks;
    for (BasicBlock *block : fast.blocks())
      for (Instruction &instruction : *block)
        if (GlobalVariable *segment = chargedOnce(instruction))
          marks[segment].push_back(&instruction);
    if (marks.empty())
      return;
    if (marks.size() * fast.getNumBlocks() <= mostMerges)
      countInRegisters(fast, exits, marks);
    else
      countInMemory(fast, exits, marks);
  }

  void countInRegisters(Loop &fast, ArrayRef<BasicBlock *> exits, const Marks &marks) {
    SmallVector<std::pair<GlobalVariable *, AllocaInst *>> turns;
    for (const auto &[segment, places] : marks) {
      AllocaInst *counter = onEntry().CreateAlloca(abi_.i64);
      counters_.push_back(counter);
      turns.push_back({segment, counter});
      OwnBuilder(fast.getLoopPreheader()->getTerminator())
          .CreateStore(ConstantInt::get(abi_.i64, 0), counter);
      for (Instruction *mark : places)
        countOne(*mark, counter);
    }
    for (BasicBlock *leaving : leavingBlocks(fast, exits)) {
      OwnBuilder builder(leaving->getTerminator());
      for (const auto &[segment, counter] : turns)
        chargeTimes(builder, segment, builder.CreateLoad(abi_.i64, counter));
    }
  }

  /// An array of counters, which the runtime goes over.
  void countInMemory(Loop &fast, ArrayRef<BasicBlock *> exits, const Marks &marks) {
    Value *count = ConstantInt::get(abi_.i64, marks.size());
    auto *type = ArrayType::get(abi_.i64, marks.size());
    AllocaInst *counters = onEntry().CreateAlloca(type);
    OwnBuilder(fast.getLoopPreheader()->getTerminator())
        .CreateMemSet(counters, ConstantInt::get(abi_.i8, 0), marks.size() * sizeof(std::uint64_t),
                      Align(alignof(std::uint64_t)));
    SmallVector<Constant *> segments;
    for (const auto &[segment, places] : marks) {
      for (Instruction *mark : places)
        countOne(*mark,
                 OwnBuilder(mark).CreateConstInBoundsGEP2_64(type, counters, 0, segments.size()));
      segments.push_back(segment);
    }
    auto *tableType = ArrayType::get(abi_.ptr, segments.size());
    auto *table = new GlobalVariable(abi_.module, tableType, true, GlobalValue::PrivateLinkage,
                                     ConstantArray::get(tableType, segments), "weft.turns");
    FunctionCallee charge = abi_.function("weft_sw_charge_turns", abi_.voidType,
                                          {abi_.ptr, abi_.ptr, abi_.ptr, abi_.i64});
    for (BasicBlock *leaving : leavingBlocks(fast, exits))
      OwnBuilder(leaving->getTerminator())
          .CreateCall(charge, {abi_.coreOf(function_), table, counters, count});
    // The table is the module's.
  } // NOLINT(clang-analyzer-cplusplus.NewDeleteLeaks)

  OwnBuilder onEntry() {
    BasicBlock &entry = function_.getEntryBlock();
    return OwnBuilder(&entry, entry.getFirstInsertionPt());
  }

  /// Instead of `mark`.
  static void countOne(Instruction &mark, Value *counter) {
    OwnBuilder builder(&mark);
    Type *type = builder.getInt64Ty();
    builder.CreateStore(
        builder.CreateAdd(builder.CreateLoad(type, counter), ConstantInt::get(type, 1)), counter);
    mark.eraseFromParent();
  }

  /// A block for each exit that is reached from `fast`, on the way there.
  static SmallVector<BasicBlock *> leavingBlocks(const Loop &fast, ArrayRef<BasicBlock *> exits) {
    SmallVector<BasicBlock *> all;
    for (BasicBlock *exit : exits) {
      SmallVector<BasicBlock *> from;
      for (BasicBlock *predecessor : predecessors(exit))
        if (fast.contains(predecessor))
          from.push_back(predecessor);
      if (!from.empty())
        all.push_back(SplitBlockPredecessors(exit, from, ".fast"));
    }
    return all;
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
