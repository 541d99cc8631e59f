// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs are compiled for this computer without the rule that objects of different types do not
// overlap, because public code breaks it; the vendor's compiler uses it, and what it moves out of a
// loop must not be charged in the loop.
#include "HostFolding.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace weft::swcc {

namespace {

/// Deeper index arithmetic is no index arithmetic.
constexpr unsigned kDeepest = 6;

bool isIndexArithmetic(const Instruction &instruction) {
  return instruction.getType()->isIntegerTy() &&
         (isa<BinaryOperator>(instruction) || isa<CastInst>(instruction));
}

/// Whether the value ends in addresses only: there it is part of a pointer that moves with the
/// loop.
bool endsInAddresses(const Instruction &value, unsigned depth = 0) {
  if (value.use_empty() || depth > kDeepest)
    return false;
  for (const User *user : value.users()) {
    if (isa<GEPOperator>(user))
      continue;
    const auto *next = dyn_cast<Instruction>(user);
    if (!next || next->getParent() != value.getParent() || !isIndexArithmetic(*next) ||
        !endsInAddresses(*next, depth + 1))
      return false;
  }
  return true;
}

/// Whether some operand, through index arithmetic, is what the loop counts with: then it is linear
/// in the count as far as such code goes, and not loaded from an index table.
bool followsTheCount(const Instruction &value, const Loop &loop,
                     const DenseSet<const Instruction *> &folded, unsigned depth = 0) {
  for (const Value *operand : value.operands()) {
    const auto *from = dyn_cast<Instruction>(operand);
    if (!from || !loop.contains(from) || folded.contains(from))
      continue;
    if (isa<LoadInst>(from) || isa<CallBase>(from))
      return false;
    if (isIndexArithmetic(*from) && depth < kDeepest &&
        !followsTheCount(*from, loop, folded, depth + 1))
      return false;
  }
  return true;
}

} // namespace

HostFolding::HostFolding(const Function &function, const LoopInfo &loops) {
  const ReversePostOrderTraversal<const Function *> order(&function);
  for (const BasicBlock *block : order) {
    const Loop *loop = loops.getLoopFor(block);
    if (!loop)
      continue;
    for (const Instruction &instruction : *block)
      if (isInvariant(instruction, *loop) ||
          (isIndexArithmetic(instruction) && endsInAddresses(instruction) &&
           followsTheCount(instruction, *loop, folded_)))
        folded_.insert(&instruction);
  }
}

const HostFolding::Writes &HostFolding::writesOf(const Loop &loop) {
  const auto [known, isNew] = writes_.try_emplace(&loop);
  Writes &writes = known->second;
  if (!isNew)
    return writes;
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &instruction : *block) {
      if (const auto *store = dyn_cast<StoreInst>(&instruction))
        writes.types.insert(store->getValueOperand()->getType()->getScalarType());
      else if (!isa<DbgInfoIntrinsic>(instruction) && instruction.mayWriteToMemory())
        writes.any = true;
    }
  return writes;
}

bool HostFolding::isInvariant(const Instruction &instruction, const Loop &loop) {
  // What is loaded for the next turn at the end of each is invariant where the load is.
  if (const auto *phi = dyn_cast<PHINode>(&instruction))
    return phi->getParent() == loop.getHeader() && all_of(phi->blocks(), [&](BasicBlock *from) {
             const auto *load = dyn_cast<LoadInst>(phi->getIncomingValueForBlock(from));
             return !loop.contains(from) || (load && isInvariant(*load, loop));
           });
  if (const auto *load = dyn_cast<LoadInst>(&instruction)) {
    const Writes &writes = writesOf(loop);
    if (!load->isSimple() || writes.any || writes.types.contains(load->getType()->getScalarType()))
      return false;
  } else if (!isa<BinaryOperator>(instruction) && !isa<CastInst>(instruction) &&
             !isa<GetElementPtrInst>(instruction) && !isa<CmpInst>(instruction) &&
             !isa<SelectInst>(instruction)) {
    return false;
  }
  return all_of(instruction.operands(), [&](const Value *operand) {
    const auto *from = dyn_cast<Instruction>(operand);
    return !from || !loop.contains(from) || (folded_.contains(from) && isInvariant(*from, loop));
  });
}

} // namespace weft::swcc
