// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Charges host code: an addition a block, and for loads and stores a test whether the place still
// works on the line it used last; only where it has moved on are the caches asked.
#include "Abi.h"
#include "HostCost.h"
#include "Machine.h"
#include "Marks.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <bit>

using namespace llvm;

namespace weft::swcc {

namespace {

struct Access {
  Instruction *at;
  Value *pointer;
  Value *bytes;
  bool store;
};

/// Objects of the frame that are no arrays are held near by any cache.
bool isOwnScalar(const Value *pointer) {
  const auto *object = dyn_cast<AllocaInst>(pointer->stripInBoundsConstantOffsets());
  return object && object->isStaticAlloca() && !object->getAllocatedType()->isArrayTy();
}

/// Every access of `function`; of two to one address in a block without a call between, the first,
/// which stands for a store if either is one.
SmallVector<Access> accessesOf(Function &function) {
  SmallVector<Access> all;
  const DataLayout &layout = function.getDataLayout();
  Type *wide = Type::getInt64Ty(function.getContext());
  for (BasicBlock &block : function) {
    DenseMap<Value *, size_t> seen;
    for (Instruction &instruction : block) {
      Value *pointer = getLoadStorePointerOperand(&instruction);
      if (const auto *update = dyn_cast<AtomicRMWInst>(&instruction))
        pointer = const_cast<Value *>(update->getPointerOperand());
      if (pointer) {
        if (isOwnScalar(pointer) || pointer->getType()->getPointerAddressSpace() != 0)
          continue;
        const bool store = instruction.mayWriteToMemory();
        if (const auto known = seen.find(pointer); known != seen.end()) {
          all[known->second].store |= store;
          continue;
        }
        seen[pointer] = all.size();
        Type *type = isa<AtomicRMWInst>(instruction) ? instruction.getType()
                                                     : getLoadStoreType(&instruction);
        all.push_back({&instruction, pointer,
                       ConstantInt::get(wide, layout.getTypeStoreSize(type).getFixedValue()),
                       store});
      } else if (auto *memory = dyn_cast<MemIntrinsic>(&instruction)) {
        all.push_back({memory, memory->getRawDest(), memory->getLength(), true});
        if (auto *transfer = dyn_cast<MemTransferInst>(memory))
          all.push_back({memory, transfer->getRawSource(), memory->getLength(), false});
      } else if (isa<CallBase>(instruction)) {
        seen.clear();
      }
    }
  }
  return all;
}

/// Calls that may ask for the MPE's time: of what is neither here nor in the C library's table.
SmallVector<CallBase *> outwardCallsOf(Function &function) {
  SmallVector<CallBase *> all;
  for (BasicBlock &block : function)
    for (Instruction &instruction : block)
      if (auto *call = dyn_cast<CallBase>(&instruction); call && !call->isInlineAsm()) {
        const Function *callee = call->getCalledFunction();
        if (!callee || (callee->isDeclaration() && !callee->isIntrinsic() &&
                        hostLibraryCycles(callee->getName()) == 0))
          all.push_back(call);
      }
  return all;
}

class HostCharger {
public:
  explicit HostCharger(Module &module)
      : module_(module), context_(module.getContext()), wide_(Type::getInt64Ty(context_)),
        lineShift_(
            static_cast<unsigned>(std::countr_zero(emu::Machine::get().cycles("mpe.line_bytes")))),
        work_(module.getOrInsertGlobal("weft_sw_host_work", wide_)),
        access_(module.getOrInsertFunction("weft_sw_host_access", Type::getVoidTy(context_),
                                           PointerType::get(context_, 0), wide_,
                                           Type::getInt32Ty(context_))),
        settle_(module.getOrInsertFunction("weft_sw_host_settle", Type::getVoidTy(context_))) {}

  /// A function's loops are done with.
  void forget() { turns_.clear(); }

  void settle(CallBase &call) { IRBuilder<>(&call).CreateCall(settle_); }

  /// `loop`: what the block is the last of, if its chain may cost.
  void charge(BasicBlock &block, const HostBlockCost &cost, const Loop *loop) {
    if (cost.sixteenths == 0)
      return;
    Constant *count = counterOf(block, cost, cost.sixteenths);
    IRBuilder<> builder(&block, block.getFirstInsertionPt());
    builder.SetCurrentDebugLocation({});
    if (!cost.chainAfter && !cost.chainSixteenths) {
      add(builder, work_, builder.getInt64(cost.sixteenths));
      add(builder, count, builder.getInt64(1));
      return;
    }
    Value *early = builder.CreateICmpULT(turnsOf(*loop), builder.getInt64(cost.chainAfter));
    add(builder, work_,
        builder.CreateSelect(early, builder.getInt64(cost.sixteenths),
                             builder.getInt64(cost.chainSixteenths)));
    add(builder, builder.CreateSelect(early, count, counterOf(block, cost, cost.chainSixteenths)),
        builder.getInt64(1));
  }

  /// Leaving a loop is mispredicted, but for a short one that is left in the turn in which it was
  /// left the time before.
  void chargeExits(const Loop &loop, const HostCost &costs, const HostParameters &parameters) {
    if (!loop.isInnermost() || !loop.getLoopLatch())
      return;
    SmallVector<Loop::Edge> exits;
    loop.getExitEdges(exits);
    for (const auto &[from, to] : exits) {
      const auto *branch = dyn_cast<BranchInst>(from->getTerminator());
      if (!branch || branch->getSuccessor(0) == branch->getSuccessor(1))
        continue;
      Value *turn = turnsOf(loop);
      auto *last = new GlobalVariable(module_, wide_, false, GlobalValue::PrivateLinkage,
                                      ConstantInt::get(wide_, 0), "__weft_last_turns");
      HostBlockCost miss;
      miss.sixteenths = static_cast<std::uint64_t>(parameters.branchMissCycles * 16);
      for (const auto &[line, own] : costs.of(*from).lines)
        miss.lines[line].operations = own.operations;
      Constant *count = counterOf(*from, miss, miss.sixteenths);
      BasicBlock *edge = SplitEdge(const_cast<BasicBlock *>(from), to);
      IRBuilder<> builder(edge->getTerminator());
      builder.SetCurrentDebugLocation({});
      Value *missed = builder.CreateOr(
          builder.CreateICmpNE(turn, builder.CreateLoad(wide_, last)),
          builder.CreateICmpUGE(turn, builder.getInt64(parameters.branchHistoryTurns)));
      builder.CreateStore(turn, last);
      add(builder, work_,
          builder.CreateSelect(missed, builder.getInt64(miss.sixteenths), builder.getInt64(0)));
      add(builder, count, builder.CreateZExt(missed, wide_));
    }
  }

  void observe(const Access &access) {
    IRBuilder<> builder(access.at);
    Value *kind = builder.getInt32(access.store ? WEFT_SW_STORE : WEFT_SW_LOAD);
    if (!isa<ConstantInt>(access.bytes) || isa<MemIntrinsic>(access.at)) {
      builder.CreateCall(access_, {access.pointer, access.bytes, kind});
      return;
    }
    auto *last = new GlobalVariable(module_, wide_, false, GlobalValue::PrivateLinkage,
                                    ConstantInt::getAllOnesValue(wide_), "__weft_last_line");
    Value *line = builder.CreateLShr(builder.CreatePtrToInt(access.pointer, wide_), lineShift_);
    Value *moved = builder.CreateICmpNE(line, builder.CreateLoad(wide_, last));
    Instruction *then = SplitBlockAndInsertIfThen(moved, access.at->getIterator(), false,
                                                  MDBuilder(context_).createBranchWeights(1, 15));
    IRBuilder<> slow(then);
    slow.SetCurrentDebugLocation(access.at->getDebugLoc());
    slow.CreateStore(line, last);
    slow.CreateCall(access_, {access.pointer, access.bytes, kind});
  }

private:
  void add(IRBuilder<> &builder, Value *where, Value *amount) {
    builder.CreateStore(builder.CreateAdd(builder.CreateLoad(wide_, where), amount), where);
  }

  /// The turn that a loop with one latch is in, from 0.
  Value *turnsOf(const Loop &loop) {
    PHINode *&turn = turns_[&loop];
    if (turn)
      return turn;
    BasicBlock *header = loop.getHeader(), *latch = loop.getLoopLatch();
    turn = IRBuilder<>(header, header->begin()).CreatePHI(wide_, 2);
    IRBuilder<> end(latch->getTerminator());
    end.SetCurrentDebugLocation({});
    Value *next = end.CreateAdd(turn, end.getInt64(1));
    for (BasicBlock *from : predecessors(header))
      turn->addIncoming(from == latch ? next : ConstantInt::get(wide_, 0), from);
    return turn;
  }

  /// Where executions of `block` are counted that cost `sixteenths`.
  Constant *counterOf(const BasicBlock &block, const HostBlockCost &cost,
                      std::uint64_t sixteenths) {
    Segment segment;
    const DISubprogram *program = block.getParent()->getSubprogram();
    segment.function = program ? program->getName() : block.getParent()->getName();
    segment.file = program ? program->getFilename() : block.getModule()->getSourceFileName();
    segment.kind = 1;
    segment.cycles = static_cast<std::uint32_t>(sixteenths);
    double all = 0;
    for (const auto &[line, own] : cost.lines)
      all += own.operations;
    // Shares are rounded down; the last line has what is left.
    std::uint32_t left = segment.cycles;
    for (const auto &[line, own] : cost.lines) {
      const auto share =
          static_cast<std::uint32_t>(all > 0 ? segment.cycles * own.operations / all : 0);
      segment.lines.push_back({.line = line, .cycles = std::min(share, left), .flops = own.flops});
      left -= segment.lines.back().cycles;
    }
    if (!segment.lines.empty())
      segment.lines.back().cycles += left;
    return ConstantExpr::getInBoundsGetElementPtr(
        Type::getInt8Ty(context_), makeSegment(module_, segment),
        ConstantInt::get(wide_, offsetof(WeftSegment, tally) + WEFT_SW_MPE * sizeof(WeftTally)));
  }

  Module &module_;
  LLVMContext &context_;
  Type *wide_;
  unsigned lineShift_;
  DenseMap<const Loop *, PHINode *> turns_;
  Constant *work_;
  FunctionCallee access_, settle_;
};

} // namespace

void chargeHost(Module &module, ModuleAnalysisManager &analyses) {
  auto &functions = analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
  const HostParameters parameters = HostParameters::fromMachine();
  HostCharger charger(module);
  SmallVector<Function *> defined;
  for (Function &function : module)
    if (!function.isDeclaration() && !function.hasAvailableExternallyLinkage())
      defined.push_back(&function);
  for (Function *function : defined) {
    const LoopInfo &loops = functions.getResult<LoopAnalysis>(*function);
    const HostCost cost(*function, loops, functions.getResult<DominatorTreeAnalysis>(*function),
                        parameters);
    // Accesses first of all: what is inserted must not be observed.
    const SmallVector<Access> accesses = accessesOf(*function);
    const SmallVector<CallBase *> calls = outwardCallsOf(*function);
    for (BasicBlock &block : *function)
      charger.charge(block, cost.of(block), loops.getLoopFor(&block));
    for (const Loop *loop : loops.getLoopsInPreorder())
      charger.chargeExits(*loop, cost, parameters);
    charger.forget();
    for (const Access &access : accesses)
      charger.observe(access);
    for (CallBase *call : calls)
      charger.settle(*call);
    functions.invalidate(*function, PreservedAnalyses::none());
  }
}

} // namespace weft::swcc
