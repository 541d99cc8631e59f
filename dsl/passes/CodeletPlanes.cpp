//===- CodeletPlanes.cpp - codelets over planes of images -------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/CodeletPlanes.h"

#include "passes/TensorLayouts.h"
#include "passes/WinogradMaps.h"

using namespace mlir;

namespace weft {

/// What made the elements of a tensor.
static MapOp makerOf(Value tensor) {
  while (auto reshape = tensor.getDefiningOp<ReshapeOp>())
    tensor = reshape->getOperand(0);
  return tensor.getDefiningOp<MapOp>();
}

bool isOfPlanes(const Factor &factor, ArrayRef<unsigned> side) {
  tensor::ExtractOp read = factor.read;
  MapOp maker = makerOf(read.getTensor());
  if (!maker || !maker->hasAttr(codeletMark) || read.getTensor() != maker.getResult(0))
    return false;
  SmallVector<unsigned> dims = factor.dimsOf(side);
  bool found = false;
  for (auto from : maker.bodyBlock()->getOps<tensor::ExtractOp>()) {
    auto index = indicesOver(from, ValueRange(maker.bodyBlock()->getArguments()));
    if (!index || index->empty())
      return false;
    for (unsigned dim = 0; dim < maker.rank(); ++dim)
      if (index->back().isFunctionOfDim(dim)) {
        found = true;
        if (llvm::none_of(dims, [&](unsigned place) {
              return maker.storeMap(0).getResult(place).isFunctionOfDim(dim);
            }))
          return false;
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
