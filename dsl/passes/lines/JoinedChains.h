//===- JoinedChains.h - transforms behind each other, line by line --*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// A filter is a transform, a product, and the transform back. Where both go along the same lines, a
// block of lines goes all the way before the next one begins: a spectrum is never in memory.
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_LINES_JOINEDCHAINS_H
#define WEFT_PASSES_LINES_JOINEDCHAINS_H

#include "dialect/Target.h"
#include "passes/tensors/LineChain.h"

namespace weft {

/// Joins a chain with the one that alone reads what it gives, at its own lines, where vectors lie
/// along the lines of both, which are not short, or across those of both; where a schedule asks for
/// loops (`isAsked`), only those of one value, whose loops they are together.
void joinChains(llvm::SmallVectorImpl<LineChain> &chains, const VectorUnit &vectors,
                const Target &target, bool isAsked);

} // namespace weft

#endif // WEFT_PASSES_LINES_JOINEDCHAINS_H
