// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants and addresses of variables, made once before the loops that use them.
#include "Select.h"

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace weft::swcc {

/// Variables in LDM are reached from $31 by their link-time offset, others through a table of
/// addresses. All that the headers put into a section of its own is LDM or private.
bool Selector::isLocal(const Value *value) {
  const auto *variable = dyn_cast<GlobalVariable>(value);
  return variable && (variable->hasSection() || variable->isThreadLocal());
}

Register Selector::integerConstant(std::int64_t value, Place place) {
  if (!value)
    return zeroRegister;
  place = outermost(place);
  for (const Available &known : integers_[value])
    if (reaches(known.place, place))
      return known.name;
  const Register name = code_.fresh();
  if (isInt<32>(value)) {
    // ldi adds 16 bits to a register, ldih 16 bits above them.
    const bool high = !isInt<16>(value);
    if (high)
      emit(place, "ldih", name, {zeroRegister}, source_).immediate = value >> 16;
    if (high)
      at(place).back().hasImmediate = true;
    if (!high || (value & 0xffff)) {
      Operation &low = emit(place, "ldi", name, {high ? name : zeroRegister}, source_);
      low.immediate = std::int16_t(value);
      low.hasImmediate = true;
    }
  } else {
    emit(place, "ldl_literal", name, {29}, source_).reads = true;
    code_.usesGlobals = true;
  }
  integers_[value].push_back({place, name});
  return name;
}

Register Selector::addressConstant(const GlobalValue &global, Place place) {
  place = outermost(place);
  for (const Available &known : constants_[&global])
    if (reaches(known.place, place))
      return known.name;
  const Register name = code_.fresh();
  if (isLocal(&global)) {
    emit(place, "ldih", name, {zeroRegister}, source_).symbol = &global;
  } else {
    Operation &load = emit(place, "ldl_literal", name, {29}, source_);
    load.symbol = &global;
    load.reads = true;
    code_.usesGlobals = true;
  }
  constants_[&global].push_back({place, name});
  return name;
}

Register Selector::constant(const Constant &value, Place place) {
  if (value.isNullValue() || isa<UndefValue>(value))
    return zeroRegister;
  if (const auto *integer = dyn_cast<ConstantInt>(&value); integer && integer->getBitWidth() <= 64)
    return integerConstant(integer->getSExtValue(), place);
  if (const auto *global = dyn_cast<GlobalValue>(value.stripPointerCasts())) {
    const Register base = addressConstant(*global, place);
    if (!isLocal(global))
      return base;
    // The low half of its offset.
    const Register full = code_.fresh();
    emit(place, "ldi", full, {base}, source_).symbol = global;
    return full;
  }
  if (isa<ConstantExpr>(value) && value.getType()->isPointerTy()) {
    APInt offset(64, 0);
    const Value *base = value.stripAndAccumulateConstantOffsets(function_.getDataLayout(), offset,
                                                                /*AllowNonInbounds=*/true);
    if (const auto *global = dyn_cast<GlobalValue>(base)) {
      const Register start = addressConstant(*global, place);
      const Register full = code_.fresh();
      emit(place, "ldi", full, {start}, source_).symbol = global;
      return full;
    }
  }
  // Floating point, vectors and the rest: from the literal pool, kept in a register over loops.
  place = outermost(place);
  for (const Available &known : constants_[&value])
    if (reaches(known.place, place))
      return known.name;
  const Shape shape = shapeOf(value.getType());
  const Register name = code_.fresh();
  emit(place,
       shape.vector     ? "vldd_literal"
       : shape.floating ? "fldd_literal"
                        : "ldl_literal",
       name, {29}, source_)
      .reads = true;
  code_.usesGlobals = true;
  constants_[&value].push_back({place, name});
  return name;
}

} // namespace weft::swcc
