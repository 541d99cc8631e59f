//===- Elementwise.h - maps that compute point by point ------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_TENSORS_ELEMENTWISE_H
#define WEFT_PASSES_TENSORS_ELEMENTWISE_H

#include "passes/Passes.h"

namespace weft {

/// Whether an op computes one number of others, and nothing else: it has a form that takes the
/// elements of vectors at once. Not where indices become numbers.
bool isElementwise(mlir::Operation &op);

/// Whether vectors of every target have it, lane by lane, where they have its types: arithmetic and
/// masks. Not functions of the C library, nor conversions of numbers, which depend on the target.
bool isLanewise(mlir::Operation *op);

/// Whether it is a function, or a division of integers of 32 bits, of which targets with
/// `vector_functions` have a form for vectors.
bool isVectorFunction(mlir::Operation *op);

/// Whether a map yields one element a point, made of what it reads there by arithmetic alone; of
/// the result of `sum` as well, where one is given.
bool isElementwise(MapOp map, mlir::Operation *sum = nullptr);

/// No arithmetic at all: copies, slices, transposes.
bool isFree(MapOp map);

/// A map with one result, one store that permutes the point's indices, no init, and
/// a domain that starts at zero: its element at an index can be computed anywhere.
bool isPointwise(MapOp map);

/// Whether all that a map does is to compute with the sum, in numbers of its type: in registers,
/// before a panel is stored.
bool worksOnSums(MapOp map, ReduceOp sum);

} // namespace weft

#endif // WEFT_PASSES_TENSORS_ELEMENTWISE_H
