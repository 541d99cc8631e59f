//===- IndexForm.h - index expressions, linearised -===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_TARGETS_COMMON_INDEXFORM_H
#define WEFT_TARGETS_COMMON_INDEXFORM_H

#include "targets/common/Text.h"

#include "mlir/IR/AffineExpr.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace weft {

/// The values that an index may take, both ends included: multiples of a number.
struct Range {
  int64_t low = INT64_MIN / 4, high = INT64_MAX / 4;
  int64_t multiple = 1;
};

/// An index as a sum of terms and a constant, so that equal terms meet, constants fold
/// and divisions vanish where the ranges of loop variables allow it.
class IndexForm {
public:
  IndexForm(int64_t constant = 0) : constant(constant) {}
  static IndexForm atom(Expr text, Range range);

  /// The form of an affine expression over operands whose forms are known.
  static IndexForm of(mlir::AffineExpr expr, llvm::ArrayRef<IndexForm> dims,
                      llvm::ArrayRef<IndexForm> symbols);

  IndexForm plus(const IndexForm &other) const;
  IndexForm times(int64_t factor) const;
  IndexForm floorDividedBy(int64_t divisor) const;
  IndexForm modulo(int64_t divisor) const;

  std::optional<int64_t> asConstant() const;
  Range range() const;
  bool isMultipleOf(int64_t number) const;
  /// Whether it falls, or wraps around, where a variable rises.
  bool goesBack() const;
  /// The constant that is added, and the text of all else.
  std::pair<std::string, int64_t> apart() const;
  /// As C, nested by common factors, a constant last: (i*64 + j)*2 + 1.
  Expr text() const;

private:
  struct Term {
    Expr atom;
    Range range;
    int64_t factor;
  };
  /// The part whose factors are multiples of `divisor`, divided by it, and the rest.
  std::pair<IndexForm, IndexForm> split(int64_t divisor) const;

  std::vector<Term> terms;
  int64_t constant;
};

} // namespace weft

#endif // WEFT_TARGETS_COMMON_INDEXFORM_H
