//===- Traffic.h - how often a kernel's arrays pass from memory -----*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_TARGETS_COMMON_TRAFFIC_H
#define WEFT_TARGETS_COMMON_TRAFFIC_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace weft {

/// One array of a kernel, and what one call does with it.
struct ArrayTraffic {
  std::string name;               ///< as in the source; empty where it has none
  std::string memory;             ///< argument, table, scratch or local
  int64_t bytes = 0;              ///< its size
  int64_t loaded = 0, stored = 0; ///< by all loads and stores
  int64_t read = 0, written = 0;  ///< from and to memory, beyond a cache
};

/// A nest that moves more than the cache holds: one pass over memory each time it runs.
struct MemoryPass {
  std::string place;             ///< of the nest's outermost loop in the source
  int64_t times = 1;             ///< that it runs in one call
  int64_t read = 0, written = 0; ///< bytes from and to memory, each time
};

struct MemoryTraffic {
  std::vector<ArrayTraffic> arrays;
  std::vector<MemoryPass> passes; ///< in program order
};

/// A cache that replaces what was not used for longest.
struct CacheModel {
  int64_t bytes = 0; ///< of the last one
  int64_t l1Bytes = 0, l2Bytes = 0, lineBytes = 0;
  int64_t l2Ways = 0;         ///< 0 where it is not known
  int64_t keptBytes = 0;      ///< of an array, a part of which it still has when it is read again
  int64_t aheadBytes = 0;     ///< that a line is asked for before it is read; 0 where it is not
  int64_t askedBytes = 0;     ///< lines of larger arrays are asked for
  int64_t shortLineBytes = 0; ///< lines of fewer bytes are not asked for
  int64_t inOrderBytes = 0;   ///< rows of so many are asked for line by line; 0 where none are
  /// Blocks of columns that are computed in the place of an array of so many bytes and more are
  /// stored past the caches; nothing where none are.
  std::optional<int64_t> pastInPlaceBytes = {};
  /// Whether such stores, and those to another array, ask for what the next block loads.
  bool resultsAsk = false;
};

/// The traffic of one call on one core, the cache empty at its begin. While the data of
/// one iteration of a loop fits the cache, the loop takes each byte from memory once;
/// otherwise each iteration takes its own. Bytes that stores only pass over are not read;
/// local arrays are small and touched all the time: they never leave the cache.
MemoryTraffic memoryTraffic(mlir::func::FuncOp func, const CacheModel &cache);

} // namespace weft

#endif // WEFT_TARGETS_COMMON_TRAFFIC_H
