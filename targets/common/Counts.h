//===- Counts.h - operations and bytes of a kernel -===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_TARGETS_COMMON_COUNTS_H
#define WEFT_TARGETS_COMMON_COUNTS_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace weft {

/// Operations by kind and bytes by memory, of one call of a kernel: every printed
/// operation, times the iterations of the loops around it. Arithmetic is counted by
/// element (an addition of eight lanes is eight), what moves registers (load, store,
/// shuffle, broadcast) by instruction. Index arithmetic is not counted.
class Counts {
public:
  /// What follows happens so often; returns how often before.
  int64_t setTimes(int64_t now) { return std::exchange(times, now); }
  int64_t timesNow() const { return times; }

  /// `element` is the type that the operation computes on, as "f64".
  void add(llvm::StringRef kind, int64_t lanes = 1, llvm::StringRef element = "");
  void addBytes(llvm::StringRef memory, bool written, int64_t bytes);

  /// With "flops": additions, multiplications, divisions and square roots, a fused
  /// multiply-add as two.
  std::map<std::string, int64_t> operations() const;
  const std::map<std::string, int64_t> &bytes() const { return byMemory; }
  /// Arithmetic by element type, then by kind.
  const std::map<std::string, std::map<std::string, int64_t>> &byElement() const { return byType; }
  /// The lines of a kernel's comment.
  std::string comment() const;

private:
  std::map<std::string, int64_t> byKind, byMemory;
  std::map<std::string, std::map<std::string, int64_t>> byType;
  int64_t times = 1;
};

} // namespace weft

#endif // WEFT_TARGETS_COMMON_COUNTS_H
