// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Labels and branches within a statement of inline assembly, and the stack pointer.
#include "AssemblyLowering.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Dominators.h"

using namespace llvm;

namespace weft::swcc {

// ---- labels and branches ----

AllocaInst *StatementLowering::makeSlot(Value *value) {
  BasicBlock &entry = call_.getFunction()->getEntryBlock();
  OwnBuilder early(&entry, entry.getFirstInsertionPt());
  AllocaInst *slot = early.CreateAlloca(register_);
  slots_.push_back(slot);
  if (value)
    builder_.CreateStore(value, slot);
  return slot;
}

void StatementLowering::openSlots() {
  branches_ = true;
  for (Operand &operand : operands_)
    if (!operand.address)
      operand.value = makeSlot(isa<PoisonValue>(operand.value) ? nullptr : operand.value);
}

Value *StatementLowering::slotValue(Value *value) {
  return branches_ ? builder_.CreateLoad(register_, value) : value;
}

/// All that is still to come goes to a block of its own, which the block so far leads to.
BasicBlock *StatementLowering::splitHere() {
  BasicBlock *rest = call_.getParent()->splitBasicBlock(&call_);
  builder_.SetInsertPoint(&call_);
  return rest;
}

void StatementLowering::placeLabel(const std::string &name) {
  labels_.push_back({name, splitHere(), position_++});
}

bool StatementLowering::lowerBranch(const AsmInstruction &instruction) {
  Value *condition = nullptr;
  const StringRef name = mnemonic_;
  if (name == "br") {
    // br $31, target: the return address is dropped
    if (instruction.operands.size() > 1 ||
        (!instruction.operands.empty() && instruction.operands[0].name != "31"))
      return refuse("'br' with a result is a call, which is not served in inline assembly");
  } else {
    Value *value = nullptr;
    if (instruction.operands.size() != 1)
      return refuse("'" + mnemonic_ + "' takes a register and a label");
    if (!readRegister(instruction.operands[0], value))
      return false;
    condition = conditionOf(name, builder_.CreateExtractElement(value, std::uint64_t(0)));
  }
  BasicBlock *from = call_.getParent();
  BasicBlock *next = splitHere();
  from->getTerminator()->eraseFromParent();
  // The program's branch, not the pass's.
  IRBuilder<> plain(from);
  plain.SetCurrentDebugLocation(call_.getDebugLoc());
  BranchInst *made = condition ? plain.CreateCondBr(condition, next, next) : plain.CreateBr(next);
  jumps_.push_back({made, instruction.target, mnemonic_.str(), position_++});
  return true;
}

Value *StatementLowering::conditionOf(StringRef name, Value *value) {
  IRBuilder<> plain(&call_);
  if (name.consume_front("f")) {
    value = plain.CreateBitCast(value, plain.getDoubleTy());
    Constant *zero = ConstantFP::get(plain.getDoubleTy(), 0.0);
    const auto predicate = StringSwitch<CmpInst::Predicate>(name)
                               .Case("beq", CmpInst::FCMP_OEQ)
                               .Case("bne", CmpInst::FCMP_UNE)
                               .Case("blt", CmpInst::FCMP_OLT)
                               .Case("ble", CmpInst::FCMP_OLE)
                               .Case("bgt", CmpInst::FCMP_OGT)
                               .Default(CmpInst::FCMP_OGE);
    return plain.CreateFCmp(predicate, value, zero);
  }
  Constant *zero = ConstantInt::get(abi_.i64, 0);
  if (name == "blbc" || name == "blbs") {
    Value *low = plain.CreateAnd(value, ConstantInt::get(abi_.i64, 1));
    return plain.CreateICmp(name == "blbc" ? CmpInst::ICMP_EQ : CmpInst::ICMP_NE, low, zero);
  }
  const auto predicate = StringSwitch<CmpInst::Predicate>(name)
                             .Case("beq", CmpInst::ICMP_EQ)
                             .Case("bne", CmpInst::ICMP_NE)
                             .Case("blt", CmpInst::ICMP_SLT)
                             .Case("ble", CmpInst::ICMP_SLE)
                             .Case("bgt", CmpInst::ICMP_SGT)
                             .Default(CmpInst::ICMP_SGE);
  return plain.CreateICmp(predicate, value, zero);
}

/// 1b is the last 1 before the branch, 1f the next after it; other names stand once.
BasicBlock *StatementLowering::blockOf(const Branch &branch) const {
  StringRef name = branch.target;
  const bool numbered = isDigit(name.front());
  const bool back = numbered && name.consume_back("b");
  const bool forward = numbered && !back && name.consume_back("f");
  BasicBlock *found = nullptr;
  for (const Label &label : labels_) {
    if (label.name != name || (forward && label.position < branch.position))
      continue;
    if (back && label.position > branch.position)
      break;
    found = label.block;
    if (forward)
      break;
  }
  return found;
}

bool StatementLowering::connectBranches() {
  for (const Branch &branch : jumps_) {
    BasicBlock *target = blockOf(branch);
    if (!target) {
      mnemonic_ = branch.mnemonic;
      return refuse("'" + mnemonic_ + "' to '" + branch.target +
                        "', which is no label of this statement",
                    "a statement can branch to its own labels only");
    }
    branch.instruction->setSuccessor(0, target);
  }
  return true;
}

/// The slots' last values are the statement's results.
bool StatementLowering::closeSlots() {
  DominatorTree tree(*call_.getFunction());
  if (!tree.isReachableFromEntry(call_.getParent()))
    return refuse("inline assembly whose end cannot be reached", "a statement must run to its end");
  for (Operand &operand : operands_)
    if (!operand.address)
      operand.value = slotValue(operand.value);
  branches_ = false;
  return true;
}

// ---- the stack pointer ----

/// The core's stack pointer as the function has it.
Value *StatementLowering::readStackPointer() {
  if (!stackAtEntry_) {
    BasicBlock &entry = call_.getFunction()->getEntryBlock();
    OwnBuilder early(branches_ ? &*entry.getFirstInsertionPt() : &call_);
    Value *pointer = early.CreateIntrinsic(Intrinsic::stacksave, {abi_.ptr}, {});
    stackAtEntry_ = early.CreateInsertElement(zero(), early.CreatePtrToInt(pointer, abi_.i64),
                                              std::uint64_t(0));
  }
  return stackAtEntry_;
}

/// Text may use $sp for something else if it puts it back.
void StatementLowering::checkStack() {
  if (!stackWritten_)
    return;
  Value *before = builder_.CreateExtractElement(readStackPointer(), std::uint64_t(0));
  Value *after = builder_.CreateExtractElement(slotValue(registers_["sp"]), std::uint64_t(0));
  builder_.CreateCall(
      abi_.function("weft_sw_stack_returned", abi_.voidType, {abi_.i64, abi_.i64, abi_.ptr}),
      {before, after, abi_.siteOf(call_)});
}

} // namespace weft::swcc
