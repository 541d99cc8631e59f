// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What of a function has to be selected, and what becomes part of another instruction.
#include "Select.h"

#include "AbiTypes.h"
#include "Charge.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace weft::swcc {

namespace {

/// Loads of LDM words by halves and bytes zero-extend; other sub-registers hold their sign.
bool isNarrowLoad(const Value *value) {
  const auto *load = dyn_cast<LoadInst>(value);
  return load && load->getType()->isIntegerTy() && load->getType()->getIntegerBitWidth() <= 16;
}

bool isIgnored(const Instruction &instruction) {
  if (instruction.isDebugOrPseudoInst() || isCharge(instruction))
    return true;
  const auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction);
  return intrinsic && intrinsic->isAssumeLikeIntrinsic();
}

} // namespace

// ---- what is needed ----

void Selector::need(const Value *value) {
  const auto *instruction = dyn_cast<Instruction>(value);
  if (instruction && needed_.insert(instruction).second)
    worklist_.push_back(instruction);
}

void Selector::needAddress(const Value *pointer, const BasicBlock *where) {
  const SCEV *expression = addressOf(pointer, where);
  if (!expression) {
    need(pointer);
    return;
  }
  struct Visitor {
    Selector &self;
    bool follow(const SCEV *part) {
      if (const auto *unknown = dyn_cast<SCEVUnknown>(part))
        self.need(unknown->getValue());
      return true;
    }
    static bool isDone() { return false; }
  };
  Visitor visitor{*this};
  visitAll(expression, visitor);
}

void Selector::needOperands(const Instruction &instruction) {
  const BasicBlock *where = instruction.getParent();
  if (const auto *load = dyn_cast<LoadInst>(&instruction))
    return needAddress(load->getPointerOperand(), where);
  if (const auto *store = dyn_cast<StoreInst>(&instruction)) {
    needAddress(store->getPointerOperand(), where);
    return need(store->getValueOperand());
  }
  if (isa<GetElementPtrInst>(instruction) && addressOf(&instruction, where))
    return needAddress(&instruction, where);
  if (const auto *call = dyn_cast<CallBase>(&instruction); call && isMarker(*call)) {
    for (const Use &argument : call->args())
      argument->getType()->isPointerTy() ? needAddress(argument, where) : need(argument);
    return;
  }
  for (const Use &operand : instruction.operands())
    need(operand);
}

void Selector::findNeeded() {
  for (const BasicBlock &block : function_)
    for (const Instruction &instruction : block)
      if (!isIgnored(instruction) &&
          (instruction.isTerminator() || instruction.mayHaveSideEffects() ||
           isKeptInOrder(instruction) ||
           (isa<CallBase>(instruction) && instruction.getType()->isVoidTy())))
        need(&instruction);
  while (!worklist_.empty())
    needOperands(*worklist_.pop_back_val());
}

// ---- what becomes part of another instruction ----

bool Selector::canFold(const Value *value, const Instruction &into) const {
  const auto *instruction = dyn_cast<Instruction>(value);
  return instruction && instruction->hasOneUse() && instruction->getParent() == into.getParent() &&
         !folded_.contains(instruction);
}

bool Selector::isFusedAfterNegation(const Instruction &negation) {
  return all_of(negation.users(), [](const User *user) {
    const auto *call = dyn_cast<IntrinsicInst>(user);
    return call && (call->getIntrinsicID() == Intrinsic::fma ||
                    call->getIntrinsicID() == Intrinsic::fmuladd);
  });
}

/// The scalar that `value` has in all lanes, if it is a plain splat.
const Value *Selector::splatSource(const Value *value) {
  Value *scalar = nullptr;
  if (match(value, m_Shuffle(m_InsertElt(m_Value(), m_Value(scalar), m_ZeroInt()), m_Value(),
                             m_ZeroMask())))
    return scalar;
  return nullptr;
}

void Selector::findFolded() {
  for (const BasicBlock &block : function_)
    for (const Instruction &instruction : block) {
      if (!needed_.contains(&instruction))
        continue;
      const auto *branch = dyn_cast<BranchInst>(&instruction);
      if (branch && branch->isConditional()) {
        if (isa<CmpInst>(branch->getCondition()) && canFold(branch->getCondition(), instruction))
          fold(branch->getCondition());
      } else if (const auto *choice = dyn_cast<SelectInst>(&instruction)) {
        if (isa<CmpInst>(choice->getCondition()) && canFold(choice->getCondition(), instruction))
          fold(choice->getCondition());
      } else if (instruction.getOpcode() == Instruction::FAdd ||
                 instruction.getOpcode() == Instruction::FSub) {
        for (const Use &operand : instruction.operands()) {
          Value *a = nullptr, *b = nullptr;
          if (match(operand.get(), m_FMul(m_Value(a), m_Value(b))) &&
              instruction.hasAllowContract() && cast<Instruction>(operand)->hasAllowContract() &&
              canFold(operand, instruction)) {
            fold(operand);
            break;
          }
        }
      } else if (instruction.getOpcode() == Instruction::FNeg) {
        if (isFusedAfterNegation(instruction))
          fold(&instruction);
      } else if (instruction.getOpcode() == Instruction::Add ||
                 instruction.getOpcode() == Instruction::Sub) {
        // s4addl a,b = 4 * a + b; for a difference only the first operand is scaled.
        const unsigned last = instruction.getOpcode() == Instruction::Sub ? 1 : 2;
        for (unsigned index = 0; index < last && !instruction.getType()->isVectorTy(); ++index) {
          const APInt *amount = nullptr;
          if (match(instruction.getOperand(index), m_Shl(m_Value(), m_APInt(amount))) &&
              (*amount == 2 || *amount == 3) &&
              canFold(instruction.getOperand(index), instruction)) {
            fold(instruction.getOperand(index));
            break;
          }
        }
      } else if (isa<ShuffleVectorInst>(instruction)) {
        if (const Value *scalar = splatSource(&instruction)) {
          const Value *insertion = instruction.getOperand(0);
          if (!insertion->hasOneUse())
            continue;
          fold(insertion);
          const auto *load = dyn_cast<LoadInst>(scalar);
          if (load && load->getType()->isFloatingPointTy() && load->isSimple() &&
              load->hasOneUse() && load->getParent() == instruction.getParent())
            fold(load);
        }
      }
    }
}

/// Conversions that change nothing in a register stand for their operand.
const Value *Selector::aliased(const Value *value) const {
  const auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || !instruction->getNumOperands())
    return nullptr;
  const Value *operand = instruction->getOperand(0);
  switch (instruction->getOpcode()) {
  case Instruction::Trunc:
    return shapeOf(operand->getType()).vector ? nullptr : operand;
  case Instruction::BitCast:
  case Instruction::PtrToInt:
  case Instruction::PtrToAddr:
  case Instruction::IntToPtr:
  case Instruction::AddrSpaceCast:
  case Instruction::Freeze:
  case Instruction::FPExt: // a register holds the format of a double
    return operand;
  case Instruction::FPTrunc: // an operand or a result of inline assembly
    return isOwn(*instruction) ? operand : nullptr;
  case Instruction::SExt:
    if (isOwn(*instruction))
      return operand;
    // 32-bit operations leave their result sign-extended; what a truncation leaves has to be.
    return !operand->getType()->isVectorTy() && operand->getType()->getIntegerBitWidth() == 32 &&
                   !isa<TruncInst>(operand)
               ? operand
               : nullptr;
  case Instruction::ZExt:
    return !operand->getType()->isVectorTy() &&
                   (operand->getType()->isIntegerTy(1) || isNarrowLoad(operand) ||
                    cast<PossiblyNonNegInst>(instruction)->hasNonNeg())
               ? operand
               : nullptr;
  case Instruction::ExtractElement: {
    const auto *lane = dyn_cast<ConstantInt>(instruction->getOperand(1));
    return lane && lane->isZero() ? operand : nullptr; // a scalar lies in lane 0
  }
  case Instruction::InsertElement: {
    // A scalar already is lane 0; an operand of inline assembly says nothing of the other lanes.
    const auto *lane = dyn_cast<ConstantInt>(instruction->getOperand(2));
    const bool free = isa<UndefValue>(operand) || (isOwn(*instruction) && isa<Constant>(operand));
    return lane && lane->isZero() && free ? instruction->getOperand(1) : nullptr;
  }
  case Instruction::ExtractValue:
    return operand;
  default:
    return nullptr;
  }
}

} // namespace weft::swcc
