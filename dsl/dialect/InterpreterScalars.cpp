//===- InterpreterScalars.cpp - arith and math, element by element --------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Reals are computed in double precision and rounded once to f32, which for the
// operations that IEEE 754 defines is the same as computing in f32. Integers wrap.
// Division of integers by zero is zero, as in the emitted C (targets/common/support.h).
//
//===-----------------------------------------------------------------------===//

#include "dialect/InterpreterScalars.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;

namespace weft::interpreter {

// ---- the loop over lanes --------------------------------------------------------

/// The lane of an operand: itself where it is a scalar.
static const Element &laneOf(const Datum &datum, size_t lane) {
  if (const auto *array = std::get_if<ArrayPtr>(&datum))
    return (*array)->elements[lane];
  return std::get<Element>(datum);
}

static Element computed(const Lane &lane, Compute compute, ArrayRef<Element> in) {
  for (const Element &element : in)
    if (element.isPoison())
      return element;
  return rounded(compute(lane, in), lane.resultType);
}

/// Calls `each` for every lane of the result with the operands' lanes.
template <typename Each> static void perLane(Machine &machine, Operation *op, Each each) {
  Value result = op->getResult(0);
  SmallVector<Element, 4> in(op->getNumOperands());
  auto shaped = dyn_cast<ShapedType>(result.getType());
  if (!shaped) {
    for (auto [n, operand] : llvm::enumerate(op->getOperands()))
      in[n] = machine.element(operand);
    machine.set(result, each(in));
    return;
  }
  SmallVector<Datum> operands = machine.data(op->getOperands());
  Array array(shaped.getShape());
  machine.spend(op, static_cast<int64_t>(array.elements.size()));
  for (size_t lane = 0; lane < array.elements.size(); ++lane) {
    for (auto [n, operand] : llvm::enumerate(operands))
      in[n] = laneOf(operand, lane);
    array.elements[lane] = each(in);
  }
  machine.set(result, std::move(array));
}

void addElementwise(HandlerTable &table, StringRef name, Compute compute) {
  table.add(name, [compute](Machine &machine, Operation *op) {
    Lane lane{op, elementType(op->getOperand(0).getType()),
              elementType(op->getResult(0).getType())};
    perLane(machine, op, [&](ArrayRef<Element> in) { return computed(lane, compute, in); });
  });
}

// ---- arithmetic -----------------------------------------------------------------

double maximum(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return std::numeric_limits<double>::quiet_NaN();
  return a == b ? (std::signbit(a) ? b : a) : std::max(a, b);
}

double minimum(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return std::numeric_limits<double>::quiet_NaN();
  return a == b ? (std::signbit(a) ? a : b) : std::min(a, b);
}

/// Wrapping arithmetic of 64 bits; `rounded` cuts it to the width.
template <auto F> static int64_t wrapped(int64_t a, int64_t b) {
  return static_cast<int64_t>(F(static_cast<uint64_t>(a), static_cast<uint64_t>(b)));
}

static int64_t divided(int64_t a, int64_t b) {
  if (b == 0)
    return 0;
  return b == -1 ? static_cast<int64_t>(-static_cast<uint64_t>(a)) : a / b;
}

static int64_t rest(int64_t a, int64_t b) { return b == 0 || b == -1 ? 0 : a % b; }

static int64_t dividedDown(int64_t a, int64_t b) {
  return divided(a, b) - (rest(a, b) != 0 && (a < 0) != (b < 0));
}

static int64_t dividedUp(int64_t a, int64_t b) {
  return divided(a, b) + (rest(a, b) != 0 && (a < 0) == (b < 0));
}

static unsigned widthOf(Type type) { return type.isIndex() ? 64 : type.getIntOrFloatBitWidth(); }

/// The bits of an integer of this type as an unsigned number.
static uint64_t bits(int64_t value, Type type) {
  return static_cast<uint64_t>(value) & llvm::maskTrailingOnes<uint64_t>(widthOf(type));
}

template <auto F> static Element unsigned2(const Lane &lane, ArrayRef<Element> in) {
  return Element::integer(
      static_cast<int64_t>(F(bits(in[0].i, lane.operandType), bits(in[1].i, lane.operandType))));
}

enum class Shift { Left, RightSigned, RightUnsigned };

template <Shift kind> static Element shift(const Lane &lane, ArrayRef<Element> in) {
  uint64_t by = bits(in[1].i, lane.operandType);
  if (by >= widthOf(lane.operandType))
    return Element::poison(lane.op);
  if constexpr (kind == Shift::Left)
    return Element::integer(static_cast<int64_t>(static_cast<uint64_t>(in[0].i) << by));
  if constexpr (kind == Shift::RightSigned)
    return Element::integer(in[0].i >> by);
  return Element::integer(static_cast<int64_t>(bits(in[0].i, lane.operandType) >> by));
}

static Element fma(const Lane &lane, ArrayRef<Element> in) {
  if (lane.resultType.isF32())
    return Element::real(std::fma(static_cast<float>(in[0].re), static_cast<float>(in[1].re),
                                  static_cast<float>(in[2].re)));
  return Element::real(std::fma(in[0].re, in[1].re, in[2].re));
}

static int64_t power(int64_t base, int64_t exponent) {
  if (exponent < 0)
    return base == 1 ? 1 : base == -1 ? (exponent % 2 ? -1 : 1) : 0;
  uint64_t result = 1;
  for (auto factor = static_cast<uint64_t>(base); exponent > 0; exponent /= 2, factor *= factor)
    if (exponent % 2)
      result *= factor;
  return static_cast<int64_t>(result);
}

static Element realToIntegerPower(const Lane &, ArrayRef<Element> in) {
  return Element::real(std::pow(in[0].re, static_cast<double>(in[1].i)));
}

// ---- comparisons ----------------------------------------------------------------

static Element cmpi(const Lane &lane, ArrayRef<Element> in) {
  // i1 is kept as 0 or 1, but its signed value is 0 or -1.
  bool isBool = lane.operandType.isInteger(1);
  int64_t a = isBool ? -in[0].i : in[0].i, b = isBool ? -in[1].i : in[1].i;
  uint64_t ua = bits(a, lane.operandType), ub = bits(b, lane.operandType);
  switch (cast<arith::CmpIOp>(lane.op).getPredicate()) {
  case arith::CmpIPredicate::eq:
    return Element::integer(a == b);
  case arith::CmpIPredicate::ne:
    return Element::integer(a != b);
  case arith::CmpIPredicate::slt:
    return Element::integer(a < b);
  case arith::CmpIPredicate::sle:
    return Element::integer(a <= b);
  case arith::CmpIPredicate::sgt:
    return Element::integer(a > b);
  case arith::CmpIPredicate::sge:
    return Element::integer(a >= b);
  case arith::CmpIPredicate::ult:
    return Element::integer(ua < ub);
  case arith::CmpIPredicate::ule:
    return Element::integer(ua <= ub);
  case arith::CmpIPredicate::ugt:
    return Element::integer(ua > ub);
  case arith::CmpIPredicate::uge:
    return Element::integer(ua >= ub);
  }
  llvm_unreachable("all predicates are above");
}

static Element cmpf(const Lane &lane, ArrayRef<Element> in) {
  double a = in[0].re, b = in[1].re;
  bool unordered = std::isnan(a) || std::isnan(b);
  using P = arith::CmpFPredicate;
  switch (cast<arith::CmpFOp>(lane.op).getPredicate()) {
  case P::AlwaysFalse:
    return Element::integer(0);
  case P::AlwaysTrue:
    return Element::integer(1);
  case P::ORD:
    return Element::integer(!unordered);
  case P::UNO:
    return Element::integer(unordered);
  case P::OEQ:
    return Element::integer(!unordered && a == b);
  case P::UEQ:
    return Element::integer(unordered || a == b);
  case P::ONE:
    return Element::integer(!unordered && a != b);
  case P::UNE:
    return Element::integer(unordered || a != b);
  case P::OLT:
    return Element::integer(!unordered && a < b);
  case P::ULT:
    return Element::integer(unordered || a < b);
  case P::OLE:
    return Element::integer(!unordered && a <= b);
  case P::ULE:
    return Element::integer(unordered || a <= b);
  case P::OGT:
    return Element::integer(!unordered && a > b);
  case P::UGT:
    return Element::integer(unordered || a > b);
  case P::OGE:
    return Element::integer(!unordered && a >= b);
  case P::UGE:
    return Element::integer(unordered || a >= b);
  }
  llvm_unreachable("all predicates are above");
}

// ---- conversions ----------------------------------------------------------------

static Element keep(const Lane &, ArrayRef<Element> in) { return in[0]; }

static Element extendUnsigned(const Lane &lane, ArrayRef<Element> in) {
  return Element::integer(static_cast<int64_t>(bits(in[0].i, lane.operandType)));
}

static Element extendSigned(const Lane &lane, ArrayRef<Element> in) {
  return Element::integer(lane.operandType.isInteger(1) ? -in[0].i : in[0].i);
}

static Element toReal(const Lane &lane, ArrayRef<Element> in) {
  // Straight to f32 from an integer: through double it would be rounded twice.
  int64_t value = extendSigned(lane, in).i;
  return Element::real(lane.resultType.isF32() ? static_cast<float>(value)
                                               : static_cast<double>(value));
}

static Element unsignedToReal(const Lane &lane, ArrayRef<Element> in) {
  uint64_t value = bits(in[0].i, lane.operandType);
  return Element::real(lane.resultType.isF32() ? static_cast<float>(value)
                                               : static_cast<double>(value));
}

template <bool isSigned> static Element toInteger(const Lane &lane, ArrayRef<Element> in) {
  unsigned width = widthOf(lane.resultType);
  double value = std::trunc(in[0].re);
  double lowest = isSigned ? -std::ldexp(1.0, static_cast<int>(width) - 1) : 0.0;
  double limit = std::ldexp(1.0, static_cast<int>(width) - (isSigned ? 1 : 0));
  if (!(value >= lowest && value < limit))
    return Element::poison(lane.op);
  return Element::integer(isSigned ? static_cast<int64_t>(value)
                                   : static_cast<int64_t>(static_cast<uint64_t>(value)));
}

static Element bitcast(const Lane &lane, ArrayRef<Element> in) {
  uint64_t pattern = 0;
  if (lane.operandType.isF32())
    pattern = llvm::bit_cast<uint32_t>(static_cast<float>(in[0].re));
  else if (lane.operandType.isF64())
    pattern = llvm::bit_cast<uint64_t>(in[0].re);
  else
    pattern = bits(in[0].i, lane.operandType);
  if (lane.resultType.isF32())
    return Element::real(llvm::bit_cast<float>(static_cast<uint32_t>(pattern)));
  if (lane.resultType.isF64())
    return Element::real(llvm::bit_cast<double>(pattern));
  return Element::integer(static_cast<int64_t>(pattern));
}

// ---- ops that are not lane by lane of defined numbers -------------------------------

static void constant(Machine &machine, arith::ConstantOp op) {
  if (auto elements = dyn_cast<ElementsAttr>(op.getValue())) {
    machine.checkSize(op, cast<ShapedType>(op.getType()).getShape());
    machine.set(op.getResult(), arrayOf(elements));
  } else {
    machine.set(op.getResult(), elementOf(op.getValue(), op.getType()));
  }
}

/// What is not chosen may be poison.
static void select(Machine &machine, arith::SelectOp op) {
  perLane(machine, op, [&](ArrayRef<Element> in) {
    if (in[0].isPoison())
      return in[0];
    return in[0].i ? in[1] : in[2];
  });
}

// ---- combining ------------------------------------------------------------------

Element combine(StringRef kind, const Element &left, const Element &right, Type type) {
  if (kind == "set")
    return right;
  if (left.isPoison() || right.isPoison())
    return left.isPoison() ? left : right;
  bool sum = kind == "sum" || kind == "add";
  bool product = kind == "prod" || kind == "mul";
  Element result;
  switch (left.kind) {
  case Element::Kind::Integer: {
    int64_t a = left.i, b = right.i;
    result = Element::integer(sum             ? wrapped<std::plus<uint64_t>{}>(a, b)
                              : product       ? wrapped<std::multiplies<uint64_t>{}>(a, b)
                              : kind == "max" ? std::max(a, b)
                                              : std::min(a, b));
    break;
  }
  case Element::Kind::Real: {
    double a = left.re, b = right.re;
    result = Element::real(sum             ? a + b
                           : product       ? a * b
                           : kind == "max" ? maximum(a, b)
                                           : minimum(a, b));
    break;
  }
  default: {
    std::complex<double> a = left.asComplex(), b = right.asComplex();
    result = Element::complex(sum ? a + b : a * b);
  }
  }
  return rounded(result, type);
}

Element neutral(StringRef kind, Type type) {
  bool isOne = kind == "prod" || kind == "mul";
  if (isa<ComplexType>(type))
    return Element::complex(isOne ? 1.0 : 0.0);
  double infinity = std::numeric_limits<double>::infinity();
  if (isa<FloatType>(type))
    return Element::real(isOne ? 1.0 : kind == "max" ? -infinity : kind == "min" ? infinity : 0.0);
  unsigned width = widthOf(type);
  int64_t least = width == 1 ? 0 : llvm::minIntN(width);
  int64_t greatest = width == 1 ? 1 : llvm::maxIntN(width);
  return Element::integer(isOne ? 1 : kind == "max" ? least : kind == "min" ? greatest : 0);
}

// ---- the table ------------------------------------------------------------------

using U = uint64_t;

static constexpr std::pair<StringRef, Compute> elementwise[] = {
    {"arith.addf", real2<[](double a, double b) { return a + b; }>},
    {"arith.subf", real2<[](double a, double b) { return a - b; }>},
    {"arith.mulf", real2<[](double a, double b) { return a * b; }>},
    {"arith.divf", real2<[](double a, double b) { return a / b; }>},
    {"arith.remf", real2<[](double a, double b) { return std::fmod(a, b); }>},
    {"arith.negf", real1<[](double a) { return -a; }>},
    {"arith.maximumf", real2<maximum>},
    {"arith.minimumf", real2<minimum>},
    {"arith.maxnumf", real2<[](double a, double b) { return std::fmax(a, b); }>},
    {"arith.minnumf", real2<[](double a, double b) { return std::fmin(a, b); }>},
    {"arith.addi", integer2<wrapped<[](U a, U b) { return a + b; }>>},
    {"arith.subi", integer2<wrapped<[](U a, U b) { return a - b; }>>},
    {"arith.muli", integer2<wrapped<[](U a, U b) { return a * b; }>>},
    {"arith.andi", integer2<wrapped<[](U a, U b) { return a & b; }>>},
    {"arith.ori", integer2<wrapped<[](U a, U b) { return a | b; }>>},
    {"arith.xori", integer2<wrapped<[](U a, U b) { return a ^ b; }>>},
    {"arith.divsi", integer2<divided>},
    {"arith.remsi", integer2<rest>},
    {"arith.floordivsi", integer2<dividedDown>},
    {"arith.ceildivsi", integer2<dividedUp>},
    {"arith.divui", unsigned2<[](U a, U b) { return b == 0 ? 0 : a / b; }>},
    {"arith.remui", unsigned2<[](U a, U b) { return b == 0 ? 0 : a % b; }>},
    {"arith.maxsi", integer2<[](int64_t a, int64_t b) { return std::max(a, b); }>},
    {"arith.minsi", integer2<[](int64_t a, int64_t b) { return std::min(a, b); }>},
    {"arith.maxui", unsigned2<[](U a, U b) { return std::max(a, b); }>},
    {"arith.minui", unsigned2<[](U a, U b) { return std::min(a, b); }>},
    {"arith.shli", shift<Shift::Left>},
    {"arith.shrsi", shift<Shift::RightSigned>},
    {"arith.shrui", shift<Shift::RightUnsigned>},
    {"arith.cmpi", cmpi},
    {"arith.cmpf", cmpf},
    {"arith.extf", keep},
    {"arith.truncf", keep},
    {"arith.trunci", keep},
    {"arith.extsi", extendSigned},
    {"arith.extui", extendUnsigned},
    {"arith.index_cast", extendSigned},
    {"arith.index_castui", extendUnsigned},
    {"arith.sitofp", toReal},
    {"arith.uitofp", unsignedToReal},
    {"arith.fptosi", toInteger<true>},
    {"arith.fptoui", toInteger<false>},
    {"arith.bitcast", bitcast},
    {"math.absf", real1<[](double a) { return std::fabs(a); }>},
    {"math.absi", integer1<[](int64_t a) { return a < 0 ? static_cast<int64_t>(-U(a)) : a; }>},
    {"math.ceil", real1<[](double a) { return std::ceil(a); }>},
    {"math.floor", real1<[](double a) { return std::floor(a); }>},
    {"math.trunc", real1<[](double a) { return std::trunc(a); }>},
    {"math.round", real1<[](double a) { return std::round(a); }>},
    {"math.roundeven", real1<[](double a) { return std::nearbyint(a); }>},
    {"math.copysign", real2<[](double a, double b) { return std::copysign(a, b); }>},
    {"math.sqrt", real1<[](double a) { return std::sqrt(a); }>},
    {"math.rsqrt", real1<[](double a) { return 1 / std::sqrt(a); }>},
    {"math.cbrt", real1<[](double a) { return std::cbrt(a); }>},
    {"math.exp", real1<[](double a) { return std::exp(a); }>},
    {"math.exp2", real1<[](double a) { return std::exp2(a); }>},
    {"math.expm1", real1<[](double a) { return std::expm1(a); }>},
    {"math.log", real1<[](double a) { return std::log(a); }>},
    {"math.log2", real1<[](double a) { return std::log2(a); }>},
    {"math.log10", real1<[](double a) { return std::log10(a); }>},
    {"math.log1p", real1<[](double a) { return std::log1p(a); }>},
    {"math.sin", real1<[](double a) { return std::sin(a); }>},
    {"math.cos", real1<[](double a) { return std::cos(a); }>},
    {"math.tan", real1<[](double a) { return std::tan(a); }>},
    {"math.sinh", real1<[](double a) { return std::sinh(a); }>},
    {"math.cosh", real1<[](double a) { return std::cosh(a); }>},
    {"math.tanh", real1<[](double a) { return std::tanh(a); }>},
    {"math.asin", real1<[](double a) { return std::asin(a); }>},
    {"math.acos", real1<[](double a) { return std::acos(a); }>},
    {"math.atan", real1<[](double a) { return std::atan(a); }>},
    {"math.atan2", real2<[](double a, double b) { return std::atan2(a, b); }>},
    {"math.erf", real1<[](double a) { return std::erf(a); }>},
    {"math.powf", real2<[](double a, double b) { return std::pow(a, b); }>},
    {"math.ipowi", integer2<power>},
    {"math.fpowi", realToIntegerPower},
    {"math.fma", fma},
    {"vector.fma", fma},
    {"math.isnan",
     [](const Lane &, ArrayRef<Element> in) { return Element::integer(std::isnan(in[0].re)); }},
    {"math.isinf",
     [](const Lane &, ArrayRef<Element> in) { return Element::integer(std::isinf(in[0].re)); }},
};

void addScalarOps(HandlerTable &table) {
  table.add(constant);
  table.add(select);
  for (auto [name, compute] : elementwise)
    addElementwise(table, name, compute);
}

} // namespace weft::interpreter
