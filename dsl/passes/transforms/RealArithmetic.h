//===- RealArithmetic.h - straight-line real arithmetic, simplified -*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Builds real arithmetic so that it is simple from the start: signs are carried
// beside values and end in the choice between addition and subtraction,
// multiplications by 1, -1, i and their like are free, equal expressions are one
// value. x * 0 is not folded: it may be NaN.
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_TRANSFORMS_REALARITHMETIC_H
#define WEFT_PASSES_TRANSFORMS_REALARITHMETIC_H

#include "passes/transforms/Roots.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Value.h"

#include <map>
#include <optional>
#include <tuple>

namespace weft {

/// A real value or its negation. The negation costs nothing until `value` is
/// asked for it.
struct Real {
  mlir::Value value;
  bool negative = false;

  Real operator-() const { return {value, !negative}; }
};

/// A complex value as two real ones.
struct Parts {
  Real re, im;
};

class RealBuilder {
public:
  /// Builds at the insertion point of `builder`; constants go to the front of `body`.
  RealBuilder(mlir::OpBuilder &builder, mlir::Location location, mlir::Block *body)
      : builder(builder), location(location), body(body) {}

  void setLocation(mlir::Location newLocation) { location = newLocation; }

  Real constant(long double number, mlir::Type type);
  Real add(Real a, Real b);
  Real sub(Real a, Real b) { return add(a, -b); }
  Real mul(Real a, Real b);
  /// The value itself, negated by an op where needed.
  mlir::Value value(Real a);

  Parts add(Parts a, Parts b);
  Parts sub(Parts a, Parts b);
  Parts mul(Parts a, Parts b);
  Parts scale(Parts a, Real factor) { return {mul(a.re, factor), mul(a.im, factor)}; }
  /// a * i^quarters
  static Parts turn(Parts a, int64_t quarters);
  /// a * exp(sign*2*pi*i*exponent/order), with fewer operations for eighths of a turn.
  Parts rotate(Parts a, int64_t exponent, int64_t order, int64_t sign);
  /// Real and imaginary part of a complex value, named `name`_re and `name`_im.
  Parts split(mlir::Value value, llvm::StringRef name = "");
  mlir::Value join(Parts a);

  /// True where `a` is the literal zero of a real number used as a complex one.
  static bool isZero(Real a);

private:
  enum class Kind { Add, Sub, Mul };
  mlir::Value make(Kind kind, mlir::Value a, mlir::Value b);

  mlir::OpBuilder &builder;
  mlir::Location location;
  mlir::Block *body;
  std::map<std::tuple<Kind, void *, void *>, mlir::Value> made;
  std::map<void *, mlir::Value> negated;
  std::map<std::pair<double, void *>, mlir::Value> constants;
};

/// `location` under a name of its own: the emitted C calls the value so.
mlir::Location named(mlir::Location location, const llvm::Twine &name);
/// `location` without the name of a value.
mlir::Location unnamed(mlir::Location location);

} // namespace weft

#endif // WEFT_PASSES_TRANSFORMS_REALARITHMETIC_H
