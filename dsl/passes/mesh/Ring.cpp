//===- Ring.cpp - cores that have rows of fields, one next to the other -----===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/mesh/Ring.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace weft {

AffineExpr Ring::startOf(AffineExpr place) const {
  if (cores == 1)
    return getAffineConstantExpr(0, place.getContext());
  return isExact() ? place * own : (place * (rows - own)).floorDiv(cores - 1);
}

int64_t Ring::startOf(int64_t place) const {
  return cores == 1 ? 0 : place * (rows - own) / (cores - 1);
}

/// The columns of the mesh that a line of cores takes, or 0 where no such line is there.
static int64_t columnsOf(int64_t cores, bool closed, int64_t meshRows, int64_t meshColumns) {
  if (!closed)
    return cores <= meshRows * meshColumns ? meshColumns : 0;
  if (cores <= meshColumns)
    return cores;
  // Back to the first column at the end of an even number of rows.
  for (int64_t columns = meshColumns; columns > 0; --columns)
    if (cores % columns == 0 && cores / columns <= meshRows && cores / columns % 2 == 0)
      return columns;
  return 0;
}

/// The ring of so many rows of each core that has the fewest cores; nothing where there is none.
static std::optional<Ring> ringOf(int64_t own, const RingDemand &demand, int64_t meshRows,
                                  int64_t meshColumns) {
  int64_t all = meshRows * meshColumns;
  for (int64_t cores = std::max<int64_t>(2, llvm::divideCeil(demand.rows, own));
       cores <= all && (demand.rows - own) / (cores - 1) >= std::max<int64_t>(1, demand.reach);
       ++cores) {
    int64_t columns = columnsOf(cores, demand.closed, meshRows, meshColumns);
    if (columns != 0)
      return Ring{demand.rows, own, cores, columns};
  }
  return std::nullopt;
}

std::optional<Ring> ringFor(const RingDemand &demand, int64_t meshRows, int64_t meshColumns) {
  std::optional<Ring> found;
  for (int64_t own = std::max<int64_t>(1, demand.reach); !found && 2 * own <= demand.rows; ++own)
    found = ringOf(own, demand, meshRows, meshColumns);
  if (!found || demand.even == 0)
    return found;
  for (int64_t own = found->own; own <= 2 * found->own && 2 * own <= demand.rows; ++own) {
    if (own % demand.even != 0 || demand.rows % own != 0)
      continue;
    std::optional<Ring> ring = ringOf(own, demand, meshRows, meshColumns);
    if (ring && ring->isExact())
      return ring;
  }
  return found;
}

} // namespace weft
