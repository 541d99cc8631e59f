//===- OrderedTerms.cpp - terms in the order of memory ----------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/lowering/OrderedTerms.h"

#include "passes/Notes.h"
#include "passes/tensors/LoopOrder.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace weft {
namespace {

constexpr Notes notes("lower-to-loops");

/// Terms of a row that is no whole one of its array: of fewer the long way across rows is better.
constexpr int64_t fewestInRow = 16;

using Reads = SmallVector<tensor::ExtractOp>;

std::optional<int64_t> strideOf(tensor::ExtractOp read, Value index) {
  return strideAlong(read.getTensor().getType(), read.getIndices(), index);
}

int64_t extentOf(ReduceOp reduce, unsigned dim) {
  return reduce.getUpper()[dim] - reduce.getLower()[dim];
}

/// Whether all reads stay at an element or go from one to the next, and some do.
bool goesAlongRows(const Reads &reads, Value index) {
  return llvm::all_of(reads, [&](auto read) { return accessWorth(strideOf(read, index)) >= 0; }) &&
         llvm::any_of(reads, [&](auto read) { return strideOf(read, index) == 1; });
}

/// Whether lanes may be elements of the result.
bool hasLanesBeside(MapOp map, const Reads &reads) {
  return llvm::any_of(map.bodyBlock()->getArguments(), [&](BlockArgument index) {
    unsigned dim = index.getArgNumber();
    return map.getUpper()[dim] - map.getLower()[dim] > 1 &&
           llvm::any_of(reads, [&](auto read) { return strideOf(read, index) == 1; });
  });
}

/// The indices by falling strides of a read; empty where one of these is unknown or not positive.
SmallVector<unsigned> byStrides(ReduceOp reduce, tensor::ExtractOp read) {
  SmallVector<unsigned> order;
  SmallVector<int64_t> strides;
  for (BlockArgument index : reduce.bodyBlock()->getArguments()) {
    order.push_back(index.getArgNumber());
    strides.push_back(strideOf(read, index).value_or(0));
    if (strides.back() <= 0)
      return {};
  }
  llvm::stable_sort(order, [&](unsigned a, unsigned b) { return strides[a] > strides[b]; });
  return order;
}

/// Its indices in the order of memory; empty where they are to stay.
SmallVector<unsigned> orderOf(ReduceOp reduce) {
  Block *body = reduce.bodyBlock();
  Reads reads(body->getOps<tensor::ExtractOp>());
  bool hasRegions = llvm::any_of(*body, [](Operation &op) { return op.getNumRegions() != 0; });
  if (reduce.rank() < 2 || hasRegions || goesAlongRows(reads, body->getArguments().back()) ||
      hasLanesBeside(cast<MapOp>(reduce->getParentOp()), reads))
    return {};
  BlockArgument *along = llvm::find_if(
      body->getArguments(), [&](BlockArgument index) { return goesAlongRows(reads, index); });
  if (along == body->args_end())
    return {};
  for (tensor::ExtractOp read : reads) {
    SmallVector<unsigned> order = byStrides(reduce, read);
    if (order.empty() || order.back() != along->getArgNumber() || strideOf(read, *along) != 1)
      continue;
    int64_t row = extentOf(reduce, order.back());
    bool isWhole = strideOf(read, body->getArgument(order[order.size() - 2])) == row;
    return isWhole || row >= fewestInRow ? order : SmallVector<unsigned>();
  }
  return {};
}

} // namespace

ReduceOp inOrderOfMemory(ReduceOp reduce) {
  SmallVector<unsigned> order = orderOf(reduce);
  if (order.empty())
    return reduce;
  SmallVector<int64_t> lower, upper;
  for (unsigned dim : order) {
    lower.push_back(reduce.getLower()[dim]);
    upper.push_back(reduce.getUpper()[dim]);
  }
  OpBuilder builder(reduce);
  auto made = ReduceOp::create(builder, reduce.getLoc(), reduce.getType(), reduce.getKindAttr(),
                               lower, upper);
  made->setDiscardableAttrs(reduce->getDiscardableAttrDictionary());
  Block *body = &made.getBody().emplaceBlock();
  IRMapping mapping;
  for (unsigned dim : order) {
    BlockArgument old = reduce.bodyBlock()->getArgument(dim);
    mapping.map(old, body->addArgument(old.getType(), old.getLoc()));
  }
  OpBuilder inside = OpBuilder::atBlockBegin(body);
  for (Operation &op : *reduce.bodyBlock())
    inside.clone(op, mapping);
  notes.decided(made.getLoc(), "{0}: terms in the order of memory", spoken(made->getParentOp()))
      .because("the last index went across rows, and another one goes along them");
  reduce.replaceAllUsesWith(made.getResult());
  reduce.erase();
  return made;
}

} // namespace weft
