//===- Text.h - C expressions and literals -===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_TARGETS_COMMON_TEXT_H
#define WEFT_TARGETS_COMMON_TEXT_H

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace weft {

/// How strongly a C expression holds together; a weaker one is put in parentheses
/// where a stronger one is needed. Operators whose mixture compilers warn about
/// (shifts, comparisons, bitwise) are all `Loose`.
enum class Binding { Conditional, Loose, Sum, Product, Unary, Primary };

struct Expr {
  std::string text;
  Binding binding = Binding::Primary;

  /// The text, in parentheses where it binds less than `least`.
  std::string as(Binding least) const;
  /// As the operand of a unary operator or a cast.
  std::string operand() const;
};

/// `left op right` for an operator that groups from the left.
Expr binary(const Expr &left, llvm::StringRef op, const Expr &right, Binding binding);
Expr unary(llvm::StringRef op, const Expr &value);
Expr call(llvm::StringRef function, llvm::ArrayRef<Expr> arguments);

/// A number as C writes it, exactly: reading it gives the same value.
Expr literal(mlir::Type type, mlir::Attribute value);
Expr literal(int64_t value);

/// The C type of a scalar; empty where there is none.
llvm::StringRef scalarType(mlir::Type type);
/// Bytes of an element in memory.
int64_t elementBytes(mlir::Type type);

} // namespace weft

#endif // WEFT_TARGETS_COMMON_TEXT_H
