// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operands of inline assembly: values of the program as registers and back, and what an
// instruction names.
#include "AssemblyLowering.h"

using namespace llvm;

namespace weft::swcc {

namespace {

bool isMemory(const InlineAsm::ConstraintInfo &constraint) {
  for (const std::string &code : constraint.Codes)
    if (code == "m" || code == "o" || code == "Q")
      return true;
  return false;
}

/// The output that an input shares its register with ("0"), or -1.
int matching(const InlineAsm::ConstraintInfo &constraint) {
  unsigned number = 0;
  for (const std::string &code : constraint.Codes)
    if (!StringRef(code).getAsInteger(10, number))
      return static_cast<int>(number);
  return -1;
}

} // namespace

Value *StatementLowering::toRegister(Value *value) {
  Type *type = value->getType();
  if (type->isPointerTy())
    return lane0(builder_.CreatePtrToInt(value, abi_.i64));
  if (type->isIntegerTy() && type->getIntegerBitWidth() <= 64)
    return lane0(builder_.CreateSExt(value, abi_.i64));
  if (type->isDoubleTy())
    return lane0(builder_.CreateBitCast(value, abi_.i64));
  if (type->isFloatTy())
    return toRegister(builder_.CreateFPExt(value, builder_.getDoubleTy()));
  if (auto *vector = dyn_cast<FixedVectorType>(type)) {
    if (vector->getPrimitiveSizeInBits() == 256)
      return builder_.CreateBitCast(value, register_);
    if (vector->getElementType()->isFloatTy() && vector->getNumElements() == 4)
      return builder_.CreateBitCast(
          builder_.CreateFPExt(value, FixedVectorType::get(builder_.getDoubleTy(), 4)), register_);
    if (vector->getPrimitiveSizeInBits() == 128)
      return builder_.CreateShuffleVector(
          builder_.CreateBitCast(value, FixedVectorType::get(abi_.i64, 2)),
          Constant::getNullValue(FixedVectorType::get(abi_.i64, 2)), ArrayRef<int>{0, 1, 2, 3});
  }
  return nullptr;
}

Value *StatementLowering::fromRegister(Value *value, Type *type) {
  Value *first = builder_.CreateExtractElement(value, std::uint64_t(0));
  if (type->isPointerTy())
    return builder_.CreateIntToPtr(first, type);
  if (type->isIntegerTy() && type->getIntegerBitWidth() <= 64)
    return builder_.CreateTrunc(first, type);
  if (type->isDoubleTy())
    return builder_.CreateBitCast(first, type);
  if (type->isFloatTy())
    return builder_.CreateFPTrunc(builder_.CreateBitCast(first, builder_.getDoubleTy()), type);
  if (auto *vector = dyn_cast<FixedVectorType>(type)) {
    if (vector->getPrimitiveSizeInBits() == 256)
      return builder_.CreateBitCast(value, type);
    if (vector->getElementType()->isFloatTy() && vector->getNumElements() == 4)
      return builder_.CreateFPTrunc(
          builder_.CreateBitCast(value, FixedVectorType::get(builder_.getDoubleTy(), 4)), type);
    if (vector->getPrimitiveSizeInBits() == 128)
      return builder_.CreateBitCast(builder_.CreateShuffleVector(value, ArrayRef<int>{0, 1}), type);
  }
  return nullptr;
}

bool StatementLowering::bind() {
  unsigned argument = 0;
  for (const auto &constraint : code_.ParseConstraints()) {
    if (constraint.Type == InlineAsm::isClobber || constraint.Type == InlineAsm::isLabel)
      continue;
    Operand operand;
    if (constraint.Type == InlineAsm::isOutput && !constraint.isIndirect) {
      operand.value = PoisonValue::get(register_);
      operand.result = call_.getType(); // one of several: finish() takes the struct apart
      operands_.push_back(operand);
      continue;
    }
    Value *value = call_.getArgOperand(argument++);
    if (constraint.isIndirect || isMemory(constraint)) {
      operand.address = value;
    } else {
      operand.value = toRegister(value);
      operand.constant = isa<ConstantInt>(value) ? value : nullptr;
      if (!operand.value)
        return refuse("an operand of inline assembly that fits no register");
    }
    const int tied = matching(constraint);
    if (tied >= 0)
      operands_[static_cast<unsigned>(tied)].value = operand.value;
    operands_.push_back(operand);
  }
  return true;
}

void StatementLowering::finish() {
  unsigned outputs = 0;
  for (const Operand &operand : operands_)
    outputs += operand.result != nullptr;
  if (outputs) {
    auto *several = outputs > 1 ? cast<StructType>(call_.getType()) : nullptr;
    Value *result = several ? PoisonValue::get(several) : nullptr;
    for (unsigned i = 0; i < outputs; ++i) {
      Type *type = several ? several->getElementType(i) : call_.getType();
      Value *value = fromRegister(operands_[i].value, type);
      if (!value)
        return error(call_, "a result of inline assembly that is no register");
      result = several ? builder_.CreateInsertValue(result, value, i) : value;
    }
    call_.replaceAllUsesWith(result);
  }
  call_.eraseFromParent();
}

bool StatementLowering::readRegister(const AsmOperand &operand, Value *&value) {
  if (operand.kind == AsmOperand::Argument) {
    if (operand.argument >= operands_.size() || !operands_[operand.argument].value)
      return refuse("'" + mnemonic_ + "': %" + Twine(operand.argument) + " is no register");
    value = slotValue(operands_[operand.argument].value);
    return true;
  }
  if (operand.name == "31") {
    value = zero();
    return true;
  }
  const StringRef name = isStackPointer(operand.name) ? "sp" : StringRef(operand.name);
  if (const auto found = registers_.find(name); found != registers_.end()) {
    value = slotValue(found->second);
    return true;
  }
  if (name == "sp") {
    value = readStackPointer();
    return true;
  }
  return refuse("inline assembly reads $" + operand.name + " before it writes it",
                "the registers of the machine hold nothing that C code put there; pass the "
                "value as an operand");
}

bool StatementLowering::writeRegister(const AsmOperand &operand, Value *value) {
  if (operand.kind == AsmOperand::Argument) {
    if (operand.argument >= operands_.size() || operands_[operand.argument].address)
      return refuse("'" + mnemonic_ + "': %" + Twine(operand.argument) + " is no register");
    write(operands_[operand.argument].value, value);
    return true;
  }
  if (operand.kind != AsmOperand::Register)
    return refuse("'" + mnemonic_ + "' writes to what is no register");
  if (operand.name == "gp" || operand.name == "29")
    return refuse("inline assembly writes $" + operand.name,
                  "the global pointer belongs to the compiler");
  if (isStackPointer(operand.name)) {
    readStackPointer();
    stackWritten_ = true;
    write(registers_["sp"], value);
  } else if (operand.name != "31") {
    write(registers_[operand.name], value);
  }
  return true;
}

void StatementLowering::write(Value *&place, Value *value) {
  if (!branches_)
    place = value;
  else if (!place)
    place = makeSlot(value);
  else
    builder_.CreateStore(value, place);
}

bool StatementLowering::immediate(const AsmOperand &operand, std::int64_t &value) {
  if (operand.kind == AsmOperand::Immediate) {
    value = operand.value;
    return true;
  }
  if (operand.kind != AsmOperand::Argument || operand.argument >= operands_.size() ||
      !operands_[operand.argument].constant)
    return false;
  value = cast<ConstantInt>(operands_[operand.argument].constant)->getSExtValue();
  return true;
}

bool StatementLowering::address(const AsmOperand &operand, Value *&base, Value *&offset) {
  std::int64_t constant = operand.value;
  if (operand.kind == AsmOperand::Argument && operand.argument < operands_.size() &&
      operands_[operand.argument].address) {
    base = lane0(builder_.CreatePtrToInt(operands_[operand.argument].address, abi_.i64));
  } else if (operand.kind == AsmOperand::Memory) {
    AsmOperand inner{};
    inner.kind = operand.hasArgument ? AsmOperand::Argument : AsmOperand::Register;
    inner.argument = operand.argument;
    inner.name = operand.name;
    if (!readRegister(inner, base))
      return false;
    if (operand.hasOffsetArgument) {
      AsmOperand number{};
      number.kind = AsmOperand::Argument;
      number.argument = operand.offsetArgument;
      if (!immediate(number, constant))
        return refuse("'" + mnemonic_ + "': the offset must be a constant");
    }
  } else {
    return refuse("'" + mnemonic_ + "' takes an address, such as 0(%1)");
  }
  offset = ConstantInt::get(abi_.i64, constant, true);
  return true;
}

Value *StatementLowering::pointer(Value *base, Value *offset) {
  Value *start =
      builder_.CreateIntToPtr(builder_.CreateExtractElement(base, std::uint64_t(0)), abi_.ptr);
  // The access takes the constant as its displacement.
  return cast<ConstantInt>(offset)->isZero() ? start : builder_.CreatePtrAdd(start, offset);
}

bool StatementLowering::readOperand(char letter, const AsmOperand &operand, Value *&value) {
  std::int64_t number = 0;
  const bool isNumber = operand.kind == AsmOperand::Immediate;
  switch (letter) {
  case 'n':
    if (!immediate(operand, number))
      return refuse("'" + mnemonic_ + "' takes a number here");
    value = ConstantInt::get(abi_.i32, number, true);
    return true;
  case 'i':
    if (immediate(operand, number)) {
      value = ConstantInt::get(abi_.i32, number, true);
      return true;
    }
    if (!readRegister(operand, value))
      return false;
    value = builder_.CreateTrunc(builder_.CreateExtractElement(value, std::uint64_t(0)), abi_.i32);
    return true;
  case 'w':
    if (!isNumber)
      return readRegister(operand, value);
    value = builder_.CreateBitCast(
        ConstantVector::getSplat(ElementCount::getFixed(8),
                                 ConstantInt::get(abi_.i32, operand.value, true)),
        register_);
    return true;
  case 'l':
    if (!isNumber)
      return readRegister(operand, value);
    value = ConstantVector::getSplat(ElementCount::getFixed(4),
                                     ConstantInt::get(abi_.i64, operand.value, true));
    return true;
  case 'r':
    if (!isNumber)
      return readRegister(operand, value);
    value = lane0(ConstantInt::get(abi_.i64, operand.value, true));
    return true;
  default:
    if (isNumber)
      return refuse("'" + mnemonic_ + "' takes a register here, not the number " +
                    Twine(operand.value));
    return readRegister(operand, value);
  }
}

} // namespace weft::swcc
