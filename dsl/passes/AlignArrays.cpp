//===- AlignArrays.cpp - where arrays begin, and which vectors lie well ---------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//
//
// What is in main memory is moved in lines, so arrays there begin with one: a transfer of a table
// takes no line more than it must, and rows of two threads share none. Arrays in a core's own
// memory begin as its plan has counted them.
//
// A vector whose array begins well and whose place in it is a multiple of its lanes, in every turn
// of the loops around it, is marked: a core has one instruction for it, and several for one that
// may lie anywhere. Who orders instructions counts with that, and the emitter takes the one or the
// others; neither looks again.
//
//===-----------------------------------------------------------------------===//

#include "dialect/Cpe.h"
#include "dialect/Target.h"
#include "passes/AccessPattern.h"
#include "passes/Alignment.h"
#include "passes/LdmPlan.h"
#include "passes/Notes.h"
#include "passes/Passes.h"

#include "mlir/Dialect/Affine/Analysis/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <numeric>

namespace weft {
#define GEN_PASS_DEF_ALIGNARRAYS
#include "passes/Passes.h.inc"
} // namespace weft

using namespace mlir;
using affine::AffineForOp;

namespace {

constexpr weft::Notes notes("align-arrays");

/// A vector of an array: where it begins, by the indices of the array.
struct VectorPlace {
  Value memref;
  VectorType type;
  AffineMap map;
  SmallVector<Value> operands;
};

std::optional<VectorPlace> vectorOf(Operation *op) {
  auto identity = [&](Value memref, VectorType type, ValueRange indices) {
    return VectorPlace{memref, type,
                       AffineMap::getMultiDimIdentityMap(indices.size(), op->getContext()),
                       llvm::to_vector(indices)};
  };
  if (auto load = dyn_cast<affine::AffineVectorLoadOp>(op))
    return VectorPlace{load.getMemRef(), load.getVectorType(), load.getAffineMap(),
                       llvm::to_vector(load.getMapOperands())};
  if (auto store = dyn_cast<affine::AffineVectorStoreOp>(op))
    return VectorPlace{store.getMemRef(), store.getVectorType(), store.getAffineMap(),
                       llvm::to_vector(store.getMapOperands())};
  if (auto load = dyn_cast<vector::LoadOp>(op))
    return identity(load.getBase(), load.getVectorType(), load.getIndices());
  if (auto store = dyn_cast<vector::StoreOp>(op))
    return identity(store.getBase(), store.getVectorType(), store.getIndices());
  return std::nullopt;
}

/// What an index is a multiple of, as an expression.
AffineExpr multipleOf(Value index, AffineExpr dim) {
  if (std::optional<int64_t> constant = getConstantIntValue(index))
    return getAffineConstantExpr(*constant, dim.getContext());
  AffineForOp loop = affine::getForInductionVarOwner(index);
  if (!loop || !loop.hasConstantLowerBound())
    return dim;
  return dim * std::gcd(loop.getConstantLowerBound(), loop.getStepAsInt());
}

/// Whether the elements in front of a vector in its array are a multiple of its lanes.
bool isMultiple(VectorPlace place) {
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(cast<MemRefType>(place.memref.getType()).getStridesAndOffset(strides, offset)))
    return false;
  // A core has its own part of what is spread.
  if (weft::cpe::spreadArray(place.memref))
    strides[0] = strides[1] = 0;
  affine::fullyComposeAffineMapAndOperands(&place.map, &place.operands);
  MLIRContext *context = place.memref.getContext();
  SmallVector<AffineExpr> indices;
  for (auto [number, operand] : llvm::enumerate(place.operands))
    indices.push_back(multipleOf(operand, getAffineDimExpr(number, context)));
  ArrayRef<AffineExpr> all = indices;
  unsigned dims = place.map.getNumDims();
  AffineExpr before = getAffineConstantExpr(0, context);
  for (auto [index, stride] : llvm::zip(place.map.getResults(), strides))
    before =
        before + index.replaceDimsAndSymbols(all.take_front(dims), all.drop_front(dims)) * stride;
  before = simplifyAffineExpr(before, indices.size(), 0);
  return before.isMultipleOf(place.type.getNumElements());
}

class AlignArrays : public weft::impl::AlignArraysBase<AlignArrays> {
public:
  using AlignArraysBase::AlignArraysBase;
  void runOnOperation() override;

private:
  void align(Operation *array, int64_t bytes) {
    array->setAttr(weft::alignmentName,
                   IntegerAttr::get(IntegerType::get(&getContext(), 64), bytes));
  }
  static void tell(weft::cpe::CoresOp cores);
};

/// How many of the vectors in a core's memory are whole, where there are some.
void AlignArrays::tell(weft::cpe::CoresOp cores) {
  int64_t all = 0, marked = 0;
  cores->walk([&](Operation *op) {
    std::optional<VectorPlace> place = vectorOf(op);
    if (!place || !weft::cpe::isInLdm(place->memref))
      return;
    ++all;
    marked += op->hasAttr(weft::alignedMark);
  });
  if (all > 0)
    notes
        .decided(cores, "one instruction for each of {0} loads and stores of vectors, of {1}",
                 marked, all)
        .because("they lie at multiples of their size, as a core's arrays do at multiples of {0} "
                 "bytes",
                 weft::ldmAlignment)
        .number("aligned", marked)
        .number("vectors", all);
}

void AlignArrays::runOnOperation() {
  FailureOr<weft::Target> target = weft::Target::of(getOperation());
  if (failed(target))
    return signalPassFailure();
  FailureOr<int64_t> lineBytes = target->number("line_bytes");
  if (failed(lineBytes))
    return signalPassFailure();
  getOperation()->walk([&](Operation *op) {
    if (isa<memref::GlobalOp>(op))
      align(op, *lineBytes);
    else if (isa<memref::AllocOp, memref::AllocaOp, weft::cpe::SpreadOp>(op))
      align(op, weft::cpe::isInLdm(op->getResult(0)) ? weft::ldmAlignment : *lineBytes);
  });
  SymbolTable symbols(getOperation());
  auto begins = [&](Value memref) {
    Operation *made = weft::rootOf(memref).getDefiningOp();
    if (auto table = dyn_cast_or_null<memref::GetGlobalOp>(made))
      made = symbols.lookup(table.getName());
    return made ? weft::alignmentOf(made) : 1;
  };
  getOperation()->walk([&](Operation *op) {
    std::optional<VectorPlace> place = vectorOf(op);
    if (!place)
      return;
    int64_t bytes = place->type.getNumElements() * place->type.getElementTypeBitWidth() / 8;
    if (begins(place->memref) % bytes == 0 && isMultiple(*place))
      op->setAttr(weft::alignedMark, UnitAttr::get(&getContext()));
  });
  getOperation()->walk([](weft::cpe::CoresOp cores) { tell(cores); });
}

} // namespace
