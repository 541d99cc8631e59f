//===- CoreSteps.h - what the cores do, one nest after the other --*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_MESH_CORESTEPS_H
#define WEFT_PASSES_MESH_CORESTEPS_H

#include "dialect/Cpe.h"
#include "passes/mesh/MeshTiling.h"

#include <memory>

namespace weft {

/// What the cores do one after the other: a nest that they share out, the beginning and the end
/// of a loop around such nests.
struct CoreStep {
  enum Kind { Nest, Sum, LoopBegins, LoopEnds } kind;
  mlir::affine::AffineForOp loop;
  std::unique_ptr<MeshNest> nest; ///< of a nest or a sum
  std::optional<std::pair<unsigned, unsigned>> choice;
  llvm::SmallVector<mlir::Operation *> ops; ///< of one core
  std::unique_ptr<FootprintAnalysis> analysis;
};

/// Those of one start of the cores, in order.
std::vector<CoreStep> coreStepsOf(cpe::CoresOp cores, Mesh mesh);

/// Whether the steps alone see an array.
bool isWithin(llvm::ArrayRef<CoreStep> steps, mlir::Value array);

/// From the first to the last step in which something of step `number` is in use: all of a
/// loop around it that carries the array from iteration to iteration, or to what is behind it.
std::pair<int64_t, int64_t> lifeAround(llvm::ArrayRef<CoreStep> steps, int64_t number,
                                       mlir::Value array);

/// Where an array is made: in the innermost loop around all of its steps that does not carry it.
mlir::Block *homeOf(cpe::CoresOp cores, llvm::ArrayRef<CoreStep> steps, mlir::Value array);

} // namespace weft

#endif // WEFT_PASSES_MESH_CORESTEPS_H
