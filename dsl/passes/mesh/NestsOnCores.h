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

/// A nest of independent iterations that the cores, or threads, may share.
struct CoreNest {
  mlir::affine::AffineForOp loop;
  bool isAsked = false;  ///< by the schedule
  int64_t parts = 1;     ///< cores that have a part of it
  bool isShared = false; ///< what was chosen
  double alone = 0;      ///< cycles of the management core
  double together = 0;   ///< cycles of the cores, but for their start
  double times = 1;      ///< iterations of loops around that share a start
  size_t beside = 1;     ///< nests that share it
};

/// What the management core and the cores take for operations and memory (machine.toml).
class StartCosts {
public:
  /// An error where the target does not say.
  static mlir::FailureOr<StartCosts> of(const Target &target);

  /// Cycles of both. `seen`: bytes of each array that the management core has in a cache; those of
  /// the nest are added.
  void estimate(CoreNest &nest, llvm::DenseMap<mlir::Value, double> &seen) const;
  /// Cycles of the cores for operations alone.
  double computing(const CoreNest &nest) const;
  double start() const { return startCycles; }
  /// Cycles that cores take to give neighbours rows of so many messages.
  double halo(double messages) const { return haloCycles + haloMessage * messages; }
  /// Cycles until each core has heard so many messages of all others, and moved so many elements.
  double collect(double messages, double moved) const {
    return collectCycles + collectMessage * messages + coreOperation * moved;
  }
  /// Cycles that the cores take for a nest beside its operations and bytes.
  double nest() const { return nestCycles; }

private:
  double startCycles = 0, nestCycles = 0, operation = 0, sum = 0, byte = 0, coreOperation = 0,
         coreByte = 0, haloCycles = 0, haloMessage = 0, collectCycles = 0, collectMessage = 0;
};

/// Chooses the nests that the cores share. Those that stand one behind the other pay together for
/// one start, or for none right beside what the cores do already; those of a loop that the cores
/// can do as a whole (`coresMayLoop`) pay in each iteration for a share of one, and all go then.
void chooseNests(llvm::MutableArrayRef<CoreNest> nests, int64_t cores, const StartCosts &costs);

} // namespace weft

#endif // WEFT_PASSES_MESH_NESTSONCORES_H
