// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic, comparisons, conversions, moves of lanes.
#include "Select.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace weft::swcc {

namespace {

/// "fadd" + "d" and the like: v or f, the stem, d or s.
std::string floatingName(StringRef stem, const Shape &shape) {
  return ((shape.vector ? "v" : "f") + stem + (shape.single ? "s" : "d")).str();
}

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

// ---- integers ----

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

/// Lane by lane: out of the vectors, the operation, and back.
void Selector::selectScalarised(const Instruction &instruction, const Shape &shape,
                                StringRef mnemonic) {
  const Register result = defined(instruction);
  SmallVector<Register, 3> from;
  for (const Use &operand : instruction.operands())
    if (!isa<BasicBlock>(operand))
      from.push_back(registerOf(operand));
  for (unsigned lane = 0; lane < shape.lanes; ++lane) {
    SmallVector<Register, 3> scalars;
    for (const Register vector : from) {
      scalars.push_back(code_.fresh());
      emitWithImmediate("vextw", scalars.back(), vector, lane);
    }
    const Register done = code_.fresh();
    emit(mnemonic, done, scalars);
    Operation &operation = emit("vinsw", result, {done, lane ? result : zeroRegister});
    operation.immediate = lane;
    operation.hasImmediate = true;
  }
}

// ---- floating point ----

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

// ---- comparisons and selections ----

Register Selector::compare(const CmpInst &instruction, bool &inverted) {
  inverted = false;
  const Register result = folded_.contains(&instruction) ? code_.fresh() : defined(instruction);
  const Value *a = instruction.getOperand(0), *b = instruction.getOperand(1);
  const Shape shape = shapeOf(a->getType());
  // Its bound changes with the count that is compared.
  if (const auto next = nextCount(instruction); next && next->first != a) {
    a = next->first;
    b = ConstantInt::getSigned(cast<IntegerType>(a->getType()), next->second);
  }
  StringRef stem;
  bool swapped = false;
  switch (signedPredicate(instruction)) {
  case CmpInst::ICMP_EQ:
  case CmpInst::FCMP_OEQ:
  case CmpInst::FCMP_UEQ:
    stem = "eq";
    break;
  case CmpInst::ICMP_NE:
  case CmpInst::FCMP_ONE:
  case CmpInst::FCMP_UNE:
    stem = "eq";
    inverted = true;
    break;
  case CmpInst::ICMP_SLT:
  case CmpInst::FCMP_OLT:
  case CmpInst::FCMP_ULT:
    stem = "lt";
    break;
  case CmpInst::ICMP_SLE:
  case CmpInst::FCMP_OLE:
  case CmpInst::FCMP_ULE:
    stem = "le";
    break;
  case CmpInst::ICMP_SGT:
  case CmpInst::FCMP_OGT:
  case CmpInst::FCMP_UGT:
    stem = "lt";
    swapped = true;
    break;
  case CmpInst::ICMP_SGE:
  case CmpInst::FCMP_OGE:
  case CmpInst::FCMP_UGE:
    stem = "le";
    swapped = true;
    break;
  case CmpInst::ICMP_ULT:
    stem = "ult";
    break;
  case CmpInst::ICMP_ULE:
    stem = "ule";
    break;
  case CmpInst::ICMP_UGT:
    stem = "ult";
    swapped = true;
    break;
  case CmpInst::ICMP_UGE:
    stem = "ule";
    swapped = true;
    break;
  case CmpInst::FCMP_UNO:
    stem = "un";
    break;
  case CmpInst::FCMP_ORD:
    stem = "un";
    inverted = true;
    break;
  default: // always or never true
    emit("mov", result, {zeroRegister});
    return result;
  }
  const bool floating = isa<FCmpInst>(instruction);
  if (shape.vector) {
    const std::string name = (floating ? "vfcmp" : "vcmp") + stem.str() + (floating ? "" : "w");
    const Register x = registerOf(swapped ? b : a), y = registerOf(swapped ? a : b);
    for (unsigned index = 0; index < shape.registers; ++index)
      emit(name, result, {x, y});
    return result;
  }
  // Only the second operand can be a literal: a > 5 is not (a <= 5).
  if (!floating && swapped && isa<ConstantInt>(b)) {
    stem = StringSwitch<StringRef>(stem)
               .Case("lt", "le")
               .Case("le", "lt")
               .Case("ult", "ule")
               .Default("ult");
    swapped = false;
    inverted = !inverted;
  }
  const std::string name = (floating ? "fcmp" : "cmp") + stem.str();
  if (swapped)
    std::swap(a, b);
  if (isa<Constant>(a)) {
    const Register x = registerOf(a), y = registerOf(b);
    emit(name, result, {x, y});
  } else {
    emitWith(name, result, {a, b});
  }
  for (unsigned index = 1; index < shape.registers; ++index)
    emitWith(name, result, {a, b});
  return result;
}

void Selector::selectCompare(const CmpInst &instruction) {
  bool inverted = false;
  const Register result = compare(instruction, inverted);
  const Shape shape = shapeOf(instruction.getOperand(0)->getType());
  if (shape.vector) {
    if (inverted)
      emit("vxorw", result, {result, zeroRegister});
    return;
  }
  // A floating-point comparison gives 2.0: as a truth value it is compared with zero.
  if (isa<FCmpInst>(instruction)) {
    emitWithImmediate(inverted ? "cmpeq" : "cmpult", result, result, 0);
    return;
  }
  if (inverted)
    emitWithImmediate("xor", result, result, 1);
}

void Selector::selectSelect(const SelectInst &instruction) {
  const Shape shape = shapeOf(instruction.getType());
  const auto *condition = dyn_cast<CmpInst>(instruction.getCondition());
  bool inverted = false;
  Register chosen = noRegister;
  StringRef stem = "ne";
  if (condition && folded_.contains(condition)) {
    const auto *zero = dyn_cast<Constant>(condition->getOperand(1));
    const CmpInst::Predicate predicate = condition->getPredicate();
    const bool withZero = zero && zero->isNullValue() && !shapeOf(zero->getType()).vector;
    if (withZero && isa<ICmpInst>(condition) && !condition->isUnsigned()) {
      chosen = registerOf(condition->getOperand(0));
      stem = predicate == CmpInst::ICMP_EQ    ? "eq"
             : predicate == CmpInst::ICMP_NE  ? "ne"
             : predicate == CmpInst::ICMP_SLT ? "lt"
             : predicate == CmpInst::ICMP_SLE ? "le"
             : predicate == CmpInst::ICMP_SGT ? "gt"
                                              : "ge";
    } else {
      chosen = compare(*condition, inverted);
    }
  } else {
    chosen = registerOf(instruction.getCondition());
  }
  const Value *yes = instruction.getTrueValue(), *no = instruction.getFalseValue();
  if (inverted)
    std::swap(yes, no);
  if (shape.vector) {
    const Register a = registerOf(yes), b = registerOf(no);
    for (unsigned index = 0; index < shape.registers; ++index)
      emit(shape.floating ? "vseleq" : "vseleqw", defined(instruction), {chosen, b, a});
    return;
  }
  if (shape.floating) {
    const Register a = registerOf(yes), b = registerOf(no);
    emit(("fsel" + stem).str(), defined(instruction), {chosen, a, b});
    return;
  }
  const Register a = registerOf(yes);
  Operation made;
  operand(made, no);
  Operation &operation = emit(("sel" + stem).str(), defined(instruction), {chosen, a});
  operation.uses.append(made.uses);
  operation.immediate = made.immediate;
  operation.hasImmediate = made.hasImmediate;
}

// ---- lanes ----

void Selector::selectLanes(const Instruction &instruction) {
  const Register result = defined(instruction);
  if (isa<ExtractElementInst>(instruction)) {
    const Shape shape = shapeOf(instruction.getOperand(0)->getType());
    const Register vector = registerOf(instruction.getOperand(0));
    if (!isa<Constant>(instruction.getOperand(1))) {
      // No instruction takes the lane from a register: through memory.
      emit("vstd", noRegister, {vector, stackRegister}).writes = true;
      emit(shape.floating ? "fldd" : "ldw", result,
           {registerOf(instruction.getOperand(1)), stackRegister})
          .reads = true;
      return;
    }
    emit(shape.floating ? "vextf" : "vextw", result, {vector}).hasImmediate = true;
    at(here()).back().immediate = cast<ConstantInt>(instruction.getOperand(1))->getZExtValue();
    return;
  }
  if (isa<InsertElementInst>(instruction)) {
    const Shape shape = shapeOf(instruction.getType());
    const Register scalar = registerOf(instruction.getOperand(1));
    const auto *lane = dyn_cast<ConstantInt>(instruction.getOperand(2));
    if (isa<UndefValue>(instruction.getOperand(0)) && lane && lane->isZero()) {
      emit("mov", result, {scalar}).copy = true; // a scalar already is lane 0
      return;
    }
    const Register vector = registerOf(instruction.getOperand(0));
    if (!lane) {
      emit("vstd", noRegister, {vector, stackRegister}).writes = true;
      emit(shape.floating ? "fstd" : "stw", noRegister, {scalar, stackRegister}).writes = true;
      emit("vldd", result, {stackRegister}).reads = true;
      return;
    }
    emit(shape.floating ? "vinsf" : "vinsw", result, {scalar, vector}).hasImmediate = true;
    at(here()).back().immediate = lane->getZExtValue();
    return;
  }
  const auto &shuffle = cast<ShuffleVectorInst>(instruction);
  const Shape shape = shapeOf(instruction.getType());
  if (const Value *scalar = splatSource(&instruction)) {
    const auto *load = dyn_cast<LoadInst>(scalar);
    if (load && folded_.contains(load))
      return selectSplatLoad(instruction, *load);
    const Register from = folded_.contains(instruction.getOperand(0))
                              ? registerOf(scalar)
                              : registerOf(instruction.getOperand(0));
    for (unsigned index = 0; index < shape.registers; ++index)
      emit(shape.floating ? "vcpyf" : "vcpyw", result, {from});
    return;
  }
  // One vshff takes its high lanes from one source and its low lanes from one: others take more.
  const int sourceLanes = shapeOf(shuffle.getOperand(0)->getType()).lanes;
  const ArrayRef<int> mask = shuffle.getShuffleMask();
  unsigned sourcesInHalves = 0;
  for (const bool high : {false, true}) {
    bool first = false, second = false;
    for (std::size_t lane = high ? mask.size() / 2 : 0;
         lane < (high ? mask.size() : mask.size() / 2); ++lane) {
      first = first || (mask[lane] >= 0 && mask[lane] < sourceLanes);
      second = second || mask[lane] >= sourceLanes;
    }
    sourcesInHalves += (first ? 1 : 0) + (second ? 1 : 0);
  }
  const bool isPlain = shuffle.isIdentity() || shuffle.isIdentityWithExtract();
  const Register a = registerOf(shuffle.getOperand(0)),
                 b = isa<UndefValue>(shuffle.getOperand(1)) ? a : registerOf(shuffle.getOperand(1));
  if (isPlain) {
    emit("vfmov", result, {a}).copy = true;
    return;
  }
  // Both sources in one half: a shuffle each for the parts, one to join them.
  const unsigned needed = sourcesInHalves <= 2 ? 1 : sourcesInHalves == 3 ? 2 : 3;
  const StringRef name = shape.floating || shape.bits == 64 ? "vshff" : "vshfw";
  for (unsigned part = 0; part < shape.registers; ++part) {
    Register left = a, right = b;
    for (unsigned index = 0; index + 1 < needed; ++index) {
      const Register joined = code_.fresh();
      emit(name, joined, {left, right}).hasImmediate = true;
      (index ? right : left) = joined;
    }
    emit(name, result, {left, right}).hasImmediate = true;
  }
}

} // namespace weft::swcc
