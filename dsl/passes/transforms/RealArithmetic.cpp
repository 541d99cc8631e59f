//===- RealArithmetic.cpp - straight-line real arithmetic, simplified -------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/transforms/RealArithmetic.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace weft {

Location unnamed(Location location) {
  while (auto name = dyn_cast<NameLoc>(location))
    location = name.getChildLoc();
  return location;
}

Location named(Location location, const llvm::Twine &name) {
  return NameLoc::get(StringAttr::get(location.getContext(), name), unnamed(location));
}

namespace {

std::optional<llvm::APFloat> constantOf(Value value) {
  llvm::APFloat number(0.0);
  if (matchPattern(value, m_ConstantFloat(&number)))
    return number;
  return std::nullopt;
}

} // namespace

Real RealBuilder::constant(long double number, Type type) {
  // One constant serves both signs.
  bool negative = number < 0;
  long double size = negative ? -number : number;
  double rounded = type.isF32() ? static_cast<float>(size) : static_cast<double>(size);
  Value &value = constants[{rounded, const_cast<void *>(type.getAsOpaquePointer())}];
  if (!value) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(body);
    value =
        arith::ConstantOp::create(builder, unnamed(location), builder.getFloatAttr(type, rounded));
  }
  return {value, negative};
}

bool RealBuilder::isZero(Real a) {
  auto number = constantOf(a.value);
  return number && number->isZero();
}

Value RealBuilder::make(Kind kind, Value a, Value b) {
  // Either order, whatever the addresses are: what is shared must not differ from run to run.
  if (kind != Kind::Sub) {
    auto found = made.find({kind, b.getAsOpaquePointer(), a.getAsOpaquePointer()});
    if (found != made.end())
      return found->second;
  }
  Value &value = made[{kind, a.getAsOpaquePointer(), b.getAsOpaquePointer()}];
  if (value)
    return value;
  switch (kind) {
  case Kind::Add:
    return value = arith::AddFOp::create(builder, location, a, b);
  case Kind::Sub:
    return value = arith::SubFOp::create(builder, location, a, b);
  case Kind::Mul:
    return value = arith::MulFOp::create(builder, location, a, b);
  }
  return value;
}

Real RealBuilder::add(Real a, Real b) {
  if (a.negative == b.negative)
    return {make(Kind::Add, a.value, b.value), a.negative};
  if (a.negative)
    return {make(Kind::Sub, b.value, a.value)};
  return {make(Kind::Sub, a.value, b.value)};
}

Real RealBuilder::mul(Real a, Real b) {
  bool negative = a.negative != b.negative;
  auto isFinite = [](Real x) {
    auto number = constantOf(x.value);
    return number && number->isFinite();
  };
  // Zero times a constant is zero; zero times a value may be NaN.
  if (isZero(a) && isFinite(b))
    return a;
  if (isZero(b) && isFinite(a))
    return b;
  for (auto [factor, other] : {std::pair{a, b}, std::pair{b, a}})
    if (auto number = constantOf(factor.value)) {
      if (number->isExactlyValue(1.0))
        return {other.value, negative};
      if (number->isExactlyValue(-1.0))
        return {other.value, !negative};
    }
  return {make(Kind::Mul, a.value, b.value), negative};
}

Value RealBuilder::value(Real a) {
  if (!a.negative)
    return a.value;
  Value &value = negated[a.value.getAsOpaquePointer()];
  if (value)
    return value;
  if (auto number = constantOf(a.value)) {
    number->changeSign();
    return value = arith::ConstantOp::create(builder, unnamed(location),
                                             builder.getFloatAttr(a.value.getType(), *number));
  }
  return value = arith::NegFOp::create(builder, location, a.value);
}

Parts RealBuilder::add(Parts a, Parts b) {
  // The zero part of a real number used as a complex one costs no addition.
  auto part = [&](Real x, Real y) { return isZero(y) ? x : isZero(x) ? y : add(x, y); };
  return {part(a.re, b.re), part(a.im, b.im)};
}

Parts RealBuilder::sub(Parts a, Parts b) { return add(a, Parts{-b.re, -b.im}); }

Parts RealBuilder::mul(Parts a, Parts b) {
  if (isZero(a.im) || isZero(a.re))
    std::swap(a, b);
  if (isZero(b.im))
    return scale(a, b.re);
  if (isZero(b.re))
    return scale(turn(a, 1), b.im);
  // One after the other: the order of arguments is up to the C++ compiler.
  Real reRe = mul(a.re, b.re), imIm = mul(a.im, b.im);
  Real re = sub(reRe, imIm);
  Real reIm = mul(a.re, b.im), imRe = mul(a.im, b.re);
  return {re, add(reIm, imRe)};
}

Parts RealBuilder::turn(Parts a, int64_t quarters) {
  switch ((quarters % 4 + 4) % 4) {
  case 0:
    return a;
  case 1:
    return {-a.im, a.re};
  case 2:
    return {-a.re, -a.im};
  default:
    return {a.im, -a.re};
  }
}

Parts RealBuilder::rotate(Parts a, int64_t exponent, int64_t order, int64_t sign) {
  if (isZero(a.re) && isZero(a.im))
    return a;
  exponent = (exponent % order + order) % order;
  if (4 * exponent % order == 0)
    return turn(a, sign * (4 * exponent / order));
  Type type = a.re.value.getType();
  if (8 * exponent % order == 0) {
    int64_t eighths = sign * (8 * exponent / order);
    Parts turned = turn(a, (eighths - 1) / 2);
    Real half = constant(root(1, 8, 1).real(), type);
    return {mul(sub(turned.re, turned.im), half), mul(add(turned.re, turned.im), half)};
  }
  Exact factor = root(exponent, order, sign);
  return mul(a, Parts{constant(factor.real(), type), constant(factor.imag(), type)});
}

Parts RealBuilder::split(Value value, llvm::StringRef name) {
  if (auto create = value.getDefiningOp<complex::CreateOp>())
    return {{create.getReal()}, {create.getImaginary()}};
  Location re = name.empty() ? location : named(location, name + "_re");
  Location im = name.empty() ? location : named(location, name + "_im");
  return {{complex::ReOp::create(builder, re, value)}, {complex::ImOp::create(builder, im, value)}};
}

Value RealBuilder::join(Parts a) {
  Value re = value(a.re), im = value(a.im);
  return complex::CreateOp::create(builder, location, ComplexType::get(re.getType()), re, im);
}

} // namespace weft
