//===- ScheduledLoops.h - loops as a schedule asks for them --------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// `tile`, `distribute` and `vectorize` name an axis of a value, or a loop that `tile` has made of
// one. While values are tensors the loops are dimensions: of the maps that compute the value, or
// line dimensions of a chain that ends with it.
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_LINES_SCHEDULEDLOOPS_H
#define WEFT_PASSES_LINES_SCHEDULEDLOOPS_H

#include "dialect/Target.h"
#include "passes/Directives.h"
#include "passes/lines/ChainTiling.h"

#include "llvm/ADT/StringSet.h"

namespace weft {

class ScheduledLoops {
public:
  ScheduledLoops(mlir::func::FuncOp func, const VectorUnit &vectors);

  bool empty() const { return wishes.empty(); }

  /// What is asked of the blocks of a chain's lines, by the axes of its result or of a copy behind
  /// it that is `put`. Axes that are no lines of it are left for others.
  mlir::FailureOr<AskedBlocks> ofChain(const LineChain &chain,
                                       const std::optional<TransposedCopy> &put);
  /// Does what is asked of maps that are no part of a chain that is `ofChain`'s; fails, with the
  /// reason, where something is left that nobody has done.
  mlir::LogicalResult doRest();

private:
  /// One directive about one place, and whether somebody has done it.
  struct Wish {
    Directive directive;
    NamedAxis place;
    bool isDone = false;
    std::string obstacle = {}, expected = {};
    std::optional<mlir::Location> where = {};
  };

  mlir::LogicalResult serveMap(MapOp map);
  MapOp tile(MapOp map, unsigned dim, int64_t times, const Directive &directive);

  /// An error where vectors have not as many lanes as `vectorize` says.
  mlir::LogicalResult checkLanes(const Wish &wish, MapOp map) const;

  mlir::func::FuncOp func;
  VectorUnit vectors;
  std::vector<Wish> wishes;
  llvm::StringSet<> ofChains; ///< values whose loops are those of chains
};

} // namespace weft

#endif // WEFT_PASSES_LINES_SCHEDULEDLOOPS_H
