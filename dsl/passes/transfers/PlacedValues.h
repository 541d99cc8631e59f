//===- PlacedValues.h - values that a schedule wants in the LDM ----*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_TRANSFERS_PLACEDVALUES_H
#define WEFT_PASSES_TRANSFERS_PLACEDVALUES_H

#include "dialect/Cpe.h"
#include "passes/Directives.h"
#include "passes/transfers/Footprint.h"

namespace weft {

/// `place a, b in ldm`: cores work on these values in their own memory, never word by word in main
/// memory; `double_buffered`: and what they fetch of them comes in parts, the next while the cores
/// work on one. `place a in cache`, on a CPU: as a slice at a time, where the whole is larger.
class PlacedValues {
public:
  explicit PlacedValues(mlir::func::FuncOp func) : directives(directivesOf(func, "place")) {}

  /// Whether some of what a piece fetches shall come in parts.
  bool wantParts(const FootprintAnalysis &analysis) const;
  /// An error where the cores' program does otherwise.
  mlir::LogicalResult areKept(cpe::CoresOp cores) const;
  /// An error where they are wanted in a memory that the target has not.
  mlir::LogicalResult areIn(llvm::StringRef memory, mlir::func::FuncOp func) const;
  /// An error where an array is larger than a cache.
  mlir::LogicalResult areInCache(int64_t cacheBytes, mlir::func::FuncOp func) const;
  /// The directive about an array, by the name of its value.
  const Directive *of(mlir::Value array) const;

private:
  std::vector<Directive> directives;
};

} // namespace weft

#endif // WEFT_PASSES_TRANSFERS_PLACEDVALUES_H
