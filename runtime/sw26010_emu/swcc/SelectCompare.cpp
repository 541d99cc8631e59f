// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comparisons, and selections by them.
#include "Select.h"

#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace weft::swcc {

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

} // namespace weft::swcc
