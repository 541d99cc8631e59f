//===- LocalSum.h - sums where their elements are -----------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_MESH_LOCALSUM_H
#define WEFT_PASSES_MESH_LOCALSUM_H

#include "passes/mesh/SpreadLayout.h"

namespace weft {

/// A sum over an array that the cores keep: places of what each of them adds.
struct LocalSum {
  std::vector<std::vector<int32_t>> places;
  int64_t most = 0;
  llvm::DenseMap<mlir::Operation *, int64_t> beside; ///< of each load, how far from its place

  /// Of each core, for the places and how many they are.
  int64_t bytes() const { return (most + 1) * 4; }
};

/// Who adds what of a sum that the cores share out: each iteration is of the core that has its
/// elements. Nothing where one takes elements of several cores or of another array, or uses its
/// index otherwise, or where a core's list takes more than so many bytes.
std::optional<LocalSum> localSumOf(mlir::affine::AffineForOp shared, const SpreadLayout &layout,
                                   int64_t mostBytes);

/// Each core adds what it has of `source`, by a list of the places, which it has before `around`
/// begins, if that is given, else each time. The loop that takes the place of the one given.
mlir::affine::AffineForOp addWhereTheyAre(mlir::affine::AffineForOp shared, mlir::Value source,
                                          const Mesh &mesh, const LocalSum &local,
                                          mlir::affine::AffineForOp around);

} // namespace weft

#endif // WEFT_PASSES_MESH_LOCALSUM_H
