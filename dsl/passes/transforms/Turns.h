//===- Turns.h - when two stages take turns -----------------------------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_TRANSFORMS_TURNS_H
#define WEFT_PASSES_TRANSFORMS_TURNS_H

#include <cstdint>

namespace weft {

/// Halves of an array are not worth it: lines of 4096 points of c64 in two took 6 % longer.
constexpr int64_t fewestTurns = 4;

/// Of a line: the input, what lies between two stages, and the result.
constexpr int64_t stageArrays = 3;

/// Whether an array between two stages goes to the second cache, with what is read for it; lines of
/// 1000 points of c128, 16000 bytes, took 8 % longer in turns.
constexpr bool leavesCache(int64_t firstCache, int64_t bytes) { return 2 * bytes > firstCache; }

/// Whether a part of an array stays in the first cache beside what is read for it and written.
constexpr bool holdsPart(int64_t firstCache, int64_t partBytes) {
  return 2 * partBytes <= firstCache;
}

} // namespace weft

#endif // WEFT_PASSES_TRANSFORMS_TURNS_H
