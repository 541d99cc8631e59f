//===- FreshInits.cpp - constants that several ops go on with ---------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/lowering/FreshInits.h"

#include "passes/Passes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace weft {

/// The maps, last one first, and the empty tensor that made a value of a block without reading
/// any; none where something else did.
static SmallVector<Operation *> makersOf(Value value, Block *block) {
  SmallVector<Operation *> makers;
  while (value) {
    Operation *made = value.getDefiningOp();
    if (!made || made->getBlock() != block)
      return {};
    makers.push_back(made);
    if (isa<tensor::EmptyOp>(made))
      return makers;
    auto map = dyn_cast<MapOp>(made);
    if (!map || map->getNumResults() != 1 ||
        map.getBody()
            .walk([](tensor::ExtractOp) { return WalkResult::interrupt(); })
            .wasInterrupted())
      return {};
    value = map.getInits().empty() ? Value() : map.getInits().front();
  }
  return makers;
}

void makeInitsFresh(func::FuncOp function) {
  function.walk([](MapOp map) {
    for (OpOperand &init : map.getInitsMutable()) {
      SmallVector<Operation *> makers = makersOf(init.get(), map->getBlock());
      // The last one that goes on with them takes them as they are.
      if (llvm::all_of(makers, [](Operation *op) { return op->hasOneUse(); })) {
        for (Operation *op : llvm::reverse(makers))
          op->moveBefore(map);
        continue;
      }
      OpBuilder builder(map);
      IRMapping mapped;
      for (Operation *op : llvm::reverse(makers))
        builder.clone(*op, mapped);
      init.set(mapped.lookup(init.get()));
    }
  });
}

} // namespace weft
