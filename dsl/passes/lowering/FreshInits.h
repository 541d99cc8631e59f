//===- FreshInits.h - constants that several ops go on with --------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_LOWERING_FRESHINITS_H
#define WEFT_PASSES_LOWERING_FRESHINITS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace weft {

/// Makes what maps fill with constants anew for each map that goes on with it, right before it, as
/// the border of zeros around the images of two convolutions: each may then lie in the memory of
/// what goes on, and be made by the same loops, where one for both is copied.
void makeInitsFresh(mlir::func::FuncOp function);

} // namespace weft

#endif // WEFT_PASSES_LOWERING_FRESHINITS_H
