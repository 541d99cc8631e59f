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

Selector::ConstantParts Selector::partsOf(std::int64_t value) {
  ConstantParts parts;
  if (!isInt<32>(value)) {
    parts.shift = countr_zero(std::uint64_t(value));
    value >>= parts.shift;
  }
  parts.low = std::int16_t(value);
  parts.high = (value - parts.low) >> 16;
  // The sum of both halves must not leave what ldih takes.
  parts.fits = isInt<16>(parts.high);
  return parts;
}

Register Selector::integerConstant(std::int64_t value, Place place) {
  if (!value)
    return zeroRegister;
  place = outermost(place);
  for (const Available &known : integers_[value])
    if (reaches(known.place, place))
      return known.name;
  const Register name = code_.fresh();
  integers_[value].push_back({place, name});
  if (const auto parts = partsOf(value); parts.count() <= table_.core().constantInstructions) {
    build(parts, name, place);
  } else {
    emit(place, "ldl_literal", name, {29}, source_).reads = true;
    code_.usesGlobals = true;
  }
  return name;
}

/// ldi adds a number of 16 bits to a register, ldih one times 65536; sll moves what they made.
void Selector::build(const ConstantParts &parts, Register name, Place place) {
  Register from = zeroRegister;
  const auto step = [&](StringRef mnemonic, std::int64_t immediate) {
    Operation &operation = emit(place, mnemonic, name, {from}, source_);
    operation.immediate = immediate;
    operation.hasImmediate = true;
    from = name;
  };
  if (parts.high)
    step("ldih", parts.high);
  if (parts.low)
    step("ldi", parts.low);
  if (parts.shift)
    step("sll", parts.shift);
}

/// The bits of a scalar constant as a register has them, in which single precision has the format
/// of a double.
std::optional<std::int64_t> Selector::registerBits(const Constant &value) {
  if (const auto *integer = dyn_cast<ConstantInt>(&value); integer && integer->getBitWidth() <= 64)
    return integer->getSExtValue();
  const auto *number = dyn_cast<ConstantFP>(&value);
  if (!number || !(number->getType()->isDoubleTy() || number->getType()->isFloatTy()))
    return std::nullopt;
  APFloat wide = number->getValueAPF();
  bool inexact = false;
  wide.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &inexact);
  return std::int64_t(wide.bitcastToAPInt().getZExtValue());
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
  // Floating point and vectors. What a few instructions make is not loaded; the rest comes from the
  // literal pool, which lies in main memory. Both are kept in a register over loops.
  const std::optional<std::int64_t> bits = registerBits(value);
  const auto isBuilt = [&](std::int64_t number) {
    return partsOf(number).count() <= table_.core().constantInstructions;
  };
  if (bits && isBuilt(*bits))
    return integerConstant(*bits, place);
  place = outermost(place);
  for (const Available &known : constants_[&value])
    if (reaches(known.place, place))
      return known.name;
  const Shape shape = shapeOf(value.getType());
  const Register name = code_.fresh();
  constants_[&value].push_back({place, name});
  const Constant *lane = value.getType()->isVectorTy() ? value.getSplatValue() : nullptr;
  const auto laneBits = lane ? registerBits(*lane) : std::nullopt;
  if (laneBits && shape.bits >= 32 && isBuilt(*laneBits)) {
    const Register scalar = integerConstant(*laneBits, place);
    emit(place, shape.floating ? "vcpyf" : "vcpyw", name, {scalar}, source_);
    return name;
  }
  emit(place,
       shape.vector     ? "vldd_literal"
       : shape.floating ? "fldd_literal"
                        : "ldl_literal",
       name, {29}, source_)
      .reads = true;
  code_.usesGlobals = true;
  return name;
}

} // namespace weft::swcc
