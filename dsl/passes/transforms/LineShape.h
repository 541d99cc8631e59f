//===- LineShape.h - few columns as lines, or beside many -----------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// Vectors lie across columns, neighbours along the last dimension. Where these are few, or leave
// much of a last vector, the dimensions of the same numbers in memory are better others.
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_TRANSFORMS_LINESHAPE_H
#define WEFT_PASSES_TRANSFORMS_LINESHAPE_H

#include "dialect/Target.h"

#include "mlir/IR/BuiltinTypes.h"

namespace weft {

/// The dimensions in which stages along an axis work.
struct LineShape {
  llvm::SmallVector<int64_t> shape;
  int64_t axis = 0;
  /// So many numbers beside each point count as points of its line, as they do behind stages of so
  /// many points: Stockham's stages differ by that alone.
  int64_t beside = 1;
  std::string why; ///< empty where the dimensions stay as they are
};

/// The dimensions for a transform of such a tensor of complex numbers along `axis`, that nothing
/// else is computed with, but for transforms along other axes where it `hasOthers`.
LineShape lineShapeOf(mlir::RankedTensorType type, int64_t axis, bool hasOthers,
                      const Target &target);

/// Of lines along several dimensions, how many lie along one, the most; 1 of a line alone.
int64_t mostAlongOne(llvm::ArrayRef<int64_t> lines);

/// So many numbers at least beside a point of a stage for vectors along them, of so many lines
/// along one dimension: more than a quarter of a vector where the others can be left out, two where
/// lines are too few to be packed.
int64_t fewestBeside(int64_t complexLanes, int64_t lines, const Target &target);

} // namespace weft

#endif // WEFT_PASSES_TRANSFORMS_LINESHAPE_H
