//===- ScheduledLayouts.cpp - complex numbers as a schedule wants them --------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/lowering/ScheduledLayouts.h"

#include "passes/lowering/Overwriting.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace weft {

namespace {

/// Who else than loops of this function sees the memory of a value; empty where nobody does.
std::string seenBy(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !isa<ComplexType>(type.getElementType()))
    return "it holds no complex numbers";
  if (type.getRank() == 0)
    return "it is a single number";
  StringRef name = ownName(value.getLoc());
  auto isOfName = [&](Value other) {
    return ownName(other.getLoc()) == name || other.getDefiningOp<tensor::EmptyOp>();
  };
  if (Value before = goneOnWith(value); before && !isOfName(before))
    return "it goes on with another value";
  for (Operation *user : value.getUsers()) {
    if (isa<func::ReturnOp>(user))
      return "the caller's array holds it";
    bool isRead = isa<tensor::ExtractOp, YieldOp>(user);
    bool goesOn = isa<MapOp, BlocksOp>(user) && llvm::all_of(user->getResults(), isOfName);
    if (isRead || goesOn)
      continue;
    return isa<ReshapeOp>(user)         ? "a reshape of it sees its memory"
           : user->getNumRegions() != 0 ? "a loop over time sees its memory"
                                        : "another operation sees its memory";
  }
  return {};
}

} // namespace

LogicalResult askLayouts(func::FuncOp func, Memories &memories) {
  for (const Directive &one : directivesOf(func, "layout")) {
    Layout layout = one.behind.front() == "split" ? Layout::Split : Layout::Interleaved;
    for (StringRef name : one.operands) {
      bool found = false;
      std::string why;
      func.walk([&](Operation *op) {
        if (!isa<MapOp, BlocksOp>(op) || ownName(op->getLoc()) != name)
          return;
        for (Value result : op->getResults()) {
          found = true;
          if (why.empty())
            why = seenBy(result);
        }
      });
      if (!found)
        why = "it has no memory of its own: it is an input, or computed where it is read";
      if (!why.empty())
        return refuse(func.getLoc(), one.text, llvm::formatv("'{0}': {1}", name, why),
                      "complex values between loops of one kernel");
      memories.ask(name, layout);
    }
  }
  return success();
}

} // namespace weft
