//===- AskedPairs.cpp - values that a schedule wants in one loop -----------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/tensors/AskedPairs.h"

#include "passes/tensors/Elementwise.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace weft {

bool AskedPairs::isSecond(MapOp map) const {
  return llvm::any_of(directives, [&](const Directive &one) {
    return llvm::is_contained(llvm::drop_begin(one.operands), ownName(map.getLoc()));
  });
}

const Directive *AskedPairs::of(MapOp producer, MapOp consumer) const {
  StringRef first = ownName(producer.getLoc()), second = ownName(consumer.getLoc());
  for (const Directive &one : directives)
    for (auto [before, behind] : llvm::zip(one.operands, llvm::drop_begin(one.operands)))
      if (before == first && behind == second)
        return &one;
  return nullptr;
}

/// Whether ops of the second name read what is of the first; what only moves elements, or is a part
/// of an expression, may be in between.
static bool readsDirectly(func::FuncOp func, StringRef first, StringRef second) {
  SmallVector<Operation *> open;
  func.walk([&](Operation *op) {
    if (op->getNumResults() == 1 && ownName(op->getLoc()) == second)
      open.push_back(op);
  });
  llvm::SmallPtrSet<Operation *, 16> seen(open.begin(), open.end());
  while (!open.empty()) {
    bool found = false;
    open.pop_back_val()->walk([&](Operation *op) {
      for (Value operand : op->getOperands()) {
        Operation *made = operand.getDefiningOp();
        if (!made || !isa<RankedTensorType>(operand.getType()))
          continue;
        StringRef name = ownName(made->getLoc());
        found |= name == first;
        auto map = dyn_cast<MapOp>(made);
        bool isPart = map && !map->hasAttr("weft.lines") && (name.empty() || isFree(map));
        bool passes = isPart || isa<TransposeOp, ReshapeOp>(made);
        if (passes && seen.insert(made).second)
          open.push_back(made);
      }
    });
    if (found)
      return true;
  }
  return false;
}

LogicalResult AskedPairs::areThere(func::FuncOp func) const {
  for (const Directive &one : directives) {
    for (BlockArgument input : func.getArguments())
      if (StringRef name = ownName(input.getLoc()); llvm::is_contained(one.operands, name))
        return refuse(func.getLoc(), one.text,
                      llvm::formatv("'{0}' is an input, which nothing computes", name),
                      "values that the kernel computes");
    for (auto [first, second] : llvm::zip(one.operands, llvm::drop_begin(one.operands)))
      if (!readsDirectly(func, first, second))
        return refuse(func.getLoc(), one.text,
                      llvm::formatv("'{0}' does not read '{1}'", second, first),
                      "a value and the one that reads it");
  }
  return success();
}

} // namespace weft
