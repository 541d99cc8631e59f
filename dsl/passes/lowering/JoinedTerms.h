//===- JoinedTerms.h - terms that lie one behind the other ----------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_LOWERING_JOINEDTERMS_H
#define WEFT_PASSES_LOWERING_JOINEDTERMS_H

#include "passes/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace weft {

/// Lets two indices of a sum, a product, a maximum or a minimum be one where all that is read at
/// them lies so: the second one goes through whole rows, and the next row follows. The terms are
/// combined in the same order. A sum over 28 by 28 pixels goes through a row of 784 then, not
/// through 28 that are one and three quarters of a vector.
void joinTerms(mlir::func::FuncOp func);

} // namespace weft

#endif // WEFT_PASSES_LOWERING_JOINEDTERMS_H
