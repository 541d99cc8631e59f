//===- FmaForms.h - products and sums in one rounding --------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_TRANSFORMS_FMAFORMS_H
#define WEFT_PASSES_TRANSFORMS_FMAFORMS_H

#include "mlir/Dialect/Affine/IR/AffineOps.h"

namespace weft {

/// Turns additions and subtractions of products into `math.fma` where the product
/// then disappears: each of its uses must be such an addition. Subtractions get an
/// `arith.negf` of a factor or of the addend, for the emitter to take in.
void formFma(mlir::Region &region);

/// The same of sums that a loop carries: what it adds in each iteration, where that is a product.
void formCarriedFma(mlir::affine::AffineForOp loop);

} // namespace weft

#endif // WEFT_PASSES_TRANSFORMS_FMAFORMS_H
