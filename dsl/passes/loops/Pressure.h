//===- Pressure.h - vectors that a body keeps at a time ------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_LOOPS_PRESSURE_H
#define WEFT_PASSES_LOOPS_PRESSURE_H

#include "mlir/IR/Block.h"

#include <cstdint>

namespace weft {

/// Vectors of an innermost body.
struct Pressure {
  int64_t within = 0;   ///< values of one iteration alive at the same time, at most
  int64_t outside = 0;  ///< values from outside that every iteration needs
  int64_t distinct = 0; ///< the same, of constants that are equal one

  /// Values that a body has no register for.
  int64_t spills(int64_t registers) const {
    return std::max<int64_t>(within + distinct - registers, 0);
  }
};

/// In the order in which the operations stand.
Pressure pressureOf(mlir::Block &body);

} // namespace weft

#endif // WEFT_PASSES_LOOPS_PRESSURE_H
