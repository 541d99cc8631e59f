//===- PackedPanels.h - a factor's columns as panels --------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_CONTRACTIONS_PACKEDPANELS_H
#define WEFT_PASSES_CONTRACTIONS_PACKEDPANELS_H

#include "passes/Passes.h"

namespace weft {

/// `source`, [b, term, column] or, with the terms last, [b, column, term], as [b, panel, term,
/// column of panel] of panels of a width; what fills the last vector of `lanes` is zeros.
mlir::Value packedInPanels(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value source,
                           bool termsLast, int64_t width, int64_t lanes);

} // namespace weft

#endif // WEFT_PASSES_CONTRACTIONS_PACKEDPANELS_H
