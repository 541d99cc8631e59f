//===- Places.h - the elements that accesses touch ------------------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_LOOPS_PLACES_H
#define WEFT_PASSES_LOOPS_PLACES_H

#include "passes/loops/AccessPattern.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace weft {

/// The elements that an access touches in all turns of the loops around it, but for what other
/// values add to its address.
struct Places {
  struct Loop {
    int64_t turns = 1;
    int64_t stride = 0; ///< elements from one turn to the next
  };
  mlir::AffineExpr elsewhere;    ///< what other values add
  int64_t start = 0;             ///< with all loops at their lower bounds
  int64_t width = 1;             ///< elements at a time
  llvm::SmallVector<Loop> loops; ///< outermost first
  unsigned shared = 0;           ///< of these loops: around other accesses as well

  int64_t turns() const;
  /// The first element of all.
  int64_t least() const;
  /// Calls `visit(turn of the shared loops, first element)` for all turns; false as soon as it is.
  bool all(llvm::function_ref<bool(int64_t, int64_t)> visit) const;
};

/// Of the loops between an access and the block `home`, those around the block `shared` being
/// shared; nothing where some of them have no known turns.
std::optional<Places> placesOf(const Access &access, mlir::Block *home, mlir::Block *shared,
                               AddressSpace &space);

/// The address of an access as the factors of the values of the space, and a constant behind them;
/// nothing where it is not linear.
std::optional<llvm::SmallVector<int64_t>> factorsOf(const Access &access,
                                                    const AddressSpace &space);

/// What values with these factors add to an address; the constant counts as nothing.
mlir::AffineExpr sumOf(llvm::ArrayRef<int64_t> factors, mlir::MLIRContext *context);

} // namespace weft

#endif // WEFT_PASSES_LOOPS_PLACES_H
