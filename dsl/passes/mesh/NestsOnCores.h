//===- NestsOnCores.h - which nests pay for the cores -------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_MESH_NESTSONCORES_H
#define WEFT_PASSES_MESH_NESTSONCORES_H

#include "dialect/Target.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"

namespace weft {

/// A nest of independent iterations that the cores may share.
struct CoreNest {
  mlir::affine::AffineForOp loop;
  int64_t parts = 1;              ///< cores that have a part of it
  bool isAsked = false;           ///< by the schedule
  bool isShared = false;          ///< what was chosen
  double alone = 0, together = 0; ///< cycles of the management core, and of the cores
};

/// What the management core and the cores take for operations and memory (machine.toml).
class StartCosts {
public:
  explicit StartCosts(const Target &target);

  /// Cycles of both, but for the start of the cores. `seen`: arrays that the management core has
  /// in a cache; those of the nest are added.
  void estimate(CoreNest &nest, llvm::SmallPtrSetImpl<void *> &seen) const;
  double start() const { return startCycles; }

private:
  double startCycles, nestCycles, operation, sum, byte, coreOperation, coreByte;
};

/// Chooses the nests that the cores share: all of a block, between two of which the cores go on
/// where nothing but sums and numbers stands there, together pay for one start. A loop around them
/// counts as one that the cores do as a whole.
void chooseNests(llvm::MutableArrayRef<CoreNest> nests, const StartCosts &costs);

} // namespace weft

#endif // WEFT_PASSES_MESH_NESTSONCORES_H
