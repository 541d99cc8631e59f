//===- AskedPlan.h - blocks of lines as they are asked for -*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_LINES_ASKEDPLAN_H
#define WEFT_PASSES_LINES_ASKEDPLAN_H

#include "passes/lines/ChainTiling.h"

namespace weft {

/// The blocks of a chain's lines that a schedule asks for, or that store the lines where the copy
/// behind the chain has them.
class AskedPlan {
public:
  struct Machine {
    int64_t lanes; ///< of vectors
    int64_t room;  ///< bytes of a core for its lines
    int64_t cores; ///< with memory of their own
  };
  AskedPlan(const LineChain &chain, const AskedBlocks &asked,
            const std::optional<TransposedCopy> &put, const Machine &machine)
      : chain(chain), asked(asked), put(put), machine(machine) {}

  /// The blocks, of those that `byCost` gives where nothing is said of their lines; nothing where
  /// there are none. An error where a core has no room for what a schedule asks.
  mlir::FailureOr<std::optional<ChainPlan>>
  make(llvm::function_ref<std::optional<ChainPlan>()> byCost);

private:
  mlir::FailureOr<std::optional<ChainPlan>> acrossLines(unsigned lane);
  mlir::LogicalResult checkRoom(const ChainPlan &plan) const;

  const LineChain &chain;
  const AskedBlocks &asked;
  const std::optional<TransposedCopy> &put;
  Machine machine;
};

} // namespace weft

#endif // WEFT_PASSES_LINES_ASKEDPLAN_H
