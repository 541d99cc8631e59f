//===- ComplexFunctions.cpp - complex functions by real ones ----------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/transforms/ComplexFunctions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;

namespace weft {
namespace {

/// Short forms of the ops that the formulas below are made of.
struct Ops {
  explicit Ops(FunctionBuilder &f) : f(f) {}
  FunctionBuilder &f;

  Value operator()(Real a) { return f.arithmetic.value(a); }
  template <typename Op> Real unary(Real a) {
    return {Op::create(f.builder, f.location, (*this)(a))};
  }
  Real divide(Real a, Real b) {
    Value first = (*this)(a), second = (*this)(b);
    return {arith::DivFOp::create(f.builder, f.location, first, second)};
  }
  Value compare(arith::CmpFPredicate predicate, Real a, Real b) {
    Value first = (*this)(a), second = (*this)(b);
    return arith::CmpFOp::create(f.builder, f.location, predicate, first, second);
  }
  Real select(Value condition, Real a, Real b) {
    Value first = (*this)(a), second = (*this)(b);
    return {arith::SelectOp::create(f.builder, f.location, condition, first, second)};
  }
  Real constant(long double number, Real like) {
    return f.arithmetic.constant(number, like.value.getType());
  }
};

} // namespace

Real FunctionBuilder::infinityLike(Real number) {
  auto type = cast<FloatType>(number.value.getType());
  llvm::APFloat infinity = llvm::APFloat::getInf(type.getFloatSemantics());
  return {arith::ConstantOp::create(builder, location, builder.getFloatAttr(type, infinity))};
}

Parts FunctionBuilder::divide(Parts a, Parts b) {
  Ops ops(*this);
  if (RealBuilder::isZero(b.im))
    return {ops.divide(a.re, b.re), ops.divide(a.im, b.re)};
  // The larger part of b is divided by; where the imaginary part is larger, a and b
  // change their parts, and the imaginary part of the quotient its sign.
  Real zero = ops.constant(0, b.re);
  Real sizeRe = ops.unary<math::AbsFOp>(b.re), sizeIm = ops.unary<math::AbsFOp>(b.im);
  Value straight = ops.compare(arith::CmpFPredicate::OGE, sizeRe, sizeIm);
  Real large = ops.select(straight, b.re, b.im), small = ops.select(straight, b.im, b.re);
  Real x = ops.select(straight, a.re, a.im), y = ops.select(straight, a.im, a.re);
  Value isZero = ops.compare(arith::CmpFPredicate::OEQ, large, zero);
  Real ratio = ops.select(isZero, zero, ops.divide(small, large));
  Real divisor = arithmetic.add(large, arithmetic.mul(small, ratio));
  Real re = arithmetic.add(x, arithmetic.mul(y, ratio));
  Real im = arithmetic.sub(y, arithmetic.mul(x, ratio));
  return {ops.divide(re, divisor), ops.divide(ops.select(straight, im, -im), divisor)};
}

Real FunctionBuilder::abs(Parts a) {
  Ops ops(*this);
  Real re = ops.unary<math::AbsFOp>(a.re);
  if (RealBuilder::isZero(a.im))
    return re;
  Real im = ops.unary<math::AbsFOp>(a.im);
  Real large = {arith::MaximumFOp::create(builder, location, re.value, im.value)};
  Real small = {arith::MinimumFOp::create(builder, location, re.value, im.value)};
  // 0/0 and inf/inf would be NaN; then the larger part is the answer, and with an
  // infinite part it is infinity.
  Real infinity = infinityLike(large);
  Value isZero = ops.compare(arith::CmpFPredicate::OEQ, large, ops.constant(0, large));
  Value isInfinite = ops.compare(arith::CmpFPredicate::OEQ, large, infinity);
  Value plain = arith::OrIOp::create(builder, location, isZero, isInfinite);
  Real ratio = ops.divide(small, large);
  Real square = arithmetic.mul(ratio, ratio);
  Real root = ops.unary<math::SqrtOp>(arithmetic.add(square, ops.constant(1, large)));
  return ops.select(plain, large, arithmetic.mul(large, root));
}

Parts FunctionBuilder::exp(Parts a) {
  Ops ops(*this);
  if (RealBuilder::isZero(a.im))
    return {ops.unary<math::ExpOp>(a.re), a.im};
  Parts circle = {ops.unary<math::CosOp>(a.im), ops.unary<math::SinOp>(a.im)};
  if (RealBuilder::isZero(a.re))
    return circle;
  return arithmetic.scale(circle, ops.unary<math::ExpOp>(a.re));
}

Parts FunctionBuilder::sqrt(Parts a) {
  Ops ops(*this);
  Real zero = ops.constant(0, a.re), half = ops.constant(0.5L, a.re);
  // The part without cancellation first; halves are taken before the sum can overflow.
  Real size = arithmetic.mul(abs(a), half);
  Real re = ops.unary<math::AbsFOp>(a.re);
  Real main = ops.unary<math::SqrtOp>(arithmetic.add(size, arithmetic.mul(re, half)));
  Value isZero = ops.compare(arith::CmpFPredicate::OEQ, main, zero);
  Real other = ops.select(isZero, a.im, ops.divide(arithmetic.mul(a.im, half), main));
  Value right = ops.compare(arith::CmpFPredicate::OGE, a.re, zero);
  Real mirrored = {math::CopySignOp::create(builder, location, main.value, ops(a.im))};
  return {ops.select(right, main, ops.unary<math::AbsFOp>(other)),
          ops.select(right, other, mirrored)};
}

Parts FunctionBuilder::log(Parts a) {
  Ops ops(*this);
  // log(large) + log(1 + (small/large)^2) / 2: neither is lost near 1, and none overflows.
  Real re = ops.unary<math::AbsFOp>(a.re), im = ops.unary<math::AbsFOp>(a.im);
  Real large = {arith::MaximumFOp::create(builder, location, re.value, im.value)};
  Real small = {arith::MinimumFOp::create(builder, location, re.value, im.value)};
  Real zero = ops.constant(0, large), half = ops.constant(0.5L, large);
  Real infinity = infinityLike(large);
  Value isZero = ops.compare(arith::CmpFPredicate::OEQ, large, zero);
  Real ratio = ops.select(isZero, zero, ops.divide(small, large));
  Real rest = arithmetic.mul(ops.unary<math::Log1pOp>(arithmetic.mul(ratio, ratio)), half);
  Real sum = arithmetic.add(ops.unary<math::LogOp>(large), rest);
  // Infinite where a part is, whatever the other one is.
  Value isInfinite =
      arith::OrIOp::create(builder, location, ops.compare(arith::CmpFPredicate::OEQ, re, infinity),
                           ops.compare(arith::CmpFPredicate::OEQ, im, infinity));
  return {ops.select(isInfinite, infinity, sum), angle(a)};
}

Parts FunctionBuilder::sin(Parts a) {
  Ops ops(*this);
  Real sin = ops.unary<math::SinOp>(a.re), cosh = ops.unary<math::CoshOp>(a.im);
  Real cos = ops.unary<math::CosOp>(a.re), sinh = ops.unary<math::SinhOp>(a.im);
  return {arithmetic.mul(sin, cosh), arithmetic.mul(cos, sinh)};
}

Parts FunctionBuilder::cos(Parts a) {
  Ops ops(*this);
  Real cos = ops.unary<math::CosOp>(a.re), cosh = ops.unary<math::CoshOp>(a.im);
  Real sin = ops.unary<math::SinOp>(a.re), sinh = ops.unary<math::SinhOp>(a.im);
  return {arithmetic.mul(cos, cosh), -arithmetic.mul(sin, sinh)};
}

Parts FunctionBuilder::tanh(Parts a) {
  Ops ops(*this);
  // Both parts over cos(y)^2 + tanh(x)^2 sin(y)^2, which is not zero but at the poles. That cosh
  // is infinite for large x is right: the imaginary part is then zero.
  Real tanh = ops.unary<math::TanhOp>(a.re), cosh = ops.unary<math::CoshOp>(a.re);
  Real cos = ops.unary<math::CosOp>(a.im), sin = ops.unary<math::SinOp>(a.im);
  Real far = arithmetic.mul(tanh, sin);
  Real divisor = arithmetic.add(arithmetic.mul(cos, cos), arithmetic.mul(far, far));
  Real im = ops.divide(ops.divide(arithmetic.mul(sin, cos), cosh), cosh);
  // One or minus one at infinity, whatever the other part is.
  Value isInfinite =
      ops.compare(arith::CmpFPredicate::OEQ, ops.unary<math::AbsFOp>(a.re), infinityLike(a.re));
  return {ops.select(isInfinite, tanh, ops.divide(tanh, divisor)),
          ops.select(isInfinite, ops.constant(0, a.re), ops.divide(im, divisor))};
}

Real FunctionBuilder::angle(Parts a) {
  Ops ops(*this);
  return {math::Atan2Op::create(builder, location, ops(a.im), ops(a.re))};
}

} // namespace weft
