//===- JoinedTerms.cpp - terms that lie one behind the other -----------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/lowering/JoinedTerms.h"

#include "passes/Directives.h"
#include "passes/Notes.h"
#include "passes/lowering/ContractionLoops.h"
#include "passes/lowering/OrderedTerms.h"
#include "passes/tensors/TensorLayouts.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace weft {
namespace {

constexpr Notes notes("lower-to-loops");

/// The reads at an index and the next one, by their place among the read's indices; nothing where
/// either is used in another way.
std::optional<llvm::DenseMap<Operation *, unsigned>> readsAtBoth(ReduceOp reduce, unsigned dim) {
  Value outer = reduce.bodyBlock()->getArgument(dim),
        inner = reduce.bodyBlock()->getArgument(dim + 1);
  int64_t extent = reduce.getUpper()[dim + 1];
  llvm::DenseMap<Operation *, unsigned> reads;
  for (Value index : {outer, inner})
    for (OpOperand &use : index.getUses()) {
      auto read = dyn_cast<tensor::ExtractOp>(use.getOwner());
      if (!read || read->getBlock() != reduce.bodyBlock())
        return std::nullopt;
      OperandRange indices = read.getIndices();
      auto at = static_cast<unsigned>(llvm::find(indices, outer) - indices.begin());
      if (at + 1 >= indices.size() || indices[at + 1] != inner ||
          llvm::count(indices, outer) != 1 || llvm::count(indices, inner) != 1 ||
          read.getTensor().getType().getDimSize(at + 1) != extent)
        return std::nullopt;
      reads[read] = at;
    }
  if (reads.empty())
    return std::nullopt;
  return reads;
}

/// The same with both indices as one.
ReduceOp joined(ReduceOp reduce, unsigned dim, const llvm::DenseMap<Operation *, unsigned> &reads) {
  SmallVector<int64_t> lower(reduce.getLower()), upper(reduce.getUpper());
  upper[dim] *= upper[dim + 1];
  lower.erase(lower.begin() + dim + 1);
  upper.erase(upper.begin() + dim + 1);
  OpBuilder builder(reduce), before(reduce->getParentOp());
  auto made = ReduceOp::create(builder, reduce.getLoc(), reduce.getType(), reduce.getKindAttr(),
                               lower, upper);
  made->setDiscardableAttrs(reduce->getDiscardableAttrDictionary());
  Block *body = &made.getBody().emplaceBlock();
  IRMapping mapping;
  for (auto [n, old] : llvm::enumerate(reduce.bodyBlock()->getArguments()))
    if (n != dim + 1)
      mapping.map(old, body->addArgument(old.getType(), old.getLoc()));
  OpBuilder inner = OpBuilder::atBlockBegin(body);
  for (Operation &op : *reduce.bodyBlock()) {
    auto found = reads.find(&op);
    if (found == reads.end()) {
      inner.clone(op, mapping);
      continue;
    }
    auto read = cast<tensor::ExtractOp>(op);
    unsigned at = found->second;
    SmallVector<int64_t> shape(read.getTensor().getType().getShape());
    shape[at] *= shape[at + 1];
    shape.erase(shape.begin() + at + 1);
    SmallVector<Value> indices;
    for (auto [n, index] : llvm::enumerate(read.getIndices()))
      if (n != at + 1)
        indices.push_back(mapping.lookupOrDefault(index));
    Value rows = reshaped(before, read.getLoc(), read.getTensor(), shape);
    mapping.map(read.getResult(),
                tensor::ExtractOp::create(inner, read.getLoc(), rows, indices).getResult());
  }
  reduce.replaceAllUsesWith(made.getResult());
  reduce.erase();
  return made;
}

} // namespace

void joinTerms(func::FuncOp func) {
  // What is seen in another shape has no layout that a schedule could choose.
  bool mayReshape = directivesOf(func, "layout").empty();
  SmallVector<ReduceOp> sums;
  func.walk([&](ReduceOp reduce) {
    auto map = dyn_cast<MapOp>(reduce->getParentOp());
    if (map && !groupingOf(map))
      sums.push_back(reduce);
  });
  for (ReduceOp asWritten : sums) {
    ReduceOp reduce = inOrderOfMemory(asWritten);
    if (!mayReshape || reduce->getParentOp()->getParentOp() != func)
      continue;
    for (unsigned dim = std::max(reduce.rank(), 1U) - 1; dim-- > 0;) {
      auto isFromZero = [&](unsigned n) { return reduce.getLower()[n] == 0; };
      auto reads = isFromZero(dim) && isFromZero(dim + 1) ? readsAtBoth(reduce, dim) : std::nullopt;
      if (!reads)
        continue;
      notes
          .decided(reduce.getLoc(), "{0}: {1} rows of {2} terms as one",
                   spoken(reduce->getParentOp()), reduce.getUpper()[dim],
                   reduce.getUpper()[dim + 1])
          .because("what is read of them lies one behind the other");
      reduce = joined(reduce, dim, *reads);
    }
  }
}

} // namespace weft
