//===- OneFactor.cpp - products of a tensor with itself ---------------------===//
//
// Part of the Weft project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------===//

#include "passes/contractions/OneFactor.h"

#include "passes/Notes.h"
#include "passes/tensors/TensorLayouts.h"

using namespace mlir;

namespace weft {

static constexpr Notes notes("arrange-contractions");

bool isOfOneFactor(const Contraction &contraction) {
  tensor::ExtractOp ofRows = contraction.rowFactor.read, ofColumns = contraction.columnFactor.read;
  return ofRows.getTensor() == ofColumns.getTensor();
}

void copyForColumns(OpBuilder &builder, const Contraction &contraction) {
  tensor::ExtractOp read = contraction.columnFactor.read;
  Value both = read.getTensor();
  if (!isFreeLayout(both))
    return;
  notes.decided(read.getLoc(), "{0}: a copy of what is both factors", spoken(contraction.map))
      .because("no one layout suits rows and columns");
  auto type = cast<RankedTensorType>(both.getType());
  Value copy = copyOf(builder, read.getLoc(), both, type.getShape(),
                      builder.getMultiDimIdentityMap(type.getRank()));
  read.getTensorMutable().assign(copy);
}

} // namespace weft
