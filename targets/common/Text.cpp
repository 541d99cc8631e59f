//===- Text.cpp - C expressions and literals -===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "targets/common/Text.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringExtras.h"

#include <charconv>
#include <cmath>

using namespace mlir;

namespace weft {

static std::string inParentheses(StringRef text) { return ("(" + text + ")").str(); }

std::string Expr::as(Binding least) const { return binding < least ? inParentheses(text) : text; }

std::string Expr::operand() const {
  std::string inner = as(Binding::Unary);
  return inner.front() == '-' ? inParentheses(inner) : inner;
}

Expr binary(const Expr &left, StringRef op, const Expr &right, Binding binding) {
  // Loose operators do not chain: each operand stands for itself.
  auto stronger = binding == Binding::Loose     ? Binding::Unary
                  : binding == Binding::Product ? Binding::Unary
                                                : Binding::Product;
  Binding leftLeast = binding == Binding::Loose ? Binding::Unary : binding;
  return {left.as(leftLeast) + " " + op.str() + " " + right.as(stronger), binding};
}

Expr unary(StringRef op, const Expr &value) {
  return {(op + Twine(value.operand())).str(), Binding::Unary};
}

Expr call(StringRef function, ArrayRef<Expr> arguments) {
  std::string text = function.str() + "(";
  llvm::interleave(
      arguments, [&](const Expr &argument) { text += argument.text; }, [&] { text += ", "; });
  return {text + ")", Binding::Primary};
}

template <typename Float> static std::string shortest(Float value) {
  // The fewest digits from which the same value is read back.
  char digits[64];
  auto end = std::to_chars(digits, digits + sizeof(digits), value).ptr;
  std::string text(digits, end);
  return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

static Expr floatLiteral(Type type, const APFloat &value) {
  if (value.isNaN())
    return {"NAN", Binding::Primary};
  if (value.isInfinity())
    return value.isNegative() ? Expr{"-INFINITY", Binding::Unary}
                              : Expr{"INFINITY", Binding::Primary};
  std::string text =
      type.isF32() ? shortest(value.convertToFloat()) + "f" : shortest(value.convertToDouble());
  return {text, value.isNegative() ? Binding::Unary : Binding::Primary};
}

Expr literal(int64_t value) {
  if (value == INT64_MIN)
    return {"INT64_MIN", Binding::Primary};
  if (value == INT32_MIN)
    return {"INT32_MIN", Binding::Primary};
  return {std::to_string(value), value < 0 ? Binding::Unary : Binding::Primary};
}

Expr literal(Type type, Attribute value) {
  if (auto number = dyn_cast<FloatAttr>(value))
    return floatLiteral(type, number.getValue());
  const APInt &number = cast<IntegerAttr>(value).getValue();
  if (type.isInteger(1))
    return {number.isZero() ? "false" : "true", Binding::Primary};
  return literal(number.getSExtValue());
}

StringRef scalarType(Type type) {
  if (type.isF64())
    return "double";
  if (type.isF32())
    return "float";
  if (type.isIndex())
    return "ptrdiff_t";
  if (type.isInteger(1))
    return "bool";
  if (type.isInteger(32))
    return "int32_t";
  if (type.isInteger(64))
    return "int64_t";
  return "";
}

int64_t elementBytes(Type type) {
  return type.isInteger(1) ? 1 : type.isIndex() ? 8 : type.getIntOrFloatBitWidth() / 8;
}

} // namespace weft
