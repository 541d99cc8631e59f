//===- ComplexFunctions.h - complex functions by real ones ---------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Without branches, so that they stay vectorisable. Large and small arguments are
// scaled where NumPy scales them; infinities and NaN propagate.
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_TRANSFORMS_COMPLEXFUNCTIONS_H
#define WEFT_PASSES_TRANSFORMS_COMPLEXFUNCTIONS_H

#include "passes/transforms/RealArithmetic.h"

namespace weft {

/// What the functions build with; `arithmetic` and `builder` insert at one place.
struct FunctionBuilder {
  mlir::OpBuilder &builder;
  RealBuilder &arithmetic;
  mlir::Location location;

  /// Smith's quotient: no overflow where the quotient has none.
  Parts divide(Parts a, Parts b);
  Real abs(Parts a);
  Parts exp(Parts a);
  Parts sqrt(Parts a);
  Parts log(Parts a);
  Parts sin(Parts a);
  Parts cos(Parts a);
  Parts tanh(Parts a);
  Real angle(Parts a);
  /// Infinity in a number's type.
  Real infinityLike(Real number);
};

} // namespace weft

#endif // WEFT_PASSES_TRANSFORMS_COMPLEXFUNCTIONS_H
