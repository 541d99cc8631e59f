// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A core runs until it meets others. A loop that may wait for memory to change therefore gives way
// on its back-edges: one that does nothing but wait says so (weft_sw_spin: turns can be skipped,
// and waiting for ever is found), another does when its time has come (weft_sw_preempt).
#include "Swcc.h"

#include "Charge.h"

#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace weft::swcc {

namespace {

enum class Kind {
  Finite, // ends by itself, whatever others do
  Wait,   // only looks at memory
  Other,
};

/// Operations that do not change what a waiting loop sees.
bool harmless(const CallBase &call) {
  if (isa<IntrinsicInst>(call))
    return !call.mayWriteToMemory() || cast<IntrinsicInst>(call).isAssumeLikeIntrinsic();
  const Function *callee = call.getCalledFunction();
  if (!callee)
    return false;
  const StringRef name = callee->getName();
  return name == "__weft_sw_memb__r" || name == "__weft_sw_nop__r" ||
         name.starts_with("__weft_mem_ld") || call.doesNotAccessMemory();
}

bool looksAtMemory(const Instruction &instruction) {
  if (const auto *load = dyn_cast<LoadInst>(&instruction))
    return load->isVolatile() || load->isAtomic();
  const auto *call = dyn_cast<CallBase>(&instruction);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName().starts_with("__weft_mem_ld");
}

Kind classify(const Loop &loop, ScalarEvolution &scalars) {
  bool onlyWaits = true, looks = false;
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &instruction : *block) {
      if (isOwn(instruction) || isCharge(instruction))
        continue;
      looks |= looksAtMemory(instruction) || instruction.isVolatile();
      if (const auto *call = dyn_cast<CallBase>(&instruction))
        onlyWaits &= harmless(*call);
      else
        onlyWaits &= isa<LoadInst>(instruction) || !instruction.mayWriteToMemory();
    }
  if (!looks)
    return scalars.hasLoopInvariantBackedgeTakenCount(&loop) ? Kind::Finite : Kind::Other;
  // A counter makes turns differ: a wait with a time limit, or a search.
  for (const PHINode &phi : loop.getHeader()->phis())
    if (!phi.use_empty())
      onlyWaits = false;
  return onlyWaits ? Kind::Wait : Kind::Other;
}

void giveWay(Abi &abi, BasicBlock *edge) {
  Function &function = *edge->getParent();
  Value *core = abi.coreOf(function);
  Instruction *end = edge->getTerminator();
  OwnBuilder builder(end);
  Value *due = builder.CreateICmpUGE(abi.load(builder, core, Now), abi.load(builder, core, Limit));
  Constant *site = abi.siteOf(*end);
  Instruction *then = SplitBlockAndInsertIfThen(
      due, end, false, MDBuilder(abi.context).createBranchWeights(1, 1 << 20));
  OwnBuilder(then).CreateCall(abi.preempt(), {core, site});
}

/// Before the back-edge of a loop that ends when a word has a value: which word, and what value.
void tellAwaited(Abi &abi, const Loop &loop, BasicBlock *edge) {
  BasicBlock *exiting = loop.getExitingBlock();
  if (!exiting || exiting != loop.getHeader())
    return;
  const auto *branch = dyn_cast<BranchInst>(exiting->getTerminator());
  const auto *compare =
      branch && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
  if (!compare || !compare->isEquality())
    return;
  // Where it differs the loop goes on.
  const bool differs = compare->getPredicate() == CmpInst::ICMP_NE;
  const BasicBlock *onward = branch->getSuccessor(differs ? 0 : 1);
  if (onward != edge && !loop.contains(onward)) // the edge is a block of no loop yet
    return;
  for (unsigned side : {0U, 1U}) {
    Value *loaded = compare->getOperand(side), *wanted = compare->getOperand(1 - side);
    if (auto *cast = dyn_cast<CastInst>(loaded))
      loaded = cast->getOperand(0);
    auto *load = dyn_cast<LoadInst>(loaded);
    if (!load || load->getParent() != exiting || !wanted->getType()->isIntegerTy() ||
        !load->getType()->isIntegerTy() || !loop.isLoopInvariant(wanted))
      continue;
    Instruction *end = edge->getTerminator();
    OwnBuilder builder(end);
    builder.CreateCall(
        abi.function("weft_sw_awaits", abi.voidType, {abi.ptr, abi.ptr, abi.i64, abi.i32, abi.ptr}),
        {abi.coreOf(*edge->getParent()), load->getPointerOperand(),
         builder.CreateZExtOrTrunc(wanted, abi.i64),
         ConstantInt::get(abi.i32, load->getType()->getIntegerBitWidth() / 8), abi.siteOf(*end)});
    return;
  }
}

void wait(Abi &abi, const Loop &loop, BasicBlock *edge) {
  tellAwaited(abi, loop, edge);
  std::uint64_t cycles = 0;
  for (const BasicBlock *block : loop.blocks())
    cycles += chargedCycles(*block);
  Instruction *end = edge->getTerminator();
  OwnBuilder(end).CreateCall(abi.spin(), {abi.coreOf(*edge->getParent()), abi.siteOf(*end),
                                          ConstantInt::get(abi.i64, cycles)});
}

FunctionAnalysisManager &functionAnalyses(Module &module, ModuleAnalysisManager &analyses) {
  return analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
}

struct BackEdge {
  BasicBlock *from, *to;
  Kind kind;
  Loop *loop;
};

/// All back-edges with their loops; an edge into a loop with several entries has none.
std::vector<BackEdge> backEdges(Function &function, LoopInfo &loops, ScalarEvolution &scalars) {
  SmallVector<std::pair<const BasicBlock *, const BasicBlock *>> found;
  FindFunctionBackedges(function, found);
  std::vector<BackEdge> edges;
  for (auto [from, to] : found) {
    // Of a computed goto, which has no edge that could be split.
    if (isa<IndirectBrInst>(from->getTerminator()))
      continue;
    Loop *loop = loops.getLoopFor(to);
    if (loop && (loop->getHeader() != to || !loop->contains(from)))
      loop = nullptr;
    edges.push_back({const_cast<BasicBlock *>(from), const_cast<BasicBlock *>(to),
                     loop ? classify(*loop, scalars) : Kind::Other, loop});
  }
  return edges;
}

void giveHostWay(Abi &abi, const HostLoopEnd &end) {
  const DebugLoc place = end.from->getDebugLoc();
  BasicBlock *split = SplitEdge(end.from->getParent(), end.to);
  split->getTerminator()->setDebugLoc(place);
  Instruction *last = split->getTerminator();
  OwnBuilder builder(last);
  const auto value = [&](StringRef name) {
    return builder.CreateLoad(abi.i64, abi.module.getOrInsertGlobal(name, abi.i64));
  };
  Value *due = builder.CreateICmpUGE(value("weft_sw_host_work"), value("weft_sw_host_due"));
  Constant *site = abi.siteOf(*last);
  Instruction *then = SplitBlockAndInsertIfThen(
      due, last, false, MDBuilder(abi.context).createBranchWeights(1, 1 << 20));
  OwnBuilder(then).CreateCall(abi.function("weft_sw_host_give_way", abi.voidType, {abi.ptr}),
                              {site});
}

} // namespace

void insertPreemption(Abi &abi, ModuleAnalysisManager &analyses) {
  auto &manager = functionAnalyses(abi.module, analyses);
  for (Function &function : abi.module) {
    if (!isProgram(function))
      continue;
    manager.invalidate(function, PreservedAnalyses::none());
    const auto edges = backEdges(function, manager.getResult<LoopAnalysis>(function),
                                 manager.getResult<ScalarEvolutionAnalysis>(function));
    // The loops' blocks are looked at before any edge is split: splitting changes the loops.
    for (const BackEdge &edge : edges) {
      if (edge.kind == Kind::Finite)
        continue;
      BasicBlock *split = SplitEdge(edge.from, edge.to);
      split->getTerminator()->setDebugLoc(edge.from->getTerminator()->getDebugLoc());
      if (edge.kind == Kind::Wait)
        wait(abi, *edge.loop, split);
      else
        giveWay(abi, split);
    }
    manager.invalidate(function, PreservedAnalyses::none());
  }
}

HostLoops insertHostPreemption(Abi &abi, ModuleAnalysisManager &analyses) {
  auto &manager = functionAnalyses(abi.module, analyses);
  HostLoops others;
  for (Function &function : abi.module) {
    if (!isProgram(function))
      continue;
    const auto edges = backEdges(function, manager.getResult<LoopAnalysis>(function),
                                 manager.getResult<ScalarEvolutionAnalysis>(function));
    for (const BackEdge &edge : edges) {
      if (edge.kind == Kind::Other)
        others.push_back({edge.from->getTerminator(), edge.to});
      if (edge.kind != Kind::Wait)
        continue;
      BasicBlock *split = SplitEdge(edge.from, edge.to);
      split->getTerminator()->setDebugLoc(edge.from->getTerminator()->getDebugLoc());
      Instruction *end = split->getTerminator();
      OwnBuilder(end).CreateCall(abi.hostPreempt(), {abi.siteOf(*end)});
    }
    manager.invalidate(function, PreservedAnalyses::none());
  }
  return others;
}

void giveHostWay(Abi &abi, const HostLoops &loops) {
  for (const HostLoopEnd &end : loops)
    giveHostWay(abi, end);
}

} // namespace weft::swcc
