//===- OneFactor.h - products of a tensor with itself ---------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_CONTRACTIONS_ONEFACTOR_H
#define WEFT_PASSES_CONTRACTIONS_ONEFACTOR_H

#include "passes/contractions/Contraction.h"

namespace weft {

/// Whether one tensor is both factors.
bool isOfOneFactor(const Contraction &contraction);

/// What is both factors, and computed here, has no layout that suits both: columns have a copy.
void copyForColumns(mlir::OpBuilder &builder, const Contraction &contraction);

} // namespace weft

#endif // WEFT_PASSES_CONTRACTIONS_ONEFACTOR_H
