//===- ExpandMath.cpp - functions that become arithmetic --------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// exp(x) = 2^k * exp(r), where k = round(x / ln 2) and |r| <= ln(2)/2. All steps are
// additions, multiplications, shifts and selections, so that they run in vectors,
// and a scalar remainder gives the same bits as the lanes beside it. Below one unit
// in the last place everywhere (test/passes/expand-math tells how it was measured).
//
// Left to the C library: sin, cos, tanh, log, angles and powers by variables. Their reductions
// need either tables or many more digits. Some targets have them for whole vectors
// (`vector_functions`).
//
//===-----------------------------------------------------------------------===//

#include "dialect/Target.h"
#include "passes/Notes.h"
#include "passes/Passes.h"
#include "passes/tensors/Elementwise.h"

#include "mlir/IR/Matchers.h"

#include <cmath>
#include <limits>

namespace weft {
#define GEN_PASS_DEF_EXPANDMATH
#include "passes/Passes.h.inc"
} // namespace weft

using namespace mlir;

namespace {

constexpr weft::Notes notes("expand-math");

/// What exp needs to know about a format. The polynomial is (exp(r) - 1 - r) / r^2
/// for |r| <= ln(2)/2, fitted for least relative error in exp(r): 4e-18 for f64,
/// 3e-9 for f32; lowest power first.
struct ExpConstants {
  unsigned width, mantissaBits;
  int64_t bias;
  double magic;           ///< 1.5 * 2^mantissaBits: adding it rounds to an integer
  double most, least;     ///< beyond these the result is infinity or zero
  double ln2High, ln2Low; ///< high has so few bits that k * high is exact
  ArrayRef<double> polynomial;
};

constexpr double polynomial64[] = {
    0.5000000000000011,    0.1666666666666641,     0.04166666666652973,    0.008333333333494961,
    0.001388888894375978,  0.00019841269505802478, 2.4801492949750686e-05, 2.7557586783278443e-06,
    2.763030624035685e-07, 2.5000023940315812e-08};
constexpr double polynomial32[] = {0.49999994, 0.16666521, 0.041668393, 0.008368745, 0.0013814536};

constexpr ExpConstants exp64{
    64, 52, 1023, 0x1.8p52, 710.0, -750.0, 0x1.62e42feep-1, 0x1.a39ef35793c76p-33, polynomial64};
constexpr ExpConstants exp32{
    32, 23, 127, 0x1.8p23, 89.0, -105.0, 0x1.63p-1, -2.12194440e-4, polynomial32};

/// Emits scalar arithmetic of one float type at one place.
class Arithmetic {
public:
  Arithmetic(OpBuilder &builder, Location where, FloatType type, bool fma)
      : builder(builder), where(where), type(type),
        bits(IntegerType::get(type.getContext(), type.getWidth())), fma(fma) {}

  Value number(double value) {
    return arith::ConstantOp::create(builder, where, builder.getFloatAttr(type, value));
  }
  Value integer(int64_t value) {
    return arith::ConstantOp::create(builder, where, builder.getIntegerAttr(bits, value));
  }
  Value mul(Value left, Value right) { return arith::MulFOp::create(builder, where, left, right); }
  Value sub(Value left, Value right) { return arith::SubFOp::create(builder, where, left, right); }
  Value add(Value left, Value right) { return arith::AddFOp::create(builder, where, left, right); }
  /// left * right + addend
  Value multiplyAdd(Value left, Value right, Value addend) {
    if (fma)
      return math::FmaOp::create(builder, where, left, right, addend);
    return add(mul(left, right), addend);
  }
  Value selectIf(arith::CmpFPredicate relation, Value left, Value right, Value then,
                 Value otherwise) {
    Value holds = arith::CmpFOp::create(builder, where, relation, left, right);
    return arith::SelectOp::create(builder, where, holds, then, otherwise);
  }
  Value toBits(Value value) { return arith::BitcastOp::create(builder, where, bits, value); }

  /// 2^power, for powers in the range of normal numbers.
  Value powerOfTwo(Value power, const ExpConstants &format) {
    Value biased = arith::AddIOp::create(builder, where, power, integer(format.bias));
    Value shifted = arith::ShLIOp::create(builder, where, biased, integer(format.mantissaBits));
    return arith::BitcastOp::create(builder, where, type, shifted);
  }

  Value exponential(Value x, const ExpConstants &format);
  Value power(Value base, int64_t exponent);
  Value powerOfHalves(Value base, int64_t halves);

private:
  OpBuilder &builder;
  Location where;
  FloatType type;
  IntegerType bits;
  bool fma;
};

Value Arithmetic::exponential(Value x, const ExpConstants &format) {
  // NaN compares false and stays; it then makes the polynomial NaN.
  Value most = number(format.most), least = number(format.least);
  x = selectIf(arith::CmpFPredicate::OGT, x, most, most, x);
  x = selectIf(arith::CmpFPredicate::OLT, x, least, least, x);

  Value magic = number(format.magic);
  Value shifted = multiplyAdd(x, number(1.0 / M_LN2), magic);
  Value rounded = sub(shifted, magic);
  Value high = multiplyAdd(rounded, number(-format.ln2High), x);
  Value low = number(-format.ln2Low);
  Value rest = multiplyAdd(rounded, low, high);
  // What rounding `rest` lost: a quarter of a unit in the result's last place.
  Value lost = multiplyAdd(rounded, low, sub(high, rest));

  Value sum = number(format.polynomial.back());
  for (double coefficient : llvm::reverse(format.polynomial.drop_back()))
    sum = multiplyAdd(sum, rest, number(coefficient));
  Value result = add(add(multiplyAdd(mul(rest, rest), sum, lost), rest), number(1.0));

  // Two factors: 2^k itself may be beyond the normal numbers although the result is
  // not; and a subnormal result is rounded once, by the second factor.
  llvm::APFloat magicBits(format.magic);
  bool losesInfo;
  magicBits.convert(type.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  Value power = arith::SubIOp::create(builder, where, toBits(shifted),
                                      integer(magicBits.bitcastToAPInt().getSExtValue()));
  Value half = arith::ShRSIOp::create(builder, where, power, integer(1));
  Value others = arith::SubIOp::create(builder, where, power, half);
  return mul(mul(result, powerOfTwo(half, format)), powerOfTwo(others, format));
}

/// base^exponent by repeated squaring, for exponents above 0.
Value power(Value base, uint64_t exponent, function_ref<Value(Value, Value)> multiply) {
  Value result;
  for (uint64_t rest = exponent; rest != 0; rest /= 2) {
    if (rest % 2 == 1)
      result = result ? multiply(result, base) : base;
    if (rest > 1)
      base = multiply(base, base);
  }
  return result;
}

Value Arithmetic::power(Value base, int64_t exponent) {
  if (exponent == 0)
    return number(1.0);
  Value result =
      ::power(base, std::abs(exponent), [&](Value left, Value right) { return mul(left, right); });
  return exponent < 0 ? arith::DivFOp::create(builder, where, number(1.0), result).getResult()
                      : result;
}

/// x to the power of halves/2, an odd number of halves: x**1.5 is x*sqrt(x), x**-0.5 is 1/sqrt(x).
/// Of minus infinity, which has no root, the power is that of infinity, and of minus zero that of
/// zero.
Value Arithmetic::powerOfHalves(Value base, int64_t halves) {
  Value result = math::SqrtOp::create(builder, where, base);
  if (int64_t whole = std::abs(halves) / 2)
    result = mul(power(base, whole), result);
  if (halves < 0) {
    result = arith::DivFOp::create(builder, where, number(1.0), result);
    result = math::AbsFOp::create(builder, where, result);
  }
  double infinity = std::numeric_limits<double>::infinity();
  Value isInfinite =
      arith::CmpFOp::create(builder, where, arith::CmpFPredicate::OEQ, base, number(-infinity));
  return arith::SelectOp::create(builder, where, isInfinite, number(halves < 0 ? 0.0 : infinity),
                                 result);
}

/// The exponent of a power of floats, where it is known.
std::optional<double> knownExponent(Operation *op) {
  FloatAttr number;
  if (!isa<math::PowFOp>(op) || !matchPattern(op->getOperand(1), m_Constant(&number)))
    return std::nullopt;
  return number.getValueAsDouble();
}

/// The largest exponent whose power is computed by multiplications.
constexpr int64_t most = 16;

/// The exponent of a power that few multiplications compute.
std::optional<int64_t> smallExponent(Operation *op) {
  std::optional<int64_t> exponent;
  APInt integer;
  if (isa<math::FPowIOp, math::IPowIOp>(op) &&
      matchPattern(op->getOperand(1), m_ConstantInt(&integer)))
    exponent = integer.getSExtValue();
  std::optional<double> known = knownExponent(op);
  if (known && std::trunc(*known) == *known && std::abs(*known) <= most)
    exponent = static_cast<int64_t>(*known);
  return exponent && std::abs(*exponent) <= most ? exponent : std::nullopt;
}

/// The exponent of a power that a square root and few multiplications compute, but for 0.5: twice
/// that.
std::optional<int64_t> smallHalves(Operation *op) {
  std::optional<double> known = knownExponent(op);
  if (!known || std::abs(*known) > most || std::abs(*known) < 0.5 ||
      std::trunc(*known * 2) != *known * 2 || std::trunc(*known) == *known)
    return std::nullopt;
  return static_cast<int64_t>(*known * 2);
}

class ExpandMath : public weft::impl::ExpandMathBase<ExpandMath> {
public:
  using ExpandMathBase::ExpandMathBase;

  void runOnOperation() override {
    FailureOr<weft::Target> target = weft::Target::of(getOperation());
    if (failed(target))
      return signalPassFailure();
    bool fma = target->flag("fma"), hasFunctions = target->flag("vector_functions");
    getOperation()->walk([&](Operation *op) {
      if (isa<math::SinOp, math::CosOp, math::TanhOp, math::LogOp, math::Log1pOp, math::Atan2Op>(
              op))
        rejected(op, hasFunctions);
      if (!isa<math::ExpOp, math::FPowIOp, math::PowFOp, math::IPowIOp>(op))
        return;
      OpBuilder builder(op);
      Value result = expand(op, builder, fma);
      if (!result)
        return rejected(op, hasFunctions);
      notes.decided(op, "{0} as arithmetic", op->getName().stripDialect())
          .because(isa<math::ExpOp>(op) ? "a polynomial has a vector form"
                                        : "a constant exponent: few operations");
      op->replaceAllUsesWith(ValueRange{result});
      op->erase();
    });
  }

private:
  static void rejected(Operation *op, bool hasFunctions) {
    notes.rejected(op, "{0} as arithmetic", op->getName().stripDialect())
        .because("no short form is known: a call of the C library for each {0}",
                 hasFunctions && weft::isVectorFunction(op) ? "vector" : "element");
  }

  /// The same value by arithmetic; nothing where there is no short form.
  static Value expand(Operation *op, OpBuilder &builder, bool fma) {
    std::optional<int64_t> exponent = smallExponent(op);
    if (isa<math::IPowIOp>(op)) {
      if (!exponent || *exponent < 1)
        return {};
      return power(op->getOperand(0), *exponent, [&](Value left, Value right) -> Value {
        return arith::MulIOp::create(builder, op->getLoc(), left, right);
      });
    }
    auto type = dyn_cast<FloatType>(op->getResult(0).getType());
    if (!type || (type.getWidth() != 32 && type.getWidth() != 64))
      return {};
    Arithmetic arithmetic(builder, op->getLoc(), type, fma);
    if (isa<math::ExpOp>(op))
      return arithmetic.exponential(op->getOperand(0), type.getWidth() == 64 ? exp64 : exp32);
    // As NumPy has it: of minus infinity the power would be infinity, and is NaN.
    if (knownExponent(op) == 0.5)
      return math::SqrtOp::create(builder, op->getLoc(), op->getOperand(0));
    if (std::optional<int64_t> halves = smallHalves(op))
      return arithmetic.powerOfHalves(op->getOperand(0), *halves);
    return exponent ? arithmetic.power(op->getOperand(0), *exponent) : Value();
  }
};

} // namespace
