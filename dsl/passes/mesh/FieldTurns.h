//===- FieldTurns.h - fields that take turns in memory ----------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_MESH_FIELDTURNS_H
#define WEFT_PASSES_MESH_FIELDTURNS_H

#include "passes/mesh/Fields.h"

#include "llvm/ADT/SmallPtrSet.h"

namespace weft {

/// Copies at the end of a step that need not be: whose memory is whose changes instead.
struct FieldTurns {
  llvm::SmallPtrSet<mlir::Operation *, 4> copies; ///< nests that only copy
  /// A name, and whose memory is its own in the next step.
  llvm::SmallVector<std::pair<mlir::Value, mlir::Value>> next;
  int64_t period = 1; ///< steps until all are in their own memory again
};

/// Those of a loop over time; fields that take turns have room for the same halos then.
FieldTurns takeTurns(Fields &fields);

} // namespace weft

#endif // WEFT_PASSES_MESH_FIELDTURNS_H
