//===- FixedInputs.h - what depends on inputs that stay the same ---*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_TENSORS_FIXEDINPUTS_H
#define WEFT_PASSES_TENSORS_FIXEDINPUTS_H

#include "passes/Passes.h"

namespace weft {

/// A mark of arguments of the entry that have the same elements in every call.
inline constexpr llvm::StringLiteral fixedMark = "weft.fixed";

/// Which part of the entry is wanted where arguments are fixed: what is computed of them alone,
/// `prepare`, or the rest, `run`.
inline constexpr llvm::StringLiteral partMark = "weft.part";

enum class Dependence { Nothing, Fixed, Call };

/// What the values of a function's body depend on.
class FixedInputs {
public:
  Dependence of(mlir::Value value);
  Dependence of(mlir::Operation *op);

private:
  llvm::DenseMap<mlir::Value, Dependence> known;
};

/// Whether a value depends on fixed inputs alone: it is computed once, not in each call.
bool isFixed(mlir::Value value);

} // namespace weft

#endif // WEFT_PASSES_TENSORS_FIXEDINPUTS_H
