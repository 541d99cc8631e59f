//===- SoftwarePipeline.h - turns of loops, pipelined -----------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_PIPES_SOFTWAREPIPELINE_H
#define WEFT_PASSES_PIPES_SOFTWAREPIPELINE_H

#include "passes/pipes/PipeOrder.h"

namespace weft {

/// Why the turns of a loop cannot be pipelined by this order; null where they can. Asked before
/// `pipelineTurns`.
const char *pipelineProblem(mlir::affine::AffineForOp loop, const BlockGraph &graph,
                            const PipeOrder &order);

/// Writes a loop anew: what its first turns begin before it, what its last ones end behind it,
/// and what passes from turn to turn carried along.
void pipelineTurns(mlir::affine::AffineForOp loop, const BlockGraph &graph, const PipeOrder &order);

/// Ops in an order in which no turns overlap, in front of `end`.
void moveInOrder(const BlockGraph &graph, const PipeOrder &order, mlir::Block &block,
                 mlir::Block::iterator end);

} // namespace weft

#endif // WEFT_PASSES_PIPES_SOFTWAREPIPELINE_H
