//===- Stages.h - the ops of one transform --------------------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_TRANSFORMS_STAGES_H
#define WEFT_PASSES_TRANSFORMS_STAGES_H

#include "dialect/Weft.h"

#include "mlir/IR/Builders.h"

#include <optional>

namespace weft {

/// Makes the ops that stand for one `weft.dft`. All carry `weft.group`, the number
/// of the transform, and `weft.lines`, its axis: whoever tiles them keeps a line of
/// the group together. Where a tensor has more than one dimension in place of the
/// axis, `weft.inner` (of the result) and `weft.inner_in` (of what is read) say how
/// many.
struct Chain {
  mlir::OpBuilder &builder;
  mlir::Location location;
  int64_t group;
  int64_t axis;

  void mark(mlir::Operation *op, int64_t inner = 1, int64_t innerIn = 1) const;
  mlir::Value stage(mlir::Value input, int64_t radix, int64_t done, int64_t sign,
                    std::optional<double> scale, int64_t inner = 1, bool coprime = false) const;
  mlir::Value scaled(mlir::Value input, double scale) const;
};

} // namespace weft

#endif // WEFT_PASSES_TRANSFORMS_STAGES_H
