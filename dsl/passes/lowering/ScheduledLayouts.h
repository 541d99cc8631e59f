//===- ScheduledLayouts.h - complex numbers as a schedule wants them -*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_LOWERING_SCHEDULEDLAYOUTS_H
#define WEFT_PASSES_LOWERING_SCHEDULEDLAYOUTS_H

#include "passes/Directives.h"
#include "passes/lowering/Memories.h"

namespace weft {

/// Asks for what `layout a as split` says: rows of real parts, each with a row of imaginary parts
/// behind it; or `interleaved`: pairs, as NumPy has them. An error where others than the loops of
/// this function see the memory: its callers, exchanges, or values of another shape.
mlir::LogicalResult askLayouts(mlir::func::FuncOp func, Memories &memories);

} // namespace weft

#endif // WEFT_PASSES_LOWERING_SCHEDULEDLAYOUTS_H
