// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The core's own stack: arrays and locals whose address is taken, which are allocas that the
// optimizer could not turn into values. It lies in LDM or in the core's private main memory, as the
// program is run; native frames lie elsewhere and hold nothing that the program can address.
#include "Swcc.h"

#include "llvm/Analysis/StackLifetime.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <algorithm>

using namespace llvm;

namespace weft::swcc {

namespace {

/// No object begins in the middle of another's vector.
constexpr std::uint64_t leastAlignment = 16;

/// One function's objects of constant size in one frame, those that live at different times in one
/// place.
struct Frame {
  std::uint64_t size = 0;
  Align alignment = Align(leastAlignment);
  SmallVector<std::uint64_t> offsets; // of each object, from the frame's low end
};

std::uint64_t bytesOf(const AllocaInst &object) {
  return *object.getAllocationSize(object.getDataLayout());
}

/// Places large objects first, each at the lowest offset where it meets no object that lives at the
/// same time.
Frame layOut(Function &function, ArrayRef<const AllocaInst *> objects) {
  StackLifetime lifetimes(function, objects, StackLifetime::LivenessType::May);
  lifetimes.run();
  Frame frame;
  frame.offsets.assign(objects.size(), 0);
  SmallVector<unsigned> order(objects.size());
  for (unsigned i = 0; i < objects.size(); ++i)
    order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](unsigned a, unsigned b) {
    return bytesOf(*objects[a]) > bytesOf(*objects[b]);
  });
  SmallVector<unsigned> placed;
  for (const unsigned i : order) {
    const Align alignment = std::max(objects[i]->getAlign(), Align(8));
    const std::uint64_t size = bytesOf(*objects[i]);
    frame.alignment = std::max(frame.alignment, alignment);
    SmallVector<std::pair<std::uint64_t, std::uint64_t>> taken;
    for (const unsigned other : placed)
      if (lifetimes.getLiveRange(objects[i]).overlaps(lifetimes.getLiveRange(objects[other])))
        taken.push_back({frame.offsets[other], frame.offsets[other] + bytesOf(*objects[other])});
    std::sort(taken.begin(), taken.end());
    std::uint64_t offset = 0;
    for (const auto &[begin, end] : taken)
      if (offset + size > begin)
        offset = std::max(offset, alignTo(end, alignment));
    frame.offsets[i] = offset;
    frame.size = std::max(frame.size, offset + size);
    placed.push_back(i);
  }
  frame.size = alignTo(frame.size, frame.alignment);
  return frame;
}

class Locals {
public:
  Locals(Abi &abi, Function &function) : abi_(abi), function_(function) {}

  void run() {
    copyByValue();
    collect();
    if (fixed_.empty() && dynamic_.empty() && !readsStack())
      return;
    core_ = abi_.coreOf(function_);
    const Frame frame = layOut(function_, {fixed_.begin(), fixed_.end()});
    dropLifetimes();
    enter(frame);
    for (AllocaInst *object : dynamic_)
      allocate(*object);
    saveAndRestore();
    leave();
    for (AllocaInst *object : fixed_)
      object->eraseFromParent();
  }

private:
  Abi &abi_;
  Function &function_;
  Value *core_ = nullptr;
  Value *before_ = nullptr; // the stack pointer at entry
  SmallVector<AllocaInst *> fixed_, dynamic_;

  /// A structure passed by value comes on the native stack: the program sees a copy on the core's.
  void copyByValue() {
    for (Argument &argument : function_.args()) {
      if (!argument.hasByValAttr())
        continue;
      Type *type = argument.getParamByValType();
      OwnBuilder builder(cast<Instruction>(abi_.coreOf(function_))->getNextNode());
      AllocaInst *copy = builder.CreateAlloca(type, nullptr, argument.getName() + ".copy");
      copy->setAlignment(std::max(argument.getParamAlign().valueOrOne(), Align(8)));
      argument.replaceAllUsesWith(copy);
      builder.CreateMemCpy(copy, copy->getAlign(), &argument, argument.getParamAlign(),
                           function_.getDataLayout().getTypeAllocSize(type).getFixedValue());
    }
  }

  void collect() {
    for (BasicBlock &block : function_)
      for (Instruction &instruction : block)
        if (auto *object = dyn_cast<AllocaInst>(&instruction))
          (object->isStaticAlloca() ? fixed_ : dynamic_).push_back(object);
  }

  /// $sp in inline assembly.
  bool readsStack() const {
    for (const BasicBlock &block : function_)
      for (const Instruction &instruction : block)
        if (const auto *call = dyn_cast<IntrinsicInst>(&instruction);
            call && call->getIntrinsicID() == Intrinsic::stacksave)
          return true;
    return false;
  }

  void dropLifetimes() {
    for (BasicBlock &block : function_)
      for (Instruction &instruction : make_early_inc_range(block))
        if (instruction.isLifetimeStartOrEnd())
          instruction.eraseFromParent();
  }

  /// Takes `bytes` from the stack where `builder` stands; gives the new stack pointer.
  Value *take(OwnBuilder &builder, Value *bytes, Align alignment, Instruction *&next) {
    Value *old = abi_.load(builder, core_, Stack);
    Value *lowered = builder.CreateAnd(builder.CreateSub(old, bytes),
                                       ConstantInt::get(abi_.i64, -alignment.value(), true));
    Value *end = abi_.load(builder, core_, StackEnd);
    // More than the whole stack must not wrap around.
    Value *room = builder.CreateSub(old, end);
    Value *fails = builder.CreateICmpUGT(builder.CreateSub(old, lowered), room);
    Constant *site = abi_.siteOf(*next);
    Instruction *failed = SplitBlockAndInsertIfThen(
        fails, next, true, MDBuilder(abi_.context).createBranchWeights(1, 1 << 20));
    OwnBuilder(failed).CreateCall(abi_.stackOverflow(), {core_, bytes, site});
    OwnBuilder after(next);
    abi_.store(after, lowered, core_, Stack);
    Value *low = abi_.load(after, core_, StackLow);
    abi_.store(after, after.CreateBinaryIntrinsic(Intrinsic::umin, low, lowered), core_, StackLow);
    return lowered;
  }

  void enter(const Frame &frame) {
    auto *core = cast<Instruction>(core_);
    Instruction *next = core->getNextNode();
    while (isOwn(*next) && !isa<AllocaInst>(next) && !next->mayWriteToMemory())
      next = next->getNextNode();
    OwnBuilder builder(next);
    before_ = abi_.load(builder, core_, Stack);
    if (fixed_.empty())
      return;
    Value *low = take(builder, ConstantInt::get(abi_.i64, frame.size), frame.alignment, next);
    OwnBuilder after(next);
    for (unsigned i = 0; i < fixed_.size(); ++i) {
      Value *address = after.CreateIntToPtr(
          after.CreateAdd(low, ConstantInt::get(abi_.i64, frame.offsets[i])), abi_.ptr);
      address->takeName(fixed_[i]);
      fixed_[i]->replaceAllUsesWith(address);
    }
  }

  void allocate(AllocaInst &object) {
    Instruction *next = object.getNextNode();
    OwnBuilder builder(&object);
    Value *count = builder.CreateZExtOrTrunc(object.getArraySize(), abi_.i64);
    const std::uint64_t each =
        object.getDataLayout().getTypeAllocSize(object.getAllocatedType()).getFixedValue();
    Value *bytes = builder.CreateMul(count, ConstantInt::get(abi_.i64, each));
    Instruction *at = &object;
    Value *low = take(builder, bytes, std::max(object.getAlign(), Align(leastAlignment)), at);
    OwnBuilder after(next);
    object.replaceAllUsesWith(after.CreateIntToPtr(low, abi_.ptr));
    object.eraseFromParent();
  }

  void saveAndRestore() {
    for (BasicBlock &block : function_)
      for (Instruction &instruction : make_early_inc_range(block)) {
        auto *call = dyn_cast<IntrinsicInst>(&instruction);
        if (!call)
          continue;
        OwnBuilder builder(call);
        if (call->getIntrinsicID() == Intrinsic::stacksave)
          call->replaceAllUsesWith(
              builder.CreateIntToPtr(abi_.load(builder, core_, Stack), abi_.ptr));
        else if (call->getIntrinsicID() == Intrinsic::stackrestore)
          abi_.store(builder, builder.CreatePtrToInt(call->getArgOperand(0), abi_.i64), core_,
                     Stack);
        else
          continue;
        call->eraseFromParent();
      }
  }

  void leave() {
    for (BasicBlock &block : function_)
      if (auto *end = dyn_cast<ReturnInst>(block.getTerminator())) {
        OwnBuilder builder(end);
        abi_.store(builder, before_, core_, Stack);
      }
  }
};

} // namespace

void placeLocals(Abi &abi) {
  for (Function &function : abi.module)
    if (isProgram(function))
      Locals(abi, function).run();
}

} // namespace weft::swcc
