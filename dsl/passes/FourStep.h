//===- FourStep.h - which lines are columns and lines of a matrix ---*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_FOURSTEP_H
#define WEFT_PASSES_FOURSTEP_H

#include "dialect/Target.h"
#include "dialect/Weft.h"

#include <optional>

namespace weft {

/// What `four-step` makes of a transform of lines that are long enough.
struct FourSteps {
  int64_t points = 1, bytes = 0; ///< of a line
  int64_t least = 0;             ///< bytes of a line that goes so
  llvm::StringRef key;           ///< of the machine's table, which says from how many on
  int64_t lanes = 1;             ///< of a vector of parts
  /// Rows of the matrix; nothing where the length has no such factors.
  std::optional<int64_t> rows;
};

/// Nothing where the lines are short, or not contiguous, or radices are given.
std::optional<FourSteps> fourStepsOf(DftOp op, const Target &target);

} // namespace weft

#endif // WEFT_PASSES_FOURSTEP_H
