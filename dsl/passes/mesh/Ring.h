//===- Ring.h - cores that have rows of fields, one next to the other -*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_MESH_RING_H
#define WEFT_PASSES_MESH_RING_H

#include "mlir/IR/AffineExpr.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace weft {

/// A mark of loops over the cores of a ring: how many columns of the mesh it takes.
inline constexpr llvm::StringLiteral ringMark = "weft.ring";

/// Bytes of a message: a register. Rows of a field begin at a multiple of them.
inline constexpr int64_t messageBytes = 32;

/// Cores in a line that goes along the first row of the mesh, back along the second, and so on:
/// each is in one row or one column with the next, and in a ring the last is so with the first.
/// Each has as many rows of a field; where they do not divide it, some rows lie with two cores.
struct Ring {
  int64_t rows = 0;    ///< of the field
  int64_t own = 0;     ///< of each core
  int64_t cores = 0;   ///< one at least
  int64_t columns = 0; ///< of the mesh that it takes

  /// The first row of a core, by its place in the ring.
  mlir::AffineExpr startOf(mlir::AffineExpr place) const;
  int64_t startOf(int64_t place) const;
  /// Whether each row lies with one core alone.
  bool isExact() const { return cores * own == rows; }
};

/// What a ring has to fit.
struct RingDemand {
  int64_t rows = 0;
  int64_t reach = 0;   ///< rows that a core needs of a neighbour, at most
  bool closed = false; ///< the last and the first core are neighbours
  int64_t even = 0; ///< if not 0: a multiple of so many rows with each core, and none with two, is
                    ///< worth up to twice as many
};

/// That with the fewest rows of a core, and of these the one with the fewest cores; nothing where
/// none fits.
std::optional<Ring> ringFor(const RingDemand &demand, int64_t meshRows, int64_t meshColumns);

} // namespace weft

#endif // WEFT_PASSES_MESH_RING_H
