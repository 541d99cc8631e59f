//===- CodeletPlanes.cpp - codelets over planes of images -------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/contractions/CodeletPlanes.h"

#include "passes/tensors/LoopOrder.h"
#include "passes/tensors/TensorLayouts.h"
#include "passes/transforms/WinogradMaps.h"

using namespace mlir;

namespace weft {

/// What made the elements of a tensor.
static MapOp makerOf(Value tensor) {
  while (auto reshape = tensor.getDefiningOp<ReshapeOp>())
    tensor = reshape->getOperand(0);
  return tensor.getDefiningOp<MapOp>();
}

/// The codelet whose result a factor is.
static MapOp codeletOf(const Factor &factor) {
  tensor::ExtractOp read = factor.read;
  MapOp maker = makerOf(read.getTensor());
  return maker && maker->hasAttr(codeletMark) && read.getTensor() == maker.getResult(0) ? maker
                                                                                        : MapOp();
}

/// Whether a dimension of a map says where it stores along some of its result's.
static bool isCountedBy(MapOp maker, unsigned dim, ArrayRef<unsigned> places) {
  return llvm::any_of(places, [&](unsigned place) {
    return maker.storeMap(0).getResult(place).isFunctionOfDim(dim);
  });
}

/// The indices of all that a codelet reads; nothing where one is not affine.
static std::optional<SmallVector<SmallVector<AffineExpr>>> indicesRead(MapOp maker) {
  SmallVector<SmallVector<AffineExpr>> all;
  for (auto from : maker.bodyBlock()->getOps<tensor::ExtractOp>()) {
    auto index = indicesOver(from, ValueRange(maker.bodyBlock()->getArguments()));
    if (!index || index->empty())
      return std::nullopt;
    all.push_back(*index);
  }
  return all;
}

bool isOfPlanes(const Factor &factor, ArrayRef<unsigned> side) {
  MapOp maker = codeletOf(factor);
  auto indices = maker ? indicesRead(maker) : std::nullopt;
  if (!indices)
    return false;
  SmallVector<unsigned> dims = factor.dimsOf(side);
  bool found = false;
  for (const auto &index : *indices)
    for (unsigned dim = 0; dim < maker.rank(); ++dim)
      if (index.back().isFunctionOfDim(dim)) {
        found = true;
        if (!isCountedBy(maker, dim, dims))
          return false;
      }
  return found;
}

bool isOfTiles(const Factor &factor, ArrayRef<unsigned> side) {
  MapOp maker = codeletOf(factor);
  auto indices = maker ? indicesRead(maker) : std::nullopt;
  if (!indices)
    return false;
  SmallVector<unsigned> dims = factor.dimsOf(side);
  bool found = false;
  for (unsigned dim = 0; dim < maker.rank(); ++dim) {
    if (!isCountedBy(maker, dim, dims))
      continue;
    for (const auto &index : *indices) {
      // Elements that follow one another are a row, whatever cuts the other dimensions.
      if (stepAlong(index.back(), dim) == 1)
        return false;
      found |= llvm::any_of(index,
                            [&](AffineExpr expr) { return stepAlong(expr, dim).value_or(0) > 1; });
    }
  }
  return found;
}

bool isBeside(MapOp codelet, ArrayRef<MapOp> products) {
  bool reads = false;
  codelet.getBody().walk([&](tensor::ExtractOp read) {
    reads |= llvm::is_contained(products, makerOf(read.getTensor()));
  });
  return reads || llvm::any_of(products, [&](MapOp product) {
           bool found = false;
           product.getBody().walk(
               [&](tensor::ExtractOp read) { found |= makerOf(read.getTensor()) == codelet; });
           return found;
         });
}

} // namespace weft
