// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating-point arithmetic and conversions.
#include "Select.h"

using namespace llvm;

namespace weft::swcc {

namespace {

/// "fadd" + "d" and the like: v or f, the stem, d or s.
std::string floatingName(StringRef stem, const Shape &shape) {
  return ((shape.vector ? "v" : "f") + stem + (shape.single ? "s" : "d")).str();
}

} // namespace

void Selector::selectFused(const Instruction &instruction, const Value *a, const Value *b,
                           const Value *c, bool negateProduct, bool negateAddend) {
  const auto plain = [&](const Value *value, bool &negated) {
    const auto *negation = dyn_cast<Instruction>(value);
    if (!negation || negation->getOpcode() != Instruction::FNeg || !folded_.contains(negation))
      return value;
    negated = !negated;
    return static_cast<const Value *>(negation->getOperand(0));
  };
  a = plain(a, negateProduct);
  b = plain(b, negateProduct);
  c = plain(c, negateAddend);
  const Shape shape = shapeOf(instruction.getType());
  const StringRef stem = negateProduct  ? (negateAddend ? "nms" : "nma")
                         : negateAddend ? "ms"
                                        : "ma";
  const std::string name = floatingName(stem, shape);
  const Register x = registerOf(a), y = registerOf(b), z = registerOf(c);
  for (unsigned index = 0; index < shape.registers; ++index)
    emit(name, defined(instruction), {x, y, z});
}

void Selector::selectFloating(const Instruction &instruction) {
  const Shape shape = shapeOf(instruction.getType());
  const unsigned opcode = instruction.getOpcode();
  if (opcode == Instruction::FNeg) {
    const Register value = registerOf(instruction.getOperand(0));
    for (unsigned index = 0; index < shape.registers; ++index)
      emit(shape.vector ? "vcpysn" : "fcpysn", defined(instruction), {value, value});
    return;
  }
  const Value *a = instruction.getOperand(0), *b = instruction.getOperand(1);
  if (opcode == Instruction::FRem)
    return selectScalarised(instruction, shape, "fdivd");
  if (opcode == Instruction::FAdd || opcode == Instruction::FSub) {
    const bool difference = opcode == Instruction::FSub;
    // a * b + c, a * b - c, c - a * b.
    for (const Value *product : {a, b})
      if (folded_.contains(product)) {
        const auto *multiply = cast<Instruction>(product);
        const bool first = product == a;
        return selectFused(instruction, multiply->getOperand(0), multiply->getOperand(1),
                           first ? b : a, difference && !first, difference && first);
      }
  }
  const StringRef stem = opcode == Instruction::FAdd   ? "add"
                         : opcode == Instruction::FSub ? "sub"
                         : opcode == Instruction::FMul ? "mul"
                                                       : "div";
  const std::string name = floatingName(stem, shape);
  const Register x = registerOf(a), y = registerOf(b);
  for (unsigned index = 0; index < shape.registers; ++index)
    emit(name, defined(instruction), {x, y});
}

// ---- conversions ----

void Selector::selectCast(const CastInst &instruction) {
  const Shape to = shapeOf(instruction.getType()), from = shapeOf(instruction.getSrcTy());
  const Register value = registerOf(instruction.getOperand(0));
  const unsigned count = std::max(to.registers, from.registers);
  const auto each = [&](StringRef name) {
    for (unsigned index = 0; index < count; ++index)
      emit(name, defined(instruction), {value});
  };
  switch (instruction.getOpcode()) {
  case Instruction::FPTrunc:
    return each(to.vector ? "vfcvtds" : "fcvtds");
  case Instruction::SIToFP:
  case Instruction::UIToFP:
    return each(to.vector ? "vfcvtld" : "fcvtld");
  case Instruction::FPToSI:
  case Instruction::FPToUI:
    return each(to.vector ? "vfcvtdl" : "fcvtdl_z");
  case Instruction::SExt:
    if (to.vector)
      return each("vsubw");
    if (from.bits == 1)
      return (void)emit("subl", defined(instruction), {zeroRegister, value});
    return (void)emit(from.bits == 8    ? "sextb"
                      : from.bits == 16 ? "sexth"
                                        : "sextw",
                      defined(instruction), {value});
  case Instruction::ZExt:
    if (to.vector)
      return each("vandw");
    emitWithImmediate("zapnot", defined(instruction), value, (1 << ((from.bits + 7) / 8)) - 1);
    return;
  default: // truncations of vectors
    return each("vshfw");
  }
}

} // namespace weft::swcc
