// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each access to memory is checked inline: an aligned address in this core's LDM whose granule has
// no transfer under way is plain, everything else is the runtime's to charge or report. Calls
// through pointers must reach slave code.
#include "Swcc.h"

#include "Abi.h"
#include "Charge.h"
#include "CheckCalls.h"
#include "FastLoops.h"
#include "StraightRuns.h"
#include "Windows.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace weft::swcc {

namespace {

/// With more accesses than these, what a function leaves to the runtime takes no registers away.
constexpr std::size_t mostPlain = 32;
/// So many accesses of a function that has no version without their checks are checked in place,
/// and as many where a test before their loop says that they need not be; the others are checked by
/// calls, which take two to three times as long to run.
constexpr std::size_t mostInPlace = 128;

class Checker {
public:
  Checker(Abi &abi, Function &function) : abi_(abi), function_(function) {}

  void run(FunctionAnalysisManager &manager) {
    auto &dominators = manager.getResult<DominatorTreeAnalysis>(function_);
    auto &loops = manager.getResult<LoopAnalysis>(function_);
    auto &scalars = manager.getResult<ScalarEvolutionAnalysis>(function_);
    regularize(function_, dominators, loops, scalars);
    collect();
    Covered covered = proveLoops(abi_, function_, accesses_, loops, scalars);
    const Covered proven = covered;
    versionLoops(abi_, function_, accesses_, covered, dominators, loops);
    if (accesses_.size() > mostInPlace)
      chooseCalls(proven, covered, loops);
    for (const Access &access : accesses_)
      if (called_.contains(access.at))
        calls_.check(access);
      else
        check(access, covered.lookup(access.at));
    for (MemIntrinsic *range : ranges_)
      checkRange(*range);
    for (CallBase *call : indirect_)
      checkCall(*call);
  }

private:
  Abi &abi_;
  Function &function_;
  SmallVector<Access> accesses_;
  SmallVector<MemIntrinsic *> ranges_;
  SmallVector<CallBase *> indirect_;
  Value *ldm_ = nullptr, *shadow_ = nullptr;
  CheckCalls calls_{abi_, function_};
  SmallPtrSet<Instruction *, 32> called_; // accesses that calls check
  /// The last check of an address in a block: whether it found it plain.
  DenseMap<Value *, std::pair<Value *, std::uint64_t>> known_;
  BasicBlock *knownIn_ = nullptr;

  void add(Instruction &at, Value *pointer, Type *type, Align alignment, unsigned kind) {
    const std::uint64_t bytes = function_.getDataLayout().getTypeStoreSize(type).getFixedValue();
    if (bytes == 0)
      return;
    if (!isPowerOf2_64(bytes) || alignment.value() < bytes)
      kind |= WEFT_SW_UNALIGNED;
    accesses_.push_back({&at, pointer, bytes, kind});
  }

  void collect() {
    for (BasicBlock &block : function_)
      for (Instruction &instruction : block) {
        if (isOwn(instruction) || isCharge(instruction))
          continue;
        if (auto *load = dyn_cast<LoadInst>(&instruction))
          add(*load, load->getPointerOperand(), load->getType(), load->getAlign(), WEFT_SW_LOAD);
        else if (auto *store = dyn_cast<StoreInst>(&instruction))
          add(*store, store->getPointerOperand(), store->getValueOperand()->getType(),
              store->getAlign(), WEFT_SW_STORE);
        else if (auto *update = dyn_cast<AtomicRMWInst>(&instruction))
          add(*update, update->getPointerOperand(), update->getType(), update->getAlign(),
              WEFT_SW_LOAD | WEFT_SW_STORE | WEFT_SW_ATOMIC);
        else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction))
          add(*exchange, exchange->getPointerOperand(), exchange->getCompareOperand()->getType(),
              exchange->getAlign(), WEFT_SW_LOAD | WEFT_SW_STORE | WEFT_SW_ATOMIC);
        else if (auto *range = dyn_cast<MemIntrinsic>(&instruction))
          ranges_.push_back(range);
        else if (auto *call = dyn_cast<CallBase>(&instruction);
                 call && !call->getCalledFunction() && !call->isInlineAsm())
          indirect_.push_back(call);
      }
  }

  /// Checks are in place where that matters most: in inner loops. Code that has a version without
  /// checks calls them.
  void chooseCalls(const Covered &proven, const Covered &covered, LoopInfo &loops) {
    DenseMap<const Instruction *, unsigned> depths;
    for (const Access &access : accesses_) {
      depths[access.at] = loops.getLoopDepth(access.at->getParent());
      if (proven.contains(access.at))
        called_.insert(access.at);
    }
    versionRuns(abi_, function_, accesses_, called_);
    // Those that a loop's test mostly spares are chosen among themselves.
    SmallVector<Instruction *> warm[2];
    for (const Access &access : accesses_) {
      const bool guarded = covered.contains(access.at);
      if (guarded)
        called_.erase(access.at);
      if (!called_.contains(access.at))
        warm[guarded].push_back(access.at);
    }
    for (auto &choices : warm) {
      stable_sort(choices, [&](const Instruction *a, const Instruction *b) {
        return depths.lookup(a) > depths.lookup(b);
      });
      for (Instruction *at : drop_begin(choices, std::min(choices.size(), mostInPlace)))
        called_.insert(at);
    }
  }

  /// Base of LDM and of its shadow: they never change, so they are loaded once.
  void loadWindow() {
    if (ldm_)
      return;
    auto *core = cast<Instruction>(abi_.coreOf(function_));
    OwnBuilder builder(core->getNextNode());
    ldm_ = abi_.load(builder, core, LdmBase);
    shadow_ = abi_.load(builder, core, Shadow);
    for (Value *value : {ldm_, shadow_})
      cast<LoadInst>(value)->setMetadata(LLVMContext::MD_invariant_load,
                                         MDNode::get(abi_.context, {}));
  }

  MDNode *unlikely() const { return MDBuilder(abi_.context).createBranchWeights(1, 1 << 20); }

  /// `guard`, if there is one: true says that nothing need be checked.
  void check(const Access &access, Value *guard) {
    loadWindow();
    Instruction *at = access.at;
    Value *plain = guard ? guard : recall(access);
    BasicBlock *before = at->getParent();
    BasicBlock *after = SplitBlock(before, at->getIterator());
    BasicBlock *slow = BasicBlock::Create(abi_.context, "", &function_, after);
    before->getTerminator()->eraseFromParent();
    if (!plain || guard) {
      // before -> [check ->] shadow -> after, and from each but the first to slow.
      BasicBlock *first = before;
      if (guard) {
        first = BasicBlock::Create(abi_.context, "", &function_, slow);
        IRBuilder<> builder(before);
        builder.CreateCondBr(guard, after, first);
        builder.SetInsertPoint(first);
      }
      BasicBlock *inside = checkInline(access, first, after, slow);
      if (!guard)
        remember(access, after, inside, slow);
    } else {
      IRBuilder<> builder(before);
      builder.CreateCondBr(plain, after, slow,
                           MDBuilder(abi_.context).createBranchWeights(1 << 20, 1));
      knownIn_ = after;
    }
    IRBuilder<>(slow).CreateBr(after);
    OwnBuilder rare(slow->getTerminator());
    rare.SetCurrentDebugLocation(at->getDebugLoc());
    if (accesses_.size() > mostPlain)
      calls_.leave(rare, access);
    else
      rare.CreateCall(abi_.access(), {abi_.coreOf(function_), access.pointer,
                                      ConstantInt::get(abi_.i64, access.bytes),
                                      ConstantInt::get(abi_.i32, access.kind), abi_.siteOf(*at)});
  }

  /// Branches from `block` to `after` or `slow`; gives the block that goes to `after`.
  BasicBlock *checkInline(const Access &access, BasicBlock *block, BasicBlock *after,
                          BasicBlock *slow) {
    BasicBlock *inside = BasicBlock::Create(abi_.context, "", &function_, slow);
    IRBuilder<>(block).CreateUnreachable();
    OwnBuilder builder(block->getTerminator());
    Value *offset = builder.CreateSub(builder.CreatePtrToInt(access.pointer, abi_.i64), ldm_);
    builder.CreateCondBr(isOutside(builder, offset, access), slow, inside, unlikely());
    block->getTerminator()->eraseFromParent();

    IRBuilder<>(inside).CreateUnreachable();
    OwnBuilder within(inside->getTerminator());
    within.CreateCondBr(isBusy(within, shadow_, offset, access), slow, after, unlikely());
    inside->getTerminator()->eraseFromParent();

    return inside;
  }

  /// An address that the same stretch of code has checked already.
  Value *recall(const Access &access) {
    if (access.at->getParent() != knownIn_) {
      known_.clear();
      return nullptr;
    }
    // A call in between may begin a transfer.
    for (Instruction *i = access.at->getPrevNode(); i; i = i->getPrevNode())
      if (interacts(*i) && !isCheckCall(*i)) {
        known_.clear();
        return nullptr;
      }
    const auto found = known_.find(access.pointer);
    if (found == known_.end() || found->second.second < access.bytes ||
        access.kind & WEFT_SW_UNALIGNED)
      return nullptr;
    return found->second.first;
  }

  /// `after` is reached from `inside` if the access is plain, else from `slow`.
  void remember(const Access &access, BasicBlock *after, BasicBlock *inside, BasicBlock *slow) {
    knownIn_ = after;
    if (access.kind & WEFT_SW_UNALIGNED)
      return;
    PHINode *plain = PHINode::Create(Type::getInt1Ty(abi_.context), 2, "", after->begin());
    plain->setMetadata(ownMark, MDNode::get(abi_.context, {}));
    plain->addIncoming(ConstantInt::getTrue(abi_.context), inside);
    plain->addIncoming(ConstantInt::getFalse(abi_.context), slow);
    known_[access.pointer] = {plain, access.bytes};
  }

  void checkRange(MemIntrinsic &range) {
    Constant *site = abi_.siteOf(range);
    OwnBuilder builder(&range);
    Value *bytes = builder.CreateZExtOrTrunc(range.getLength(), abi_.i64);
    Value *core = abi_.coreOf(function_);
    if (auto *copy = dyn_cast<MemTransferInst>(&range))
      builder.CreateCall(abi_.range(), {core, copy->getRawSource(), bytes,
                                        ConstantInt::get(abi_.i32, WEFT_SW_LOAD), site});
    builder.CreateCall(abi_.range(), {core, range.getRawDest(), bytes,
                                      ConstantInt::get(abi_.i32, WEFT_SW_STORE), site});
  }

  void checkCall(CallBase &call) {
    OwnBuilder builder(&call);
    auto symbol = [&](StringRef name) {
      auto *global = cast<GlobalVariable>(abi_.module.getOrInsertGlobal(name, abi_.i8));
      global->setVisibility(GlobalValue::HiddenVisibility);
      return builder.CreatePtrToInt(global, abi_.i64);
    };
    Value *start = symbol("__start_weft_code"), *end = symbol("__stop_weft_code");
    Value *offset =
        builder.CreateSub(builder.CreatePtrToInt(call.getCalledOperand(), abi_.i64), start);
    Value *outside = builder.CreateICmpUGE(offset, builder.CreateSub(end, start));
    Constant *site = abi_.siteOf(call);
    Instruction *rare = SplitBlockAndInsertIfThen(outside, call.getIterator(), false, unlikely());
    OwnBuilder(rare).CreateCall(abi_.indirectCall(),
                                {abi_.coreOf(function_), call.getCalledOperand(), site});
  }
};

} // namespace

void insertChecks(Abi &abi, ModuleAnalysisManager &analyses) {
  auto &manager = analyses.getResult<FunctionAnalysisManagerModuleProxy>(abi.module).getManager();
  for (Function &function : abi.module) {
    if (!isProgram(function))
      continue;
    if (!function.hasSection())
      function.setSection("weft_code");
    manager.invalidate(function, PreservedAnalyses::none());
    Checker(abi, function).run(manager);
    manager.invalidate(function, PreservedAnalyses::none());
  }
}

} // namespace weft::swcc
