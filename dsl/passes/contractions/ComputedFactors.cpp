//===- ComputedFactors.cpp - what the factors of a sum are made of -------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/contractions/ComputedFactors.h"

#include "passes/Notes.h"
#include "passes/tensors/TensorLayouts.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace weft {

namespace {

constexpr Notes notes("arrange-contractions");

/// Whether each index of a read follows one variable at most.
bool isOfSingleIndices(tensor::ExtractOp read, ValueRange variables) {
  auto exprs = indicesOver(read, variables);
  auto isOfOne = [&](AffineExpr expr) {
    auto dims = llvm::seq<unsigned>(0, variables.size());
    return llvm::count_if(dims, [&](unsigned dim) { return expr.isFunctionOfDim(dim); }) <= 1;
  };
  return exprs && llvm::all_of(*exprs, isOfOne);
}

/// Adds what computes a value; false where that is none of a factor.
bool collect(Value value, MapOp map, ReduceOp reduce, ValueRange variables,
             ComputedFactor &factor) {
  if (auto found = llvm::find(variables, value); found != variables.end()) {
    auto index = static_cast<unsigned>(found - variables.begin());
    if (!llvm::is_contained(factor.indices, index))
      factor.indices.push_back(index);
    return true;
  }
  Operation *op = value.getDefiningOp();
  if (!op || !map->isProperAncestor(op))
    return true;
  if (factor.operations.contains(op))
    return true;
  if (op->getNumRegions() != 0 || !isMemoryEffectFree(op))
    return false;
  if (auto read = dyn_cast<tensor::ExtractOp>(op); read && !isOfSingleIndices(read, variables))
    return false;
  bool isKnown = llvm::all_of(op->getOperands(), [&](Value operand) {
    return collect(operand, map, reduce, variables, factor);
  });
  factor.operations.insert(op);
  return isKnown;
}

} // namespace

bool ComputedFactor::isElement(MapOp map, ReduceOp reduce) const {
  auto read = value.getDefiningOp<tensor::ExtractOp>();
  if (!read || operations.size() != 1 || read.getIndices().size() != indices.size())
    return false;
  // A part of a tensor, such as the columns of panels that are not full, has to be copied.
  SmallVector<Value> variables = indicesOf(map, reduce);
  ArrayRef<int64_t> shape = read.getTensor().getType().getShape();
  return llvm::all_of(llvm::enumerate(read.getIndices()), [&](auto entry) {
    auto found = llvm::find(variables, entry.value());
    auto index = static_cast<unsigned>(found - variables.begin());
    return found != variables.end() &&
           extentsOf(map, reduce, {index}).front() == shape[entry.index()];
  });
}

std::optional<ComputedFactor> ComputedFactor::of(Value value, MapOp map, ReduceOp reduce) {
  ComputedFactor factor{value, {}, {}};
  SmallVector<Value> variables = indicesOf(map, reduce);
  if (!collect(value, map, reduce, variables, factor) || factor.operations.empty())
    return std::nullopt;
  llvm::sort(factor.indices);
  return factor;
}

Value ComputedFactor::cloneAt(OpBuilder &builder, MapOp map, ReduceOp reduce,
                              ValueRange variables) const {
  SmallVector<Value> all = indicesOf(map, reduce);
  IRMapping mapping;
  for (auto [index, variable] : llvm::zip_equal(indices, variables))
    mapping.map(all[index], variable);
  for (Operation *op : operations)
    builder.clone(*op, mapping);
  return mapping.lookup(value);
}

/// A tensor of a factor, an index a dimension.
static Value tensorOf(const ComputedFactor &factor, MapOp map, ReduceOp reduce) {
  OpBuilder builder(map);
  SmallVector<int64_t> shape = extentsOf(map, reduce, factor.indices), lower(shape.size(), 0);
  return makeMap(builder, factor.value.getLoc(),
                 RankedTensorType::get(shape, factor.value.getType()), lower, shape,
                 builder.getMultiDimIdentityMap(shape.size()),
                 [&](OpBuilder &inner, ValueRange point) {
                   return factor.cloneAt(inner, map, reduce, point);
                 })
      .getResult(0);
}

void makeFactors(MapOp map, ReduceOp reduce, const Target &target) {
  auto product = reduce.yielded().getDefiningOp<arith::MulFOp>();
  if (!product || product->getBlock() != reduce.bodyBlock())
    return;
  auto left = ComputedFactor::of(product.getLhs(), map, reduce);
  auto right = ComputedFactor::of(product.getRhs(), map, reduce);
  if (!left || !right || (left->isElement(map, reduce) && right->isElement(map, reduce)))
    return;
  auto indices = ProductIndices::of(left->indices, right->indices, map, reduce);
  FailureOr<PanelLimits> limits = PanelLimits::of(target, reduce.getType());
  if (!indices || failed(limits))
    return;
  auto count = [&](ArrayRef<unsigned> of) { return countOf(map, reduce, of); };
  int64_t batch = count(indices->batch), rows = count(indices->rows),
          columns = count(indices->columns), terms = count(indices->terms);
  if (indices->rows.empty() || indices->columns.empty() ||
      !hasPanelsEitherWay(batch, rows, columns, terms, *limits))
    return;
  SmallVector<Value> variables = indicesOf(map, reduce);
  for (const auto *factor : {&*left, &*right}) {
    if (factor->isElement(map, reduce))
      continue;
    notes.decided(factor->value.getLoc(), "{0}: a factor in a tensor of its own", spoken(map))
        .because("it is computed once, and not for each of {0} elements of the other one",
                 count(factor == &*left ? indices->columns : indices->rows));
    Value made = tensorOf(*factor, map, reduce);
    OpBuilder builder(product);
    SmallVector<Value> place;
    for (unsigned index : factor->indices)
      place.push_back(variables[index]);
    Value element = tensor::ExtractOp::create(builder, factor->value.getLoc(), made, place);
    product->replaceUsesOfWith(factor->value, element);
  }
  llvm::SetVector<Operation *> unused = left->operations;
  unused.insert_range(right->operations);
  for (Operation *op : llvm::reverse(unused))
    if (op->use_empty())
      op->erase();
}

} // namespace weft
