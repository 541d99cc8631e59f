// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How far the next read of a value is: what is needed soonest deserves a register most.
#pragma once

#include "Liveness.h"
#include "llvm/ADT/DenseMap.h"

#include <limits>

namespace weft::swcc {

/// A read outside the loop counts as so many operations farther: it is reloaded there once.
constexpr double beyondLoop = 1e5;
constexpr double neverRead = std::numeric_limits<double>::infinity();

/// Distances in operations. Where control divides, the ways count as often as they are taken.
class NextUses {
public:
  NextUses(const Code &code, const Liveness &liveness, llvm::ArrayRef<unsigned> order);

  /// From the beginning of `block`, and from its end.
  double atEntry(unsigned block, unsigned value) const;
  double atExit(unsigned block, unsigned value) const;

private:
  const Code &code_;
  std::vector<llvm::DenseMap<unsigned, double>> entry_;
};

/// How many loops are left on the way from one block to the other.
unsigned loopsLeft(const Code &code, unsigned from, unsigned to);
/// Whether the loop of that header has the block.
bool isInLoop(const Code &code, unsigned header, unsigned block);

} // namespace weft::swcc
