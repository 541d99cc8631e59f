//===- AskedPairs.h - values that a schedule wants in one loop ------*- C++ -*-===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#ifndef WEFT_PASSES_TENSORS_ASKEDPAIRS_H
#define WEFT_PASSES_TENSORS_ASKEDPAIRS_H

#include "passes/Directives.h"
#include "passes/Passes.h"

namespace weft {

/// What the `fuse` of a schedule wants in one loop: a value and the one that reads it, by name.
class AskedPairs {
public:
  explicit AskedPairs(mlir::func::FuncOp func) : directives(directivesOf(func, "fuse")) {}

  bool empty() const { return directives.empty(); }
  /// Whether a map is the one that reads another.
  bool isSecond(MapOp map) const;
  /// The directive that names both; null where there is none.
  const Directive *of(MapOp producer, MapOp consumer) const;
  /// An error where a directive names an input, or what does not read what it names before.
  mlir::LogicalResult areThere(mlir::func::FuncOp func) const;

private:
  std::vector<Directive> directives;
};

} // namespace weft

#endif // WEFT_PASSES_TENSORS_ASKEDPAIRS_H
