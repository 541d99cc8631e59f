// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer arithmetic.
#include "Select.h"

using namespace llvm;

namespace weft::swcc {

namespace {

StringRef integerName(unsigned opcode, bool wide) {
  switch (opcode) {
  case Instruction::Add:
    return wide ? "addl" : "addw";
  case Instruction::Sub:
    return wide ? "subl" : "subw";
  case Instruction::Mul:
    return wide ? "mull" : "mulw";
  case Instruction::Shl:
    return "sll";
  case Instruction::LShr:
    return "srl";
  case Instruction::AShr:
    return "sra";
  case Instruction::And:
    return "and";
  case Instruction::Or:
    return "bis";
  case Instruction::Xor:
    return "xor";
  default:
    return {};
  }
}

StringRef vectorIntegerName(unsigned opcode, bool wide) {
  switch (opcode) {
  case Instruction::Add:
    return wide ? "vaddl" : "vaddw";
  case Instruction::Sub:
    return wide ? "vsubl" : "vsubw";
  case Instruction::Shl:
    return wide ? "vslll" : "vsllw";
  case Instruction::LShr:
    return wide ? "vsrll" : "vsrlw";
  case Instruction::AShr:
    return wide ? "vsral" : "vsraw";
  case Instruction::And:
    return "vandw";
  case Instruction::Or:
    return "vbisw";
  case Instruction::Xor:
    return "vxorw";
  default:
    return {};
  }
}

} // namespace

void Selector::selectBinary(const BinaryOperator &instruction) {
  const Shape shape = shapeOf(instruction.getType());
  switch (instruction.getOpcode()) {
  case Instruction::SDiv:
  case Instruction::UDiv:
  case Instruction::SRem:
  case Instruction::URem:
    return selectDivision(instruction, shape);
  default:
    return selectInteger(instruction, shape);
  }
}

void Selector::selectInteger(const BinaryOperator &instruction, const Shape &shape) {
  const bool wide = shape.bits > 32;
  if (shape.vector) {
    const StringRef name = vectorIntegerName(instruction.getOpcode(), wide);
    if (name.empty()) // no vector product of integers
      return selectScalarised(instruction, shape, wide ? "mull" : "mulw");
    const Register a = registerOf(instruction.getOperand(0)),
                   b = registerOf(instruction.getOperand(1));
    for (unsigned index = 0; index < shape.registers; ++index)
      emit(name, defined(instruction), {a, b});
    return;
  }
  const Value *a = instruction.getOperand(0), *b = instruction.getOperand(1);
  const unsigned opcode = instruction.getOpcode();
  // Wider than a register: every part, and a carry each.
  for (unsigned index = 1; index < shape.registers; ++index) {
    emitWith(integerName(opcode, true), code_.fresh(), {a, b});
    emitWith("cmpult", code_.fresh(), {a, b});
  }
  if (opcode == Instruction::Add || opcode == Instruction::Sub) {
    const bool sum = opcode == Instruction::Add;
    if (sum && folded_.contains(b) && !folded_.contains(a))
      std::swap(a, b);
    if (folded_.contains(a)) {
      const auto *shift = cast<Instruction>(a);
      const bool eight = cast<ConstantInt>(shift->getOperand(1))->equalsInt(3);
      const std::string name =
          std::string(eight ? "s8" : "s4") + (sum ? "add" : "sub") + (wide ? "l" : "w");
      emitWith(name, defined(instruction), {shift->getOperand(0), b});
      return;
    }
    // A literal is unsigned: its sign goes to the operation, more than eight bits to ldi.
    const auto *number = dyn_cast<ConstantInt>(b);
    if (number && number->getValue().isSignedIntN(17)) {
      const std::int64_t amount = sum ? number->getSExtValue() : -number->getSExtValue();
      const std::int64_t limit = table_.core().literalLimit;
      const Register from = registerOf(a);
      if (amount >= -limit && amount <= limit) {
        emitWithImmediate(integerName(amount < 0 ? Instruction::Sub : Instruction::Add, wide),
                          defined(instruction), from, amount < 0 ? -amount : amount);
        return;
      }
      if (wide && isInt<16>(amount)) {
        emitWithImmediate("ldi", defined(instruction), from, amount);
        return;
      }
    }
  }
  if (opcode == Instruction::Mul)
    if (const auto *factor = dyn_cast<ConstantInt>(b)) {
      // 3, 5, 7 and 9 times are one scaled sum, the others with few bits two.
      const std::uint64_t value = factor->getValue().abs().getLimitedValue();
      const unsigned bitsSet = popcount(value);
      if (value == 3 || value == 5 || value == 7 || value == 9) {
        const Register from = registerOf(a);
        const bool eight = value >= 7;
        const std::string name = std::string(eight ? "s8" : "s4") +
                                 (value == 3 || value == 7 ? "sub" : "add") + (wide ? "l" : "w");
        emit(name, defined(instruction), {from, from});
        return;
      }
      if (bitsSet == 2) {
        const Register from = registerOf(a), shifted = code_.fresh();
        emitWithImmediate("sll", shifted, from, Log2_64(value));
        emit(wide ? "addl" : "addw", defined(instruction), {shifted, from});
        return;
      }
    }
  if (opcode == Instruction::And)
    if (const auto *mask = dyn_cast<ConstantInt>(b); mask && mask->getBitWidth() <= 64) {
      // Masks of whole bytes are zapnot's.
      const std::uint64_t bits = mask->getZExtValue();
      bool wholeBytes = true;
      unsigned bytes = 0;
      for (unsigned index = 0; index < 8; ++index) {
        const unsigned byte = (bits >> (8 * index)) & 0xff;
        wholeBytes = wholeBytes && (byte == 0 || byte == 0xff);
        bytes |= unsigned(byte == 0xff) << index;
      }
      if (wholeBytes && bits > table_.core().literalLimit) {
        emitWithImmediate("zapnot", defined(instruction), registerOf(a), bytes);
        return;
      }
    }
  emitWith(integerName(opcode, wide), defined(instruction), {a, b});
  // A 32-bit left shift has to leave its sign.
  if (opcode == Instruction::Shl && !wide)
    emit("sextw", defined(instruction), {defined(instruction)});
}

/// There is no integer division: powers of two are shifts, other constants a high product, the rest
/// goes through a floating-point quotient.
void Selector::selectDivision(const BinaryOperator &instruction, const Shape &shape) {
  if (shape.vector)
    return selectScalarised(instruction, shape, "fdivd");
  const bool isSigned =
      instruction.getOpcode() == Instruction::SDiv || instruction.getOpcode() == Instruction::SRem;
  const bool remainder =
      instruction.getOpcode() == Instruction::SRem || instruction.getOpcode() == Instruction::URem;
  const Register value = registerOf(instruction.getOperand(0));
  const Register quotient = remainder ? code_.fresh() : defined(instruction);
  const auto *divisor = dyn_cast<ConstantInt>(instruction.getOperand(1));
  if (divisor && divisor->getValue().isPowerOf2()) {
    const unsigned shift = divisor->getValue().logBase2();
    if (remainder && !isSigned) {
      emitWithImmediate("and", defined(instruction), value, (std::int64_t(1) << shift) - 1);
      return;
    }
    Register from = value;
    if (isSigned) { // rounds towards zero: value + (divisor - 1) if negative
      const Register biased = code_.fresh();
      from = code_.fresh();
      emitWithImmediate(shape.bits > 32 ? "addl" : "addw", biased, value,
                        (std::int64_t(1) << shift) - 1);
      emit("selge", from, {value, value, biased});
    }
    emitWithImmediate(isSigned ? "sra" : "srl", quotient, from, shift);
    if (remainder) {
      const Register back = code_.fresh();
      emitWithImmediate("sll", back, quotient, shift);
      emit(shape.bits > 32 ? "subl" : "subw", defined(instruction), {value, back});
    }
    return;
  }
  if (divisor) {
    // A 32-bit quotient needs the plain product only; the factor is a literal of its own.
    const Register factor = integerConstant(0x55555555 ^ divisor->getSExtValue(), here());
    const Register product = code_.fresh(), shifted = code_.fresh();
    emit(shape.bits > 32 ? "umulh" : "mull", product, {value, factor});
    emitWithImmediate("sra", shifted, product, 32);
    if (isSigned) {
      const Register sign = code_.fresh();
      emitWithImmediate("srl", sign, value, 31);
      emit("addl", quotient, {shifted, sign});
    } else {
      emit("mov", quotient, {shifted}).copy = true;
    }
  } else {
    const Register by = registerOf(instruction.getOperand(1));
    const Register a = code_.fresh(), b = code_.fresh(), ratio = code_.fresh(),
                   whole = code_.fresh();
    emit("fcvtld", a, {value});
    emit("fcvtld", b, {by});
    emit("fdivd", ratio, {a, b});
    emit("fcvtdl_z", whole, {ratio});
    // The rest of the sequence tests for zero and corrects what rounding did.
    Register last = whole;
    for (unsigned count = 4; count < table_.core().divideSequence; ++count) {
      const Register next = count + 1 == table_.core().divideSequence ? quotient : code_.fresh();
      emit("addl", next, {last, by});
      last = next;
    }
  }
  if (remainder) {
    const Register back = code_.fresh();
    emitWith(shape.bits > 32 ? "mull" : "mulw", back, {instruction.getOperand(1)})
        .uses.push_back(quotient);
    emit(shape.bits > 32 ? "subl" : "subw", defined(instruction), {value, back});
  }
}

} // namespace weft::swcc
